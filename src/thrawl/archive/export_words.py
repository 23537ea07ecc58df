"""The word index of the static HTML archive: small script files that a browser can load from disk.

Which pages hold a word is gathered on disk, in as many shards as the archive's size asks for, and each shard is
sorted on its own at the end; memory does not grow with the archive.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_WORD: Final = re.compile(r"\w+")
_PAGES_A_FILE: Final = 500
_POSTS_A_SHARD: Final = 2000
_MAX_SHARDS: Final = 4096
_HELD: Final = 200_000  # word occurrences in memory before they go to disk
_LONGEST_WORD: Final = 40  # characters; nobody looks for longer ones


class WordIndex:
    """Takes the words of one page after the other, and writes the index when it is left."""

    def __init__(self, folder: Path, *, expected: int) -> None:
        folder.mkdir()
        self._folder = folder
        self._shards = min(_MAX_SHARDS, max(16, expected // _POSTS_A_SHARD))
        self._held: dict[int, list[str]] = defaultdict(list)
        self._number_held = 0
        self._pages: list[tuple[str, str]] = []
        self._count = 0

    def add(self, path: str, title: str, texts: Iterable[str]) -> None:
        words = {word[:_LONGEST_WORD] for text in texts for word in _WORD.findall(text.lower())}
        for word in words:
            self._held[hash_of(word) % self._shards].append(f"{word}\t{self._count}\n")
        self._number_held += len(words)
        if self._number_held >= _HELD:
            self._spill()
        self._pages.append((path, title))
        self._count += 1
        if len(self._pages) == _PAGES_A_FILE:
            self._write_pages()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._finish()

    def _finish(self) -> None:
        self._spill()
        if self._pages:
            self._write_pages()
        for shard in range(self._shards):
            self._sort(shard)
        about = {"shards": self._shards, "pages_a_file": _PAGES_A_FILE}
        (self._folder / "about.js").write_text(f"const thrawlAbout = {json.dumps(about)};\n", encoding="utf-8")

    def _gathered(self, shard: int) -> Path:
        return self._folder / f"gathered-{shard}"

    def _spill(self) -> None:
        for shard, lines in self._held.items():
            with self._gathered(shard).open("a", encoding="utf-8", errors="replace") as file:
                file.writelines(lines)
        self._held.clear()
        self._number_held = 0

    def _sort(self, shard: int) -> None:
        gathered = self._gathered(shard)
        found: dict[str, list[int]] = defaultdict(list)
        if gathered.exists():
            with gathered.open(encoding="utf-8") as file:
                for line in file:
                    word, _, number = line.rpartition("\t")
                    found[word].append(int(number))
            gathered.unlink()
        self._write_file(f"words-{shard}", {word: _steps(pages) for word, pages in sorted(found.items())})

    def _write_pages(self) -> None:
        number = (self._count - 1) // _PAGES_A_FILE
        self._write_file(f"pages-{number}", self._pages)
        self._pages = []

    def _write_file(self, name: str, content: object) -> None:
        text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
        (self._folder / f"{name}.js").write_text(f'thrawlFile("{name}",{text});\n', encoding="utf-8")


@lru_cache(maxsize=65_536)
def hash_of(word: str) -> int:
    """The same number as the search page's script gets: over UTF-16 units, within 32 bits."""
    units = word.encode("utf-16-le", "surrogatepass")
    number = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        number = (number * 31 + (high << 8 | low)) & 0xFFFFFFFF
    return number


def _steps(pages: list[int]) -> list[int]:
    """Rising numbers as the first and the steps from each to the next: shorter files."""
    return [pages[0], *(after - before for before, after in pairwise(pages))]
