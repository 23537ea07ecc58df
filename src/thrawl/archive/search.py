"""Finding posts by their words: the same words find the same posts, in the same order, on SQLite and PostgreSQL.

Both databases index the tokens that `words` cuts, and only propose posts: each is checked on its own text before it
is shown, which is how phrases are found and how an index that lags behind can never tell a lie. The thread's title
counts for its opening post. Threads whose titles hold the words come first, then the newest posts.

Indexing many posts at a time costs half as much as one by one, so the newest posts of a running crawl are not in the
index yet, and those that changed stand in `search_stale` with the text that the index holds; they are few, and are
looked through one by one. The words asked for are data, never an expression of the database's own language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from sqlalchemy import Connection, and_, bindparam, select, text
from sqlalchemy.sql import Select

from thrawl.archive.selection import EVERYTHING, Chosen, Selection, choose
from thrawl.archive.tables import authors, posts, threads
from thrawl.archive.values import SearchHit, from_shown
from thrawl.archive.words import Term, Unit, asked, holds, places, tokens_of, unit_texts, units_of

_BATCH: Final = 200  # posts whose texts are looked at together
_AROUND: Final = 80  # characters before and after a word in a snippet
_INDEX_BATCH: Final = 2000  # posts indexed with one statement


@dataclass(frozen=True, slots=True)
class Index:
    """One of the two indexes: of the texts of posts, of the titles of threads."""

    source: str
    column: str
    table: str
    newest: str

    @property
    def stale(self) -> str:
        return f"SELECT id FROM search_stale WHERE source = '{self.source}'"


def _index(database: str, source: str, column: str) -> Index:
    table = f"{source}_fts" if database == "sqlite" else f"{source}_words"
    kept = f"{table}_docsize" if database == "sqlite" else table
    return Index(source, column, table, f"coalesce((SELECT max(id) FROM {kept}), 0)")


def indexes(database: str) -> tuple[Index, Index]:
    """Of posts and of threads."""
    return _index(database, "posts", "text"), _index(database, "threads", "title")


def index_posts(connection: Connection) -> None:
    """Take what came or changed since the last time into the indexes."""
    for index in indexes(connection.dialect.name):
        _mend(connection, index)
        _grow(connection, index)


def search(connection: Connection, words: str, limit: int, selection: Selection = EVERYTHING) -> list[SearchHit]:
    """Posts that hold all the terms, those first that open a thread whose title does, then the newest."""
    terms = asked(words)
    if not terms:
        return []
    chosen = choose(connection, selection)
    opening = list(islice(matching_openings(connection, terms, chosen), limit))
    known = {row.id for row in opening}
    rest = (row for row in matching_posts(connection, terms, chosen) if row.id not in known)
    return [hit_of(row, terms) for row in islice(chain(opening, rest), limit)]


def proposed(database: str, index: Index) -> str:
    """The query for the ids that may hold the words: what the index says, and all that it does not know yet."""
    if database == "sqlite":
        found = f"SELECT rowid FROM {index.table} WHERE {index.table} MATCH :words"
    else:
        found = f"SELECT id FROM {index.table} WHERE words @@ CAST(:words AS tsquery)"
    newest = f"SELECT id FROM {index.source} WHERE id > {index.newest}"
    return f"SELECT * FROM ({found}) AS known UNION SELECT * FROM ({newest}) AS new UNION {index.stale}"


def expression(database: str, terms: Sequence[Term]) -> str:
    """The tokens of the terms as the database wants them. They hold nothing but letters, digits and underscores."""
    tokens = dict.fromkeys(token for term in terms for token in term.tokens)
    if database == "sqlite":
        return " AND ".join(f'"{token}"{" *" if begins else ""}' for token, begins in tokens)
    return " & ".join(f"'{token}'{':*' if begins else ''}" for token, begins in tokens)


def matching_posts(connection: Connection, terms: list[Term], chosen: Chosen) -> Iterator[Any]:
    """The posts that hold the terms, newest first: ids in their order, then texts by the hundred."""
    database = connection.dialect.name
    index, _ = indexes(database)
    ids = text(proposed(database, index)).bindparams(words=expression(database, terms))
    query = (
        select(posts.c.id)
        .join(threads, threads.c.id == posts.c.thread_id)
        .where(posts.c.id.in_(ids.columns(posts.c.id).scalar_subquery()), chosen.of_threads(), chosen.of_posts())
        .order_by(*NEWEST_FIRST)
    )
    for batch in _batches(row.id for row in connection.execute(query).all()):
        for row in connection.execute(shown_posts().where(posts.c.id.in_(batch)).order_by(*NEWEST_FIRST)):
            if holds(unit_texts(row.text), terms):
                yield row


def matching_openings(connection: Connection, terms: list[Term], chosen: Chosen) -> Iterator[Any]:
    """The opening posts of the threads whose titles hold the terms."""
    database = connection.dialect.name
    _, index = indexes(database)
    ids = text(proposed(database, index)).bindparams(words=expression(database, terms))
    query = select(threads.c.id, threads.c.title).where(
        threads.c.id.in_(ids.columns(threads.c.id).scalar_subquery()), chosen.of_threads()
    )
    titled = [row.id for row in connection.execute(query) if row.title and holds(unit_texts(row.title), terms)]
    others = posts.alias("others")
    first = (
        select(others.c.id)
        .where(others.c.thread_id == threads.c.id)
        .order_by(others.c.page_number, others.c.index_on_page, others.c.id)
        .limit(1)
        .scalar_subquery()
    )
    found: list[Any] = []
    for batch in _batches(titled):
        opening = and_(threads.c.id.in_(batch), posts.c.id == first, chosen.of_posts())
        found.extend(connection.execute(shown_posts().where(opening)))
    return iter(sorted(found, key=lambda row: (row.published or "", row.id), reverse=True))


NEWEST_FIRST: Final = (posts.c.published.desc().nulls_last(), posts.c.id.desc())


def shown_posts() -> Select[Any]:
    return (
        select(
            *(posts.c.id, posts.c.thread_id, posts.c.post_id, posts.c.post_url, posts.c.published, posts.c.text),
            threads.c.url.label("thread_url"),
            threads.c.title.label("thread_title"),
            authors.c.name.label("author"),
        )
        .join(threads, threads.c.id == posts.c.thread_id)
        .outerjoin(authors, authors.c.id == posts.c.author_id)
    )


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    source = iter(ids)
    while batch := list(islice(source, _BATCH)):
        yield batch


# --- keeping the indexes


def _mend(connection: Connection, index: Index) -> None:
    """Take out what changed or went, by the text that the index holds, and take in what there is now."""
    stale = text("SELECT id, indexed FROM search_stale WHERE source = :source")
    old = [(row.id, row.indexed) for row in connection.execute(stale, {"source": index.source})]
    if not old:
        return
    _remove(connection, index, old)
    query = text(f"SELECT id, {index.column} AS words FROM {index.source} WHERE id IN :ids").bindparams(
        bindparam("ids", expanding=True)
    )
    for batch in _batches(number for number, _ in old):
        _insert(connection, index, [(row.id, row.words) for row in connection.execute(query, {"ids": batch})])
    connection.execute(text("DELETE FROM search_stale WHERE source = :source"), {"source": index.source})


def _grow(connection: Connection, index: Index) -> None:
    newest = connection.execute(text(f"SELECT {index.newest}")).scalar_one()
    query = f"SELECT id, {index.column} AS words FROM {index.source} WHERE id > :newest ORDER BY id LIMIT :count"
    while True:
        rows = connection.execute(text(query), {"newest": newest, "count": _INDEX_BATCH}).all()
        if not rows:
            return
        _insert(connection, index, [(row.id, row.words) for row in rows])
        newest = rows[-1].id


def _insert(connection: Connection, index: Index, rows: Sequence[tuple[int, str | None]]) -> None:
    if connection.dialect.name == "sqlite":
        statement = f"INSERT INTO {index.table} (rowid, words) VALUES (:id, :words)"
    else:
        statement = f"INSERT INTO {index.table} (id, words) VALUES (:id, array_to_tsvector(CAST(:words AS text[])))"
    if rows:
        connection.execute(text(statement), _tokens(connection, rows))


def _remove(connection: Connection, index: Index, old: Sequence[tuple[int, str | None]]) -> None:
    if connection.dialect.name == "sqlite":
        statement = f"INSERT INTO {index.table} ({index.table}, rowid, words) VALUES ('delete', :id, :words)"
        connection.execute(text(statement), _tokens(connection, old))
    else:
        statement = f"DELETE FROM {index.table} WHERE id = :id"
        connection.execute(text(statement), [{"id": number} for number, _ in old])


def _tokens(connection: Connection, rows: Sequence[tuple[int, str | None]]) -> list[dict[str, Any]]:
    """Rows as the index takes them: FTS5 a text of tokens, PostgreSQL a list of them."""
    cut = [(number, tokens_of(words or "")) for number, words in rows]
    joined = connection.dialect.name == "sqlite"
    return [{"id": number, "words": " ".join(tokens) if joined else tokens} for number, tokens in cut]


# --- telling what was found


def hit_of(row: Any, terms: Sequence[Term]) -> SearchHit:
    return SearchHit(
        thread_url=row.thread_url,
        thread_title=row.thread_title,
        post_id=row.post_id,
        post_url=row.post_url,
        author=row.author,
        published=from_shown(row.published),
        snippet=" ".join(snippet(row.text, terms).split()),
    )


def snippet(shown: str, terms: Sequence[Term]) -> str:
    """The text around the first of the terms, all of them marked; the beginning where only the title holds them."""
    marks = _marked(list(units_of(shown)), terms)
    begin = max(0, marks[0][0] - _AROUND) if marks else 0
    end = marks[0][1] + _AROUND if marks else 2 * _AROUND
    parts, at = [], begin
    for first, last in marks:
        if last > end:
            break
        parts += [shown[at:first], "«", shown[first:last], "»"]
        at = last
    return f"{'…' if begin else ''}{''.join(parts)}{shown[at:end]}{'…' if end < len(shown) else ''}"


def _marked(units: Sequence[Unit], terms: Sequence[Term]) -> list[tuple[int, int]]:
    """Where terms stand in a text, in order; those that touch are one."""
    texts = [unit.text for unit in units]
    spans = sorted(
        (units[place].begin, units[place + len(term.units) - 1].end) for term in terms for place in places(texts, term)
    )
    joined: list[tuple[int, int]] = []
    for begin, end in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
