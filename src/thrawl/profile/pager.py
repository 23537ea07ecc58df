"""Page-flipping links and their arithmetic (FoCUS 4.3.1.2, algorithm 2; Wang et al. 2008 on flips).

A pager is a set of links that differ in one number, where that number follows the anchors by a line:
value = first + step x (page - 1). That is property 1 of the paper made exact, and it gives the arithmetic
by which pages that are not linked can be reached. Calendars and lists of counts also have numbers as
anchors; they fall because their URLs do not belong to the page that they stand on. Properties 2 and 3
(same place and layout at the destination) are checked by the learner, which fetches one such page.

Cursor pagers have no arithmetic: only a "next" whose value must be walked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thrawl.page.links import Link
from thrawl.profile.pagerwords import page_number, says_next, says_older_or_newer
from thrawl.profile.urls import UrlParts, take_apart

HOLE: Final = "\x00"
"""Stands in a frame where the page's value stands in its URLs; no URL can contain it."""

_DIGITS: Final = re.compile(r"\d+")
_MAX_RUNS: Final = 12
_INSERTED: Final = re.compile(rf"[-_.,]?[A-Za-z]{{0,6}}[-_.,]?{HOLE}")


@dataclass(frozen=True, slots=True)
class Pager:
    """The flips of one list as one page shows them. `first` and `step` are None for a cursor.

    `frame` is a flip URL with HOLE for its value; `last` the highest page that the page links to.
    """

    frame: str
    first: int | None
    step: int | None
    last: int
    urls: tuple[str, ...]
    next_url: str | None = None

    def url_of(self, page: int) -> str | None:
        """The URL of a page of this list, where there is an arithmetic."""
        if self.first is None or self.step is None:
            return None
        return self.frame.replace(HOLE, str(self.first + self.step * (page - 1)))


def find_pagers(url: str, links: Sequence[Link]) -> tuple[Pager, ...]:
    """The pagers that belong to the page at `url`, the best supported first."""
    numbered = list(_numbered_pagers(url, links))
    numbered.sort(key=lambda pager: (-len(pager.urls), pager.frame))
    return tuple(numbered) or tuple(_next_only(url, links)) or tuple(_by_age_only(url, links))


def _numbered_pagers(url: str, links: Sequence[Link]) -> Iterator[Pager]:
    pairs: dict[str, dict[int, int]] = defaultdict(dict)
    nexts: dict[str, str] = {}
    for link in links:
        number = page_number(link.anchor)
        if number is not None:
            for frame, value in frames_of(link.url):
                pairs[frame].setdefault(number, value)
        elif says_next(link.anchor or link.title, link.rel):
            for frame, _ in frames_of(link.url):
                nexts.setdefault(frame, link.url)
    here = take_apart(url)
    for frame, values in pairs.items():
        line = _line({page: value for page, value in values.items() if frame.replace(HOLE, str(value)) != url})
        if line is not None and belongs(here, take_apart(frame)):
            urls = tuple(frame.replace(HOLE, str(value)) for _, value in sorted(values.items()))
            yield Pager(frame, line[0], line[1], max(values), urls, nexts.get(frame))


def frames_of(url: str) -> Iterator[tuple[str, int]]:
    """Each way to see a URL as a frame around one number."""
    start = url.find("/", url.find("://") + 3)
    if start < 0:
        return
    runs = list(_DIGITS.finditer(url, start))
    for run in runs[-_MAX_RUNS:]:
        if len(run[0]) <= 9:
            yield url[: run.start()] + HOLE + url[run.end() :], int(run[0])


def _line(values: dict[int, int]) -> tuple[int, int] | None:
    """(first, step) of the line through all (page, value) pairs; None where there is none."""
    pages = sorted(values)
    if len(pages) < 2:
        return line_of_one(pages[0], values[pages[0]]) if pages else None
    low, high = pages[0], pages[-1]
    step, rest = divmod(values[high] - values[low], high - low)
    first = values[low] - step * (low - 1)
    if rest or step < 1 or first < 0 or any(values[page] != first + step * (page - 1) for page in pages):
        return None
    # A list's pages start at 0 or 1, an offset at 0; a line that starts elsewhere is a coincidence.
    return (first, step) if first in (0, 1) else None


def line_of_one(page: int, value: int) -> tuple[int, int] | None:
    """With one flip to see, its value tells a page number from an offset: page 2 is `2`, `1` or the page size."""
    if page != 2:
        return None
    if value in (1, 2):
        return value - 1, 1
    return (0, value) if value >= 5 else None


def belongs(here: UrlParts, frame: UrlParts) -> bool:
    """Whether flips of this frame can be pages of the list that stands at `here`."""
    if here.structure.origin.partition("://")[2] != frame.structure.origin.partition("://")[2]:
        return False
    number = next(index for index, slot in enumerate(frame.slots) if HOLE in slot)
    if _fits_frame(here, frame) or _adds_an_item(here, frame, number) or _adds_to_path(here, frame, number):
        return True
    return _without_hole(frame.url) == here.url


def _without_hole(frame: str) -> str:
    """The URL that flips of this frame put their page into: `t12-title.htm` for `t12p15-title.htm`."""
    return _INSERTED.sub("", frame, count=1)


def _fits_frame(here: UrlParts, frame: UrlParts) -> bool:
    """The page is itself one of the flips."""
    if here.structure.names != frame.structure.names or here.structure.segments != frame.structure.segments:
        return False
    return all(
        re.fullmatch(re.escape(wanted).replace(HOLE, r"\d+"), slot) if HOLE in wanted else wanted == slot
        for wanted, slot in zip(frame.slots, here.slots, strict=True)
    )


def _adds_an_item(here: UrlParts, frame: UrlParts, number: int) -> bool:
    """The flips carry a query item more (and perhaps a sort order), and name the same list."""
    if number < frame.structure.segments or _path(here) != _path(frame):
        return False
    mine, theirs = _items(here), _items(frame)
    shared = [name for name in mine if name in theirs]
    if not all(_continues(mine[name], theirs[name]) for name in shared):
        return False
    # What the flips drop must not be what tells one list from another, an id; nor what they add, if it has none.
    if any(name not in theirs and _DIGITS.search(value) for name, value in mine.items()):
        return False
    named = any(_DIGITS.search(mine[name]) for name in shared if theirs[name] != HOLE)
    if any(theirs[name] == HOLE for name in shared):
        return named  # what changes may as well be the id: another one beside it must tell that the list is the same
    return named or not any(
        name not in mine and HOLE not in value and _DIGITS.search(value) for name, value in theirs.items()
    )


def _continues(value: str, framed: str) -> bool:
    """The same value; or, where the hole is, another page (`0` and `40`) or an extended value: `6` and `6,page=2`."""
    if framed == HOLE and value.isdigit():
        return True
    return framed.startswith(value) if HOLE in framed else framed == value


def _adds_to_path(here: UrlParts, frame: UrlParts, number: int) -> bool:
    """The flips go on where the list's path ends: `/lenses/` and `/lenses/page/2/`, `t-12.html` and `t-12-p2.html`."""
    if number >= frame.structure.segments or _numbers_after(here, frame, number):
        return False
    mine = [slot for slot in here.slots[: here.structure.segments] if slot]
    theirs = [slot for slot in frame.slots[: number + 1] if slot]
    depth = 0
    while depth < len(mine) and depth < len(theirs) - 1 and mine[depth] == theirs[depth]:
        depth += 1
    rest_mine, rest_theirs = "/".join(mine[depth:]), "/".join(theirs[depth:])
    if rest_mine:
        stem = re.sub(r"\.[A-Za-z]{2,5}\Z", "", rest_mine)
        if not rest_theirs.startswith(stem) or "/" in rest_mine:
            return False
        rest_theirs = rest_theirs[len(stem) :]
    return not _DIGITS.search(rest_theirs)


def _numbers_after(here: UrlParts, frame: UrlParts, number: int) -> bool:
    """A number behind the hole that the list lacks is the page, and the hole the id of a list below this one."""
    return any(slot.isdigit() and slot not in here.slots for slot in frame.slots[number + 1 :])


def _path(parts: UrlParts) -> tuple[str, ...]:
    return tuple(slot for slot in parts.slots[: parts.structure.segments] if slot)


def _items(parts: UrlParts) -> dict[str, str]:
    values = parts.slots[parts.structure.segments :]
    return {name or f"#{at}": value for at, (name, value) in enumerate(zip(parts.structure.names, values, strict=True))}


def _next_only(url: str, links: Iterable[Link]) -> Iterator[Pager]:
    """A list that shows only "next": the value in its URL is a page, an offset or a cursor; the learner walks it."""
    here = take_apart(url)
    for link in links:
        if says_next(link.anchor or link.title, link.rel):
            for frame, value in _next_frames(here, link.url):
                parts = take_apart(frame)
                if belongs(here, parts) or (value == "2" and _stands_beside(here, parts)):
                    yield _walked(link.url, frame, value, here, parts)
                    return


def _by_age_only(url: str, links: Iterable[Link]) -> Iterator[Pager]:
    """A list that leads on by "newer" or "← older": told from the way back by a value that only page 2 can have."""
    aged = [replace(link, rel="next") for link in links if says_older_or_newer(link.anchor or link.title)]
    yield from (pager for pager in _next_only(url, aged) if pager.first is not None)


def _stands_beside(here: UrlParts, frame: UrlParts) -> bool:
    """The flips are other files of the list's folder, and only they are numbered: `threads.html` and `more2.html`."""
    if here.structure != frame.structure or here.structure.names or not here.slots:
        return False
    mine, theirs = here.slots[-1], frame.slots[-1]
    same_kind = mine.rpartition(".")[2] == theirs.rpartition(".")[2] and "." in mine
    return here.slots[:-1] == frame.slots[:-1] and HOLE in theirs and same_kind and not _DIGITS.search(mine)


def _next_frames(here: UrlParts, url: str) -> Iterator[tuple[str, str]]:
    """Each way to see a "next" URL as a frame around its page: a changed query item, or a number of its path."""
    there = take_apart(url)
    mine = _items(here)
    for at, name in enumerate(there.structure.names):
        number = there.structure.segments + at
        if name is not None and mine.get(name) != there.slots[number]:
            yield there.with_slot(number, HOLE).url, there.slots[number]
    for frame, value in frames_of(url):
        yield frame, str(value)


def _walked(url: str, frame: str, value: str, here: UrlParts, parts: UrlParts) -> Pager:
    line = line_of_one(2, int(value)) if value.isdigit() and len(value) < 6 else None
    if line is None or _fits_frame(here, parts):
        return Pager(frame, None, None, 2, (url,), url)
    return Pager(frame, line[0], line[1], 2, (url,), url)
