"""Signs in what was archived that pages were read wrong, although all of them were fetched."""

from __future__ import annotations

from dataclasses import replace

from tests.crawl.test_ledger import NOTHING, SITE

from thrawl.archive.facts import Facts, Phrase, Wordings
from thrawl.crawl.postsigns import read_wrong

PLAIN = Wordings(0, 200, Phrase("The lathe ru", 3), Phrase("of the belt.", 4))


def told(facts: Facts) -> list[str]:
    return [one.why for one in read_wrong(facts, f"{SITE}/")]


def test_posts_that_people_wrote_are_no_sign() -> None:
    assert told(replace(NOTHING, wordings=PLAIN, read=90_000, unread=900)) == []


def test_posts_that_stand_in_two_threads_are_told() -> None:
    (why,) = told(replace(NOTHING, wordings=replace(PLAIN, twice=60)))
    assert why == "60 of 200 archived posts stand in another thread, too"
    assert told(replace(NOTHING, wordings=replace(PLAIN, twice=4))) == []  # sent to two boards


def test_posts_that_begin_or_end_with_what_stands_around_them_are_told() -> None:
    (why,) = told(replace(NOTHING, wordings=replace(PLAIN, beginning=Phrase("Home > Board", 150))))
    assert "150 of 200 archived posts begin with the same words (Home > Board)" in why
    (why,) = told(replace(NOTHING, wordings=replace(PLAIN, end=Phrase("Quote Report", 90))))
    assert "end with the same words" in why
    few = Wordings(0, 12, Phrase("Hello, every", 5), Phrase("", 0))
    assert told(replace(NOTHING, wordings=few)) == []


def test_words_in_no_post_are_told() -> None:
    (why,) = told(replace(NOTHING, read=90_000, unread=10_000))
    assert why.startswith("10 % of the running text")


def test_pages_of_people_are_no_threads() -> None:
    people = tuple(f"{SITE}/user/{number}" for number in range(5))
    (why,) = told(replace(NOTHING, people=people))
    assert why == f"pages of people were taken for threads, as {SITE}/user/0"


def test_threads_that_all_have_a_post_too_many_are_told() -> None:
    (why,) = told(replace(NOTHING, replies=((2, 38, 60), (1, 2, 3))))
    assert why == "38 of 40 threads have 1 more posts than their rows count, each"
    assert told(replace(NOTHING, replies=((1, 38, 60), (2, 2, 3)))) == []
