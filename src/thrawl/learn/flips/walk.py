"""A walk from page to page of a list, by a link of which nobody knows what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from thrawl.learn.sampler import Sampled, Sampler
from thrawl.profile.pager import Pager, sign_of
from thrawl.profile.pagerframes import HOLE

LONG_WALK: Final = 3  # pages that share no row: two orders of one list may show other rows, the third shows those again

Listed = Callable[[Sampled], frozenset[str]]
"""What a page lists."""


async def walk(sampler: Sampler, start: Sampled, pager: Pager, listed: Listed) -> int:
    """How many pages a link leads through, from page to page, that share no row but what stands on all; 0: they do."""
    walked = [start]
    ahead: str | None = pager.next_url or pager.urls[0]
    while ahead is not None and len(walked) < LONG_WALK + 1:
        page = await sampler.get(ahead)
        if page is None or page in walked:
            return 0
        walked.append(page)
        ahead = _leads_on(page, pager)
    rows = [listed(page) for page in walked]
    common = frozenset.intersection(*rows)
    repeated = Counter(row for shown in rows for row in shown - common)
    fresh = all(2 * len(shown & common) < len(shown) for shown in rows[1:])
    return len(walked) if fresh and max(repeated.values(), default=0) <= 1 else 0


def _leads_on(page: Sampled, pager: Pager) -> str | None:
    """Where the same link leads on another page: it shows the same sign there, and its address has the same form."""
    before, _, after = pager.frame.partition(HOLE)
    for link in page.page.links:
        is_flip = link.url.startswith(before) and link.url.endswith(after) and link.url != page.url
        if is_flip and sign_of(link, page.page.tree) in pager.signs:
            return link.url
    return None
