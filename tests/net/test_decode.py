"""A body comes out the same however it is cut on its way."""

from __future__ import annotations

import gzip
import zlib
from contextlib import suppress
from itertools import pairwise

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import FetchError, LimitExceeded
from thrawl.net.decode import BodyReader, zstd
from thrawl.net.options import FetchLimits

PACKERS = {
    "": bytes,
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[begin:end] for begin, end in pairwise(edges) if begin < end]


def unpacked(encoding: str, pieces: list[bytes], limits: FetchLimits | None = None, **options: bool) -> bytes:
    reader = BodyReader("http://a.test/", encoding, limits or FetchLimits(), **options)
    for piece in pieces:
        reader.take(piece)
    return reader.body()


TEXTS = st.binary(max_size=500) | st.text("ab <p>", max_size=3000).map(str.encode)
PLACES = st.lists(st.integers(0, 5000), max_size=8)


@given(st.sampled_from(list(PACKERS)), TEXTS, PLACES)
def test_any_cutting_of_any_encoding_gives_the_body(encoding, text, places):
    assert unpacked(encoding, cut(PACKERS[encoding](text), places)) == text


@given(st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.binary(min_size=1, max_size=500), st.integers(1, 9999))
def test_a_body_that_lacks_its_end_is_never_taken_for_whole(encoding, text, end):
    packed = PACKERS[encoding](text)
    begin = packed[: 2 + end % (len(packed) - 2)]
    with pytest.raises((EOFError, FetchError)):
        unpacked(encoding, [begin])


@given(st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.binary(max_size=300), PLACES)
def test_any_bytes_are_a_body_or_an_error(encoding, noise, places):
    with suppress(FetchError, EOFError):
        unpacked(encoding, cut(PACKERS[encoding](b"words " * 20)[:15] + noise, places))


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd"])
def test_padding_after_the_end_is_ignored(encoding):
    packed = PACKERS[encoding](b"words " * 20)
    assert unpacked(encoding, [packed + bytes(10), bytes(10)]) == b"words " * 20


@given(st.sampled_from(list(PACKERS)), st.integers(0, 5000), PLACES)
def test_the_limit_holds_to_the_byte(encoding, size, places):
    limits = FetchLimits(body_bytes=2000)
    pieces = cut(PACKERS[encoding](bytes(size)), places)
    if size <= 2000:
        assert len(unpacked(encoding, pieces, limits)) == size
    else:
        with pytest.raises(LimitExceeded):
            unpacked(encoding, pieces, limits)
        assert unpacked(encoding, pieces, limits, cut=True) == bytes(2000)
