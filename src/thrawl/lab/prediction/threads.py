"""The threads of an experiment: those of a timeline with 100 to 1,000 posts, with their words where these are known.

Words stand beside `NAME.csv.xz` in `NAME.text.jsonl.xz` (or `.gz`, or plain): one object a post with `post` and `text`.
"""

from __future__ import annotations

import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

import numpy as np
import numpy.typing as npt

from thrawl.errors import InputError
from thrawl.lab.timeline import SUFFIXES, Timeline
from thrawl.refresh.predictors.posts import ThreadPosts, thread_posts

# Posts of a thread that is long enough to be learned alone and short enough to be one conversation (report, 4.1).
FEWEST_POSTS: Final = 100
MOST_POSTS: Final = 1000
TRAINED_SHARE: Final = 0.75
TEXT_SUFFIXES: Final = (".text.jsonl.xz", ".text.jsonl.gz", ".text.jsonl")


@dataclass(frozen=True, slots=True)
class Split:
    """A thread, and how many of its posts are for training."""

    thread: ThreadPosts
    trained: int

    @property
    def training(self) -> ThreadPosts:
        return self.thread.first(self.trained)


def long_threads(
    timeline: Timeline, texts: dict[int, str], *, fewest: int = FEWEST_POSTS, most: int = MOST_POSTS
) -> list[Split]:
    """All threads of the length, in the order of their ids."""
    order = np.argsort(timeline.thread, kind="stable")
    keys, starts, counts = np.unique(timeline.thread[order], return_index=True, return_counts=True)
    found: list[Split] = []
    for key, start, count in zip(keys.tolist(), starts.tolist(), counts.tolist(), strict=True):
        if fewest <= count <= most:
            posts = order[start : start + count]
            found.append(Split(_thread(timeline, texts, key, posts), int(TRAINED_SHARE * count)))
    return found


def sample(splits: list[Split], count: int | None, seed: int) -> list[Split]:
    """So many threads by chance, in their order; all of them if there are no more."""
    if count is None or count >= len(splits):
        return splits
    chosen = np.random.default_rng(seed).choice(len(splits), count, replace=False)
    return [splits[place] for place in sorted(chosen.tolist())]


def read_texts(timeline_file: str) -> dict[int, str]:
    """The words of the posts by their id; none where no file of words stands beside the timeline."""
    stem = timeline_file
    for suffix in SUFFIXES:
        stem = stem.removesuffix(suffix)
    for suffix in TEXT_SUFFIXES:
        file = Path(stem + suffix)
        if file.is_file():
            return _read(file)
    return {}


def _thread(timeline: Timeline, texts: dict[int, str], key: int, posts: npt.NDArray[np.intp]) -> ThreadPosts:
    ids = timeline.post[posts].tolist()
    words = [texts.get(post, "") for post in ids] if any(post in texts for post in ids) else []
    return thread_posts(
        key, timeline.time[posts].astype(np.float64), timeline.author[posts], timeline.chars[posts], words
    )


def _read(file: Path) -> dict[int, str]:
    try:
        with _open(file) as lines:
            return dict(_posts(lines, file))
    except (OSError, EOFError, lzma.LZMAError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"The words {file} cannot be read ({error}); correct or remove that file.") from None


def _posts(lines: TextIO, file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        try:
            post = json.loads(line)
            yield int(post["post"]), str(post["text"] or "")
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f'The words {file} are broken at line {number}: {{"post", "text"}} is expected; correct that line.'
            ) from None


def _open(file: Path) -> TextIO:
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8")
    if file.suffix == ".gz":
        return gzip.open(file, "rt", encoding="utf-8")
    return file.open(encoding="utf-8")
