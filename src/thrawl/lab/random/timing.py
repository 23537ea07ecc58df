"""How a random forum shows times: the written form, where it stands, and how exact it can be."""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import Final

from thrawl.lab.random.choices import Choices
from thrawl.lab.skins.language import Language, ago, clock12, near_or

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MINUTE: Final = 60
_DAY: Final = 86_400


def written(form: str, language: Language, time: datetime, now: datetime) -> str:
    """A time in words and figures."""
    match form:
        case "iso":
            return f"{time:%Y-%m-%d %H:%M}"
        case "seconds":
            return f"{time:%Y-%m-%d %H:%M:%S}"
        case "slashes":
            return f"{_slashed(language, time)} {time:%H:%M}"
        case "dots":
            return f"{time:%d.%m.%Y %H:%M}"
        case "clock12":
            return f"{time:%m-%d-%Y}, {clock12(time)}"
        case "weekday":
            day, month = _DAYS[time.weekday()], _MONTHS[time.month - 1]
            return f"{day}, {time.day} {month} {time:%Y %H:%M:%S} +0000"
        case "near":
            return near_or(language, time, now, f"{_long(language, time)}, {time:%H:%M}")
        case "day-only":
            return _long(language, time)
        case "short-month":
            return f"{_short(language, time)} {time:%H:%M}"
    return f"{_long(language, time)} {time:%H:%M}"


def shown(choices: Choices, language: Language, time: datetime, now: datetime, css: str) -> str:
    """A post's time as its page has it."""
    text = written(choices.time_format, language, time, now)
    match choices.time:
        case "none":
            return ""
        case "relative":
            return f"<span{css}>{ago(language, time, now)}</span>"
        case "relative-title":
            return f'<abbr{css} title="{escape(text)}">{ago(language, time, now)}</abbr>'
        case "attribute":
            return f'<time{css} datetime="{time.isoformat()}">{ago(language, time, now)}</time>'
        case "tooltip":
            return f'<span{css} title="{escape(text)}">&#128337;</span>'
        case "data":
            return f'<span{css} data-at="{int(time.timestamp())}"></span>'
        case "script":
            return f"<span{css}><script>showTime({int(time.timestamp())})</script></span>"
    return f"<span{css}>{escape(text)}</span>"


def tolerance(choices: Choices) -> int | None:
    """Seconds by which the best reader of the page may be wrong; None where it shows none, or how long ago."""
    if choices.time in ("none", "relative"):
        return None
    if choices.time in ("attribute", "data", "script"):
        return _MINUTE
    return _DAY if choices.time_format == "day-only" else _MINUTE


def _slashed(language: Language, time: datetime) -> str:
    if language.code == "ja":
        return f"{time:%Y/%m/%d}"
    return f"{time:%m/%d/%Y}" if language.code == "en" else f"{time:%d/%m/%Y}"


def _long(language: Language, time: datetime) -> str:
    month = language.months[time.month - 1]
    match language.code:
        case "en":
            return f"{month} {time.day}, {time.year}"
        case "de":
            return f"{time.day}. {month} {time.year}"
        case "es":
            return f"{time.day} de {month} de {time.year}"
        case "ja":
            return f"{time.year}年{month}{time.day}日"
    return f"{time.day} {month} {time.year}"


def _short(language: Language, time: datetime) -> str:
    if language.code == "en":
        return f"{_MONTHS[time.month - 1]}. {time:%d}, {time.year}"
    return _long(language, time)
