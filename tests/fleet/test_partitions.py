"""All forums of a fleet as one set of tables: the rows of each have its number, and a query may leave others alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from thrawl.archive import Archive
from thrawl.fleet.partitions import TABLES, join
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry

ENTRIES = ("http://one.example/", "http://two.example/")


@pytest.fixture
def registry(postgres: str) -> Iterator[Registry]:
    """A fleet of two forums with empty archives."""
    with Registry.open(FleetPlace(postgres), create=True) as opened:
        opened.add(ENTRIES)
        for forum in opened.forums():
            opened.make_schema(forum.id)
            Archive.open(opened.place.archive(forum), create=True).close()
        yield opened


def entries(registry: Registry) -> list[tuple[int, str]]:
    """The forum and the title of every board, by the table of all."""
    with registry.transaction() as connection:
        query = text("SELECT fleet_forum, title FROM all_boards ORDER BY fleet_forum")
        return [(row.fleet_forum, row.title) for row in connection.execute(query)]


def add_board(registry: Registry, forum_id: int, entry: str) -> None:
    schema = registry.place.schema(forum_id)
    with registry.transaction() as connection:
        forum = f"INSERT INTO {schema}.forums (entry_url, host) VALUES ('{entry}', 'host') RETURNING id"
        number = connection.execute(text(forum)).scalar_one()
        board = f"INSERT INTO {schema}.boards (forum_id, key, title) VALUES ({number}, 'board', 'of {entry}')"
        connection.execute(text(board))


def test_rows_of_all_forums_stand_in_one_table_with_their_forum(registry: Registry) -> None:
    add_board(registry, 1, ENTRIES[0])  # before it is a part
    assert join(registry, 1)
    assert join(registry, 2)
    add_board(registry, 2, ENTRIES[1])
    assert entries(registry) == [(1, f"of {ENTRIES[0]}"), (2, f"of {ENTRIES[1]}")]
    assert join(registry, 1)  # once more changes nothing
    assert len(entries(registry)) == 2


def test_a_query_on_one_forum_reads_no_other(registry: Registry) -> None:
    assert all(join(registry, number) for number in (1, 2))
    with registry.transaction() as connection:
        for name in TABLES:
            plan = "\n".join(
                row[0]
                for row in connection.execute(text(f"EXPLAIN VERBOSE SELECT 1 FROM all_{name} WHERE fleet_forum = 2"))
            )
            assert f"{registry.place.schema(2)}.{name}" in plan
            assert f"{registry.place.schema(1)}.{name}" not in plan


def test_tables_that_are_in_use_are_left_for_later(registry: Registry) -> None:
    with registry.transaction() as reader:
        reader.execute(text(f"SELECT count(*) FROM {registry.place.schema(1)}.posts")).all()
        assert not join(registry, 1)
    assert join(registry, 1)


def test_an_archive_that_is_a_part_is_an_archive_as_before(registry: Registry) -> None:
    assert join(registry, 1)
    with Archive.open(registry.place.archive(next(registry.forums()))) as archive:
        assert archive.check() == []
        assert archive.summary().posts == 0
