"""From a pager on a list's page to a flip pattern that fits every list of the site (FoCUS algorithm 2).

A flip URL is its list's URL with something changed: an item added, a path segment appended, a number raised. So its
pattern is made from the list's pattern, which fits every list, and not from the few long lists that were sampled: the
part that varies between pages of one list is the page, the part that varies between lists is the list's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from thrawl.profile.pager import Pager
from thrawl.profile.pagerframes import HOLE
from thrawl.profile.patterns import NUMBER, PAGE, WORD, Pattern, Piece
from thrawl.profile.profile import Flip
from thrawl.profile.urls import UrlParts, take_apart

_HOLE_NAME: Final = re.compile(r"\{(\w+):")


def flip_of(pattern: Pattern, url: str, pager: Pager) -> Flip | None:
    """The flip that a pager on a list's page shows, in terms of the list's pattern; None if they do not go together."""
    if pattern.match(url) is None:
        return None
    mine, shape, frame = take_apart(url), take_apart(str(pattern)), take_apart(pager.frame)
    if len(mine.slots) != len(shape.slots):
        return None
    slots = [_slot(number, slot, mine, shape, frame, pager) for number, slot in enumerate(frame.slots)]
    text = _naming_the_list(UrlParts(frame.structure, tuple(slots)).url, pattern, url)
    names = _HOLE_NAME.findall(text)
    if len(names) != len(set(names)):
        return None  # the list's number stands in two slots: a link that answers a post, not a flip
    return Flip(Pattern.parse(text), pager.first, pager.step, signs=pager.signs if pager.first is None else ())


def names_anew(pattern: Pattern, flip: Pattern) -> bool:
    """Whether a flip keeps all of its list's address but the names by which its own numbers go."""
    mine, other = take_apart(str(pattern)), take_apart(str(flip))
    segments = mine.structure.segments
    same_path = segments == other.structure.segments and mine.slots[:segments] == other.slots[:segments]
    return (
        same_path
        and set(mine.slots) <= set(other.slots)
        and not set(mine.structure.names) <= set(other.structure.names)
    )


def _naming_the_list(text: str, pattern: Pattern, url: str) -> str:
    """The flip's pattern with the list's own number as a hole where the flip has it at another place.

    `/topic/12-title/` may go on as `/topic/12/page/2` or `/more?id=12&page=2`.
    """
    found = pattern.match(url) or {}
    origin, _, rest = text.partition("://")[2].partition("/")
    for hole in pattern.holes:
        if hole.kind == NUMBER and f"{{{hole.name}:" not in rest:
            number = re.compile(rf"(?<![\w{{:]){re.escape(found[hole.name])}(?![\w}}])")
            rest = number.sub(f"{{{hole.name}:{NUMBER}}}", rest, count=1)
    return f"{text.partition('://')[0]}://{origin}/{rest}"


def _slot(number: int, slot: str, mine: UrlParts, shape: UrlParts, frame: UrlParts, pager: Pager) -> str:
    """One slot of a flip pattern: as in the list's pattern where the values agree, else as it stands."""
    twin = _twin(number, mine, frame)
    hole = f"{{{PAGE}:{NUMBER if pager.is_numeric and not pager.is_token else WORD}}}"
    if HOLE in slot and twin is None:
        return slot.replace(HOLE, hole)
    if HOLE in slot and twin is not None:
        return _framed(slot, mine.slots[twin], shape.slots[twin], hole)
    return shape.slots[twin] if twin is not None and mine.slots[twin] == slot else slot


def _twin(number: int, mine: UrlParts, frame: UrlParts) -> int | None:
    """The slot of the list's URL that has the place of this slot of the frame: same segment, or same name."""
    if number < frame.structure.segments:
        return number if number < mine.structure.segments else None
    name = frame.structure.names[number - frame.structure.segments]
    if name is None:
        bare = number - frame.structure.segments
        same = bare < len(mine.structure.names) and mine.structure.names[bare] is None
        return mine.structure.segments + bare if same else None
    return mine.structure.segments + mine.structure.names.index(name) if name in mine.structure.names else None


def _framed(slot: str, value: str, shape: str, hole: str) -> str:
    """A slot with the page inside it: `thread-12-{page}.html` for a list `thread-{a:number}-1.html`."""
    before, _, after = slot.partition(HOLE)
    pieces = Pattern.parse(shape).pieces
    texts = _texts(pieces, value)
    if texts is None:
        return slot.replace(HOLE, hole)
    head = _leading(pieces, texts, before)
    tail = _leading(pieces[::-1], [text[::-1] for text in texts[::-1]], after[::-1], reverse=True)
    return (head if head is not None else before) + hole + (tail if tail is not None else after)


def _texts(pieces: Sequence[Piece], value: str) -> list[str] | None:
    """What each piece of a slot's pattern stands for in a value."""
    found = Pattern(tuple(pieces)).match(value)
    if found is None:
        return None
    return [piece if isinstance(piece, str) else found[piece.name] for piece in pieces]


def _leading(pieces: Sequence[Piece], texts: Sequence[str], wanted: str, *, reverse: bool = False) -> str | None:
    """The pattern of the first characters of a slot that make up `wanted`; None where they do not."""
    made: list[str] = []
    for piece, text in zip(pieces, texts, strict=True):
        if not wanted:
            break
        if wanted.startswith(text):
            made.append(piece if isinstance(piece, str) else f"{{{piece.name}:{piece.kind}}}")
            wanted = wanted[len(text) :]
        elif isinstance(piece, str) and text.startswith(wanted):
            made.append(wanted[::-1] if reverse else wanted)
            wanted = ""
        elif isinstance(piece, str):
            break  # here the flip leaves the list's form: `t-7.html` and `t-7-p2.html`
        elif any(map(str.isdigit, wanted)):
            return None
        else:
            break  # letters that announce the page: `p` in `t12p15-title.htm`
    made.append(wanted[::-1] if reverse else wanted)
    return "".join(made[::-1] if reverse else made)
