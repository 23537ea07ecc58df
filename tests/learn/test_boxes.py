"""What the boxes and lines inside of bodies mean."""

from __future__ import annotations

import pytest

from thrawl.learn.wrappers.boxes import Body, learn_boxes
from thrawl.page.tree import parse

WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive anchor ladder pump radio violin".split()


def said(number: int) -> str:
    return " ".join(WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, 20)) + f" {number}."


@pytest.mark.parametrize(("answer", "lined"), [("", False), ("<br>That is what I say, too, of number", True)])
def test_lines_that_begin_with_a_sign_are_those_of_others_where_who_quotes_adds_something(
    answer: str, lined: bool
) -> None:
    """A post that begins with the number that it answers is one line, if only the style sheet parts it."""
    bodies = []
    for number in range(4):
        body = f"<p>{said(number)}</p><p>&gt;&gt;{number} {said(number)}{answer and f'{answer} {number}.'}</p>"
        tree = parse(f"<html><body>{body}</body></html>")
        bodies += [Body(tree, node, tree.ends[node], "Ada", frozenset()) for node in tree.named("p")]
    assert learn_boxes(bodies, ["Ada"]).lined is lined
