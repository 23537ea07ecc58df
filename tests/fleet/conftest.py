"""A small town of forums to crawl, and a PostgreSQL server to do it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.archive.conftest import postgres_server

import thrawl
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.lab.hostile.kills import Content, content
from thrawl.lab.town import Plan, running_town

__all__ = ["postgres_server"]


@dataclass(frozen=True, slots=True)
class RunningTown:
    """The proxy that leads to its forums, their entry pages, and the file that every request is written to."""

    proxy: str
    urls: list[str]
    log: Path

    def paths(self, url: str) -> list[str]:
        """What the host of a URL was asked for, in order."""
        found = (line.split(" ", 2) for line in self.log.read_text(encoding="utf-8").splitlines())
        return [path for _, host, path in found if host == urlsplit(url).hostname]

    def requests(self) -> dict[str, list[float]]:
        """The moments at which each host was asked."""
        found: dict[str, list[float]] = {}
        for line in self.log.read_text(encoding="utf-8").splitlines():
            moment, host, _ = line.split(" ", 2)
            found.setdefault(host, []).append(float(moment))
        return found


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTown]:
    log = tmp_path_factory.mktemp("town") / "requests.log"
    with running_town(Plan(4, (8, 14), slowest=0.01), log) as (proxy, urls):
        yield RunningTown(proxy, urls, log)


@pytest.fixture
def faulty_town(tmp_path: Path) -> Iterator[RunningTown]:
    """Two forums that refuse some requests, and break off some connections."""
    log = tmp_path / "requests.log"
    with running_town(Plan(2, (5, 7), fault=0.06, slowest=0.01), log) as (proxy, urls):
        yield RunningTown(proxy, urls, log)


_SCHEMAS = count(1)


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """An empty corner of the server, as the address of a fleet."""
    name = f"fleet_{next(_SCHEMAS)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{postgres_server}?options=-csearch_path%3D{name}"


@pytest.fixture(params=["folder", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> FleetPlace:
    """Where a new fleet may be."""
    return FleetPlace(str(tmp_path / "fleet") if request.param == "folder" else request.getfixturevalue("postgres"))


@pytest.fixture
def registry(place: FleetPlace) -> Iterator[Registry]:
    with Registry.open(place, create=True) as opened:
        yield opened


@pytest.fixture(scope="session")
def undisturbed(town: RunningTown, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Content]:
    """What a crawl of each forum by itself brings."""
    folder = tmp_path_factory.mktemp("undisturbed")
    found = {}
    for number, url in enumerate(town.urls):
        location = str(folder / f"{number}.db")
        thrawl.crawl(url, archive=location, proxy=town.proxy, delay=0, media="none")
        found[url] = content(location)
    return found
