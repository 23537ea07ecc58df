"""Who is named in a thread, and whether he is heard there.

A row names who opened a thread or last wrote in it, a quotation whom it quotes. Each of them wrote a post of that
thread; where no such post is archived, posts were lost in reading. Only names that wrote elsewhere in the forum count:
other words are no names, or read wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sqlalchemy import Connection, select

from thrawl.archive.facts import Voices
from thrawl.archive.tables import authors, posts, threads

_MOST: Final = 4000  # threads with a named person, and posts with quotations: enough for a share, and no more memory
_AT_ONCE: Final = 500  # threads asked for in one query


def voices_of(connection: Connection, forum_id: int) -> tuple[Voices, Voices]:
    """The voices that rows tell of, and those that quotations do."""
    known = {_fold(name) for name in connection.scalars(select(authors.c.name).where(authors.c.forum_id == forum_id))}
    told = [_by_thread(ways, known) for ways in (_in_rows(connection, forum_id), _in_quotes(connection, forum_id))]
    spoke = _speakers(connection, sorted({thread for named in told for thread in named}))
    rows, quotes = (_count(named, spoke) for named in told)
    return rows, quotes


def _in_rows(connection: Connection, forum_id: int) -> Iterator[tuple[int, str]]:
    columns = (threads.c.id, threads.c.author, threads.c.last_author)
    query = select(*columns).where(threads.c.forum_id == forum_id, threads.c.vanished.is_(None)).limit(_MOST)
    for thread, author, last in connection.execute(query):
        yield from ((thread, name) for name in (author, last) if name)


def _in_quotes(connection: Connection, forum_id: int) -> Iterator[tuple[int, str]]:
    quoting = select(posts.c.thread_id, posts.c.quotes).join(threads, threads.c.id == posts.c.thread_id)
    query = quoting.where(threads.c.forum_id == forum_id, posts.c.quotes.is_not(None)).limit(_MOST)
    for thread, quotes in connection.execute(query):
        yield from ((thread, quote["author"]) for quote in json.loads(quotes) if quote["author"])


def _by_thread(named: Iterable[tuple[int, str]], known: set[str]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for thread, name in named:
        folded = _fold(name)
        if folded in known:
            found.setdefault(thread, set()).add(folded)
    return found


def _speakers(connection: Connection, wanted: Sequence[int]) -> dict[int, set[str]]:
    """Who wrote in each of these threads."""
    found: dict[int, set[str]] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = posts.c.thread_id.in_(wanted[start : start + _AT_ONCE])
        writers = select(posts.c.thread_id, authors.c.name).join(authors, authors.c.id == posts.c.author_id)
        for thread, name in connection.execute(writers.where(some).distinct()):
            found.setdefault(thread, set()).add(_fold(name))
    return found


def _count(named: dict[int, set[str]], spoke: dict[int, set[str]]) -> Voices:
    heard = [name in spoke[thread] for thread, names in named.items() if thread in spoke for name in names]
    return Voices(len(heard), heard.count(False))


def _fold(name: str) -> str:
    return name.strip().casefold()
