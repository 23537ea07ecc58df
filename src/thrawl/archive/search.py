"""Full-text search: FTS5 on SQLite, a tsvector on PostgreSQL; the same words give the same posts.

Every word must occur in the post. The words are data, never an expression of the search engine's own language.
FTS5 takes in many posts at a time for half the price, so the newest posts of a running crawl are not in its index
yet; they are few, and are looked through one by one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection, text

from thrawl.archive.values import SearchHit, from_shown

_WORD: Final = re.compile(r"\w+")
_AROUND: Final = 80  # characters before and after a word in a snippet
_FIELDS: Final = """threads.url AS thread_url, threads.title AS thread_title, posts.post_id, posts.post_url,
    authors.name AS author, posts.published"""
_JOINS: Final = "JOIN threads ON threads.id = posts.thread_id LEFT JOIN authors ON authors.id = posts.author_id"
_SQLITE: Final = text(
    f"""SELECT {_FIELDS}, snippet(posts_fts, 0, '«', '»', '…', 24) AS snippet
    FROM posts_fts JOIN posts ON posts.id = posts_fts.rowid {_JOINS}
    WHERE posts_fts MATCH :words ORDER BY posts_fts.rank LIMIT :count"""
)
_UNINDEXED: Final = "posts.id > coalesce((SELECT max(id) FROM posts_fts_docsize), 0)"
_NEWEST: Final = text(f"SELECT {_FIELDS}, posts.text FROM posts {_JOINS} WHERE {_UNINDEXED} ORDER BY posts.id")
_INDEX: Final = text(f"INSERT INTO posts_fts (rowid, text) SELECT id, text FROM posts WHERE {_UNINDEXED}")
_POSTGRES: Final = text(
    f"""SELECT {_FIELDS}, ts_headline('simple', left(posts.text, 20000), asked,
        'StartSel=«, StopSel=», MaxWords=24, MinWords=10') AS snippet
    FROM to_tsquery('simple', :words) AS asked, posts {_JOINS}
    WHERE posts.words @@ asked ORDER BY ts_rank(posts.words, asked) DESC, posts.id LIMIT :count"""
)


def index_posts(connection: Connection) -> None:
    """Take the posts that came since the last time into the index; PostgreSQL does so by itself."""
    if connection.dialect.name == "sqlite":
        connection.execute(_INDEX)


def search(connection: Connection, words: str, limit: int) -> list[SearchHit]:
    """Posts that hold all the words, best first."""
    found = _WORD.findall(words)
    if not found:
        return []
    if connection.dialect.name != "sqlite":
        asked = " & ".join(f"'{word}'" for word in found)
        return [_hit(row, row.snippet) for row in connection.execute(_POSTGRES, {"words": asked, "count": limit})]
    asked = " ".join(f'"{word}"' for word in found)
    hits = [_hit(row, row.snippet) for row in connection.execute(_SQLITE, {"words": asked, "count": limit})]
    return [*hits, *_newest(connection, found)][:limit]


def _newest(connection: Connection, words: list[str]) -> Iterator[SearchHit]:
    wanted = {_folded(word) for word in words}
    for row in connection.execute(_NEWEST):
        if wanted <= {_folded(word) for word in _WORD.findall(row.text)}:
            yield _hit(row, _marked(row.text, wanted))


def _folded(word: str) -> str:
    """As the index takes words: without case and without accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(char))


def _marked(shown: str, wanted: set[str]) -> str:
    """The text around the first of the words, all of them marked."""
    first = next(match for match in _WORD.finditer(shown) if _folded(match[0]) in wanted)
    begin = max(0, first.start() - _AROUND)
    part = shown[begin : first.end() + _AROUND]
    marked = _WORD.sub(lambda match: f"«{match[0]}»" if _folded(match[0]) in wanted else match[0], part)
    return f"{'…' if begin else ''}{marked}{'…' if first.end() + _AROUND < len(shown) else ''}"


def _hit(row: Any, snippet: str) -> SearchHit:
    return SearchHit(
        thread_url=row.thread_url,
        thread_title=row.thread_title,
        post_id=row.post_id,
        post_url=row.post_url,
        author=row.author,
        published=from_shown(row.published),
        snippet=" ".join(snippet.split()),
    )
