"""Lines with which nearly all posts of a site begin or end: they are the template's, wherever they stand in the markup.

Pages that print everything as one text have no element for the links below a post, and others none with a look of its
own for those above it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from thrawl.page.tree import TEXT, Tree
from thrawl.profile.content import words
from thrawl.profile.lines import before_link, form_of
from thrawl.profile.looks import Look, look_of

_LEAST: Final = 8  # posts; fewer may all end with the same greeting
_NEARLY_ALL: Final = 0.75  # of them: some are cut with what follows the last post of their page
_FEW: Final = 3  # posts that begin with what they answer: a sample may hold mostly first ones
_TOP: Final = 3  # lines above a post's words: who wrote it, when, and what it answers
_WORDS: Final = 2  # of a form that is no greeting
_NAME: Final = 2  # words of somebody's name, beside a link to what he wrote

Body = tuple[Tree, int, int]


def common_heads(bodies: Sequence[Body], looks: Set[Look]) -> frozenset[str]:
    """The form of the first lines, numbers left out, if all bodies begin with it; boxes of some looks are no words of
    theirs. One word is enough: the words of a post stand behind it. Below it, the words before a link with which many
    go on: what they answer.
    """
    shown = [_below_title(body[0], lines) for body, lines in zip(bodies, _lines(bodies, looks), strict=True)]
    usual = _usual([lines[:-1][:1] for lines in shown], share=1.0, least_words=1)
    tops = [lines[len(usual) : len(usual) + _TOP] for lines in shown]
    answers = [begun for lines in tops for line in lines if (begun := before_link(line.text, line.links))]
    begun, count = Counter(answers).most_common(1)[0] if answers else ("", 0)
    return usual | {begun} if count >= max(_FEW, _NEARLY_ALL * len(answers)) else usual


def common_tails(bodies: Sequence[Body], looks: Set[Look]) -> frozenset[str]:
    """The forms of lines, numbers left out, with which nearly all of some bodies end, or below which stands nothing but
    links and names of people: an answer's page lists the answers to it."""
    ends: list[list[_Line]] = []
    for _, *lines in _lines(bodies, looks):
        said = next((at for at, line in enumerate(reversed(lines)) if line.says_something), len(lines))
        ends.append(lines[len(lines) - said - 1 :])
    usual = _usual(ends, share=_NEARLY_ALL, least_words=_WORDS)
    forms = ([form_of(line.text, frozenset()) for line in lines] for lines in ends)
    first = Counter(next((form for form in shown if form in usual), "") for shown in forms)
    return frozenset(form for form, count in first.items() if form and count >= _LEAST)


def _below_title(tree: Tree, lines: list[_Line]) -> list[_Line]:
    """The lines without a first one that is what the window is called: a title is left out of posts elsewhere."""
    return lines[1:] if lines and lines[0].text.casefold() == tree.title.casefold() else lines


@dataclass(frozen=True)
class _Line:
    """A line of a body, and what all links of the body say: few of its lines are ever asked for theirs."""

    text: str
    said: Sequence[str]

    @cached_property
    def links(self) -> tuple[str, ...]:
        """What the links in it say."""
        return tuple(link for link in self.said if link in self.text)

    @property
    def says_something(self) -> bool:
        """Whether it says more than its links, and who wrote what they lead to."""
        left = self.text
        for link in self.links:
            left = left.replace(link, " ")
        return len(form_of(left, frozenset()).split()) > (_NAME if self.links else 0)


def _usual(lines: Sequence[Sequence[_Line]], *, share: float, least_words: int) -> frozenset[str]:
    """The forms of lines that lead somewhere, as those around a post do, and that come up in so many bodies; code that
    many posts show does not."""
    told = [{form_of(one.text, frozenset()) for one in shown if one.links} for shown in lines]
    counts = Counter(form for forms in told for form in forms if len(form.split()) >= least_words)
    return frozenset(form for form, count in counts.items() if count >= max(_LEAST, share * len(lines)))


def _lines(bodies: Sequence[Body], looks: Set[Look]) -> Iterator[list[_Line]]:
    """The lines of each body. What stands in a page is looked up once: bodies may stand in one another."""
    pages: dict[int, _Page] = {}
    for tree, start, end in bodies:
        page = pages.get(id(tree)) or pages.setdefault(id(tree), _Page.of(tree, looks))
        left_out = [(node, tree.ends[node]) for node in page.dropped[_among(page.dropped, start, end)]]
        said = [*dict.fromkeys(filter(None, page.said[_among(page.links, start, end)]))]
        yield [_Line(line, said) for line in words(tree, [(start, end)], left_out).split("\n")]


@dataclass(frozen=True, slots=True)
class _Page:
    """The elements of a page that are no words of a post, its links, and what these say."""

    dropped: Sequence[int]
    links: Sequence[int]
    said: Sequence[str]

    @classmethod
    def of(cls, tree: Tree, looks: Set[Look]) -> _Page:
        elements = (node for node, tag in enumerate(tree.tags) if tag != TEXT)
        links = tree.named("a")
        dropped = [node for node in elements if look_of(tree, node) in looks] if looks else []
        return cls(dropped, links, [tree.text(link) for link in links])


def _among(nodes: Sequence[int], start: int, end: int) -> slice:
    """Those of some nodes, which are in order, from `start` to `end` (exclusive)."""
    return slice(bisect_left(nodes, start), bisect_left(nodes, end))
