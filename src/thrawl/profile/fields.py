"""Fields of a record as a profile keeps them: where a name or a number stands, and how it is read there.

How the places are learned stands in `authors`, `identity` and `counts`; the time's field is with its learning in
`moments`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from thrawl.page.timescan import scan
from thrawl.page.tree import Tree
from thrawl.profile.nodes import text_at
from thrawl.profile.places import NOWHERE, Path, follow
from thrawl.profile.written import Written

if TYPE_CHECKING:  # what it names takes a worker's start longer than the worker itself
    from thrawl.page.timetext import Found

_DIGITS: Final = re.compile(r"\d+")
_NUMBER: Final = re.compile(r"(\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+|\d+)(?:[.,](\d))?\s?([kKmM])?(?![\w.:/-])")
# An address of mail in the signs that RFC 5322 puts around it, or those of comments in older letters; archives write
# the signs in it in words or leave them out of sight.
_ADDRESS: Final = r"[\w.+(){}-]+\s*(?:@|_at_|[\[({ ]+at[\])} ]+)\s*[\w.\[\](){}-]+"
MAILBOX: Final = re.compile(rf"\s*[<(]\s*{_ADDRESS}\s*[>)]")
ADDRESS: Final = re.compile(rf"{_ADDRESS}\.\w{{2,}}")  # with the end of a host: nobody's name has one
_LONGEST_SENDER: Final = 320  # characters, of a name and an address, which RFC 5321 holds to 254
_SIGN: Final = re.compile(r"[`*|>•·»–—-]\s+(?=\w)")  # apart from the name: lines of trees and lists begin with one
_MOST_CHARS: Final = 24  # of a count with its label; more is a sentence that holds a number
_SCALE: Final = {"k": 1000, "m": 1_000_000}


@dataclass(frozen=True, slots=True)
class AuthorField(Written):
    """Where the author's name stands, and the words of the template around it; `mixed` if a time stands among them."""

    path: Path
    prefix: str = ""
    suffix: str = ""
    mixed: bool = False

    @property
    def is_sender(self) -> bool:
        """Whether the sign follows that begins an address of mail, as in the head of a letter."""
        return self.suffix.lstrip().startswith("<")

    def strip(self, words: str) -> str:
        """The name alone; nothing where only the template's words stand."""
        if not self.mixed:
            return self._bare(words)
        times = sorted(scan(words), key=lambda one: one.start - one.end)
        # a name may read as a time, too (April, Marta7): the longest is the post's
        return self._bare(_without(words, times)) or self._bare(_without(words, times[:1]))

    def _bare(self, words: str) -> str:
        before, after = self.prefix.split(), self.suffix.split()
        if words.split(None, len(before) + len(after) + 1) in ([], before, after, [*before, *after]):
            return ""  # the template's words alone: this name stands elsewhere, in a link beside them
        if self.prefix and words.startswith(self.prefix):
            words = words[len(self.prefix) :]
        if self.suffix and words.endswith(self.suffix):
            words = words[: -len(self.suffix)]
        sign = _SIGN.match(words := words.strip())
        words = words[sign.end() :] if sign else words
        mail = max(words.rfind(" <"), words.rfind(" (")) if len(words) <= _LONGEST_SENDER else 0
        return words[:mail] if mail > 0 and MAILBOX.fullmatch(words, mail) else words


@dataclass(frozen=True, slots=True)
class NumberField(Written):
    """A number inside an attribute: the place of its node, the attribute, and which group of digits it is.

    `group` counts from the end: -1 is the last group of digits.
    """

    path: Path
    attribute: str
    group: int

    def read(self, value: str) -> str | None:
        groups = digits_in(value)
        return groups[self.group] if len(groups) >= -self.group else None


def _without(words: str, times: Sequence[Found]) -> str:
    for found in sorted(times, key=lambda one: -one.start):
        words = words[: found.start] + words[found.end :]
    return " ".join(words.split())


def digits_in(value: str) -> list[str]:
    """The groups of digits of a text."""
    return _DIGITS.findall(value)


@dataclass(frozen=True, slots=True)
class CountField(Written):
    """Where a number stands; `extra` is what it counts too much (1 where the first post counts as a reply)."""

    path: Path
    extra: int = 0

    def read(self, tree: Tree, parts: Sequence[int]) -> int | None:
        node = follow(tree, parts, self.path)
        value = number_in(text_at(tree, node)) if node != NOWHERE else None
        return None if value is None else max(0, value - self.extra)


def number_in(words: str) -> int | None:
    """The only number of a short text, None for anything else."""
    if len(words) > _MOST_CHARS:
        return None
    found = _NUMBER.findall(words)
    if len(found) != 1 or len(re.findall(r"\d+", words)) > 4:
        return None
    digits, tenth, scale = found[0]
    whole = int(re.sub(r"\D", "", digits))
    if not scale:
        return whole if not tenth else None
    return int((whole + int(tenth or 0) / 10) * _SCALE[scale.lower()])
