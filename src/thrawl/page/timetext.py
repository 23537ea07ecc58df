"""Times inside one line of text: found by the shape of the text, kept open where the line alone cannot settle them.

The list-wise paper (section 3.3, first step) takes any short text with a digit pattern or a month's name. Here the
fields are checked too (IP addresses, versions and phone numbers fall out), and what a line cannot say (is 03/04 in
March or April? which year is "Oct 31"?) stays open until the whole site answers (see `timeformat`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from thrawl.page.timegrammar import SHAPE
from thrawl.page.timeparts import Order, Parts, century, fields_in, from_persian, is_date
from thrawl.page.timeshape import DAY_MARK, MAX_CHARS, MONTH_MARK, MONTH_PREFIX, ROLES, TOKEN, code_of, word_of
from thrawl.page.timewords import MINUTE, UNIT_AFTER_BEFORE, YEAR, Word, look_up


@dataclass(frozen=True, slots=True)
class Found:
    """One time in a text: where it stands and what it says."""

    start: int
    end: int
    parts: Parts


def scan(text: str) -> tuple[Found, ...]:
    """Every time in a text, in order. Long texts are looked at up to MAX_CHARS: times stand in short lines."""
    return _scan(text[:MAX_CHARS])


@lru_cache(maxsize=8192)  # the longest pages have some 5,000 posts, and each time is asked for several times
def _scan(text: str) -> tuple[Found, ...]:
    tokens = TOKEN.findall(text)
    shape = "".join(map(code_of, tokens))
    if "~" in shape:
        return _scan_visible(list(zip(tokens, shape, strict=True)))
    return tuple(_matches(tokens, shape, None))


def _scan_visible(pairs: list[tuple[str, str]]) -> tuple[Found, ...]:
    """Marks of writing direction print nothing: they are passed over, but the places in the text stay right."""
    starts, position = [], 0
    for token, code in pairs:
        if code != "~":
            starts.append(position)
        position += len(token)
    tokens = [token for token, code in pairs if code != "~"]
    return tuple(_matches(tokens, "".join(code for _, code in pairs if code != "~"), starts))


def _matches(tokens: list[str], shape: str, starts: list[int] | None) -> Iterator[Found]:
    position = 0
    while match := SHAPE.search(shape, position):
        counted = match.start() > 0 and tokens[match.start() - 1].endswith("#")  # "#7 - Dec. 10": the seventh post
        parts = None if counted else read_match(tokens, shape, match)
        if parts is None:
            position = match.start() + 1
            continue
        first, last = match.start(), match.end()
        if starts is None:
            starts = _starts(tokens)
        yield Found(starts[first], starts[last - 1] + len(tokens[last - 1]), parts)
        position = last


def _starts(tokens: list[str]) -> list[int]:
    starts, position = [], 0
    for token in tokens:
        starts.append(position)
        position += len(token)
    return starts


class _Fields:
    """The tokens of one match, asked for by meaning."""

    def __init__(self, tokens: list[str], shape: str) -> None:
        self.tokens = tokens
        self.shape = shape

    def numbers(self, span: tuple[int, int]) -> list[int]:
        return [int(self.tokens[i]) for i in range(*span) if self.tokens[i][0].isdecimal()]

    def words(self, span: tuple[int, int], role: str) -> list[tuple[str, Word]]:
        letters = ROLES[role]
        found = []
        for i in range(*span):
            if self.shape[i] in letters:
                token = self.tokens[i]
                word = word_of(token)
                if word is not None:
                    found.append((token, word))
        return found


def read_match(tokens: list[str], shape: str, match: re.Match[str]) -> Parts | None:
    """What the tokens of one match of SHAPE say; None if no such day or hour exists."""
    fields = _Fields(tokens, shape)
    if match["relative"] is not None:
        return _read_relative(fields, match)
    suffix = "" if match["date"] is not None else "1"
    clock, zone = match.span("clock" + suffix), match.span("zone" + suffix)
    if clock[0] < 0 and not suffix:
        clock = match.span("dotted")
    date = match.span("date" + suffix)
    if clock == (-1, -1) and ":" in shape[date[0] : date[1]]:
        return _read_unix_date(fields, date)
    day = _read_date(fields, date, with_clock=clock[0] >= 0)
    time = _read_clock(fields, clock) if clock[0] >= 0 else _NO_CLOCK
    if day is None or time is None:
        return None
    weekday = _read_weekday(fields, match.span(), date)
    return _join(day, time, _read_zone(fields, zone), weekday)


class _Clock(NamedTuple):
    hour: int | None
    minute: int | None
    second: int | None
    microsecond: int


_GLUED: Final = 2  # tokens of a date, a month and a number with nothing between: "May5", "Marta7" are people
_NO_CLOCK: Final = _Clock(None, None, None, 0)


def _join(day: Parts, time: _Clock, zone: int | None, weekday: int | None) -> Parts:
    return Parts(
        day.year, day.month, day.day, time.hour, time.minute, time.second, time.microsecond, zone, weekday,
        day.numbers, day.orders, day.style, day.short_year, day.month_word, day.ago, day.unit, day.days_back,
    )  # fmt: skip


def _read_unix_date(fields: _Fields, span: tuple[int, int]) -> Parts | None:
    """`Mon May 3 14:05:00 UTC 2004`: the clock stands between the day and the year."""
    month_word, month = fields.words(span, "month")[0]
    first = next(i for i in range(*span) if fields.tokens[i][0].isdecimal())
    colon = fields.shape.index(":", *span)
    day = _named(int(fields.tokens[first]), month, month_word, int(fields.tokens[span[1] - 1]))
    clock = _read_clock(fields, (colon - 1, span[1] - 1))
    zones = fields.words((colon, span[1]), "zone")
    if day is None or clock is None:
        return None
    return _join(day, clock, zones[0][1].offset if zones else None, None)


def _read_date(fields: _Fields, span: tuple[int, int], *, with_clock: bool) -> Parts | None:
    months = fields.words(span, "month")
    numbers = fields.numbers(span)
    shape = fields.shape[span[0] : span[1]]
    if months:
        glued = len(shape) == _GLUED and not with_clock
        return None if glued else _read_named(months[-1], numbers, shape)
    if not MONTH_PREFIX.isdisjoint(shape):
        return _checked(numbers[2] if len(numbers) > 2 else None, numbers[1], numbers[0])
    if not MONTH_MARK.isdisjoint(shape):
        return _read_marked(numbers, shape)
    return _read_numeric(tuple(numbers), shape, with_clock=with_clock)


def _read_named(month: tuple[str, Word], numbers: list[int], shape: str) -> Parts | None:
    text, word = month
    day_first = shape[0] in "abc"
    years = [n for n in numbers if n >= 1970]
    small = [n for n in numbers if n < 1970]
    if years and not small:
        sure = _sure_month(text, word, day_first=day_first)
        return Parts(year=years[0], month=word.month, month_word=text) if sure else None
    if not small:
        return None
    if years:
        return _named(small[0], word, text, years[0])
    if len(small) > 1:
        return _named(small[0], word, text, century(small[1]), short=True)
    return _named(small[0], word, text, None) if _sure_month(text, word, day_first=day_first) else None


def _sure_month(text: str, word: Word, *, day_first: bool) -> bool:
    """Whether a short month name counts without a full date: "Gen 3", "Pro 9" and "you may 3" are something else."""
    if len(text) > 3 or not text.isascii():
        return True
    if text[0].islower():
        return day_first
    return len(word.months) > 2 and word is not look_up("set") and word is not look_up("des")


def _named(day: int, word: Word, text: str, year: int | None, *, short: bool = False) -> Parts | None:
    if not is_date(year, word.month, day):
        return None
    return Parts(year=year, month=word.month, day=day, month_word=text, short_year=short)


def _read_marked(numbers: list[int], shape: str) -> Parts | None:
    has_day = not DAY_MARK.isdisjoint(shape)
    if len(numbers) == 3:
        return _checked(century(numbers[0]), numbers[1], numbers[2], short=numbers[0] < 100)
    return _checked(None, numbers[0], numbers[1]) if has_day else _checked(numbers[0], numbers[1], None)


def _checked(year: int | None, month: int, day: int | None, *, short: bool = False) -> Parts | None:
    if not is_date(year, month, day or 1):
        return None
    return Parts(year=year, month=month, day=day, short_year=short)


def _read_numeric(numbers: tuple[int, ...], shape: str, *, with_clock: bool) -> Parts | None:
    if len(numbers) == 2:
        return _open(numbers, ("mdy", "dmy"), shape)
    persian = numbers if numbers[0] in _PERSIAN_YEARS else numbers[::-1] if numbers[2] in _PERSIAN_YEARS else None
    if persian is not None:
        date = from_persian(*persian)
        return Parts(year=date[0], month=date[1], day=date[2]) if date else None
    if numbers[0] >= 1970:
        return _checked(*numbers)
    if numbers[2] >= 1970:
        return _open(numbers, ("dmy", "mdy"), shape)
    if not with_clock and not _plausible_short(shape):
        return None
    return _open(numbers, ("dmy", "mdy", "ymd"), shape)


_PERSIAN_YEARS: Final = range(1350, 1450)


def _plausible_short(shape: str) -> bool:
    """Without a clock, 1.10.02 is a version; 01.10.02 and 1/10/02 are dates."""
    return "/" in shape or (shape[0] != "a" and "." not in shape[1]) or shape[0] + shape[2] in {"bb", "cb", "bc"}


def _open(numbers: tuple[int, ...], candidates: tuple[Order, ...], shape: str) -> Parts | None:
    orders = tuple(order for order in candidates if fields_in(order, numbers) is not None)
    if not orders:
        return None
    short = len(numbers) == 3 and numbers[2] < 1970
    style = shape[1] + ("0" if len(numbers) == 2 else "2" if short else "4")
    if len(orders) > 1 or len(numbers) == 2:
        return Parts(numbers=numbers, orders=orders, short_year=short, style=style)
    year, month, day = fields_in(orders[0], numbers) or (None, None, None)
    return Parts(year=year, month=month, day=day, numbers=numbers, orders=orders, short_year=short, style=style)


def _read_clock(fields: _Fields, span: tuple[int, int]) -> _Clock | None:
    if span[0] < 0:
        return _NO_CLOCK
    named = fields.words(span, "named_hour")
    if named:
        return _Clock(int(named[0][1].number), 0, None, 0)
    numbers = fields.numbers(span)
    halves = fields.words(span, "half")
    hour = _hour(numbers[0], halves[0][1].half if halves else "")
    minute = numbers[1] if len(numbers) > 1 else None
    second = numbers[2] if len(numbers) > 2 else None
    if hour is None or (minute or 0) > 59 or (second or 0) > 60:
        return None
    micro = _fraction(fields.tokens[span[0] : span[1]]) if len(numbers) > 3 else 0
    return _Clock(hour, minute, None if second is None else min(second, 59), micro)


def _fraction(tokens: list[str]) -> int:
    digits = [token for token in tokens if token[0].isdecimal()][3]
    return int(digits[:6].ljust(6, "0"))


def _hour(hour: int, half: str) -> int | None:
    if hour > 24:
        return None
    if half == "am":
        return 0 if hour == 12 else hour
    if half == "pm" and hour < 12:
        return hour + 12
    return hour % 24


def _read_zone(fields: _Fields, span: tuple[int, int]) -> int | None:
    if span[0] < 0:
        return None
    words = fields.words(span, "zone")
    base = words[0][1].offset if words else 0
    tokens = [fields.tokens[i] for i in range(*span) if fields.tokens[i][0].isdecimal()]
    if not tokens:
        return base
    base = 0  # "EDT-0400" says the same twice
    hours, minutes = (int(tokens[0][:2]), int(tokens[0][2:])) if len(tokens[0]) == 4 else (int(tokens[0]), 0)
    minutes = int(tokens[1]) if len(tokens) > 1 else minutes
    if hours > 14 or minutes > 59:
        return None
    sign = -1 if "-" in fields.shape[span[0] : span[1]] else 1
    return base + sign * (60 * hours + minutes)


def _read_weekday(fields: _Fields, span: tuple[int, int], date: tuple[int, int]) -> int | None:
    for part in ((span[0], date[0]), (date[1], span[1])):
        for role in ("weekday", "weekday_letter"):
            words = fields.words(part, role)
            if words:
                return words[0][1].weekday
    return None


def _read_relative(fields: _Fields, match: re.Match[str]) -> Parts | None:
    span = match.span()
    if match["ago"] is not None:
        return _read_ago(fields, span)
    if match["now"] is not None:
        return Parts(ago=0.0, unit=MINUTE)
    clock = next((match.span(name) for name in _RELATIVE_CLOCKS if match[name] is not None), (-1, -1))
    time = _read_clock(fields, clock)
    if time is None:
        return None
    days = [word for role in _DAY_ROLES for _, word in fields.words(span, role)]
    if days:
        return _join(Parts(days_back=days[0].days_back), time, _read_zone(fields, match.span("zone2")), None)
    return _join(Parts(), time, None, fields.words(span, "weekday")[0][1].weekday)


_DAY_ROLES: Final = ("day_word", "weak_day_word", "second_day_word")
_LONGEST_AGO: Final = 60 * YEAR  # before there were forums; "vor 2000 Jahren" is history
_RELATIVE_CLOCKS: Final = ("clock2", "dotted2", "clock3", "clock4")


def _read_ago(fields: _Fields, span: tuple[int, int]) -> Parts | None:
    total, grain, number = 0.0, 0, None
    before = bool(fields.words(span, "before"))
    for i in range(*span):
        token = fields.tokens[i]
        if token[0].isdecimal():
            is_fraction = number is not None and fields.tokens[i - 1] == "."
            number = float(f"{number:.0f}.{token}" if is_fraction else token)
            continue
        word = look_up(token) if token[0].isalpha() else None
        if word is None:
            continue
        if "number_word" in word.roles and (number is None or word.number > 1 or _unit_follows(fields, i, span[1])):
            number = number if number is not None and word.number == 1 else word.number
        elif number is not None and word.unit:
            unit = UNIT_AFTER_BEFORE.get(token, word.unit) if before else word.unit
            total, grain, number = total + number * unit, unit, None
    return Parts(ago=total, unit=grain) if grain and total <= _LONGEST_AGO else None


def _unit_follows(fields: _Fields, at: int, end: int) -> bool:
    """In "half an hour", "an" is no French year."""
    return any(fields.shape[i] in ROLES["unit"] for i in range(at + 1, min(at + 3, end)))
