"""Which post answers which."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from thrawl.crawl.replies import Earlier, with_replies
from thrawl.page.shown import PostRecord, Quote


def post(number: str | None, text: str, author: str = "ann", quote: Quote | None = None, depth: int | None = None):
    return PostRecord(number, None, author, None, None, None, None, text, text, (quote,) if quote else (), None, depth)


def answers(*posts: PostRecord, before: tuple[Earlier, ...] = ()) -> list[str | None]:
    return [one.reply_to for one in with_replies(posts, before)]


def test_a_nested_post_answers_the_one_above_it() -> None:
    first, second = post("1", "a question", depth=0), post("2", "an answer", depth=1)
    third, fourth = post("3", "a comment on it", depth=2), post("4", "another answer", depth=1)
    assert answers(first, second, third, fourth) == [None, "1", "2", "1"]


def test_quoted_words_lead_to_the_post_that_said_them() -> None:
    quote = Quote("bob", "tripods  are HEAVY, always")
    assert answers(post("1", "I think tripods are heavy always.", "bob"), post("2", "No.", quote=quote)) == [None, "1"]


def test_plain_words_are_found_among_accented_ones() -> None:
    quote = Quote("Zoë", "the Old_Lens is fine")
    asked = post("1", "Très bien: the old lens is FINE, naïvely", "zoë")
    assert answers(asked, post("2", "No.", quote=quote)) == [None, "1"]


def test_the_latest_of_several_posts_with_the_same_words_is_meant() -> None:
    quote = Quote(None, "thanks a lot everybody")
    same = "thanks a lot everybody"
    assert answers(post("1", same), post("2", same), post("3", "welcome", quote=quote))[2] == "2"


def test_words_of_somebody_else_are_not_taken_for_the_quoted_author() -> None:
    quote = Quote("bob", "thanks a lot everybody")
    assert answers(post("1", "thanks a lot everybody", "ann"), post("2", "hm", quote=quote)) == [None, None]


def test_a_quote_that_names_a_post_leads_there() -> None:
    quote = Quote("bob", "cut short", post_id="1")
    assert answers(post("1", "something else"), post("2", "hm", quote=quote))[1] == "1"


def test_a_quote_from_outside_answers_nothing() -> None:
    quote = Quote("Goethe", "mehr Licht, mehr Licht")
    assert answers(post("1", "lights"), post("2", "hm", quote=quote)) == [None, None]


def test_a_word_that_everybody_says_is_no_evidence() -> None:
    assert answers(post("1", "yes"), post("2", "hm", quote=Quote(None, "yes")))[1] is None


def test_posts_of_earlier_pages_are_answered_too() -> None:
    known = Earlier.of(post("7", "the shutter sticks in winter", "Bob"))
    assert known is not None
    quote = Quote("bob", "the shutter sticks")
    assert answers(post("20", "mine too", quote=quote), before=(known,)) == ["7"]


def test_posts_without_ids_cannot_be_named() -> None:
    quote = Quote(None, "the shutter sticks")
    assert answers(post(None, "the shutter sticks"), post(None, "mine too", quote=quote)) == [None, None]


def test_a_post_with_the_id_of_another_one_is_told_from_an_edit() -> None:
    first = replace(post("907", "A lamp in the cellar."), published=datetime(2021, 5, 1))
    known = Earlier.of(first)
    assert known is not None
    assert not known.is_another(first)
    assert not known.is_another(replace(first, text="A lamp in the cellar. It works again."))
    assert not known.is_another(replace(first, text="Never mind."))  # edited: the same person at the same moment
    assert known.is_another(replace(first, text="Which boat was it?", published=datetime(2021, 5, 3)))
