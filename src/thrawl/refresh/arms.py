"""The lists of which each is polled by its own worth: where no page tells of the whole site, or none can be believed.

An arm is the head of a board; where index pages are not sorted by last reply, every index page; where rows tell nothing
of replies, every thread. Its pulse says what is expected of it, an agenda when a look is worth the going price, and
`overdue` that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from thrawl.refresh.activity import Activity
from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.overdue import Overdue
from thrawl.refresh.pages import Layer, PageRef, Site
from thrawl.refresh.pulse import Pulse, span_until, sum_of, worth
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


class Arm:
    """One list that is polled: what is expected of it, when it was looked at last, and for how long that is enough.

    `valued` is the moment at which a look was last found to be worth `value`, after the look at `valued_since`.
    """

    __slots__ = ("looked", "pulse", "ref", "span", "value", "valued", "valued_since")

    def __init__(self, ref: PageRef, pulse: Pulse, looked: float) -> None:
        self.ref = ref
        self.pulse = pulse
        self.looked = looked
        self.span = 0.0
        self.value = self.valued = self.valued_since = 0.0


class Arms:
    """Arms by the moment that a look is worth its price."""

    def __init__(self, site: Site, activity: Activity, price: Price) -> None:
        self._site = site
        self._activity = activity
        self.price = price
        self._arms: dict[PageRef, Arm] = {}
        self._threads: dict[int, Arm] = {}
        self._agenda: Agenda[Arm] = Agenda()
        self._pages: dict[PageRef, Pulse] = {}
        self._overdue: Overdue[Arm] = Overdue(LONGEST_DAYS * DAY, site.seconds_per_request, OVERDUE_SHARE)

    def worth(self, arm: Arm, now: float) -> float:
        """What a look is worth now. Asked again a little later, it grew by the square of the wait, nearly."""
        looked, valued = arm.looked, arm.valued
        if arm.valued_since == looked and now - valued < A_LITTLE * (valued - looked):
            grown = (now - looked) / (valued - looked)
            return arm.value * grown * grown
        arm.valued_since, arm.valued = looked, now
        arm.value = worth(arm.pulse, self._activity.rhythm.week, looked, now)
        return arm.value

    def span(self, arm: Arm, looked: float, guess: float = 0.0) -> float:
        """Seconds after a look until another is worth the price."""
        return span_until(self.price.value, arm.pulse, self._activity.rhythm.week, looked, guess)

    def begin(self, looked: Iterable[tuple[PageRef, float]], now: float) -> None:
        for ref, moment in looked:
            self._arm(ref, now).looked = moment
        self._overdue.begin((arm, arm.looked) for arm in self._arms.values())
        self._set_price(now)

    def best(self, now: float) -> PageRef | None:
        """The arm to pull now."""
        late = self._overdue.first(now)
        if late is not None:
            return late.ref
        found = self._agenda.best(now, self.worth)
        if found is None:
            return None
        self.price.paid(found[1])
        return found[0].ref

    def look(self, ref: PageRef, now: float) -> None:
        self._look(self._arm(ref, now), now)

    def look_at_thread(self, thread: int, now: float) -> None:
        """A thread is one arm, whichever of its pages was looked at."""
        self._look(self._threads.get(thread) or self._arm(thread_arm(thread), now), now)

    def sum_up(self, arm: PageRef, threads: Sequence[int], base: float, now: float) -> None:
        """An index page gets what is expected of its threads together, and its share of new ones."""
        pulses = self._activity.pulses(threads, now)
        whole = self._pages[arm] = sum_of(pulses, base, now)
        if arm in self._arms:
            self._arms[arm].pulse = whole

    def sum_up_board(self, board: int, threads: Sequence[int], now: float) -> list[PageRef]:
        """Every index page of a board, with what is expected of the threads that should stand on it."""
        size = self._site.rows_per_page
        pages = []
        for start in range(0, max(len(threads), 1), size):
            pages.append(PageRef(Layer.INDEX, board, start // size + 1))
            base = self._activity.boards[board].base if not start else 0.0
            self.sum_up(pages[-1], threads[start : start + size], base, now)
        return pages

    def remove(self, ref: PageRef) -> None:
        arm = self._arms.pop(ref, None)
        if arm is not None:
            if ref.kind is Layer.POSTS:
                del self._threads[ref.list]
            self._agenda.remove(arm)
            self._overdue.remove(arm)

    def due(self, ref: PageRef) -> float | None:
        """When the next look at an arm is expected."""
        arm = self._arms.get(ref)
        return None if arm is None else arm.looked + arm.span

    def _arm(self, ref: PageRef, now: float) -> Arm:
        arm = self._arms.get(ref)
        if arm is None:
            arm = self._arms[ref] = Arm(ref, self._pulse(ref, now), now)
            if ref.kind is Layer.POSTS:
                self._threads[ref.list] = arm
        return arm

    def _pulse(self, ref: PageRef, now: float) -> Pulse:
        if ref.kind is Layer.POSTS:
            return self._activity.thread(ref.list, now)
        return self._pages.get(ref) or self._activity.boards[ref.list]

    def _look(self, arm: Arm, now: float) -> None:
        arm.looked = now
        self._overdue.look(arm, now)
        self._schedule(arm, now)

    def _schedule(self, arm: Arm, now: float) -> None:
        arm.pulse.move(now)
        looked = arm.looked
        span = arm.span = self.span(arm, looked, arm.span)
        self._agenda.schedule(arm, looked, looked + span)

    def _set_price(self, now: float) -> None:
        """Find the price at which the visits of all arms just take the budget, and schedule them."""
        arms = list(self._arms.values())
        sample = arms[:: max(1, len(arms) // PRICED_ARMS)]
        per_request = self._site.seconds_per_request
        fetched = min(self._activity.site.rate(now) * per_request, MOST_FETCHES)
        budget = (1 - fetched) / per_request * len(sample) / max(len(arms), 1)
        low, high = 1e-6, 1e15
        for _ in range(30):
            self.price.value = sqrt(low * high)
            spans = (self.span(arm, now) for arm in sample)
            too_cheap = sum(1 / span for span in spans) > budget
            low, high = (self.price.value, high) if too_cheap else (low, self.price.value)
        for arm in arms:
            self._schedule(arm, now)


def thread_arm(thread: int) -> PageRef:
    """The page that stands for a thread, whichever of its pages comes next."""
    return PageRef(Layer.POSTS, thread, 0)
