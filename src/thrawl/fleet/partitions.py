"""All forums of a fleet on PostgreSQL as one set of tables, partitioned by forum: `all_posts`, `all_threads` and so on.

Each forum's tables are its own, in its own schema, and also parts of these, which hold no rows themselves. They inherit
from them, with a column `fleet_forum` that each part allows one value of, so that a query on some forums reads no other
(constraint exclusion). Declared partitions would do the same, but forbid a part a column of its own: an archive could
not be brought up to date by itself any more, nor be taken out and used elsewhere as it is.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from thrawl.archive.tables import authors, boards, posts, threads
from thrawl.fleet.registry import Registry

TABLES: Final = tuple(table.name for table in (boards, threads, authors, posts))
COLUMN: Final = "fleet_forum"
_LOCKED: Final = "55P03"  # PostgreSQL's code for a lock that cannot be had at once


def join(registry: Registry, forum_id: int) -> bool:
    """Make the tables of a forum parts of all; whether they are. Where somebody uses them now, they wait for the next
    turn."""
    schema, own = registry.place.schema(forum_id), registry.place.own_schema
    with registry.transaction() as connection:
        if _is_part(connection, schema):
            return True
    try:
        with registry.transaction() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": f"{own}.all_posts"})
            for name in TABLES:
                _join(connection, f"{schema}.{name}", f"{own}.all_{name}", forum_id)
    except Locked:
        return False
    return True


class Locked(Exception):
    """A table is in use."""


def _is_part(connection: Connection, schema: str) -> bool:
    query = text("SELECT 1 FROM pg_inherits WHERE inhrelid = to_regclass(:part)")
    return connection.execute(query, {"part": f"{schema}.{TABLES[-1]}"}).first() is not None


def _join(connection: Connection, part: str, whole: str, forum_id: int) -> None:
    try:
        connection.execute(text(f"LOCK TABLE {part} IN ACCESS EXCLUSIVE MODE NOWAIT"))
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCKED:
            raise
        raise Locked from error
    connection.execute(text(f"CREATE TABLE IF NOT EXISTS {whole} (LIKE {part})"))
    connection.execute(text(f"ALTER TABLE {whole} ADD COLUMN IF NOT EXISTS {COLUMN} BIGINT NOT NULL"))
    only = f"BIGINT NOT NULL DEFAULT {forum_id} CHECK ({COLUMN} = {forum_id})"
    connection.execute(text(f"ALTER TABLE {part} ADD COLUMN IF NOT EXISTS {COLUMN} {only}"))
    connection.execute(text(f"ALTER TABLE {part} INHERIT {whole}"))
