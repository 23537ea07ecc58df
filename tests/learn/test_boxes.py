"""What the boxes and lines inside of bodies mean."""

from __future__ import annotations

import pytest

from thrawl.learn.wrappers.boxes import Body, learn_boxes
from thrawl.page.links import resolver_of
from thrawl.page.tree import parse
from thrawl.profile.content import read_content
from thrawl.profile.looks import Boxes

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


def test_a_header_with_two_names_of_one_length_means_the_first_whatever_order_they_are_known_in() -> None:
    tree = parse("<div><p>Rue said to Ida:</p><blockquote>The kettle leaks.</blockquote><p>Mine too.</p></div>")
    for names in (["Rue", "Ida"], ["Ida", "Rue"]):
        content = read_content(tree, [(0, len(tree))], (), Boxes(), resolver_of(tree, "http://f.test/9"), names)
        assert [quote.author for quote in content.quotes] == ["Rue"]
