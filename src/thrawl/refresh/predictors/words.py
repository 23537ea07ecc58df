"""The words of a post as figures: stems without stop words, and counts of parts of speech (report, section 3.2).

Tokens shorter than three letters and English stop words are left out; stems are Porter's, by Snowball; parts of speech
are those of HanTa's English model, one word at a time, for the words that it lists. Texts in other
languages give tokens too, if only the whole word; their parts of speech are guesses. All three libraries stand in the
extra `train`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from thrawl.errors import InputError
from thrawl.refresh.predictors.posts import FloatArray

WORD: Final = re.compile(r"[^\W\d_]+")
SHORTEST_TOKEN: Final = 3
# Letters; longer runs are no words, and the tagger takes time that grows with the square of a word's length.
LONGEST_TOKEN: Final = 40
# Characters of one post that are read; the longest of 54,000 real ones has a few that are longer.
READ_CHARS: Final = 20_000
# Posts whose words are remembered; some 200 MB with the longest texts that forums have.
KNOWN_POSTS: Final = 200_000
# Classes of the tagger's tags by how they begin: nouns, names, verbs, to be / do / have, modals, adjectives, adverbs,
# pronouns, prepositions, articles, conjunctions, determiners, interjections.
TAGS: Final = ("NN", "NP", "VV", "VB", "VD", "VH", "VM", "AJ", "AV", "PN", "PR", "AT", "CJ", "DT", "IT")


@dataclass(frozen=True, slots=True, eq=False)
class PostWords:
    """`tags` counts the words of each class of `TAGS`; `words` counts all words, stop words included."""

    tokens: tuple[str, ...]
    tags: FloatArray
    words: int


NO_WORDS: Final = PostWords((), np.zeros(len(TAGS)), 0)


class WordReader:
    """Reads each text once; one reader may serve many predictors."""

    def __init__(self, *, stems: bool = True) -> None:
        self.stems = stems
        self._known: dict[str, PostWords] = {}
        self._stems: dict[str, str] = {}
        self._classes: dict[str, int] = {}

    def read(self, text: str) -> PostWords:
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= KNOWN_POSTS:
                self._known.clear()
            found = self._known[text] = self._read(text[:READ_CHARS])
        return found

    def _read(self, text: str) -> PostWords:
        words = Counter(word for word in WORD.findall(text.lower()) if len(word) <= LONGEST_TOKEN)
        tags = np.zeros(len(TAGS) + 1)
        for word, count in words.items():
            tags[self._class(word)] += count
        stops = _stop_words()
        tokens = [
            self._stem(word)
            for word, count in words.items()
            if len(word) >= SHORTEST_TOKEN and word not in stops
            for _ in range(count)
        ]
        return PostWords(tuple(tokens), tags[:-1], sum(words.values()))

    def _stem(self, word: str) -> str:
        if not self.stems:
            return word
        stem = self._stems.get(word)
        if stem is None:
            stem = self._stems[word] = _stemmer().stemWord(word)
        return stem

    def _class(self, word: str) -> int:
        """The word's place in `TAGS`; the place after the last for all other tags."""
        place = self._classes.get(word)
        if place is None:
            tag = _tag(word)
            place = self._classes[word] = TAGS.index(tag) if tag in TAGS else len(TAGS)
        return place


def _tag(word: str) -> str:
    """The likeliest tag's class; none for a word that the model does not list.

    The tagger guesses unlisted words by their parts, in 2 ms each: 87 of 100 running words of a forum are listed, but
    most of its distinct words are not.
    """
    tagger = _tagger()
    tags: list[tuple[str, float]] = tagger.tag_word(word, casesensitive=False) if word in tagger.cache else []
    return tags[0][0][:2] if tags else ""


@cache
def _tagger() -> Any:
    try:
        from HanTa import HanoverTagger
    except ImportError:
        raise _missing("HanTa") from None
    return HanoverTagger.HanoverTagger("morphmodel_en.pgz")


@cache
def _stemmer() -> Any:
    try:
        import snowballstemmer
    except ImportError:
        raise _missing("snowballstemmer") from None
    return snowballstemmer.stemmer("porter")


@cache
def _stop_words() -> frozenset[str]:
    try:
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
    except ImportError:
        raise _missing("scikit-learn") from None
    return frozenset(ENGLISH_STOP_WORDS)


def _missing(library: str) -> InputError:
    return InputError(f"Predicting from words needs {library}; install it with: pip install 'thrawl[train]'.")
