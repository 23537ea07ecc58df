"""Which post is which: the identity under which a post is kept once, however often it is seen.

Where the site shows an id, that is the identity within the thread. Elsewhere it is the author, the shown time and
the words. A shown time counts as it stands when it names its year, and as it was understood when it names the hour
("yesterday, 12:34"); "5 minutes ago" reads differently on the next page of the same crawl and does not count.
Posts of one page that agree in all of that are told apart by their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from thrawl.archive.values import to_shown
from thrawl.page.shown import PostRecord

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b|\d{4}年")
_HOUR: Final = re.compile(r"\b\d{1,2}[:.]\d\d\b")
_LONGEST_ID: Final = 200  # characters; a longer "id" is no id of any site but must still fit into an index


def identities(posts: Sequence[PostRecord]) -> list[str]:
    """One identity for each post of a page. An id that comes back with the same words is the same post again."""
    seen: Counter[str] = Counter()
    given: dict[tuple[str, str], str] = {}
    result = []
    for post in posts:
        base = _base(post)
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


def _base(post: PostRecord) -> str:
    if post.post_id:
        return f"#{post.post_id}" if len(post.post_id) <= _LONGEST_ID else f"#{_digest(post.post_id)}"
    return f"~{_digest(post.author or '', _when(post), ' '.join(post.text.split()))}"


def _when(post: PostRecord) -> str:
    """What the shown time adds to an identity: only what reads the same on another day."""
    if post.published_text is None or names_its_year(post.published_text):
        return post.published_text or ""
    if post.published is not None and _HOUR.search(post.published_text):
        return to_shown(post.published) or ""
    return ""


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()
