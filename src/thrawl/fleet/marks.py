"""One forum under two names: the entry page tells, or the threads that its lists show.

`forum.example` and `www.forum.example` answer with the same threads at the same paths; so do a mirror and its source.
Two forums of one package have the same paths, and other titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, func, select, text, update

from thrawl.archive.statements import insert_for
from thrawl.archive.storable import key_url
from thrawl.fleet.registry import Registry
from thrawl.fleet.tables import fleet_forums, fleet_marks
from thrawl.fleet.values import ForumState

# Threads that two lists must share to be of one forum, and their share of all that one shows: rows come and go between
# two looks, and two forums of one package may both welcome their members in thread 1.
_SAME_MARKS: Final = 5
_SAME_SHARE: Final = 0.5


class Marks:
    """What forums are known again by."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def put(self, forum_id: int, entry: str, marks: Sequence[int]) -> str | None:
        """Note what a forum was learned to be; the URL of the one that it is already, where there is one."""
        with self._registry.transaction() as connection:
            if self._registry.place.is_shared:  # two names may be learned by two workers at the same moment
                connection.execute(text(f"LOCK TABLE {fleet_marks.name} IN SHARE ROW EXCLUSIVE MODE"))
            same = _by_entry(connection, forum_id, entry) or _by_marks(connection, forum_id, marks)
            if same is None:
                _note(connection, forum_id, entry, marks)
        return same


def _by_entry(connection: Connection, forum_id: int, entry: str) -> str | None:
    other = (fleet_forums.c.entry == key_url(entry), fleet_forums.c.id != forum_id)
    return connection.execute(select(fleet_forums.c.url).where(*other)).scalar_one_or_none()


def _by_marks(connection: Connection, forum_id: int, marks: Sequence[int]) -> str | None:
    number = func.count().label("number")
    shared = (
        select(fleet_forums.c.url, number)
        .join(fleet_marks, fleet_marks.c.forum_id == fleet_forums.c.id)
        .where(fleet_marks.c.mark.in_(marks), fleet_forums.c.id != forum_id)
        .where(fleet_forums.c.state != ForumState.DUPLICATE.value)
        .group_by(fleet_forums.c.id, fleet_forums.c.url)
        .order_by(number.desc(), fleet_forums.c.id)
        .limit(1)
    )
    row = connection.execute(shared).one_or_none()
    if row is None or row.number < max(_SAME_MARKS, _SAME_SHARE * len(marks)):
        return None
    return str(row.url)


def _note(connection: Connection, forum_id: int, entry: str, marks: Sequence[int]) -> None:
    connection.execute(update(fleet_forums).where(fleet_forums.c.id == forum_id).values(entry=key_url(entry)))
    if marks:
        statement = insert_for(connection.dialect.name)(fleet_marks).on_conflict_do_nothing()
        connection.execute(statement, [{"mark": mark, "forum_id": forum_id} for mark in marks])
