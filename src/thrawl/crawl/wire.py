"""How readings travel between processes: as the arguments of their classes.

Python's own way for slotted dataclasses goes through their fields by name, in Python, three times slower.
"""

from __future__ import annotations

import copyreg
import dataclasses
from operator import attrgetter
from typing import Any, Final

from thrawl.crawl.values import BoardStep, Flips, PageJob, Reading, RefusedLink, TypedLink
from thrawl.page.shown import PostRecord, Quote, ThreadRow

_TRAVELLERS: Final = (PostRecord, Quote, ThreadRow, Reading, PageJob, TypedLink, RefusedLink, BoardStep, Flips)


def register() -> None:
    """Have all that crosses the border travel that way; both ends of a pipe call it."""
    for cls in _TRAVELLERS:
        _register(cls)


def _register(cls: type[Any]) -> None:
    fields = attrgetter(*(field.name for field in dataclasses.fields(cls)))
    copyreg.pickle(cls, lambda value: (cls, fields(value)))
