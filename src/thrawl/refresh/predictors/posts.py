"""What a predictor sees of a thread: the times, authors, lengths and words of the posts that were visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ThreadPosts:
    """The posts of one thread in order; `texts` is empty where the words are not known.

    Times are unix seconds and never run back: `thread_posts` makes it so.
    """

    key: int
    times: FloatArray
    authors: IntArray
    chars: IntArray
    texts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.times)

    @property
    def gaps(self) -> FloatArray:
        """Seconds from each post to the next."""
        gaps: FloatArray = np.diff(self.times)
        return gaps

    @property
    def last(self) -> float:
        return float(self.times[-1])

    def first(self, count: int) -> ThreadPosts:
        """The thread as it was when it had `count` posts."""
        return ThreadPosts(self.key, self.times[:count], self.authors[:count], self.chars[:count], self.texts[:count])


def thread_posts(
    key: int,
    times: Sequence[float] | FloatArray,
    authors: Sequence[int] | IntArray = (),
    chars: Sequence[int] | IntArray = (),
    texts: Sequence[str] = (),
) -> ThreadPosts:
    """A thread from what is known of it; a time before its predecessor's counts as the same moment."""
    moments = np.maximum.accumulate(np.asarray(times, dtype=np.float64)) if len(times) else np.zeros(0)
    return ThreadPosts(
        key,
        moments,
        _whole(authors, len(moments)),
        _whole(chars if len(chars) else [len(text) for text in texts], len(moments)),
        tuple(texts) if len(texts) == len(moments) else (),
    )


def all_gaps(threads: Sequence[ThreadPosts]) -> FloatArray:
    """The gaps of all threads in one array."""
    return np.concatenate([thread.gaps for thread in threads]) if threads else np.zeros(0)


def _whole(values: Sequence[int] | IntArray, count: int) -> IntArray:
    return np.asarray(values, dtype=np.int64) if len(values) == count else np.zeros(count, dtype=np.int64)
