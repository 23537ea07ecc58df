"""The flat tree: what a reader sees, in document order, whatever the markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import PageError
from thrawl.page.tree import TEXT, parse


def test_scripts_styles_and_comments_show_nothing() -> None:
    tree = parse("<p>a<script>var b;</script><style>p{}</style><!-- c --><template><b>d</b></template>e</p>")
    assert tree.text(0) == "ae"


def test_what_stands_in_noscript_is_read() -> None:
    assert parse('<noscript><a href="/2">Next</a></noscript>').text(0) == "Next"


def test_blocks_part_words_and_inline_elements_do_not() -> None:
    assert parse("<p>one<b>two</b></p><p>three</p>").text(0) == "onetwo three"


def test_the_end_of_a_block_parts_words_too() -> None:
    tree = parse("<div><p>one</p>two</div><span>three</span><b>four</b>")
    assert tree.text(0) == "one two threefour"


def test_a_space_between_inline_neighbours_is_kept() -> None:
    assert parse("<p><b>one</b> <i>two</i></p>").text(0) == "one two"


def test_the_title_and_the_base_are_found_in_the_head() -> None:
    tree = parse('<head><title> The  bridge </title><base href="/x/"></head>')
    assert tree.title == "The bridge"
    assert ("base", {"href": "/x/"}, "") in tree.head


def test_a_menu_of_ten_thousand_options_is_read_without_delay() -> None:
    options = "".join(f'<option value="/b/{number}">board {number}' for number in range(10_000))
    assert parse(f"<select>{options}</select>").tags.count("option") == 10_000


def test_many_words_in_one_attribute_are_no_flood() -> None:
    assert parse(f'<div data-words="{"word " * 5000}">x</div>').text(0) == "x"


def test_a_bracket_in_a_script_opens_no_tag() -> None:
    assert parse(f"<p>x<script>if (a <b {'word ' * 5000}) c</script></p>").text(0) == "x"


def test_a_tag_with_thousands_of_attributes_is_refused() -> None:
    with pytest.raises(PageError, match="attributes"):
        parse(f"<div {' '.join(f'a{number}' for number in range(3000))}>")


@given(st.text(alphabet="<>/abdiv ptr='\"=\n", max_size=200))
def test_subtrees_are_ranges_that_nest(html: str) -> None:
    tree = parse(html)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        assert parent < node < tree.ends[node] <= tree.ends[parent]
        assert tree.depths[node] == tree.depths[parent] + 1
        assert tree.tags[parent] != TEXT


def test_a_tree_without_its_middle_has_its_beginning_its_end_and_what_holds_them() -> None:
    rows = "".join(f"<li><a href='/t/{n}'>Thread {n}</a></li>" for n in range(400))
    tree = parse(f"<body><main><h1>All</h1><div><ul>{rows}</ul></div><p><a href='?page=2'>next</a></p></main></body>")
    short = tree.without_middle(200)
    assert short.without_middle(10_000) is short
    assert 200 <= len(short) <= 206  # six levels at most
    said = [short.text(node) for node in short.named("a")]
    assert said[0] == "Thread 0"
    assert said[-2:] == ["Thread 399", "next"]
    for node in range(1, len(short)):
        parent = short.parents[node]
        assert parent < node < short.ends[node] <= short.ends[parent]
        assert short.depths[node] == short.depths[parent] + 1
    assert [short.tags[one] for one in short.ancestors(short.named("a")[-1])] == ["p", "main", "body", "html"]


def test_a_thinned_tree_has_the_first_and_the_last_of_many_elements_in_a_row_and_all_that_stands_around_them() -> None:
    posts = "".join(f"<div class='post'><b>Ada</b><p>Post {n}</p></div>" for n in range(90))
    tree = parse(f"<body><h1>All</h1><main>{posts}<a href='?page=2'>next</a></main><p>{'line<br>' * 90}</p></body>")
    thin = tree.thinned(40)
    said = [thin.text(node) for node in thin.named("p")]
    assert said[:-1] == [f"Post {n}" for n in (*range(30), *range(80, 90))]
    assert len(thin.named("br")) == 90
    assert [thin.text(node) for node in thin.named("a")] == ["next"]
    for node in range(1, len(thin)):
        parent = thin.parents[node]
        assert parent < node < thin.ends[node] <= thin.ends[parent]
    assert thin.thinned(40) is thin
