"""The content of a thread's newest posts as a short row for trees: figures of the writing, and topics of the words.

Topics are latent semantic analysis: tf-idf of stems over the training posts, reduced by a truncated SVD. Where texts
are not known, the length of the posts is all that is left of their content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log, log1p
from typing import Any, Final, Self

import numpy as np

from thrawl.errors import InputError
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts
from thrawl.refresh.predictors.words import TAGS, PostWords, WordReader

TOPICS: Final = 20
# Stems that make topics: the most frequent, each in this many posts at least.
LARGEST_VOCABULARY: Final = 8_000
LEAST_POSTS: Final = 20
# Posts over which figures and topics are averaged, beside those of the last post alone.
WINDOW: Final = 5
# What is counted in a text, each by its sign: questions, exclamations, links, quoted lines, lines.
SIGNS: Final = ("?", "!", "://", "\n>", "\n")
FIGURES: Final = 2 + len(SIGNS) + 1 + len(TAGS)
# Posts whose rows are remembered.
KNOWN_POSTS: Final = 200_000


class Topics:
    """`fit` gives `idf_` and `components_`; both stay empty where no texts are known."""

    def __init__(self, *, reader: WordReader | None = None, seed: int = 0) -> None:
        self.reader = reader or WordReader()
        self.seed = seed
        self.idf_: dict[str, tuple[int, float]] = {}
        self.components_: FloatArray = np.zeros((0, TOPICS))
        self._known: dict[str, FloatArray] = {}

    def fit(self, threads: Sequence[ThreadPosts]) -> Self:
        self._known.clear()
        posts = [self.reader.read(text) for thread in threads for text in thread.texts]
        met = Counter(token for post in posts for token in set(post.tokens))
        common = [token for token, count in met.most_common(LARGEST_VOCABULARY) if count >= LEAST_POSTS]
        self.idf_ = {
            token: (place, log((1 + len(posts)) / (1 + met[token])) + 1) for place, token in enumerate(sorted(common))
        }
        self.components_ = np.zeros((len(self.idf_), TOPICS))
        if len(self.idf_) > TOPICS:
            self.components_ = _reduce([self._weights(post) for post in posts], len(self.idf_), self.seed)
        return self

    def row(self, thread: ThreadPosts) -> FloatArray:
        """The last post's, and the mean over the newest."""
        newest = range(max(0, len(thread) - WINDOW), len(thread))
        rows = np.array([self._post(thread, place) for place in newest])
        return np.concatenate((rows[-1], np.add.reduce(rows) / len(rows)))

    def _post(self, thread: ThreadPosts, place: int) -> FloatArray:
        if not thread.texts:
            return np.append(log1p(max(0, int(thread.chars[place]))), np.zeros(FIGURES - 1 + TOPICS))
        text = thread.texts[place]
        known = self._known.get(text)
        if known is None:
            if len(self._known) >= KNOWN_POSTS:
                self._known.clear()
            known = self._known[text] = self._read(text)
        return known

    def _read(self, text: str) -> FloatArray:
        words = self.reader.read(text)
        signs = [float(text.count(sign)) for sign in SIGNS]
        ends_asking = float(text.rstrip().endswith("?"))
        tags = words.tags / max(words.words, 1)
        return np.concatenate(([log1p(len(text)), log1p(words.words), *signs, ends_asking], tags, self._topics(words)))

    def _topics(self, words: PostWords) -> FloatArray:
        topics = np.zeros(TOPICS)
        for place, weight in self._weights(words).items():
            topics += weight * self.components_[place]
        return topics

    def _weights(self, words: PostWords) -> dict[int, float]:
        """tf-idf of the known stems, with logarithms of the counts, of unit length."""
        counts = Counter(token for token in words.tokens if token in self.idf_)
        weights = {self.idf_[token][0]: (1 + log(count)) * self.idf_[token][1] for token, count in counts.items()}
        length = sum(weight * weight for weight in weights.values()) ** 0.5
        return {place: weight / length for place, weight in weights.items()}


def _reduce(posts: Sequence[dict[int, float]], width: int, seed: int) -> FloatArray:
    sparse, svd = _libraries()
    lengths = [len(post) for post in posts]
    rows = np.repeat(np.arange(len(posts)), lengths)
    columns = np.fromiter((place for post in posts for place in post), dtype=np.int64, count=sum(lengths))
    values = np.fromiter((value for post in posts for value in post.values()), dtype=np.float64, count=sum(lengths))
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(len(posts), width))
    components: FloatArray = svd(TOPICS, random_state=seed).fit(matrix).components_.T
    return components


def _libraries() -> tuple[Any, Any]:
    try:
        from scipy import sparse
        from sklearn.decomposition import TruncatedSVD
    except ImportError:
        raise InputError("Topics need scikit-learn; install it with: pip install 'thrawl[train]'.") from None
    return sparse, TruncatedSVD
