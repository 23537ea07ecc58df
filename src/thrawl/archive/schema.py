"""The schema's version, and the steps that bring an older archive up to it.

A step is a function on a connection; the number of steps taken is the version. Steps run in one transaction with
the new version number, so that an upgrade killed half-way leaves the old archive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from sqlalchemy import Connection, delete, insert, inspect, select

from thrawl.archive.flat import FLAT_VIEWS
from thrawl.archive.tables import (
    answers,
    board_rows,
    make_partial_on_postgres,
    media,
    metadata,
    pages,
    post_media,
    posts,
    progress,
    promises,
    reckoned,
    schedule,
    schema_version,
    strays,
    threads,
    visits,
    watches,
)
from thrawl.errors import ArchiveError

Step = Callable[[Connection], None]

# New posts and titles are indexed many at a time (search.py): a trigger would make FTS5 write a segment for each, which
# costs more than all the rest of a page. What changes or goes is noted with the text that the index holds, once: an
# index of tokens alone needs it to forget a post.
_SOURCES: Final = (("posts", "text"), ("threads", "title"))
_STALE: Final = """CREATE TABLE search_stale (
    source TEXT NOT NULL, id BIGINT NOT NULL, indexed TEXT, PRIMARY KEY (source, id))"""


def _sqlite_search() -> Iterator[str]:
    yield "DROP TABLE IF EXISTS posts_fts"
    yield _STALE
    for table, _ in _SOURCES:
        # The tokens come cut from words.py with spaces between them: whatever is not ASCII belongs to a token.
        yield f"""CREATE VIRTUAL TABLE {table}_fts USING fts5(
            words, content='', detail=none, tokenize="ascii tokenchars '_'")"""
    yield from _sqlite_triggers()


def _sqlite_triggers() -> Iterator[str]:
    for table, column in _SOURCES:
        for name, event, changed in (
            ("changed", f"UPDATE OF {column}", f"old.{column} IS NOT new.{column} AND"),
            ("removed", "DELETE", ""),
        ):
            # Not OR IGNORE: inside an upsert SQLite takes the upsert's way with conflicts, which is to fail.
            yield f"DROP TRIGGER IF EXISTS {table}_{name}"
            yield f"""CREATE TRIGGER {table}_{name} AFTER {event} ON {table}
                WHEN {changed} EXISTS (SELECT 1 FROM {table}_fts_docsize WHERE id = old.id)
                AND NOT EXISTS (SELECT 1 FROM search_stale WHERE source = '{table}' AND id = old.id) BEGIN
                INSERT INTO search_stale VALUES ('{table}', old.id, old.{column}); END"""


def _postgres_search() -> Iterator[str]:
    yield "ALTER TABLE posts DROP COLUMN IF EXISTS words"
    yield _STALE
    for table, column in _SOURCES:
        yield f"CREATE TABLE {table}_words (id BIGINT PRIMARY KEY, words tsvector NOT NULL)"
        yield f"CREATE INDEX {table}_words_of ON {table}_words USING gin (words)"
        yield f"""CREATE FUNCTION {table}_stale() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO search_stale SELECT '{table}', old.id WHERE EXISTS
            (SELECT 1 FROM {table}_words WHERE id = old.id) ON CONFLICT DO NOTHING; RETURN NULL; END $$"""
        yield f"""CREATE TRIGGER {table}_changed AFTER UPDATE OF {column} ON {table} FOR EACH ROW
            WHEN (old.{column} IS DISTINCT FROM new.{column}) EXECUTE FUNCTION {table}_stale()"""
        yield f"""CREATE TRIGGER {table}_removed AFTER DELETE ON {table} FOR EACH ROW
            EXECUTE FUNCTION {table}_stale()"""


def _first(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        make_partial_on_postgres()
    metadata.create_all(connection, checkfirst=True)


def _search_by_tokens(connection: Connection) -> None:
    """One way to cut words on both databases; the index of before goes, and is filled again by the one who opens."""
    statements = _sqlite_search() if connection.dialect.name == "sqlite" else _postgres_search()
    for statement in statements:
        connection.exec_driver_sql(statement)


def _ledger(connection: Connection) -> None:
    """What the ledger needs; an archive that was made a moment ago by the first step has it already."""
    metadata.create_all(connection, tables=[promises, strays], checkfirst=True)
    known = {column["name"] for column in inspect(connection).get_columns(pages.name)}
    for column in (pages.c.failure_kind, pages.c.records, pages.c.digest, pages.c.last_page, pages.c.unfollowed):
        if column.name not in known:
            kind = column.type.compile(connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE pages ADD COLUMN {column.name} {kind}")


def _watching(connection: Connection) -> None:
    """The schedule of a watch."""
    metadata.create_all(connection, tables=[watches, board_rows, schedule, visits], checkfirst=True)


def _media(connection: Connection) -> None:
    """Pictures and attachments, what a reader of the archive needs to be quick, and views for other programs."""
    metadata.create_all(connection, tables=[media, post_media, progress], checkfirst=True)
    for table in (posts, threads):
        for index in table.indexes:
            index.create(connection, checkfirst=True)
    for name, query in FLAT_VIEWS.items():
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")
        connection.exec_driver_sql(f"CREATE VIEW {name} AS {query}")


def _reckoned(connection: Connection) -> None:
    """Figures that are kept, and an index by which the rest of them are found quickly."""
    if connection.dialect.name != "sqlite":
        make_partial_on_postgres()
    metadata.create_all(connection, tables=[reckoned], checkfirst=True)
    for index in posts.indexes:
        index.create(connection, checkfirst=True)


def _noted_once(connection: Connection) -> None:
    """What changed twice before the index was filled again is noted once, whatever the statement that changes it."""
    for statement in _sqlite_triggers() if connection.dialect.name == "sqlite" else ():
        connection.exec_driver_sql(statement)


def _answers(connection: Connection) -> None:
    """What learning was told before a run ended."""
    metadata.create_all(connection, tables=[answers], checkfirst=True)


STEPS: Final[tuple[Step, ...]] = (
    *(_first, _search_by_tokens, _ledger, _watching, _media, _reckoned, _noted_once),
    *(_answers,),
)


def version_of(connection: Connection) -> int | None:
    """The archive's version; None where there are no tables at all."""
    names = inspect(connection).get_table_names()
    if schema_version.name in names:
        return connection.execute(select(schema_version.c.version)).scalar_one_or_none()
    if names and connection.dialect.name == "sqlite":
        raise ArchiveError("this file is a database of something else, not a Thrawl archive; name another file")
    return None


def require_version(found: int | None, location: str, *, steps: Sequence[Step] = STEPS) -> None:
    """Say so when this program is too old for the archive, or there is none."""
    if found is None:
        raise ArchiveError(f"{location} holds no archive yet; make one with: thrawl crawl URL --archive {location}")
    if found > len(steps):
        raise ArchiveError(
            f"the archive {location} was written by a newer Thrawl (version {found}, this one reads up to "
            f"{len(steps)}); upgrade with: pip install --upgrade thrawl"
        )


def is_older(found: int | None, *, steps: Sequence[Step] = STEPS) -> bool:
    """Whether some steps are still to be taken."""
    return found is not None and found < len(steps)


def upgrade(connection: Connection, *, steps: Sequence[Step] = STEPS) -> None:
    """Take the steps that are missing. Call within a transaction."""
    found = version_of(connection) or 0
    if found >= len(steps):
        return
    for step in steps[found:]:
        step(connection)
    connection.execute(delete(schema_version))
    connection.execute(insert(schema_version).values(version=len(steps)))
