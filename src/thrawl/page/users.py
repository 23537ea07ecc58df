"""Which links of a page lead to users: the last of FoCUS' Table 1 features, and an anchor of posts beside the time.

No word of any URL is known. A user link is short, stands once or twice in each record, and name and address go
together: the same name leads to the same address and another name to another. Buttons (one word, many addresses) and
titles (long, never the same twice) fail one of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from thrawl.page.links import LinkGroup

_LONGEST_NAME: Final = 32  # characters; forums let names have some thirty, titles go on
_USUAL_NAME: Final = 16  # characters; what is longer in the median is a name less and less
# in more records than this, some user comes back
_FEW_RECORDS: Final = 6
_VARYING: Final = re.compile(r"\d+")
_NOT_A_NAME: Final = re.compile(
    r"[\d\s.,:/()\[\]#+-]*|.*\d{1,2}:\d\d.*|.*\d{4}[-/.]\d\d?.*|.*\d\d?[-/.]\d\d?[-/.]\d\d.*"
)


def user_group(groups: Sequence[LinkGroup], region: int, records: int) -> LinkGroup | None:
    """The group of a region's links that most looks like its users, or None."""
    inside = [group for group in groups if group.region == region and group.place.kind == "words"]
    scored = [(score, index) for index, group in enumerate(inside) if (score := _likelihood(group, records)) > 0]
    return inside[max(scored, key=lambda pair: (pair[0], -pair[1]))[1]] if scored else None


def _likelihood(group: LinkGroup, records: int) -> float:
    """0 for what cannot be names; else the share of records with one, lifted by names that come back."""
    names = [link.anchor for link in group.links]
    covered = len(names) / max(1, records)
    if (
        covered < 0.4
        or median(map(len, names)) > _LONGEST_NAME
        or sum(map(bool, map(_NOT_A_NAME.fullmatch, names))) * 3 > len(names)
    ):
        return 0.0
    addresses = len(set(group.urls))
    pairs = len(set(zip(names, group.urls, strict=True)))
    distinct = len(set(names))
    if distinct * 1.25 < addresses or addresses * 1.5 < distinct or pairs > 1.25 * max(distinct, addresses):
        return 0.0
    if distinct == 1 and len(names) > 3:
        return 0.2 * min(1.0, covered)
    returning = 1 - distinct / len(names)
    words = sum(name.count(" ") for name in names) / len(names)
    if not returning and (len(names) > _FEW_RECORDS or words > 0.5 or median(map(len, names)) > _USUAL_NAME):
        return 0.0
    return min(1.0, covered) * (1 + 2 * returning) / (1 + words) / (1 + median(map(len, names)) / _USUAL_NAME)


@lru_cache(maxsize=8192)
def address_form(url: str) -> str:
    """The form of an address: numbers folded, the last word of the path or the values of the query left open."""
    parts = urlsplit(url)
    names = "&".join(piece.partition("=")[0] for piece in parts.query.split("&")) if parts.query else ""
    path = parts.path
    if not names:
        path = path[: path.rstrip("/").rfind("/") + 1] + "*"
    return f"{parts.netloc}{_VARYING.sub('0', path)}?{_VARYING.sub('0', names)}"
