"""Lines with which nearly all posts of a site begin or end: they are the template's, wherever they stand in the markup.

Pages that print everything as one text have no element for the links below a post, and others none with a look of its
own for those above it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import Final

from thrawl.page.tree import TEXT, Tree
from thrawl.profile.content import form_of, last_text, words
from thrawl.profile.looks import Look, look_of

_LEAST: Final = 8  # posts; fewer may all end with the same greeting
_NEARLY_ALL: Final = 0.75  # of them: some are cut with what follows the last post of their page
_WORDS: Final = 2  # of a form that is no greeting

Body = tuple[Tree, int, int]


def common_heads(bodies: Sequence[Body], looks: Set[Look]) -> frozenset[str]:
    """The form of the first lines, numbers left out, if all bodies begin with it; boxes of some looks are no words of
    theirs. One word is enough: the words of a post stand behind it."""
    return _usual([_edge(*body, looks, at=0) for body in bodies], share=1.0, least_words=1)


def common_tails(bodies: Sequence[Body], looks: Set[Look]) -> frozenset[str]:
    """The form of the last lines, numbers left out, if nearly all of some bodies end with it."""
    return _usual([_edge(*body, looks, at=-1) for body in bodies], share=_NEARLY_ALL, least_words=_WORDS)


def _usual(lines: Sequence[str], *, share: float, least_words: int) -> frozenset[str]:
    form, count = Counter(form_of(line, frozenset()) for line in lines).most_common(1)[0] if lines else ("", 0)
    usual = count >= max(_LEAST, share * len(lines)) and len(form.split()) >= least_words
    return frozenset({form}) if usual else frozenset()


def _edge(tree: Tree, start: int, end: int, looks: Set[Look], *, at: int) -> str:
    """The first or the last of several lines of a body, if its outer words lead somewhere, as those around a post do;
    code that many posts show does not."""
    said = _first_text(tree, start, end, looks) if at == 0 else last_text(tree, start, end)
    if said < 0 or not any(tree.tags[up] == "a" for up in tree.ancestors(said) if up >= start):
        return ""
    elements = (node for node in range(start, end) if tree.tags[node] != TEXT)
    left_out = [(node, tree.ends[node]) for node in elements if look_of(tree, node) in looks]
    lines = words(tree, [(start, end)], left_out).split("\n")
    return lines[at] if len(lines) > 1 else ""


def _first_text(tree: Tree, start: int, end: int, looks: Set[Look]) -> int:
    node = start
    while node < end:
        if tree.tags[node] != TEXT:
            node = tree.ends[node] if look_of(tree, node) in looks else node + 1
        elif tree.texts[node].isspace():
            node += 1
        else:
            return node
    return -1
