"""From pagers on pages to flip patterns of a site."""

from __future__ import annotations

import pytest

from thrawl.learn.flips import flips_as_boards, inherited_flips
from thrawl.learn.flips.evidence import chance_behind, pagers_of
from thrawl.learn.flips.patterns import flip_of
from thrawl.page.reading import Page, read_page
from thrawl.profile.pager import Pager, find_pagers, propose_pagers
from thrawl.profile.pagermodel import LIKELY
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern


def is_next_of_the_list(page: Page, other: Page, pager: Pager) -> bool:
    return chance_behind(page, other, pager) >= LIKELY


def pager_of(url: str, *flips: tuple[str, str]) -> Pager:
    """The one pager of a page with these flips (anchor, address)."""
    page = read_page("".join(f'<a href="{href}">{anchor}</a> ' for anchor, href in flips), url)
    (pager,) = find_pagers(page.url, page.links)
    return pager


ID = "http://f.test/t?id={a:number}"


@pytest.mark.parametrize(
    ("pattern", "url", "second", "expected"),
    [
        pytest.param(ID, "t?id=7", "t?id=7&p=2", "t?id={a:number}&p={page:number}", id="an item is added"),
        pytest.param(ID, "t?id=7", "t?p=2&id=7", "t?p={page:number}&id={a:number}", id="the page comes first"),
        pytest.param("http://f.test/{a:word}/", "golf/", "golf/page/2/", "{a:word}/page/{page:number}/", id="a folder"),
        pytest.param(
            "http://f.test/t-{a:number}.html",
            "t-7.html",
            "t-7-p2.html",
            "t-{a:number}-p{page:number}.html",
            id="inside",
        ),
        pytest.param(
            "http://f.test/t-{a:number}-1.html",
            "t-7-1.html",
            "t-7-2.html",
            "t-{a:number}-{page:number}.html",
            id="page 1",
        ),
        pytest.param(
            "http://f.test/l?{a:number}", "l?6", "l?6,page=2", "l?{a:number},page={page:number}", id="bare item"
        ),
    ],
)
def test_a_flip_is_its_lists_pattern_with_a_page(pattern: str, url: str, second: str, expected: str) -> None:
    url = f"http://f.test/{url}"
    flip = flip_of(Pattern.parse(pattern), url, pager_of(url, ("2", f"/{second}")))
    assert flip is not None
    assert str(flip.pattern) == "http://f.test/" + expected


def test_offsets_count_records_and_pages_count_pages() -> None:
    pattern = Pattern.parse("http://f.test/t?id={a:number}")
    pages = flip_of(pattern, "http://f.test/t?id=7", pager_of("http://f.test/t?id=7", ("2", "?id=7&p=2")))
    offsets = flip_of(pattern, "http://f.test/t?id=7", pager_of("http://f.test/t?id=7", ("2", "?id=7&from=25")))
    assert pages is not None
    assert offsets is not None
    assert [pages.value_of(page) for page in (1, 2, 3)] == ["1", "2", "3"]
    assert [offsets.value_of(page) for page in (1, 2, 3)] == ["0", "25", "50"]


def test_a_pager_of_another_kind_of_list_is_not_taken() -> None:
    pager = pager_of("http://f.test/golf/", ("2", "/golf/page/2/"))
    assert flip_of(Pattern.parse("http://f.test/t?id={a:number}"), "http://f.test/golf/", pager) is None


def list_page(url: str, rows: range, pager: str) -> Page:
    listed = "".join(
        f'<li><a href="/t?id={row}">Thread number {row}</a> <i>Ann</i> 2026-05-{row:02} 12:00</li>' for row in rows
    )
    return read_page(f"<html><body><h1>Golf</h1><ul>{listed}</ul><p>{pager}</p></body></html>", url)


def test_the_second_of_two_pages_shows_only_the_way_back() -> None:
    first = list_page("http://f.test/b?id=3", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    second = list_page("http://f.test/b?id=3&p=2", range(11, 15), '<a href="/b?id=3">1</a>')
    (pager,) = find_pagers(first.url, first.links)
    assert is_next_of_the_list(first, second, pager)


def test_the_small_pager_of_a_row_is_told_from_the_lists_own() -> None:
    rows = "".join(
        f'<li><a href="/golf/{word}-story/">A {word} story</a> <a href="/golf/{word}-story/page/2/">2</a>'
        f' <a href="/golf/{word}-story/page/3/">3</a> <i>Ann</i> 2026-05-{day:02} 12:00</li>'
        for day, word in enumerate(("long", "short", "tall", "old", "new", "odd"), start=1)
    )
    html = f'<html><body><h1>Golf</h1><ul>{rows}</ul><p><a href="/golf/page/2/">2</a></p></body></html>'
    page = read_page(html, "http://f.test/golf/")
    own = [pager.url_of(2) for pager in pagers_of(page) if pager.probability >= 0.5 and not pager.evidence.many_lists]
    assert own == ["http://f.test/golf/page/2/"]


def test_a_page_that_shows_the_same_records_is_no_flip() -> None:
    first = list_page("http://f.test/b?id=3", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    again = list_page("http://f.test/b?id=3&p=2", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    (pager,) = find_pagers(first.url, first.links)
    assert not is_next_of_the_list(first, again, pager)


def test_a_page_of_another_list_without_a_way_back_is_no_flip() -> None:
    first = list_page("http://f.test/b?id=3", range(1, 11), '<a href="/b?id=4">Next</a>')
    other = list_page("http://f.test/b?id=4", range(11, 15), '<a href="/help">Help</a>')
    (pager, *_) = propose_pagers(first.url, first.links)
    assert not is_next_of_the_list(first, other, pager)


def article_page(url: str, comments: range, back: str) -> Page:
    """A blog's article: whole on every page, its comments in parts."""
    words = "The tide was out when we carried the boats down to the water, and nobody spoke for an hour. " * 20
    said = "".join(
        f'<li class="c"><b>Ann {n}</b> <i>2026-05-{n:02} 12:00</i><p>Comment number {n} says more.</p></li>'
        for n in comments
    )
    article = f'<article><h1>Boats</h1><i>2026-04-30 09:00</i><p>{words}</p><a href="/by/ann">Ann</a></article>'
    return read_page(f"<html><body>{article}<ol>{said}</ol><p>{back}</p></body></html>", url)


def test_an_article_that_is_repeated_above_other_comments_flips() -> None:
    first = article_page("http://f.test/boats/", range(1, 4), '<a href="/boats/voices-2/">2</a>')
    second = article_page("http://f.test/boats/voices-2/", range(4, 7), '<a href="/boats/">1</a>')
    (pager,) = find_pagers(first.url, first.links)
    assert is_next_of_the_list(first, second, pager)


def listed(pattern: str, *flips: str) -> ListPattern:
    return ListPattern(Pattern.parse(pattern), tuple(Flip(Pattern.parse(flip), 0, 20) for flip in flips))


def flips_of(one: ListPattern) -> list[str]:
    return [str(flip.pattern) for flip in one.flips]


def test_boards_that_were_all_short_flip_like_the_others() -> None:
    long = listed("http://f.test/{a:word}", "http://f.test/{a:word}?from={page:number}")
    deeper = listed("http://f.test/{a:word}/{b:word}")
    assert inherited_flips([long, deeper])[0] == long
    (flip,) = inherited_flips([long, deeper])[1].flips
    assert (str(flip.pattern), flip.first, flip.step) == ("http://f.test/{a:word}/{b:word}?from={page:number}", 0, 20)


def test_what_goes_on_in_another_way_is_not_taken_over() -> None:
    query = listed("http://f.test/{a:word}", "http://f.test/{a:word}?from={page:number}")
    inside = listed("http://f.test/b-{a:number}-1.html", "http://f.test/b-{a:number}-{page:number}.html")
    assert flips_of(inherited_flips([query, listed("http://f.test/b?id={a:number}")])[1]) == []
    assert flips_of(inherited_flips([inside, listed("http://f.test/c-{a:number}-1.html")])[1]) == []


def test_lists_without_flips_stay_without() -> None:
    lists = [listed("http://f.test/{a:word}"), listed("http://f.test/{a:word}/{b:word}")]
    assert inherited_flips(lists) == lists


def counted(pattern: str, flip: str) -> ListPattern:
    return ListPattern(Pattern.parse(pattern), (Flip(Pattern.parse(flip), 1, 1),))


def test_threads_of_which_none_was_seen_to_flip_take_over_how_boards_flip() -> None:
    board = counted("http://f.test/board/{a:number}", "http://f.test/board/{a:number}/page-{page:number}")
    (thread,) = flips_as_boards([listed("http://f.test/talk/{a:number}")], [board])
    assert flips_of(thread) == ["http://f.test/talk/{a:number}/page-{page:number}"]


def test_a_folder_and_a_file_are_gone_on_with_each_in_its_way() -> None:
    entry = counted("http://f.test/forum/", "http://f.test/forum/page-{page:number}/")
    (thread,) = flips_as_boards([listed("http://f.test/forum/talk/{a:number}")], [entry])
    assert flips_of(thread) == ["http://f.test/forum/talk/{a:number}/page-{page:number}"]


def test_threads_count_in_their_own_way_what_boards_count_in_theirs_and_what_they_showed_stays() -> None:
    boards = [counted("http://f.test/b?b={a:number}", "http://f.test/b?b={a:number}&from={page:number}")]
    (thread,) = flips_as_boards([listed("http://f.test/t?t={a:number}")], boards)
    assert [(str(flip.pattern), flip.first, flip.step) for flip in thread.flips] == [
        ("http://f.test/t?t={a:number}&from={page:number}", None, None)
    ]
    known = counted("http://f.test/t?t={a:number}", "http://f.test/t?t={a:number}&p={page:number}")
    assert flips_as_boards([known], boards) == [known]
