"""What pages of one make have in common."""

from __future__ import annotations

from thrawl.learn.together import overlap, skeleton_of
from thrawl.page.reading import read_page

BODY = "<body class='page {part}'><h1>Words</h1><p>Some more words.</p></body>"


def test_pages_are_made_alike_whatever_their_addresses_end_with_and_whatever_part_they_are_of() -> None:
    one = read_page(BODY.format(part="golf"), "http://f.test/golf/list.html")
    other = read_page(BODY.format(part="chess"), "http://f.test/chess/list.asp")
    assert overlap(skeleton_of(one), skeleton_of(other)) == 1.0
