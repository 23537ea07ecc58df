"""The lists of which each is polled by its own worth: where no page tells of the whole site, or none can be believed.

An arm is the head of a board; where index pages are not sorted by last reply, every index page; where rows tell nothing
of replies, every thread. Its pulse says what is expected of it, an agenda when a look is worth the going price, and
`overdue` that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Final

from thrawl.refresh.activity import Activity
from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.excitation import SCALES, Pulse
from thrawl.refresh.overdue import Overdue
from thrawl.refresh.pages import PageKind, PageRef, Site
from thrawl.refresh.rhythm import DAY

PRICE_MEMORY: Final = 300.0
# Arms from which the first price is estimated.
PRICED_ARMS: Final = 1000
# The share of the requests that fetching what was found may take, when the price of polls is estimated.
MOST_FETCHES: Final = 0.6
# Every arm is looked at within this time if a good share of the requests is enough for it: a post that nobody expected
# is then found within a month.
LONGEST_DAYS: Final = 25
OVERDUE_SHARE: Final = 0.5
# Of a wait: for so long the worth of a look is not computed anew, which takes most of a simulation's time.
A_LITTLE: Final = 0.1

Span = Callable[[PageRef, float, float], float]


class Arms:
    """Arms by the moment that a look is worth its price."""

    def __init__(self, site: Site, activity: Activity, price: Price) -> None:
        self._site = site
        self._activity = activity
        self.price = price
        self.agenda: Agenda[PageRef] = Agenda()
        self.looked: dict[PageRef, float] = {}
        self._spans: dict[PageRef, float] = {}
        self.pages: dict[PageRef, Pulse] = {}
        self._worths: dict[PageRef, tuple[float, float, float]] = {}
        self._overdue: Overdue[PageRef] = Overdue(LONGEST_DAYS * DAY, site.seconds_per_request, OVERDUE_SHARE)

    def pulse(self, arm: PageRef, now: float) -> Pulse:
        if arm.kind is PageKind.POSTS:
            return self._activity.thread(arm.list, now)
        return self.pages.get(arm) or self._activity.boards[arm.list]

    def worth(self, arm: PageRef, now: float) -> float:
        """What a look is worth now. Asked again a little later, it grew by the square of the wait, nearly."""
        looked = self.looked[arm]
        known = self._worths.get(arm)
        if known is not None and known[0] == looked and now - known[1] < A_LITTLE * (known[1] - looked):
            grown = (now - looked) / (known[1] - looked)
            return known[2] * grown * grown
        worth = self._activity.worth(self.pulse(arm, now), looked, now)
        self._worths[arm] = (looked, now, worth)
        return worth

    def span(self, arm: PageRef, looked: float, now: float, guess: float = 0.0) -> float:
        """Seconds after a look until another is worth the price."""
        return self._activity.span_until(self.price.value, self.pulse(arm, now), looked, guess)

    def begin(self, looked: Iterable[tuple[PageRef, float]], now: float) -> None:
        self.looked = dict(looked)
        self._overdue.begin(self.looked.items())
        self._set_price(now)

    def best(self, now: float) -> PageRef | None:
        """The arm to pull now."""
        late = self._overdue.first(now)
        if late is not None:
            return late
        found = self.agenda.best(now, lambda arm: self.worth(arm, now))
        if found is None:
            return None
        self.price.paid(found[1])
        return found[0]

    def look(self, arm: PageRef, now: float) -> None:
        self.looked[arm] = now
        self._overdue.look(arm, now)
        self._schedule(arm, now)

    def sum_up(self, arm: PageRef, threads: Iterable[int], base: float, now: float) -> None:
        """An index page gets what is expected of its threads together, and its share of new ones."""
        amplitudes = [0.0] * len(SCALES)
        for thread in threads:
            pulse = self._activity.thread(thread, now)
            base += pulse.base
            pulse.add_to(amplitudes, now)
        whole = self.pages[arm] = Pulse(now, base)
        whole.amplitudes = amplitudes

    def sum_up_board(self, board: int, threads: Sequence[int], now: float) -> list[PageRef]:
        """Every index page of a board, with what is expected of the threads that should stand on it."""
        size = self._site.rows_per_page
        pages = []
        for start in range(0, max(len(threads), 1), size):
            pages.append(PageRef(PageKind.INDEX, board, start // size + 1))
            base = self._activity.boards[board].base if not start else 0.0
            self.sum_up(pages[-1], threads[start : start + size], base, now)
        return pages

    def remove(self, arm: PageRef) -> None:
        self.agenda.remove(arm)
        self._overdue.remove(arm)
        self.looked.pop(arm, None)
        self._spans.pop(arm, None)
        self._worths.pop(arm, None)

    def due(self, arm: PageRef) -> float | None:
        """When the next look at an arm is expected."""
        return self.looked[arm] + self._spans[arm] if arm in self._spans and arm in self.looked else None

    def _schedule(self, arm: PageRef, now: float) -> None:
        self.pulse(arm, now).move(now)
        looked = self.looked[arm]
        span = self._spans[arm] = self.span(arm, looked, now, self._spans.get(arm, 0.0))
        self.agenda.schedule(arm, looked, looked + span)

    def _set_price(self, now: float) -> None:
        """Find the price at which the visits of all arms just take the budget, and schedule them."""
        arms = list(self.looked)
        sample = arms[:: max(1, len(arms) // PRICED_ARMS)]
        per_request = self._site.seconds_per_request
        fetched = min(self._activity.site.rate(now) * per_request, MOST_FETCHES)
        budget = (1 - fetched) / per_request * len(sample) / max(len(arms), 1)
        low, high = 1e-6, 1e15
        for _ in range(30):
            self.price.value = sqrt(low * high)
            spans = (self.span(arm, now, now) for arm in sample)
            too_cheap = sum(1 / span for span in spans) > budget
            low, high = (self.price.value, high) if too_cheap else (low, self.price.value)
        for arm in arms:
            self._schedule(arm, now)
