"""A part of an archive: of one forum, one board, one author, some span of time. For searching and for exporting.

Names are compared as search compares words, without case and accents. Boards, authors and forums are looked up first
(there are few of each), so that the databases compare nothing but numbers and times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, select

from thrawl.archive.boards import BoardPaths
from thrawl.archive.tables import authors, boards, forums, posts, threads
from thrawl.archive.values import StoredPost, to_shown
from thrawl.archive.words import folded
from thrawl.errors import InputError, UsageError


@dataclass(frozen=True, slots=True)
class Selection:
    """What is wanted; None means all.

    `forum` is an entry URL or a host, `board` a part of a board's title or its URL (boards below it count),
    `author` a name; `since` and `before` bound the time at which a post was published. A time without a zone is
    compared as it stands.
    """

    forum: str | None = None
    board: str | None = None
    author: str | None = None
    since: datetime | None = None
    before: datetime | None = None

    @property
    def of_posts(self) -> bool:
        """Whether some posts of a thread may be wanted and others not."""
        return self.author is not None or self.since is not None or self.before is not None


EVERYTHING: Final = Selection()


def moment(text: str) -> datetime:
    """A time as a user writes it: 2026, 2026-05, 2026-05-01, or a whole ISO time."""
    parts = text.strip().split("-")
    whole = text.strip() + ("-01" * (3 - len(parts)) if len(parts) < 3 and all(map(str.isdigit, parts)) else "")
    try:
        return datetime.fromisoformat(whole)
    except ValueError:
        raise UsageError(f"'{text}' is no time; write it as 2026-05-01 or 2026-05-01T12:30") from None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A selection as the ids of one archive; None where everything is wanted."""

    forums: frozenset[int] | None = None
    boards: frozenset[int] | None = None
    authors: frozenset[int] | None = None
    since: str | None = None
    before: str | None = None

    def of_threads(self) -> ColumnElement[bool]:
        """For a query over `threads`."""
        return and_(True, *among(threads.c.forum_id, self.forums), *among(threads.c.board_id, self.boards))

    def of_posts(self) -> ColumnElement[bool]:
        """For a query over `posts`."""
        times: list[ColumnElement[bool]] = []
        if self.since is not None:
            times.append(posts.c.published >= self.since)
        if self.before is not None:
            times.append(posts.c.published < self.before)
        return and_(True, *among(posts.c.author_id, self.authors), *times)


def choose(connection: Connection, selection: Selection) -> Chosen:
    """Look a selection up in an archive; a forum, board or author that is not there is an error that says so."""
    if selection == EVERYTHING:
        return Chosen()
    return Chosen(
        forums=_found("forum", selection.forum, lambda asked: _forums(connection, asked)),
        boards=_found("board", selection.board, lambda asked: _boards(connection, asked)),
        authors=_found("author", selection.author, lambda asked: _authors(connection, asked)),
        since=to_shown(selection.since),
        before=to_shown(selection.before),
    )


def wants(selection: Selection, post: StoredPost) -> bool:
    """Whether a post of a wanted thread is wanted itself."""
    if selection.author is not None and (post.author is None or folded(post.author) != folded(selection.author)):
        return False
    if selection.since is None and selection.before is None:
        return True
    since, before, shown = to_shown(selection.since), to_shown(selection.before), to_shown(post.published)
    return shown is not None and (since is None or shown >= since) and (before is None or shown < before)


def among(column: Any, ids: frozenset[int] | None) -> Iterable[ColumnElement[bool]]:
    return () if ids is None else (column.in_(sorted(ids)),)


def _found(what: str, asked: str | None, look: Callable[[str], Iterable[int]]) -> frozenset[int] | None:
    if asked is None:
        return None
    ids = frozenset(look(asked))
    if not ids:
        raise InputError(f"the archive holds no {what} '{asked}'")
    return ids


def _forums(connection: Connection, asked: str) -> Iterable[int]:
    wanted = asked.rstrip("/")
    rows = connection.execute(select(forums.c.id, forums.c.entry_url, forums.c.host))
    return [row.id for row in rows if wanted in (row.entry_url.rstrip("/"), row.host)]


def _boards(connection: Connection, asked: str) -> Iterable[int]:
    paths, wanted = BoardPaths(connection), folded(asked)
    for row in connection.execute(select(boards.c.id, boards.c.url)).all():
        titles, _ = paths.of(row.id)
        if row.url == asked or any(wanted in folded(title) for title in titles):
            yield row.id


def _authors(connection: Connection, asked: str) -> Iterable[int]:
    wanted = folded(asked)
    rows = connection.execute(select(authors.c.id, authors.c.name))
    return [row.id for row in rows if folded(row.name) == wanted]
