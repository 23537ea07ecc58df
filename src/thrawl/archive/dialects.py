"""SQL that is compiled once for all archives that a process has open, instead of once for each.

SQLAlchemy keeps what it compiled with each engine. A fleet has hundreds of them, all asked the same questions: their
copies took 0.8 MB a forum, and compiling them anew a tenth of the CPU of the fleet's own process.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

SQLITE: Final = "sqlite+shared"
POSTGRES: Final = "postgresql+shared"
_STATEMENTS: Final = 500  # as many as SQLAlchemy keeps for one engine

COMPILED: Final[dict[str, Any]] = {"compiled_cache": LRUCache(_STATEMENTS)}


class Alike:
    """Two dialects that speak to servers of one version compile alike, so what one compiled is the other's, too."""

    server_version_info: tuple[Any, ...] | None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.server_version_info == self.server_version_info

    def __hash__(self) -> int:
        return hash((type(self), self.server_version_info))


class SharedSqlite(Alike, SQLiteDialect_pysqlite):
    """SQLite's dialect."""

    supports_statement_cache = True


registry.register(SQLITE.replace("+", "."), __name__, SharedSqlite.__name__)
# by name: most archives are files, and open faster without it
registry.register(POSTGRES.replace("+", "."), "thrawl.archive.postgres_dialect", "SharedPostgres")
