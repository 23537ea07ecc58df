"""What a database can hold: bad input is normal input, and one odd character must not stop a crawl.

PostgreSQL refuses NUL characters and index entries above 2,700 bytes; no database takes half a surrogate pair.
"""

from __future__ import annotations

from hashlib import blake2b

from thrawl.limits import MAX_AUTHOR_CHARS, MAX_STORED_URL_BYTES
from thrawl.net.url import without_numbers


def storable(text: str) -> str:
    """The text without what no database takes."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def storable_or_none(text: str | None) -> str | None:
    return None if text is None else storable(text)


def author_name(name: str) -> str:
    return storable(name)[:MAX_AUTHOR_CHARS]


def fits(url: str) -> bool:
    """Whether a URL is short enough to stand in the frontier."""
    return len(url) <= MAX_STORED_URL_BYTES and (url.isascii() or len(storable(url).encode()) <= MAX_STORED_URL_BYTES)


def key_url(url: str) -> str:
    """A URL as a key: itself, or for one that is far too long its beginning and a digest of it all."""
    clean = storable(url)
    if fits(clean):
        return clean
    digest = blake2b(clean.encode(), digest_size=12).hexdigest()
    return f"{clean.encode()[: MAX_STORED_URL_BYTES // 2].decode(errors='ignore')}~{digest}"


def pattern_of(url: str) -> str:
    """The URL without its numbers, so that a thousand profile pages are refused in one line."""
    return key_url(without_numbers(url))
