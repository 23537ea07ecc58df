"""Boxes of code and the labels before them."""

from __future__ import annotations

from tests.effort import lines_run

from thrawl.page.tree import parse
from thrawl.profile.printed import box_label


def test_a_box_has_the_label_before_it() -> None:
    tree = parse("<div><p>Words</p><dl><dt>Code: Select all</dt> <dd><pre>x = 1</pre></dd></dl></div>")
    (box,) = tree.named("pre")
    assert tree.text(box_label(tree, box, 1)) == "Code: Select all"


def test_labels_of_many_boxes_side_by_side_are_found_in_time_that_follows_their_number() -> None:
    def effort(number: int) -> int:
        tree = parse(f"<body><div>{'<b>a</b> <code>x = 1</code> ' * number}</div></body>")
        return lines_run(lambda: [box_label(tree, box, 1) for box in tree.named("code")])

    assert effort(800) < 6 * effort(200)  # four times as much where it follows, sixteen where it is quadratic
