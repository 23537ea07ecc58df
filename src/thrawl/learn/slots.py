"""One slot of the addresses of a kind: a segment of the path, or a value of the query, as examples show it.

It becomes the most special thing that fits all its values: a literal, a literal frame with numbers, a number with a
slug, a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final
from urllib.parse import unquote

from thrawl.profile.patterns import NAME, NUMBER, WORD, Hole, Piece

_FEW_NAMES: Final = 4  # names of which none begins with a digit, before that says what the next ones do
_FEW_WORDS: Final = 6  # that begin with one word, before it is the program's: few titles begin alike by chance

_DIGITS: Final = re.compile(r"\d+")
_NUMBER_FIRST: Final = re.compile(r"((?:[A-Za-z]{1,12}_)?[A-Za-z]{0,16})(\d+)([-_.,~+:])(?=[^/?&=#])")
_NUMBER_LAST: Final = re.compile(r"([-_.,~+:][A-Za-z]{0,3})(\d+)(\.[A-Za-z]{2,5})?\Z")
_PREFIX: Final = re.compile(r"[A-Za-z]{1,12}[-_.,]")
COMMAND: Final = re.compile(r"[A-Za-z]{1,16},|[^?]*\?")  # a program's word or file: titles have hyphens, no such marks
_PARTED: Final = re.compile(r"[^\w-]+")
_ENDING: Final = re.compile(r"(\.[A-Za-z]{2,5})\Z")

ANY_NUMBER: Final = Hole("", NUMBER)
ANY_WORD: Final = Hole("", WORD)
ANY_NAME: Final = Hole("", NAME)
Slot = tuple[Piece, ...]
"""A slot as pieces of a pattern, whose holes have no names yet."""


def learn_slot(values: Sequence[str]) -> Slot:
    """The most special slot that fits all values."""
    distinct = set(values)
    if len(distinct) == 1:
        return (values[0],)
    commands = {match[0] if (match := COMMAND.match(value)) else "" for value in distinct}
    if len(commands) == 1 and "" not in commands:
        command = commands.pop()
        return (command, *learn_slot([value.removeprefix(command) for value in values]))
    frames = {_DIGITS.sub("0", value) for value in distinct}
    if len(frames) == 1:
        return _numbers_in_a_frame(sorted(distinct))
    steps = [value.split("/") for value in values]
    if len(steps[0]) > 1 and len({len(one) for one in steps}) == 1:
        first, *more = (learn_slot(column) for column in zip(*steps, strict=True))  # no word goes beyond a step
        return first + tuple(piece for column in more for piece in ("/", *column))
    return _number_first(distinct) or _number_last(distinct) or _ended_word(distinct)


def _numbers_in_a_frame(values: Sequence[str]) -> Slot:
    """Values that differ in numbers alone; a number that never varies stays a literal."""
    literals = _DIGITS.split(values[0])
    columns = list(zip(*(_DIGITS.findall(value) for value in values), strict=True))
    slot: list[Piece] = [literals[0]]
    for column, literal in zip(columns, literals[1:], strict=True):
        slot += [column[0] if len(set(column)) == 1 else ANY_NUMBER, literal]
    return tuple(slot)


def _number_first(values: Collection[str]) -> Slot | None:
    """`12-some-title`, `topic12-some-title.html`: the same of the program's letters around the number, then a word."""
    found = [_NUMBER_FIRST.match(value) for value in values]
    frames = {(match[1], match[3]) for match in found if match}
    if len(frames) != 1 or not all(found):
        return None
    before, after = frames.pop()
    words = [value[match.end() :] for value, match in zip(values, found, strict=True) if match]
    return (before, ANY_NUMBER, after, *_ended_word(words))


def _number_last(values: Iterable[str]) -> Slot | None:
    """`some-title-t12.html`: a word, with what it begins with in all of them, then the same frame around a number."""
    found = [_NUMBER_LAST.search(value) for value in values]
    frames = {(match[1], match[3] or "") for match in found if match and match.start()}
    if len(frames) != 1 or not all(match and match.start() for match in found):
        return None
    before, after = frames.pop()
    words = [match.string[: match.start()] for match in found if match]
    return (*_ended_word(words), before, ANY_NUMBER, after)


def _ended_word(values: Iterable[str]) -> Slot:
    """Any word, with the beginning and the ending that all of them share: `Thread-Some-Title.html`."""
    found = list(values)
    beginning = next(iter(beginnings)) if len(beginnings := set(map(word_before, found))) == 1 else ""
    endings = Counter(match[1] if (match := _ENDING.search(value)) else "" for value in found)
    ended = len(endings) == 1 and "" not in endings
    begun = beginning and len(found) >= _FEW_WORDS
    return (*([beginning] if begun else ()), ANY_WORD, *(endings if ended else ()))


def named(slot: Slot, values: Sequence[str]) -> Slot:
    """Boards have names: where none of several begins with a digit, none will."""
    distinct = set(values)
    if slot[0] == ANY_WORD and len(distinct) >= _FEW_NAMES and not any(value[:1].isdigit() for value in distinct):
        return (ANY_NAME, *slot[1:])
    return slot


def word_before(value: str) -> str:
    """The program's word that a slot begins with; empty where it has none."""
    return match[0] if (match := _PREFIX.match(value)) else ""


def combine(values: Iterable[str]) -> bool:
    """Whether some values are made of others, or begin with the same word: facets, of which there are as many as words
    combine to. Words of one name are parted by hyphens. Numbers beside a word combine with nothing: `oars.3_2012-03` is
    a month of a board."""
    names = [_ENDING.sub("", value.removeprefix(word_before(value))) for value in values]
    words = [[part for part in _PARTED.split(unquote(name)) if not part[:1].isdigit()] for name in names]
    alone = {parts[0] for parts in words if len(parts) == 1}
    firsts = Counter(parts[0] for parts in words if len(parts) > 1)
    return max(firsts.values(), default=0) > 1 or any(len(parts) > 1 and alone.intersection(parts) for parts in words)
