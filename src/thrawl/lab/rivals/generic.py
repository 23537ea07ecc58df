"""The generic crawler: breadth first over every link of the site (FoCUS 5.3.1, Wang et al. 6.1).

It honours `rel=nofollow` and robots.txt, and puts on record what it leaves aside and why: a link with nofollow is a
refused URL of the archive, one that robots.txt forbids a failed page (the fetcher tells).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.archive.values import RefusedUrl
from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.lab.rivals.way import Found, Moves, Say, Step
from thrawl.net.message import Fetcher
from thrawl.page.pagekind import PageKind
from thrawl.profile.urls import same_site

_RULE: Final = "a link of the site"
NOFOLLOW: Final = "the site marks the link with nofollow"


@dataclass(frozen=True, slots=True)
class Generic:
    """Follows everything."""

    name: str = "generic"

    async def find_way(self, start: str, fetcher: Fetcher, looks: Looks, say: Say) -> Found:
        return Found(EveryLink(start))


@dataclass(frozen=True, slots=True)
class EveryLink:
    """The way along all links inside the site."""

    start: str

    @property
    def starts(self) -> Sequence[Step]:
        return (Step(self.start, PageKind.OTHER, "the page that the crawl was started from"),)

    def onward(self, look: PageLook, rule: str) -> Moves:
        inside = [link for link in look.links if same_site(link.url, self.start)]
        steps = [Step(link.url, PageKind.OTHER, _RULE) for link in inside if not link.nofollow]
        refused = [RefusedUrl(link.url, NOFOLLOW) for link in inside if link.nofollow]
        return Moves(steps, refused)
