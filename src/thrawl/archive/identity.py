"""Which post is which: the identity under which a post is kept once, however often it is seen.

Where the site shows an id, that is the identity within the thread. Elsewhere it is the author, the shown time and
the words. A shown time counts as it stands when it names its year, and as it was understood when it names the hour
("yesterday, 12:34"); "5 minutes ago" reads differently on the next page of the same crawl and does not count.
Posts of one page that agree in all of that are told apart by their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from thrawl.archive.values import to_shown
from thrawl.page.shown import PostRecord

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b|\d{4}年")
_HOUR: Final = re.compile(r"\b\d{1,2}[:.]\d\d\b")
_LONGEST_ID: Final = 200  # characters; a longer "id" is no id of any site but must still fit into an index


def identities(posts: Sequence[PostRecord], held: Mapping[str, str | None] = MappingProxyType({})) -> list[str]:
    """One identity for each post of a page. An id that comes back with the same words is the same post again.

    A blog's post-6 and comment-6 are two posts with the id 6: the second sort met is known by its whole anchor. `held`
    are the permalinks of posts that the thread holds already, by the identities that `asked_identities` gave.
    """
    seen: Counter[str] = Counter()
    given: dict[tuple[str, str], str] = {}
    anchors = {identity: _anchor(url) for identity, url in held.items()}
    result = []
    for post in posts:
        base = _own(post, anchors)
        known = given.get((base, post.text)) if post.post_id else None
        if known is None:
            seen[base] += 1
            known = given[base, post.text] = base if seen[base] == 1 else f"{base}:{seen[base]}"
        result.append(known)
    return result


def content_hash(post: PostRecord) -> str:
    """What tells an edit from a second look: the words. Markup changes with sessions and designs."""
    return _digest(" ".join(post.text.split()), *(quote.text for quote in post.quotes))


def names_its_year(shown: str | None) -> bool:
    """Whether a shown time means the same on whatever day it is read."""
    return shown is None or _YEAR.search(shown) is not None


def names_its_hour(shown: str | None) -> bool:
    """Whether a shown time is as exact on whatever day it is read: "yesterday, 12:34" is, "a day ago" is not."""
    return shown is not None and _HOUR.search(shown) is not None


def asked_identities(post: PostRecord) -> tuple[str, ...]:
    """The identities under which a thread may hold a post whose id other posts of it may share."""
    anchor = _anchor(post.post_url)
    return (_base(post), f"#{anchor}") if _sort_of(anchor, post.post_id) else ()


def unique_id(post_id: str | None, identity: str) -> str | None:
    """The id that a post has to itself in its thread: what the site shows, more exact where it shows that twice."""
    return post_id if post_id is None or not _is_shared(post_id, identity) else identity.removeprefix("#")


def _is_shared(post_id: str, identity: str) -> bool:
    return identity.startswith("#") and len(post_id) <= _LONGEST_ID and identity != f"#{post_id}"


def _own(post: PostRecord, anchors: dict[str, str | None]) -> str:
    """The identity of a post by itself; one whose id belongs to a post of another sort is known by its anchor."""
    base, anchor = _base(post), _anchor(post.post_url)
    if not _sort_of(anchor, post.post_id):
        return base
    holder = anchors.setdefault(base, anchor)
    if f"#{anchor}" in anchors:
        return f"#{anchor}"
    if not _sort_of(holder, post.post_id) or holder == anchor:
        return base
    anchors[f"#{anchor}"] = anchor
    return f"#{anchor}"


def _anchor(url: str | None) -> str | None:
    anchor = (url or "").partition("#")[2]
    return anchor if anchor and len(anchor) <= _LONGEST_ID else None


def _sort_of(anchor: str | None, post_id: str | None) -> str | None:
    """What an anchor says besides the id: comment- of comment-6."""
    if anchor is None or not post_id or not anchor.endswith(post_id):
        return None
    return anchor.removesuffix(post_id) or None


def _base(post: PostRecord) -> str:
    if post.post_id:
        return f"#{post.post_id}" if len(post.post_id) <= _LONGEST_ID else f"#{_digest(post.post_id)}"
    return without_id(post)


def without_id(post: PostRecord) -> str:
    """The identity that a post has where no id of it is known."""
    return f"~{_digest(post.author or '', _when(post), ' '.join(post.text.split()))}"


def _when(post: PostRecord) -> str:
    """What the shown time adds to an identity: only what reads the same on another day."""
    if post.published_text is None or names_its_year(post.published_text):
        return post.published_text or ""
    if post.published is not None and _HOUR.search(post.published_text):
        moment = post.published if post.published.tzinfo else post.published.replace(tzinfo=UTC)
        return to_shown(moment) or ""  # whether the site tells its zone may be learned later
    return ""


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()
