"""The one interface of all policies: see what the archive holds, choose a page, see what it showed.

`thrawl simulate` and `thrawl watch` drive the very same objects through it, so what an experiment says of a policy is
said of the one that runs.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from thrawl.refresh.pages import History, Layer, Looked, PageRef, Shown, Site
from thrawl.refresh.trust import Trust


class Policy(Protocol):
    """Decides what to fetch next, under a budget of one request every `site.seconds_per_request`.

    `begin` is called once, with the moment at which each list was last looked at (a list that is not named never was);
    then `choose` is answered by `observe` or `failed`, with a clock that never runs back. Pages that nobody chose may
    be observed, too: what a run before left over. Boards and threads come with the pages that show them, and go by
    `failed`.
    """

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None: ...

    def choose(self, now: float) -> PageRef | None:
        """The page to ask for; None when nothing is worth a request now."""

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None: ...

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        """The page could not be had: the site has it no more, or something else was in the way, and passes."""


@runtime_checkable
class Believer(Protocol):
    """A policy that measures how far the pages that tell of the whole site can be believed."""

    def belief(self, kind: Layer) -> Trust: ...

    def is_dropped(self, kind: Layer) -> bool:
        """Whether a page left out so much that it is not asked any more."""

    def renew(self, kind: Layer, trust: Trust) -> None:
        """From now on another page stands for this kind, or the same again, with what is known of it."""


@runtime_checkable
class Walker(Protocol):
    """A policy that reads index pages from the head until rows are known, and goes on with walks that were cut off."""

    def is_walking(self, board: int) -> bool:
        """Whether the index pages of a board are still to be read on, from what was seen of them."""
