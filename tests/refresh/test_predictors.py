"""Predictors of a thread's next post: one contract for all of them, and what each one does, worked by hand."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.errors import UsageError
from thrawl.refresh.predictors.baselines import MeanGap, OnePeriod, WindowMean
from thrawl.refresh.predictors.boosted import BoostedRate
from thrawl.refresh.predictors.exciting import Exciting, SelfExciting, decayed_sums, running_sums
from thrawl.refresh.predictors.forecast import (
    LONGEST_WAIT,
    SHORTEST_WAIT,
    Exponential,
    OnlinePredictor,
    Predictor,
    wait_until,
    worth,
)
from thrawl.refresh.predictors.posts import ThreadPosts, thread_posts
from thrawl.refresh.predictors.registry import MODELS, parse_models
from thrawl.refresh.predictors.sigmoid import SigmoidModel
from thrawl.refresh.predictors.svr import DiscountedSvr, WindowSvr
from thrawl.refresh.predictors.topics import Topics
from thrawl.refresh.predictors.windows import (
    Vocabulary,
    WindowShape,
    choose_vocabulary,
    content_row,
    context,
    last_gaps,
    univariate_scores,
)
from thrawl.refresh.predictors.words import TAGS, PostWords, WordReader
from thrawl.refresh.rhythm import DAY, HOUR, Rhythm

START = 1_000_000_000.0
MINUTE = 60.0
READER = WordReader()
TEXTS = (
    "How do I link this?",
    "",
    "Спасибо, всё работает",
    "有没有人知道怎么编译",
    "thanks!\n> it works",
    "\x00 <b>?</b> 🙂",
)


def made(name: str) -> Predictor:
    return MODELS[name].make(READER, 0)


def bursts(key: int, posts: int, seed: int = 0) -> ThreadPosts:
    """A thread of short and long gaps, with words."""
    draw = np.random.default_rng(seed + key)
    gaps = np.where(draw.random(posts) < 0.8, draw.exponential(20 * MINUTE, posts), draw.exponential(2.0 * DAY, posts))
    texts = [TEXTS[int(place)] for place in draw.integers(0, len(TEXTS), posts)]
    return thread_posts(key, START + np.cumsum(gaps), draw.integers(0, 5, posts), texts=texts)


TRAINED = [bursts(key, 80) for key in range(8)]
ODD = {
    "nothing": thread_posts(901, []),
    "one post": thread_posts(902, [START]),
    "two posts": thread_posts(903, [START, START + 60]),
    "equal times": thread_posts(904, [START] * 40),
    "times that go back": thread_posts(905, [START + 100, START, START + 50, START + 500]),
    "empty texts": thread_posts(906, START + np.arange(40) * 500.0, texts=[""] * 40),
    "any language": thread_posts(907, START + np.arange(42) * 500.0, texts=TEXTS * 7),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_predictor_says_a_finite_wait_for_any_thread(name: str) -> None:
    predictor = made(name).fit([*TRAINED, *ODD.values()])
    threads = [*(thread for thread in ODD.values() if len(thread)), TRAINED[0].first(60), bursts(77, 30)]
    waits = predictor.predict(threads)
    assert waits.shape == (len(threads),)
    assert np.isfinite(waits).all()
    assert (waits >= SHORTEST_WAIT * 0.99).all()
    assert (waits <= LONGEST_WAIT).all()


@pytest.mark.parametrize("name", MODELS)
def test_a_predictor_without_training_still_answers(name: str) -> None:
    predictor = made(name).fit([])
    assert np.isfinite(predictor.predict([bursts(1, 30)])).all()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("odd", ODD)
def test_a_forecast_gives_expected_posts_and_a_rate(name: str, odd: str) -> None:
    predictor = made(name).fit(TRAINED[:2])
    thread = ODD[odd]
    now = START + DAY
    forecast = predictor.follow(thread, now)
    assert forecast.rate(now) >= 0
    assert 0 <= forecast.expected(now, now + HOUR) <= forecast.expected(now, now + DAY)
    assert SHORTEST_WAIT <= wait_until(1000.0, forecast, now) <= LONGEST_WAIT


@pytest.mark.parametrize("name", MODELS)
def test_learning_again_gives_the_same(name: str) -> None:
    threads = [bursts(key, 120) for key in range(5)]
    once, again = (MODELS[name].make(WordReader(), 0).fit(threads).predict(threads) for _ in range(2))
    assert once.tolist() == again.tolist()


def test_unknown_names_are_told() -> None:
    with pytest.raises(UsageError, match="no predictor 'nonsense'"):
        parse_models("mean,nonsense")
    assert parse_models("mean, Exciting,mean") == ["mean", "exciting"]


@given(st.lists(st.floats(0, 4e9), max_size=30))
@settings(max_examples=50)
def test_times_never_run_back(times: list[float]) -> None:
    assert (thread_posts(1, times).gaps >= 0).all()


def test_one_period_is_the_mean_gap_of_all_threads() -> None:
    threads = [thread_posts(1, [0, 600, 1200]), thread_posts(2, [0, 3000])]
    assert OnePeriod().fit(threads).predict([threads[0]])[0] == pytest.approx((600 + 600 + 3000) / 3)


def test_the_mean_gap_is_that_of_the_training_part() -> None:
    thread = thread_posts(1, [0, 600, 1200, 9999])
    assert MeanGap().fit([thread.first(3)]).predict([thread])[0] == pytest.approx(600)


def test_a_silence_counts_as_one_more_gap_of_the_mean() -> None:
    """Two gaps of 600 s and a silence of 3,600: 4,800 / 3."""
    thread = thread_posts(1, [0, 600, 1200])
    assert MeanGap().fit([thread]).predict_silent(thread, np.array([3600.0]))[0] == pytest.approx(1600)


def test_a_window_is_the_gaps_before_the_last_visible_post() -> None:
    """Gaps 100, 200, 300 and w = 2: (200 + 300) / 2; given a silence of 900: (300 + 900) / 2."""
    thread = thread_posts(1, [0, 100, 300, 600])
    predictor = WindowMean(2).fit([thread])
    assert predictor.predict([thread])[0] == pytest.approx(250)
    assert predictor.predict_silent(thread, np.array([900.0]))[0] == pytest.approx(600)


def test_a_window_row_has_the_newest_gap_first_and_the_mean_for_missing_ones() -> None:
    thread = thread_posts(1, [0, 60, 180])
    assert last_gaps(thread, 3, 0.0, missing=600.0).tolist() == [2.0, 1.0, 10.0]
    assert last_gaps(thread, 2, 300.0, missing=600.0).tolist() == [5.0, 2.0]


def test_the_context_names_hour_and_weekday() -> None:
    """The unix epoch was a Thursday; 25 hours later it is one o'clock on the next day."""
    assert np.flatnonzero(context(25 * HOUR)).tolist() == [1, 24 + 1]


def test_words_are_stems_without_stop_words_and_short_ones() -> None:
    words = READER.read("I was linking the linkers to an OK file")
    assert sorted(words.tokens) == ["file", "link", "linker"]
    assert words.words == 9


def test_parts_of_speech_are_counted() -> None:
    tags = dict(zip(TAGS, READER.read("she writes and he reads").tags.tolist(), strict=True))
    assert tags["PN"] == 2
    assert tags["VV"] == 2
    assert tags["CJ"] == 1


def post(*tokens: str) -> PostWords:
    return PostWords(tokens, np.zeros(len(TAGS)), len(tokens))


def test_the_best_tokens_are_those_that_go_with_the_gap() -> None:
    """`late` stands before every long gap, `soon` before every short one, `noise` anywhere."""
    posts = [post("late", "noise"), post("soon"), post("late"), post("soon", "noise"), post("late"), post("soon")]
    gaps = np.array([90.0, 1.0, 80.0, 2.0, 95.0, 1.0])
    chosen = choose_vocabulary(posts, gaps, WindowShape(window=1, vocabulary=2))
    assert set(chosen.tokens_) == {"late", "soon"}


def test_univariate_scores_are_squared_correlations() -> None:
    counts = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    assert univariate_scores(counts, np.array([1.0, 3.0, 5.0])).tolist() == pytest.approx([1.0, 0.0])


def test_a_token_of_the_test_part_is_never_chosen() -> None:
    texts = ["linker question"] * 40 + ["firmware"] * 20
    thread = thread_posts(1, START + np.cumsum(np.linspace(60, 6000, 60)), texts=texts)
    predictor = WindowSvr(WindowShape(window=2, vocabulary=5), reader=READER).fit([thread.first(40)])
    assert set(predictor.models_[1].vocabulary.tokens_) == {"linker", "question"}


def test_the_discounted_sum_by_hand() -> None:
    """X1 = 1, X2 = 0, X3 = 2 of a token, alpha 0.5: X'3 = 2 + 0.5 (0 + 0.5 x 1) = 2.25; tokens 2.25 too."""
    predictor = DiscountedSvr(0.5, reader=READER)
    row = predictor._content([post("a"), post(), post("a", "a")], Vocabulary(1, {"a": 0}, np.ones(1)))
    assert row.tolist() == pytest.approx([2.25, 2.25])


def test_tf_idf_weighs_the_counts() -> None:
    """One `a` of idf 3 and two `b` of idf 2: (3, 4), which has the length 5."""
    vocabulary = Vocabulary(2, {"a": 0, "b": 1}, np.array([3.0, 2.0]))
    row = content_row([post("a", "b", "b")], vocabulary, WindowShape(1, 2, tf_idf=True), np.ones(1))
    assert row.tolist() == pytest.approx([3.0, 0.6, 0.8])


def test_the_sigmoids_update_by_hand() -> None:
    """Upper bound 100 s, bias 1: s = 1 / (1 + e); a gap of 100 s: w += 0.2 (s - 1) s (1 - s), which lowers the bias."""
    model = SigmoidModel(100.0, Vocabulary(0), np.array([1.0]))
    s = 1 / (1 + exp(1))
    assert 100 * model.sigmoid(np.ones(1)) == pytest.approx(26.894, abs=1e-3)
    model.learn(np.ones(1), gap=100.0, rate=0.2)
    assert model.weights[0] == pytest.approx(1 + 0.2 * (s - 1) * s * (1 - s))
    assert model.sigmoid(np.ones(1)) > s


def test_an_online_predictor_moves_towards_the_gaps_that_are_revealed() -> None:
    steady = thread_posts(1, START + np.append(np.cumsum(np.tile([60.0, 6000.0], 20)), []))
    predictor = made("sigmoid").fit([steady])
    before = predictor.predict([steady])[0]
    slower = thread_posts(1, np.append(steady.times, steady.last + 20_000.0))
    assert isinstance(predictor, OnlinePredictor)
    assert predictor.partial_fit([slower]).predict([steady])[0] > before


def test_the_bound_of_the_sigmoid_is_that_of_the_report() -> None:
    """Gaps of 100 to 500 s: Q1 = 200, Q3 = 400, so 400 + 2.5 x 200 = 900."""
    gaps = np.tile([100.0, 200.0, 300.0, 400.0, 500.0], 5)
    predictor = made("sigmoid").fit([thread_posts(1, START + np.append(0, np.cumsum(gaps)))])
    assert predictor.models_[1].upper == pytest.approx(900)  # type: ignore[attr-defined]


def test_a_point_forecast_as_a_rate_is_an_exponential_with_that_mean() -> None:
    forecast = Exponential(600.0)
    assert forecast.rate(0.0) == pytest.approx(1 / 600)
    assert forecast.expected(100.0, 1300.0) == pytest.approx(2.0)


@given(st.floats(1.0, 1e8), st.floats(60.0, 1e8))
def test_looks_at_a_steady_rate_go_with_the_root_of_price_and_mean(price: float, mean: float) -> None:
    """r T^2 / 2 = price: T is the root of 2 x price x mean."""
    expected = min(max((2 * price * mean) ** 0.5, SHORTEST_WAIT), LONGEST_WAIT)
    assert wait_until(price, Exponential(mean), 0.0) == pytest.approx(expected, rel=0.02)


def test_running_sums_end_with_the_decayed_sums() -> None:
    thread = bursts(3, 50)
    assert running_sums(thread)[-1].tolist() == pytest.approx(decayed_sums(thread).tolist())


def test_expected_posts_are_the_integral_of_the_rate() -> None:
    """With an even rhythm: the sum over small steps."""
    forecast = Exciting(START, (1e-4, 1e-5, 0.0, 0.0, 1e-6, 0.0), 1e-7, Rhythm())
    steps = START + 3600 + np.arange(0, 7200, 2.0)
    summed = sum(2.0 * forecast.rate(float(step) + 1.0) for step in steps)
    assert forecast.expected(START + 3600, START + 3600 + 7200) == pytest.approx(summed, rel=1e-3)


def test_the_self_exciting_rate_expects_as_many_posts_as_came() -> None:
    """What maximum likelihood gives: over its own training gaps, one post each."""
    predictor = SelfExciting().fit(TRAINED)
    expected = sum(
        predictor.follow(thread.first(count)).expected(float(thread.times[count - 1]), float(thread.times[count]))
        for thread in TRAINED
        for count in range(1, len(thread))
    )
    assert expected == pytest.approx(sum(len(thread) - 1 for thread in TRAINED), rel=0.02)


def test_a_thread_watched_in_vain_lowers_the_rate() -> None:
    watched = SelfExciting().fit(TRAINED, until=START + 3000 * DAY)
    assert watched.base_ < SelfExciting().fit(TRAINED).base_


def test_trees_find_what_the_rate_cannot_see() -> None:
    """An author 1 is answered within minutes, an author 2 after a day; the rate alone knows no authors."""
    draw = np.random.default_rng(5)
    threads = []
    for key in range(6):
        authors = draw.integers(1, 3, 200)
        gaps = np.where(authors == 1, 300.0, 90_000.0)[:-1]
        texts = ["what is this?" if author == 1 else "I see" for author in authors]
        threads.append(thread_posts(key, START + np.append(0, np.cumsum(gaps)), authors, texts=texts))
    plain = SelfExciting().fit(threads)
    words = BoostedRate(content=True, topics=Topics(reader=READER)).fit(threads)
    asked = threads[0].first(1 + int(np.flatnonzero(threads[0].authors == 1)[20]))
    told = threads[0].first(1 + int(np.flatnonzero(threads[0].authors == 2)[20]))
    assert words.power_ == 1.0
    fast, slow = words.predict([asked, told])
    assert slow > 1.5 * fast
    assert abs(np.log(slow / fast)) > abs(np.log(np.divide(*plain.predict([told, asked]))))


def test_where_trees_find_nothing_the_rate_is_left_alone() -> None:
    """Exponential gaps, the same in all threads: no factor is better than none."""
    draw = np.random.default_rng(2)
    threads = [
        thread_posts(key, START + np.cumsum(draw.exponential(3 * HOUR, 120)), draw.integers(0, 9, 120))
        for key in range(10)
    ]
    boosted = BoostedRate().fit(threads)
    assert boosted.power_ <= 0.5


def test_the_worth_of_a_look_is_that_of_the_waiting_it_ends() -> None:
    """A post in 100 s on average, 300 s without a look: 3 posts, 3 x 3 x 100 / 2 = 450 s."""
    assert worth(Exponential(100.0), 0.0, 300.0) == pytest.approx(450.0)


@pytest.mark.parametrize("count", [1, 3, 9])
def test_trees_are_judged_however_few_threads_were_watched(count: int) -> None:
    threads = [bursts(key, 450) for key in range(count)]
    boosted = BoostedRate().fit(threads, until=threads[0].last + 100 * DAY)
    assert np.isfinite(boosted.predict(threads)).all()
    assert 0 <= boosted.power_ <= 1
