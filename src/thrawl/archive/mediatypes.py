"""What a file is, by its first bytes: a server's word and a file's name can be anything.

Only the pictures named here are ever shown inline. SVG and HTML can hold scripts: they are kept, and only ever handed
out as downloads under a harmless type.
"""

from __future__ import annotations

import re
from typing import Final

BINARY: Final = "application/octet-stream"
SVG: Final = "image/svg+xml"
HTML: Final = "text/html"
# The endings under which files may stand in an exported folder; a file of any other type ends in .bin there.
_ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "application/pdf": "pdf",
    "application/zip": "zip",
    "application/gzip": "gz",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "text/plain": "txt",
}
_SHOWN: Final = frozenset(name for name in _ENDINGS if name.startswith("image/"))
_BEGINNINGS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
)
_MARKUP: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body|script|title|table|div|p|meta|iframe|a|h1)\b", re.I)
_SNIFFED: Final = 1024  # bytes that are looked at; browsers look at 1,445


def type_of(content: bytes) -> str:
    """The type of a file by what it holds."""
    start = content[:_SNIFFED]
    for beginning, name in _BEGINNINGS:
        if start.startswith(beginning):
            return name
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    if start[4:8] == b"ftyp":
        return "image/avif" if start[8:12] in (b"avif", b"avis") else "video/mp4"
    if b"<svg" in start.lower():
        return SVG
    if _MARKUP.search(start):
        return HTML
    return "text/plain" if _is_text(content) else BINARY


def is_shown(name: str | None) -> bool:
    """Whether a browser may show files of this type inside a page."""
    return name in _SHOWN


def ending_of(name: str | None) -> str:
    """How the name of an exported file of this type ends."""
    return _ENDINGS.get(name or "", "bin")


def _is_text(content: bytes) -> bool:
    try:
        text = content[:_SNIFFED].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < _SNIFFED - 4:  # a letter that the look cuts in two is no fault
            return False
        text = content[: error.start].decode("utf-8")
    return bool(text) and all(char.isprintable() or char in "\t\r\n\f" for char in text)
