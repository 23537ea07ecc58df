"""One contract for every policy: it asks for pages that exist, finds what is posted, and bears bad sites."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from thrawl.lab.simulation.experiment import POLICIES
from thrawl.lab.simulation.forum import Forum, Layers, Looks
from thrawl.lab.simulation.run import DAY, Span, simulate
from thrawl.lab.timeline import Timeline, make_timeline
from thrawl.refresh.pages import (
    ENTRY_PAGE,
    FEED_HEAD,
    UNCHANGED,
    EntryShown,
    History,
    Layer,
    PageRef,
    PostsShown,
    RowsShown,
    Shown,
    Site,
)
from thrawl.refresh.policies.ours import Ours

START = 1_200_000_000
SITE = Site((1, 2), 25, 15, has_feed=False, has_entry_rows=True, has_index_rows=True, seconds_per_request=600.0)

each_policy = pytest.mark.parametrize("name", list(POLICIES))
each_layers = pytest.mark.parametrize("layers", list(Layers))


def forum_posts(posts: int = 400, days: int = 30) -> Timeline:
    draw = random.Random(3)
    times = sorted(draw.randrange(START, START + days * DAY) for _ in range(posts))
    rows = [(1 + n // 8 % 3, 100 + n // 8 + draw.randrange(3) * 3, n, time, 0, 0) for n, time in enumerate(times)]
    return make_timeline("posts", rows, now=2 * START)


def history(*rows: tuple[int, int, int]) -> History:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return History(columns[0], columns[1], columns[2])


@each_layers
@each_policy
def test_every_policy_asks_only_for_known_pages_and_finds_the_posts(name: str, layers: Layers) -> None:
    timeline = forum_posts()
    shown_threads = set(timeline.between(0, START + 15 * DAY).thread.tolist())
    asked: list[PageRef] = []

    def watch(now: float, ref: PageRef, shown: Shown) -> None:
        if ref.kind is Layer.POSTS and name != "oracle":
            assert ref.list in shown_threads, "asked for a thread that no page has shown"
        if isinstance(shown, RowsShown):
            shown_threads.update(shown.threads)
        elif isinstance(shown, EntryShown):
            shown_threads.update(shown.last_threads or ())
        assert ref.page >= 1
        asked.append(ref)

    span = Span(START + 15 * DAY, 14)
    run = simulate(timeline, POLICIES[name], looks=Looks(layers), bandwidth=400, span=span, watch=watch)
    assert len(asked) == 14 * 400
    assert run.measures().coverage > 0.9


@each_policy
def test_every_policy_works_from_an_empty_archive(name: str) -> None:
    timeline = forum_posts(posts=60, days=5)
    run = simulate(timeline, POLICIES[name], looks=Looks(Layers.ROWS), bandwidth=500, span=Span(START, 6))
    assert run.measures().coverage > 0.9


@each_layers
@each_policy
def test_every_policy_bears_a_forum_where_nothing_is_posted(name: str, layers: Layers) -> None:
    timeline = forum_posts(posts=60, days=3)
    run = simulate(timeline, POLICIES[name], looks=Looks(layers), bandwidth=100, span=Span(START + 10 * DAY, 5))
    assert run.measures().elements == 0
    assert run.measures("post").coverage == 1.0


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "oracle"])
def test_every_policy_bears_pages_that_show_nothing(name: str) -> None:
    """A live site answers with error pages now and then."""
    forum = Forum(forum_posts(), Looks(Layers.FEED))
    policy = POLICIES[name](forum)
    policy.begin(SITE, history((1, 10, START), (2, 11, START + 5)), {}, START + 10.0)
    for number in range(200):
        now = START + 10.0 + 600 * (number + 1)
        ref = policy.choose(now)
        assert ref is not None
        empty: Shown = RowsShown((), None, None, None, 0, 1)
        if ref.kind is Layer.POSTS:
            empty = PostsShown((), 0, 1, 1)
        elif ref.kind is Layer.ENTRY:
            empty = EntryShown((), (), (), None)
        policy.observe(now, ref, empty)


class TestOurs:
    """What a page tells decides what is asked next."""

    def policy(self, site: Site = SITE) -> Ours:
        policy = Ours()
        past = [(1, 10, START - 900 * n) for n in range(20, 0, -1)]
        looked = {(Layer.INDEX, board): float(START) for board in site.boards}
        policy.begin(site, history(*past, (2, 11, START - 5)), looked, float(START))
        return policy

    def test_the_thread_that_a_changed_entry_row_links_to_is_fetched_next(self) -> None:
        policy = self.policy()
        policy.observe(START + 600, ENTRY_PAGE, EntryShown((1, 2), (20, 2), (START - 900, START + 300), (10, 12)))
        assert policy.choose(START + 1200) == PageRef(Layer.POSTS, 12, 1)

    def test_a_link_to_an_unknown_post_is_followed_though_the_boards_number_says_that_all_are_known(self) -> None:
        policy = self.policy()
        for posts, time in ((1, START - 5), (4, START + 1)):
            entry = EntryShown((1, 2), (20, posts), (START - 900, time), None)
            policy.observe(START + 600, ENTRY_PAGE, entry)
        miscounted = RowsShown((12, 11), (START + 1, START - 5), (2, 1), None, 0, 1)
        policy.observe(START + 601, PageRef(Layer.INDEX, 2, 1), miscounted)
        policy.observe(START + 602, PageRef(Layer.POSTS, 12, 1), PostsShown((START - 1, START, START + 1), 3, 1, 1))
        policy.observe(START + 1200, ENTRY_PAGE, EntryShown((1, 2), (20, 5), (START - 900, START + 900), (10, 13)))
        assert policy.choose(START + 1800) == PageRef(Layer.POSTS, 13, 1)

    def test_posts_that_the_link_does_not_explain_are_sought_on_the_boards_index_page(self) -> None:
        policy = self.policy()
        policy.observe(START + 600, ENTRY_PAGE, EntryShown((1, 2), (20, 4), (START - 900, START + 300), (10, 12)))
        ref = policy.choose(START + 1200)
        policy.observe(START + 1200, ref, PostsShown((START + 300,), 1, 1, 1))
        assert policy.choose(START + 1800) == PageRef(Layer.INDEX, 2, 1)

    def test_a_link_that_explains_all_new_posts_saves_the_index_page(self) -> None:
        policy = self.policy()
        policy.observe(START + 600, ENTRY_PAGE, EntryShown((1, 2), (20, 3), (START - 900, START + 300), (10, 12)))
        policy.observe(START + 1200, policy.choose(START + 1200), PostsShown((START + 200, START + 300), 2, 1, 1))
        assert policy.choose(START + 1800) != PageRef(Layer.INDEX, 2, 1)

    def test_the_page_with_the_most_new_posts_comes_first(self) -> None:
        policy = self.policy()
        rows = RowsShown((12, 13), (START + 9, START + 8), (1, 4), None, 0, 1)
        policy.observe(START + 600, PageRef(Layer.INDEX, 2, 1), rows)
        assert policy.choose(START + 1200) == PageRef(Layer.POSTS, 13, 1)

    def test_a_thread_that_grew_by_pages_is_fetched_page_by_page(self) -> None:
        policy = self.policy()
        rows = RowsShown((10,), (START + 9,), (33,), None, 0, 1)
        policy.observe(START + 600, PageRef(Layer.INDEX, 1, 1), rows)
        assert policy.choose(START + 700) == PageRef(Layer.POSTS, 10, 2)
        policy.observe(START + 700, PageRef(Layer.POSTS, 10, 2), PostsShown([START + 1] * 10, 15, 2, 3))
        assert policy.choose(START + 800) == PageRef(Layer.POSTS, 10, 3)

    def test_rows_that_are_new_to_the_last_one_lead_on_to_the_next_page(self) -> None:
        policy = self.policy()
        rows = RowsShown((21, 22), (START + 9, START + 8), (1, 1), None, 0, 2)
        policy.observe(START + 600, PageRef(Layer.INDEX, 2, 1), rows)
        assert policy.choose(START + 1200) == PageRef(Layer.INDEX, 2, 2)

    def test_a_walk_goes_on_past_rows_that_moved_down_while_it_was_made(self) -> None:
        policy = self.policy()
        first = RowsShown((21, 22), (START + 9, START + 8), (1, 1), None, 0, 4)
        policy.observe(START + 600, PageRef(Layer.INDEX, 2, 1), first)
        policy.failed(START + 601, PageRef(Layer.INDEX, 2, 2), gone=False)
        assert policy.is_walking(2)
        asked = [policy.choose(START + 602.0 + 400 * number) for number in range(20)]
        assert PageRef(Layer.INDEX, 2, 2) in asked
        policy.observe(START + 9000, PageRef(Layer.INDEX, 2, 2), first)
        assert policy.choose(START + 9001) == PageRef(Layer.INDEX, 2, 3)
        policy.observe(START + 9001, PageRef(Layer.INDEX, 2, 3), RowsShown((11,), (START - 5,), (1,), None, 0, 4))
        assert not policy.is_walking(2)

    def test_a_walk_that_was_cut_off_goes_on_where_rows_were_known_before_it(self) -> None:
        policy = Ours()
        past = history((1, 10, START - 9), (2, 11, START - 7), (2, 12, START - 6), (2, 13, START - 5))
        policy.begin(SITE, replace(past, walks={2: [13, 12]}), {(Layer.INDEX, 2): float(START)}, float(START))
        rows = [RowsShown((thread,), (START - 18 + thread,), (1,), None, 0, 4) for thread in (13, 12, 11)]
        for page, shown in enumerate(rows, 1):
            assert policy.is_walking(2)
            policy.observe(START + page, PageRef(Layer.INDEX, 2, page), shown)
        assert not policy.is_walking(2)

    def test_a_number_that_counts_hidden_posts_is_not_chased_for_ever(self) -> None:
        policy = self.policy()
        for posts in (1, 9):
            entry = EntryShown((1, 2), (20, posts), (START - 900, START - 5), (10, 11))
            policy.observe(START + 600, ENTRY_PAGE, entry)
        assert policy.choose(START + 1200) == PageRef(Layer.INDEX, 2, 1)
        policy.observe(START + 1200, PageRef(Layer.INDEX, 2, 1), RowsShown((11,), (START - 5,), (1,), None, 0, 1))
        assert policy.choose(START + 1800) != PageRef(Layer.INDEX, 2, 1)

    def test_a_page_that_failed_is_set_aside_and_comes_back(self) -> None:
        policy = self.policy()
        rows = RowsShown((12,), (START + 9,), (1,), None, 0, 1)
        policy.observe(START + 600, PageRef(Layer.INDEX, 2, 1), rows)
        thread = PageRef(Layer.POSTS, 12, 1)
        assert policy.choose(START + 1200) == thread
        policy.failed(START + 1200, thread, gone=False)
        assert policy.choose(START + 1201) != thread
        assert policy.choose(START + 1200 + 2 * SITE.seconds_per_request) == thread

    def test_a_feed_whose_last_item_is_new_has_all_boards_read(self) -> None:
        policy = self.policy(replace(SITE, has_feed=True))
        feed = RowsShown((21, 22), (START + 9, START + 8), None, (1, 2), 0, 1)
        policy.observe(START + 600, FEED_HEAD, feed)
        asked = []
        for number in range(4):
            ref = policy.choose(START + 601.0 + number)
            assert ref is not None
            asked.append(ref)
            shown = RowsShown((10, 11), None, None, None, 0, 1) if ref.kind is Layer.INDEX else UNCHANGED
            policy.observe(START + 601.0 + number, ref, shown)
        assert {PageRef(Layer.INDEX, 1, 1), PageRef(Layer.INDEX, 2, 1)} <= set(asked)

    def test_a_feed_that_leaves_posts_out_is_dropped(self) -> None:
        policy = self.policy(replace(SITE, has_feed=True, has_entry_rows=False))
        for moment in (START + 1.0, START + 20_000.0):
            policy.observe(moment, FEED_HEAD, RowsShown((), (), None, (), 0, 1))
        for thread in range(30, 45):
            rows = RowsShown((thread,), (START + 600,), (1,), None, 0, 1)
            policy.observe(START + 20_001.0, PageRef(Layer.INDEX, 2, 1), rows)
            policy.observe(START + 20_002.0, PageRef(Layer.POSTS, thread, 1), PostsShown((START + 600,), 1, 1, 1))
        assert policy.choose(START + 20_010.0) != FEED_HEAD

    def test_a_board_that_comes_up_is_looked_at_and_one_that_is_gone_is_not(self) -> None:
        policy = self.policy(replace(SITE, has_entry_rows=False))
        policy.observe(START + 600, ENTRY_PAGE, EntryShown((1, 2, 3), None, None, None))
        assert policy.choose(START + 601) == PageRef(Layer.INDEX, 3, 1)
        policy.failed(START + 601, PageRef(Layer.INDEX, 3, 1), gone=True)
        assert policy.choose(START + 602) != PageRef(Layer.INDEX, 3, 1)

    def test_each_index_head_is_looked_at_once_a_day_whatever_a_feed_tells(self) -> None:
        policy = self.policy(replace(SITE, has_feed=True))
        asked: list[PageRef | None] = []
        for number in range(1, 3 * DAY // 600):
            asked.append(policy.choose(START + 600.0 * number))
            shown = RowsShown((10,), (START - 900,), (20,), (1,), 0, 1)
            policy.observe(
                START + 600.0 * number, asked[-1] or FEED_HEAD, shown if asked[-1] == FEED_HEAD else UNCHANGED
            )
        heads = [PageRef(Layer.INDEX, board, 1) for board in SITE.boards]
        assert [asked.count(head) for head in heads] == [2, 2] or [asked.count(head) for head in heads] == [3, 3]

    def test_a_board_that_no_row_tells_of_is_looked_at_by_itself(self) -> None:
        policy = Ours()
        posts = [(1 + number % 2, 10 + number % 2, START - 6000 * (60 - number)) for number in range(60)]
        policy.begin(SITE, history(*posts), {}, float(START))
        row = EntryShown((1,), (30,), (posts[-2][2],), None)
        asked = []
        for number in range(1, 13):
            now = START + 600.0 * number
            asked.append(policy.choose(now))
            policy.observe(now, asked[-1] or ENTRY_PAGE, row if asked[-1] == ENTRY_PAGE else UNCHANGED)
        assert asked.count(PageRef(Layer.INDEX, 2, 1)) >= 3
        assert asked.count(ENTRY_PAGE) >= 3

    def test_a_row_without_a_link_and_links_that_lead_to_nothing_new_send_to_the_index_page(self) -> None:
        policy = self.policy(SITE)
        followed = 0
        for number in range(1, 30):
            now = START + 3000 * number
            policy.observe(now, ENTRY_PAGE, EntryShown((1, 2), (number, 1), (now - 100, START - 5), (10, None)))
            linked = policy.choose(now + 1.0)
            if linked is not None and linked.kind is Layer.POSTS:
                followed += 1
                policy.observe(now + 1.0, linked, UNCHANGED)
            assert policy.choose(now + 2.0) == PageRef(Layer.INDEX, 1, 1)
            policy.observe(now + 2.0, PageRef(Layer.INDEX, 1, 1), UNCHANGED)
        assert 5 < followed < 15

    def test_a_round_reads_the_boards_that_changed_and_ends(self) -> None:
        policy = Ours(once=True)
        held = history((1, 10, START - 900), (2, 11, START - 5))
        policy.begin(SITE, replace(held, board_rows={1: (1, START - 900), 2: (1, START - 5)}), {}, float(START))
        assert policy.choose(START + 1) == ENTRY_PAGE
        policy.observe(START + 1, ENTRY_PAGE, EntryShown((1, 2), (1, 2), (START - 900, START - 1), None))
        assert policy.choose(START + 2) == PageRef(Layer.INDEX, 2, 1)
        rows = RowsShown((11,), (START - 1,), (2,), None, 0, 1)
        policy.observe(START + 2, PageRef(Layer.INDEX, 2, 1), rows)
        assert policy.choose(START + 3) == PageRef(Layer.POSTS, 11, 1)
        policy.observe(START + 3, PageRef(Layer.POSTS, 11, 1), PostsShown((START - 1,), 2, 1, 1))
        assert policy.choose(START + 4) is None

    def test_a_round_without_entry_rows_costs_a_request_a_board(self) -> None:
        policy = Ours(once=True)
        site = replace(SITE, has_entry_rows=False)
        policy.begin(site, history((1, 10, START - 900), (2, 11, START - 5)), {}, float(START))
        asked = 0
        while (ref := policy.choose(START + 1.0)) is not None:
            policy.observe(START + 1.0, ref, UNCHANGED)
            asked += 1
        assert asked == len(SITE.boards)


def test_dead_boards_cost_next_to_nothing_and_wake_up_all_the_same() -> None:
    draw = random.Random(5)
    rows = [(10 + board, board, board, START - 400 * DAY + board, 0, 0) for board in range(60)]
    for moment in sorted(draw.randrange(START, START + 40 * DAY) for _ in range(1200)):
        board = 1 + draw.randrange(3)
        rows.append((board, 100 * board + draw.randrange(30), len(rows), moment, 0, 0))
    woken = [(10 + 20 * number, 20 * number, len(rows) + number, START + 30 * DAY, 0, 0) for number in range(3)]
    timeline = make_timeline("dead", [*rows, *woken], now=2 * START)
    span = Span(START + 20 * DAY, 20)
    measures = {
        name: simulate(timeline, POLICIES[name], looks=Looks(Layers.ROWS), bandwidth=200, span=span).measures("post")
        for name in ("ours", "layers")
    }
    assert measures["ours"].coverage == 1.0
    assert measures["ours"].timeliness < measures["layers"].timeliness


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "oracle"])
def test_every_policy_bears_pages_that_fail_or_are_gone(name: str) -> None:
    forum = Forum(forum_posts(), Looks(Layers.FEED))
    policy = POLICIES[name](forum)
    policy.begin(SITE, history((1, 10, START), (2, 11, START + 5)), {}, START + 10.0)
    for number in range(200):
        now = START + 10.0 + 600 * (number + 1)
        ref = policy.choose(now)
        if ref is not None:
            policy.failed(now, ref, gone=number % 3 == 0)


@pytest.mark.parametrize("layers", [Layers.ROWS, Layers.ENTRY, Layers.FEED])
def test_ours_loses_nothing_on_a_forum_that_deletes_miscounts_and_goes_down(layers: Layers) -> None:
    down = START + 18 * DAY
    looks = Looks(layers, deleted=0.02, miscounted=0.05, minutes=True, feed_items=20, down=down, up=down + 2 * DAY)
    run = simulate(forum_posts(1500), POLICIES["ours"], looks=looks, bandwidth=400, span=Span(START + 10 * DAY, 19))
    assert run.measures().coverage > 0.998
