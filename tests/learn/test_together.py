"""What pages of one make have in common."""

from __future__ import annotations

from thrawl.learn.together import overlap, shared_by_kinds, skeleton_of
from thrawl.page.reading import read_page

BODY = "<body class='page {part}'><h1>Words</h1><p>Some more words.</p></body>"


def test_pages_are_made_alike_whatever_their_addresses_end_with_and_whatever_part_they_are_of() -> None:
    one = read_page(BODY.format(part="golf"), "http://f.test/golf/list.html")
    other = read_page(BODY.format(part="chess"), "http://f.test/chess/list.asp")
    assert overlap(skeleton_of(one), skeleton_of(other)) == 1.0


def test_what_all_kinds_of_pages_have_is_the_frame_of_the_site() -> None:
    boxes = "".join(f"<div class='box {name}'><h3>Box {name}</h3></div>" for name in "abcdefghi")
    bodies = {
        "http://f.test/?forum=1": "<table><tr><td>Rows</tr></table>",
        "http://f.test/?forum=2": "<table><tr><td>Rows</tr></table>",
        "http://f.test/?thread=7": "<div class=post><p>Words.</p></div>",
        "http://f.test/?person=3": "<dl><dt>Name</dt><dd>Ada</dd></dl>",
    }
    pages = {url: skeleton_of(read_page(f"<body>{boxes}{body}</body>", url)) for url, body in bodies.items()}
    frame = shared_by_kinds(pages)
    board, other, thread, _ = pages.values()
    assert overlap(board, thread) > 0.6
    assert len(frame) == 9
    assert overlap(board - frame, thread - frame) == 0.0
    assert overlap(board - frame, other - frame) == 1.0
