"""The feature vector of a window (report, section 3.2): its gaps, the hour and day, the words of its posts.

The window of w is the w gaps before the last visible post, and the posts that end them. Words are counted in the K
tokens that go best with the gap that follows, one by one (univariate F-regression), chosen in the training part alone:
the report's own code chose them on the whole thread, test part included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Final, Self

import numpy as np

from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts
from thrawl.refresh.predictors.words import NO_WORDS, TAGS, PostWords, WordReader
from thrawl.refresh.rhythm import DAY, HOUR

MINUTE: Final = 60.0
CONTEXT_BITS: Final = 24 + 7
# A token must stand in this many training posts: one that was met once cannot show what follows it.
LEAST_POSTS: Final = 2
# Posts of a thread whose counts are kept; no thread that is learned alone has more.
KNOWN_COUNTS: Final = 1000


@dataclass(slots=True)
class Vocabulary:
    """`fit` gives `tokens_`, the K best, and `idf_`, how rare each is among the training posts.

    The counts of a post are kept, since every window that it stands in asks for them.
    """

    size: int
    tokens_: dict[str, int] = field(default_factory=dict)
    idf_: FloatArray = field(default_factory=lambda: np.zeros(0))
    _counts: dict[PostWords, FloatArray] = field(default_factory=dict)

    def fit(self, windows: Sequence[Counter[str]], posts: Sequence[PostWords], gaps: FloatArray) -> Self:
        """Choose by the counts in windows and the gap that followed each."""
        met = Counter(token for post in posts for token in set(post.tokens))
        candidates = sorted(token for token, count in met.items() if count >= LEAST_POSTS)
        counts = np.array([[window[token] for token in candidates] for window in windows], dtype=np.float64)
        scores = univariate_scores(counts.reshape(len(windows), len(candidates)), gaps)
        best = np.argsort(-scores, kind="stable")[: self.size].tolist()
        self.tokens_ = {candidates[place]: number for number, place in enumerate(best)}
        self.idf_ = np.array([log((1 + len(posts)) / (1 + met[token])) + 1 for token in self.tokens_])
        return self

    def count(self, post: PostWords) -> FloatArray:
        """How often the post has each of the tokens."""
        known = self._counts.get(post)
        if known is None:
            places = [self.tokens_[token] for token in post.tokens if token in self.tokens_]
            known = np.bincount(places, minlength=len(self.tokens_)).astype(np.float64)
            if len(self._counts) < KNOWN_COUNTS:
                self._counts[post] = known
        return known


@dataclass(frozen=True, slots=True)
class WindowShape:
    """Which parts a window's vector has. A vocabulary of 0 leaves the words out."""

    window: int = 5
    vocabulary: int = 0
    tf_idf: bool = False
    tags: bool = False

    @property
    def reads(self) -> bool:
        return self.vocabulary > 0 or self.tags


def univariate_scores(counts: FloatArray, gaps: FloatArray) -> FloatArray:
    """The squared correlation of each column with the gaps, by which F-regression ranks; 0 for a constant column."""
    if not len(gaps):
        return np.zeros(counts.shape[1])
    centred, target = counts - counts.mean(axis=0), gaps - gaps.mean()
    spread = (centred**2).sum(axis=0) * float((target**2).sum())
    scores: FloatArray = np.divide((target @ centred) ** 2, spread, out=np.zeros(len(spread)), where=spread > 0)
    return scores


def last_gaps(thread: ThreadPosts, window: int, silence: float, missing: float) -> FloatArray:
    """The newest w gaps in minutes, newest first; a silence stands before them, what is missing is the mean."""
    newest = thread.gaps[: -window - 1 : -1] / MINUTE
    known = newest if silence <= 0 else np.append(silence / MINUTE, newest)[:window]
    return np.append(known, np.full(window - len(known), missing / MINUTE))


def context(moment: float) -> FloatArray:
    """The hour and the weekday of a moment (UTC), a bit each."""
    bits = np.zeros(CONTEXT_BITS)
    bits[int(moment % DAY // HOUR)] = 1.0
    bits[24 + int(moment // DAY % 7)] = 1.0
    return bits


def words_of(thread: ThreadPosts, reader: WordReader) -> list[PostWords]:
    """The words of each post; none where they are not known."""
    return [reader.read(text) for text in thread.texts] if thread.texts else [NO_WORDS] * len(thread)


def choose_vocabulary(words: Sequence[PostWords], target: FloatArray, shape: WindowShape) -> Vocabulary:
    """The tokens that go best with what followed, the words of the posts and the target of the gap after each given."""
    windows = [
        Counter(token for post in words[max(0, end - shape.window) : end] for token in post.tokens)
        for end in range(1, len(words) + 1)
    ]
    return Vocabulary(shape.vocabulary).fit(windows, words, target)


def _unit(row: FloatArray) -> FloatArray:
    """The row with length 1, as is usual for tf-idf: columns are scaled later, which would undo idf alone."""
    length = float(np.linalg.norm(row))
    return row / length if length > 0 else row


def content_row(
    posts: Sequence[PostWords], vocabulary: Vocabulary, shape: WindowShape, weights: FloatArray
) -> FloatArray:
    """The words of some posts, each with a weight: how many, how often the best tokens, which parts of speech."""
    if not posts:
        return np.zeros(1 + len(vocabulary.tokens_) + len(TAGS) * shape.tags)
    tokens = weights @ np.array([float(len(post.tokens)) for post in posts])
    counts = weights @ np.array([vocabulary.count(post) for post in posts]).reshape(len(posts), -1)
    parts = [np.array([tokens]), _unit(counts * vocabulary.idf_) if shape.tf_idf else counts]
    if shape.tags:
        parts.append(weights @ np.array([post.tags for post in posts]))
    return np.concatenate(parts)
