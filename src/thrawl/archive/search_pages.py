"""Search as the reader's pages need it: page by page, quick on a large archive also for words that every post holds.

The same posts in the same order as `search`, as far as one looks. Where the words are in very many posts, those are
walked from the newest on instead of being sorted, and no request looks at more than some thousand texts: a page then
says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from sqlalchemy import Connection, Select, func, select, text

from thrawl.archive.reading import stream
from thrawl.archive.search import (
    NEWEST_FIRST,
    expression,
    hit_of,
    indexes,
    matching_openings,
    matching_posts,
    shown_posts,
)
from thrawl.archive.selection import EVERYTHING, Chosen, Selection, choose
from thrawl.archive.tables import posts, threads
from thrawl.archive.values import SearchHit
from thrawl.archive.words import Term, asked, holds, unit_texts

_MANY: Final = 5_000  # posts with the words above which sorting them all costs more than walking from the newest on
_LOOKED_AT: Final = 20_000  # texts that one request looks at: some tenths of a second where none of them fits
_SMALL_PART: Final = 0.05  # of all threads: fewer are sorted sooner than they turn up along the way
_BATCH: Final = 200
_MOST_TITLES: Final = 2_000  # of threads whose titles hold the words; more tell nobody anything


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A hit with the ids by which the reader links it."""

    id: int
    thread_id: int
    hit: SearchHit


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Some hits; `more` tells whether others follow, `gave_up` whether older posts were not looked at."""

    hits: tuple[FoundPost, ...]
    more: bool
    gave_up: bool = False


def search_page(
    connection: Connection, words: str, offset: int, limit: int, selection: Selection = EVERYTHING
) -> SearchPage:
    """The hits after so many others."""
    terms = asked(words)
    if not terms:
        return SearchPage((), more=False)
    chosen = choose(connection, selection)
    found = list(islice(_all(connection, terms, chosen), offset, offset + limit + 1))
    gave_up = bool(found) and found[-1] is None
    rows = found[:-1] if gave_up else found
    hits = tuple(FoundPost(row.id, row.thread_id, hit_of(row, terms)) for row in rows[:limit])
    return SearchPage(hits, more=len(rows) > limit, gave_up=gave_up)


def _all(connection: Connection, terms: list[Term], chosen: Chosen) -> Iterator[Any]:
    """Rows of posts; a last None where the looking was given up."""
    opening = (
        [] if _are_many(connection, terms, 1, _MOST_TITLES) else list(matching_openings(connection, terms, chosen))
    )
    known = {row.id for row in opening}
    many = _are_many(connection, terms, 0, _MANY)
    rest = _walked(connection, terms, chosen) if many else matching_posts(connection, terms, chosen)
    return chain(opening, (row for row in rest if row is None or row.id not in known))


def _are_many(connection: Connection, terms: Sequence[Term], which: int, most: int) -> bool:
    """Whether more posts (0) or threads (1) than that hold the tokens; the database counts no further."""
    if connection.dialect.name != "sqlite":  # PostgreSQL chooses between walking and sorting by itself
        return False
    index = indexes("sqlite")[which]
    some = f"SELECT count(*) FROM (SELECT rowid FROM {index.table} WHERE {index.table} MATCH :words LIMIT :most)"
    values = {"words": expression("sqlite", terms), "most": most + 1}
    return int(connection.execute(text(some), values).scalar_one()) > most


def _walked(connection: Connection, terms: Sequence[Term], chosen: Chosen) -> Iterator[Any]:
    """The newest posts, each looked at: soon enough of them hold words that so many posts hold."""
    plain = _plain(terms)
    newest = _sorted if _is_small_part(connection, chosen) else _in_order
    for number, row in enumerate(newest(connection, chosen)):
        if number >= _LOOKED_AT:
            yield None
            return
        lower = row.text.lower() if plain and row.text.isascii() else None
        if lower is not None and not all(word in lower for word in plain):
            continue
        if holds(unit_texts(row.text), terms):
            yield connection.execute(shown_posts().where(posts.c.id == row.id)).one()


def _is_small_part(connection: Connection, chosen: Chosen) -> bool:
    """Whether only a few of all threads are wanted."""
    if chosen.forums is None and chosen.boards is None:
        return False
    number = select(func.count()).select_from(threads)
    wanted = connection.execute(number.where(chosen.of_threads())).scalar_one()
    return bool(wanted < _SMALL_PART * connection.execute(number).scalar_one())


def _sorted(connection: Connection, chosen: Chosen) -> Iterator[Any]:
    """The posts of a few threads: all of them are sorted, and their texts come by the hundred."""
    query = select(posts.c.id).join(threads, threads.c.id == posts.c.thread_id)
    ids = (
        connection.execute(query.where(chosen.of_threads(), chosen.of_posts()).order_by(*NEWEST_FIRST)).scalars().all()
    )
    for begin in range(0, len(ids), _BATCH):
        some = ids[begin : begin + _BATCH]
        texts = {row.id: row for row in connection.execute(_texts().where(posts.c.id.in_(some)))}
        yield from (texts[number] for number in some)


def _in_order(connection: Connection, chosen: Chosen) -> Iterator[Any]:
    """The posts of most threads: along the index of their times, those of other threads left out."""
    rows = stream(connection, _texts().where(chosen.of_posts()).order_by(*NEWEST_FIRST))
    if chosen.forums is None and chosen.boards is None:
        yield from rows
        return
    while batch := list(islice(rows, _BATCH)):
        ours = threads.c.id.in_({row.thread_id for row in batch})
        wanted = set(connection.execute(select(threads.c.id).where(ours, chosen.of_threads())).scalars())
        yield from (row for row in batch if row.thread_id in wanted)


def _texts() -> Select[Any]:
    return select(posts.c.id, posts.c.thread_id, posts.c.text)


def _plain(terms: Sequence[Term]) -> tuple[str, ...]:
    """What must stand in a text of plain letters before it is worth cutting into words."""
    return tuple(unit for term in terms for unit in term.units if unit.isascii())
