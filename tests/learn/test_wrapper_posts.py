"""Post wrappers: learned from some thread pages of a site, right on the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random

import pytest
from tests.learn.wrapperpages import Forum, forum_in, numbered_pages, page_of, posts_of, some

from thrawl.archive.values import to_seconds
from thrawl.learn.wrappers.posts import PostWrapper, learn_post_wrapper
from thrawl.page.reading import Page, read_page
from thrawl.page.shown import PostRecord
from thrawl.page.tree import parse
from thrawl.profile.fields import AuthorField

NOW = datetime(2026, 5, 1, tzinfo=UTC)
WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive anchor ladder pump radio violin".split()
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gus")


@pytest.fixture(scope="module", params=["tables", "rows", "cards", "leaves", "tree", "answers", "lounge"])
def forum(request: pytest.FixtureRequest) -> Forum:
    return forum_in(request.param)


@pytest.fixture(scope="module")
def wrapper(forum: Forum) -> PostWrapper:
    pages = [forum.page(url) for url in some(forum.urls("thread"), 16)]
    learned = learn_post_wrapper(pages, forum.now)
    assert learned is not None
    return learned


def test_cuts_every_post_with_author_and_own_words(forum: Forum, wrapper: PostWrapper) -> None:
    for url in some(forum.urls("thread"), 25, seed=7):
        cut = wrapper.cut(forum.tree(url), url, forum.now)
        assert cut is not None
        shown = sorted((post.author.name, fold(post.text)) for post in forum.posts_on(url))
        assert sorted((post.author or "", fold(post.text)) for post in cut) == shown


def test_reads_the_posts_own_times(forum: Forum, wrapper: PostWrapper) -> None:
    if forum.skin.name == "lounge":
        pytest.skip("this skin shows no dates at all")
    for url in some(forum.urls("thread"), 10, seed=3):
        times = {fold(post.text): post.time for post in forum.posts_on(url)}
        for post in wrapper.cut(forum.tree(url), url, forum.now) or ():
            assert post.published is not None
            assert abs(to_seconds(post.published) - times[fold(post.text)].timestamp()) < 60


def test_survives_its_json(forum: Forum, wrapper: PostWrapper) -> None:
    again = PostWrapper.from_json(json.loads(json.dumps(wrapper.to_json())))
    url = forum.urls("thread")[0]
    assert again.cut(forum.tree(url), url, forum.now) == wrapper.cut(forum.tree(url), url, forum.now)


def test_a_page_of_another_kind_does_not_fit(forum: Forum, wrapper: PostWrapper) -> None:
    wall = parse("<html><body><form><p>Please log in</p><input type='password'></form></body></html>")
    assert wrapper.cut(wall, "http://forum.test/login", forum.now) is None


def test_confidence_is_high_on_a_regular_site(wrapper: PostWrapper) -> None:
    assert wrapper.confidence > 0.9


def fold(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def sentence(number: int) -> str:
    picked = [WORDS[(number * step + step) % len(WORDS)] for step in (1, 3, 5, 9)]
    return f"I took the {picked[0]} number{number} to the {picked[1]} and the {picked[2]} with a {picked[3]}."


def div_post(number: int, body: str | None = None, below: str = "") -> str:
    name = NAMES[(number * 5) % len(NAMES)]
    return (
        f"<div class='msg n{number}' id='m{number + 100}'><div class='who'><a href='/u/{name}'>{name}</a>"
        f"<i>Joined 2009-01-{number % 28 + 1:02}</i></div>"
        f"<span class='at'>2020-03-{number % 28 + 1:02} 10:{number % 60:02}</span>"
        f"<div class='words'>{body or sentence(number)}</div>{below}"
        f"<a class='q' href='/quote/{number + 100}'>Quote</a></div>"
    )


def learned(pages: int, posts: int, **parts: str) -> PostWrapper:
    return learned_from(lambda number: div_post(number, **parts), pages, posts)


def learned_from(post: Callable[[int], str], pages: int, posts: int) -> PostWrapper:
    wrapper = learn_post_wrapper(numbered_pages(post, pages, posts))
    assert wrapper is not None
    return wrapper


def cut_one(wrapper: PostWrapper, post: str) -> PostRecord:
    page = page_of([post])
    found = wrapper.cut(page.tree, page.url, NOW)
    assert found is not None
    assert len(found) == 1
    return found[0]


def test_a_thread_with_a_single_post_is_cut_like_its_neighbours() -> None:
    post = cut_one(learned(6, 4), div_post(77))
    assert (post.author, post.post_id, post.text) == (NAMES[0], "177", sentence(77))
    assert post.published == datetime(2020, 3, 22, 10, 17)


def test_the_zone_that_every_page_names_is_that_of_its_times() -> None:
    footer = "<p class='foot'>All times are GMT +8</p>"
    pages = [
        page_of([*(div_post(4 * page + place) for place in range(4)), footer], url=f"http://f.test/t/{page}")
        for page in range(6)
    ]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    assert cut_one(wrapper, div_post(77)).published == datetime(2020, 3, 22, 2, 17, tzinfo=UTC)


def listed_post(number: int, *, edits: int = 0) -> str:
    """A post whose time stands in a list, behind the number of its edits if it has any."""
    name = NAMES[(number * 5) % len(NAMES)]
    note = f"<li><a href='/edits/{number}'>{edits}</a></li>" if edits else ""
    return (
        f"<div class='msg' id='m{number + 100}'><b class='who'>{name}</b>"
        f"<ul class='facts'>{note}<li title='2020-03-{number % 28 + 1:02} 10:{number % 60:02}'>Mar 2020</li></ul>"
        f"<div class='words'>{sentence(number)}</div></div>"
    )


def test_a_time_that_an_edit_moves_aside_is_found() -> None:
    wrapper = learn_post_wrapper(numbered_pages(lambda number: listed_post(number, edits=number % 24 == 5), 8, 6))
    assert wrapper is not None
    moment = datetime(2020, 3, 22, 10, 17)
    assert cut_one(wrapper, listed_post(77)).published == moment
    assert cut_one(wrapper, listed_post(77, edits=2)).published == moment


def test_a_title_on_recent_times_alone_says_them_to_the_minute() -> None:
    recent = "<b title='2026-04-30 09:47'>14 hours ago</b>"
    post = cut_one(learned(6, 4), div_post(5).replace("2020-03-06 10:05", recent))
    assert post.published == datetime(2026, 4, 30, 9, 47)
    assert post.published_text == "14 hours ago"


def test_a_box_with_title_starter_and_time_is_no_post() -> None:
    def page(number: int) -> Page:
        title = f"The {WORDS[number]} that {WORDS[number + 1]} took"
        head = f"<div class='about'><h2>{title}</h2><p>Begun by {NAMES[number % 3]}, 2020-02-1{number} 08:00</p></div>"
        posts = [div_post(4 * number + place) for place in range(4)]
        return page_of([head, *posts], title=title, url=f"http://f.test/t/{number}")

    pages = [page(number) for number in range(8)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    found = wrapper.cut(pages[0].tree, pages[0].url, NOW)
    assert found is not None
    assert [post.post_id for post in found] == ["100", "101", "102", "103"]
    assert [post.author for post in found] == [NAMES[number * 5 % len(NAMES)] for number in range(4)]


def test_a_line_that_counts_answers_and_names_the_last_of_them_is_no_post() -> None:
    def page(number: int) -> Page:
        name = NAMES[number % len(NAMES)]
        last = f"<a href='#m{number}'>2020-03-2{number} 08:00</a> by <a href='/u/{name}'>{name}</a>"
        head = f"<ul><li class='state'>{number + 3} answers in {number + 1} voices, the last {last}.</li></ul>"
        posts = [div_post(4 * number + place) for place in range(4)]
        return page_of([head, *posts], title=f"The {WORDS[number]}", url=f"http://f.test/t/{number}")

    pages = [page(number) for number in range(8)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    found = wrapper.cut(pages[0].tree, pages[0].url, NOW)
    assert found is not None
    assert [post.post_id for post in found] == ["100", "101", "102", "103"]


def commented_page(page: int) -> Page:
    """Two answers with some comments, and a comment without words, hidden for scripts to fill in."""

    def comment(number: int, name: str, words: str) -> str:
        return (
            f"<div class='note' id='c{number}'><div class='said'>{words}</div><b class='by'>{name}</b>"
            f"<span class='when'>2020-04-{page + 1:02} 11:{number % 60:02}</span></div>"
        )

    first = page * 10
    notes = [comment(first + n, NAMES[(first + n) % len(NAMES)], sentence(first + n)) for n in range(3, 3 + page % 4)]
    upper, lower = "".join(notes[:1]), "".join(notes[1:])
    hidden = f"<div style='display: none'>{comment(0, '', '')}</div>"
    return page_of(
        [div_post(first, below=upper), div_post(first + 1, below=f"<div class='notes'>{lower}</div>"), hidden],
        title=f"Thread about matter {chr(65 + page)}{chr(97 + page)}",
        url=f"http://f.test/t/{page}",
    )


def test_an_empty_form_for_scripts_does_not_hide_the_comments() -> None:
    pages = [commented_page(page) for page in range(12)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    found = wrapper.cut(pages[6].tree, pages[6].url, NOW)
    assert found is not None
    assert [post.text for post in found if not post.is_blank] == [sentence(n) for n in (60, 63, 61, 64)]
    assert wrapper.confidence > 0.9


def test_a_greeting_that_one_page_shows_makes_no_post_of_that_page() -> None:
    def page(number: int) -> Page:
        greeting = "<div class='hello'><div class='in'>Is this your first visit to us? Read the rules!</div></div>"
        posts = "".join(div_post(4 * number + place) for place in range(4))
        return read_page(
            f"<html><head><title>Matter {chr(65 + number)}</title></head>"
            f"<body class='page {'' if number else 'greeted'}'>{'' if number else greeting}<main>{posts}</main>"
            f"<div class='side'>Seen <i>2020-05-0{number + 1} 10:00</i></div>"
            "<div class='end'><a href='/help'>help</a></div>",
            f"http://f.test/t/{number}",
        )

    pages = [page(number) for number in range(8)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    found = wrapper.cut(pages[0].tree, pages[0].url, NOW)
    assert found is not None
    assert [post.text for post in found] == [sentence(number) for number in range(4)]


def test_join_dates_are_not_the_posts_times() -> None:
    post = cut_one(learned(6, 4), div_post(3))
    assert post.published is not None
    assert post.published.year == 2020


def test_blockquotes_are_quotes_and_not_own_words() -> None:
    post = cut_one(learned(6, 4), div_post(5, "<blockquote><p>Ada wrote:</p>An old line.</blockquote>Mine."))
    assert post.text == "Mine."
    assert [quote.text.splitlines()[-1] for quote in post.quotes] == ["An old line."]
    assert "An old line." in post.html


@pytest.mark.parametrize(
    "header",
    ["Said by: {name} on 2020-03-{day:02} 10:20", "(2020-03-{day:02} 10:20){name} wrote:", "{name} wrote:"],
)
def test_the_header_of_a_quote_names_its_author_and_is_none_of_its_words(header: str) -> None:
    def quoting(number: int) -> str:
        name = NAMES[number * 3 % len(NAMES)]
        head = header.format(name=name, day=number % 28 + 1)
        quote = f"<blockquote><cite><a href='#m{number}'>{head}</a></cite>{sentence(number - 1)}</blockquote>"
        return div_post(number, f"{quote}{sentence(number)}" if number % 3 == 0 else None)

    wrapper = learned_from(quoting, 8, 5)
    head = header.format(name="Stranger van Dam", day=9)
    post = cut_one(wrapper, div_post(77, f"<blockquote><cite><a>{head}</a></cite>An old line.</blockquote>Mine."))
    assert [(quote.author, quote.text) for quote in post.quotes] == [("Stranger van Dam", "An old line.")]
    assert post.text == "Mine."


def test_a_frame_around_quotations_and_code_alike_is_none_of_both() -> None:
    def framed(look: str, words: str) -> str:
        return f"<table class='line'><tr><td><table class='{look}'><tr><td>{words}</td></tr></table></td></tr></table>"

    def opaque(number: int) -> str:
        return "".join(Random(number).choices("bcdfghjklm", k=60))

    def showing(number: int) -> str:
        name = NAMES[(number - 1) * 5 % len(NAMES)]
        quote = f"<b>{name} wrote:</b>{framed('said', sentence(number - 1))}"
        code = f"<b>Code:</b>{framed('code', opaque(number))}"
        inside = {0: f"{quote}{sentence(number)}", 1: f"{sentence(number)}{code}"}.get(number % 3)
        return div_post(number, inside)

    wrapper = learned_from(showing, 10, 5)
    quoting, coding = cut_one(wrapper, showing(99)), cut_one(wrapper, showing(100))
    assert (quoting.text, [quote.text for quote in quoting.quotes]) == (sentence(99), [sentence(98)])
    assert coding.text.endswith(opaque(100))


def test_boxes_without_a_class_are_told_apart_by_what_their_styles_set() -> None:
    def showing(number: int) -> str:
        name, other = NAMES[number * 5 % len(NAMES)], NAMES[(number - 1) * 5 % len(NAMES)]
        when = f"2020-03-{number % 28 + 1:02} 10:{number % 60:02}"
        head = (
            f"<div style='float: left'><a href='#m{number}'>#</a> {when}</div>"
            f"<div style='float:right; width: 50%'><a href='/answer/{number}'>answer</a></div><br><hr>"
        )
        quote = f"<b>Said</b> once by {other}<br><div style='border: 1px solid; margin: 0'>{sentence(number - 1)}</div>"
        words = f"{quote if number % 3 == 0 else ''}<br>{sentence(number)}"
        return f"<table class='post'><tr><td><a href='/u/{name}'>{name}</a></td><td>{head}{words}</td></tr></table>"

    post = cut_one(learned_from(showing, 10, 5), showing(99))
    assert (post.text, [(quote.author, quote.text) for quote in post.quotes]) == (
        sentence(99),
        [(NAMES[98 * 5 % len(NAMES)], sentence(98))],
    )


def test_a_box_whose_first_line_names_nobody_is_no_quote_where_quotes_name_somebody() -> None:
    def showing(number: int) -> str:
        quote = (
            f"<div class='q'><b>{NAMES[(number - 1) * 5 % len(NAMES)]} wrote:</b><p>{sentence(number - 1)}</p></div>"
        )
        code = f"<div class='c'><ol><li>for one in range({number}):</li><li>turn({number})</li></ol></div>"
        inside = {0: f"{quote}{sentence(number)}", 1: f"{sentence(number)}{code}"}.get(number % 6)
        return div_post(number, inside)

    wrapper = learned_from(showing, 10, 6)
    coding = cut_one(wrapper, showing(97))
    assert (coding.text.splitlines()[-2:], coding.quotes) == (["for one in range(97):", "turn(97)"], ())
    assert [quote.text for quote in cut_one(wrapper, showing(96)).quotes] == [sentence(95)]


def test_a_line_of_the_body_that_tells_only_the_number_and_the_time_is_none_of_its_words() -> None:
    def headed(number: int) -> str:
        name, when = NAMES[number * 3 % len(NAMES)], f"2020-03-{number % 28 + 1:02} at 10:{number % 60:02}"
        line = f"# Answer: {number} - {when} <a name='a{number}'></a><hr>"
        who = f"<a href='/u/{name}'>{name}</a><br>Posts: {number % 7}"
        return f"<table class='post'><tr><td>{who}</td><td>{line}{sentence(number)}</td></tr></table>"

    post = cut_one(learned_from(headed, 8, 5), headed(77))
    assert (post.text, post.published_text) == (sentence(77), "2020-03-22 at 10:17")


@pytest.mark.parametrize("links", [False, True], ids=["by ids and times", "by their permalinks alone"])
def test_rules_between_posts_belong_to_none_of_them(links: bool) -> None:
    def parted(number: int) -> str:
        link, mark = f"<a href='/post/{number}#p{number}'>#</a>", f"id='m{number}'"
        when = link if links else f"2020-03-{number % 28 + 1:02} 10:17"
        head = f"<p {'' if links else mark}><b>{NAMES[number * 5 % len(NAMES)]}</b> {when}</p>"
        return f"{head}<div class='words'><p>{sentence(number)}</p></div><div class='tools'><a href='#'>Quote</a></div>"

    def page(*numbers: int) -> Page:
        tools = f"<div class='tools'><a href='/print/{numbers[0]}'>Print this thread</a></div>"
        posts = "<hr>".join(map(parted, numbers))
        return read_page(f"<h1>About {numbers[0]}</h1><div>{tools}{posts}</div>", f"http://f.test/t/{numbers[0]}")

    wrapper = learn_post_wrapper([page(*range(n, n + 1 + n % 2)) for n in range(10, 50, 3)])
    assert wrapper is not None
    shown = page(70, 71)
    assert [post.text for post in wrapper.cut(shown.tree, shown.url, NOW) or ()] == [sentence(70), sentence(71)]


def test_a_quote_keeps_the_words_that_a_break_parts_from_its_header() -> None:
    def quoting(number: int) -> str:
        name = NAMES[number % len(NAMES)]
        quoted = f"<blockquote><p>{name} wrote:<br>Yes {number}.</p><p>{sentence(number + 50)}</p></blockquote>"
        return div_post(number, f"{quoted}{sentence(number)}" if number % 2 else None)

    wrapper = learned_from(quoting, 8, 4)
    (quote,) = cut_one(wrapper, quoting(5)).quotes
    assert quote.author == NAMES[5 % len(NAMES)]
    assert quote.text == f"Yes 5.\n{sentence(55)}"


def test_a_body_that_begins_with_a_quotation_is_not_quoted_as_a_whole() -> None:
    def quoting(number: int) -> str:
        name = NAMES[(number - 1) * 5 % len(NAMES)]
        quote = f"<blockquote><p>{name} wrote:</p><p>{long(number - 1)}</p></blockquote>"
        return div_post(number, f"<div>{quote}<p>{long(number)}</p></div>" if number % 3 == 0 else long(number))

    def long(number: int) -> str:
        return f"{sentence(number)} {sentence(number + 500)}"

    post = cut_one(learned_from(quoting, 8, 5), quoting(99))
    assert (post.text, [quote.text for quote in post.quotes]) == (long(99), [long(98)])


def test_a_post_that_wears_another_class_than_all_sampled_ones_has_its_author() -> None:
    def listed(number: int, state: str = "open") -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<li id='m{number + 100}'><div class='top'><i>2020-03-{number % 28 + 1:02} 10:{number % 60:02}</i></div>"
            f"<div class='post entry is-{state}'><p class='who'><a href='/u/{name}'>{name}</a></p>"
            f"<div class='words'>{sentence(number)}</div></div></li>"
        )

    wrapper = learned_from(listed, 6, 4)
    post = cut_one(wrapper, listed(3, "closed"))
    assert (post.author, post.text) == (NAMES[15 % len(NAMES)], sentence(3))


def test_who_began_the_thread_wears_a_class_and_is_named_in_the_place_of_all_names() -> None:
    def said(number: int, worn: str = "") -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        began = worn or ("began" if number % 10 == 5 else "")
        return (
            f"<div class='said'><p class='line'><a name='m{number}'></a> <a href='/u/{name}'><img src='a.png'></a> "
            f"<a href='/u/{name}' class='{began}'>{name}</a> <i>2020-03-{number % 28 + 1:02} 10:{number % 60:02}</i> "
            f"<a href='/t/1#m{number}'>link</a></p><div class='txt'>{sentence(number)}</div></div>"
        )

    wrapper = learned_from(said, pages=5, posts=6)
    assert cut_one(wrapper, said(75)).author == cut_one(wrapper, said(75, "other")).author == NAMES[375 % len(NAMES)]


def test_a_numbered_post_of_another_class_and_depth_than_all_sampled_ones_is_a_post() -> None:
    def answer(number: int, state: str = "even", inside: str = "") -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<section class='{state}' id='answer-{number}'><b>{name}</b> <i>2020-03-{number % 28 + 1:02} 10:00</i>"
            f"<div class='txt'>{sentence(number)}</div>{inside}</section>"
        )

    wrapper = learned_from(answer, 6, 3)
    page = page_of([answer(30), answer(31, "odd"), answer(32, inside=f"<div>{answer(33, 'odd')}</div>")])
    posts = wrapper.cut(page.tree, page.url, NOW) or ()
    assert [post.post_id for post in posts] == ["30", "31", "32", "33"]
    assert [post.text for post in posts] == [sentence(number) for number in range(30, 34)]


def test_what_a_site_numbers_like_its_posts_is_a_post_and_the_one_it_answers_did_not_write_it() -> None:
    def by(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return f"<a href='/u/{name}'>{name}</a>"

    def answer(number: int, to: int) -> str:
        return (
            f"<div class='answer' id='m{number}'><div class='head'><div class='name'>{by(number)}</div>"
            f"<i>2020-03-{number % 28 + 1:02} 10:00</i></div><p class='to'>to <a href='/t/1#m{to}'><span>"
            f"{NAMES[(to * 5) % len(NAMES)]}</span></a></p><div class='said'>{sentence(number)}</div></div>"
        )

    def post(number: int, *, answered: bool = False) -> str:
        shown = f"<div class='below'>{answer(number + 500, number)}</div>"
        below = shown if number in (9, 20) or answered else ""
        return (
            f"<div class='post' id='m{number}'><p class='name'>{by(number)}</p>"
            f"<i>2020-03-{number % 28 + 1:02} 11:00</i><div class='words'>{sentence(number)}</div></div>{below}"
        )

    wrapper = learned_from(post, 8, 5)
    page = page_of([post(40, answered=True), post(41)])
    posts = wrapper.cut(page.tree, page.url, NOW) or ()
    assert [(post.post_id, post.text) for post in posts] == [(str(n), sentence(n)) for n in (40, 540, 41)]
    assert [post.author for post in posts] == [NAMES[(n * 5) % len(NAMES)] for n in (40, 540, 41)]


def test_names_are_found_beside_the_same_words_linked_or_not() -> None:
    def comment(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        shown = name if number % 3 else f"<a href='http://{name.lower()}.example/'>{name}</a>"
        return (
            f"<article id='c{number}'><h4>{shown} on <time>March {number % 28 + 1}, 2020</time>:</h4>"
            f"<div class='txt'>{sentence(number)}</div></article>"
        )

    wrapper = learned_from(comment, 6, 5)
    assert [cut_one(wrapper, comment(number)).author for number in (41, 42)] == [NAMES[205 % 7], NAMES[210 % 7]]


def test_a_label_that_mostly_stands_alone_is_none_of_a_name() -> None:
    def post(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        subject = f"The {WORDS[number % len(WORDS)]} again" if number % 6 == 0 else ""
        return (
            f"<div id='m{number}'><i>2020-03-{number % 28 + 1:02} 10:00</i> <span>Subject: {subject}</span>"
            f"<b>{name}</b><div class='txt'>{sentence(number)}</div></div>"
        )

    wrapper = learned_from(post, 6, 6)
    assert [cut_one(wrapper, post(number)).author for number in (41, 42)] == [NAMES[205 % 7], NAMES[210 % 7]]


def test_guests_are_named_in_the_text_before_the_place_of_a_link_and_not_by_how_long_ago_they_wrote() -> None:
    def post(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        by = "Anonymous" if number % 4 == 0 else f"<a class='who' href='/u/{number % 7}'>{name}</a>"
        day = f"title='2020-03-{number % 28 + 1:02} 10:00' href='/day/{number % 28 + 1}'"
        ago = f"<a {day}>almost {number % 3 + 5} years</a>"
        return f"<div id='m{number}'><h4>Added by {by} {ago} ago</h4><div class='txt'>{sentence(number)}</div></div>"

    wrapper = learned_from(post, 8, 6)
    assert [cut_one(wrapper, post(number)).author for number in (41, 44)] == [NAMES[205 % 7], "Anonymous"]


def test_a_sign_between_name_and_time_is_none_of_the_name() -> None:
    def post(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<div class='message'><div>\n{name}, \n2020-03-{number % 28 + 1:02} 10:{number % 60:02}</div>"
            f"<div><p>{sentence(number)}</p></div></div>"
        )

    wrapper = learned_from(post, 6, 5)
    assert [cut_one(wrapper, post(number)).author for number in (41, 42)] == [NAMES[205 % 7], NAMES[210 % 7]]


def test_a_short_post_that_shares_a_box_with_its_head_keeps_its_words() -> None:
    def post(number: int, body: str) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<div class='item'><div class='face'><img src='/f.png'></div><div class='all'>"
            f"<div class='head'><div><a class='who' href='/u/{number % 7}'>{name}</a></div>"
            f"<p class='at'>{number % 28 + 1} Nov 2023</p></div><a class='text'>{body}</a></div></div>"
        )

    wrapper = learned_from(lambda number: post(number, f"{sentence(number)} {sentence(number + 3)}"), 6, 5)
    found = cut_one(wrapper, post(41, "Just so."))
    assert (found.author, found.text) == (NAMES[205 % 7], "Just so.")


def test_where_nobody_is_named_neither_a_rank_nor_a_subject_is_a_name() -> None:
    def post(number: int, subject: str) -> str:
        return (
            f"<li><div class='head'><span class='about'>{subject}</span> "
            f"<time datetime='2020-03-{number % 28 + 1:02}T10:{number % 60:02}'>10:{number % 60:02}</time></div>"
            f"<div class='rank'>Regular</div><div class='told'>Posts: {number * 7}</div>"
            f"<div class='words'><p>{sentence(number)}</p></div></li>"
        )

    def page(thread: int) -> Page:
        subject = f"{WORDS[thread]} and {WORDS[thread + 1]}"
        posts = "".join(post(5 * thread + at, f"Re: {subject}" if at else subject) for at in range(4))
        return read_page(f"<h1>About the {thread}</h1><ol>{posts}</ol>", f"http://f.test/t/{thread}")

    wrapper = learn_post_wrapper([page(thread) for thread in range(8)])
    assert wrapper is not None
    found = wrapper.cut(page(9).tree, "http://f.test/t/9", NOW)
    assert [one.author for one in found or ()] == [None] * 4


def test_where_nobody_is_named_those_who_are_answered_wrote_nothing() -> None:
    def post(number: int, answered: str) -> str:
        to = f"<span class='to'>in reply to <a href='/u/{answered}'>{answered}</a></span>" if answered else ""
        return (
            f"<li><div class='head'><time datetime='2020-03-{number % 28 + 1:02}T10:00'>10 March</time> {to}"
            f"</div><div class='words'><p>{sentence(number)}</p></div></li>"
        )

    def page(thread: int) -> Page:
        posts = "".join(post(5 * thread + at, NAMES[(thread + at) % 7] if at else "") for at in range(5))
        return read_page(f"<h1>About the {thread}</h1><ol>{posts}</ol>", f"http://f.test/t/{thread}")

    wrapper = learn_post_wrapper([page(thread) for thread in range(8)])
    assert wrapper is not None
    found = wrapper.cut(page(9).tree, "http://f.test/t/9", NOW)
    assert [one.author for one in found or ()] == [None] * 5


def test_what_every_post_says_with_another_number_is_nobodys_name() -> None:
    def post(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<tr><th><a href='/m{number}'>m{number} (view)</a></th><th>Author: {name}</th>"
            f"<th>Date: 2020-03-{number % 28 + 1:02} 10:{number % 60:02}</th></tr>"
            f"<tr><td colspan=3><pre>{sentence(number)}</pre></td></tr>"
        )

    def page(posts: Sequence[str], number: int = 0) -> Page:
        rows = "".join(posts)
        return read_page(f"<h1>Thread {number}</h1><table>{rows}</table>", f"http://f.test/t/{number}")

    pages = [page([post(7 * one + two) for two in range(one + 1)], one) for one in range(1, 7)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    found = wrapper.cut(page([post(61), post(62)]).tree, "http://f.test/t/0", NOW)
    assert [one.author for one in found or ()] == [NAMES[305 % 7], NAMES[310 % 7]]


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        ("On Dec. 1, 2024, 7:53 a.m. - Oda wrote:", "Oda"),
        ("On Dec. 1, 2024, 7:53 a.m. - 5 May wrote:", "5 May"),
        ("On Dec. 1, 2024, 7:53 a.m. - wrote:", ""),
    ],
)
def test_a_name_that_reads_like_a_day_stays_beside_the_time(shown: str, name: str) -> None:
    assert AuthorField((), "On - ", " wrote:", mixed=True).strip(shown) == name


@pytest.mark.parametrize(
    "shown", ["Jo Lee <jo@x.example>", "Jo Lee <jo.lee(at)x(dot)example>", "Jo Lee (jo at x.example)", "Jo Lee"]
)
def test_an_address_of_mail_behind_a_name_is_no_part_of_it(shown: str) -> None:
    assert AuthorField(()).strip(shown) == "Jo Lee"


def test_a_token_glued_to_its_label_after_the_time_is_no_name() -> None:
    def post(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        token = f"{Random(number).getrandbits(40):010x}"
        shown = f"<font><b>{name}</b></font>" if number % 9 < 5 else f"<a href='mailto:sage'><b>{name}</b></a>"
        return f"<dt>{number} : {shown} : 2020/03/{number % 28 + 1:02} 10:00 ID:{token}</dt><dd>{sentence(number)}</dd>"

    wrapper = learned_from(post, 6, 6)
    assert [cut_one(wrapper, post(number)).author for number in (41, 42)] == [NAMES[205 % 7], NAMES[210 % 7]]


def test_html_keeps_absolute_links_and_no_buttons() -> None:
    post = cut_one(learned(6, 4), div_post(6, "See <a href='/t/9#m3' onclick='x()'>there</a>.<button>Report</button>"))
    assert post.html == 'See <a href="http://f.test/t/9#m3">there</a>.'
    assert post.text == "See there."


def test_a_link_that_many_posts_call_alike_is_part_of_their_sentences() -> None:
    def linking(number: int) -> str:
        return div_post(
            number, f"{sentence(number)} See <a class='out' href='http://x.test/{number}'>here</a> for more."
        )

    wrapper = learned_from(linking, 8, 5)
    assert cut_one(wrapper, linking(99)).text == f"{sentence(99)} See here for more."


def test_code_that_many_posts_repeat_is_their_own() -> None:
    def coding(number: int) -> str:
        return div_post(number, f"{sentence(number)}<div class='code'><pre class='c'>make && make install</pre></div>")

    wrapper = learned_from(coding, 8, 5)
    assert "make && make install" in cut_one(wrapper, coding(99)).text


def test_the_words_of_a_language_that_comes_up_in_many_posts_are_their_own() -> None:
    def coding(number: int) -> str:
        code = f"<pre><code><span class='nb'>set</span> x{number} <span class='o'>=</span> {number}</code></pre>"
        return div_post(number, f"{sentence(number)} {sentence(number + 500)}{code}")

    wrapper = learned_from(coding, 8, 5)
    assert "set x99 = 99" in cut_one(wrapper, coding(99)).text


def test_code_that_reads_like_a_date_is_no_note_of_an_edit() -> None:
    def coding(number: int) -> str:
        # "6 set" is a day of September in three languages
        code = f"<pre class='wiki'>set boat = 6\nset sail = {number % 20 + 1}\n</pre>"
        return div_post(number, f"<p>{sentence(number)}</p>{code}" if number % 2 else None)

    wrapper = learned_from(coding, 8, 5)
    assert cut_one(wrapper, coding(91)).text == f"{sentence(91)}\nset boat = 6\nset sail = 12"


def test_code_at_the_end_of_a_post_is_no_note_of_an_edit_where_no_sampled_post_had_any() -> None:
    wrapper = learned_from(div_post, 8, 5)
    code = "set drain.violin = 8\nset tank.window = 13\nset invoice.spoke = 16"
    post = cut_one(wrapper, div_post(91, f"<p>{sentence(91)}</p><pre class='wiki'>{code}</pre>"))
    assert (post.text, post.edited) == (f"{sentence(91)}\n{code}", None)


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("(2029-05-06 01:44 edited)", True),
        ("[Edited on 2029-05-06 01:44 by Ann]", True),
        ("（2029-05-06 01:44 編集）", True),
        ("(2001-05-06 01:44 it was)", False),
        ("(I was there on 2029-05-06 01:44 and saw all of them)", False),
        ("2029-05-06 01:44", False),
    ],
)
def test_a_last_line_in_brackets_that_tells_a_later_time_is_no_word_of_the_post(line: str, note: bool) -> None:
    wrapper = learned_from(div_post, 8, 5)
    post = cut_one(wrapper, div_post(91, f"{sentence(91)}<br><br>{line}"))
    assert (post.text, post.edited is not None) == (sentence(91) if note else f"{sentence(91)}\n{line}", note)
    beside = cut_one(wrapper, div_post(91, f"{sentence(91)} <b>All of it</b> {line}"))
    assert beside.text == f"{sentence(91)} All of it {line}"


def test_code_that_is_most_of_a_short_post_is_no_note_of_an_edit() -> None:
    def coding(number: int) -> str:
        code = f"<pre><code class='lang'>set boat = 6\nset sail = {number % 20 + 1}\n</code></pre>"
        return div_post(number, f"<p>{number} works.</p>{code}" if number % 2 else None)

    post = cut_one(learned_from(coding, 8, 5), coding(91))
    assert (post.text, post.edited) == ("91 works.\nset boat = 6\nset sail = 12", None)


def test_where_the_newest_post_stands_first_quotations_and_their_headers_are_known() -> None:
    def quoting(number: int) -> str:
        name = NAMES[(number + 1) * 5 % len(NAMES)]
        head = f"<a class='to' href='#m{number + 101}'>{name} wrote</a> on May 3<sup>rd</sup>, 2004 at 2:05pm:<br>"
        quote = f"{head}<div class='said'>{sentence(number + 1)}</div>{sentence(number)}"
        post = div_post(number, quote if number % 5 in (0, 2) else None)
        return re.sub(r"2020-03-\d\d 10:\d\d", f"2020-03-{28 - number % 5} 10:00", post)

    wrapper = learned_from(quoting, 8, 5)
    post = cut_one(wrapper, quoting(10))
    assert (post.text, [quote.text for quote in post.quotes]) == (sentence(10), [sentence(11)])


def test_a_button_that_every_post_shows_is_none_of_its_words() -> None:
    def copied(number: int) -> str:
        return div_post(
            number, f"{sentence(number)}<p>Code: <a class='copy' href='#'>Select all</a></p><pre>{number}</pre>"
        )

    wrapper = learned_from(copied, 8, 5)
    assert "Select all" not in cut_one(wrapper, copied(99)).text


def test_a_list_of_buttons_right_behind_the_words_is_none_of_them() -> None:
    def listed(number: int) -> str:
        ways = "".join(f"<li><a href='/{way}/{number}'>{way}</a></li>" for way in ("Report", "Watch", "Cite"))
        return div_post(number, f"{sentence(number)}<ul class='ways'>{ways}</ul>")

    wrapper = learned_from(listed, 8, 5)
    assert cut_one(wrapper, listed(99)).text == sentence(99)


def test_a_last_line_that_nearly_all_posts_have_is_none_of_their_words() -> None:
    def tailed(number: int) -> str:
        ways = f"<a href='/say?{number}'>answer this</a> | <a href='/all'>see all {number} letters of the thread</a>"
        return div_post(number, f"{sentence(number)}<br>{ways}")

    wrapper = learned_from(tailed, 8, 5)
    assert cut_one(wrapper, tailed(99)).text == sentence(99)
    assert cut_one(wrapper, div_post(98, f"{sentence(98)}<br>See all letters.")).text.endswith("See all letters.")


def test_a_link_above_the_words_of_all_posts_is_none_of_them() -> None:
    def headed(number: int) -> str:
        return div_post(number, f"<div style='float: right'><a href='/say?{number}'>quote</a></div>{sentence(number)}")

    wrapper = learned_from(headed, 8, 5)
    assert cut_one(wrapper, headed(99)).text == sentence(99)


def test_a_box_with_the_title_of_its_thread_is_none_of_a_posts_words() -> None:
    def titled(number: int) -> str:
        page = number // 5
        mark = "Re: " if number % 5 else ""
        title = f"{mark}Thread about matter {chr(65 + page)}{chr(97 + page)}"
        head = f"<div class='top'><b>{title}</b> <a href='#m{number + 100}'>#{number % 5 + 1}</a></div>"
        return div_post(number, f"{head}{sentence(number)} <b class='loud'>Thread number {number}</b>")

    wrapper = learned_from(titled, 8, 5)
    assert cut_one(wrapper, titled(38)).text == f"{sentence(38)} Thread number 38"


def test_a_label_above_quotations_that_names_nobody_is_none_of_a_posts_words() -> None:
    def quoting(number: int) -> str:
        name = NAMES[(number - 1) * 5 % len(NAMES)]
        said = f"Quotation:<div class='said'><blockquote><br>{name} wrote:<br>{sentence(number - 1)}</blockquote></div>"
        return div_post(number, f"{said}<br>{sentence(number)}" if number % 3 == 0 else None)

    post = cut_one(learned_from(quoting, 8, 5), quoting(99))
    assert post.text == sentence(99)
    assert [(quote.author, quote.text) for quote in post.quotes] == [(NAMES[98 * 5 % len(NAMES)], sentence(98))]


def test_a_list_inside_a_post_stays_in_it() -> None:
    body = "<ul><li>one thing</li><li>another</li></ul><table><tr><td>a</td><td>b</td></tr></table>"
    post = cut_one(learned(6, 4), div_post(6, body))
    assert post.text.split() == ["one", "thing", "another", "a", "b"]


def test_a_signature_that_comes_back_below_an_authors_posts_is_left_out() -> None:
    def signed(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return div_post(number, f"{sentence(number)}<p class='sig'>{name} likes old machines</p>")

    wrapper = learned_from(signed, 8, 5)
    assert cut_one(wrapper, signed(99)).text == sentence(99)


def test_labels_and_boxes_in_one_another_are_no_signatures() -> None:
    def coding(number: int) -> str:
        label = "Code:" if NAMES[(number * 5) % len(NAMES)] < "M" else "Listing:"
        code = f"<table><tr><td><table><tr><td>run {number} {sentence(number + 50)}</td></tr></table></td></tr></table>"
        return div_post(number, f"{sentence(number)}<br><b>{label}</b>{code}")

    wrapper = learned_from(coding, 8, 5)
    assert cut_one(wrapper, coding(99)).text.endswith(f"run 99 {sentence(149)}")


def test_a_note_of_an_edit_is_a_time_and_no_words() -> None:
    def edited(number: int) -> str:
        note = f"<p class='later'>Last changed 2021-05-{number % 28 + 1:02} 11:30</p>" if number % 3 == 0 else ""
        return div_post(number, sentence(number) + note)

    wrapper = learned_from(edited, 8, 5)
    post = cut_one(wrapper, edited(99))
    assert post.text == sentence(99)
    assert post.edited == datetime(2021, 5, 16, 11, 30)


def test_a_note_of_an_edit_is_known_where_people_have_names_of_two_words() -> None:
    def edited(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        whole = f"{name} {('Brook', 'Stone', 'Hill')[number % 3]}"
        note = f"<br>Changed by {whole} on 2021-05-{number % 28 + 1:02} 11:30" if number % 4 == 0 else ""
        return div_post(number, sentence(number) + note.replace(whole, name)).replace(name, whole)

    wrapper = learned_from(edited, 8, 5)
    post = cut_one(wrapper, edited(96))
    assert (post.text, post.edited) == (sentence(96), datetime(2021, 5, 13, 11, 30))


def test_a_note_of_an_edit_beside_the_posts_time_is_found_too() -> None:
    def edited(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        note = (
            f"<em class='later'>(changed 2021-05-{number % 28 + 1:02} 11:30 by {name})</em>" if number % 5 == 0 else ""
        )
        return div_post(number).replace("</span><div class='words'>", f" {note}</span><div class='words'>")

    wrapper = learned_from(edited, 8, 5)
    posts = [cut_one(PostWrapper.from_json(wrapper.to_json()), edited(number)) for number in (95, 96)]
    assert [post.edited for post in posts] == [datetime(2021, 5, 12, 11, 30), None]
    assert [post.published for post in posts] == [datetime(2020, 3, day, 10, day + 23) for day in (12, 13)]


def test_comments_inside_comments_know_what_they_answer() -> None:
    def comment(number: int, inner: str = "") -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<li class='c' id='c{number}'><article><b>{name}</b> "
            f"<time datetime='2020-03-{number % 28 + 1:02}T10:00:00Z'>March</time>"
            f"<div class='txt'><p>{sentence(number)}</p></div></article>{inner}</li>"
        )

    def nest(number: int) -> str:
        return comment(number * 2, f"<ol>{comment(number * 2 + 1)}</ol>" if number % 2 else "")

    wrapper = learned_from(nest, 6, 6)
    page = page_of([nest(7), nest(8)])
    posts = wrapper.cut(page.tree, page.url, NOW) or ()
    assert [(post.post_id, post.reply_to, post.depth) for post in posts] == [
        ("14", None, 0),
        ("15", "14", 1),
        ("16", None, 0),
    ]


def test_pages_without_posts_teach_nothing() -> None:
    assert learn_post_wrapper([]) is None
    assert posts_of(page_of(["<ul><li><a href='/a'>Rules</a></li><li><a href='/b'>Search</a></li></ul>"])) == ()


def test_the_general_reader_reads_a_single_saved_page() -> None:
    posts = posts_of(page_of([div_post(number) for number in range(8)]))
    assert [post.text for post in posts] == [sentence(number) for number in range(8)]
    assert {post.author for post in posts} <= set(NAMES)


@pytest.mark.parametrize("html", ["", "<p>", "just words", "<table><tr><td>1" * 300, "\x00\ud800<div>", "<div>" * 2000])
def test_the_general_reader_never_fails(html: str) -> None:
    assert isinstance(posts_of(read_page(html, "http://f.test/")), tuple)


def test_a_time_that_only_attributes_hold_is_not_shown_by_the_words_of_the_post() -> None:
    def stamped(number: int) -> str:
        at = datetime(2020, 3, number % 28 + 1, 10, number % 60, tzinfo=UTC)
        name = NAMES[(number * 5) % len(NAMES)]
        return (
            f"<li class='msg' data-stamp='{int(at.timestamp())}'><a href='/u/{name}'>{name}</a>"
            f"<a class='ago' title='{at:%Y-%m-%dT%H:%M:%SZ}'></a><div class='words'>{sentence(number)}</div></li>"
        )

    wrapper = learned_from(stamped, 6, 4)
    post = cut_one(wrapper, stamped(77))
    assert post.published == datetime(2020, 3, 22, 10, 17, tzinfo=UTC)
    assert post.published_text == "2020-03-22T10:17:00Z"


def test_whose_words_follow_is_no_word_of_the_post_even_where_the_author_is_not_on_the_page() -> None:
    def answered(number: int, of: str | None = None) -> str:
        title = f"Thread about matter {chr(65 + number // 4)}{chr(97 + number // 4)}"
        of = of or NAMES[((number - 1) * 5) % len(NAMES)]
        header = f"<p><a href='/u/{of}'>@<b>{of}</b></a> said in <a href='/p/{number - 1}'>{title}</a>:</p>"
        quoted = f"<blockquote><p>{sentence(number - 1)}</p></blockquote>"
        return div_post(number, f"{header}{quoted}<p>{sentence(number)}</p>")

    wrapper = learn_post_wrapper(numbered_pages(lambda n: answered(n) if n % 2 else div_post(n), 8, 4))
    assert wrapper is not None
    post = cut_one(wrapper, answered(77, of="Zoe"))
    assert (post.text, post.quotes[0].author) == (sentence(77), "Zoe")


def test_a_letter_is_its_preformatted_text_and_not_the_subjects_around_it() -> None:
    def letter(number: int) -> str:
        name = NAMES[(number * 5) % len(NAMES)]
        around = "".join(
            f"<li>{way}: <a href='/l/{number + step}'>About the {WORDS[(number + step) % len(WORDS)]}</a></li>"
            for way, step in (("Previous", -1), ("Next", 1))
        )
        return (
            f"<h2>About the {WORDS[number % len(WORDS)]}</h2><ul><li>From: {name}</li>"
            f"<li>Date: 2020-03-{number % 28 + 1:02} 10:{number % 60:02}</li></ul><hr>"
            f"<pre>{sentence(number)}\n\n{sentence(number + 40)}\n</pre><hr><ul>{around}</ul>"
        )

    wrapper = learned_from(letter, 12, 1)
    assert cut_one(wrapper, letter(77)).text == f"{sentence(77)}\n{sentence(117)}"
