"""Flips of lists whose sampled members were all short: they flip as other lists of their kind do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern


def inherited_flips(lists: Sequence[ListPattern]) -> list[ListPattern]:
    """Lists of one kind flip alike: one whose sampled members were all short takes over what the first other adds."""
    teacher = next((one for one in lists if any(_addition(one, flip) for flip in one.flips)), None)
    if teacher is None:
        return list(lists)
    added = [(flip, text) for flip in teacher.flips if (text := _addition(teacher, flip))]
    return [one if one.flips else replace(one, flips=_extended(one, added)) for one in lists]


def _addition(one: ListPattern, flip: Flip) -> str:
    """What a flip adds at the end of its list's URL; nothing where it changes the URL in another way."""
    before, after = str(one.pattern), str(flip.pattern)
    return after[len(before) :] if after.startswith(before) else ""


def _extended(one: ListPattern, added: Iterable[tuple[Flip, str]]) -> tuple[Flip, ...]:
    """The list's own flips by what was added elsewhere, if its URL can be gone on with in the same way."""
    fits = [(flip, text) for flip, text in added if not (text.startswith("?") and "?" in str(one.pattern))]
    return tuple(replace(flip, pattern=Pattern.parse(f"{one.pattern}{text}")) for flip, text in fits)
