"""How a profile keeps what was learned: values as objects with the names of their fields, sets in order.

Places, looks and patterns, which have a `parse`, are written in words that a person can read and edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from types import NoneType
from typing import Any, ClassVar, Final, Self, get_args, get_origin, get_type_hints

_DIGITS: Final = 3  # of a share that are kept

Read = Callable[[Any], Any]


class Written:
    """A dataclass that profiles keep. `WRITTEN` are the fields that are called otherwise there."""

    __slots__ = ()
    WRITTEN: ClassVar[Mapping[str, str]] = {}

    def to_json(self) -> dict[str, Any]:
        return written(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Raises ValueError, KeyError, TypeError or AttributeError for what is none; a key with a default may lack."""
        return cls(**values_of(cls, data))


def written(value: object) -> dict[str, Any]:
    """What stands in a profile for a dataclass."""
    kind: Any = type(value)
    return {key: _write(getattr(value, name)) for name, key, _, _ in _fields_of(kind)}


def values_of(kind: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a dataclass by what stands in a profile for it."""
    return {name: read(data[key]) for name, key, read, must in _fields_of(kind) if must or key in data}


@lru_cache(maxsize=64)
def hints_of(kind: Any) -> dict[str, Any]:
    """The types of the fields of a kind of value, by their keys."""
    hints, keys = get_type_hints(kind), getattr(kind, "WRITTEN", {})
    return {keys.get(one.name, one.name): hints[one.name] for one in fields(kind) if one.init}


@lru_cache(maxsize=64)
def _fields_of(kind: Any) -> tuple[tuple[str, str, Read, bool], ...]:
    """The fields of a kind of value: their names, their keys, how they are read, and whether they have to be there."""
    shown = zip((one for one in fields(kind) if one.init), hints_of(kind).items(), strict=True)
    return tuple(
        (one.name, key, _reader(hint), one.default is MISSING and one.default_factory is MISSING)
        for one, (key, hint) in shown
    )


def _reader(hint: Any) -> Read:
    """What reads a value of some type."""
    args, origin = get_args(hint), get_origin(hint)
    if NoneType in args:
        inner = _reader(next(one for one in args if one is not NoneType))
        return lambda data: None if data is None else inner(data)
    if origin in (tuple, frozenset):
        return _reader_of_many(origin, _reader(args[0]), len(args) if origin is tuple and ... not in args else None)
    if origin is not None:
        return _as_it_is
    found: Read = getattr(hint, "parse", None) or getattr(hint, "from_json", None) or hint
    return found


def _reader_of_many(kind: Callable[[Iterable[Any]], Any], inner: Read, number: int | None) -> Read:
    def read(data: Any) -> Any:
        if number is not None and len(data) != number:
            raise ValueError(f"{number} values are wanted, not {data!r}")
        return kind(map(inner, data))

    return read


def _as_it_is(data: Any) -> Any:
    return data


def _write(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_write, value))
    if isinstance(value, frozenset):
        return sorted(map(_write, value))
    if isinstance(value, float):
        return round(value, _DIGITS)
    if hasattr(value, "to_json"):
        return value.to_json()
    return str(value) if hasattr(value, "parse") else value
