"""A process that has hundreds of archives open compiles its SQL once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.archive.conftest import postgres_server

from thrawl.archive import Archive
from thrawl.archive.dialects import COMPILED

__all__ = ["postgres_server"]


@pytest.fixture(params=["files", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    if request.param == "files":
        yield [str(tmp_path / f"{number}.db") for number in range(2)]
        return
    server = request.getfixturevalue("postgres_server")
    names = ["compiled_1", "compiled_2"]
    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE SCHEMA {name}".encode())
    yield [f"{server}?options=-csearch_path%3D{name}" for name in names]


def ask(location: str) -> int:
    """What was compiled, once an archive was asked for this and that."""
    with Archive.open(location, create=True) as archive:
        number = archive.put_forum("http://forum.example/", "forum.example")
        assert archive.facts(number).threads == 0
        assert archive.summary().posts == 0
    return len(COMPILED["compiled_cache"])


def test_a_second_archive_has_nothing_to_compile(places: list[str]) -> None:
    first, second = map(ask, places)
    assert second == first > 0
