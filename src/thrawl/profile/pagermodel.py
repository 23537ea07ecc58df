"""How sure it is that some links are the pager of their page's list: named evidence, weighed by a small linear model.

Nothing here decides alone: words, arithmetic and addresses speak on the page itself; what a page behind the links
shows (other records, the way back: Wang et al. 2008, 5.2) is added by the learner, and is 0 as long as nobody looked.
The weights were learned by `thrawl train` and stand in `pager.json`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thrawl.profile.models import Figures

LIKELY: Final = 0.5
"""More likely a pager than not."""

PAGERS: Final = "profile/pager"
"""The question that the shipped model answers."""


@dataclass(frozen=True, slots=True)
class Evidence(Figures):
    """What speaks for and against a pager; 0 says nothing.

    On the page: `numbers` are anchors that follow a line (one says less), `next_words`, `next_hint` (icon names,
    classes, tooltips) and `rel_next` name the next page, `previous` the one before, `second` the value is one of a
    second page, `wordy` the anchor is a title. Of the addresses: `keeps_list`, `changes_number`, `changes_more`,
    `many_lists` (the page shows pagers of this form for several lists). Behind it, from -1 to 1: `other_records`,
    `alike`, `leads_back`, `same_title`.
    """

    numbers: float = 0.0
    next_words: float = 0.0
    next_hint: float = 0.0
    rel_next: float = 0.0
    previous: float = 0.0
    second: float = 0.0
    wordy: float = 0.0
    keeps_list: float = 0.0
    changes_number: float = 0.0
    changes_more: float = 0.0
    many_lists: float = 0.0
    other_records: float = 0.0
    alike: float = 0.0
    leads_back: float = 0.0
    same_title: float = 0.0

    @property
    def speaks(self) -> bool:
        """Whether anything on the page itself says that this is a pager."""
        return bool(self.numbers or self.next_words or self.next_hint or self.rel_next)

    def words(self) -> str:
        """What speaks, by name, as a person can read it."""
        return ", ".join(f"{name} {value:+.1f}" for name in self.names() if (value := getattr(self, name)))
