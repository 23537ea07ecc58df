"""From example URLs to patterns (FoCUS 4.3.2, after Koppula et al. 2010).

The examples of one type come from one place of the site's pages, so most are alike. They are grouped by
structure; a structure with less than a fifth of the examples is dropped as noise (FoCUS' 0.2). Within a
structure each slot becomes the most special thing that fits all its values: a literal, a literal frame
with numbers (`about\\d+.html`), a number with a slug, a word.

The paper refines from `*` downwards wherever a literal has support. Here a slot is refined only where the
general pattern also matches URLs known to be of another type: so a board's name in a thread's URL stays a
hole, however few boards were sampled, and `about\\d+` is still told from `user\\d+`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Final

from thrawl.learn.slots import ANY_NAME, ANY_NUMBER, ANY_WORD, COMMAND, Slot, combine, learn_slot, named, word_before
from thrawl.profile.patterns import BUT, Hole, Pattern, Piece
from thrawl.profile.urls import Structure, UrlParts, take_apart

SUPPORT: Final = 0.2  # of the examples: FoCUS' share of what is no noise
MAX_ENUMERATED: Final = 200  # boards by name: sites have fewer, and a pattern must stay readable
_FEW_VALUES: Final = 3  # that a program may have for one kind of page
_ALIKE: Final = 2  # values that begin alike: less is known of each of them than of how they begin
_MOSTLY: Final = 0.8  # of the numbers at the end are those of first pages: a few links lead to later ones
_FIRST_PAGES: Final = frozenset({"0", "1"})

_DIGITS: Final = re.compile(r"\d+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_IN_YEAR: Final = re.compile(r"[0-3]?\d")  # a month, or a day of it
_AT_NUMBERS: Final = re.compile(r"(\d+)")
_LAST: Final = re.compile(r"\d+(?=\D*\Z)")
_SEVERAL_NUMBERS: Final = re.compile(r"\d+(?:[-_.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Carried:
    """What addresses hold of the page that they stand on: slots and numbers by which pages of its kind differ."""

    slots: Mapping[str, Slot] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()

    def opened(self, slot: Slot) -> Slot:
        """A slot that holds something of the page, left open for what other pages have there."""
        if len(slot) == 1 and isinstance(slot[0], str):
            command, name = _commanded(slot[0])
            if name in self.slots:
                return (command, *self.slots[name])
        return tuple(part for piece in slot for part in self._parts(piece))

    def _parts(self, piece: Piece) -> Iterable[Piece]:
        if isinstance(piece, Hole):
            return [piece]
        return [ANY_NUMBER if part in self.numbers else part for part in _AT_NUMBERS.split(piece) if part]


NOTHING_CARRIED: Final = Carried()


def carried_from(pages: Iterable[str], kinds: Iterable[Iterable[str]]) -> Carried:
    """What all of some pages share of that by which pages of their kinds differ: of one board, its name or number."""
    found: list[Carried] = []
    taken = [[take_apart(url) for url in kind] for kind in kinds]
    for page in map(take_apart, pages):
        for kind in taken:
            alike = [parts.slots for parts in kind if parts.structure == page.structure]
            if page.slots in alike and len(alike) > 1:
                found.append(_varying(page.slots, list(zip(*alike, strict=True))))
    if not found:
        return NOTHING_CARRIED
    shared = {value: slot for value, slot in found[0].slots.items() if all(value in one.slots for one in found)}
    return Carried(shared, frozenset.intersection(*(one.numbers for one in found)))


def _varying(own: Sequence[str], columns: Sequence[Sequence[str]]) -> Carried:
    named = zip(map(_named_only, own), ([*map(_named_only, column)] for column in columns), strict=True)
    varying = {value: column for value, column in named if len(set(column)) > 1}
    numbers = (number for value, column in varying.items() for number in _varying_numbers(value, column))
    return Carried({value: learn_slot(column) for value, column in varying.items()}, frozenset(numbers))


def _commanded(slot: str) -> tuple[str, str]:
    """A program's word before a comma, and what stands behind it; the word is empty where there is none."""
    command = match[0] if (match := COMMAND.match(slot)) else ""
    return command, slot.removeprefix(command)


def _named_only(slot: str) -> str:
    return _commanded(slot)[1]


def _varying_numbers(own: str, column: Sequence[str]) -> Iterator[str]:
    """The numbers of a slot in which others of the same form differ: in `list-4-1` and `list-5-1` the first."""
    alike = [_DIGITS.findall(value) for value in column if _DIGITS.sub("0", value) == _DIGITS.sub("0", own)]
    for number, others in zip(_DIGITS.findall(own), zip(*alike, strict=True), strict=True):
        if len(set(others)) > 1:
            yield number


def learn_patterns(
    positives: Iterable[str], negatives: Iterable[str] = (), *, boards: bool = False, carried: Carried = NOTHING_CARRIED
) -> tuple[Pattern, ...]:
    """The patterns that fit the positive examples and as few of the negative ones as possible, most common first.

    Boards are few and have names: only for them a slot may be held to the values that were seen. What is carried from
    the one board on whose pages all examples stood varies from board to board.
    """
    urls = _first_pages(list(dict.fromkeys(positives)))
    wrong = [parts for parts in map(take_apart, dict.fromkeys(negatives)) if parts.url not in set(urls)]
    kept = [list(map(take_apart, group)) for group in by_form(urls) if len(group) >= SUPPORT * len(urls)]
    kept.sort(key=len, reverse=True)
    learned = []
    for members in kept:
        against = [parts for parts in wrong if parts.structure == members[0].structure]
        learned += [assemble(members[0].structure, slots) for slots in _learn_form(members, against, boards, carried)]
    return tuple(learned)


def by_form(urls: Iterable[str]) -> list[list[str]]:
    """URLs by what one pattern can fit: their structure, and where slots hold nothing but numbers."""
    groups: dict[tuple[Structure, tuple[str | None, ...]], list[str]] = defaultdict(list)
    for parts in map(take_apart, urls):
        groups[parts.structure, tuple(map(_numeric_frame, parts.slots))].append(parts.url)
    return list(groups.values())


def _first_pages(urls: Sequence[str]) -> list[str]:
    """The URLs without later pages of lists whose first page is among them: links to a thread's last post lead there.

    Nearly all end in the same low number then, which is the page's.
    """
    split = {url: (url[: found.start()], found[0], url[found.end() :]) for url in urls if (found := _LAST.search(url))}
    ends: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for before, number, after in split.values():
        ends[_DIGITS.sub("0", before), after][number] += 1
    later = set()
    for url, (before, number, after) in split.items():
        counts = ends[_DIGITS.sub("0", before), after]
        usual, count = counts.most_common(1)[0]
        if number != usual and usual in _FIRST_PAGES and count >= _MOSTLY * counts.total():
            later.update([url] if f"{before}{usual}{after}" in split else [])
    return [url for url in urls if url not in later]


def _numeric_frame(slot: str) -> str | None:
    """The form of a slot of several numbers, such as `0-0-0`: forms of another length mean something else, and so does
    nothing at all, as at the end of a folder's address."""
    if not slot:
        return ""
    return _DIGITS.sub("0", slot) if _SEVERAL_NUMBERS.fullmatch(slot) else None


def _learn_form(
    members: Sequence[UrlParts], wrong: Sequence[UrlParts], boards: bool, carried: Carried
) -> Iterator[list[Slot]]:
    """The slots of URLs of one form; of each beginning of a slot that would be held to what was seen of it.

    Boards that nobody met yet begin as those do that were met. What begins as nothing else does is held to what it is.
    """
    slots = _refined(members, wrong, boards=boards)
    held = next((number for number, slot in enumerate(slots) if _is_held(slot)), None)
    alike = _by_beginning(members, held) if held is not None else []
    for group in alike if sum(map(len, alike)) < len(members) or len(alike) > 1 else ():
        yield from _learn_form(group, wrong, boards, carried)
        members = [parts for parts in members if parts not in group]
    if held is not None:
        slots[held] = _one_of({parts.slots[held] for parts in members})
    if members:
        # what differs in nothing but the board that it stands on is no counter-example
        yield _with_any_date([carried.opened(slot) for slot in slots], members, wrong)


def _one_of(values: Iterable[str]) -> Slot:
    found = sorted(values)
    return (found[0] if len(found) == 1 else Hole("", "|".join(found)),)


def _is_held(slot: Slot) -> bool:
    """Whether a slot fits nothing but the values that were seen."""
    return len(slot) == 1 and isinstance(slot[0], Hole) and bool(slot[0].words)


def _by_beginning(members: Sequence[UrlParts], number: int) -> list[list[UrlParts]]:
    """URLs by how one slot begins, where several values do, and where these are not made of each other."""
    groups: dict[str, list[UrlParts]] = defaultdict(list)
    for parts in members:
        groups[word_before(parts.slots[number])].append(parts)
    values = {start: {parts.slots[number] for parts in group} for start, group in groups.items() if start}
    return [groups[start] for start, found in values.items() if len(found) >= _ALIKE and not combine(found)]


def _with_any_date(slots: list[Slot], members: Sequence[UrlParts], wrong: Sequence[UrlParts]) -> list[Slot]:
    """The slots with a year that all URLs share left open, and the month and the day behind a year, where something
    further on varies: time goes on.

    Not where that lets URLs in that are known to be of other kinds.
    """
    varying = [number for number, slot in enumerate(slots) if _varies(slot)]
    last = max(varying, default=-1)
    opened, dated = list(slots), False
    for number, slot in enumerate(slots[: last + 1]):
        in_date = dated and len(slot) == 1 and isinstance(slot[0], str) and _IN_YEAR.fullmatch(slot[0]) is not None
        is_number = dated and [piece for piece in slot if isinstance(piece, Hole)] == [ANY_NUMBER]
        opened[number] = (ANY_NUMBER,) if in_date else _without_year(slot)
        dated = in_date or is_number or all(_YEAR.fullmatch(parts.slots[number]) for parts in members)
    more = sum(_fits(opened, parts) for parts in wrong) > sum(_fits(slots, parts) for parts in wrong)
    return slots if more else opened


def _without_year(slot: Slot) -> Slot:
    """A slot that begins with a year, with any other number in its place."""
    begins = any(isinstance(piece, str) and _YEAR.fullmatch(piece) for piece in slot[:1])
    return (ANY_NUMBER, *slot[1:]) if begins else slot


def _varies(slot: Slot) -> bool:
    return any(isinstance(piece, Hole) for piece in slot)


def _refined(members: Sequence[UrlParts], wrong: Sequence[UrlParts], *, boards: bool) -> list[Slot]:
    columns = [[parts.slots[number] for parts in members] for number in range(len(members[0].slots))]
    slots = [named(learn_slot(values), values) if boards else learn_slot(values) for values in columns]
    wrong = [parts for parts in wrong if _fits(slots, parts)]
    while wrong:
        best = _best_refinement(slots, columns, wrong, MAX_ENUMERATED if boards else _FEW_VALUES)
        if not boards:
            best = _best_exception(slots, columns, wrong, best) or best
        if best is None:
            break
        number, slot = best
        slots[number] = slot
        wrong = [parts for parts in wrong if _fits(slots, parts)]
    return slots


def _best_refinement(
    slots: Sequence[Slot], columns: Sequence[Sequence[str]], wrong: Sequence[UrlParts], most: int
) -> tuple[int, Slot] | None:
    """The slot that, held to its observed values or to how they begin, turns most wrong URLs away; fewer win a tie."""
    candidates = []
    for number, values in enumerate(columns):
        distinct = sorted(set(values))
        begun = _begun(slots[number], distinct)
        if begun and (turned_away := sum(not _slot_fits(begun, parts.slots[number]) for parts in wrong)):
            candidates.append((-turned_away, 1, number, begun))
        if not _varies(slots[number]) or len(distinct) > most:
            continue
        if most == _FEW_VALUES and _are_ids(slots[number], values):
            continue
        slot = _one_of(distinct)
        turned_away = sum(not _slot_fits(slot, parts.slots[number]) for parts in wrong)
        if turned_away:
            candidates.append((-turned_away, len(distinct), number, slot))
    if not candidates:
        return None
    _, _, number, slot = min(candidates)
    return number, slot


def _are_ids(slot: Slot, values: Sequence[str]) -> bool:
    """Whether each of several has a number of its own: threads that nobody met have others."""
    return len(set(values)) == len(values) > 1 and all(isinstance(one, str) or one == ANY_NUMBER for one in slot)


def _begun(slot: Slot, values: Sequence[str]) -> Slot | None:
    """A slot of words with the beginnings that several values share each: `board-some-name`, not `user-some-name`."""
    beginnings = Counter(map(word_before, values))
    least = _ALIKE if len(beginnings) == 1 else _FEW_VALUES
    if "" in beginnings or min(beginnings.values(), default=0) < least or slot[0] not in (ANY_WORD, ANY_NAME):
        return None
    if combine(values):
        return None
    rest = learn_slot([value.removeprefix(word_before(value)) for value in values])
    return (*_one_of(beginnings), *rest) if len(beginnings) <= _FEW_VALUES else None


def beginning_of(url: str) -> str:
    """The program's word that the last folder or file of a URL begins with."""
    parts = take_apart(url)
    return word_before(next((slot for slot in reversed(parts.slots[: parts.structure.segments]) if slot), ""))


def _best_exception(
    slots: Sequence[Slot], columns: Sequence[Sequence[str]], wrong: Sequence[UrlParts], held: tuple[int, Slot] | None
) -> tuple[int, Slot] | None:
    """The slot that turns all wrong URLs away by excluding their few words, where that is said in fewer words.

    A slot that varies among the examples varies on: the board in a thread's address, of which few were looked at. What
    another slot is held to comes first if it alone turns all of them away.
    """
    halfway = held is None or any(_slot_fits(held[1], parts.slots[held[0]]) for parts in wrong)
    for number, values in enumerate(columns):
        known, excluded = set(values), sorted({parts.slots[number] for parts in wrong})
        if any(_DIGITS.search(word) for word in excluded):
            continue  # words of the program have no numbers: these name something, as those that are known do
        if slots[number] != (ANY_WORD,) or not known.isdisjoint(excluded):
            continue
        if len(excluded) < len(known) and (halfway or (held is not None and held[0] == number)):
            return number, (Hole("", BUT + "|".join(excluded)),)
    return None


def assemble(structure: Structure, slots: Sequence[Slot]) -> Pattern:
    """The pattern of a structure with its slots; holes are named a, b, c … in order."""
    names = (_letters(number) for number in count())
    pieces: list[Piece] = [structure.origin]
    for number, slot in enumerate(slots):
        pieces.append(_before(structure, number))
        pieces += [Hole(next(names), piece.kind) if isinstance(piece, Hole) else piece for piece in slot]
    return Pattern(_joined(pieces))


def _before(structure: Structure, number: int) -> str:
    """What stands between the slot before and this one."""
    if number < structure.segments:
        return "/"
    item = number - structure.segments
    mark = "?" if item == 0 else structure.separator
    name = structure.names[item]
    return mark if name is None else f"{mark}{name}="


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return tuple(joined)


def _letters(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else _letters(number // 26 - 1) + chr(ord("a") + number % 26)


def _fits(slots: Sequence[Slot], parts: UrlParts) -> bool:
    return all(_slot_fits(slot, value) for slot, value in zip(slots, parts.slots, strict=True))


def _slot_fits(slot: Slot, value: str) -> bool:
    return _form(slot).match(value) is not None


@lru_cache(maxsize=1024)  # a slot is asked of many values
def _form(slot: Slot) -> Pattern:
    return Pattern(slot)
