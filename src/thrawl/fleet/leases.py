"""Who may ask a host, and write what came of it, when several machines share the work (on PostgreSQL).

A host has one holder, so its pace is kept by one process wherever its forums are. A lease has a time, by the server's
clock, that its holder puts off as long as it lives; and a token, another one each time that the lease changes hands.
Every transaction on an archive asks for its token first and locks that row until it ends (`fence`): a worker that was
believed dead and wakes up can write nothing, and nobody takes a lease over in the midst of a transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, text

from thrawl.archive.opening import Fence
from thrawl.errors import LeaseLost
from thrawl.fleet.tables import TOKENS
from thrawl.fleet.values import Hold

NOW: Final = "extract(epoch FROM clock_timestamp())"
_TAKE: Final = text(f"""
    INSERT INTO fleet_leases AS held (key, worker, token, until, delay)
    VALUES (:key, :worker, nextval('{TOKENS}'), {NOW} + :seconds, 0)
    ON CONFLICT (key) DO UPDATE SET worker = :worker, until = {NOW} + :seconds,
        token = CASE WHEN held.worker = :worker AND held.until >= {NOW} THEN held.token ELSE nextval('{TOKENS}') END
    WHERE held.worker = :worker OR held.until < {NOW}
    RETURNING token, delay""")
_RENEW: Final = text(f"""
    UPDATE fleet_leases SET until = {NOW} + :seconds, delay = :delay
    WHERE key = :key AND token = :token AND worker = :worker RETURNING key""")
_LEAVE: Final = text(f"UPDATE fleet_leases SET until = {NOW}, delay = :delay WHERE key = :key AND token = :token")
_FENCE: Final = "SELECT 1 FROM {schema}.fleet_leases WHERE key = :key AND token = :token FOR SHARE"


def take(connection: Connection, key: str, worker: str, seconds: float) -> Hold | None:
    """Hold a host, unless somebody else does."""
    row = connection.execute(_TAKE, {"key": key, "worker": worker, "seconds": seconds}).one_or_none()
    return None if row is None else Hold(key, row.token, row.delay)


def renew(connection: Connection, worker: str, held: Mapping[Hold, float], seconds: float) -> frozenset[Hold]:
    """Put off the end of all leases, and note the delay that each host has now; those that are lost."""
    lost = set()
    for hold, delay in held.items():
        values: dict[str, Any] = {"key": hold.key, "token": hold.token, "worker": worker}
        if connection.execute(_RENEW, {**values, "delay": delay, "seconds": seconds}).one_or_none() is None:
            lost.add(hold)
    return frozenset(lost)


def leave(connection: Connection, hold: Hold, delay: float) -> None:
    """Others may have the host from now on; the first of them waits for the delay that it has."""
    connection.execute(_LEAVE, {"key": hold.key, "token": hold.token, "delay": delay})


def fence(hold: Hold, schema: str) -> Fence:
    """What asks for the token within a transaction. Raises LeaseLost where somebody else has the host now."""
    statement = text(_FENCE.format(schema=schema))
    values = {"key": hold.key, "token": hold.token}

    def check(connection: Connection) -> None:
        if connection.execute(statement, values).one_or_none() is None:
            raise LeaseLost(f"{hold.key} was given to another worker meanwhile; nothing more is written by this one")

    return check
