"""Preformatted words: code with the label of its box, and letters as they were sent.

An archive of letters prints head, quotations and words of a letter as one text. There a line tells what it is: the head
ends at the first empty line, and lines of others begin with ">". Some archives print letters as other pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from thrawl.page.tree import TEXT, Tree

PRINTED: Final = "pre"  # its lines are the writer's own, and so is the space before them
CODE: Final = frozenset({PRINTED, "code"})
_LONGEST_LABEL: Final = 40  # characters: "Code: Select all" in any language; a longer line says something
_MORE: Final = 3  # than a box and its label
_EMPTY_LINE: Final = re.compile(r"\n[ \t\r]*\n")
_OTHERS: Final = re.compile(r"[>|]")  # what letters begin quoted lines with
_COLONS: Final = (":", "：")


def box_label(tree: Tree, box: int, start: int) -> int:
    """The element before a box that only says what it is (code, a quotation), -1 if there is none.

    It stands with the box in one of their own, or is marked as something of the template; `start` is the first node of
    the body, which is no box.
    """
    while (parent := tree.parents[box]) > 0 and len(_children(tree, parent)) == 1:
        box = parent
    label = next((one for one in tree.before(box) if not is_blank(tree, one)), -1) if parent > 0 else -1
    if label < 0 or tree.tags[label] == TEXT:
        return -1
    words = tree.text(label)
    if not words or len(words) > _LONGEST_LABEL:
        return -1
    marked = "class" in tree.attributes[label] and any(colon in words for colon in _COLONS)
    return label if (len(_children(tree, parent)) == 2 and parent >= start) or (marked and label >= start) else -1


def framed_by(tree: Tree, box: int, start: int) -> int:
    """The outermost element of a body around a box that holds nothing else: cells and borders of its frame."""
    while (parent := tree.parents[box]) >= start and len(_children(tree, parent)) == 1:
        box = parent
    return box


def _children(tree: Tree, node: int) -> list[int]:
    """The first few children that are not blank: whether there is one, two or more."""
    return list(islice((child for child in tree.children(node) if not is_blank(tree, child)), _MORE))


def is_blank(tree: Tree, node: int) -> bool:
    """Whether a node is a text of white space."""
    return tree.tags[node] == TEXT and tree.texts[node].isspace()


def letter_around(tree: Tree, start: int, end: int) -> int:
    """The preformatted element that holds all words of a range, -1 if there is none."""
    if not tree.named(PRINTED):
        return -1
    first = _first_text(tree, start, end)
    found = next((up for up in tree.ancestors(first) if tree.tags[up] == PRINTED), -1) if first >= 0 else -1
    return found if found >= 0 and _first_text(tree, tree.ends[found], end) < 0 else -1


def _first_text(tree: Tree, start: int, end: int) -> int:
    return next((node for node in range(start, end) if tree.tags[node] == TEXT and not is_blank(tree, node)), -1)


def after_head(tree: Tree, letter: int, head: int) -> tuple[int, int] | None:
    """Where the words of a letter begin, as a text and the place in it: after the first empty line that follows this
    node of its head; None where the head stands elsewhere, or no empty line follows."""
    if letter < 0 or not letter < head < tree.ends[letter]:
        return None
    for node in range(head if tree.tags[head] == TEXT else tree.ends[head], tree.ends[letter]):
        found = _EMPTY_LINE.search(tree.texts[node]) if tree.tags[node] == TEXT else None
        if found:
            return node, found.end()
    return None


@dataclass(frozen=True, slots=True)
class Quoted:
    """Lines of others in a letter, and the line before them."""

    before: str
    lines: list[str]

    @property
    def is_headed(self) -> bool:
        """Whether the line before says whose lines follow."""
        return self.before.endswith(_COLONS)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def part_letter(text: str) -> tuple[str, tuple[Quoted, ...]]:
    """The writer's own lines, and the runs of lines of others, each without the line that says whose they are."""
    own: list[str] = []
    quoted: list[Quoted] = []
    for line, before in _with_previous(text.split("\n")):
        if _OTHERS.match(line.lstrip()):
            if not _OTHERS.match(before.lstrip()):
                quoted.append(Quoted(before, []))
                if own and own[-1] == before and quoted[-1].is_headed:
                    own.pop()
            quoted[-1].lines.append(line.lstrip()[1:].strip())
        else:
            own.append(line)
    return "\n".join(own), tuple(quoted)


def _with_previous(lines: list[str]) -> Iterator[tuple[str, str]]:
    yield from zip(lines, ["", *lines[:-1]], strict=True)
