"""The simulated forum shows a page as it stood at that moment, and the measures are the paper's."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from math import isnan
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from thrawl.cli.simulate import simulate as simulate_command
from thrawl.errors import InputError, UsageError
from thrawl.lab.simulation.experiment import (
    POLICIES,
    Bandwidth,
    Case,
    parse_bandwidths,
    parse_layers,
    parse_policies,
    run_cases,
)
from thrawl.lab.simulation.forum import Forum, Layers, Looks, Page, PostsPage
from thrawl.lab.simulation.html import HtmlForum, read_page, render_page
from thrawl.lab.simulation.ledger import Ledger
from thrawl.lab.simulation.run import DAY, Run, Span, busiest_span, simulate, span_from
from thrawl.lab.simulation.worlds import read_source
from thrawl.lab.timeline import Timeline, make_timeline
from thrawl.refresh.pages import (
    ENTRY_PAGE,
    FEED_HEAD,
    EntryShown,
    Layer,
    PageRef,
    RowsShown,
    Shown,
)

START = 1_000_000_000


def small_forum(posts: int = 1500, days: int = 40, seed: int = 1, boards: int = 4) -> Timeline:
    """Replies that follow replies, in a few boards."""
    draw = random.Random(seed)
    times = sorted(draw.randrange(START, START + days * DAY) for _ in range(posts))
    rows: list[tuple[int, ...]] = []
    threads: list[tuple[int, int]] = []
    for number, time in enumerate(times):
        if not threads or draw.random() < 0.15:
            threads.append((draw.randrange(boards), len(threads)))
        board, thread = threads[max(0, len(threads) - 1 - int(draw.expovariate(0.2)))]
        rows.append((board, 1000 + thread, number, time, 0, 0))
    return make_timeline("small", rows, now=2 * START)


def posts_of(*rows: tuple[int, int, int]) -> Timeline:
    """Rows of board, thread, time."""
    return make_timeline("tiny", [(b, t, n, time, 0, 0) for n, (b, t, time) in enumerate(rows)], now=2 * START)


def forum_of(*rows: tuple[int, int, int], **switches: object) -> Forum:
    return Forum(posts_of(*rows), Looks(**{"stickies": 0, **switches}))  # type: ignore[arg-type] # switches of a test


def index_page(forum: Forum, board: int = 1, page: int = 1) -> RowsShown:
    shown = forum.show(PageRef(Layer.INDEX, board, page))
    assert isinstance(shown, RowsShown)
    return shown


def test_a_post_is_shown_from_its_own_second_on() -> None:
    forum = forum_of((1, 10, 100))
    forum.advance(99)
    assert list(index_page(forum).threads) == []
    forum.advance(100)
    assert list(index_page(forum).threads) == [10]


def test_a_reply_moves_its_thread_to_the_head_and_its_row_tells_time_and_count() -> None:
    forum = forum_of((1, 10, 100), (1, 11, 200), (1, 10, 300))
    forum.advance(250)
    assert list(index_page(forum).threads) == [11, 10]
    forum.advance(300)
    shown = index_page(forum)
    assert (list(shown.threads), list(shown.last_times or ()), list(shown.posts or ())) == (
        [10, 11],
        [300, 200],
        [2, 1],
    )


def test_stickies_stay_first_whatever_is_posted_below_them() -> None:
    forum = forum_of((1, 10, 100), (1, 11, 200), (1, 12, 300), stickies=1)
    forum.advance(400)
    shown = index_page(forum)
    assert (list(shown.threads), shown.sticky) == ([10, 12, 11], 1)


def test_long_lists_are_cut_into_pages_and_the_last_page_answers_for_those_beyond() -> None:
    forum = forum_of(
        *((1, 10 + n, 100 + n) for n in range(7)),
        *((1, 10, 200 + n) for n in range(4)),
        rows_per_page=3,
        posts_per_page=2,
    )
    forum.advance(1000)
    assert (list(index_page(forum, page=2).threads), index_page(forum).pages) == ([14, 13, 12], 3)
    beyond = forum.show(PageRef(Layer.POSTS, 10, 9))
    assert beyond == PostsPage([10], [203], 3, 3)


def test_a_forum_without_layers_lists_threads_by_creation_and_tells_nothing_of_replies() -> None:
    forum = forum_of((1, 10, 100), (1, 11, 200), (1, 10, 300), layers=Layers.NONE)
    forum.advance(300)
    shown = index_page(forum)
    assert (list(shown.threads), shown.last_times, shown.posts) == ([11, 10], None, None)
    assert forum.show(ENTRY_PAGE) == EntryShown((), (), (), None)
    feed = forum.show(FEED_HEAD)
    assert isinstance(feed, RowsShown)
    assert list(feed.threads) == []


def test_entry_rows_tell_each_boards_last_post_and_link_to_it_where_the_switch_says_so() -> None:
    rows = ((1, 10, 100), (2, 20, 200), (1, 10, 300))
    plain, linked = forum_of(*rows, layers=Layers.ENTRY_PLAIN), forum_of(*rows, layers=Layers.ENTRY)
    for forum in (plain, linked):
        forum.advance(300)
    assert linked.show(ENTRY_PAGE) == EntryShown([1, 2], [2, 1], [300, 200], [10, 20])
    assert plain.show(ENTRY_PAGE) == EntryShown([1, 2], [2, 1], [300, 200], None)


def test_the_newest_posts_page_lists_threads_of_all_boards() -> None:
    forum = forum_of((1, 10, 100), (2, 20, 200), (1, 10, 300), layers=Layers.FEED)
    forum.advance(300)
    shown = forum.show(FEED_HEAD)
    assert isinstance(shown, RowsShown)
    assert (list(shown.threads), list(shown.boards or ())) == ([10, 20], [1, 2])


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 6), st.integers(0, 100)), min_size=1, max_size=40),
    st.integers(0, 110),
)
def test_any_page_is_what_sorting_the_posts_so_far_gives(rows: list[tuple[int, int, int]], now: int) -> None:
    fixed = [(1 + thread % 3, thread, time) for _, thread, time in rows]
    forum = forum_of(*fixed)
    forum.advance(now)
    past = sorted((time, n, thread) for n, (_, thread, time) in enumerate(fixed) if time <= now)
    last = {thread: (time, n) for time, n, thread in past}
    for board in forum.site(1.0).boards:
        expected = sorted((t for t in last if 1 + t % 3 == board), key=lambda t: last[t], reverse=True)
        assert list(index_page(forum, board).threads) == expected


class Asking:
    """A policy that asks for given pages in turn."""

    def __init__(self, *refs: PageRef) -> None:
        self.refs = list(refs)

    def begin(self, *_: object) -> None:
        pass

    def choose(self, now: float) -> PageRef:
        return self.refs.pop(0) if len(self.refs) > 1 else self.refs[0]

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        pass

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        pass


def test_the_measures_are_equations_4_to_6() -> None:
    """Four requests a day; posts at 1 h, 7 h and 23 h: two are downloaded at 12 h, one never."""
    timeline = posts_of(
        (1, 10, START - 10), (1, 10, START + 3600), (1, 10, START + 7 * 3600), (1, 11, START + 23 * 3600)
    )
    policy = Asking(ENTRY_PAGE, PageRef(Layer.POSTS, 10, 1))
    run = simulate(timeline, lambda forum: policy, looks=Looks(stickies=0), bandwidth=4, span=Span(START, 1))
    measures = run.measures()
    assert measures.timeliness == pytest.approx((11 * 60 + 5 * 60) / 2)
    assert measures.coverage == pytest.approx(2 / 3)
    assert measures.utilisation == pytest.approx(1 / 4)
    assert measures.mean_with_missed == pytest.approx((11 * 60 + 5 * 60 + 60) / 3)
    assert run.measures("post").utilisation == pytest.approx(1 / 3)
    assert run.measures("index").coverage == 0.0
    assert [day.elements for day in run.daily()] == [3]


def test_a_thread_counts_as_found_when_any_page_first_shows_it() -> None:
    forum = forum_of((1, 10, 100), layers=Layers.ROWS)
    ledger = Ledger(forum)
    forum.advance(100)
    ref = PageRef(Layer.INDEX, 1, 1)
    assert ledger.note(160.0, ref, forum.show(ref))[1] == 1
    assert ledger.note(220.0, ref, forum.show(ref))[1] == 0
    assert ledger.measures("index", 0, 1000).timeliness == pytest.approx(1.0)


@pytest.mark.parametrize("layers", list(Layers))
@pytest.mark.parametrize("policy", ["ours", "lws+bc", "layers", "curve-fitting"])
def test_html_and_fast_mode_give_the_same_visits(policy: str, layers: Layers) -> None:
    timeline = small_forum(posts=400, days=20)

    def visits(make_forum: Callable[[Timeline, Looks], Forum]) -> list[PageRef]:
        seen: list[PageRef] = []
        span = Span(START + 10 * DAY, 3)
        simulate(
            timeline,
            POLICIES[policy],
            looks=Looks(layers, rows_per_page=5, posts_per_page=4),
            bandwidth=60,
            span=span,
            make_forum=make_forum,
            watch=lambda now, ref, shown: seen.append(ref),
        )
        return seen

    assert visits(HtmlForum) == visits(Forum)


@pytest.mark.parametrize(
    "shown",
    [
        PostsPage([7, 8], [1, 2], 3, 4),
        RowsShown([5, 6], [10, 9], [2, 1], [1, 2], 1, 7),
        RowsShown([5], None, None, None, 0, 1),
        EntryShown([1, 2], [5, 6], [7, 8], [9, 10]),
        EntryShown([1], [5], [7], None),
    ],
)
def test_a_rendered_page_reads_back_as_it_was(shown: Page) -> None:
    assert read_page(render_page(shown)) == shown


def timeliness(timeline: Timeline, policy: str, layers: Layers, bandwidth: float) -> float:
    return run_of(timeline, policy, layers, bandwidth).measures().timeliness


def run_of(timeline: Timeline, policy: str, layers: Layers, bandwidth: float) -> Run:
    span = Span(START + 20 * DAY, 15, 2)
    return simulate(timeline, POLICIES[policy], looks=Looks(layers), bandwidth=bandwidth, span=span)


@pytest.mark.parametrize("bandwidth", [80.0, 300.0])
def test_ours_comes_close_to_the_oracle_where_the_site_tells_its_changes(bandwidth: float) -> None:
    timeline = small_forum()
    oracle = timeliness(timeline, "oracle", Layers.ROWS, bandwidth)
    assert timeliness(timeline, "ours", Layers.FEED, bandwidth) <= 3.2 * oracle
    assert timeliness(timeline, "ours", Layers.ENTRY, bandwidth) <= 4.0 * oracle


def test_ours_beats_the_list_wise_strategy_five_times_with_index_rows_alone() -> None:
    timeline = small_forum()
    ours = run_of(timeline, "ours", Layers.ROWS, 150).measures()
    assert ours.timeliness <= 0.2 * timeliness(timeline, "lws+bc", Layers.ROWS, 150)
    assert ours.coverage >= 0.995


def test_a_run_repeated_gives_the_same_figures() -> None:
    timeline = small_forum(posts=500)
    first, second = (run_of(timeline, "lws+bc", Layers.ROWS, 50).measures() for _ in range(2))
    assert first == second


def test_a_timeline_of_one_post_can_be_simulated_by_every_policy() -> None:
    timeline = posts_of((1, 10, START))
    for policy in POLICIES:
        for layers in Layers:
            run = simulate(
                timeline, POLICIES[policy], looks=Looks(layers), bandwidth=24, span=busiest_span(timeline, 60, 7)
            )
            measures = run.measures()
            assert measures.elements == 1
            assert measures.coverage in (0.0, 1.0)
            assert isnan(measures.timeliness) or measures.timeliness >= 0


def test_the_busiest_days_leave_history_before_them_and_never_pass_the_end() -> None:
    timeline = small_forum()
    span = busiest_span(timeline, 10, 2)
    assert timeline.start < span.start < span.measured_from < span.end <= timeline.end + DAY
    assert span_from(timeline, timeline.start, 5, 7).warmup_days == 0


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="leaves no request"):
        simulate(small_forum(50), POLICIES["ours"], looks=Looks(), bandwidth=0.01, span=Span(START, 2))


def test_words_of_the_command_line_become_an_experiment_or_a_clear_error() -> None:
    assert parse_bandwidths("500, 3x") == [Bandwidth(500), Bandwidth(3, a_post=True)]
    assert parse_layers("rows,FEED") == [Layers.ROWS, Layers.FEED]
    assert parse_policies("LWS+BC,ours") == ["lws+bc", "ours"]
    for parse, text in (
        (parse_bandwidths, "many"),
        (parse_bandwidths, "-3"),
        (parse_layers, "sky"),
        (parse_policies, "best"),
    ):
        with pytest.raises(UsageError):
            parse(text)


def test_a_run_that_reads_no_layers_is_made_once_for_all_of_them() -> None:
    timeline = small_forum(posts=300)
    span = Span(START + 20 * DAY, 3)
    cases = [Case(timeline, span, "lws", Bandwidth(24), layers) for layers in (Layers.ROWS, Layers.FEED, Layers.NONE)]
    told: list[str] = []
    rows, feed, none = run_cases(cases, lambda case: told.append(case.label))
    assert rows.lists == feed.lists
    assert rows.seconds == feed.seconds != none.seconds
    assert len(told) == 3
    assert {result["lists"] for result in rows.results()} == {"all", "index", "post"}


def test_a_made_up_world_can_be_simulated_like_a_timeline() -> None:
    timeline = read_source("world:200:3")
    assert timeline.name == "world-200-3"
    assert len(set(timeline.thread.tolist())) == 200
    span = busiest_span(timeline, 5, 0)
    run = simulate(timeline, POLICIES["ours"], looks=Looks(Layers.FEED), bandwidth=500, span=span)
    assert run.measures().coverage > 0.99


def test_a_world_without_threads_and_a_file_that_is_not_there_are_clear_errors() -> None:
    for name in ("world:0", "nowhere.csv"):
        with pytest.raises(InputError):
            read_source(name)


def test_the_command_prints_tables_and_writes_its_report(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(simulate_command)
    options = [
        "--policies",
        "ours,oracle",
        "--bandwidth",
        "5x,200",
        "--layers",
        "rows,feed",
        "--days",
        "5",
        "--warmup",
        "1",
    ]
    result = CliRunner().invoke(app, ["world:100:3", *options, "--report", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "Ratios of timeliness" in result.output
    content = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    fields = {"timeline", "policy", "bandwidth", "layers", "timeliness_minutes", "median_minutes", "p90_minutes"}
    assert len(content["results"]) == 2 * 2 * 2 * 3
    assert all(fields | {"coverage", "utilisation", "lists", "seconds"} <= set(one) for one in content["results"])
    assert "figure 7c" in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [["--from", "yesterday"], ["--from", "1901-01-01"], ["--policies", "best"]])
def test_wrong_usage_of_the_command_is_a_usage_error(options: list[str]) -> None:
    app = typer.Typer()
    app.command()(simulate_command)
    result = CliRunner().invoke(app, ["world:20:3", *options])
    assert isinstance(result.exception, UsageError)
