"""Worlds: the same seed gives the same forum, and it behaves over time as forums do."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.errors import InputError
from thrawl.lab.content import Code, Items, Link, Paragraph, Picture, Quotation
from thrawl.lab.generate import from_timeline, generate
from thrawl.lab.timeline import make_timeline
from thrawl.lab.words import VOCABULARIES, user_name
from thrawl.lab.world import World


@pytest.fixture(scope="module")
def large() -> World:
    return generate(20_000, seed=3)


def test_the_same_seed_gives_the_same_forum_word_by_word() -> None:
    one, two, other = generate(40, seed=8), generate(40, seed=8), generate(40, seed=9)
    views = [world.at(world.end) for world in (one, two, other)]
    threads = [[(view.thread(number), view.posts(number)) for number in view.all_thread_ids()] for view in views]
    assert threads[0] == threads[1]
    assert threads[0] != threads[2]
    assert one.boards == two.boards


def test_two_threads_in_five_have_a_single_post_and_a_few_are_long(large: World) -> None:
    sizes = np.diff(large.columns.starts)
    assert 0.37 < float((sizes == 1).mean()) < 0.43
    assert 0 < int((sizes > 100).sum()) < len(sizes) * 0.02


def test_nights_and_weekends_are_quiet(large: World) -> None:
    hours = (large.columns.times // 3600) % 24
    nights, evenings = int(np.isin(hours, (2, 3, 4)).sum()), int(np.isin(hours, (18, 19, 20)).sum())
    assert nights * 3 < evenings
    days = (large.columns.times // 86400 + 3) % 7
    assert float(np.isin(days, (5, 6)).mean()) < 0.25


def test_replies_come_in_bursts(large: World) -> None:
    """Gaps vary far more than those of evenly random posting, whose deviation equals their mean."""
    same_thread = np.ones(len(large.columns.times) - 1, dtype=bool)
    same_thread[large.columns.starts[1:-1] - 1] = False
    gaps = np.diff(large.columns.times)[same_thread]
    assert float(gaps.std()) > 1.5 * float(gaps.mean())
    assert float(np.median(gaps)) < 6 * 3600


def test_ids_rise_with_time(large: World) -> None:
    columns = large.columns
    order = np.argsort(columns.post_ids)
    assert (np.diff(columns.times[order]) >= 0).all()
    assert (np.diff(columns.times[columns.starts[:-1]]) >= 0).all()


def test_a_million_threads_are_made_in_seconds_and_kept_as_columns() -> None:
    world = generate(1_000_000, seed=1)
    columns = world.columns
    held = sum(getattr(columns, name).nbytes for name in type(columns).__slots__)
    assert held < 250 * 1024 * 1024
    thread = world.at(world.end).thread(777_777)
    assert thread is not None
    assert thread.title


def test_every_kind_of_content_is_written_somewhere() -> None:
    world = generate(300, seed=2)
    view = world.at(world.end)
    kinds = {type(block) for number in view.all_thread_ids() for post in view.posts(number) for block in post.body}
    assert kinds == {Paragraph, Items, Code, Link, Picture, Quotation}


def test_a_quote_repeats_words_of_the_post_that_is_answered() -> None:
    world = generate(60, seed=2)
    view = world.at(world.end)
    posts = {post.id: post for number in view.all_thread_ids() for post in view.posts(number)}
    quoting = [(post, block) for post in posts.values() for block in post.body if isinstance(block, Quotation)]
    assert quoting
    for post, block in quoting:
        assert block.post_id == post.reply_to
        assert block.text in posts[block.post_id].text
        assert block.text not in post.text
        assert block.author == posts[block.post_id].author.name


def test_user_names_are_unique() -> None:
    names = [user_name(number) for number in range(5000)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", sorted(VOCABULARIES))
def test_every_language_can_fill_a_forum(language: str) -> None:
    world = generate(20, seed=1, language=language)
    view = world.at(world.end)
    assert all(post.text for number in view.all_thread_ids() for post in view.posts(number))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), threads=st.integers(1, 60), share=st.floats(0, 1))
def test_a_view_shows_what_was_posted_up_to_its_moment_in_the_right_order(
    seed: int, threads: int, share: float
) -> None:
    world = generate(threads, seed)
    moment = world.start + (world.end - world.start) * share
    view = world.at(moment)
    shown = [post for number in view.all_thread_ids() for post in view.posts(number)]
    assert len(shown) == view.post_count == int((world.columns.times <= moment.timestamp()).sum())
    assert all(post.time <= moment and (post.edited is None or post.edited <= moment) for post in shown)
    for board in view.boards:
        ids = [int(number) for number in view.thread_ids(board.id)]
        rows = [(view.thread(number), view.last_post(number).time) for number in ids]
        keys = [(thread is not None and thread.sticky, time) for thread, time in rows]
        assert keys == sorted(keys, reverse=True)
        assert view.board_totals(board.id) == (len(ids), sum(view.size(number) for number in ids))
    boards = [number for board in view.boards for number in view.thread_ids(board.id)]
    assert sorted(boards) == sorted(view.all_thread_ids())


def test_boards_nest_and_their_paths_lead_to_the_top() -> None:
    world = generate(5000, seed=1)
    view = world.at(world.end)
    depths = [len(view.path(board.id)) for board in view.boards]
    assert max(depths) in (2, 3)
    assert all(view.path(board.id)[0].parent is None for board in view.boards)


def test_a_timeline_becomes_a_world_with_its_own_ids_and_times() -> None:
    rows = [(7, 50, 901, 1_000_000, 3, 10), (7, 50, 950, 1_000_600, 4, 10), (9, 40, 920, 1_000_300, 3, 10)]
    world = from_timeline(make_timeline("small", rows, now=2_000_000))
    view = world.at(world.end)
    assert [board.id for board in view.boards] == [7, 9]
    assert view.all_thread_ids() == [50, 40]
    assert [post.id for post in view.posts(50)] == [901, 950]
    assert int(view.posts(50)[1].time.timestamp()) == 1_000_600
    assert world.at(world.end - timedelta(seconds=1)).size(50) == 1


@pytest.mark.parametrize(("threads", "language"), [(0, "en"), (-3, "en"), (5, "xx")])
def test_impossible_worlds_are_refused_in_one_sentence(threads: int, language: str) -> None:
    with pytest.raises(InputError):
        generate(threads, language=language)
