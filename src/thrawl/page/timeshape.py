"""The shape of a text: one letter a token, over which `timegrammar` finds the times.

A two-digit number up to 12 is `b`, a word is a letter for the set of roles that it can play. Month names in
thirty-odd languages thus cost one dictionary look-up a word instead of an alternation of a thousand words.

    a  one digit               Y  a year, 1970 to 2099            x  a word that says nothing of time
    b  00 to 12                J  a year of the Iranian calendar  ~  a mark of writing direction, not printed
    c  13 to 31                #  other four digits               |  a break between two nodes
    e  32 to 59                N  other numbers                   !  other signs
    f  60 to 99
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from thrawl.page.timewords import Word, known_words, look_up

BREAK: Final = "\x00"  # stands between the texts of two nodes of one line; no parsed page contains it
MAX_CHARS: Final = 400  # of a text that are looked at; times stand in short lines

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_IS_CJK: Final = re.compile(f"[{_CJK}]")
_CJK_WORDS: Final = "|".join(sorted((re.escape(w) for w in known_words() if _IS_CJK.match(w)), key=len, reverse=True))
TOKEN: Final = re.compile(
    rf"\d+|[\s\x00]+|(?i:[ap]\.\s?m\b\.?|[πμ]\.\s?μ\b\.?)|{_CJK_WORDS}|[{_CJK}]"
    rf"|[^\W\d_{_CJK}]+(?:['’-][^\W\d_{_CJK}]+)*|.",
    re.DOTALL,
)
_PUNCTUATION: Final = {"–": "-", "—": "-", "−": "-", "，": ",", "：": ":", "／": "/", "（": "(", "）": ")",
                       "[": "(", "]": ")", "．": ".", "・": "·", "•": "·", "»": "·", "’": "'", "、": ",",
                       "؛": ";", "،": ","}  # fmt: skip
_INVISIBLE: Final = "\u200b\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2069\ufeff"


_FIRST_LETTER: Final = 0xC0  # sets of characters below 0x100 compile and match faster


def _role_letters() -> tuple[dict[frozenset[str], str], dict[str, str]]:
    combinations = sorted({frozenset(word.roles) for word in known_words().values()}, key=sorted)
    letters = {roles: chr(_FIRST_LETTER + number) for number, roles in enumerate(combinations)}
    roles = {role for combination in combinations for role in combination}
    return letters, {role: "".join(c for r, c in letters.items() if role in r) for role in roles}


_LETTERS, ROLES = _role_letters()
WORD_CODES: Final = "x_" + "".join(_LETTERS.values())
MONTH_PREFIX: Final = frozenset(ROLES["month_prefix"])
MONTH_MARK: Final = frozenset(ROLES["month_mark"])
DAY_MARK: Final = frozenset(ROLES["day_mark"])


@lru_cache(maxsize=16384)
def code_of(token: str) -> str:
    first = token[0]
    if first.isdecimal():
        return _number_code(token)
    if first.isspace() or first == BREAK:
        return "|" if BREAK in token else " "
    if first.isalpha():
        word = word_of(token)
        return _LETTERS[frozenset(word.roles)] if word else "x"
    if first in _INVISIBLE:
        return "~"
    return _PUNCTUATION.get(first, first if first in ":.,-/()+'|;@·_" else "!")


def _number_code(token: str) -> str:
    if len(token) == 1:
        return "a"
    value = int(token) if len(token) <= 4 else 0
    if len(token) == 2:
        return "b" if value <= 12 else "c" if value <= 31 else "e" if value <= 59 else "f"
    if len(token) == 4:
        return "Y" if 1970 <= value <= 2099 else "J" if 1350 <= value <= 1449 else "#"
    return "N"


def word_of(token: str) -> Word | None:
    """The meaning of a word token; `p. m.` is `p.m`."""
    return look_up("".join(token.split()).rstrip(".") if "." in token else token)
