"""Links that lead to a place on a page: mostly to the newest post of a thread, on some sites the titles themselves.

Where titles do, they may name the post twice, in the query and behind the `#` (`thread=7&page=3&post=99#post_99`). Then
the thread's own address is what is left without that parameter, if the page there is the one that the title names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from thrawl.page.links import Link, LinkGroup, names_a_place
from thrawl.page.reading import Page
from thrawl.profile.urls import take_apart, without_session

_NUMBER: Final = re.compile(r"\D*(\d+)\D*")
_FEWEST_LINKS: Final = 3  # titles that make a list
_GOOD_PART: Final = 0.2  # of what rows say: names, counts and times beside a title are mostly less than twice as long


def leads_inside(group: LinkGroup) -> bool:
    """Whether most links lead to a place on a page, as those to the newest post of a thread do."""
    return 2 * sum(bool(link.fragment) for link in group.links) > len(group.links)


def are_the_titles(group: LinkGroup, plain: Sequence[LinkGroup], page: Page) -> bool:
    """Whether links that lead to places are titles all the same: no other links of the page are as many and none names
    a place of its own; or they begin rows that say little else, and say more than any plain links of the page."""
    others = max((len(one.links) for one in plain), default=0)
    if len(group.links) > others and not any(names_a_place(link.fragment) for link in group.links):
        return True
    return _begin_rows(group, page) and all(one.anchor_chars < group.anchor_chars for one in plain)


def _begin_rows(group: LinkGroup, page: Page) -> bool:
    """Whether most links are the first in rows of their own, and a good part of these: posts say more."""
    if group.region < 0:
        return False
    said = sum(len(page.tree.text_of(one.start, one.end)) for one in page.regions[group.region].records)
    if group.anchor_chars < _GOOD_PART * said:
        return False
    nodes = sorted(link.node for other in page.groups if other.region == group.region for link in other.links)
    own = {link.node for link in group.links}
    starts = [one.start for one in page.regions[group.region].records]
    first = [nodes[at] for start in starts if (at := bisect_left(nodes, start)) < len(nodes)]
    return 2 * sum(node in own for node in first) > len(first)


def post_parameter(page: Page) -> tuple[str, list[Link]] | None:
    """The parameter by which the titles of a page name one post of their thread, with these titles."""
    plain = [one for one in page.groups if not leads_inside(one)]
    for group in page.groups:
        if leads_inside(group) and are_the_titles(group, plain, page):
            named = [set(_twice_named(link)) for link in group.links]
            common = set.intersection(*named)  # what two parameters say is the thread's own number, and names no post
            left = {without_session(link.url, frozenset(common)) for link in group.links}
            if len(common) == 1 and len(left) == len({link.url for link in group.links}) >= _FEWEST_LINKS:
                return common.pop(), list(group.links)
    return None


def _twice_named(link: Link) -> Iterator[str]:
    """The parameters of a link whose value is the number of the place to which it leads."""
    number = _NUMBER.fullmatch(link.fragment)
    parts = take_apart(link.url)
    for name, value in zip(parts.structure.names, parts.slots[parts.structure.segments :], strict=True):
        if number is not None and name is not None and value == number[1]:
            yield name.lower()
