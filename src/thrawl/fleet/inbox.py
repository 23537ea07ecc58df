"""Forums that are added to a folder while a process runs it: its list has one writer, so they wait in files beside it.

Each file appears whole and is removed once its forums are on the list; adding a forum twice adds it once, so a process
that dies between the two loses and doubles nothing. On PostgreSQL there is no need of it.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry

_NEW: Final = "new-*.urls"


def leave(place: FleetPlace, urls: Iterable[str]) -> int:
    """Leave forums for the process that runs the folder; how many."""
    path = Path(place.location, _NEW.replace("*", uuid.uuid4().hex))
    unfinished = path.with_suffix(".part")
    number = 0
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            for url in urls:
                file.write(f"{url}\n")
                number += 1
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return number


def take(registry: Registry) -> None:
    """Put what was left on the list."""
    if registry.place.is_shared:
        return
    for path in sorted(Path(registry.place.location).glob(_NEW)):
        with path.open(encoding="utf-8") as lines:
            registry.add(line.strip() for line in lines if line.strip())
        path.unlink()
