"""How the ways to cut posts are weighed against each other."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import get_type_hints

import pytest
from tests.learn.wrapperpages import numbered_pages, page_of, posts_of

from thrawl.lab.random.site import ORIGIN, forum
from thrawl.learn.wrappers.authorevidence import AuthorEvidence
from thrawl.learn.wrappers.authors import AUTHORS
from thrawl.learn.wrappers.choosing import choose_shapes
from thrawl.learn.wrappers.evidence import Evidence, weigh_evidence
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.learn.wrappers.proposing import RECORDS, propose, rank_proposals
from thrawl.learn.wrappers.sample import take_samples
from thrawl.page.reading import Page, read_page
from thrawl.profile.folding import fold
from thrawl.profile.models import Model, shipped_model
from thrawl.profile.pagermodel import PAGERS
from thrawl.profile.pagermodel import Evidence as PagerEvidence

SENTENCES = (
    "The tide was out when we came to the harbour this morning.",
    "Nobody had told the pilot that the lock would stay closed.",
    "We rowed back and mended the net with some old rope.",
    "My neighbour lent us a lamp for the way through the fog.",
)


def post(number: int, words: str) -> str:
    name = ("Ada", "Bo", "Cleo")[number % 3]
    return (
        f"<div class='msg' id='m{number}'><a href='/u/{name}'>{name}</a> <span>2020-03-0{number + 1} 10:00</span>"
        f"<div class='words'>{words}</div></div>"
    )


@pytest.mark.parametrize(
    ("question", "figures"), [(RECORDS, Evidence), (AUTHORS, AuthorEvidence), (PAGERS, PagerEvidence)]
)
def test_a_shipped_model_weighs_every_figure_and_no_other(question: str, figures: type) -> None:
    assert list(shipped_model(question).weights) == list(get_type_hints(figures))


def test_a_model_says_more_the_more_speaks_for_a_cut() -> None:
    model = Model(-1.0, {"covered": 2.0, "crowded": -3.0})
    (proposal, *_) = propose(take_samples([page_of([post(n, words) for n, words in enumerate(SENTENCES)])]))
    best = replace(proposal.evidence, covered=1.0, crowded=0.0)
    assert model.probability(best) > model.probability(replace(best, covered=0.2))
    assert model.probability(best) > 0.5 > model.probability(replace(best, crowded=1.0))


def test_a_cut_gets_no_finer_by_leaving_out_pages() -> None:
    full = page_of([post(n, words) for n, words in enumerate(SENTENCES)])
    without = page_of([f"<p>{' '.join(SENTENCES)}</p>"])
    (proposal, *_) = propose(take_samples([full]))
    all_pages = weigh_evidence(take_samples([full, without]), proposal.shapes)
    assert (proposal.evidence.paged, all_pages.paged) == (1.0, 0.5)
    assert all_pages.fine < proposal.evidence.fine


def test_a_block_that_holds_all_posts_hides_no_disorder_among_them() -> None:
    days = (7, 2, 8, 3)  # by votes
    inside = "".join(
        post(n, words).replace(f"0{n + 1} 10", f"0{day} 10")
        for n, (day, words) in enumerate(zip(days, SENTENCES, strict=True))
    )
    page = page_of([f"<div class='all'><b>Zoe</b> <i>2020-03-01 09:00</i><p>{SENTENCES[0] * 2}</p>{inside}</div>"])
    found = [one.evidence for one in propose(take_samples([page])) if one.evidence.fine > 0.3]
    assert len(found) > 1
    assert max(one.ordered for one in found) < 0.5


@pytest.mark.parametrize(
    "around", ["{}", "<div class='all'><h1>The tide</h1>{}<form><textarea></textarea></form></div>"]
)
def test_a_cut_that_no_fields_could_make_the_best_is_not_weighed(around: str) -> None:
    said = "".join(post(n, words) for n, words in enumerate(SENTENCES))
    samples = take_samples([page_of([around.format(said)])])
    model = shipped_model(RECORDS)
    every, weighed = (rank_proposals(propose(samples, one), model) for one in (None, model))
    assert weighed[0] == every[0]
    assert len(weighed) < len(every)


def test_the_runner_up_is_kept() -> None:
    page = page_of([post(n, words) for n, words in enumerate(SENTENCES)])
    ranked = rank_proposals(propose(take_samples([page])), shipped_model(RECORDS))
    assert len(ranked) > 1
    assert [probability for probability, _ in ranked] == sorted((one for one, _ in ranked), reverse=True)


def test_words_whose_authors_stand_in_rows_above_them_are_cut_with_these_where_no_time_says_so() -> None:
    site = forum(171034)
    urls = [url for url, kind in site.canonical_urls(ORIGIN) if kind == "thread"][:6]
    pages = [read_page(str(site.answer(url.removeprefix(ORIGIN)).body), url) for url in urls]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    for url, page in zip(urls, pages, strict=True):
        cut = wrapper.cut(page.tree, url, datetime(2026, 1, 1, tzinfo=UTC)) or ()
        assert [post.author for post in cut] == [post.author.name for post in site.posts_at(url.removeprefix(ORIGIN))]


def test_an_opening_post_whose_element_holds_the_replies_is_a_post_of_its_own() -> None:
    opening = (
        "<div class='node'><div class='meta'>by <b>Dan</b> on 2020-03-01 09:00</div>"
        f"<div class='content'>Where does one find a pilot for the lock these days? {' '.join(SENTENCES)}</div>"
        f"<div class='replies'>{''.join(post(n, words) for n, words in enumerate(SENTENCES))}</div></div>"
    )
    posts = posts_of(page_of([opening]))
    assert [one.text[:15] for one in posts] == ["Where does one ", *(words[:15] for words in SENTENCES)]


def test_what_fills_unanswered_threads_joins_what_fills_the_others() -> None:
    """Each page by itself sees one kind: the opening post where nobody answered, the answers elsewhere."""

    def thread(number: int, answers: int) -> Page:
        words = random.Random(number)
        said = [
            " ".join(words.choices("tide harbour pilot lock rope net lamp".split(), k=14)) for _ in range(answers + 1)
        ]
        opening = (
            f"<div class='by'>by <a href='/u/Dan'>Dan</a> on 2020-03-01 09:0{number}</div>"
            f"<div class='content'>{said[0]}</div><ul class='links'><li><a href='/login'>Log in to answer</a></li></ul>"
        )
        replies = "".join(post(n, said[n + 1]) for n in range(answers))
        return page_of([f"<div class='node'>{opening}<div class='replies'>{replies}</div></div>"])

    samples = take_samples([thread(number, answers) for number, answers in enumerate((0, 4, 0, 3, 0, 4))])
    shapes = choose_shapes(samples)
    kinds = [shape.kind for shape in shapes]
    assert {(kind.form, *sorted(kind.classes)) for kind in kinds} == {("m0",), ("", "by")}
    opening = next(sample.cut(kind)[0] for kind in kinds if not kind.form for sample in samples if sample.cut(kind))
    assert len(opening.parts) == 3  # with its words and its links


def test_posts_without_an_element_run_from_one_head_to_the_next() -> None:
    parts = "".join(
        f"<p class='head'><b>{('Ada', 'Bo', 'Cleo')[n % 3]}</b> 2020-03-0{n + 1} 10:00</p>{words} {words[::-1]}<br>"
        for n, words in enumerate(SENTENCES)
    )
    html = f"<html><title>A harbour</title><body><h1>A harbour</h1><div>{parts}</div></body></html>"
    posts = posts_of(read_page(html, "http://f.test/t/1"))
    assert [one.text.startswith(words) for one, words in zip(posts, SENTENCES, strict=True)] == [True] * 4
    assert [one.author for one in posts] == ["Ada", "Bo", "Cleo", "Ada"]


def test_a_tree_of_titles_below_a_post_is_no_post() -> None:
    tree = "".join(
        f"<li><a href='/m/{n}'>Re: The harbour</a> <i>{name}</i> <u>2020-03-0{n + 1} 11:00</u></li>"
        for n, name in enumerate(("Ada", "Bo", "Cleo", "Ada", "Bo", "Dan"))
    )
    posts = posts_of(page_of([post(1, " ".join(SENTENCES)), f"<ul>{tree}</ul>"]))
    assert [one.text for one in posts] == [" ".join(SENTENCES)]


@pytest.mark.parametrize(
    ("seed", "quirk"),
    [
        (84004, "an opening post without classes, told from its neighbours by what it holds"),
        (84014, "an opening post with the id of the others, its author below, times in scripts"),
        (92006, "pages that show all posts of those before them"),
    ],
)
def test_random_forums_that_once_lost_posts_are_read_whole(seed: int, quirk: str) -> None:
    site = forum(seed)
    urls = [url for url, kind in site.canonical_urls() if kind.startswith("thread")]
    some = random.Random(seed).sample(urls, 8)
    wrapper = learn_post_wrapper([read_page(str(site.answer(url.removeprefix(ORIGIN)).body), url) for url in some])
    assert wrapper is not None, quirk
    for url in some:
        tree = read_page(str(site.answer(url.removeprefix(ORIGIN)).body), url).tree
        posts = wrapper.cut(tree, url, datetime(2100, 1, 1, tzinfo=UTC))
        assert [fold(one.text) for one in posts or ()] == [fold(one.text) for one in site.posts_at(url)], quirk


def test_what_stands_below_the_heading_in_no_record_speaks_against_a_cut() -> None:
    opening = f"<section><p>{SENTENCES[3]}</p></section>"
    page = page_of([opening, *(post(n, words) for n, words in enumerate(SENTENCES[:3]))])
    samples = take_samples([page])
    by_count = {len(samples[0].cut(one.shapes[0].kind)): one for one in propose(samples) if len(one.shapes) == 1}
    assert by_count[3].evidence.left > 0.9  # as much as a post
    whole = take_samples([page_of([post(n, words) for n, words in enumerate(SENTENCES)])])
    assert propose(whole)[0].evidence.left == 0.0


def test_a_post_without_an_element_of_its_own_runs_on_to_the_next_head() -> None:
    def flat(number: int) -> str:
        name = ("Ada", "Bo", "Cleo", "Dan", "Eve")[number % 5]
        words = [f"<p>Part {at} of {number}: {SENTENCES[(number + at) % 4]}</p>" for at in range(1 + number % 4)]
        quoted = f"<blockquote><p>{SENTENCES[number % 4]}</p></blockquote>" if number % 3 == 0 else ""
        head = f"<a name='{number}'></a><h4>{name} <a href='#{number}'>(Mar {number % 28 + 1} 2024 at 10:11)</a>:</h4>"
        return head + words[0] + quoted + "".join(words[1:])

    wrapper = learn_post_wrapper(numbered_pages(flat, 8, 5))
    assert wrapper is not None
    found = wrapper.cut(page_of([flat(78), flat(79)]).tree, "http://f.test/t/9", datetime(2026, 1, 1, tzinfo=UTC))
    assert found is not None
    assert [(one.post_id, one.author, one.text.count("Part")) for one in found] == [("78", "Dan", 3), ("79", "Eve", 4)]


def test_ids_of_random_signs_are_of_no_form() -> None:
    """Some keys happen to look alike: they are no kind of their own."""
    keys = ["c8", "7a2", "e41b", "x9d3", "4f", "b77", "12a", "c5", "90ee", "a1b2"]
    posts = [
        post(n % 4, f"{SENTENCES[n % 4]} {n}").replace(f"id='m{n % 4}'", f"id='k_{key}'") for n, key in enumerate(keys)
    ]
    kinds = {shape.kind.form for one in propose(take_samples([page_of(posts)])) for shape in one.shapes}
    assert kinds == {""}


def test_posts_of_several_rows_begin_where_the_first_one_does_and_not_with_the_end_of_the_one_before() -> None:
    """A name with a time, the words, and a line of buttons are a post, and a bar stands between two."""

    def rows(number: int, words: str) -> str:
        name = ("Ada", "Bo", "Cleo")[number % 3]
        return (
            f"<tr><td class=by><a href='/u/{name}'>{name}</a></td><td><i>2020-03-0{number + 1} 10:00</i></td></tr>"
            f"<tr><td class=rank>Sailor since 2011<br>Posts: {number + 40}</td><td class=said>{words}</td></tr>"
            "<tr><td class=tools>Offline</td><td><a href='/mail'>Mail</a></td></tr><tr><td class=bar></td></tr>"
        )

    def thread(number: int, count: int) -> Page:
        said = [f"{words} {number}" for words in (*SENTENCES[number % 4 :], *SENTENCES)[:count]]
        pager = "<tr><td class=pages>Pages: <b>1</b> <a href='?p=2'>2</a></td></tr>"
        return page_of([f"<table>{pager}{''.join(rows(n + number % 2, one) for n, one in enumerate(said))}</table>"])

    ranked = rank_proposals(
        propose(take_samples([thread(number, 1 + number % 4) for number in range(8)])), shipped_model(RECORDS)
    )
    parted = [one.shapes[0].kind for _, one in ranked if one.shapes[0].kind.before + one.shapes[0].kind.after == 3]
    assert {kind.before for kind in parted} == {0}


def joined(number: int, head: str) -> str:
    """What somebody wrote in a row stands in one box with one name, each post with a number and a time of its own."""
    name = ("Ada", "Bo", "Cleo", "Dan", "Eve")[number % 5]
    first = 10 * number + 1
    posts = [
        f"<article{f' id=m{first + turn}' if turn else ''}>"
        f"<div class='head'>{head.format(first + turn, f'2020-03-{number % 28 + 1:02} 10:{turn:02}')}</div>"
        f"<div class='words'>{SENTENCES[(number + turn) % 4]} That was number {first + turn}.</div></article>"
        for turn in range(1 + number % 3)
    ]
    by = f"<div class='who'><a href='/u/{name}'>{name}</a></div>"
    return f"<div class='msg' id='m{first}'>{by}<div class='side'>{''.join(posts)}</div></div>"


@pytest.mark.parametrize("head", ["&laquo; Reply #<b>{0}</b>, {1} &raquo;", "No. {0} <time>on {1}</time>"])
def test_posts_that_share_the_box_of_an_earlier_one_are_by_who_wrote_that(head: str) -> None:
    pages = numbered_pages(lambda number: joined(number, head), 8, 6)
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    cut = wrapper.cut(pages[0].tree, pages[0].url, datetime(2026, 1, 1, tzinfo=UTC)) or ()
    shown = [("Ada", 1), ("Bo", 11), ("Bo", 12), ("Cleo", 21), ("Cleo", 22), ("Cleo", 23), ("Dan", 31)]
    assert [(post.author, int(post.post_id or 0)) for post in cut][: len(shown)] == shown
    assert [post.text.rpartition("number ")[2] for post in cut] == [f"{post.post_id}." for post in cut]
    assert {(post.depth, post.reply_to) for post in cut} == {(0, None)}


def test_what_stands_around_all_posts_is_none_of_them_though_it_is_numbered_like_them() -> None:
    def page(number: int) -> Page:
        posts = [
            post(n, f"{SENTENCES[(number + n) % 4]} It was day {10 * number + n}.").replace(
                "id='m", f"id='m{number + 1}"
            )
            for n in range(4)
        ]
        head = f"<header>Page by <b>Ada</b>, <span>2020-02-0{number + 1} 09:00</span></header>"
        return page_of(
            [f"<section id='m{number + 70}'>{head}{''.join(posts)}</section>"], url=f"http://f.test/t/{number}"
        )

    pages = [page(number) for number in range(6)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    cut = wrapper.cut(pages[0].tree, pages[0].url, datetime(2026, 1, 1, tzinfo=UTC)) or ()
    assert [one.post_id for one in cut] == ["10", "11", "12", "13"]
