"""Forums from the command line, files and standard input: a URL a line, however many lines there are."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Final

from thrawl.errors import InputError, UsageError
from thrawl.net.url import usable_url

_TOLD: Final = 10  # bad lines that are shown; the others are counted
_ADDRESS: Final = frozenset("./:")  # of which one stands in every address of a forum, and in no word of a sentence
_LISTS: Final = frozenset((".txt", ".csv", ".tsv", ".lst", ".list"))  # endings of files, and of no host
_NO_TEXT: Final = "\ufffd"  # what bytes that are no text are read as


@dataclass(slots=True)
class Given:
    """URLs out of what a user gave. Lines that are none are counted, and the first of them told."""

    sources: Iterable[str]
    bad: int = 0
    told: list[str] = field(default_factory=list)

    def urls(self) -> Iterator[str]:
        for source in self.sources:
            if source == "-" or Path(source).is_file():
                yield from self._lines(source)
            elif _names_a_list(source):
                raise UsageError(f"{source}: there is no such file.")
            else:
                yield usable_url(source)

    def _lines(self, source: str) -> Iterator[str]:
        try:
            with _lines_of(source) as lines:
                for number, line in enumerate(lines, 1):
                    words = line.split()
                    if words and not words[0].startswith("#"):
                        yield from self._line(source, number, words[0])
        except OSError as error:
            raise InputError(f"{source} cannot be read as a list of URLs ({error})") from error

    def _line(self, source: str, number: int, word: str) -> Iterator[str]:
        try:
            if _ADDRESS.isdisjoint(word) or _NO_TEXT in word:
                raise UsageError(f"{word!r} is no URL; give one like https://forum.example.org/.")
            yield usable_url(word)
        except UsageError as error:
            self.bad += 1
            if len(self.told) < _TOLD:
                self.told.append(f"{source}, line {number}: {error}")


def _names_a_list(source: str) -> bool:
    """Whether a name is that of a file, and no address: a list that was moved, or is spelled otherwise."""
    path = Path(source)
    has_host = ":" in source or (len(path.parts) > 1 and "." in path.parts[0])
    return path.suffix.lower() in _LISTS and not has_host


def _lines_of(source: str) -> AbstractContextManager[IO[str]]:
    """Bytes that are no text cost their own line, and no other."""
    if source != "-":
        return open(source, encoding="utf-8-sig", errors="replace")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return nullcontext(sys.stdin)
