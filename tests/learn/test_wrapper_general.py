"""Single pages, each with a quirk that real pages show, read with nothing known of their site."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from tests.effort import lines_run
from tests.page import forumpages

from thrawl.learn.wrappers.general import read_posts
from thrawl.page.shown import PostRecord
from thrawl.page.tree import parse
from thrawl.profile.content import line_around
from thrawl.profile.fields import AuthorField

NAMES = ("Grumpy", "old_salt", "Mary Jane", "Ida4")
WORDS = (
    "I bought a wooden dinghy last spring and the keel is leaking badly.",
    "Take it out of the water and look at the bolts, mine were rusted through.",
    "Thanks, will do next weekend and tell you how it went.",
    "Any news of that keel? Mine begins to leak as well, at the very same place.",
)


def posts_on(*parts: str) -> Sequence[PostRecord]:
    login = "<form action='/in'>Name <input name=n> Password <input type='password' name=p></form>"
    html = f"<title>Leaking keel - Boats</title><body>{login}<h1>Leaking keel</h1>{''.join(parts)}</body>"
    return read_posts(parse(html), "http://boats.test/t/12")


def row(number: int, words: str, after: str = "") -> str:
    """A post of an old table: the name in bold far from its time, rank and join date beside the words."""
    return (
        f"<table class='post'><tr><td><a name='p{number}'></a><b>{NAMES[number]}</b></td>"
        f"<td><a href='/p/{number}'><img src='/t.gif'></a><i>Posted: Tue Mar 0{number + 4}, 2003 9:15 am</i></td></tr>"
        f"<tr><td>Able seaman<br>Joined: 1{number} Feb 2002<br>Posts: {7 * number + 3}</td>"
        f"<td><div class='said'>{words}</div>{after}</td></tr></table>"
    )


def test_a_name_in_bold_is_the_author_and_not_the_rank_beside_the_join_date() -> None:
    posts = posts_on(*(row(n, words) for n, words in enumerate(WORDS)))
    assert [(post.author, post.text) for post in posts] == list(zip(NAMES, WORDS, strict=True))
    assert [post.published_text for post in posts][:2] == ["Tue Mar 04, 2003 9:15 am", "Tue Mar 05, 2003 9:15 am"]


def test_what_is_quoted_once_on_a_page_is_a_quotation_with_its_header() -> None:
    quote = f"<div class='top'>QUOTE(Grumpy @ Mar 4 2003, 09:15 AM)</div><div class='main'>{WORDS[0]}</div>"
    posts = posts_on(row(0, WORDS[0]), row(1, f"{quote}{WORDS[1]}"), row(2, WORDS[2]))
    assert [post.text for post in posts] == list(WORDS[:3])
    assert [quote.text for quote in posts[1].quotes] == [WORDS[0]]


def test_signs_take_no_longer_than_they_are_long() -> None:
    began = time.process_time()
    posts = posts_on(*(row(n, f"<p class='line'>{n} {20_000 * '-'}x</p>{words}") for n, words in enumerate(WORDS)))
    assert len(posts) == len(WORDS)
    assert time.process_time() - began < 5


def test_the_label_of_a_box_of_code_is_no_word_of_the_post() -> None:
    code = "<div class='box'><div class='head'>Quelltext:</div><pre>caulk(keel)</pre></div>"
    posts = posts_on(row(0, WORDS[0]), row(1, f"<p>{WORDS[1]}</p>{code}"), row(2, f"<p>Try:</p><pre>{WORDS[2]}</pre>"))
    assert posts[1].text == f"{WORDS[1]}\ncaulk(keel)"
    assert posts[2].text == f"Try:\n{WORDS[2]}"


def test_what_follows_a_line_of_underscores_is_a_signature() -> None:
    sails = "<br>_________________<br>Sails on till the end"
    posts = posts_on(row(0, WORDS[0]), row(1, f"{WORDS[1]}{sails}"), row(2, WORDS[2]))
    assert [post.text for post in posts] == list(WORDS[:3])


def test_a_post_that_others_quote_whole_is_still_a_post() -> None:
    quotes = [f"<blockquote>{WORDS[0]}</blockquote>{words}" for words in WORDS[1:]]
    posts = posts_on(*(row(n, words) for n, words in enumerate((WORDS[0], *quotes))))
    assert [post.text for post in posts] == list(WORDS)


def test_an_opening_post_with_markup_of_its_own_stands_before_the_others() -> None:
    opening = f"<section><p>{WORDS[3]}</p><small>by <a href='/u/3'>Ida4</a>, Mar 03, 2003 8:00 am</small></section>"
    posts = posts_on(opening, *(row(n, WORDS[n]) for n in range(3)))
    assert [post.text for post in posts] == [WORDS[3], *WORDS[:3]]


def letter(number: int, words: str) -> str:
    return (
        f"<pre>From: {NAMES[number]}\nDate: <i>Tue, 0{number + 4} Mar 2003 09:15:00 +0000</i>\n"
        f"Subject: Leaking keel\n\n{words}\n</pre><hr>"
    )


def test_a_letter_begins_after_its_head_and_what_others_said_is_quoted() -> None:
    answer = f"Grumpy wrote:\n&gt; {WORDS[0]}\n\n{WORDS[1]}"
    posts = posts_on(letter(0, WORDS[0]), letter(1, answer), letter(2, WORDS[2]))
    assert [(post.author, post.text) for post in posts] == list(zip(NAMES[:3], WORDS[:3], strict=True))
    assert [quote.text for quote in posts[1].quotes] == [WORDS[0]]


def test_a_time_that_a_script_writes_is_read_from_the_attribute_that_counts_it() -> None:
    posts = posts_on(
        *(
            f"<li id='m{n}'><b>{NAMES[n]}</b> <span data-at='{1046769300 + 86400 * n}'></span><p>{words}</p></li>"
            for n, words in enumerate(WORDS)
        )
    )
    assert [post.published and post.published.day for post in posts] == [4, 5, 6, 7]


def test_posts_that_name_nobody_and_no_time_are_posts() -> None:
    posts = posts_on(
        *(f"<li class='m' id='m{n}'><div class='said'>{words}</div></li>" for n, words in enumerate(WORDS))
    )
    assert [(post.author, post.text) for post in posts] == [(None, words) for words in WORDS]


def test_comments_whose_paragraphs_stand_beside_their_head_have_author_time_and_words() -> None:
    posts = posts_on(
        *(
            f"<li id='c{n}'><div><div class='by'><cite><a href='http://b{n}.test/'>{NAMES[n]}</a></cite> <i>says:</i>"
            f"</div><div class='on'><a href='#c{n}'>March {n + 5}, 2009 at 9:10 am</a></div><p>{words}</p>"
            f"<div class='do'><a href='?to={n}'>Reply</a></div></div></li>"
            for n, words in enumerate(WORDS)
        )
    )
    assert [(post.author, post.text) for post in posts] == list(zip(NAMES, WORDS, strict=True))


def test_letters_parted_by_rules_are_read_to_the_last_which_has_none_below_it() -> None:
    letters = [letter(n, words) for n, words in enumerate(WORDS)]
    posts = posts_on(*letters[:3], letters[3].removesuffix("<hr>"))
    assert [post.text for post in posts] == list(WORDS)


def test_the_same_words_in_a_sentence_of_many_posts_are_their_own() -> None:
    mail = "<span class='mail'>[protected]</span>"
    written = [f"{words} Write to <a href='/m/{n}'>crew/{'abcd'[n]}/{mail}</a>" for n, words in enumerate(WORDS)]
    posts = posts_on(*(row(n, words) for n, words in enumerate(written)))
    assert [post.text for post in posts] == [f"{w} Write to crew/{'abcd'[n]}/[protected]" for n, w in enumerate(WORDS)]


@pytest.mark.parametrize(
    ("shown", "name"), [("` Ann Quince", "Ann Quince"), ("by: - Bert", "Bert"), ("-Cleo-", "-Cleo-"), ("Di *", "Di *")]
)
def test_a_sign_that_stands_apart_before_a_name_is_none_of_it(shown: str, name: str) -> None:
    assert AuthorField((), "by: ").strip(shown) == name


def test_a_page_of_thousands_of_posts_is_read_to_its_end_with_effort_that_follows_its_size() -> None:
    def page_of(number: int) -> str:
        return "".join(
            f"<div class='post' id='p{n}'><b>{('Ada', 'Bo', 'Cleo')[n % 3]}</b> <i>2020-03-04 {n // 60 % 24:02}:"
            f"{n % 60:02}</i><p>The {n}th boat came in late, and nobody knew why.</p></div>"
            for n in range(number)
        )

    found = posts_on(page_of(3_000))
    assert len(found) == 3_000
    assert found[-1].text == "The 2999th boat came in late, and nobody knew why."
    assert lines_run(lambda: posts_on(page_of(3_000))) < 6 * lines_run(lambda: posts_on(page_of(750)))


def test_a_line_is_not_looked_for_in_boxes_around_boxes_without_end() -> None:
    def effort(deep: int) -> int:
        tree = parse(f"<body>{'<div><b></b>' * deep}Ada wrote:{'</div>' * deep}</body>")
        text = next(node for node, words in enumerate(tree.texts) if words)
        return lines_run(lambda: line_around(tree, text, (0, len(tree))))

    assert effort(800) == effort(400)


def test_posts_in_one_another_are_read_with_effort_that_follows_their_number() -> None:
    def page_of(number: int) -> str:
        opened = (
            f"<div class='reply'><div class='by'><a href='/u/{n % 7}'>Anna{n % 7}</a> <span>2024-03-{1 + n % 28:02} "
            f"10:{n % 60:02}</span></div><div class='said'><p>The x{n} met <b>y{n}</b> off k{n} with "
            f"z{n * 7} aboard.</p><p>So q{n} said.</p></div>"
            for n in range(number)
        )
        return f"<html><body><h1>Boats</h1>{''.join(opened)}{'</div>' * number}</body></html>"

    def posts(number: int) -> Sequence[PostRecord]:
        return read_posts(parse(page_of(number)), "http://boats.test/t/12")

    assert len(posts(100)) == 100
    assert lines_run(lambda: posts(100)) < 6 * lines_run(lambda: posts(25))


def test_a_comment_ends_where_its_replies_begin() -> None:
    posts = read_posts(parse(forumpages.nested_comments()), "http://village.example/t/1")
    assert [one.text in words or words in one.text for one, words in zip(posts, forumpages.WORDS, strict=False)] == (
        [True] * 4
    )


def test_the_question_above_the_answers_is_the_first_post() -> None:
    posts = read_posts(parse(forumpages.question()), "http://village.example/t/1")
    assert len(posts) == 4
    assert forumpages.WORDS[0] in posts[0].text


def test_an_article_and_its_only_comment_are_two_posts() -> None:
    article = f"<article id='a7'><b>{NAMES[0]}</b> <i>2003-03-04 09:15</i><div class='words'>{WORDS[0]}</div></article>"
    comment = f"<ol><li id='c9'><b>{NAMES[1]}</b> <i>2003-03-05 10:20</i><p>{WORDS[1]}</p></li></ol>"
    posts = posts_on(article, f"<div class='comments'>{comment}</div>")
    assert [(one.author, one.text) for one in posts] == [(NAMES[0], WORDS[0]), (NAMES[1], WORDS[1])]


def test_posts_that_are_loose_text_between_rules_are_read_one_by_one() -> None:
    posts = "".join(
        f"<hr><b>Author:</b> {forumpages.NAMES[n]} <b>Time:</b> 2021-05-0{n + 1} 10:00<br>{forumpages.WORDS[n]}"
        for n in range(4)
    )
    found = read_posts(parse(f"<html><body><h1>The old bridge</h1>{posts}</body></html>"), "http://village.example/t/1")
    assert [one.author for one in found] == list(forumpages.NAMES[:4])
    assert all(words in one.text for one, words in zip(found, forumpages.WORDS, strict=False))


def test_hundreds_of_posts_in_many_small_lists_are_learned_from_some_of_them() -> None:
    def page_of(lists: int) -> str:
        return "".join(
            f"<section><h3>Part {at}</h3>"
            + "".join(
                f"<div class='post' id='p{at}-{n}'><b>{NAMES[n % 4]}</b> <i>2020-03-0{n + 1} 10:{at:02}</i>"
                f"<p>{WORDS[n % 4]} That was number {n} of {at}.</p></div>"
                for n in range(9)
            )
            + "</section>"
            for at in range(lists)
        )

    assert len(posts_on(page_of(50))) == 450
    assert lines_run(lambda: posts_on(page_of(50))) < 2 * lines_run(lambda: posts_on(page_of(14)))
