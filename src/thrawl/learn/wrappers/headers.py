"""Learn how the headers of quotations name those who are quoted: "Ann said:", "Quote from Ann", "on Monday Ann wrote".

Lines above quotations and at their beginning are told apart by the names of the site that stand in them: what follows a
name, or stands around several, is the program's.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from thrawl.profile.content import without_times

_SHORT_NAME: Final = 2  # characters; a name of no more stands in any line by chance
_SAID: Final = re.compile(r"\s[^\d:：]{2,24}[:：]?")
_BEFORE_NAME: Final = "@\"'“„«"
_FEW_HEADERS: Final = 3  # that go on alike; two may do so by chance
_LONGEST_FRAME: Final = 24  # characters before or after a name
_MOST_FRAMES: Final = 3  # around names: one for each way to quote, as by button, by mail, by hand
_GOOD_PART: Final = 0.3  # of the lines above quotations and at their beginning, two at each


def said_of_names(lines: Sequence[str], names: Names) -> tuple[str, ...]:
    """The words that follow a name in the headers of quotations, up to a colon or a number, and labels ("Quote:")."""
    after: Counter[str] = Counter()
    labels = Counter(line for line in lines if line.endswith((":", "：")) and not names.stand_in(line))
    often = max(_FEW_HEADERS, _GOOD_PART * len(lines))  # of what stands above each quotation and at its beginning
    for begun in (line.lstrip(_BEFORE_NAME) for line in lines):
        name = names.that_begins(begun)
        said = _SAID.match(begun[len(name) :]) if name is not None else None
        if said is not None:
            after[said[0].rstrip()] += 1
    begun_alike = _begun_alike(said for said in after if not said.endswith((":", "：")))
    whole = (said for said, count in after.most_common(3) if count >= 2 and any(map(str.isalpha, said)))
    named = (said for said in whole if not said.startswith(begun_alike))
    return (*named, *begun_alike, *(line for line, count in labels.items() if count >= often))


class Names:
    """The names of a site that are long enough to be known by, the longest first.

    A line is looked up by the lengths that names have: there may be thousands of names, and as many lines.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {name for name in names if len(name) > _SHORT_NAME}
        self._lengths = sorted(set(map(len, self._names)), reverse=True)

    def that_begins(self, line: str) -> str | None:
        return next((begun for size in self._lengths if (begun := line[:size]) in self._names), None)

    def stand_in(self, line: str) -> bool:
        return self.that_begins(line) is not None or self.that_stands_in(line) is not None

    def that_stands_in(self, line: str) -> str | None:
        """One that does not begin the line."""
        for size in self._lengths:
            for at in range(1, len(line) - size + 1):
                if (name := line[at : at + size]) in self._names and not line.startswith(name):
                    return name
        return None


def _begun_alike(said: Iterable[str]) -> tuple[str, ...]:
    """The two words or more with which headers go on that end in different ways: "said in" and a title."""
    begun: Counter[tuple[str, ...]] = Counter()
    for tokens in map(str.split, said):
        begun.update(tuple(tokens[:count]) for count in range(2, len(tokens)))
    most = max(begun.values(), default=0)
    longest = max((words for words, count in begun.items() if count == most), key=len, default=())
    return (" " + " ".join(longest),) if most >= _FEW_HEADERS else ()


def framed_names(lines: Sequence[str], names: Names) -> tuple[tuple[str, str], ...]:
    """The words around a name that does not begin its header, where they stand around other names too."""
    around: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in map(without_times, lines):
        name = names.that_stands_in(line)
        before, _, after = line.partition(name) if name is not None else ("", "", "")
        if name is not None and max(len(before), len(after)) <= _LONGEST_FRAME:
            around[before.strip(), after.strip()].add(name)
    common = sorted(around.items(), key=lambda frame: -len(frame[1]))
    return tuple(frame for frame, found in common[:_MOST_FRAMES] if len(found) > 1)
