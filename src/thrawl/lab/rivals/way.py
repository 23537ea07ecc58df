"""What a strategy is, and what it gives: a way through a site, learned or not.

A strategy may look at a site first (`learn`); the way that it gives says where a crawl begins and, for every page that
was fetched, where it goes from there. Nothing here fetches on its own: `crawl` walks every way in the same manner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from thrawl.archive.values import RefusedUrl
from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.net.message import Fetcher, Response
from thrawl.page.pagekind import PageKind

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Step:
    """A URL to go to. `rule` names the rule that leads there; the page's own onward steps may depend on it."""

    url: str
    kind: PageKind
    rule: str


@dataclass(frozen=True, slots=True)
class Moves:
    """Where a page leads, and what is left aside on it, with the reason."""

    steps: Sequence[Step] = ()
    refused: Sequence[RefusedUrl] = ()


class Way(Protocol):
    """A way through one site."""

    @property
    def starts(self) -> Sequence[Step]:
        """Where the crawl begins, the entry page first."""

    def onward(self, look: PageLook, rule: str) -> Moves:
        """Where a page leads that was reached by a rule."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a strategy made of a site: its way, the pages that it looked at, and the requests which that took."""

    way: Way
    pages: tuple[Response, ...] = ()
    requests: int = 0


class Strategy(Protocol):
    """A crawler of the papers."""

    @property
    def name(self) -> str: ...

    async def find_way(self, start: str, fetcher: Fetcher, looks: Looks, say: Say) -> Found:
        """Find the way through the site that a URL belongs to. Raises LearnError where there is none."""
