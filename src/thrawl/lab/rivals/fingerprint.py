"""Near-duplicate pages by SimHash (Wang et al. 5.1.1, with Manku et al., its reference 11).

A page's visible words, tags and scripts removed, are cut into shingles; each shingle's hash votes on 64 bits. Two pages
whose fingerprints differ in few bits are duplicates: for bits, the paper's L2 distance is the root of their number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy

_WORD: Final = re.compile(r"\w+")
_SHINGLE: Final = 3  # words in a row: single words of two threads of one board are much the same
_BITS: Final = 64
_BAND: Final = 16
CLOSE: Final = 3
"""Bits in which duplicates differ at most: what Manku et al. found best on web pages, for 64 bits."""


def simhash(text: str) -> int:
    """The fingerprint of a text; 0 for one without words."""
    words = _WORD.findall(text.casefold())
    if not words:
        return 0
    count = max(1, len(words) - _SHINGLE + 1)
    hashes = numpy.array([_hash(" ".join(words[at : at + _SHINGLE])) for at in range(count)], dtype=numpy.uint64)
    votes = numpy.unpackbits(hashes.view(numpy.uint8).reshape(-1, 8), axis=1).sum(axis=0)
    return int.from_bytes(numpy.packbits(votes * 2 > len(hashes)).tobytes(), "big")


@lru_cache(maxsize=200_000)  # a site's templates repeat most shingles on every page
def _hash(shingle: str) -> int:
    return int.from_bytes(blake2b(shingle.encode("utf-8", "replace"), digest_size=8).digest(), "big")


class Uniques:
    """The unique pages among those that were added. Each page is a duplicate of the first unique one close to it.

    Fingerprints that differ in three bits agree in one of four bands, so only pages that share a band are compared.
    """

    def __init__(self) -> None:
        self._prints: list[int] = []
        self._bands: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._known: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._prints)

    def add(self, fingerprint: int) -> int:
        """The number of the unique page that this one is, or is a duplicate of."""
        found = self._known.get(fingerprint)
        if found is None:
            found = self._close(fingerprint)
            if found is None:
                found = self._new(fingerprint)
            self._known[fingerprint] = found
        return found

    def _close(self, fingerprint: int) -> int | None:
        near = {number for band in _bands(fingerprint) for number in self._bands.get(band, ())}
        return min((one for one in near if (self._prints[one] ^ fingerprint).bit_count() <= CLOSE), default=None)

    def _new(self, fingerprint: int) -> int:
        number = len(self._prints)
        self._prints.append(fingerprint)
        for band in _bands(fingerprint):
            self._bands[band].append(number)
        return number


def _bands(fingerprint: int) -> list[tuple[int, int]]:
    return [(shift, fingerprint >> shift & (1 << _BAND) - 1) for shift in range(0, _BITS, _BAND)]
