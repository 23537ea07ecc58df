"""Flip addresses as frames around one value, the line that their values follow, and what they keep of a list's address.

A frame is a URL with HOLE for the value that changes from page to page. Pages that are counted follow a line,
value = first + step x (page - 1): property 1 of FoCUS 4.3.1.2 made exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from thrawl.profile.urls import FILE_ENDING, UrlParts, take_apart

HOLE: Final = "\x00"
"""Stands in a frame where the page's value stands in its URLs; no URL can contain it."""

_DIGITS: Final = re.compile(r"\d+")
_NUMBER: Final = re.compile(r"(?<![%\d])(?<!%[\dA-Fa-f])\d+")  # digits of an escaped letter are none
_MAX_RUNS: Final = 12  # numbers of one address that are looked at, from its end
_LONGEST_NUMBER: Final = 9  # digits; longer ones are no page, no offset and no post
_SMALLEST_OFFSET: Final = 3  # records of a page; fewer would be page numbers that skip
_LARGEST_OFFSET: Final = 500  # records of a page; more are the number of a post, or a cursor
_INSERTED: Final = re.compile(rf"[-_.,]?[A-Za-z]{{0,6}}[-_.,]?{HOLE}")
_INDEX_FILE: Final = re.compile(r"(?:index|default|home|main)\.[A-Za-z]{2,5}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Kept:
    """What flips of a frame keep of the address of the page that they stand on.

    `list`: they name the same list. `number`: the value that changes may as well be what names the list. `others`:
    so many more slots are changed, dropped or added.
    """

    list: bool
    number: bool
    others: int


def frames_of(url: str) -> Iterator[tuple[str, int]]:
    """Each way to see a URL as a frame around one number. `2019-04` ends with a month: pages have no noughts before."""
    start = url.find("/", url.find("://") + 3)
    if start < 0:
        return
    runs = list(_NUMBER.finditer(url, start))
    for run in runs[-_MAX_RUNS:]:
        if len(run[0]) <= _LONGEST_NUMBER and run[0] == str(int(run[0])):
            yield url[: run.start()] + HOLE + url[run.end() :], int(run[0])


def frames_ahead(here: UrlParts, url: str) -> Iterator[tuple[str, str]]:
    """Each way to see the address behind a link as a frame around its page.

    A query item that is new or changed, a segment that goes on from the path, or a number.
    """
    there = take_apart(url)
    mine = items(here)
    for at, name in enumerate(there.structure.names):
        number = there.structure.segments + at
        if name is not None and there.slots[number] and mine.get(name) != there.slots[number]:
            yield there.with_slot(number, HOLE).url, there.slots[number]
    for frame, value in frames_of(url):
        yield frame, str(value)
    mine_path, path = path_of(here), path_of(there)
    if path[:-1] == mine_path and path[-1:] and items(there) == mine:
        number = max(at for at, slot in enumerate(there.slots[: there.structure.segments]) if slot)
        yield there.with_slot(number, HOLE).url, there.slots[number]


def is_near(here: UrlParts, url: str) -> bool:
    """Whether an address may be another page of the list at `here`: it goes on from it, or differs in one slot."""
    there = take_apart(url)
    if there.structure == here.structure:
        return sum(one != other for one, other in zip(here.slots, there.slots, strict=True)) == 1
    stem = FILE_ENDING.sub("", here.url.partition("?")[0]).rstrip("/")
    return url.startswith(stem) and len(there.slots) <= len(here.slots) + 2


def line_of(values: Mapping[int, int]) -> tuple[int, int] | None:
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
        return (1, 1) if page == value else None
    if value in (1, 2):
        return value - 1, 1
    return (0, value) if _SMALLEST_OFFSET <= value <= _LARGEST_OFFSET else None


def kept_by(here: UrlParts, frame: UrlParts) -> Kept:
    """What flips of a frame keep of the page's address."""
    number = next(index for index, slot in enumerate(frame.slots) if HOLE in slot)
    return Kept(belongs(here, frame), _may_name_the_list(here, frame, number), _others(here, frame, number))


def belongs(here: UrlParts, frame: UrlParts) -> bool:
    """Whether flips of this frame can be pages of the list that stands at `here`."""
    if here.structure.origin.partition("://")[2] != frame.structure.origin.partition("://")[2]:
        return False
    number = next(index for index, slot in enumerate(frame.slots) if HOLE in slot)
    if fits_frame(here, frame) or _adds_an_item(here, frame, number) or _adds_to_path(here, frame, number):
        return True
    return _without_hole(frame.url) == here.url or _is_file_of_folder(here, frame)


def _is_file_of_folder(here: UrlParts, frame: UrlParts) -> bool:
    """The list is a folder, and its flips a file in it that takes a page: `/forum/` and `/forum/all.php?p=2`."""
    mine, theirs = here.slots[: here.structure.segments], frame.slots[: frame.structure.segments]
    bare = not here.structure.names and frame.slots[frame.structure.segments :] == (HOLE,)
    return bare and mine[-1] == "" and mine[:-1] == theirs[:-1] and FILE_ENDING.search(theirs[-1]) is not None


def fits_frame(here: UrlParts, frame: UrlParts) -> bool:
    """The page is itself one of the flips."""
    if here.structure.names != frame.structure.names or here.structure.segments != frame.structure.segments:
        return False
    return all(
        re.fullmatch(re.escape(wanted).replace(HOLE, r"\d+"), slot) if HOLE in wanted else wanted == slot
        for wanted, slot in zip(frame.slots, here.slots, strict=True)
    )


def is_second(here: UrlParts, frame: str, first: int, step: int) -> bool:
    """Whether the page itself has no value in such a frame, or that of a first page: what it links is the second."""
    if not fits_frame(here, take_apart(frame)):
        return True
    return frame.replace(HOLE, str(first)) == here.url


def path_of(parts: UrlParts) -> tuple[str, ...]:
    return tuple(slot for slot in parts.slots[: parts.structure.segments] if slot)


def items(parts: UrlParts) -> dict[str, str]:
    values = parts.slots[parts.structure.segments :]
    return {name or f"#{at}": value for at, (name, value) in enumerate(zip(parts.structure.names, values, strict=True))}


def _may_name_the_list(here: UrlParts, frame: UrlParts, number: int) -> bool:
    """Whether the value that changes stands where the page's own address has its only number; nothing is number 0, so
    that is the beginning of a list."""
    if is_second(here, frame.url, 0, 0):
        return False
    return not any(_DIGITS.search(slot) for at, slot in enumerate(here.slots) if at != number) and not _DIGITS.search(
        frame.slots[number].replace(HOLE, "")
    )


def _others(here: UrlParts, frame: UrlParts, number: int) -> int:
    """How many slots beside the hole the flips change, drop or add."""
    mine, theirs = items(here), items(frame)
    changed = sum(HOLE not in value and mine.get(name) != value for name, value in theirs.items())
    dropped = sum(name not in theirs for name in mine)
    steps, there = _folder_path(here), _folder_path(frame)
    if number < frame.structure.segments:
        hole = next((at for at, slot in enumerate(there) if HOLE in slot), 0)
        there, steps = there[:hole], steps[:hole]
    return changed + dropped + sum(one != other for one, other in zip(steps, there, strict=False))


def _folder_path(parts: UrlParts) -> tuple[str, ...]:
    """The path without the name of an index file: a folder and its index file are one page."""
    path = path_of(parts)
    return path[:-1] if path and _INDEX_FILE.match(path[-1]) else path


def _without_hole(frame: str) -> str:
    """The URL that flips of this frame put their page into: `t12-title.htm` for `t12p15-title.htm`."""
    return _INSERTED.sub("", frame, count=1)


def _adds_an_item(here: UrlParts, frame: UrlParts, number: int) -> bool:
    """The flips carry a query item more (and perhaps a sort order), and name the same list."""
    if number < frame.structure.segments or _folder_path(here) != _folder_path(frame):
        return False
    mine, theirs = items(here), items(frame)
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
    behind = FILE_ENDING.sub("", frame.slots[number].partition(HOLE)[2])
    if any(map(str.isalpha, behind)) and behind not in here.url:
        return False  # a name behind the number is that of another list: `/` and `/10-golf`
    mine = list(path_of(here))
    theirs = [slot for slot in frame.slots[: number + 1] if slot]
    depth = 0
    while depth < len(mine) and depth < len(theirs) - 1 and mine[depth] == theirs[depth]:
        depth += 1
    rest_mine, rest_theirs = "/".join(mine[depth:]), "/".join(theirs[depth:])
    if rest_mine:
        stem = FILE_ENDING.sub("", rest_mine)
        if not rest_theirs.startswith(stem) or "/" in rest_mine:
            return False
        rest_theirs = rest_theirs[len(stem) :]
    return not _DIGITS.search(rest_theirs)


def _numbers_after(here: UrlParts, frame: UrlParts, number: int) -> bool:
    """A number behind the hole that the list lacks is the page, and the hole the id of a list below this one."""
    return any(slot.isdigit() and slot not in here.slots for slot in frame.slots[number + 1 :])


def stands_beside(here: UrlParts, frame: UrlParts) -> bool:
    """The flips are other files of the list's folder, and only they are numbered: `threads.html` and `more2.html`."""
    if here.structure != frame.structure or here.structure.names or not here.slots:
        return False
    mine, theirs = here.slots[-1], frame.slots[-1]
    same_kind = mine.rpartition(".")[2] == theirs.rpartition(".")[2] and "." in mine
    return here.slots[:-1] == frame.slots[:-1] and HOLE in theirs and same_kind and not _DIGITS.search(mine)
