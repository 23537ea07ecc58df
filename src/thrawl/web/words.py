"""The word index of the static site: small script files, since a browser lets a page from disk load nothing else.

The same tokens as in the databases lead to the same posts (`archive.words`). Posts are numbered from the newest on, so
that the first hits of any search are the newest, and the rest need not be loaded. Tokens stand sorted in files of some
kilobytes each, like the leaves of a B-tree whose root is `about.js`; a token of very many posts has files of its own,
in parts. Texts stand in files of their own, too, with all that the search page needs to check and show a hit.

What is gathered goes to disk as sorted runs, which are merged at the end: memory does not grow with the archive.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import itemgetter, sub
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from thrawl.archive.words import ACCENTS, LETTERS, UNSEEN, tokens_of
from thrawl.limits import MAX_SEARCHED_CHARS, MAX_WORD_CHARS

_HELD: Final = 1_000_000  # postings in memory before they go to disk: some 30 MB
_FILE_CHARS: Final = 40_000  # of one file; a search of a few words loads a dozen files and must stay below 1 MB
_POSTS_A_FILE: Final = 50
_COMMON_CHARS: Final = 16_000  # a list of posts longer than this stands alone, and is loaded only if nothing is rarer

_Run = Iterator[tuple[str, int, int, str]]


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
    """Takes one post after the other, the newest first, and writes the index when it is left."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._words = _Postings(folder, "words")
        self._titles = _Postings(folder, "titles")
        self._posts: list[FoundPost] = []
        self._chars = 0
        self._begins: list[int] = []
        self._count = 0

    def add(self, post: FoundPost) -> None:
        self._words.add(self._count, tokens_of(post.text))
        if post.opens:
            self._titles.add(self._count, tokens_of(post.title))
        self._posts.append(post)
        self._count += 1
        self._chars += min(len(post.text), MAX_SEARCHED_CHARS)
        if len(self._posts) == _POSTS_A_FILE or self._chars >= _FILE_CHARS:
            self._write_posts()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._finish()

    def _finish(self) -> None:
        if self._posts:
            self._write_posts()
        about = {
            "count": self._count,
            "cutting": {"letters": LETTERS, "unseen": UNSEEN, "accents": ACCENTS, "longest": MAX_WORD_CHARS},
            "posts": self._begins,
            "words": self._words.finish(),
            "titles": self._titles.finish(),
        }
        text = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
        (self._folder / "about.js").write_text(f"const thrawlAbout = {text};\n", encoding="utf-8", errors="replace")

    def _write_posts(self) -> None:
        rows = [
            (one.path, one.title, one.author, one.board, one.published, one.opens, one.text[:MAX_SEARCHED_CHARS])
            for one in self._posts
        ]
        _write_file(self._folder, f"posts-{len(self._begins)}", rows)
        self._begins.append(self._count - len(self._posts))
        self._posts, self._chars = [], 0


class _Postings:
    """One sorted index: token by token, the numbers of the posts that hold it."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._held: dict[str, list[int]] = defaultdict(list)
        self._number_held = 0
        self._runs: list[Path] = []
        self._leaf: list[tuple[str, str | list[int]]] = []  # no object: a word may be called __proto__
        self._chars = 0
        self._leaves: list[str] = []
        self._parts = 0

    def add(self, number: int, tokens: Sequence[str]) -> None:
        held = self._held
        for token in tokens:
            held[token].append(number)
        self._number_held += len(tokens)
        if self._number_held >= _HELD:
            self._spill()

    def finish(self) -> list[str]:
        """Write the leaves; the first token of each."""
        self._spill()
        with ExitStack() as closing:
            runs = [_read_run(closing.enter_context(path.open(encoding="utf-8"))) for path in self._runs]
            for token, lists in groupby(merge(*runs, key=itemgetter(0)), key=itemgetter(0)):
                self._take(token, _joined(lists))
        self._write_leaf()
        for path in self._runs:
            path.unlink()
        return self._leaves

    def _spill(self) -> None:
        if not self._held:
            return
        path = self._folder / f"{self._name}-run-{len(self._runs)}"
        with path.open("w", encoding="utf-8", errors="replace") as file:
            for token, numbers in sorted(self._held.items()):
                steps = ",".join(map(str, map(sub, numbers[1:], numbers)))
                file.write(f"{token}\t{numbers[0]}\t{numbers[-1]}\t{steps}\n")
        self._runs.append(path)
        self._held.clear()
        self._number_held = 0

    def _take(self, token: str, numbers: str) -> None:
        value: str | list[int] = numbers if len(numbers) <= _COMMON_CHARS else self._write_parts(numbers)
        if self._leaf and self._chars + len(numbers) > _FILE_CHARS and isinstance(value, str):
            self._write_leaf()
        self._leaf.append((token, value))
        self._chars += len(token) + (len(numbers) if isinstance(value, str) else 10 * len(value))

    def _write_parts(self, numbers: str) -> list[int]:
        """A long list in parts, each beginning with the number itself instead of a step."""
        parts, at = [], 0
        steps = numbers.split(",")
        size = _FILE_CHARS // 2  # a step of a common word is a digit and a comma
        for begin in range(0, len(steps), size):
            some = steps[begin : begin + size]
            first = at + int(some[0])
            at += sum(map(int, some))
            _write_file(self._folder, f"{self._name}-part-{self._parts}", ",".join([str(first), *some[1:]]))
            parts.append(self._parts)
            self._parts += 1
        return parts

    def _write_leaf(self) -> None:
        if self._leaf:
            _write_file(self._folder, f"{self._name}-{len(self._leaves)}", self._leaf)
            self._leaves.append(self._leaf[0][0])
            self._leaf, self._chars = [], 0


def _read_run(file: Iterable[str]) -> _Run:
    for line in file:
        token, first, last, steps = line.rstrip("\n").split("\t")
        yield token, int(first), int(last), steps


def _joined(lists: _Run) -> str:
    """The lists of one token, one after the other, as the first number and the steps from each to the next."""
    pieces: list[str] = []
    before = 0
    for _, first, last, steps in lists:
        pieces.append(str(first - before) + (f",{steps}" if steps else ""))
        before = last
    return ",".join(pieces)


def _write_file(folder: Path, name: str, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    # A line separator would end a line of an old browser's script, and nothing else is special within a string.
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    (folder / f"{name}.js").write_text(f'thrawlFile("{name}",{text});\n', encoding="utf-8", errors="replace")
