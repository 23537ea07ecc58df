"""The one interface of all policies: see what the archive holds, choose a page, see what it showed."""

from __future__ import annotations

from typing import Protocol

from thrawl.refresh.pages import History, PageRef, Shown, Site


class Policy(Protocol):
    """Decides what to fetch next, under a budget of one request every `site.seconds_per_request`.

    `begin` is called once; then `choose` and `observe` alternate, with a clock that never runs back.
    A policy always has something to ask for: a request not made now cannot be made later.
    """

    def begin(self, site: Site, history: History, now: float) -> None: ...

    def choose(self, now: float) -> PageRef: ...

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None: ...
