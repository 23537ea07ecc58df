"""What stands above and below the words of each post, in a page without elements of its own for them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.effort import lines_run
from tests.learn.test_learner_blog import PEOPLE, words

from thrawl.learn.wrappers.tails import common_heads, common_tails
from thrawl.page.links import resolver_of
from thrawl.page.tree import Tree, parse
from thrawl.profile.content import read_content
from thrawl.profile.lines import before_link, below_heads
from thrawl.profile.looks import Boxes

WAYS = "<p>[ <a href=#f>Answers</a> ] [ <a href=#p>Say something</a> ] [ <a href=/>Village</a> ]</p>"
OWN = 14  # words of a post


def said(number: int) -> str:
    return words(number, OWN)


def page(number: int, answers: Sequence[int] = ()) -> Tree:
    """A post below its title and the site's ways; what it answers, if it does; and below it those who answered."""
    above = f"<p>An answer to <a href={number - 1}>{words(7 * number, 3)}</a> by {PEOPLE[number % 5]}</p>"
    below = "".join(f"<li><a href={one}>{words(one, 4)}</a> - {PEOPLE[one % 5]} (0)" for one in answers)
    title = words(3 * number, 4)
    return parse(
        f"<title>{title}</title><body><h1>{title}</h1>{WAYS}{above if number % 2 else ''}<p>{said(number)}</p>"
        f"<p><a name=f>All answers:</a></p><ul>{below}</ul><p><a name=p>Say something</a></p>{WAYS}</body>"
    )


PAGES = [page(number, range(40, 40 + number % 3)) for number in range(1, 17)]


def bodies() -> list[tuple[Tree, int, int]]:
    return [(tree, at + 1, tree.ends[at]) for tree in PAGES for at in tree.named("body")]


def test_what_all_posts_stand_between_is_no_word_of_theirs() -> None:
    spans = bodies()
    boxes = Boxes(tails=common_tails(spans, set()), heads=common_heads(spans, set()))
    for number, (tree, start, end) in enumerate(spans, 1):
        content = read_content(tree, [(start, end)], tree.named("h1"), boxes, resolver_of(tree, "http://f.test/9"))
        assert content.text == said(number)


def test_a_few_posts_with_links_in_their_first_lines_answer_nothing() -> None:
    pages = [parse(f"<p>{said(at)}: <a href={at}>{words(at, 2)}</a></p><p>{said(at + 50)}</p>") for at in range(12)]
    assert common_heads([(tree, 0, len(tree)) for tree in pages], set()) == frozenset()


def test_links_are_looked_for_in_the_lines_that_may_be_heads_or_tails_alone() -> None:
    def effort(number: int) -> int:
        tree = parse("".join(f"<p>{words(at, 5)} <a href={at}>{words(at, 2)}</a></p>" for at in range(number)))
        spans = [(tree, 0, len(tree))] * 8
        return lines_run(lambda: (common_heads(spans, set()), common_tails(spans, set())))

    assert effort(800) < 6 * effort(200)


def test_what_a_post_answers_is_looked_for_among_its_own_first_links() -> None:
    def effort(inside: int, outside: int) -> int:
        post = f"<div>An answer to <a href=1>{words(1, 3)}</a> <p>{said(1)} {'<a href=2>x</a> ' * inside}</p></div>"
        tree = parse(f"<body>{post}{'<p><a href=3>y</a></p>' * outside}</body>")
        first = f"An answer to {words(1, 3)}"
        at, boxes = tree.named("div")[0], Boxes(heads=frozenset({before_link(first, [words(1, 3)])}))
        assert below_heads(f"{first}\n{said(1)}", tree, [(at, tree.ends[at])], boxes) == said(1)
        return lines_run(lambda: below_heads(f"{first}\n{said(1)}", tree, [(at, tree.ends[at])], boxes))

    assert effort(5, 2_000) == effort(5, 20)
    assert effort(4_000, 5) == effort(2_000, 5)


def test_lines_of_links_that_say_the_same_take_no_longer_than_they_are_many() -> None:
    def effort(number: int) -> int:
        tree = parse("".join(f"<p><a href={at}>Answer</a></p>" for at in range(number)))
        return lines_run(lambda: common_tails([(tree, 0, len(tree))] * 8, set()))

    assert effort(400) < 6 * effort(100)
