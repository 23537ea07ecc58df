"""Lines with which nearly all posts of a site end: they are the template's, wherever they stand in the markup.

Pages that print everything as one text have no element for the links below a post.
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


def common_tails(bodies: Sequence[tuple[Tree, int, int]], looks: Set[Look]) -> frozenset[str]:
    """The form of the last lines, numbers left out, if nearly all of some bodies end with it; boxes of some looks are
    no words of theirs."""
    lines = [_last_line(*body, looks) for body in bodies]
    form, count = Counter(form_of(line, ()) for line in lines).most_common(1)[0] if lines else ("", 0)
    usual = count >= max(_LEAST, _NEARLY_ALL * len(lines)) and len(form.split()) >= _WORDS
    return frozenset({form}) if usual else frozenset()


def _last_line(tree: Tree, start: int, end: int, looks: Set[Look]) -> str:
    """The last of several lines of a body, if its last words lead somewhere, as those below a post do; code that many
    posts show does not."""
    last = last_text(tree, start, end)
    if last < 0 or not any(tree.tags[up] == "a" for up in tree.ancestors(last) if up >= start):
        return ""
    elements = (node for node in range(start, end) if tree.tags[node] != TEXT)
    left_out = [(node, tree.ends[node]) for node in elements if look_of(tree, node) in looks]
    _, several, line = words(tree, [(start, end)], left_out).rpartition("\n")
    return line if several else ""
