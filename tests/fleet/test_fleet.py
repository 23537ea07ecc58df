"""Many forums side by side in one process: each gets its archive, and none costs another anything."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from tests.fleet.conftest import RunningTown

import thrawl
from thrawl.cli.main import main
from thrawl.crawl.options import CrawlOptions, MediaMode
from thrawl.errors import InputError
from thrawl.fleet import runner
from thrawl.fleet.pace import Addresses, FleetPace
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.runner import FleetOptions, FleetRunner
from thrawl.fleet.turn import ForumTurn
from thrawl.fleet.values import FleetForum, ForumState, Hold, Turn
from thrawl.lab.hostile.kills import Content, content
from thrawl.lab.town import SILENT
from thrawl.net.options import ClientOptions, FetchLimits

QUICK = FetchLimits(backoff_seconds=0.02, retry_after_seconds=0.05)
DELAY = 0.02
CLOCKS = 0.001  # the kernel stamps by a clock that it may slow or hasten by this share, to set it right


def options(town: RunningTown, **choices: float) -> FleetOptions:
    client = ClientOptions(proxy=town.proxy, delay=DELAY, limits=QUICK)
    crawl = CrawlOptions(media=MediaMode.NONE, retry_seconds=0.2)
    return FleetOptions(client, crawl, workers=1, **choices)  # type: ignore[arg-type]  # whatever a test chooses


def by_url(registry: Registry) -> dict[str, FleetForum]:
    return {forum.url: forum for forum in registry.forums()}


async def test_every_forum_gets_the_archive_that_a_crawl_of_its_own_would_give_it(
    registry: Registry, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    registry.add(town.urls)
    tally = await FleetRunner(registry, options(town)).run()
    found = by_url(registry)
    assert all(forum.state.has_archive for forum in found.values())
    for url, forum in found.items():
        assert content(registry.place.archive(forum)) == undisturbed[url]
    assert tally.posts == sum(len(posts) for posts in undisturbed.values())


async def test_no_host_is_asked_faster_than_its_pace_nor_for_pictures_which_come_last(
    tmp_path: Path, faulty_town: RunningTown
) -> None:
    chosen = options(faulty_town)
    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add(faulty_town.urls)
        await FleetRunner(registry, replace(chosen, crawl=replace(chosen.crawl, media=MediaMode.IMAGES))).run()
        shown = {forum.url: pictures_of(registry.place.archive(forum)) for forum in registry.forums()}
    for url, pictures in shown.items():
        asked = faulty_town.paths(url)
        wanted = [path in pictures for path in asked]
        assert all(wanted[wanted.index(True) :])  # where none of them is to be had, not all are asked for
    assert too_close(faulty_town) == []


def pictures_of(location: str) -> set[str]:
    with thrawl.Archive.open(location, readonly=True) as archive:
        found = {path for post in archive.posts() for path in re.findall(r"/pictures/\w+\.jpg", post.html or "")}
    assert found
    return found


def test_nor_by_a_crawl_with_several_requests_at_once(tmp_path: Path, faulty_town: RunningTown) -> None:
    place = str(tmp_path / "forum.db")
    thrawl.crawl(faulty_town.urls[0], archive=place, proxy=faulty_town.proxy, delay=DELAY, concurrency=4, media="none")
    assert too_close(faulty_town) == []


def too_close(town: RunningTown) -> list[float]:
    """The gaps between two requests to a host that are shorter than the delay, by the moments at which they came."""
    gaps = [later - earlier for moments in town.requests().values() for earlier, later in pairwise(sorted(moments))]
    assert len(gaps) > 20
    return [gap for gap in gaps if gap < DELAY * (1 - CLOCKS)]


async def test_a_dead_host_and_a_second_name_cost_the_others_nothing(
    registry: Registry, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    first, second = town.urls[:2]
    again = second.replace("://", "://www.")
    registry.add([first, "http://dead.example/", second])
    await FleetRunner(registry, options(town)).run()
    registry.add([again])
    await FleetRunner(registry, options(town)).run()
    found = by_url(registry)
    assert found["http://dead.example/"].state is ForumState.FAILED
    assert "dead.example" in found["http://dead.example/"].reason
    assert found[again].state is ForumState.DUPLICATE
    assert second in found[again].reason
    for url in (first, second):
        assert content(registry.place.archive(found[url])) == undisturbed[url]


async def test_a_host_that_never_answers_costs_the_others_nothing(
    tmp_path: Path, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    patient = options(town)
    limits = replace(QUICK, first_byte_seconds=5.0, retries=1)
    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add([f"http://{SILENT}/", town.urls[0]])
        chosen = replace(patient, client=replace(patient.client, limits=limits), at_once=2)
        await FleetRunner(registry, chosen).run()
        found = by_url(registry)
        assert found[f"http://{SILENT}/"].state is ForumState.FAILED
        assert "sent nothing" in found[f"http://{SILENT}/"].reason
        assert content(registry.place.archive(found[town.urls[0]])) == undisturbed[town.urls[0]]


async def test_stopped_and_run_again_it_goes_on_where_it_was(
    registry: Registry, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    registry.add(town.urls[:2])

    def stop_once_pages_come(runner: FleetRunner) -> None:
        if runner.pages > 5:
            runner.stop.set()

    tally = await FleetRunner(registry, options(town), stop_once_pages_come).run()
    assert ForumState.WAITING in {forum.state for forum in registry.forums()}
    rest = await FleetRunner(registry, options(town)).run()
    found = by_url(registry)
    for url in town.urls[:2]:
        assert content(registry.place.archive(found[url])) == undisturbed[url]
    assert tally.pages
    assert rest.pages


async def test_learning_that_is_stopped_goes_on_where_it_was(
    registry: Registry, town: RunningTown, undisturbed: dict[str, Content]
) -> None:
    url = town.urls[0]
    before = len(town.paths(url))
    registry.add([url])

    def stop_while_it_is_learned(runner: FleetRunner) -> None:
        if len(town.paths(url)) > before + 20:
            runner.stop.set()

    tally = await FleetRunner(registry, options(town), stop_while_it_is_learned).run()
    assert tally.pages == 0  # nothing is archived yet
    stopped = len(town.paths(url))
    await FleetRunner(registry, options(town)).run()
    first, rest = set(town.paths(url)[before:stopped]), set(town.paths(url)[stopped:])
    assert len(first) > 15
    assert len(first & rest) < 5  # robots.txt, what was refused, one page that was on its way
    assert content(registry.place.archive(by_url(registry)[url])) == undisturbed[url]


async def test_a_forum_that_is_added_while_the_fleet_runs_is_crawled_by_that_run(
    tmp_path: Path, town: RunningTown, capsys: pytest.CaptureFixture[str]
) -> None:
    place = FleetPlace(str(tmp_path / "fleet"))
    added: list[int] = []

    def add_one(runner: FleetRunner) -> None:
        if not added:
            added.append(main(["fleet", "add", town.urls[1], "--fleet", place.location]))

    with Registry.open(place, create=True) as registry:
        registry.add(["http://dead.town.example/"])
        await FleetRunner(registry, options(town), add_one).run()
        states = [forum.state.has_archive for forum in registry.forums()]
        assert states == [False, True]
    assert added == [0]
    assert capsys.readouterr().out.startswith("1 forums left for the run that is going on")
    assert not list(Path(place.location).glob("new-*"))


async def test_with_room_for_one_all_get_their_turns(tmp_path: Path, town: RunningTown) -> None:
    order: list[int] = []

    def watch(runner: FleetRunner) -> None:
        order.extend(turn.forum.id for turn in runner.under_way.values() if [turn.forum.id] != order[-1:])

    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add(town.urls[:3])
        await FleetRunner(registry, options(town, at_once=1), watch).run()
        assert order == [1, 2, 3]
        assert all(forum.state.has_archive for forum in registry.forums())


async def test_those_with_fewer_turns_come_first_and_then_those_with_less_left(registry: Registry) -> None:
    registry.add([f"http://{name}.example/" for name in "abc"])
    for left, forum in zip((500, 20), list(registry.forums())[:2], strict=True):
        assert registry.claim(forum, forum.key, "me")
        registry.give_back(forum, Turn(ForumState.WAITING, left=left), "me")
    assert [forum.url[7] for forum in registry.candidates("me", 3)] == ["c", "b", "a"]


def test_a_host_of_many_forums_does_not_take_all_places(registry: Registry) -> None:
    registry.add([f"http://host.example/{number}/" for number in range(3)] + ["http://other.example/"])
    assert len(registry.candidates("me", 10)) == 4
    assert [forum.url for forum in registry.candidates("me", 10, full=["host.example"])] == ["http://other.example/"]


async def test_two_names_of_one_address_share_a_pace() -> None:
    class Names(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            address = {"a.example": "192.0.2.7", "b.example": "192.0.2.7", "c.example": "192.0.2.8"}[host]
            return [ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)]

        async def close(self) -> None:
            """Nothing is open."""

    moments: list[float] = []
    now = [0.0]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    addresses = Addresses(proxied=False, resolver=Names())
    pace = FleetPace(5.0, addresses, lambda key: Hold(key, 1), clock=lambda: now[0], sleep=sleep, lease_seconds=None)
    for name in ("a.example", "b.example", "c.example"):
        host = pace.host(name)
        moments.append(await host.start())
        host.end()
    assert moments == [0.0, 5.0, 5.0]


async def test_learners_that_are_killed_cost_nothing(tmp_path: Path, town: RunningTown) -> None:
    killed: list[int] = []

    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add(town.urls[:1])

        def kill_one(runner: FleetRunner) -> None:
            if not killed and runner.learners is not None:
                for pid in runner.learners.pids():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

        await FleetRunner(registry, options(town), kill_one).run()
        assert killed
        assert all(forum.state.has_archive for forum in registry.forums())


def test_a_list_of_a_hundred_thousand_lines_is_added_without_its_doubles(tmp_path: Path) -> None:
    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        lines = (f"http://forum{number % 50_000}.example/" for number in range(100_000))
        assert registry.add(lines) == (50_000, 50_000)
        assert len(registry.candidates("me", 10)) == 10


def test_a_long_list_is_copied_to_a_database_without_its_doubles(postgres: str) -> None:
    with Registry.open(FleetPlace(postgres), create=True) as registry:
        registry.add(["http://forum7.example/"])
        lines = (f"http://forum{number % 6_000}.example/" for number in range(12_000))  # two transactions
        assert registry.add(lines) == (5_999, 6_001)
        assert registry.add(["http://forum5999.example/"]) == (0, 1)


def test_there_is_one_sentence_where_there_is_no_fleet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="thrawl fleet add"):
        Registry.open(FleetPlace(str(tmp_path / "nowhere")))


async def test_to_open_hundreds_of_archives_is_not_taken_for_a_process_that_stood_still(
    tmp_path: Path, town: RunningTown, monkeypatch: pytest.MonkeyPatch
) -> None:
    forums, seconds = 30, 1.0  # to open each: together far more than a process may be away
    now = [0.0]
    kept: list[list[bool]] = []

    class Clock:
        time = staticmethod(time.time)
        monotonic = staticmethod(lambda: now[0])

    async def opened_slowly(turn: ForumTurn) -> Turn:
        now[0] += seconds
        await turn.stop.wait()
        return Turn(ForumState.WAITING)

    def stop_at_the_second_look(process: FleetRunner) -> None:
        kept.append([turn.is_void for turn in process.under_way.values()])
        if len(kept) == 2:
            process.stop.set()

    monkeypatch.setattr(runner, "time", Clock)
    monkeypatch.setattr(ForumTurn, "run", opened_slowly)
    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        registry.add(f"http://forum{number}.example/" for number in range(forums))
        await FleetRunner(registry, options(town), stop_at_the_second_look).run()
    assert kept[1] == [False] * forums
