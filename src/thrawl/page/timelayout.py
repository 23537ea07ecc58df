"""The layout of a full date: which token is which field, for the forms that `timesettle` learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thrawl.page.timegrammar import SHAPE
from thrawl.page.timeparts import Parts
from thrawl.page.timeshape import MAX_CHARS, MONTH_PREFIX, ROLES, TOKEN, code_of
from thrawl.page.timetext import read_match


@dataclass(frozen=True, slots=True)
class DateLayout:
    """A full date token by token, each with its field: `number` for the parts of a numeric date, `literal`, …"""

    parts: Parts
    tokens: tuple[tuple[str, str], ...]


def layout(text: str) -> DateLayout | None:
    """The layout of a text that is exactly one full date in the usual order; None for any other."""
    tokens = TOKEN.findall(text[:MAX_CHARS])
    shape = "".join(map(code_of, tokens))
    match = SHAPE.search(shape)
    if match is None or match.span() != (0, len(shape)) or match["date"] is None or match["zone"] is not None:
        return None
    date, clock = match.span("date"), match.span("clock")
    clock = clock if clock[0] >= 0 else match.span("dotted")
    parts = read_match(tokens, shape, match)
    if parts is None or parts.kind != "absolute" or ":" in shape[date[0] : date[1]]:
        return None
    roles = _date_roles(tokens, shape, date, parts) | _clock_roles(tokens, shape, clock)
    marks = _other_roles(shape, date)
    return DateLayout(parts, tuple((token, roles.get(i) or marks[i]) for i, token in enumerate(tokens)))


def _date_roles(tokens: list[str], shape: str, span: tuple[int, int], parts: Parts) -> dict[int, str]:
    places = [i for i in range(*span) if tokens[i][0].isdecimal()]
    if parts.numbers:
        return dict.fromkeys(places, "number")
    names = [i for i in range(*span) if shape[i] in ROLES["month"]] if parts.month_word else []
    if not names:
        fields = ("day", "month", "year") if not MONTH_PREFIX.isdisjoint(shape) else ("year", "month", "day")
        return dict(zip(places, fields, strict=False))
    roles = {names[-1]: "month_name"}
    rest = ["year" if len(tokens[i]) == 4 else "day" for i in places]
    if rest == ["day", "day"]:
        rest = ["day", "year"]
    return roles | dict(zip(places, rest, strict=True))


def _clock_roles(tokens: list[str], shape: str, span: tuple[int, int]) -> dict[int, str]:
    if span[0] < 0:
        return {}
    places = [i for i in range(*span) if tokens[i][0].isdecimal()]
    roles = dict(zip(places, ("hour", "minute", "second"), strict=False))
    return roles | {i: "half" for i in range(*span) if shape[i] in ROLES["half"]}


def _other_roles(shape: str, date: tuple[int, int]) -> list[str]:
    inside = range(*date)
    return [
        "space" if code in " |" else "weekday" if code in _WEEKDAY_CODES and i not in inside else "literal"
        for i, code in enumerate(shape)
    ]


_WEEKDAY_CODES: Final = ROLES["weekday"] + ROLES["weekday_letter"]
