"""What the elements inside a site's bodies look like, and what these looks mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thrawl.page.tree import Tree
from thrawl.profile.places import class_set
from thrawl.profile.written import Written

_SPACE: Final = re.compile(r"\s+")
_STYLE: Final = "style="  # before a style, so that no class is taken for it


@dataclass(frozen=True, slots=True)
class Look:
    """What an element looks like: its tag and its classes, digits folded; without a class, its style.

    Old programs give the box around a quotation a style of its own; buttons and dates are boxes beside it.
    """

    tag: str
    classes: frozenset[str]

    def __str__(self) -> str:
        return " ".join((self.tag, *(f".{name}" for name in sorted(self.classes))))

    @classmethod
    def parse(cls, text: str) -> Look:
        tag, *classes = text.split(" ")
        return cls(tag, frozenset(name[1:] for name in classes))


@lru_cache(maxsize=8192)
def _look(tag: str, classes: str, style: str) -> Look:
    return Look(tag, class_set(classes) or (frozenset({_STYLE + _SPACE.sub("", style)}) if style else frozenset()))


def look_of(tree: Tree, node: int) -> Look:
    attributes = tree.attributes[node]
    return _look(tree.tags[node], attributes.get("class", ""), attributes.get("style", "") if attributes else "")


@dataclass(frozen=True, slots=True)
class Boxes(Written):
    """What the looks inside this site's bodies mean.

    `quotes` hold words of others, `dropped` are signatures, buttons and headings of the template, `notes` tell of an
    edit. `said` are the words after a name in a quotation's header, such as "wrote:", or the whole of one that names
    nobody; `framed` the words before and after a name that does not begin its header, times left out, such as "Quote
    from:" and "on". `rules` are lines after which only a signature follows, `endings` the forms of last lines that tell
    of an edit. `lined`: lines of others begin with a sign, as in letters. `heads` and `tails` are the forms of first
    and last lines that nearly all posts have, and the words before a link with which many begin: what they answer.
    """

    quotes: frozenset[Look] = frozenset()
    dropped: frozenset[Look] = frozenset()
    notes: frozenset[Look] = frozenset()
    said: tuple[str, ...] = ()
    rules: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    framed: tuple[tuple[str, str], ...] = ()
    lined: bool = False
    tails: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
