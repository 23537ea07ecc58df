"""The one expression over shapes (see `timeshape`) that finds every time: dates, clocks, "3 hours ago".

It is built from named parts, each with an example. All repeats are bounded, so a search is linear in the text.
"""

from __future__ import annotations

import re
from typing import Final

from thrawl.page.timeshape import ROLES, WORD_CODES

_R: Final = {role: f"[{codes}]" for role, codes in ROLES.items()}
_DIGITS: Final = "[abcefYJ#N]"
_DAY: Final = "[abc]"  # and the hour
_MONTH: Final = "[ab]"
_TWO: Final = "[bce]"  # minutes and seconds
_YEAR: Final = "(?:Y|[bcef])"
_NAME: Final = _R["month"]
_HALF: Final = _R["half"]
_WORD: Final = _R["connector"]  # at, of, um, de, kl, …
_TH: Final = rf"(?:{_R['ordinal']}|\|{_R['ordinal']}\|)"  # 3rd, or with the letters raised, in a node of their own

# 14:05:06.123 · 2:05 pm · 下午 2:05 · 14h05 · 2 p.m. · 14時5分 · noon
_CLOCK: Final = (
    rf"(?:{_R['named_hour']}|(?:{_HALF} ?)?{_DAY}(?:"
    rf":{_TWO}(?::{_TWO}(?:[.,]{_DIGITS})?)?(?: ?{_HALF})?"
    rf"| ?{_HALF}"
    rf"| ?{_R['hour_letter']} ?{_TWO}(?!{_DIGITS})"
    rf"| ?{_R['hour_mark']} ?(?:[abce] ?{_R['minute_mark']}(?: ?[abce] ?{_R['second_mark']})?)?))"
)
# 14.05, only close behind a date: elsewhere it is a price or a share
_DOTTED: Final = rf"(?:{_DAY}\.{_TWO}(?:\.{_TWO})?(?: ?{_HALF})?(?!\.?{_DIGITS}))"
_CLOSE: Final = rf"(?:[ |],?[ |]?|, )(?:{_WORD}\.? )?"
# UTC · GMT+8 · (UTC +02:00) · CET · +0200 · +02:00
_ZONE: Final = rf" ?\(?(?:{_R['zone']}(?: ?[+-] ?(?:#|[ab](?:[:.]?{_TWO})?))?|[+-](?:#|[ab]:{_TWO}))\)?"
# what may stand between a date and a clock: ", " · " at " · " - " · " um " · "T" · a node's end
_GAP: Final = rf"(?:[ |]?[-,.;@(·:]{{0,2}}[ |]?(?:{_WORD}[.:,]{{0,2}}[ |]?){{0,2}}|{_R['tee']})"
_SEP: Final = " ?[-./,]? ?"
# 2004 · de 2004 · '04 · -04 · 04, before a clock
_NAMED_YEAR: Final = (
    rf"(?:{_SEP}(?:{_WORD}[. ]? ?)?(?:Y|'[bcef])|-[bcef](?!{_DIGITS})"
    rf"|[ ,]{{1,2}}[bcef](?!:{_DIGITS})(?={_GAP}{_CLOCK}))"
)
_DATE: Final = "|".join((
    # 3 tháng 5, 2004
    rf"{_DAY} ?{_R['month_prefix']} ?{_MONTH}(?:[ ,/-]{{0,2}}(?:{_WORD} )?Y)?",
    # May 3 14:05:00 UTC 2004
    rf"{_NAME}\.? ?{_DAY}{_TH}?,? {_CLOCK}(?:{_ZONE})? Y",
    # 2004. május 3.
    rf"Y\.?{_SEP}{_NAME}\.?{_SEP}{_DAY}{_TH}?\.?(?!:?{_DIGITS})",
    # 3 May 2004 · 3. května 2004 · 3 de mayo de 2004 · 3-May-04 · 3 May
    rf"{_DAY}(?:{_TH}|\.)?{_SEP}(?:{_WORD} ){{0,2}}{_NAME}\.?{_NAMED_YEAR}?",
    # May 3rd, 2004 · May 3
    rf"{_NAME}\.?{_SEP}{_DAY}{_TH}?(?!:?{_DIGITS})(?:{_NAMED_YEAR})?",
    # 3 | May | 2004, as on a tear-off calendar
    rf"{_DAY}\|{_NAME}\.?\|Y",
    # May 2004
    rf"{_NAME}[.,]? ?(?:{_WORD} )?Y",
    # 2004-05-03 · 2004/5/3 · 2004. 5. 3.
    rf"[YJ](?:-{_DAY}-{_DAY}|/{_DAY}/{_DAY}|\. ?{_DAY}\. ?{_DAY}\.?)",
    # 03/05/2004 · 03-05-04 · 3. 5. 2004
    rf"(?:{_DAY}/{_DAY}/|{_DAY}-{_DAY}-|{_DAY}\. ?{_DAY}\. ?)(?:{_YEAR}|J)",
    # 2004年5月3日 · 5月3日
    rf"(?:{_YEAR} ?{_R['year_mark']} ?)?{_MONTH} ?{_R['month_mark']} ?{_DAY} ?{_R['day_mark']}",
    # 2004年5月
    rf"Y ?{_R['year_mark']} ?{_MONTH} ?{_R['month_mark']}",
    # 5-3 14:05 · 3.5. 14:05
    rf"(?:{_DAY}[-/]{_DAY}|{_DAY}\. ?{_DAY}\.)(?={_GAP}{_CLOCK})",
))  # fmt: skip
# "Mon, " before a date; " (月)" or " Monday," behind it
_WEEKDAY: Final = rf"(?:{_R['weekday']}[.,]{{0,2}}[ |]?(?:{_WORD} )?)"
_WEEKDAY_BEHIND: Final = rf"(?: ?\(? ?(?:{_R['weekday']}|{_R['weekday_letter']})(?: ?\)|,)?(?= |$|\||{_DIGITS}))"
# yesterday · i går
_DAYS_BACK: Final = rf"(?:{_R['day_word']}|{_R['weak_day_word']}|{_WORD} {_R['second_day_word']})"
# 3 hours · half an hour · 1 day, 3 hours · 146 days · 204.3 days
_AMOUNT: Final = (
    rf"(?:{_DIGITS}(?:\.{_DIGITS})?|{_R['number_word']})(?: {_R['number_word']})? ?{_R['unit']}\.?"
    rf"(?:,? ?(?:{_WORD} )?[abce] ?{_R['unit']})?"
)
_AGO: Final = "|".join((
    # 3 hours ago · 3h ago · 3 órája
    rf"{_AMOUNT} ?(?:{_WORD} )?{_R['ago']}|[abc] ?{_R['short_unit']} ?{_R['ago']}|[abcef] {_R['unit_ago']}",
    # vor 3 Stunden · il y a 3 heures
    rf"(?:{_R['before']}|{_R['french_ago']} {_WORD} {_WORD}) {_AMOUNT}",
))  # fmt: skip
_RELATIVE: Final = "|".join((
    rf"{_DAYS_BACK}(?:{_GAP}(?P<clock2>{_CLOCK})|{_CLOSE}(?P<dotted2>{_DOTTED}))(?P<zone2>{_ZONE})?",
    rf"(?P<clock3>{_CLOCK}){_GAP}{_DAYS_BACK}",
    rf"(?P<ago>{_AGO})",
    rf"{_R['long_weekday']}{_GAP}(?P<clock4>{_CLOCK})",
    rf"(?P<now>{_R['just']} {_R['now']}|{_R['now_alone']})|{_R['day_word']}|{_WORD} {_R['second_day_word']}",
))  # fmt: skip
_TIME: Final = "|".join((
    rf"{_WEEKDAY}?(?P<date>{_DATE}){_WEEKDAY_BEHIND}?"
    rf"(?:(?:{_GAP}(?P<clock>{_CLOCK})|{_CLOSE}(?P<dotted>{_DOTTED}))(?P<zone>{_ZONE})?)?",
    rf"(?P<clock1>{_CLOCK})(?P<zone1>{_ZONE})?{_GAP}{_WEEKDAY}?(?P<date1>{_DATE})(?!{_GAP}{_CLOCK})",
    rf"(?P<relative>{_RELATIVE})",
))  # fmt: skip
# Nothing is glued to a time: "user31", "10.12.13.14" and "12-34-56-78" hold none.
SHAPE: Final = re.compile(
    rf"(?<![abcefYJ#N{WORD_CODES}])(?<![abcefYJ#N][./:-])(?:{_TIME})(?![abcefYJ#Nx_]|[./-]{_DIGITS})"
)
