"""What a profile's JSON may hold: every key with its kind, in one place. People edit profiles, so mistakes get a name.

Written as a table and not with pydantic: each worker process loads profiles, and importing that would double its start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from thrawl.errors import InputError


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: how people call it, and what it accepts."""

    name: str
    accepts: Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of objects that have keys of their own."""

    keys: Mapping[str, Kind | Rows]


Keys = Mapping[str, Kind | Rows]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


TEXT: Final = Kind("a text", lambda value: isinstance(value, str))
TEXTS: Final = Kind(
    "a list of texts", lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value)
)
WHOLE: Final = Kind("a whole number", _is_whole)
NUMBER: Final = Kind("a number", lambda value: _is_whole(value) or isinstance(value, float))
FLAG: Final = Kind("true or false", lambda value: isinstance(value, bool))
OBJECT: Final = Kind("an object", lambda value: isinstance(value, dict))
TEXT_OR_NULL: Final = Kind("a text or null", lambda value: value is None or isinstance(value, str))
WHOLE_OR_NULL: Final = Kind("a whole number or null", lambda value: value is None or _is_whole(value))
OBJECT_OR_NULL: Final = Kind("an object or null", lambda value: value is None or isinstance(value, dict))

_WHAT_TO_DO: Final = "correct it, or learn the profile again"
_FLIP: Final[Keys] = {
    "pattern": TEXT,
    "first": WHOLE_OR_NULL,
    "step": WHOLE_OR_NULL,
    "opens_last": FLAG,
    "signs": TEXTS,
}
_LIST: Final[Keys] = {
    "pattern": TEXT,
    "key": TEXTS,
    "flips": Rows(_FLIP),
    "confidence": NUMBER,
    "examples": TEXTS,
    "counter_examples": TEXTS,
    "reserve": FLAG,
    "leads_to": TEXT_OR_NULL,
}
_DECISION: Final[Keys] = {
    "question": TEXT,
    "answer": TEXT,
    "probability": NUMBER,
    "evidence": OBJECT,
    "runner_up": TEXT_OR_NULL,
    "runner_up_probability": NUMBER,
}
PROFILE: Final[Keys] = {
    "version": WHOLE,
    "entry": TEXT,
    "confidence": NUMBER,
    "pages_fetched": WHOLE,
    "index": Rows(_LIST),
    "thread": Rows(_LIST),
    "session_parameters": TEXTS,
    "excluded": TEXTS,
    "seeds": TEXTS,
    "threaded": FLAG,
    "letters": FLAG,
    "feeds": TEXTS,
    "notes": TEXTS,
    "decisions": Rows(_DECISION),
    "post_wrapper": OBJECT_OR_NULL,
    "row_wrapper": OBJECT_OR_NULL,
    "page_wrapper": OBJECT_OR_NULL,
}


def check(data: Mapping[str, Any], source: str, keys: Keys = PROFILE, place: str = "") -> None:
    """Raises InputError for a key that is not known or a value of the wrong kind, by its name and place."""
    for key, value in data.items():
        kind = keys.get(key)
        where = f"{place}.{key}" if place else key
        if kind is None:
            known = ", ".join(sorted(keys))
            raise InputError(f"{source} has an unknown key '{where}'; remove it, or correct it to one of {known}.")
        if isinstance(kind, Kind):
            if not kind.accepts(value):
                raise InputError(f"'{where}' of {source} must be {kind.name}; {_WHAT_TO_DO}.")
            continue
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise InputError(f"'{where}' of {source} must be a list of objects; {_WHAT_TO_DO}.")
        for number, one in enumerate(value):
            check(one, source, kind.keys, f"{where}[{number}]")
