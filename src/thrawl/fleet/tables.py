"""The tables of a fleet: its forums, what tells two names of one forum, its workers, and who holds which host.

They stand in a file of their own beside the archives, or in the PostgreSQL schema that the fleet's address names.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, MetaData, Table, Text, literal_column

metadata: Final = MetaData()
_Key = BigInteger().with_variant(Integer, "sqlite")

fleet_version: Final = Table("fleet_version", metadata, Column("version", Integer, nullable=False))

fleet_forums: Final = Table(
    "fleet_forums",
    metadata,
    Column("id", _Key, primary_key=True, autoincrement=True),
    Column("url", Text, nullable=False, unique=True),
    # What it shares a pace by: the address of its host, or the host's name where that is not known.
    Column("key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    # The entry page, once it is learned; one forum has one.
    Column("entry", Text, unique=True),
    Column("turns", Integer, nullable=False, server_default="0"),
    Column("left", Integer, nullable=False, server_default="0"),
    Column("pages", BigInteger, nullable=False, server_default="0"),
    Column("posts", BigInteger, nullable=False, server_default="0"),
    Column("failed", BigInteger, nullable=False, server_default="0"),
    Column("updated", Float(53), nullable=False, server_default="0"),
    # When a page came last.
    Column("moved", Float(53), nullable=False, server_default="0"),
    # Waiting: not before this time.
    Column("due", Float(53), nullable=False, server_default="0"),
    Column("worker", Text),
    # New posts a day that it is expected to get.
    Column("expected", Float(53)),
    # 1 while it is watched, not crawled.
    Column("watching", Integer, nullable=False, server_default="0"),
    Index("fleet_forums_state", "state", "id"),
)
# Written out, since no index of some states serves a query whose states are parameters.
OPEN: Final = fleet_forums.c.state.in_([literal_column("'waiting'"), literal_column("'under way'")])
QUEUE: Final = "fleet_forums_queue"
_queue = Index(
    QUEUE,
    *(fleet_forums.c[name] for name in ("turns", "left", "id")),
    sqlite_where=OPEN,
    postgresql_where=OPEN,
)

# Threads that a forum's lists show, as numbers: what two names of one forum have in common.
fleet_marks: Final = Table(
    "fleet_marks",
    metadata,
    Column("mark", BigInteger, primary_key=True, autoincrement=False),
    Column("forum_id", _Key, ForeignKey("fleet_forums.id"), primary_key=True),
)

fleet_workers: Final = Table(
    "fleet_workers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("machine", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("joined", Float(53), nullable=False),
    Column("seen", Float(53), nullable=False),
    Column("forums", Integer, nullable=False),
    Column("pages", BigInteger, nullable=False),
    Column("speed", Float(53), nullable=False),
)

# Who holds a host, and until when. The token is another one each time that it changes hands, and never an old one.
fleet_leases: Final = Table(
    "fleet_leases",
    metadata,
    Column("key", Text, primary_key=True),
    Column("worker", Text, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("until", Float(53), nullable=False),
    # The seconds between two requests that the host was given last.
    Column("delay", Float(53), nullable=False),
)
TOKENS: Final = "fleet_tokens"  # the sequence of all tokens
