"""The words of a text, cut by one rule: SQLite, PostgreSQL and the static site find the same posts because of it.

A text is a row of units: a word, or one letter of a script that writes without spaces (Chinese, Japanese, Thai, and
Korean, whose particles stick to their nouns). Case, accents and the width of letters do not count. The index holds a
token for each word and one for each two neighbouring letters; a letter's last neighbour stands alone, so that a single
letter is the beginning of some token. What the index proposes is checked on the units themselves (`holds`), so
phrases need no positions in it. The script of the search page (web/assets/search.js) follows the same rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from thrawl.limits import MAX_SEARCHED_CHARS, MAX_WORD_CHARS

# The letters of scripts without spaces between words; the same ranges stand in the search page's script.
LETTERS: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f"
)
# What is written within a word and not read: soft hyphens, joiners, variation selectors.
UNSEEN: Final = "\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff"
# Accents, Hebrew points and Arabic vowel signs. The voicing marks of kana stay: they make another letter.
ACCENTS: Final = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
_DROPPED: Final = re.compile(f"[{UNSEEN}{ACCENTS}]+")
_ASCII_WORD: Final = re.compile(r"\w+", re.ASCII)
# where Unicode keeps the combining marks of living scripts; Chinese and Korean letters, of which none is one, are most
# of what lies between
_MARKS: Final = (*range(0x300, 0x3400), *range(0xA640, 0xAC00), *range(0xFB00, 0x10000))
_LETTER: Final = re.compile(f"[{LETTERS}]")
_QUOTED: Final = re.compile(r'"([^"]*)"?|(\S+)')


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a text, and where it stands there."""

    text: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Term:
    """Units that must stand side by side; the last one may be only the beginning of a word."""

    units: tuple[str, ...]
    prefix: bool = False

    @property
    def tokens(self) -> tuple[tuple[str, bool], ...]:
        """The tokens that every text with this term has, each with whether it is only the beginning of one."""
        last = len(self.units) - 1
        found = []
        for place, unit in enumerate(self.units):
            following = self.units[place + 1] if place < last else None
            if not is_letter(unit):
                found.append((unit, self.prefix and place == last))
            elif following is not None and is_letter(following):
                found.append((unit + following, False))
            elif place == 0 or not is_letter(self.units[place - 1]):
                found.append((unit, True))
        return tuple(found)

    def stands_at(self, units: Sequence[str], place: int) -> bool:
        """Whether the term stands there among the units of a text."""
        size = len(self.units)
        if self.prefix:
            part = tuple(units[place : place + size])
            return len(part) == size and part[:-1] == self.units[:-1] and part[-1].startswith(self.units[-1])
        return tuple(units[place : place + size]) == self.units


def asked(query: str) -> list[Term]:
    """The terms of a query: words, "phrases in quotes", and beginnings of words with a star: focus*.

    Whatever is written without a space is one phrase, so that e-mail is not found in "e, then mail".
    """
    found = []
    for match in _QUOTED.finditer(query):
        part = match[1] if match[1] is not None else match[2]
        units = tuple(unit.text for unit in units_of(part))
        if units:
            found.append(Term(units, prefix=part.rstrip().endswith("*")))
    return list(dict.fromkeys(found))


def holds(units: Sequence[str], terms: Sequence[Term]) -> bool:
    """Whether a text with these units holds all the terms."""
    return all(any(True for _ in places(units, term)) for term in terms)


def places(units: Sequence[str], term: Term) -> Iterator[int]:
    """Where a term begins among the units of a text."""
    return (place for place in range(len(units) - len(term.units) + 1) if term.stands_at(units, place))


def tokens_of(text: str) -> list[str]:
    """The tokens under which a text is indexed, each once."""
    if text.isascii():
        words = dict.fromkeys(_ASCII_WORD.findall(text[:MAX_SEARCHED_CHARS].lower()))
        if len(max(words, key=len, default="")) <= MAX_WORD_CHARS:
            return list(words)
        return list(dict.fromkeys(word[:MAX_WORD_CHARS] for word in words))
    units = unit_texts(text)
    followed = zip(units, [*units[1:], ""], strict=False)
    return list(dict.fromkeys(_token(unit, following) for unit, following in followed))


def unit_texts(text: str) -> list[str]:
    """The units of a text without their places: what every post is checked and indexed by, so it is quick."""
    units: list[str] = []
    for raw in _word().findall(text[:MAX_SEARCHED_CHARS]):
        if raw.isascii():
            units.append(raw.lower()[:MAX_WORD_CHARS])
        else:
            units.extend(part[:MAX_WORD_CHARS] for part in _parts().findall(folded(raw)))
    return units


def units_of(text: str) -> Iterator[Unit]:
    """The units of a text in order, with their places in it."""
    for match in _word().finditer(text[:MAX_SEARCHED_CHARS]):
        raw = match[0]
        if raw.isascii():
            yield Unit(raw.lower()[:MAX_WORD_CHARS], match.start(), match.end())
            continue
        shown = folded(raw)
        # Folding may change the length of a word (an ae in one letter); then its parts share the place of the whole.
        exact = len(shown) == len(raw)
        for part in _parts().finditer(shown):
            if exact:
                yield Unit(part[0][:MAX_WORD_CHARS], match.start() + part.start(), match.start() + part.end())
            else:
                yield Unit(part[0][:MAX_WORD_CHARS], match.start(), match.end())


def folded(text: str) -> str:
    """A text without case, accents, widths and what is not seen."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).lower()
    plain = unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", plain)))
    return plain.replace("ς", "σ").replace("ß", "ss")


def is_letter(unit: str) -> bool:
    """Whether a unit is a letter of a script that writes without spaces."""
    return not unit.isascii() and _LETTER.match(unit) is not None


def _token(unit: str, following: str) -> str:
    return unit + following if is_letter(unit) and following and is_letter(following) else unit


@cache
def _word() -> re.Pattern[str]:
    """A word with the marks that are written in it; Python's own idea of a word ends at each vowel sign of Hindi."""
    # The marks stand in a class of their own: only then it is looked up at once, not one by one.
    return re.compile(rf"\w+(?:[{_marks()}{UNSEEN}]+\w*)*|[{_marks()}{UNSEEN}]+\w*(?:[{_marks()}{UNSEEN}]+\w*)*")


@cache
def _parts() -> re.Pattern[str]:
    """The units of a folded word: its letters one by one where its script has no spaces, the rest together."""
    return re.compile(rf"[{LETTERS}]|(?:(?![{LETTERS}])(?:\w|[{_marks()}]))+")


@cache
def _marks() -> str:
    """The combining marks, as ranges: named one by one they take longer to compile than all else at a crawl's start."""
    marks = [code for code in _MARKS if unicodedata.category(chr(code))[0] == "M"]
    known = frozenset(marks)
    begins = [code for code in marks if code - 1 not in known]
    ends = [code for code in marks if code + 1 not in known]
    return "".join(f"{chr(begin)}-{chr(end)}" for begin, end in zip(begins, ends, strict=True))
