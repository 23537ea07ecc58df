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
    theirs. A post has its words behind it, so one word is enough."""
    lines = [_edge_line(body, looks, first=True) for body in bodies]
    return _usual(lines, share=1.0, least_words=1)


def common_tails(bodies: Sequence[Body], looks: Set[Look]) -> frozenset[str]:
    """The form of the last lines, numbers left out, if nearly all of some bodies end with it."""
    lines = [_edge_line(body, looks, first=False) for body in bodies]
    return _usual(lines, share=_NEARLY_ALL, least_words=_WORDS)


def _usual(lines: Sequence[str], *, share: float, least_words: int) -> frozenset[str]:
    form, count = Counter(form_of(line, ()) for line in lines).most_common(1)[0] if lines else ("", 0)
    usual = count >= max(_LEAST, share * len(lines)) and len(form.split()) >= least_words
    return frozenset({form}) if usual else frozenset()


def _edge_line(body: Body, looks: Set[Look], *, first: bool) -> str:
    """The first or the last of several lines of a body, if its last words lead somewhere, as those around a post do;
    code that many posts show does not."""
    tree, start, end = body
    elements = (node for node in range(start, end) if tree.tags[node] != TEXT)
    left_out = [(node, tree.ends[node]) for node in elements if look_of(tree, node) in looks]
    before, several, after = _parted(words(tree, [(start, end)], left_out), first=first)
    if not several:
        return ""
    said = _first_text(tree, start, end, left_out) if first else last_text(tree, start, end)
    leads = said >= 0 and any(tree.tags[up] == "a" for up in tree.ancestors(said) if up >= start)
    return (before if first else after) if leads else ""


def _parted(text: str, *, first: bool) -> tuple[str, str, str]:
    return text.partition("\n") if first else text.rpartition("\n")


def _first_text(tree: Tree, start: int, end: int, left_out: Sequence[tuple[int, int]]) -> int:
    texts = (node for node in range(start, end) if tree.tags[node] == TEXT and not tree.texts[node].isspace())
    return next((node for node in texts if not any(begin <= node < close for begin, close in left_out)), -1)
