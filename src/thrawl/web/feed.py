"""The newest posts as an Atom feed (RFC 4287)."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from thrawl.archive.values import StoredPost
from thrawl.web.reader import NO_TITLE

_ATOM = "http://www.w3.org/2005/Atom"
_TITLE_CHARS = 200


def atom(title: str, base: str, posts: list[StoredPost]) -> bytes:
    """A feed of these posts; `base` is the address of their archive on this server."""
    ElementTree.register_namespace("", _ATOM)
    feed = Element(f"{{{_ATOM}}}feed")
    _add(feed, "title", f"{title}: newest posts")
    _add(feed, "id", f"{base}/feed.atom")
    _add(feed, "updated", _moment(max((post.published for post in posts if post.published), default=None, key=_utc)))
    SubElement(feed, f"{{{_ATOM}}}link", rel="self", href=f"{base}/feed.atom")
    for post in posts:
        entry = SubElement(feed, f"{{{_ATOM}}}entry")
        link = f"{base}/post/{post.id}"
        _add(entry, "title", (post.thread_title or NO_TITLE)[:_TITLE_CHARS])
        _add(entry, "id", link)
        _add(entry, "updated", _moment(post.edited or post.published))
        if post.published is not None:
            _add(entry, "published", _moment(post.published))
        _add(SubElement(entry, f"{{{_ATOM}}}author"), "name", post.author or "unknown")
        SubElement(entry, f"{{{_ATOM}}}link", rel="alternate", href=link)
        _add(entry, "content", post.text)
    written: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, f"{{{_ATOM}}}{name}").text = "".join(char for char in text if _is_allowed(char))


def _is_allowed(char: str) -> bool:
    """XML knows no control characters and no halves of pairs."""
    return char in "\t\n\r" or (char >= " " and not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff")


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _moment(moment: datetime | None) -> str:
    """A feed must name a zone: where the site tells none, UTC is the least wrong."""
    return _utc(moment or datetime.fromtimestamp(0, UTC)).isoformat(timespec="seconds")
