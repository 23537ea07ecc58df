"""The shape of a text: one letter a token, and the one expression over shapes that finds every time.

A two-digit number up to 12 is `b`, a word is a letter for the set of roles that it can play. Month names in
thirty-odd languages thus cost one dictionary look-up a word instead of an alternation of a thousand words, and the
expression has only bounded repeats: time is linear in the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from thrawl.page.timewords import WORDS, Word, look_up

BREAK: Final = "\x00"  # stands between the texts of two nodes of one line; no parsed page contains it
MAX_CHARS: Final = 400  # of a text that are looked at; times stand in short lines

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_IS_CJK: Final = re.compile(f"[{_CJK}]")
_CJK_WORDS: Final = "|".join(sorted((re.escape(w) for w in WORDS if _IS_CJK.match(w)), key=len, reverse=True))
TOKEN: Final = re.compile(
    rf"\d+|[\s\x00]+|(?i:[ap]\.\s?m\b\.?|[πμ]\.\s?μ\b\.?)|{_CJK_WORDS}|[{_CJK}]"
    rf"|[^\W\d_{_CJK}]+(?:['’-][^\W\d_{_CJK}]+)*|.",
    re.DOTALL,
)
_PUNCTUATION: Final = {"–": "-", "—": "-", "−": "-", "，": ",", "：": ":", "／": "/", "（": "(", "）": ")",
                       "[": "(", "]": ")", "．": ".", "・": "·", "•": "·", "»": "·", "’": "'", "、": ",",
                       "؛": ";", "،": ","}  # fmt: skip
_INVISIBLE: Final = "\u200b\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2069\ufeff"


def _role_letters() -> tuple[dict[frozenset[str], str], dict[str, str]]:
    combinations = sorted({frozenset(word.roles) for word in WORDS.values()}, key=sorted)
    letters = {roles: chr(0x100 + number) for number, roles in enumerate(combinations)}
    roles = {role for combination in combinations for role in combination}
    return letters, {role: "".join(c for r, c in letters.items() if role in r) for role in roles}


_LETTERS, ROLES = _role_letters()
_WORD_LETTERS: Final = "x_" + "".join(_LETTERS.values())


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


def _grammar() -> str:
    r = {role: f"[{letters}]" for role, letters in ROLES.items()}
    digit, day, two, month, year = "[abcefYJ#N]", "[abc]", "[bce]", "[ab]", "(?:Y|[bcef])"
    half, o, m, w = r["half"], r["connector"], r["month"], rf"{r['weekday']}"
    clock = (
        rf"(?:{half} ?)?{day}(?::{two}(?::{two}(?:[.,]{digit})?)?(?: ?{half})?| ?{half}"
        rf"| ?{r['hour_letter']} ?{two}(?!{digit})"
        rf"| ?{r['hour_mark']} ?(?:[abce] ?{r['minute_mark']}(?: ?[abce] ?{r['second_mark']})?)?)"
    )
    dotted = rf"(?:{day}\.{two}(?:\.{two})?(?!\.?{digit}))"
    zone = rf" ?\(?(?:{r['zone']}(?: ?[+-] ?(?:#|[ab](?:[:.]?{two})?))?|[+-](?:#|[ab]:{two}))\)?"
    gap = rf"(?:[ |]?[-,.;@(·:]{{0,2}}[ |]?(?:{o}[.:,]{{0,2}}[ |]?){{0,2}}|{r['tee']})"
    narrow = rf"(?:[ |],?[ |]?|, )(?:{o}\.? )?"
    sep = " ?[-./,]? ?"
    named_year = rf"(?:{sep}(?:{o}[. ]? ?)?(?:Y|'[bcef])|-[bcef](?!{digit})|[ ,]{{1,2}}[bcef](?={gap}{clock}))"
    cjk_day = rf"(?:{year} ?{r['year_mark']} ?)?{month} ?{r['month_mark']} ?{day} ?{r['day_mark']}"
    date = "|".join((
        rf"{day} ?{r['month_prefix']} ?{month}(?:[ ,/-]{{0,2}}(?:{o} )?Y)?",
        rf"(?:{m})\.? ?{day}{r['ordinal']}?,? {clock}(?:{zone})? Y",
        rf"Y\.?{sep}{m}\.?{sep}{day}{r['ordinal']}?\.?(?!:?{digit})",
        rf"{day}(?:{r['ordinal']}|\.)?{sep}(?:{o} ){{0,2}}{m}\.?{named_year}?",
        rf"{m}\.?{sep}{day}{r['ordinal']}?(?!:?{digit})(?:{named_year})?",
        rf"{day}\|{m}\.?\|Y",
        rf"{m}[.,]? ?(?:{o} )?Y",
        rf"[YJ](?:-{day}-{day}|/{day}/{day}|\. ?{day}\. ?{day}\.?)",
        rf"(?:{day}/{day}/|{day}-{day}-|{day}\. ?{day}\. ?)(?:{year}|J)",
        cjk_day,
        rf"Y ?{r['year_mark']} ?{month} ?{r['month_mark']}",
        rf"(?:{day}[-/]{day}|{day}\. ?{day}\.)(?={gap}{clock})",
    ))  # fmt: skip
    weekday = rf"(?:{w}[.,]{{0,2}}[ |]?(?:{o} )?)"
    after = rf"(?: ?\(? ?(?:{w}|{r['weekday_letter']})(?: ?\)|,)?(?= |$|\||{digit}))"
    days = rf"(?:{r['day_word']}|{r['weak_day_word']}|{o} {r['second_day_word']})"
    amount = rf"(?:[abcef]|{r['number_word']})(?: {r['number_word']})? ?{r['unit']}"
    amounts = rf"{amount}(?:,? ?(?:{o} )?[abce] ?{r['unit']})?"
    relative = "|".join((
        rf"{days}(?:{gap}{clock}|{narrow}{dotted})(?:{zone})?",
        rf"{clock}{gap}{days}",
        rf"{amounts} ?(?:{o} )?{r['ago']}|[abc] ?{r['short_unit']} ?{r['ago']}|[abcef] {r['unit_ago']}",
        rf"(?:{r['before']}|{r['french_ago']} {o} {o}) {amounts}",
        rf"{r['long_weekday']}{gap}{clock}",
        rf"{r['just']} {r['now']}|{r['now_alone']}|{r['day_word']}|{o} {r['second_day_word']}",
    ))  # fmt: skip
    full = (
        rf"{weekday}?(?P<date>{date}){after}?(?:(?:{gap}(?P<clock>{clock})|{narrow}(?P<dotted>{dotted}))(?P<zone>{zone})?)?"
        rf"|(?P<clock1>{clock})(?P<zone1>{zone})?{gap}{weekday}?(?P<date1>{date})(?!{gap}{clock})"
        rf"|(?P<relative>{relative})"
    )
    return rf"(?<![abcefYJ#N{_WORD_LETTERS}])(?<![abcefYJ#N][./:-])(?:{full})(?![abcefYJ#Nx_]|[./-]{digit})"


SHAPE: Final = re.compile(_grammar())


def word_of(token: str) -> Word | None:
    """The meaning of a word token; `p. m.` is `p.m`."""
    return look_up("".join(token.split()).rstrip(".") if "." in token else token)
