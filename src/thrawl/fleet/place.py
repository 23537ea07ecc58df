"""Where a fleet lives: in a folder, with one archive file a forum, or in one PostgreSQL database.

On PostgreSQL every forum has a schema of its own, which is an archive like any other: `thrawl status`, `search`,
`export` and `serve` take its address. So forums share no table, no sequence and no lock, and one can be dropped,
dumped or moved by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from thrawl.archive.connect import is_postgres, shown_location
from thrawl.errors import UsageError
from thrawl.fleet.values import FleetForum
from thrawl.net.url import target_of

DEFAULT: Final = "fleet"
_REGISTRY: Final = "fleet.db"
_SEARCH_PATH: Final = "-csearch_path="
_PUBLIC: Final = "public"
# Seconds that a server may take to answer a connection: an address that swallows packets must not stop the fleet.
_CONNECT_SECONDS: Final = "5"


@dataclass(frozen=True, slots=True)
class FleetPlace:
    """A folder, or the address of a database, and where its parts stand."""

    location: str

    @property
    def is_shared(self) -> bool:
        """Whether several machines can work on it."""
        return is_postgres(self.location)

    @property
    def shown(self) -> str:
        return shown_location(self.location)

    @property
    def registry(self) -> str:
        """The location of the fleet's own tables."""
        return with_schema(self.location, self._schema) if self.is_shared else str(Path(self.location, _REGISTRY))

    def archive(self, forum: FleetForum) -> str:
        """The location of a forum's archive."""
        if self.is_shared:
            return with_schema(self.location, self.schema(forum.id))
        host = target_of(forum.url).host.replace(":", "-")
        return str(Path(self.location, f"{host}-{forum.id}.db"))

    def schema(self, forum_id: int) -> str:
        return f"forum_{forum_id}" if self._schema == _PUBLIC else f"{self._schema}_forum_{forum_id}"

    @property
    def own_schema(self) -> str:
        """The schema that the fleet's own tables stand in."""
        return self._schema

    @property
    def _schema(self) -> str:
        options = dict(parse_qsl(urlsplit(self.location).query)).get("options", "")
        found = options.partition(_SEARCH_PATH)[2].split(",")[0].strip()
        return found or _PUBLIC


def with_schema(address: str, schema: str) -> str:
    """The address of one schema of a database."""
    if not schema.replace("_", "").isalnum():
        raise UsageError(f"The schema {schema!r} cannot be used: give one of letters, digits and underscores.")
    parts = urlsplit(address)
    query = {**dict(parse_qsl(parts.query)), "options": f"{_SEARCH_PATH}{schema}"}
    query.setdefault("connect_timeout", _CONNECT_SECONDS)
    return urlunsplit(parts._replace(query=urlencode(query, quote_via=quote)))
