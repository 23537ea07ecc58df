"""Full-text search: FTS5 on SQLite, a tsvector on PostgreSQL; the same words give the same posts.

Every word must occur in the post. The words are data, never an expression of the search engine's own language.
"""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import Connection, text

from thrawl.archive.values import SearchHit, from_shown

_WORD: Final = re.compile(r"\w+")
_FIELDS: Final = """threads.url AS thread_url, threads.title AS thread_title, posts.post_id, posts.post_url,
    authors.name AS author, posts.published"""
_JOINS: Final = "JOIN threads ON threads.id = posts.thread_id LEFT JOIN authors ON authors.id = posts.author_id"
_SQLITE: Final = text(
    f"""SELECT {_FIELDS}, snippet(posts_fts, 0, '«', '»', '…', 24) AS snippet
    FROM posts_fts JOIN posts ON posts.id = posts_fts.rowid {_JOINS}
    WHERE posts_fts MATCH :words ORDER BY posts_fts.rank LIMIT :count"""
)
_POSTGRES: Final = text(
    f"""SELECT {_FIELDS}, ts_headline('simple', left(posts.text, 20000), asked,
        'StartSel=«, StopSel=», MaxWords=24, MinWords=10') AS snippet
    FROM to_tsquery('simple', :words) AS asked, posts {_JOINS}
    WHERE posts.words @@ asked ORDER BY ts_rank(posts.words, asked) DESC, posts.id LIMIT :count"""
)


def search(connection: Connection, words: str, limit: int) -> list[SearchHit]:
    """Posts that hold all the words, best first."""
    found = _WORD.findall(words)
    if not found:
        return []
    if connection.dialect.name == "sqlite":
        rows = connection.execute(_SQLITE, {"words": " ".join(f'"{word}"' for word in found), "count": limit})
    else:
        rows = connection.execute(_POSTGRES, {"words": " & ".join(f"'{word}'" for word in found), "count": limit})
    return [
        SearchHit(
            thread_url=row.thread_url,
            thread_title=row.thread_title,
            post_id=row.post_id,
            post_url=row.post_url,
            author=row.author,
            published=from_shown(row.published),
            snippet=" ".join(row.snippet.split()),
        )
        for row in rows
    ]
