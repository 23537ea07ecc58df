"""What a profile's JSON may hold: every key with its kind, as the fields tell that it is read into.

People edit profiles, so mistakes get a name. Written by hand and not with pydantic: each worker process loads
profiles, and importing that would double its start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType
from typing import Any, Final, Literal, get_args, get_origin

from thrawl.errors import InputError
from thrawl.profile.written import hints_of

ValueKind = tuple[str, Callable[[object], bool]]
"""A kind of value: how people call it, and what it accepts."""

_WHAT_TO_DO: Final = "correct it, or learn the profile again"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_KINDS: Final[Mapping[Any, ValueKind]] = {
    int: ("a whole number", _is_whole),
    float: ("a number", lambda value: _is_whole(value) or isinstance(value, float)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    tuple: ("a list of texts", lambda value: isinstance(value, list) and all(map(_is_text, value))),
    Mapping: ("an object", lambda value: isinstance(value, dict)),
}


@lru_cache(maxsize=64)  # a worker that follows many forums loads many profiles
def _kind_of(hint: Any) -> ValueKind:
    args = get_args(hint)
    if NoneType in args:
        name, accepts = _kind_of(next(one for one in args if one is not NoneType))
        return f"{name} or null", lambda value: value is None or accepts(value)
    if get_origin(hint) is Literal:
        return f"one of {', '.join(args)}", args.__contains__
    return _KINDS.get(get_origin(hint) or hint, ("a text", _is_text))


def _rows_of(hint: Any) -> Any:
    """What the objects of a list are read into; None for any other kind of value."""
    inner = next(iter(get_args(hint)), None)
    return inner if is_dataclass(inner) and hasattr(inner, "to_json") and not hasattr(inner, "parse") else None


def check(data: Mapping[str, Any], source: str, kind: Any, place: str = "") -> None:
    """Raises InputError for a key that is not known or a value of the wrong kind, by its name and place."""
    hints = hints_of(kind)
    for key, value in data.items():
        where = f"{place}.{key}" if place else key
        if key not in hints:
            known = ", ".join(sorted(hints))
            raise InputError(f"{source} has an unknown key '{where}'; remove it, or correct it to one of {known}.")
        inner = _rows_of(hints[key])
        if inner is None:
            name, accepts = _kind_of(hints[key])
            if not accepts(value):
                raise InputError(f"'{where}' of {source} must be {name}; {_WHAT_TO_DO}.")
            continue
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise InputError(f"'{where}' of {source} must be a list of objects; {_WHAT_TO_DO}.")
        for number, one in enumerate(value):
            check(one, source, inner, f"{where}[{number}]")
