"""How messages travel between the crawl and its workers: pickled, behind their length, values as their arguments.

Python's own way for slotted dataclasses goes through their fields by name, in Python, three times slower; and its
pipes (`multiprocessing.connection`) bring along a tenth of a worker's start.
"""

from __future__ import annotations

import copyreg
import dataclasses
import pickle
import struct
from operator import attrgetter
from typing import Any, Final

from thrawl.crawl.values import (
    BoardRow,
    BoardStep,
    Flips,
    PageJob,
    Reading,
    RefusedLink,
    Sighting,
    StrayLink,
    Told,
    TypedLink,
)
from thrawl.page.shown import PostRecord, Quote, ThreadRow

LENGTH: Final = struct.Struct("!I")
OUT_OF_MEMORY: Final = 70
"""How a worker ends that got no more memory: what it read before may hold some, so a fresh one tries once more."""
_TRAVELLERS: Final = (
    *(PostRecord, Quote, ThreadRow, Reading, PageJob, TypedLink, RefusedLink, BoardStep, Flips),
    *(Sighting, StrayLink, Told, BoardRow),
)


def register() -> None:
    """Have all that crosses the border travel that way; both ends of a pipe call it."""
    for cls in _TRAVELLERS:
        _register(cls)


def framed(message: object) -> bytes:
    """A message as it goes through a pipe."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


class WorkerEnd:
    """A worker's end of the pipe, which waits."""

    def __init__(self, descriptor: int) -> None:
        self._file = open(descriptor, "r+b", buffering=0)  # noqa: SIM115 - open as long as the process

    def receive(self) -> Any:
        """The next message; raises EOFError when the crawl is gone."""
        (length,) = LENGTH.unpack(self._read(LENGTH.size))
        return pickle.loads(self._read(length))

    def send(self, message: object) -> None:
        left = memoryview(framed(message))
        while left:
            left = left[self._file.write(left) :]

    def _read(self, length: int) -> bytearray:
        data = bytearray(length)
        done = 0
        while done < length:
            count = self._file.readinto(memoryview(data)[done:])
            if not count:
                raise EOFError
            done += count
        return data


def _register(cls: type[Any]) -> None:
    fields = attrgetter(*(field.name for field in dataclasses.fields(cls)))
    copyreg.pickle(cls, lambda value: (cls, fields(value)))
