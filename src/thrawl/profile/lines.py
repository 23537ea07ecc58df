"""The first and last lines of a post that are the template's, known by their form: their words without what differs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from thrawl.page.timewords import look_up
from thrawl.page.tree import Tree
from thrawl.profile.looks import Boxes

_TOKEN: Final = re.compile(r"\d\w*|[^\W\d]+")
_LONGEST: Final = 1_000  # characters by which lines are known as the same; those of templates are shorter
_LINK: Final = "*"  # after the words before a link
_MOST_LINKS: Final = 200  # of a post that are looked for in its first line, which they begin with


def form_of(words: str, names: frozenset[str]) -> str:
    """A line without what differs between two of a kind: numbers, names, words of dates."""
    tokens, named = _TOKEN.findall(words[:_LONGEST].casefold()), _words_of(names)
    return " ".join(word for word in tokens if word not in named and not word[0].isdigit() and look_up(word) is None)


@lru_cache(maxsize=64)
def _words_of(names: frozenset[str]) -> frozenset[str]:
    """The words of which names are made: people may have two."""
    return frozenset(word for name in names for word in _TOKEN.findall(name.casefold()))


def below_heads(text: str, tree: Tree, spans: Sequence[tuple[int, int]], boxes: Boxes) -> str:
    """The words below the line with which all posts begin, which may stand below the title, and below what they
    answer."""
    first, _, rest = text.partition("\n")
    if first.casefold() == tree.title.casefold():
        first, _, rest = rest.partition("\n")
    if form_of(first, frozenset()) in boxes.heads:
        text = rest
        first, _, rest = text.partition("\n")
    named = tree.named("a")
    inside = (islice(named, bisect_left(named, start), bisect_left(named, end)) for start, end in spans)
    links = (tree.text(node) for node in islice(chain.from_iterable(inside), _MOST_LINKS))
    return rest if rest and before_link(first, links) in boxes.heads else text


def above_tails(lines: Sequence[str], boxes: Boxes) -> str:
    """The lines above those with which posts end; what comes up above their words, too, is met last below them."""
    last = {form: at for at, line in enumerate(lines) if (form := form_of(line, frozenset())) in boxes.tails}
    return "\n".join(lines[: min(last.values(), default=len(lines))])


def before_link(line: str, links: Iterable[str]) -> str:
    """The words of a line before its first link, marked as such; nothing where there are none."""
    before = min((line.partition(link)[0] for link in links if link and link in line), key=len, default="")
    form = form_of(before, frozenset())
    return f"{form} {_LINK}" if form else ""
