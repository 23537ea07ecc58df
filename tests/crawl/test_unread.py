"""Words of thread pages that stand in no post are told from menus and signatures: they stand on one page alone."""

from __future__ import annotations

import time

from thrawl.crawl.unread import Block, Unread, letters_of
from thrawl.crawl.unreadwords import blocks_of
from thrawl.page.shown import PostRecord, Quote
from thrawl.page.tree import parse

LONG = "The lathe runs quietly again since I greased both of its bearings and tightened the belt."
ANSWER = "Mine never did that, but it stands on a floor of concrete and weighs as much as a small car."
QUOTED = "Whoever oils a belt will look for it in the garden, as my grandfather said every other day."


def post(text: str, *quotes: Quote) -> PostRecord:
    return PostRecord("1", None, "Ann", None, None, None, None, text, text, quotes)


def unread(body: str, *posts: PostRecord) -> int:
    return sum(letters for _, letters in blocks_of(parse(f"<html><body>{body}</body></html>"), posts))


def test_words_of_a_post_and_of_its_quotes_are_read() -> None:
    page = f"<div><blockquote>{QUOTED}</blockquote><p>{LONG[:60]}\n   {LONG[60:]}</p></div>"
    assert unread(page, post(LONG, Quote("Bob", QUOTED))) == 0


def test_an_answer_in_another_markup_is_not_read() -> None:
    assert unread(f"<div>{LONG}</div><section><p>{ANSWER}</p></section>", post(LONG)) == len(ANSWER.replace(" ", ""))


def test_titles_of_other_threads_and_labels_are_no_posts() -> None:
    page = f"<div>{LONG}</div><ul><li><a href=/t/2><b>{ANSWER}</b></a></ul><p>Last edited by Ann</p>"
    assert unread(page, post(LONG)) == 0


def test_who_changed_a_post_and_when_is_no_post() -> None:
    note = "<p>Changed for the last time by Cornelia van der Meer on 2024-03-10 07:06, in all 1 time</p>"
    post_of = PostRecord("1", None, "Cornelia van der Meer", None, None, None, None, LONG, LONG)
    assert unread(f"<div>{LONG}</div>{note}", post_of) == 0


def test_long_lines_are_not_searched_for_every_author_of_a_long_page() -> None:
    posts = [PostRecord(str(n), None, f"on a floor {n}", None, None, None, None, "", "") for n in range(5_000)]
    began = time.process_time()
    assert unread("".join(f"<p>{n} {600 * ANSWER}</p>" for n in range(40)), *posts) > len(ANSWER)
    assert time.process_time() - began < 2


def test_a_mail_has_its_header_and_marks_of_quotation_in_one_text_with_its_words() -> None:
    page = f"<pre>From: Ann\nSubject: Lathe\n\n&gt; &gt; {QUOTED}\n{LONG}\n</pre>"
    assert unread(page, post(LONG, Quote("Bob", QUOTED))) == 0


def test_what_stands_on_several_pages_was_written_by_nobody() -> None:
    seen = Unread()
    for number in range(12):
        own = ((number, 90),) if number == 3 else ()
        seen.add(((99, 400), *own), letters_of([post(LONG)]))
    assert seen.tells
    assert seen.letters == 90


def test_how_long_a_program_took_for_each_page_was_written_by_nobody() -> None:
    def told(seconds: str, queries: int) -> tuple[Block, ...]:
        foot = (
            f"<p>Execution time of this page: {seconds} seconds, server load: 2.84, queries of the base: {queries}</p>"
        )
        return blocks_of(parse(f"<html><body><div>{LONG}</div>{foot}</body></html>"), [post(LONG)])

    assert told("0.0024", 12) == told("0.134", 9) != ()


def test_a_page_with_much_that_no_page_had_is_one_to_learn_from() -> None:
    seen = Unread()
    assert seen.add(((1, 90),), 100)
    assert not seen.add(((1, 90),), 100)  # a box that stands there, too
