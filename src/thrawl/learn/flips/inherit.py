"""Flips of lists whose sampled members were all short: they flip as other lists of their kind do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern

_SIGNS: Final = "/&;,_.~-"  # that part what is added from what it is added to


def inherited_flips(lists: Sequence[ListPattern]) -> list[ListPattern]:
    """Lists of one kind flip alike: one whose sampled members were all short takes over what the first other adds."""
    teacher = next((one for one in lists if any(_addition(one, flip) for flip in one.flips)), None)
    if teacher is None:
        return list(lists)
    added = [(flip, text) for flip in teacher.flips if (text := _addition(teacher, flip))]
    return [one if one.flips else replace(one, flips=_extended(one, added)) for one in lists]


def flips_as_boards(threads: Sequence[ListPattern], boards: Sequence[ListPattern]) -> list[ListPattern]:
    """The threads, none of which was seen to flip, with the flips of boards: a program flips all of its lists alike.

    Only links of that form are followed, so it costs nothing where it is not so. Which page is which is not taken over:
    a page of a board does not hold as many rows as one of a thread holds posts, nor must both be counted from one. The
    anchors of a thread's own pager say it.
    """
    if any(one.flips for one in threads):
        return list(threads)
    uncounted = [
        replace(one, flips=tuple(replace(flip, first=None, step=None) for flip in one.flips if flip.step is not None))
        for one in boards
    ]
    return inherited_flips([*uncounted, *threads])[len(boards) :]


def _addition(one: ListPattern, flip: Flip) -> str:
    """What a flip adds at the end of its list's URL; nothing where it changes the URL in another way."""
    before, after = str(one.pattern), str(flip.pattern)
    return after[len(before) :] if after.startswith(before) else ""


def _extended(one: ListPattern, added: Iterable[tuple[Flip, str]]) -> tuple[Flip, ...]:
    """The list's own flips by what was added elsewhere, if its URL can be gone on with in the same way."""
    own = str(one.pattern)
    fitting = ((flip, _fitted(own, text)) for flip, text in added)
    return tuple(replace(flip, pattern=Pattern.parse(own + text)) for flip, text in fitting if text)


def _fitted(own: str, text: str) -> str:
    """What is added to a URL, as it must be behind another: a folder ends with the sign that parts what is added."""
    if text[0] == "?":
        return "" if "?" in own else text
    if text[0] in _SIGNS:
        return "" if own.endswith("/") else text
    return text if own.endswith("/") else "/" + text.rstrip("/")
