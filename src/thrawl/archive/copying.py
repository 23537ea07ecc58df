"""Posts written by PostgreSQL's COPY, which takes those of a page in little more than half the CPU of statements.

COPY knows nothing of conflicts, so it takes only pages of which the archive holds no post yet, as nearly all pages of a
first crawl are; the others are upserted. The archive has one writer, so what is not there when it looks is not there
when it writes either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from thrawl.archive.known import KnownIds, author_mark
from thrawl.archive.statements import POST

# Posts of a page from which on COPY is cheaper: to write one takes it a quarter more CPU than an INSERT, to write five
# a fifth less, fifteen little more than half (docs/scale.md).
LEAST_POSTS: Final = 5

_COPY: Final = f"COPY posts ({', '.join((*POST, 'author_id'))}) FROM STDIN"
_HELD: Final = "SELECT 1 FROM posts WHERE thread_id = %(thread_id)s AND identity = ANY(%(identities)s) LIMIT 1"
_AUTHORS: Final = """
    SELECT name, url, id FROM authors WHERE forum_id = %(forum_id)s
    AND (name, url) IN (SELECT * FROM unnest(%(names)s::text[], %(urls)s::text[]))"""

Row = dict[str, Any]


class PostCopy:
    """Copies posts, on a driver's cursor within a transaction that the caller ends."""

    def __init__(self, size: int) -> None:
        self._authors = KnownIds(size)

    def takes(self, cursor: Any, rows: Sequence[Row], *, thread_has_posts: bool) -> bool:
        """Whether the posts of a page can be copied: they are many enough, and none of them is archived."""
        identities = {row["identity"] for row in rows}
        if len(rows) < LEAST_POSTS or len(identities) < len(rows):
            return False
        if not thread_has_posts:
            return True
        asked = {"thread_id": rows[0]["thread_id"], "identities": list(identities)}
        return cursor.execute(_HELD, asked).fetchone() is None

    def write(self, cursor: Any, rows: Sequence[Row]) -> None:
        """Write the posts of one page, whose authors are there already."""
        authors = self._ids(cursor, rows)
        with cursor.copy(_COPY) as copy:
            for row in rows:
                copy.write_row([*(row[name] for name in POST), authors.get((row["author_name"], row["author_url"]))])

    def forget(self) -> None:
        """After a transaction was rolled back the authors that it added are not there."""
        self._authors.forget()

    def _ids(self, cursor: Any, rows: Sequence[Row]) -> dict[tuple[str, str], int]:
        """The authors of a page, by name and URL."""
        forum_id = rows[0]["forum_id"]
        named = {(row["author_name"], row["author_url"]) for row in rows if row["author_name"] is not None}
        known = {author: self._authors.get(author_mark(forum_id, *author)) for author in named}
        ids = {author: number for author, number in known.items() if number is not None}
        if unknown := named - ids.keys():
            names, urls = zip(*unknown, strict=True)
            asked = {"forum_id": forum_id, "names": list(names), "urls": list(urls)}
            for name, url, number in cursor.execute(_AUTHORS, asked):
                ids[name, url] = number
                self._authors.remember(author_mark(forum_id, name, url), number)
        return ids
