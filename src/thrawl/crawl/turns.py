"""Pages of one list are fetched side by side but saved in order, so that a page finds all earlier ones saved.

Quotes of earlier pages are found that way, and what an archive holds does not depend on which answer came first.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(order=True, slots=True)
class Turn:
    """The place of a page in the order of its list."""

    page_number: int
    list_url: str
    action: Callable[[], None] | None = field(default=None, compare=False)


class Turns:
    """Who may save, list by list. Only pages that are under way are held."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Turn]] = {}

    def take(self, list_url: str, page_number: int) -> Turn:
        """A page of a list is under way."""
        turn = Turn(page_number, list_url)
        insort(self._waiting.setdefault(list_url, []), turn)
        return turn

    def ready(self, turn: Turn, action: Callable[[], None]) -> None:
        """Run the action once all earlier pages under way have run theirs; at once, mostly."""
        turn.action = action
        line = self._waiting[turn.list_url]
        while line and line[0].action is not None:
            line.pop(0).action()  # type: ignore[misc]  # checked in the condition; mypy does not follow the list
        if not line:
            del self._waiting[turn.list_url]

    def drop(self, turn: Turn) -> None:
        """A page will not come after all."""
        self.ready(turn, lambda: None)
