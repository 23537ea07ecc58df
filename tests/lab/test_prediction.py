"""The prediction experiment: threads and words, replays, equal cost, intervals, the command."""

from __future__ import annotations

import json
import re
from math import log
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from thrawl.cli.predict import predict
from thrawl.cli.simulate import simulate
from thrawl.errors import InputError, UsageError
from thrawl.lab.prediction.costs import COST_TOLERANCE, at_cost, difference, ratio, visit_all
from thrawl.lab.prediction.experiment import METRICS, Setting, run
from thrawl.lab.prediction.metrics import t_score
from thrawl.lab.prediction.replay import FALL_BACK, SILENCE, PricePlan, prepare, replay
from thrawl.lab.prediction.threads import Split, long_threads, read_texts, sample
from thrawl.lab.timeline import make_timeline, read_timeline
from thrawl.refresh.predictors.baselines import MeanGap, OnePeriod
from thrawl.refresh.predictors.exciting import SelfExciting
from thrawl.refresh.predictors.posts import thread_posts
from thrawl.refresh.predictors.registry import MODELS
from thrawl.refresh.predictors.words import WordReader

MINUTE = 60.0
START = 1_000_000_000
SHARED = Path(__file__).parents[3] / "shared" / "timelines"
CONTRACT = {
    "timeline",
    "model",
    "window",
    "t_score",
    "visits_per_post",
    "mape",
    "pr_miss",
    "pr_fa",
    "pr_error",
    "threads",
}

# Posts at minutes 0, 10, 20 and 30 to train, 40 and 100 to test.
TEN_MINUTES = Split(thread_posts(1, np.array([0.0, 10, 20, 30, 40, 100]) * MINUTE), 4)


def bursty(key: int, posts: int = 120) -> Split:
    draw = np.random.default_rng(key)
    gaps = np.where(draw.random(posts) < 0.8, draw.exponential(600, posts), draw.exponential(86_400, posts))
    texts = [f"question {number}?" if number % 3 else "" for number in range(posts)]
    return Split(thread_posts(key, START + np.cumsum(gaps), draw.integers(0, 6, posts), texts=texts), posts * 3 // 4)


THREADS = [bursty(key) for key in range(6)]


def minutes(visits: np.ndarray) -> list[float]:
    return (visits / MINUTE).tolist()


def test_visits_by_the_reports_fall_back_by_hand() -> None:
    """The first visit ten minutes after the first test post; then multiples of the mean gap beyond the last post.

    The visit at 100 does not see the post of that very minute; the next one at 110 does.
    """
    prepared = prepare(MeanGap().fit([TEN_MINUTES.training]), TEN_MINUTES)
    visits = replay(TEN_MINUTES.thread, 4, prepared.plans[FALL_BACK], knob=1.0)
    assert minutes(visits) == pytest.approx([50, 60, 70, 80, 90, 100, 110])
    assert t_score(TEN_MINUTES.thread.times[4:], visits) / MINUTE == pytest.approx(10.0)


def test_the_knob_stretches_waits() -> None:
    prepared = prepare(MeanGap().fit([TEN_MINUTES.training]), TEN_MINUTES)
    visits = replay(TEN_MINUTES.thread, 4, prepared.plans[FALL_BACK], knob=3.0)
    assert minutes(visits) == pytest.approx([50, 70, 100, 130])


def test_given_the_silence_waits_grow() -> None:
    prepared = prepare(MeanGap().fit([TEN_MINUTES.training]), TEN_MINUTES)
    visits = replay(TEN_MINUTES.thread, 4, prepared.plans[SILENCE], knob=1.0)
    waits = np.diff(visits[:-1])
    assert (np.diff(waits) > -MINUTE).all()
    assert len(visits) < 7


def test_one_period_goes_from_visit_to_visit() -> None:
    prepared = prepare(OnePeriod().fit([TEN_MINUTES.training]), TEN_MINUTES)
    visits = replay(TEN_MINUTES.thread, 4, prepared.plans[FALL_BACK], knob=2.5)
    assert minutes(visits) == pytest.approx([50, 75, 100, 125])


def test_the_second_protocol_goes_on_after_the_last_post() -> None:
    prepared = prepare(OnePeriod().fit([TEN_MINUTES.training]), TEN_MINUTES)
    visits = replay(TEN_MINUTES.thread, 4, prepared.plans[FALL_BACK], knob=2.5, after=60 * MINUTE)
    assert minutes(visits) == pytest.approx([50, 75, 100, 125, 150])


@pytest.mark.parametrize("name", MODELS)
def test_what_is_said_of_a_thread_depends_on_visible_posts_alone(name: str) -> None:
    """With the future of the threads changed, everything said before it is the same."""
    other = [
        Split(
            thread_posts(
                split.thread.key,
                np.where(np.arange(120) < 105, split.thread.times, split.thread.times + 5e5),
                np.where(np.arange(120) < 105, split.thread.authors, 9),
                texts=[*split.thread.texts[:105], *["other words"] * 15],
            ),
            split.trained,
        )
        for split in THREADS[:3]
    ]
    said = []
    for splits in (THREADS[:3], other):
        predictor = MODELS[name].make(WordReader(), 0).fit([split.training for split in splits])
        said.append([prepare(predictor, split).predicted[:15].tolist() for split in splits])
    assert said[0] == said[1]


@pytest.mark.parametrize("make", [OnePeriod, MeanGap, SelfExciting])
@pytest.mark.parametrize("cost", [2.0, 9.0])
def test_the_knob_gives_the_cost_that_is_asked_for(make: type[OnePeriod | MeanGap | SelfExciting], cost: float) -> None:
    predictor = make().fit([split.training for split in THREADS])
    prepared = [prepare(predictor, split) for split in THREADS]
    for variant, plan in prepared[0].plans.items():
        visited = at_cost(prepared, variant, cost, priced=isinstance(plan, PricePlan))
        assert visited.cost == pytest.approx(cost, rel=4 * COST_TOLERANCE)
        again = visit_all(prepared, [one.plans[variant] for one in prepared], visited.knob, 0.0)
        assert again.t_scores.tolist() == visited.t_scores.tolist()


def test_a_ratio_has_a_paired_interval() -> None:
    """Half of the other on every thread is half of it, however much threads differ."""
    others = np.random.default_rng(0).lognormal(3, 2, 40)
    found = ratio(others / 2, others, seed=0)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))


def test_a_ratio_of_noise_has_one_within_its_interval() -> None:
    draw = np.random.default_rng(1)
    found = ratio(draw.exponential(1, 60), draw.exponential(1, 60), seed=0)
    assert found.low < 1 < found.high


def test_the_likelihood_of_a_gap_by_hand() -> None:
    """A mean of 10 minutes and a gap of 60: ln(1 / 10) - 60 / 10."""
    prepared = prepare(MeanGap().fit([TEN_MINUTES.training]), TEN_MINUTES)
    assert prepared.likelihood == pytest.approx(log(0.1) - 6)


def test_a_difference_has_a_paired_interval() -> None:
    others = np.random.default_rng(0).normal(-5, 3, 40)
    found = difference(others + 0.25, others, seed=0)
    assert (found.value, found.low, found.high) == pytest.approx((0.25, 0.25, 0.25))


def test_the_experiment_repeats_with_the_same_seed() -> None:
    plan = Setting(["period", "svr-words", "boosted-words"], [3.0], seed=1)
    once, again = ([one.result() for one in run("made", THREADS, plan, lambda step: None)[1]] for _ in range(2))
    assert json.dumps(once) == json.dumps(again)


def test_threads_are_chosen_by_their_length_and_split_at_three_quarters() -> None:
    rows = [
        (1, thread, 1000 * thread + n, START + 60 * n + thread, 0, 5)
        for thread in (1, 2, 3)
        for n in range(40 * thread)
    ]
    timeline = make_timeline("made", rows, now=float("inf"))
    found = long_threads(timeline, {2000: "hello"}, fewest=50, most=100)
    assert [(split.thread.key, len(split.thread), split.trained) for split in found] == [(2, 80, 60)]
    assert found[0].thread.texts[:2] == ("hello", "")
    assert len(found[0].training) == 60


def test_a_sample_is_the_same_with_the_same_seed() -> None:
    assert [s.thread.key for s in sample(THREADS, 3, 7)] == [s.thread.key for s in sample(THREADS, 3, 7)]
    assert sample(THREADS, 99, 7) == THREADS


def test_words_stand_beside_their_timeline(tmp_path: Path) -> None:
    (tmp_path / "forum.text.jsonl").write_text(
        '{"post": 7, "text": "täst"}\n{"post": 8, "text": null}\n', encoding="utf-8"
    )
    assert read_texts(str(tmp_path / "forum.csv")) == {7: "täst", 8: ""}
    assert read_texts(str(tmp_path / "other.csv")) == {}


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"post": 1}', '{"post": "x", "text": ""}', "7"])
def test_broken_words_name_their_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "forum.text.jsonl").write_text('{"post": 7, "text": "x"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_texts(str(tmp_path / "forum.csv"))


def write_timeline(folder: Path) -> Path:
    rows = [
        f"1,{split.thread.key},{1000 * split.thread.key + n},{int(time)},{author},{n}"
        for split in THREADS
        for n, (time, author) in enumerate(zip(split.thread.times, split.thread.authors, strict=True))
    ]
    file = folder / "made.csv"
    file.write_text("board,thread,post,time,author,chars\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return file


def command(function: object, *arguments: str) -> typer.testing.Result:
    app = typer.Typer()
    app.command()(function)  # type: ignore[type-var]
    return CliRunner().invoke(app, list(arguments))


def test_the_command_writes_the_report_of_the_contract(tmp_path: Path) -> None:
    file = write_timeline(tmp_path)
    models = "period,mean,exciting,boosted"
    result = command(predict, str(file), "--models", models, "--costs", "2,5", "--report", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    found = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    rows = found["results"]
    assert all(rows[0].keys() >= CONTRACT | set(METRICS) | {"knob", "variant", "protocol", "cost"} for _ in rows)
    ours = [row for row in rows if row["model"] == "boosted" and row["protocol"] == "life"]
    assert [row["cost"] for row in ours] == [2, 5]
    assert all(row["low_period"] <= row["ratio_period"] <= row["high_period"] for row in ours)
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert all(
        title in page for title in ("Posts by hour", "Posts by weekday", "Delay against visits", "Predicted against")
    )


def test_sweeps_are_tables_like_the_reports(tmp_path: Path) -> None:
    file = write_timeline(tmp_path)
    result = command(predict, str(file), "--models", "period", "--costs", "2", "--sweeps", "--threads", "2")
    assert result.exit_code == 0, result.output
    assert "w = 5, |v| = 50" in result.output
    assert "discount 0.9" in result.output


def test_a_timeline_without_long_threads_is_told(tmp_path: Path) -> None:
    file = write_timeline(tmp_path)
    result = command(predict, str(file), "--min-posts", "500")
    assert isinstance(result.exception, InputError)


@pytest.mark.parametrize("costs", ["", "x", "0", "2,-1", "1e9"])
def test_costs_that_are_none_are_wrong_usage(tmp_path: Path, costs: str) -> None:
    result = command(predict, str(write_timeline(tmp_path)), "--costs", costs)
    assert isinstance(result.exception, UsageError)


@pytest.mark.parametrize("name", ["mean", "svr", "sigmoid", "exciting", "boosted"])
def test_any_predictor_drives_a_refresh_policy(tmp_path: Path, name: str) -> None:
    file = write_timeline(tmp_path)
    options = ["--policies", "ours", "--predictor", name, "--layers", "none", "--bandwidth", "20x", "--days", "3"]
    result = command(simulate, str(file), *options, "--report", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    rows = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["results"]
    found = {row["policy"]: row for row in rows if row["lists"] == "all"}
    assert found.keys() == {"ours", f"ours:{name}"}
    assert found[f"ours:{name}"]["coverage"] > 0.5
    assert found[f"ours:{name}"]["mean_with_missed_minutes"] > 0


@pytest.mark.skipif(not SHARED.exists(), reason="needs the shared timelines")
def test_on_a_real_timeline_the_rate_beats_one_period_and_the_mean_gap() -> None:
    file = SHARED / "openenergymonitor.csv.xz"
    splits = long_threads(read_timeline(file), read_texts(str(file)))
    _, outcomes = run("oem", splits, Setting(["period", "mean", "exciting"], [5.0], seed=0), lambda step: None)
    ours = next(one for one in outcomes if one.model == "exciting" and one.protocol == "life")
    assert ours.ratios["period"].high < 0.8
    assert ours.ratios["mean"].high < 0.8


def test_the_docs_name_every_predictor() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "predictors.md").read_text(encoding="utf-8")
    table = docs.partition("## The models")[2].partition("## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    assert [name for cell in cells for name in re.findall(r"`([\w-]+)`", cell)] == list(MODELS)


def test_threads_whose_posts_share_one_moment_are_measured_too() -> None:
    still = [Split(thread_posts(key, [START] * 40, texts=["", "日本語"] * 20), 30) for key in (1, 2)]
    _, outcomes = run("still", still, Setting(["mean", "sigmoid", "boosted-words"], [2.0], seed=0), lambda step: None)
    assert all(np.isfinite(one.t_score) for one in outcomes)
