"""What is learned from of pages that no forum shows."""

from __future__ import annotations

from thrawl.learn.wrappers.sample import take_samples
from thrawl.page.reading import read_page


def nested(posts: int) -> str:
    """Posts that each stand inside the one before."""
    opened = "".join(f'<div id="p{one}"><b>Ann</b> <i>12 May 2021 10:00</i><p>Words {one}</p>' for one in range(posts))
    return f"<html><body>{opened}{'</div>' * posts}</body></html>"


def test_of_thousands_of_posts_inside_one_another_the_beginning_is_learned_from() -> None:
    (few,) = take_samples([read_page(nested(40), "http://forum.test/t/1")])
    (many,) = take_samples([read_page(nested(3000), "http://forum.test/t/2")])
    assert "Words 39" in few.tree.text(0)
    assert sum(many.tree.depths) < 400_000  # each step down that a look into all elements takes
    assert "Words 100" in many.tree.text(0)


def test_a_hidden_copy_of_a_post_weighs_nothing_and_the_post_itself_does() -> None:
    words = "The tide was out when we came to the harbour this morning, and nobody had told the pilot."
    copies = ("class='card hidden'", "hidden", "style='display: none'")
    for copy in copies:
        html = f"<body><h1>A harbour</h1><div {copy}>{words}</div><div class='msg'>{words}</div></body>"
        (sample,) = take_samples([read_page(html, "http://forum.test/t/1")])
        first, second = (node for node, text in enumerate(sample.tree.texts) if text == words)
        assert (sample.weight(first, first + 1), sample.weight(second, second + 1)) == (0, len(words))


def test_times_that_stand_in_quotations_alone_are_of_no_post_and_those_of_indented_posts_are() -> None:
    words = "The tide was out when we came to the harbour this morning, and nobody had told the pilot."
    quoted = f"<blockquote><b>Ann</b>, 12 May 2021 10:00: {words}</blockquote>"
    post = f"<b>Bob</b> {words} Nor did we. {words}"
    answers, indented = f"<div>{quoted}{post}</div><div>{post}</div>", f"<p>Two posts</p>{quoted * 2}"
    bodies = [f"<html><body>{rows}</body></html>" for rows in (answers, indented)]
    found = [take_samples([read_page(body, "http://forum.test/t/1")])[0].times for body in bodies]
    assert list(map(len, found)) == [0, 2]
