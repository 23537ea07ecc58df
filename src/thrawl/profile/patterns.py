"""URL patterns: a structure whose slots are literals, numbers, words or a few known values.

A pattern is written so that a person can read and edit it:

    http://forum.example/topic.php?t={a:number}&start={page:number}
    http://forum.example/{a:golf|lenses}/{b:number}-{c:word}
    http://forum.example/{a:but users|tags}/{b:number}

Each `{name:kind}` is a hole: a number, a word, a name (a word that begins with no digit), one of a few words, or any
word but a few. The regex made from it is linear by construction: literals, `\\d+`,
`[^/?&=#]+` and alternations of literals, anchored at both ends, no repeat inside a repeat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from thrawl.errors import InputError

NUMBER: Final = "number"
WORD: Final = "word"
NAME: Final = "name"
PAGE: Final = "page"
BUT: Final = "but "  # before the values that a word must not have

_HOLE: Final = re.compile(r"\{([a-z]+):([^{}]+)\}")
_EXPRESSION: Final = {NUMBER: r"\d+", WORD: r"[^/?&=#]+", NAME: r"[^\d/?&=#][^/?&=#]*"}


@dataclass(frozen=True, slots=True)
class Hole:
    """A place of a pattern that varies: its name, and what may stand there (number, word, `one|two`, `but one|two`)."""

    name: str
    kind: str

    @property
    def expression(self) -> str:
        known = _EXPRESSION.get(self.kind)
        if known is not None:
            return known
        values = "|".join(re.escape(value) for value in self.kind.removeprefix(BUT).split("|"))
        return f"(?!(?:{values})(?:[/?&=#]|$)){_EXPRESSION[WORD]}" if self.kind.startswith(BUT) else values

    @property
    def words(self) -> Sequence[str]:
        """The few words that may stand here; none where any of a kind may."""
        return self.kind.split("|") if "|" in self.kind and not self.kind.startswith(BUT) else ()


Piece = str | Hole


@dataclass(frozen=True)
class Pattern:
    """An anchored URL pattern: literals and holes, in order."""

    pieces: tuple[Piece, ...]

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """The pattern that `str(pattern)` wrote. Raises InputError for text that is none."""
        pieces: list[Piece] = []
        at = 0
        for found in _HOLE.finditer(text):
            pieces.append(text[at : found.start()])
            pieces.append(Hole(found[1], found[2]))
            at = found.end()
        pieces.append(text[at:])
        if any(isinstance(piece, str) and ("{" in piece or "}" in piece) for piece in pieces):
            raise InputError(f"'{text}' is not a URL pattern; a hole is written {{name:number}} or {{name:word}}.")
        names = [piece.name for piece in pieces if isinstance(piece, Hole)]
        if len(names) != len(set(names)):
            raise InputError(f"the URL pattern '{text}' uses a name twice; each hole needs its own.")
        return cls(tuple(piece for piece in pieces if piece != ""))

    def __str__(self) -> str:
        return "".join(piece if isinstance(piece, str) else f"{{{piece.name}:{piece.kind}}}" for piece in self.pieces)

    @property
    def holes(self) -> tuple[Hole, ...]:
        return tuple(piece for piece in self.pieces if isinstance(piece, Hole))

    def held(self, name: str, words: Sequence[str]) -> Pattern:
        """The pattern with a hole held to some words; one word alone stands there as it is."""
        piece = words[0] if len(words) == 1 else Hole(name, "|".join(words))
        return Pattern(tuple(piece if isinstance(one, Hole) and one.name == name else one for one in self.pieces))

    @property
    def expression(self) -> str:
        """The regex without anchors and names, for use inside a larger one."""
        return "".join(_literal(piece) if isinstance(piece, str) else f"({piece.expression})" for piece in self.pieces)

    @property
    def regex(self) -> str:
        """The anchored regex that other tools can use."""
        return f"^{self.expression}$"

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def match(self, url: str) -> dict[str, str] | None:
        """What stands in the holes of a URL, or None where the pattern does not fit."""
        found = self._compiled.fullmatch(url)
        if found is None:
            return None
        return {hole.name: value for hole, value in zip(self.holes, found.groups(), strict=True)}

    def build(self, values: Mapping[str, str]) -> str:
        """The URL with these values in its holes."""
        return "".join(piece if isinstance(piece, str) else values[piece.name] for piece in self.pieces)

    def filled(self, values: Mapping[str, str]) -> str | None:
        """The URL with these values; None where one of them is lacking."""
        return self.build(values) if all(hole.name in values for hole in self.holes) else None


def _literal(text: str) -> str:
    """A literal for the regex; a site's pages link to http and https forms of the same address alike."""
    for scheme in ("http://", "https://"):
        if text.startswith(scheme):
            return "https?://" + re.escape(text[len(scheme) :])
    return re.escape(text)
