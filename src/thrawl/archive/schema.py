"""The schema's version, and the steps that bring an older archive up to it.

A step is a function on a connection; the number of steps taken is the version. Steps run in one transaction with
the new version number, so that an upgrade killed half-way leaves the old archive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import Connection, delete, insert, inspect, select, text

from thrawl.archive.tables import make_partial_on_postgres, metadata, pages, promises, schema_version, strays
from thrawl.errors import ArchiveError

Step = Callable[[Connection], None]

# New posts are indexed many at a time (search.py): a trigger would make FTS5 write a segment for every post, which
# costs more than all the rest of a page. Changes and removals are rare enough for triggers.
_SQLITE_SEARCH: Final = (
    """CREATE VIRTUAL TABLE posts_fts USING fts5(
        text, content='posts', content_rowid='id', tokenize='unicode61 remove_diacritics 2')""",
    """CREATE TRIGGER posts_changed AFTER UPDATE OF text ON posts
        WHEN old.text <> new.text AND EXISTS (SELECT 1 FROM posts_fts_docsize WHERE id = old.id) BEGIN
        INSERT INTO posts_fts(posts_fts, rowid, text) VALUES ('delete', old.id, old.text);
        INSERT INTO posts_fts(rowid, text) VALUES (new.id, new.text); END""",
    """CREATE TRIGGER posts_removed AFTER DELETE ON posts
        WHEN EXISTS (SELECT 1 FROM posts_fts_docsize WHERE id = old.id) BEGIN
        INSERT INTO posts_fts(posts_fts, rowid, text) VALUES ('delete', old.id, old.text); END""",
)

# A tsvector holds at most 1 MiB; no word beyond the first 200,000 characters of a post is worth a failure.
_POSTGRES_SEARCH: Final = (
    """ALTER TABLE posts ADD COLUMN words tsvector
        GENERATED ALWAYS AS (to_tsvector('simple', left(text, 200000))) STORED""",
    "CREATE INDEX posts_words ON posts USING gin (words)",
)


def _first(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        make_partial_on_postgres()
    metadata.create_all(connection, checkfirst=True)
    statements = _SQLITE_SEARCH if is_sqlite else _POSTGRES_SEARCH
    for statement in statements:
        connection.execute(text(statement))


def _ledger(connection: Connection) -> None:
    """What the ledger needs; an archive that was made a moment ago by the first step has it already."""
    metadata.create_all(connection, tables=[promises, strays], checkfirst=True)
    known = {column["name"] for column in inspect(connection).get_columns(pages.name)}
    for column in (pages.c.failure_kind, pages.c.records, pages.c.digest, pages.c.last_page, pages.c.unfollowed):
        if column.name not in known:
            kind = column.type.compile(connection.dialect)
            connection.execute(text(f"ALTER TABLE pages ADD COLUMN {column.name} {kind}"))


STEPS: Final[tuple[Step, ...]] = (_first, _ledger)


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


def upgrade(connection: Connection, *, steps: Sequence[Step] = STEPS) -> None:
    """Take the steps that are missing. Call within a transaction."""
    found = version_of(connection) or 0
    if found >= len(steps):
        return
    for step in steps[found:]:
        step(connection)
    connection.execute(delete(schema_version))
    connection.execute(insert(schema_version).values(version=len(steps)))
