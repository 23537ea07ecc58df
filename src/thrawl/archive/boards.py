"""The tree of boards, as breadcrumbs tell it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, select, update

from thrawl.archive.statements import dialect_for, insert_for
from thrawl.archive.storable import key_url, storable
from thrawl.archive.tables import boards
from thrawl.archive.values import BoardRef

MAX_DEPTH: Final = 32  # breadcrumbs end far earlier; a loop in the tree must end somewhere
_REMEMBERED: Final = 1000  # breadcrumbs; a forum has some dozens of boards


@dataclass(frozen=True, slots=True)
class _Statements:
    upsert: str
    parent: str
    cut: str


@cache
def _statements_for(database: str) -> _Statements:
    dialect = dialect_for(database)
    new = insert_for(database)(boards)
    upsert = new.on_conflict_do_update(
        index_elements=["forum_id", "key"],
        set_={
            "title": new.excluded.title,
            "parent_id": func.coalesce(new.excluded.parent_id, boards.c.parent_id),
        },
    ).returning(boards.c.id)
    names = ["forum_id", "key", "url", "title", "parent_id"]
    this = boards.c.id == bindparam("board_id")
    return _Statements(
        upsert=str(upsert.compile(dialect=dialect, column_keys=names)),
        parent=str(select(boards.c.parent_id).where(this).compile(dialect=dialect)),
        cut=str(update(boards).where(this).values(parent_id=None).compile(dialect=dialect)),
    )


class Boards:
    """Saves breadcrumbs and remembers those already saved; most pages bring none that is new."""

    def __init__(self, database: str) -> None:
        self._sql = _statements_for(database)
        self._known: OrderedDict[tuple[int, tuple[BoardRef, ...]], int] = OrderedDict()

    def forget(self) -> None:
        """After a transaction was rolled back, nothing remembered is certain."""
        self._known.clear()

    def leaf(self, cursor: Any, forum_id: int, path: Sequence[BoardRef]) -> int | None:
        """The id of the last board of a breadcrumb; all of its boards are in the tree then."""
        path = tuple(path)[-MAX_DEPTH:]
        if not path:
            return None
        known = self._known.get((forum_id, path))
        if known is not None:
            return known
        board_id = self._save(cursor, forum_id, path)
        self._known[forum_id, path] = board_id
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return board_id

    def _save(self, cursor: Any, forum_id: int, path: tuple[BoardRef, ...]) -> int:
        board_id: int | None = None
        for depth, board in enumerate(path):
            key = key_url(board.url or "/".join(step.title for step in path[: depth + 1]))
            row = {
                "forum_id": forum_id,
                "key": key,
                "url": key_url(board.url) if board.url else None,
                "title": storable(board.title),
                "parent_id": board_id,
            }
            board_id = int(cursor.execute(self._sql.upsert, row).fetchone()[0])
            self._break_loop(cursor, board_id)
        assert board_id is not None
        return board_id

    def _break_loop(self, cursor: Any, board_id: int) -> None:
        """Pages can contradict each other; a board below itself becomes a root again."""
        above: int | None = board_id
        for _ in range(MAX_DEPTH):
            above = cursor.execute(self._sql.parent, {"board_id": above}).fetchone()[0]
            if above is None:
                return
            if above == board_id:
                break
        cursor.execute(self._sql.cut, {"board_id": board_id, "parent_id": None})


class BoardPaths:
    """Titles from the root to a board, remembered: a forum has few boards and many threads."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[int, tuple[tuple[str, ...], str | None]] = {}

    def of(self, board_id: int | None) -> tuple[tuple[str, ...], str | None]:
        """The path of titles, and the URL of the board itself."""
        if board_id is None:
            return (), None
        if board_id not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[board_id] = self._read(board_id)
        return self._known[board_id]

    def _read(self, board_id: int) -> tuple[tuple[str, ...], str | None]:
        titles: list[str] = []
        url: str | None = None
        above: int | None = board_id
        while above is not None and len(titles) < MAX_DEPTH:
            query = select(boards.c.title, boards.c.url, boards.c.parent_id).where(boards.c.id == above)
            title, own_url, above = self._connection.execute(query).one()
            url = own_url if not titles else url
            titles.insert(0, title)
        return tuple(titles), url
