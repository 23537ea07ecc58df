"""The pages that tell of the whole site beside its entry page: feeds, newest-posts pages, sitemaps with times.

A site may have several. One is followed at a time, the best kind first; how far it can be believed is measured by the
policy (`trust`) and kept here for each, over restarts. Where one is dropped the next takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from thrawl.refresh.pages import Layer
from thrawl.refresh.policy import Believer, Policy
from thrawl.refresh.trust import TRIED_AGAIN, Trust

ENTRY: Final = "entry page"


class SignalKind(StrEnum):
    """In the order in which they are tried: by what a look costs the site and how soon they usually tell."""

    FEED = "feed"
    NEWEST = "newest posts"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True)
class Signal:
    kind: SignalKind
    url: str

    @property
    def name(self) -> str:
        return f"{self.kind} {self.url}"


class Signals:
    """The signals of one site; `current` is the one that the policy knows as its feed."""

    def __init__(self, found: Sequence[Signal], known: Mapping[str, Any], now: float) -> None:
        self._found = list(found)
        self._beliefs: dict[str, list[float]] = {name: list(map(float, one)) for name, one in known.items()}
        self.current = self._next(now)

    def begin(self, policy: Policy) -> None:
        """Tell the policy what was measured before."""
        if isinstance(policy, Believer):
            policy.renew(Layer.ENTRY, self._trust(ENTRY))
            if self.current is not None:
                policy.renew(Layer.FEED, self._trust(self.current.name))

    def measure(self, policy: Policy, now: float) -> bool:
        """Keep what the policy measured; true where another signal took the place of one that lies."""
        if not isinstance(policy, Believer):
            return False
        self._keep(ENTRY, policy.belief(Layer.ENTRY))
        if self.current is None:
            return False
        self._keep(self.current.name, policy.belief(Layer.FEED))
        if not policy.is_dropped(Layer.FEED):
            return False
        self._beliefs[self.current.name][2] = now
        other = self._next(now)
        if other is None:
            return False
        self.current = other
        policy.renew(Layer.FEED, self._trust(other.name))
        return True

    def to_json(self) -> dict[str, list[float]]:
        return self._beliefs

    def reliability(self) -> dict[str, float]:
        """The share of news that each signal told in time, of those that told or left out any."""
        known = {name: Trust(one[0], one[1]) for name, one in self._beliefs.items() if one[0] + one[1] > 0}
        return {name: trust.reliability for name, trust in known.items()}

    def _next(self, now: float) -> Signal | None:
        """The first signal that was not found to lie within the last weeks."""
        for one in self._found:
            dropped = self._beliefs.get(one.name, [0.0, 0.0, 0.0])[2]
            if not dropped or not 0 <= now - dropped < TRIED_AGAIN:
                return one
        return None

    def _trust(self, name: str) -> Trust:
        told, missed, dropped = self._beliefs.get(name, [0.0, 0.0, 0.0])
        return Trust() if dropped else Trust(told, missed)

    def _keep(self, name: str, trust: Trust) -> None:
        before = self._beliefs.get(name, [0.0, 0.0, 0.0])
        self._beliefs[name] = [trust.told, trust.missed, before[2]]
