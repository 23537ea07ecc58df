"""Names that mean nothing: classes, parts of addresses and site names, drawn from syllables by a seed."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

_ONSETS: Final = ("b", "br", "d", "dr", "f", "g", "gl", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v")
_NUCLEI: Final = ("a", "e", "i", "o", "u", "ai", "ou", "ea")
_CODAS: Final = ("", "", "n", "r", "l", "s", "nd", "rk", "m")
# --- the files that old software ends its addresses with
EXTENSIONS: Final = (".php", ".cgi", ".asp", ".pl", ".aspx", "")


class Names:
    """One made-up word for each role, never the same word twice."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._given: dict[str, str] = {}
        self._used: set[str] = set()

    def word(self, role: str) -> str:
        """A word for that role; asked for again, the same."""
        if role not in self._given:
            # The word depends on the role alone, so that the order of asking cannot change it.
            random = Random(f"{self._seed}/name/{role}")
            word = _word(random)
            while word in self._used:
                word = _word(random)
            self._used.add(word)
            self._given[role] = word
        return self._given[role]

    def short(self, role: str) -> str:
        """A word as old software names a parameter: one to three letters, different from every other."""
        key = f"short/{role}"
        if key not in self._given:
            random = Random(f"{self._seed}/{key}")
            whole = _word(random) + _word(random)
            length = random.randint(1, 3)
            while whole[:length] in self._used:
                length += 1
            self._used.add(whole[:length])
            self._given[key] = whole[:length]
        return self._given[key]


def _word(random: Random) -> str:
    syllables = (random.choice(_ONSETS) + random.choice(_NUCLEI) + random.choice(_CODAS) for _ in range(2))
    return "".join(syllables)


# --- a page asks for the same few dozen names hundreds of times
@lru_cache(maxsize=4096)
def style_name(seed: int, role: str) -> str:
    """A class name for a role; now and then two words, as real ones are."""
    random = Random(f"{seed}/style/{role}")
    first = _word(random)
    return f"{first}-{_word(random)}" if random.random() < 0.4 else first


@lru_cache(maxsize=4096)
def style_attribute(seed: int, role: str) -> str:
    """How pages from before style sheets say what is what: with a colour or a margin, and often not at all."""
    random = Random(f"{seed}/look/{role}")
    looks = (
        f' style="color:#{random.randrange(0x777777):06x}"',
        f' style="margin:{random.randint(1, 9)}px"',
        f' bgcolor="#{random.randrange(0xCCCCCC, 0xFFFFFF):06x}"',
        "",
    )
    # A quote that looks like any other words is no quote to anybody.
    return f' style="margin-left:{random.randint(20, 40)}px"' if role == "quote" else random.choice(looks)
