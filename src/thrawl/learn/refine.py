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
from itertools import count
from typing import Final

from thrawl.profile.patterns import BUT, NAME, NUMBER, WORD, Hole, Pattern, Piece
from thrawl.profile.urls import Structure, UrlParts, take_apart

SUPPORT: Final = 0.2
MAX_ENUMERATED: Final = 200
_FEW_NAMES: Final = 4
_FEW_WORDS: Final = 6
_FEW_VALUES: Final = 3
_MOSTLY: Final = 0.8
_FIRST_PAGES: Final = frozenset({"0", "1"})

_DIGITS: Final = re.compile(r"\d+")
_AT_NUMBERS: Final = re.compile(r"(\d+)")
_LAST: Final = re.compile(r"\d+(?=\D*\Z)")
_SEVERAL_NUMBERS: Final = re.compile(r"\d+(?:[-_.,]\d+)*")
_NUMBER_FIRST: Final = re.compile(r"([A-Za-z]?)(\d+)([-_.,~+:])(?=[^/?&=#])")
_NUMBER_LAST: Final = re.compile(r"([-_.,~+:][A-Za-z]{0,3})(\d+)(\.[A-Za-z]{2,5})?\Z")
_PREFIX: Final = re.compile(r"[A-Za-z]{1,12}[-_.,]")
_COMMAND: Final = re.compile(r"[A-Za-z]{1,16},")  # a program's word: titles in URLs have hyphens and no commas
_ENDING: Final = re.compile(r"(\.[A-Za-z]{2,5})\Z")

Slot = tuple[tuple[str, str], ...]
"""A slot as (kind, literal) pairs: kind is 'literal', NUMBER, WORD or 'one'."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What addresses hold of the page that they stand on: slots and numbers by which pages of its kind differ."""

    slots: Mapping[str, Slot] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()

    def opened(self, slot: Slot) -> Slot:
        """A slot that holds something of the page, left open for what other pages have there."""
        if len(slot) == 1 and slot[0][0] == "literal":
            command, name = _commanded(slot[0][1])
            if name in self.slots:
                return (("literal", command), *self.slots[name]) if command else self.slots[name]
        return tuple(piece for kind, literal in slot for piece in self._pieces(kind, literal))

    def _pieces(self, kind: str, literal: str) -> Iterable[tuple[str, str]]:
        if kind != "literal":
            return [(kind, literal)]
        return [
            (NUMBER, "") if piece in self.numbers else ("literal", piece)
            for piece in _AT_NUMBERS.split(literal)
            if piece
        ]


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
    command = match[0] if (match := _COMMAND.match(slot)) else ""
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
        learned.append(_learn_one(members, against, boards=boards, carried=carried))
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


def _learn_one(members: Sequence[UrlParts], wrong: Sequence[UrlParts], *, boards: bool, carried: Carried) -> Pattern:
    columns = [[parts.slots[number] for parts in members] for number in range(len(members[0].slots))]
    slots = [_named(learn_slot(values), values) if boards else learn_slot(values) for values in columns]
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
    # what differs in nothing but the board that it stands on is no counter-example
    return assemble(members[0].structure, [carried.opened(slot) for slot in slots])


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
        if all(kind == "literal" for kind, _ in slots[number]) or len(distinct) > most:
            continue
        slot: Slot = (("one", "|".join(distinct)),)
        turned_away = sum(not _slot_fits(slot, parts.slots[number]) for parts in wrong)
        if turned_away:
            candidates.append((-turned_away, len(distinct), number, slot))
    if not candidates:
        return None
    _, _, number, slot = min(candidates)
    return number, slot


def _begun(slot: Slot, values: Sequence[str]) -> Slot | None:
    """A slot of words with the beginnings that several values share each: `board-some-name`, not `user-some-name`."""
    beginnings = Counter(match[0] if (match := _PREFIX.match(value)) else "" for value in values)
    if "" in beginnings or min(beginnings.values(), default=0) < _FEW_VALUES or slot[0][0] != WORD:
        return None
    rest = learn_slot([_PREFIX.sub("", value, count=1) for value in values])
    if len(beginnings) == 1:
        return (("literal", next(iter(beginnings))), *rest)
    return (("one", "|".join(sorted(beginnings))), *rest) if len(beginnings) <= _FEW_VALUES else None


def _best_exception(
    slots: Sequence[Slot], columns: Sequence[Sequence[str]], wrong: Sequence[UrlParts], held: tuple[int, Slot] | None
) -> tuple[int, Slot] | None:
    """The slot that turns all wrong URLs away by excluding their few words, where that is said in fewer words.

    A slot that varies among the examples varies on: the board in a thread's address, of which few were looked at.
    """
    for number, values in enumerate(columns):
        known, excluded = set(values), sorted({parts.slots[number] for parts in wrong})
        if len(slots[number]) != 1 or slots[number][0][0] != WORD or not known.isdisjoint(excluded):
            continue
        if len(excluded) < len(known) and (held is None or held[0] == number):
            return number, (("one", BUT + "|".join(excluded)),)
    return None


def learn_slot(values: Sequence[str]) -> Slot:
    """The most special slot that fits all values."""
    distinct = set(values)
    if len(distinct) == 1:
        return (("literal", values[0]),)
    commands = {match[0] if (match := _COMMAND.match(value)) else "" for value in distinct}
    if len(commands) == 1 and "" not in commands:
        command = commands.pop()
        return (("literal", command), *learn_slot([value.removeprefix(command) for value in values]))
    frames = {_DIGITS.sub("0", value) for value in distinct}
    if len(frames) == 1:
        return _numbers_in_a_frame(sorted(distinct))
    return _number_first(distinct) or _number_last(distinct) or _ended_word(distinct)


def _numbers_in_a_frame(values: Sequence[str]) -> Slot:
    """Values that differ in numbers alone; a number that never varies stays a literal."""
    literals = _DIGITS.split(values[0])
    columns = list(zip(*(_DIGITS.findall(value) for value in values), strict=True))
    slot: list[tuple[str, str]] = [("literal", literals[0])]
    for column, literal in zip(columns, literals[1:], strict=True):
        slot.append(("literal", column[0]) if len(set(column)) == 1 else (NUMBER, ""))
        slot.append(("literal", literal))
    return tuple(slot)


def _number_first(values: Iterable[str]) -> Slot | None:
    """`12-some-title`: the same letter and separator around the number, then a word."""
    found = [_NUMBER_FIRST.match(value) for value in values]
    frames = {(match[1], match[3]) for match in found if match}
    if len(frames) != 1 or not all(found):
        return None
    before, after = frames.pop()
    return (("literal", before), (NUMBER, ""), ("literal", after), (WORD, ""))


def _number_last(values: Iterable[str]) -> Slot | None:
    """`some-title-t12.html`: a word, then the same frame around a number."""
    found = [_NUMBER_LAST.search(value) for value in values]
    frames = {(match[1], match[3] or "") for match in found if match and match.start()}
    if len(frames) != 1 or not all(match and match.start() for match in found):
        return None
    before, after = frames.pop()
    return ((WORD, ""), ("literal", before), (NUMBER, ""), ("literal", after))


def _ended_word(values: Iterable[str]) -> Slot:
    """Any word, with the beginning and the ending that all of them share: `Thread-Some-Title.html`."""
    found = list(values)
    beginnings = {match[0] if (match := _PREFIX.match(value)) else "" for value in found}
    endings = Counter(match[1] if (match := _ENDING.search(value)) else "" for value in found)
    shared = len(beginnings) == 1 and len(found) >= _FEW_WORDS
    slot: list[tuple[str, str]] = [("literal", next(iter(beginnings)))] if shared else []
    slot.append((WORD, ""))
    if len(endings) == 1 and "" not in endings:
        slot.append(("literal", next(iter(endings))))
    return tuple(slot)


def _named(slot: Slot, values: Sequence[str]) -> Slot:
    """Boards have names: where none of several begins with a digit, none will."""
    distinct = set(values)
    if slot[0][0] == WORD and len(distinct) >= _FEW_NAMES and not any(value[:1].isdigit() for value in distinct):
        return ((NAME, ""), *slot[1:])
    return slot


def assemble(structure: Structure, slots: Sequence[Slot]) -> Pattern:
    """The pattern of a structure with its slots; holes are named a, b, c … in order."""
    names = (_letters(number) for number in count())
    pieces: list[Piece] = [structure.origin]
    for number, slot in enumerate(slots):
        pieces.append(_before(structure, number))
        for kind, literal in slot:
            if kind == "literal":
                pieces.append(literal)
            else:
                pieces.append(Hole(next(names), literal if kind == "one" else kind))
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
    pieces = tuple(
        literal if kind == "literal" else Hole("x", literal if kind == "one" else kind) for kind, literal in slot
    )
    return re.fullmatch(Pattern(pieces).expression, value) is not None
