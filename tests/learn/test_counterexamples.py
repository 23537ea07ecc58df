"""What a pattern keeps out is shown beside what it lets in."""

from __future__ import annotations

from thrawl.learn.counterexamples import with_counter_examples
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

SITE = "http://forum.test"
THREADS = ListPattern(Pattern.parse(f"{SITE}/topic.php?t={{a:number}}"), examples=(f"{SITE}/topic.php?t=12",))


def test_the_refused_urls_that_come_closest_are_counter_examples_one_of_a_form() -> None:
    urls = [
        f"{SITE}/topic.php?t=7",
        f"{SITE}/topic.php?t=7&view=print",
        f"{SITE}/topic.php?t=8&view=print",
        f"{SITE}/topic.php?p=99",
        f"{SITE}/user.php?u=3",
        "http://elsewhere.test/topic.php?x=1",
    ]
    profile = with_counter_examples(Profile(f"{SITE}/", (), (THREADS,)), urls)
    assert profile.thread[0].counter_examples == (f"{SITE}/topic.php?t=8&view=print", f"{SITE}/topic.php?p=99")


def test_a_pattern_without_examples_has_none() -> None:
    bare = ListPattern(Pattern.parse(f"{SITE}/"))
    assert with_counter_examples(Profile(f"{SITE}/", (bare,), ()), [f"{SITE}/x"]).index == (bare,)
