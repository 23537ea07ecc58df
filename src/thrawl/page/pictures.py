"""Pictures and files in the markup of a post: what it shows, what stands behind a small picture, what it attaches.

Nothing here names a forum program: a file is known by the name that its address or its link ends in, or by the link's
own word for it (`download`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from thrawl.limits import MAX_POST_MEDIA, MAX_URL_CHARS
from thrawl.page.srcset import largest

_PICTURES: Final = "png jpg jpeg gif webp avif bmp"
# Endings of files that people attach; those of pages are not among them.
_FILES: Final = (
    "pdf zip rar 7z gz tgz bz2 xz tar txt csv doc docx xls xlsx ppt pptx odt ods odp rtf epub mp3 ogg oga wav flac "
    "m4a mp4 m4v webm mov avi mkv svg tif tiff psd stl gpx kml json log patch diff torrent iso exe apk"
)
_PICTURE: Final = re.compile(rf"\.(?:{_PICTURES.replace(' ', '|')})$", re.IGNORECASE)
_FILE: Final = re.compile(rf"[^/\\]\.(?:{f'{_PICTURES} {_FILES}'.replace(' ', '|')})$", re.IGNORECASE)
_ENDING: Final = re.compile(rf"\.(?:{f'{_PICTURES} {_FILES}'.replace(' ', '|')})", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^>]*>")
# What may stand for a dot or a letter of a name: escapes of addresses, and of signs that need none in markup.
_ESCAPED: Final = re.compile(r"%|&(?!(?:amp|lt|gt|quot|nbsp);)|download", re.IGNORECASE)
_SMALLEST: Final = 1  # a picture of one dot shows nothing: it counts readers


@dataclass(frozen=True, slots=True)
class PostPicture:
    """A picture in a post, and the address of the whole one where a link around it says so."""

    url: str
    full: str | None


@dataclass(frozen=True, slots=True)
class PostAttachment:
    url: str
    name: str


def names_a_file(url: str) -> bool:
    """Whether an address ends like a picture or like a file that people attach."""
    return _FILE.search(url) is not None


def address_of(source: str | None, srcset: str | None, base: str) -> str | None:
    """The address of a picture in its largest form; None for one that stands in the page itself, or nowhere."""
    return _absolute((largest(srcset) if srcset else None) or source, base)


def found_in(html: str, base: str) -> Iterator[PostPicture | PostAttachment]:
    """The pictures and files of a post's markup, in its order."""
    if "<img" not in html and ("<a" not in html or not _may_name_a_file(html)):
        return
    tree = LexborHTMLParser(html)
    yield from islice(_found(tree, base), MAX_POST_MEDIA)


def _may_name_a_file(html: str) -> bool:
    """Whether some link may be one to a file: looked at before the markup is parsed, as few posts attach any.

    A name may be written in pieces of different looks, so the words are looked at without their tags, too.
    """
    return bool(_ENDING.search(html) or _ESCAPED.search(html) or _ENDING.search(_TAG.sub("", html)))


def _found(tree: LexborHTMLParser, base: str) -> Iterator[PostPicture | PostAttachment]:
    for node in tree.css("img, a[href]"):
        if node.tag == "img":
            picture = _picture(node, base)
            if picture is not None:
                yield picture
        elif node.css_first("img") is None:
            attachment = _attachment(node, base)
            if attachment is not None:
                yield attachment


def _picture(node: LexborNode, base: str) -> PostPicture | None:
    attributes = node.attributes
    url = address_of(attributes.get("src"), attributes.get("srcset"), base)
    if url is None or _is_dot(attributes.get("width"), attributes.get("height")):
        return None
    link = _link_around(node)
    full = _absolute(link.attributes.get("href"), base) if link is not None else None
    return PostPicture(url, full if full is not None and full != url and _leads_to_whole(full, url) else None)


def _is_dot(width: str | None, height: str | None) -> bool:
    sizes = [int(size) for size in (width, height) if size and size.isascii() and size.isdigit()]
    return len(sizes) == 2 and max(sizes) <= _SMALLEST


def _link_around(node: LexborNode) -> LexborNode | None:
    above = node.parent
    while above is not None and above.tag != "a":
        above = above.parent
    return above


def _leads_to_whole(link: str, picture: str) -> bool:
    """Whether a link around a picture leads to the same one: it is named as a picture is, or asks for a part less."""
    ours, theirs = urlsplit(link), urlsplit(picture)
    if _PICTURE.search(unquote(ours.path)):
        return True
    asked, more = dict(parse_qsl(ours.query)), dict(parse_qsl(theirs.query))
    same_place = (ours.netloc, ours.path) == (theirs.netloc, theirs.path)
    return same_place and bool(asked) and asked.items() < more.items()


def _attachment(node: LexborNode, base: str) -> PostAttachment | None:
    attributes = node.attributes
    href = attributes.get("href") or ""
    words = (node.text() or "").strip()
    named = attributes.get("download") or (words if _FILE.search(words) and "\n" not in words else None)
    if named is None and "download" not in attributes and _names_no_file(href):
        return None
    url = _absolute(href, base)
    if url is None:
        return None
    last = unquote(urlsplit(url).path).rpartition("/")[2]
    if named is None and "download" not in attributes and not _FILE.search(last):
        return None
    return PostAttachment(url, (named or last or words)[:MAX_URL_CHARS])


def _names_no_file(href: str) -> bool:
    """Whether a link surely leads to no file, by its own name: most links are told so before they are resolved."""
    path = href.strip().partition("#")[0].partition("?")[0]
    plain = path and not any(sign in path for sign in "\t\r\n")  # which addresses lose, wherever they stand
    return bool(plain) and not _FILE.search(unquote(path.rpartition("/")[2]))


def _absolute(address: str | None, base: str) -> str | None:
    address = (address or "").strip()
    if not address or address[:5].lower() == "data:":
        return None
    try:
        joined = urljoin(base, address).partition("#")[0]
        parts = urlsplit(joined)
    except ValueError:
        return None
    whole = parts.scheme in ("http", "https") and bool(parts.hostname)
    return joined if whole and len(joined) <= MAX_URL_CHARS else None
