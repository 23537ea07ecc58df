"""One budget over all forums: more looks where more is expected, a floor for all, and never more than there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fleet.conftest import RunningTown
from tests.fleet.test_fleet import options

from thrawl.archive import Archive
from thrawl.fleet.budget import FleetBudget, divide
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.runner import FleetOptions, FleetRunner
from thrawl.fleet.values import ForumState
from thrawl.fleet.watchturn import WatchTurn
from thrawl.lab.hostile.kills import Content
from thrawl.refresh.budget import Budget


def test_looks_go_with_the_square_root_of_what_is_expected() -> None:
    assert divide(900, {1: 100.0, 2: 400.0}, floor=0, most=1e9) == pytest.approx({1: 300, 2: 600})


def test_a_silent_forum_gets_its_floor() -> None:
    assert divide(1000, {1: 0.0, 2: 50.0}, floor=24, most=1e9) == pytest.approx({1: 24, 2: 976})


def test_a_floor_that_is_too_high_for_all_is_shared_out() -> None:
    assert divide(100, {1: 5.0, 2: 0.0}, floor=80, most=1e9) == {1: 50, 2: 50}


def test_what_the_pace_of_one_does_not_allow_goes_to_the_others() -> None:
    assert divide(1000, {1: 1e6, 2: 1.0}, floor=1, most=600) == pytest.approx({1: 600, 2: 400})


@given(
    st.dictionaries(st.integers(), st.floats(0, 1e6) | st.none(), min_size=1, max_size=20),
    st.floats(1, 1e6),
    st.floats(0, 1000),
)
def test_no_more_is_given_out_than_there_is(expected: dict[int, float | None], total: float, floor: float) -> None:
    shares = divide(total, expected, floor, most=86_400)
    assert shares.keys() == expected.keys()
    assert sum(shares.values()) <= total * (1 + 1e-9)


async def test_a_complete_forum_is_watched_with_its_share(
    registry: Registry, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    url = town.urls[0]
    registry.add([url])
    plain = options(town)
    budget = FleetBudget(Budget(4_000_000, 86_400), Budget(4, 86_400))
    watched: list[int] = []

    def stop_once_it_looked(runner: FleetRunner) -> None:
        watched.extend(turn.pages for turn in runner.under_way.values() if isinstance(turn, WatchTurn))
        if watched and watched[-1] > 2:
            runner.stop.set()

    chosen = FleetOptions(plain.client, plain.crawl, workers=1, budget=budget)
    await FleetRunner(registry, chosen, stop_once_it_looked).run()
    (forum,) = registry.forums()
    assert forum.state.has_archive
    assert forum.expected is not None
    with Archive.open(registry.place.archive(forum), readonly=True) as archive:  # stopped: some page may still wait
        assert archive.check() == []
        assert sorted((post.thread_url, post.position, post.text) for post in archive.posts()) == sorted(
            (row[0], row[1], row[9]) for row in undisturbed[url]
        )


async def test_a_forum_that_is_complete_later_gets_its_share_at_once(tmp_path: Path, town: RunningTown) -> None:
    plain = options(town)
    budget = FleetBudget(Budget(4_000_000, 86_400), Budget(4, 86_400))
    watched: set[str] = set()

    def add_one_then_stop(process: FleetRunner) -> None:
        looking = {turn.forum.url for turn in process.under_way.values() if isinstance(turn, WatchTurn) and turn.pages}
        if looking and not watched:
            process.registry.add([town.urls[1]])
        watched.update(looking)
        if len(watched) == 2 or any(process.registry.forums([ForumState.FAILED])):
            process.stop.set()

    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add([town.urls[0]])
        chosen = FleetOptions(plain.client, plain.crawl, workers=1, budget=budget)
        await FleetRunner(registry, chosen, add_one_then_stop).run()
        assert [forum.reason for forum in registry.forums([ForumState.FAILED])] == []
    assert watched == set(town.urls[:2])


def test_what_a_worker_left_while_it_watched_is_watched_again_and_not_crawled(tmp_path: Path) -> None:
    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add(["http://forum.example/"])
        (forum,) = registry.forums()
        assert registry.claim(forum, "192.0.2.1", "gone", watching=True)
        assert registry.candidates("me", 5) == []
        assert [one.id for one in registry.to_watch("me", 5)] == [forum.id]
