"""The learners of refreshing: rhythm, self-excitation, the paper's features and its regression."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.refresh.activity import Activity
from thrawl.refresh.excitation import Excitation
from thrawl.refresh.features import INTERVALS, WIDTH, ListTimes, SiteTimes, facts_of, feature_rows, last_intervals
from thrawl.refresh.interval import IntervalPredictor
from thrawl.refresh.pages import History
from thrawl.refresh.pulse import SCALES, Pulse
from thrawl.refresh.regression import KMeans, LinearModel
from thrawl.refresh.revivals import Revivals
from thrawl.refresh.rhythm import DAY, HOUR, WEEK, Rhythm

NOON = 1000 * WEEK + 12 * HOUR


def test_the_rhythm_learns_when_a_site_is_awake() -> None:
    days = np.arange(0, 200)
    times = np.concatenate([1000 * WEEK + days * DAY + hour * HOUR for hour in (18, 19, 20)])
    rhythm = Rhythm().fit(np.sort(times))
    assert rhythm.at(NOON + 7 * HOUR) > 4 * rhythm.at(NOON - 6 * HOUR)
    assert rhythm.factors_.mean() == pytest.approx(1.0)


@given(st.floats(0, 3 * WEEK), st.floats(0, 3 * WEEK), st.floats(0, 3 * WEEK))
def test_the_mass_of_the_rhythm_adds_up(a: float, b: float, c: float) -> None:
    rhythm = Rhythm().fit(np.arange(0, WEEK, 5000) ** 2 % WEEK)
    start, middle, end = sorted((a, b, c))
    assert rhythm.mass(start, end) == pytest.approx(rhythm.mass(start, middle) + rhythm.mass(middle, end), abs=1e-3)


def test_a_site_without_posts_has_no_rhythm() -> None:
    assert Rhythm().fit(np.zeros(0, dtype=np.int64)).at(NOON) == pytest.approx(1.0)


def hawkes(branching: float, scale: float, threads: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Threads whose posts each cause `branching` more, after exponential delays."""
    draw = np.random.default_rng(seed)
    rows: list[tuple[float, int]] = []
    for thread in range(threads):
        waiting = [draw.uniform(0, 300 * DAY)]
        while waiting:
            time = waiting.pop()
            rows.append((time, thread))
            waiting.extend(time + draw.exponential(scale, draw.poisson(branching)))
    rows.sort()
    return np.array([thread for _, thread in rows]), np.array([int(time) for time, _ in rows])


def test_the_excitation_finds_how_many_posts_a_post_causes_and_how_soon() -> None:
    thread, time = hawkes(branching=0.6, scale=6 * HOUR, threads=800, seed=4)
    learned = Excitation().fit(thread, time, Rhythm())
    caused = [weight * scale for weight, scale in zip(learned.weights_, SCALES, strict=True)]
    assert sum(caused) == pytest.approx(0.6, abs=0.08)
    assert caused[2] == max(caused)


def test_too_few_replies_leave_the_excitation_as_it_was() -> None:
    assert Excitation().fit(np.array([1, 2]), np.array([5, 6]), Rhythm()).weights_ == Excitation().weights_


@settings(max_examples=25)
@given(st.floats(0, 1e-3), st.floats(1, 1e6), st.floats(0, 1e6))
def test_expected_posts_are_the_integral_of_the_rate(base: float, span: float, before: float) -> None:
    pulse = Pulse(0.0, base)
    pulse.post(0.0, Excitation().weights_)
    steps = np.linspace(before, before + span, 4001)
    rates = np.array([pulse.rate(step) for step in steps])
    posts = pulse.expected(before, before + span)
    assert posts == pytest.approx(np.trapezoid(rates, steps), rel=0.02, abs=1e-9)


def test_a_burst_that_is_over_is_worth_more_than_as_many_posts_of_a_list_that_goes_on() -> None:
    past = History(*(np.array(column, dtype=np.int64) for column in ([1] * 50, range(50), range(0, 50 * DAY, DAY))))
    activity = Activity(past, (1,), 50.0 * DAY)
    over, steady = Pulse(0.0, 1e-9), Pulse(0.0, 1e-9)
    over.post(0.0, Excitation().weights_)
    steady.base += over.expected(0.0, 7.0 * DAY) / (7 * DAY)
    assert activity.worth(over, 0.0, 7.0 * DAY) > 1.1 * activity.worth(steady, 0.0, 7.0 * DAY)


def test_a_look_at_a_steady_list_is_worth_half_its_rate_times_the_square_of_the_wait() -> None:
    past = History(*(np.array(column, dtype=np.int64) for column in ([1] * 50, range(50), range(0, 50 * DAY, DAY))))
    activity = Activity(past, (1,), 50.0 * DAY)
    week = 7.0 * DAY
    assert activity.worth(Pulse(0.0, 1e-5), 0.0, week) == pytest.approx(1e-5 * week**2 / 2)


def test_a_late_told_post_counts_as_if_told_in_time() -> None:
    early, late = Pulse(0.0), Pulse(0.0)
    early.post(100.0, Excitation().weights_)
    late.move(5000.0)
    late.post(100.0, Excitation().weights_)
    assert early.rate(5000.0) == pytest.approx(late.rate(5000.0))


def test_a_look_is_due_when_its_worth_reaches_the_price() -> None:
    past = History(*(np.array(column, dtype=np.int64) for column in ([1] * 50, range(50), range(0, 50 * DAY, DAY))))
    activity = Activity(past, (1, 2), 50.0 * DAY)
    pulse = activity.boards[1]
    span = activity.span_until(5000.0, pulse, 50.0 * DAY)
    assert activity.worth(pulse, 50.0 * DAY, 50.0 * DAY + span) == pytest.approx(5000.0, rel=0.25)
    assert activity.span_until(5000.0, activity.boards[2], 50.0 * DAY) > 3 * span


def test_least_squares_finds_the_line_even_with_features_that_repeat_each_other() -> None:
    x = np.array([[1.0, 1, 0], [2, 0, 1], [3, 1, 0], [4, 0, 1]])
    model = LinearModel().fit(x, 2 * x[:, 0] + 5)
    assert model.predict(x) == pytest.approx(2 * x[:, 0] + 5)


def test_k_means_parts_two_heaps_and_bears_fewer_points_than_clusters() -> None:
    points = np.array([[0.0, 0], [0, 1], [9, 9], [9, 8]])
    labels = KMeans(2, seed=1).fit(points).predict(points)
    assert labels[0] == labels[1] != labels[2] == labels[3]
    assert len(KMeans(15).fit(points).centres_) == 4


def times_of(*records: float) -> ListTimes:
    times = ListTimes()
    for record in records:
        times.add(record)
    return times


def test_the_last_five_intervals_come_newest_first_and_the_sites_mean_fills_up() -> None:
    site = SiteTimes.of_gaps([0.0], [50.0])
    assert last_intervals(times_of(0, 10, 30), site) == [20, 10, 50, 50, 50]
    assert len(last_intervals(times_of(*range(9)), site)) == INTERVALS


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=30))
def test_mean_and_deviation_are_those_of_all_intervals(records: list[float]) -> None:
    records.sort()
    times, gaps = times_of(*records), np.diff(records)
    assert times.mean == pytest.approx(gaps.mean(), abs=1e-6)
    assert times.deviation == pytest.approx(sqrt(((gaps - gaps.mean()) ** 2).sum() / len(gaps)), abs=1e-3)


def test_table_1_has_an_hour_a_day_and_a_state_marked_once_each() -> None:
    (row,) = feature_rows([facts_of(times_of(0, 3600), SiteTimes(), NOON)], SiteTimes(), KMeans(15))
    assert len(row) == WIDTH == 57
    hours, days = row[8:32], row[33:40]
    assert (hours.sum(), hours[12], days.sum(), row[41:56].sum()) == (1, 1, 1, 1)
    assert row[-1] == 1.0


def test_a_list_is_silent_when_it_waits_longer_than_its_gaps_were() -> None:
    times = times_of(*(hour * HOUR for hour in range(10)))
    assert not times.silent(9.5 * HOUR, site_mean=DAY)
    assert times.silent(30 * HOUR, site_mean=DAY)


def test_busy_lists_are_predicted_to_get_their_next_record_sooner() -> None:
    busy = [[day * DAY + n * HOUR for n in range(20)] for day in range(20)]
    slow = [[day * DAY + n * 40 * HOUR for n in range(20)] for day in range(20)]
    predictor = IntervalPredictor(lists_end=True).fit([*busy, *slow], now=60.0 * DAY)
    soon = predictor.predict(times_of(*busy[-1]), busy[-1][-1])
    late = predictor.predict(times_of(*slow[-1]), slow[-1][-1])
    assert soon < late


def test_a_prediction_is_that_of_the_linear_model_for_the_row_of_table_1() -> None:
    lists = [[day * DAY + n * (1 + day) * HOUR for n in range(9)] for day in range(30)]
    predictor = IntervalPredictor(lists_end=False).fit(lists, now=60.0 * DAY)
    for records in lists:
        times, now = times_of(*records), records[-1] + 3.0 * HOUR
        row = feature_rows([facts_of(times, predictor.site, now)], predictor.site, predictor.states_)
        expected = max(0.05 * predictor.site.mean, float(predictor.model_.predict(row)[0]) * HOUR)
        assert predictor.predict(times, now) == pytest.approx(expected)


def test_a_dead_thread_is_expected_to_stay_silent_as_long_again() -> None:
    lists = [[day * DAY + n * HOUR for n in range(20)] for day in range(20)]
    predictor = IntervalPredictor(lists_end=True).fit(lists, now=60.0 * DAY)
    assert predictor.predict(times_of(*lists[0]), 300.0 * DAY) > 250 * DAY


def test_a_predictor_without_records_still_predicts() -> None:
    assert IntervalPredictor(lists_end=False).fit([[]], now=0.0).predict(ListTimes(), 5.0) > 0


def test_the_kernel_decays() -> None:
    pulse = Pulse(0.0)
    pulse.post(0.0, Excitation().weights_)
    assert pulse.rate(10 * DAY) < exp(-1) * pulse.rate(0.0)


def test_revivals_are_learned_from_silences_that_end_and_from_those_that_go_on() -> None:
    columns = ([1, 1, 1, 1], [7, 8, 7, 8], [0, 0, 3 * DAY, 12 * DAY])
    past = History(*(np.array(column, dtype=np.int64) for column in columns))
    revivals = Revivals(past, after=5.0 * DAY)
    assert revivals.rate(12.0 * DAY) == pytest.approx(1.5 / (7 * DAY + 4 * DAY + 365 * DAY))
    before = revivals.rate(40.0 * DAY)
    assert before < revivals.rate(12.0 * DAY)
    revivals.post(7, 40.0 * DAY)
    assert revivals.rate(40.0 * DAY) > before


def test_a_site_that_gathers_dead_threads_learns_that_they_stay_dead() -> None:
    times = range(0, 350 * DAY, DAY)
    past = History(*(np.array(column, dtype=np.int64) for column in ([1] * 350, range(350), times)))
    activity = Activity(past, (1,), 350.0 * DAY)
    before = activity.thread(3, 350.0 * DAY).base
    activity.read(349, [700 * DAY], 700.0 * DAY)
    assert activity.thread(3, 700.0 * DAY).base < before / 10
