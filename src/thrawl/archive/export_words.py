"""The word index of the static HTML archive: small script files that a browser can load from disk.

The same tokens as in the databases lead to the same posts (`words`), which stand in files of their own with all that
the search page needs to check and show them. Which posts hold a token is gathered on disk, in as many shards as the
archive's size asks for, and each shard is sorted on its own at the end; memory does not grow with the archive. A shard
holds all tokens with the same beginning, so that the beginning of a word leads to one shard, too.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import astuple, dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from thrawl.archive.words import is_letter, tokens_of
from thrawl.limits import MAX_SEARCHED_CHARS

_POSTS_A_FILE: Final = 200
_POSTS_A_SHARD: Final = 2000
_MAX_SHARDS: Final = 4096
_HELD: Final = 200_000  # tokens in memory before they go to disk
_BEGINNING: Final = 2  # characters of a word that choose its shard; a letter of a script without spaces does so alone


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A post as the search page knows it. `opens` is 1 for the post that opens its thread."""

    path: str
    title: str
    author: str
    board: str
    published: str
    opens: int
    text: str


class WordIndex:
    """Takes one post after the other, and writes the index when it is left."""

    def __init__(self, folder: Path, *, expected: int) -> None:
        folder.mkdir()
        self._folder = folder
        self._shards = min(_MAX_SHARDS, max(16, expected // _POSTS_A_SHARD))
        self._held: dict[int, list[str]] = defaultdict(list)
        self._number_held = 0
        self._posts: list[FoundPost] = []
        self._count = 0

    def add(self, post: FoundPost) -> None:
        tokens = dict.fromkeys(tokens_of(post.text) + (tokens_of(post.title) if post.opens else []))
        for token in tokens:
            self._held[hash_of(beginning(token)) % self._shards].append(f"{token}\t{self._count}\n")
        self._number_held += len(tokens)
        if self._number_held >= _HELD:
            self._spill()
        self._posts.append(post)
        self._count += 1
        if len(self._posts) == _POSTS_A_FILE:
            self._write_posts()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._finish()

    def _finish(self) -> None:
        self._spill()
        if self._posts:
            self._write_posts()
        for shard in range(self._shards):
            self._sort(shard)
        about = {"shards": self._shards, "posts_a_file": _POSTS_A_FILE}
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
                    token, _, number = line.rpartition("\t")
                    found[token].append(int(number))
            gathered.unlink()
        self._write_file(f"words-{shard}", {token: _steps(posts) for token, posts in sorted(found.items())})

    def _write_posts(self) -> None:
        number = (self._count - 1) // _POSTS_A_FILE
        rows = [(*astuple(post)[:-1], post.text[:MAX_SEARCHED_CHARS]) for post in self._posts]
        self._write_file(f"posts-{number}", rows)
        self._posts = []

    def _write_file(self, name: str, content: object) -> None:
        text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
        (self._folder / f"{name}.js").write_text(f'thrawlFile("{name}",{text});\n', encoding="utf-8")


def beginning(token: str) -> str:
    """The part of a token that chooses its shard."""
    return token[0] if is_letter(token) else token[:_BEGINNING]


@lru_cache(maxsize=65_536)
def hash_of(word: str) -> int:
    """The same number as the search page's script gets: over UTF-16 units, within 32 bits."""
    units = word.encode("utf-16-le", "surrogatepass")
    number = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        number = (number * 31 + (high << 8 | low)) & 0xFFFFFFFF
    return number


def _steps(posts: list[int]) -> list[int]:
    """Rising numbers as the first and the steps from each to the next: shorter files."""
    return [posts[0], *(after - before for before, after in pairwise(posts))]
