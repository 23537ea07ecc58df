"""What a text says of a time, field by field, and what moment that is once the site has settled the open questions.

A text seldom says everything: 03/04 has two readings, "Oct 31" no year, "14:05" no zone, "3 hours ago" no date.
`Parts` keeps what is said; `moment` needs to be told the rest and answers None where it cannot know.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Final, Literal

from thrawl.page.timewords import DAY, HOUR, MINUTE, MONTH, WEEK, YEAR

MentionKind = Literal["absolute", "relative", "partial", "attribute"]
Precision = Literal["second", "minute", "hour", "day", "month", "year"]
Order = Literal["ymd", "dmy", "mdy"]
ORDERS: Final[tuple[Order, ...]] = ("dmy", "mdy", "ymd")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a text says of a time, and no more: a field that it does not say is None.

    `numbers` are the three parts of an all-numeric date in the order shown, `orders` the readings that are possible;
    `style` their separator and the digits of the year ("/4", "-2", "-0" for none), since a site writes each style
    one way only; with one reading left, `year`, `month` and `day` are filled. `zone` is in minutes east of Greenwich.
    `ago` is in seconds before now, `days_back` in days before today, `unit` the grain of `ago`.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    microsecond: int = 0
    zone: int | None = None
    weekday: int | None = None
    numbers: tuple[int, ...] = ()
    orders: tuple[Order, ...] = ()
    style: str = ""
    short_year: bool = False
    month_word: str = ""
    ago: float | None = None
    unit: int = 0
    days_back: int | None = None

    @property
    def kind(self) -> MentionKind:
        if self.ago is not None or self.days_back is not None or not (self.month or self.numbers):
            return "relative"
        return "absolute" if self._has_year and self._has_day else "partial"

    @property
    def _has_year(self) -> bool:
        return self.year is not None or len(self.numbers) == 3

    @property
    def _has_day(self) -> bool:
        return self.day is not None or len(self.numbers) >= 2

    @property
    def says_day(self) -> bool:
        """Whether it is more than a time of the day."""
        return self.ago is not None or self.days_back is not None or self.weekday is not None or self._has_day

    @property
    def precision(self) -> Precision:
        if self.ago is not None:
            return _GRAINS[self.unit]
        if self.second is not None:
            return "second"
        if self.minute is not None:
            return "minute"
        if self.hour is not None:
            return "hour"
        if self.days_back is not None or self.weekday is not None or self._has_day:
            return "day"
        return "month" if self.month else "year"


_GRAINS: Final[dict[int, Precision]] = {
    0: "minute", 1: "second", MINUTE: "minute", HOUR: "hour", DAY: "day", WEEK: "day", MONTH: "month", YEAR: "year"
}  # fmt: skip


_RANK: Final[dict[Precision, int]] = {"second": 5, "minute": 4, "hour": 3, "day": 2, "month": 1, "year": 0}


def finer(one: Parts, other: Parts) -> bool:
    """Whether one says the moment more exactly than the other."""
    return fineness(one) > fineness(other)


def fineness(parts: Parts) -> tuple[bool, int, bool]:
    """How exactly a moment is said: a full date before any other, then the smaller unit, then the zone."""
    return parts.kind == "absolute", _RANK[parts.precision], parts.zone is not None


def fields_in(order: Order, numbers: tuple[int, ...]) -> tuple[int | None, int, int] | None:
    """Year, month and day of a numeric date under one order, or None if no such day exists."""
    year: int | None
    if len(numbers) == 2:
        first, second = numbers
        year, month, day = (None, second, first) if order == "dmy" else (None, first, second)
    elif order == "ymd":
        year, month, day = century(numbers[0]), numbers[1], numbers[2]
    else:
        year = century(numbers[2])
        month, day = (numbers[1], numbers[0]) if order == "dmy" else (numbers[0], numbers[1])
    return (year, month, day) if is_date(year, month, day) else None


def century(year: int) -> int:
    return year if year >= 100 else year + (2000 if year < 70 else 1900)


def from_persian(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """The Gregorian day of a day of the Iranian calendar, whose year has six months of 31 days, then of 30; leap
    years by the 33-year rule, exact from 1178 to 1633."""
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return None
    cycle = year + 1595  # so that the rule's cycles begin at 0
    leaps = 8 * (cycle // 33) + (cycle % 33 + 3) // 4
    months = 31 * (month - 1) if month < 7 else 186 + 30 * (month - 7)
    date = datetime.fromordinal(365 * cycle + leaps + months + day + _PERSIAN_EPOCH)
    return date.year, date.month, date.day


_LAST_CLOCK: Final = (23, 59, 59, 999_999)
_PERSIAN_EPOCH: Final = -356033  # from the rule's days to ordinals: 1400-01-01 was 2021-03-21
_DAYS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(year: int | None, month: int, day: int) -> bool:
    if not (1 <= month <= 12 and 1 <= day <= _DAYS[month]):
        return False
    return year is None or not (month == 2 and day == 29) or (year % 4 == 0 and year != 2100)


def moment(parts: Parts, now: datetime | None, order: Order | None = None, zone: int | None = None) -> datetime | None:
    """The moment that the parts name, aware; None if it stays open.

    `order` settles numeric dates, `now` (when the page was fetched) relative ones and missing years, `zone` (minutes
    east) the clock where the text shows none; without any it is taken as UTC.
    """
    offset = parts.zone if parts.zone is not None else zone or 0
    here = timezone(timedelta(minutes=offset))
    if parts.kind == "relative":
        return _relative(parts, now.astimezone(here)) if now else None
    fields = fields_of(parts, order)
    if fields is None:
        return None
    year, month, day = fields
    clock = (parts.hour or 0, parts.minute or 0, parts.second or 0, parts.microsecond)
    if clock > _LAST_CLOCK:  # "24:30", which nobody means
        return None
    if year is not None:
        return datetime(year, month, day, *clock, tzinfo=here)
    return _in_last_year(month, day, clock, now.astimezone(here)) if now else None


def fields_of(parts: Parts, order: Order | None) -> tuple[int | None, int, int] | None:
    """Year, month and day (1 where only a month is shown), None while the order is open."""
    if parts.month is not None:
        return parts.year, parts.month, parts.day or 1
    if order is None or order not in parts.orders:
        order = parts.orders[0] if len(parts.orders) == 1 else None
    return fields_in(order, parts.numbers) if order else None


def _relative(parts: Parts, now: datetime) -> datetime | None:
    if parts.ago is not None:
        return _back(now, parts.ago)
    if parts.days_back is not None:
        days = parts.days_back
    elif parts.weekday is not None:
        days = (now.weekday() - parts.weekday) % 7
    else:
        return None
    day = _back(now, days * DAY)
    if day is None:
        return None
    shown = day.replace(hour=parts.hour or 0, minute=parts.minute or 0, second=parts.second or 0, microsecond=0)
    if parts.days_back is None and shown > now:
        return _back(shown, WEEK)
    return shown


def _back(now: datetime, seconds: float) -> datetime | None:
    return now - timedelta(seconds=seconds) if seconds < 100 * YEAR else None


def _in_last_year(month: int, day: int, clock: tuple[int, int, int, int], now: datetime) -> datetime | None:
    """A date without a year is the last one that has passed; a day's grace covers clocks of other zones."""
    for year in range(now.year + 1, now.year - 8, -1):
        if is_date(year, month, day):
            value = datetime(year, month, day, *clock, tzinfo=now.tzinfo)
            if value <= now + timedelta(days=1):
                return value
    return None
