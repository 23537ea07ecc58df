"""The database of a fleet goes away in the midst of a run, and comes back: forums wait for it and end whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fleet.conftest import RunningTown
from tests.fleet.test_fleet import by_url, options

from thrawl.cli.main import main
from thrawl.fleet import runner, turn
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.runner import FleetRunner
from thrawl.lab.hostile.kills import Content, content
from thrawl.lab.postgres import NoPostgres, running_postgres

LOOKS = 4  # of the runner, after its forums gave up: its leases are not renewed, nobody is told, nothing starts


async def test_a_fleet_waits_for_its_database_and_goes_on_where_it_was(
    town: RunningTown, undisturbed: dict[str, Content], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "AWAY_SECONDS", 0.1)
    monkeypatch.setattr(runner, "_TICK_SECONDS", 0.05)  # so that no crawl begins and ends between two looks
    seen: list[int] = []  # how many forums were under way, each time that the runner looked while the database was away

    slow = options(town)
    slow = replace(slow, client=replace(slow.client, delay=0.1))  # several looks long

    try:
        with running_postgres(safe=True) as server, Registry.open(FleetPlace(server.address), create=True) as registry:

            def take_away(fleet: FleetRunner) -> None:
                begins = not seen and any(one.is_crawling and one.pages for one in fleet.under_way.values())
                if begins:
                    server.kill()
                if begins or seen:
                    seen.append(len(fleet.under_way))
                if seen.count(0) == LOOKS and seen[-1] == 0:
                    server.start()

            registry.add(town.urls[:1])
            await FleetRunner(registry, slow, take_away).run()
            assert seen.count(0) >= LOOKS
            for url, forum in by_url(registry).items():
                assert content(registry.place.archive(forum)) == undisturbed[url]
    except NoPostgres as error:
        pytest.skip(str(error))


def test_a_database_that_is_not_there_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "status"):
        assert main(["fleet", command, "--fleet", "postgresql://127.0.0.1:1/forums"]) == 1
        told = capsys.readouterr().err
        assert "cannot be reached" in told
        assert "Traceback" not in told
