"""The archives that a server shows, each under a name of its own in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.archive.connect import is_postgres, shown_location
from thrawl.archive.mediastore import MediaStore, store_for
from thrawl.archive.store import Archive
from thrawl.web.cached import CachedFigures
from thrawl.web.links import ServedLinks

_TAKEN: Final = frozenset({"api", "assets", "fleet"})


@dataclass(frozen=True, slots=True)
class Shelved:
    """One archive of a server."""

    name: str
    title: str
    archive: Archive
    store: MediaStore | None
    figures: CachedFigures

    @property
    def links(self) -> ServedLinks:
        return ServedLinks(f"/{self.name}")


@contextmanager
def open_shelf(locations: Sequence[str], media_dir: str | None = None) -> Iterator[dict[str, Shelved]]:
    """Open archives for reading, by their names."""
    with ExitStack() as closing:
        shelf: dict[str, Shelved] = {}
        for location in dict.fromkeys(locations):
            archive = closing.enter_context(Archive.open(location, readonly=True))
            name = _name_of(location, shelf)
            title = ", ".join(dict.fromkeys(forum.host for forum in archive.forums())) or name
            shelf[name] = Shelved(name, title, archive, store_for(location, media_dir), CachedFigures(archive))
        yield shelf


def _name_of(location: str, taken: dict[str, Shelved]) -> str:
    whole = shown_location(location)
    last = whole.rstrip("/").rpartition("/")[2] if is_postgres(location) else Path(location).stem
    plain = re.sub(r"[^\w.-]+", "-", last, flags=re.ASCII).strip(".-") or "archive"
    name, number = plain, 1
    while name in taken or name in _TAKEN:
        number += 1
        name = f"{plain}-{number}"
    return name
