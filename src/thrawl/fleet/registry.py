"""The list of a fleet's forums, kept where its archives are: who comes next, and what became of each.

Fair: those who had fewer turns come first, and among them those with the least left to fetch, so small forums end soon
and no large one keeps another waiting for more than a turn. On PostgreSQL a forum is given out together with the lease
of its host (`leases`); in a folder there is one process, which holds all.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    and_,
    delete,
    func,
    insert,
    inspect,
    or_,
    select,
    text,
    true,
    update,
)

from thrawl.archive.connect import WriterLock, postgres_engine, sqlite_engine
from thrawl.archive.faults import faults
from thrawl.archive.statements import insert_for
from thrawl.archive.storable import key_url, storable
from thrawl.errors import InputError
from thrawl.fleet import leases
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.tables import OPEN, QUEUE, TOKENS, fleet_forums, fleet_leases, fleet_version, fleet_workers, metadata
from thrawl.fleet.values import FleetForum, ForumState, Hold, Turn, WorkerSeen
from thrawl.limits import FLEET_LEASE_SECONDS
from thrawl.net.url import target_of

VERSION: Final = 1
_BATCH: Final = 10_000  # forums in one transaction
_COLUMNS: Final = tuple(fleet_forums.c[field.name] for field in fields(FleetForum))


class Registry:
    """An open list. Use it as a context manager, or close it."""

    def __init__(self, place: FleetPlace, engine: Engine, closing: ExitStack) -> None:
        self.place = place
        self.lease_seconds = FLEET_LEASE_SECONDS
        self._engine = engine
        self._closing = closing

    @classmethod
    def open(cls, place: FleetPlace, *, create: bool = False, readonly: bool = False) -> Registry:
        """Open the list at a place; in a folder as its one writer, unless `readonly`."""
        with ExitStack() as closing, faults(place.shown):
            engine = _engine(place, closing, create=create, readonly=readonly)
            closing.callback(engine.dispose)
            with engine.begin() as connection:
                _prepare(connection, place, create=create)
            return cls(place, engine, closing.pop_all())

    def close(self) -> None:
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        with faults(self.place.shown), self._engine.begin() as connection:
            yield connection

    def add(self, urls: Iterable[str]) -> tuple[int, int]:
        """Put forums on the list, however many; how many were new, and how many were on it already."""
        new = known = 0
        left = iter(urls)
        while batch := list(islice(left, _BATCH)):
            rows = [_new_row(url) for url in dict.fromkeys(batch)]
            with self.transaction() as connection:
                added = _copy(connection, rows) if self.place.is_shared else _insert(connection, rows)
            new += added
            known += len(batch) - added
        if new and self.place.is_shared:  # until it knows of them, the server would sort all to find the first
            with self.transaction() as connection:
                connection.execute(text(f"ANALYZE {fleet_forums.name}"))
        return new, known

    def candidates(
        self, worker: str, count: int, mine: Collection[int] = (), full: Collection[str] = ()
    ) -> list[FleetForum]:
        """The forums that may come next, in their order: nobody has them, or the one who had is gone.

        `mine` are those that the worker has under way; others under its name were left when the database was away.
        Of hosts that are `full` no more are wanted.
        """
        with self.transaction() as connection:
            free = (_is_free(connection, worker), fleet_forums.c.id.not_in(mine), fleet_forums.c.key.not_in(full))
            query = select(*_COLUMNS).where(fleet_forums.c.due <= time.time(), *free)
            query = query.with_hint(fleet_forums, f"INDEXED BY {QUEUE}", "sqlite")
            order = (fleet_forums.c.turns, fleet_forums.c.left, fleet_forums.c.id)
            return [_forum(row) for row in connection.execute(query.order_by(*order).limit(count)).mappings()]

    def to_watch(self, worker: str, count: int, mine: Collection[int] = ()) -> list[FleetForum]:
        """The forums that may be watched next: those that nobody looked at for longest come first."""
        with self.transaction() as connection:
            query = select(*_COLUMNS).where(_is_watchable(), fleet_forums.c.id.not_in(mine))
            query = query.where(fleet_forums.c.due <= time.time(), _is_not_held(connection, worker))
            order = (fleet_forums.c.updated, fleet_forums.c.id)
            return [_forum(row) for row in connection.execute(query.order_by(*order).limit(count)).mappings()]

    def expected(self) -> dict[int, float | None]:
        """The posts a day that each forum is expected to get, of all that are watched."""
        query = select(fleet_forums.c.id, fleet_forums.c.expected).where(_is_watchable())
        with self.transaction() as connection:
            return {row.id: row.expected for row in connection.execute(query)}

    def claim(self, forum: FleetForum, key: str, worker: str, *, watching: bool = False) -> Hold | None:
        """Have a forum, and hold its host; None where another worker was faster."""
        with self.transaction() as connection:
            hold = self._take(connection, key, worker)
            if hold is None:
                _put_key(connection, forum, key)
                return None
            ours = update(fleet_forums).where(fleet_forums.c.id == forum.id, fleet_forums.c.turns == forum.turns)
            values = {"state": ForumState.UNDER_WAY.value, "worker": worker, "key": key, "turns": forum.turns + 1}
            changed = {"watching": 1} if watching else {"watching": 0, "reason": "", "updated": time.time()}
            taken = connection.execute(ours.values(**values, **changed)).rowcount
            return hold if taken else None

    def note_key(self, forum: FleetForum, key: str) -> None:
        """What a forum shares a pace by."""
        with self.transaction() as connection:
            _put_key(connection, forum, key)

    def hold(self, key: str, worker: str) -> Hold | None:
        """Hold a host that a forum leads to; None where another worker does."""
        with self.transaction() as connection:
            return self._take(connection, key, worker)

    def renew(self, worker: str, held: Mapping[Hold, float]) -> frozenset[Hold]:
        """Say that the holder lives; the hosts that it has lost."""
        if not self.place.is_shared:
            return frozenset()
        with self.transaction() as connection:
            return leases.renew(connection, worker, held, self.lease_seconds)

    def leave(self, hold: Hold, delay: float) -> None:
        """Let a host go, whose requests had this delay."""
        if self.place.is_shared:
            with self.transaction() as connection:
                leases.leave(connection, hold, delay)

    def give_back(self, forum: FleetForum, turn: Turn, worker: str) -> None:
        """A forum's turn is over. Of one that another worker has by now nothing is said."""
        values: dict[str, Any] = {
            "state": turn.state.value,
            "reason": storable(turn.reason)[:500],
            "left": turn.left,
            "updated": time.time(),
            "due": time.time() + turn.wait if turn.wait else 0,
            "worker": None,
            "watching": 0,
        }
        if turn.expected is not None:
            values["expected"] = turn.expected
        counted = {name: fleet_forums.c[name] + getattr(turn, name) for name in ("pages", "posts", "failed")}
        ours = (fleet_forums.c.id == forum.id, fleet_forums.c.worker == worker)
        with self.transaction() as connection:
            connection.execute(update(fleet_forums).where(*ours).values(**values, **counted))

    def tell(self, worker: WorkerSeen, moving: Sequence[int]) -> None:
        """What a worker does, and which of its forums got pages since it said so last."""
        values = {field.name: getattr(worker, field.name) for field in fields(WorkerSeen)}
        with self.transaction() as connection:
            new = insert_for(connection.dialect.name)(fleet_workers).values(values)
            connection.execute(new.on_conflict_do_update(index_elements=["id"], set_=values))
            if moving:
                moved = update(fleet_forums).where(fleet_forums.c.id.in_(moving), fleet_forums.c.worker == worker.id)
                connection.execute(moved.values(moved=worker.seen))

    def forget_worker(self, worker: str) -> None:
        """A worker leaves."""
        with self.transaction() as connection:
            connection.execute(delete(fleet_workers).where(fleet_workers.c.id == worker))

    def retry(self, states: Sequence[ForumState]) -> int:
        """Have forums of these states crawled again; their number."""
        again = update(fleet_forums).where(fleet_forums.c.state.in_([state.value for state in states]))
        with self.transaction() as connection:
            return connection.execute(again.values(state=ForumState.WAITING.value, due=0)).rowcount

    def next_due(self) -> float | None:
        """When the next waiting forum may be crawled; None when none waits."""
        query = select(func.min(fleet_forums.c.due)).where(fleet_forums.c.state == ForumState.WAITING.value)
        with self.transaction() as connection:
            found: float | None = connection.execute(query).scalar_one()
            return found

    def others_at_work(self, worker: str) -> bool:
        """Whether forums are under way elsewhere, which may yet come back."""
        query = select(fleet_forums.c.id).where(
            fleet_forums.c.state == ForumState.UNDER_WAY.value, fleet_forums.c.worker != worker
        )
        with self.transaction() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def forums(self, states: Sequence[ForumState] = (), limit: int | None = None) -> Iterator[FleetForum]:
        """The forums, or those of some states, in the order in which they were added."""
        query = select(*_COLUMNS).order_by(fleet_forums.c.id)
        if states:
            query = query.where(fleet_forums.c.state.in_([state.value for state in states]))
        last, left = 0, limit
        while left is None or left > 0:  # batch by batch: whoever looks through them holds up nobody
            batch = query.where(fleet_forums.c.id > last).limit(_BATCH if left is None else min(left, _BATCH))
            with self.transaction() as connection:
                found = [_forum(row) for row in connection.execute(batch).mappings()]
            yield from found
            if not found:
                return
            last = found[-1].id
            left = None if left is None else left - len(found)

    def make_schema(self, forum_id: int) -> None:
        """The schema of a forum on PostgreSQL, made if there is none."""
        with self.transaction() as connection:
            connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {self.place.schema(forum_id)}"))

    def _take(self, connection: Connection, key: str, worker: str) -> Hold | None:
        return leases.take(connection, key, worker, self.lease_seconds) if self.place.is_shared else Hold(key, 0)


def _engine(place: FleetPlace, closing: ExitStack, *, create: bool, readonly: bool) -> Engine:
    if place.is_shared:
        return postgres_engine(place.registry, readonly=readonly, keep=True)
    path = Path(place.registry)
    if create:
        path.parent.mkdir(parents=True, exist_ok=True)
    elif not path.exists():
        raise InputError(no_fleet(place))
    if not readonly:
        closing.callback(WriterLock(path).release)
    return sqlite_engine(path, readonly=readonly)


def no_fleet(place: FleetPlace) -> str:
    return f"there is no fleet at {place.shown}; make one with: thrawl fleet add URL… --fleet {place.shown}"


def _prepare(connection: Connection, place: FleetPlace, *, create: bool) -> None:
    known = inspect(connection).has_table(fleet_version.name)
    if not known and not create:
        raise InputError(no_fleet(place))
    if not known:
        metadata.create_all(connection)
        connection.execute(insert(fleet_version).values(version=VERSION))
        if place.is_shared:
            connection.execute(text(f"CREATE SEQUENCE {TOKENS}"))
    found = connection.execute(select(fleet_version.c.version)).scalar_one()
    if found > VERSION:
        raise InputError(f"the fleet at {place.shown} was made by a newer Thrawl; upgrade this one")


def _is_free(connection: Connection, worker: str) -> ColumnElement[bool]:
    """To be crawled, and nobody does: what is under way without a holder was left by one that died."""
    return and_(OPEN, fleet_forums.c.watching == 0, _is_not_held(connection, worker))


def _is_watchable() -> ColumnElement[bool]:
    done = fleet_forums.c.state.in_([state.value for state in ForumState if state.has_archive])
    return or_(done, and_(fleet_forums.c.state == ForumState.UNDER_WAY.value, fleet_forums.c.watching == 1))


def _is_not_held(connection: Connection, worker: str) -> ColumnElement[bool]:
    if connection.dialect.name == "sqlite":  # there is one process
        return true()
    now = text(leases.NOW)
    held = select(fleet_leases.c.key).where(fleet_leases.c.key == fleet_forums.c.key, fleet_leases.c.until >= now)
    return ~held.where(fleet_leases.c.worker != worker).exists()


def _new_row(url: str) -> dict[str, Any]:
    return {"url": key_url(url), "key": target_of(url).host, "state": ForumState.WAITING.value}


def _insert(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> int:
    """Put rows on the list; how many it did not have."""
    return connection.execute(insert_for(connection.dialect.name)(fleet_forums).on_conflict_do_nothing(), rows).rowcount


def _copy(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> int:
    """The same by PostgreSQL's COPY, which takes long lists several times as fast."""
    names = ", ".join(rows[0])
    connection.execute(text(f"CREATE TEMPORARY TABLE given ON COMMIT DROP AS SELECT {names} FROM fleet_forums LIMIT 0"))
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY given ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(tuple(row.values()))
    new = text(f"INSERT INTO fleet_forums ({names}) SELECT {names} FROM given ON CONFLICT DO NOTHING")
    return connection.execute(new).rowcount


def _put_key(connection: Connection, forum: FleetForum, key: str) -> None:
    connection.execute(update(fleet_forums).where(fleet_forums.c.id == forum.id).values(key=key))


def _forum(row: Mapping[Any, Any]) -> FleetForum:
    values = dict(row)
    return FleetForum(**{**values, "state": ForumState(values["state"]), "watching": bool(values["watching"])})
