"""PostgreSQL's dialect whose compiled SQL all archives of a process share (see `dialects`)."""

from __future__ import annotations

from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from thrawl.archive.dialects import Alike


class SharedPostgres(Alike, PGDialect_psycopg):
    """PostgreSQL's dialect."""

    supports_statement_cache = True
