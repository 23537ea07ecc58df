"""The integrity check: the database's own, and what must be true of every archive.

Each rule is a query for the rows that break it, with a sentence for a person.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from thrawl.archive.search import Index, indexes

_ORPHANS: Final = "SELECT count(*) FROM {table} LEFT JOIN {other} AS o ON o.id = {table}.{column} WHERE o.id IS NULL"

_RULES: Final = (
    ("{n} posts belong to no thread", _ORPHANS.format(table="posts", other="threads", column="thread_id")),
    (
        "{n} posts name an author who is missing",
        _ORPHANS.format(table="posts", other="authors", column="author_id") + " AND posts.author_id IS NOT NULL",
    ),
    ("{n} revisions belong to no post", _ORPHANS.format(table="post_revisions", other="posts", column="post")),
    ("{n} threads belong to no forum", _ORPHANS.format(table="threads", other="forums", column="forum_id")),
    (
        "{n} threads name a board that is missing",
        _ORPHANS.format(table="threads", other="boards", column="board_id") + " AND threads.board_id IS NOT NULL",
    ),
    (
        "{n} URLs lead to a thread that is missing",
        _ORPHANS.format(table="thread_urls", other="threads", column="thread_id"),
    ),
    (
        "{n} threads are not known under their own URL",
        """SELECT count(*) FROM threads LEFT JOIN thread_urls
            ON thread_urls.url = threads.url AND thread_urls.thread_id = threads.id WHERE thread_urls.url IS NULL""",
    ),
    (
        "{n} pages are marked done without having been fetched",
        "SELECT count(*) FROM pages WHERE state = 'done' AND fetched IS NULL",
    ),
    ("{n} pages failed without a reason", "SELECT count(*) FROM pages WHERE state = 'failed' AND failure IS NULL"),
    (
        "{n} pages are in an unknown state",
        "SELECT count(*) FROM pages WHERE state NOT IN ('pending', 'leased', 'done', 'failed')",
    ),
)


def check(connection: Connection) -> list[str]:
    """What is wrong with the archive, a sentence each; nothing when all is well."""
    problems = _damage(connection) if connection.dialect.name == "sqlite" else []
    if problems:  # nothing that is read from a damaged file can be believed
        return problems
    problems = _search_problems(connection)
    for sentence, query in _RULES:
        broken = connection.execute(text(query)).scalar_one()
        if broken:
            problems.append(sentence.format(n=broken))
    return problems


def _damage(connection: Connection) -> list[str]:
    try:
        reports = [row[0] for row in connection.execute(text("PRAGMA integrity_check(20)"))]
    except DatabaseError as error:  # some damage stops even the check
        reports = [str(error.orig)]
    return [f"the database file is damaged: {' '.join(report.split())}" for report in reports if report != "ok"]


def _search_problems(connection: Connection) -> list[str]:
    problems = []
    for index in indexes(connection.dialect.name):
        table = f"{index.table}_docsize" if connection.dialect.name == "sqlite" else index.table
        known = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
        gone = connection.execute(text(f"SELECT count(*) FROM ({index.stale}) AS s WHERE {_gone(index)}")).scalar_one()
        there = connection.execute(text(f"SELECT count(*) FROM {index.source} WHERE id <= {index.newest}")).scalar_one()
        if known - gone != there:
            problems.append(f"the search index knows {known - gone} {index.source} of {there}")
    return problems


def _gone(index: Index) -> str:
    return f"id NOT IN (SELECT id FROM {index.source})"
