"""Sampling a site for its sitemap (Wang et al., section 4): breadth and depth by a double-ended queue.

All unseen URLs of every page go to the end of the queue; the next page is taken from its front or from its end, at
random. So pages near the entry page and pages deep below it are met alike. FoCUS 5.1 found that iRobot needs at least
2,000 pages of forums with 65,000 threads or more; Wang et al. took 5,000 of mirrors of 30,000 pages, a sixth.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from thrawl.errors import FetchError, LearnError
from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.lab.rivals.way import Say
from thrawl.net.message import Fetcher, Request, Response
from thrawl.profile.urls import same_site

SAMPLE: Final = 600
"""Pages of a sample: the paper's sixth of a mirror, for mirrors of some thousand pages as Thrawl is measured on."""
_TOLD_EVERY: Final = 100


@dataclass(slots=True)
class Sample:
    """The pages that were looked at, by their URLs, in the order of looking; `led` says where redirecting URLs led."""

    start: str
    looks: dict[str, PageLook] = field(default_factory=dict)
    led: dict[str, str] = field(default_factory=dict)
    pages: list[Response] = field(default_factory=list)
    requests: int = 0

    def page_of(self, url: str) -> PageLook | None:
        """The page that a URL shows, if it was looked at."""
        return self.looks.get(self.led.get(url, url))

    def first(self, pages: int) -> Sample:
        """The sample as it was after that many pages."""
        kept = dict(list(self.looks.items())[:pages])
        return Sample(self.start, kept, {url: at for url, at in self.led.items() if at in kept})


async def draw_sample(
    start: str,
    fetcher: Fetcher,
    looks: Looks,
    *,
    size: int = SAMPLE,
    seed: int = 1,
    both_ends: bool = True,
    say: Say = lambda _: None,
) -> Sample:
    """Sample the site of a URL; from the front of the queue alone it is breadth first.

    Raises LearnError where the page cannot be read.
    """
    chosen = random.Random(f"{seed} {start}")
    queue = deque([start])
    seen = {start}
    sample = Sample(start)
    while queue and sample.requests < size:
        url = queue.pop() if both_ends and chosen.random() < 0.5 else queue.popleft()
        look = await _look(url, fetcher, looks, sample)
        if look is None:
            continue
        if len(sample.looks) == 1:
            sample.start = look.url
        for link in _inside(look, start):
            if link not in seen:
                seen.add(link)
                queue.append(link)
        if sample.requests % _TOLD_EVERY == 0:
            say(f"sampled {sample.requests} pages")
    if not sample.looks:
        raise LearnError(f"the page {start} cannot be read, so there is nothing to sample; give another page of it.")
    return sample


def _inside(look: PageLook, start: str) -> Iterator[str]:
    return (link.url for link in look.links if not link.nofollow and same_site(link.url, start))


async def _look(url: str, fetcher: Fetcher, looks: Looks, sample: Sample) -> PageLook | None:
    """Fetch a page and keep it; None where there is nothing new to read."""
    if url in sample.led or url in sample.looks:
        return None
    sample.requests += 1
    try:
        response = await fetcher.fetch(Request(url))
    except FetchError:
        return None
    if not response.is_html:
        return None
    sample.led[url] = response.url
    sample.pages.append(response)
    if response.url in sample.looks:
        return None
    look = looks.look(response)
    if look is not None:
        sample.looks[response.url] = look
    return look
