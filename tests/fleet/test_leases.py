"""A host has one holder, and who lost it can write nothing: on a real PostgreSQL server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from tests.fleet.conftest import RunningTown
from tests.fleet.test_fleet import by_url, options

from thrawl.archive import Archive
from thrawl.errors import ArchiveError, LeaseLost
from thrawl.fleet import leases
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.runner import FleetRunner
from thrawl.fleet.turn import ForumTurn
from thrawl.fleet.values import FleetForum, ForumState, Hold
from thrawl.lab.hostile.kills import Content, content


@pytest.fixture
def shared(postgres: str) -> Iterator[Registry]:
    """A fleet on PostgreSQL whose leases run out at once, unless a test says otherwise."""
    with Registry.open(FleetPlace(postgres), create=True) as registry:
        registry.lease_seconds = 0
        yield registry


def open_fenced(registry: Registry, hold: Hold) -> Archive:
    registry.make_schema(1)
    location = registry.place.archive(next(registry.forums()))
    return Archive.open(location, create=True, fence=leases.fence(hold, registry.place.own_schema))


def test_a_host_has_one_holder_until_its_time_is_over(shared: Registry) -> None:
    shared.lease_seconds = 60
    held = shared.hold("192.0.2.1", "ann")
    assert held is not None
    assert shared.hold("192.0.2.1", "bob") is None
    assert shared.hold("192.0.2.1", "ann") == held
    shared.leave(held, 2.5)
    taken = shared.hold("192.0.2.1", "bob")
    assert taken is not None
    assert taken.pause == 2.5  # whoever left may have asked just now


def test_each_time_that_a_lease_changes_hands_its_token_grows(shared: Registry) -> None:
    tokens = [shared.hold("192.0.2.1", worker) for worker in ("ann", "bob", "ann")]
    numbers = [hold.token for hold in tokens if hold is not None]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 3


def test_who_takes_a_host_over_knows_the_delay_that_it_had(shared: Registry) -> None:
    held = shared.hold("192.0.2.1", "ann")
    assert held is not None
    assert shared.renew("ann", {held: 7.5}) == frozenset()
    taken = shared.hold("192.0.2.1", "bob")
    assert taken is not None
    assert taken.pause == 7.5
    assert shared.renew("ann", {held: 7.5}) == {held}


def test_a_worker_that_was_believed_dead_can_write_nothing(shared: Registry) -> None:
    shared.add(["http://forum.example/"])
    held = shared.hold("192.0.2.1", "ann")
    assert held is not None
    with open_fenced(shared, held) as archive:
        archive.put_forum("http://forum.example/", "forum.example")
        taken = shared.hold("192.0.2.1", "bob")
        assert taken is not None
        with pytest.raises(LeaseLost):
            archive.put_forum("http://forum.example/other/", "forum.example")
        with open_fenced(shared, taken) as new:
            new.put_forum("http://forum.example/third/", "forum.example")
            assert [forum.entry_url for forum in new.forums()] == [
                "http://forum.example/",
                "http://forum.example/third/",
            ]
    with pytest.raises(LeaseLost):
        open_fenced(shared, held)


def test_nobody_takes_a_lease_over_in_the_midst_of_a_transaction(shared: Registry) -> None:
    shared.add(["http://forum.example/"])
    held = shared.hold("192.0.2.1", "ann")
    assert held is not None
    with open_fenced(shared, held) as archive:
        with archive.access.transaction(), shared._engine.connect() as other:  # as a worker that hangs while it writes
            other.execute(text("SET LOCAL lock_timeout = 50"))
            with pytest.raises(OperationalError, match="lock timeout"):
                leases.take(other, "192.0.2.1", "bob", 0)
        assert shared.hold("192.0.2.1", "bob") is not None


def test_a_plain_crawl_is_refused_while_the_fleet_writes(shared: Registry) -> None:
    shared.add(["http://forum.example/"])
    held = shared.hold("192.0.2.1", "ann")
    assert held is not None
    with open_fenced(shared, held), pytest.raises(ArchiveError, match="being written"):
        Archive.open(shared.place.archive(next(shared.forums())))


_VICTIM = """
import sys
from thrawl import loops
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.runner import FleetOptions, FleetRunner
from thrawl.net.options import ClientOptions
with Registry.open(FleetPlace(sys.argv[1])) as registry:
    registry.lease_seconds = 3
    look = lambda runner: runner.pages > 5 and print("pages", flush=True)
    loops.run(FleetRunner(registry, FleetOptions(ClientOptions(proxy=sys.argv[2], delay=0.02), workers=1), look).run())
"""


def killed_in_the_midst(command: list[str]) -> None:
    with subprocess.Popen(command, stdout=subprocess.PIPE) as victim:
        assert victim.stdout is not None
        victim.stdout.readline()
        victim.kill()


async def test_what_a_killed_worker_had_is_finished_by_another(
    postgres: str, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    with Registry.open(FleetPlace(postgres), create=True) as registry:
        registry.lease_seconds = 3
        registry.add(town.urls[:2])
        command = [sys.executable, "-c", _VICTIM, postgres, town.proxy]
        await asyncio.to_thread(killed_in_the_midst, command)
        assert ForumState.UNDER_WAY in {forum.state for forum in registry.forums()}
        await FleetRunner(registry, options(town)).run()
        for url, forum in by_url(registry).items():
            assert forum.state.has_archive
            assert content(registry.place.archive(forum)) == undisturbed[url]


def test_a_turn_whose_process_stood_still_writes_nothing_more(tmp_path: Path) -> None:
    turn = ForumTurn(FleetForum(1, "http://forum.example/", "forum.example", ForumState.WAITING), "", shared=None)  # type: ignore[arg-type]
    with Archive.open(tmp_path / "forum.db", create=True, fence=turn.check) as archive:
        archive.put_forum("http://forum.example/", "forum.example")
        turn.void()
        with pytest.raises(LeaseLost, match="stood still"):
            archive.put_forum("http://forum.example/other/", "forum.example")
        assert len(archive.forums()) == 1
