"""The schemas of a fleet's forums on PostgreSQL."""

from __future__ import annotations

from sqlalchemy import text

from thrawl.fleet.registry import Registry


def make_schema(registry: Registry, forum_id: int) -> None:
    """The schema of a forum, made if there is none."""
    with registry.transaction() as connection:
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {registry.place.schema(forum_id)}"))
