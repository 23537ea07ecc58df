"""Pagers as software nobody has seen writes them: each site here is a handful of pages with one quirk."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from tests.learn.tablesite import TableSite

from thrawl.crawl.links import LinkReader
from thrawl.crawl.values import Flips
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.flips import learn_flips
from thrawl.learn.sampler import Sampler
from thrawl.net.message import Request, Response
from thrawl.page.tree import parse
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://f.test"
ROWS = 12
WORDS = "tide harbour pilot lock rope net lamp fog".split()

Pager = Callable[[int, int], str]
"""What stands below the rows of a list: by the list's number and the page."""


def rows(board: int, page: int, count: int = ROWS) -> str:
    """The rows of one page of one board: no two pages share one."""
    numbers = range(1000 * board + 20 * page, 1000 * board + 20 * page + count)
    return "".join(
        f'<tr class="r"><td><a href="/t/{n}-about-{n}">Some thread about {n}</a></td><td>Ann{n % 7}</td>'
        f"<td>{n % 9}</td><td>2026-05-{1 + n % 28:02} 12:{n % 60:02}</td></tr>"
        for n in numbers
    )


def board_page(board: int, page: int, pager: str, *, head: str = "", count: int = ROWS) -> str:
    return (
        f"<html><head><title>Board {'abcdefgh'[board]}</title>{head}</head><body><h1>Board {'abcdefgh'[board]}</h1>"
        f"<p><a href='/'>Home</a> <a href='/help'>Help</a></p><table>{rows(board, page, count)}</table>"
        f"<div>{pager}</div></body></html>"
    )


async def learned(pages: Mapping[str, str], pattern: str, *lists: str) -> tuple[Flip, ...]:
    """The flips that are learned of these lists of a site."""
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    sampled = await sampler.get_all(SITE + path for path in lists)
    return await learn_flips(sampler, Pattern.parse(SITE + pattern), sampled, boards=True)


def shown(html: str, path: str, pattern: str, flips: tuple[Flip, ...]) -> Flips:
    """What a crawl finds as the flips of a page, by what was learned."""
    profile = Profile(f"{SITE}/", (ListPattern(Pattern.parse(SITE + pattern), flips),), ())
    list_url = SITE + path.partition("?")[0]
    return LinkReader(profile).read(parse(html), SITE + path, list_url)[2]


def forms(flips: tuple[Flip, ...]) -> list[tuple[str, int | None, int | None]]:
    return [(str(flip.pattern).removeprefix(SITE), flip.first, flip.step) for flip in flips]


def two_boards(address: Callable[[int, int], str], pager: Pager, head: Pager = lambda _, __: "") -> dict[str, str]:
    """Two boards of three pages each, at the addresses given for board and page."""
    return {
        address(board, page): board_page(board, page, pager(board, page), head=head(board, page))
        for board in (3, 5)
        for page in (1, 2, 3)
    }


def token(board: int, page: int) -> str:
    return f"k{board * 7919 + page * 104729:x}q"


def by_token(board: int, page: int) -> str:
    return f"/b/{board}" if page == 1 else f"/b/{board}?from={token(board, page)}"


async def test_a_list_that_goes_on_by_an_icon_whose_name_says_nothing_known() -> None:
    def icon(board: int, page: int) -> str:
        return f'<a href="{by_token(board, page + 1)}"><i class="x">zephyr</i></a>' if page < 3 else ""

    pages = two_boards(by_token, icon)
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert forms(flips) == [("/b/{a:number}?from={page:word}", None, None)]
    second = by_token(3, 2)
    assert shown(pages[second], second, "/b/{a:number}", flips).next_url == SITE + by_token(3, 3)


async def test_where_words_say_nothing_the_way_on_is_told_from_the_way_back_by_what_first_pages_show() -> None:
    def arrows(board: int, page: int) -> str:
        back = f'<a href="{by_token(board, page - 1)}">zephyr_l</a> ' if page > 1 else ""
        return back + (f'<a href="{by_token(board, page + 1)}">zephyr_r</a>' if page < 3 else "")

    pages = two_boards(by_token, arrows)
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    third, second = by_token(3, 3), by_token(3, 2)
    assert shown(pages[second], second, "/b/{a:number}", flips).next_url == SITE + third


async def test_a_cursor_of_numbers_is_no_offset() -> None:
    def by_cursor(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}?before={3301 * board - 26 * page}"

    pages = two_boards(by_cursor, lambda b, p: f'<a href="{by_cursor(b, p + 1)}">Next</a>' if p < 3 else "")
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert forms(flips) == [("/b/{a:number}?before={page:number}", None, None)]


async def test_offsets_of_lists_of_two_pages_are_known_by_the_way_back() -> None:
    def by_offset(board: int, page: int) -> str:
        return f"/b/{board}" + (f"?start={12 * (page - 1)}" if page > 1 else "")

    def pager(board: int, page: int) -> str:
        if page == 2:
            return f'<a href="/b/{board}?start=0">‹</a> <a href="/b/{board}?start=0">1</a> 2'
        on = by_offset(board, 2)
        return f'1 <a href="{on}">2</a> <a href="{on}">›</a> <a href="/b/{board}?start={12 * 40}">»</a>'

    pages = {
        by_offset(board, page): board_page(board, page, pager(board, page), count=12 if page == 1 else 5)
        for board in (3, 5)
        for page in (1, 2)
    }
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert forms(flips) == [("/b/{a:number}?start={page:number}", 0, 12)]
    assert shown(pages["/b/3"], "/b/3", "/b/{a:number}", flips).last == 2


async def test_a_pager_in_the_head_alone() -> None:
    def by_page(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}?p={page}"

    pages = two_boards(
        by_page, lambda _, __: "", lambda b, p: f'<link rel="next" href="{by_page(b, p + 1)}">' if p < 3 else ""
    )
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert forms(flips) == [("/b/{a:number}?p={page:number}", 1, 1)]
    assert shown(pages["/b/3?p=2"], "/b/3?p=2", "/b/{a:number}", flips).last == 3


async def test_the_boards_own_number_is_not_taken_for_the_page() -> None:
    def numbered(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}/{page}"

    pages = {
        numbered(2, page): board_page(
            2, page, f'<a href="{numbered(2, 2)}">2</a>' if page == 1 else "<a href='/b/2'>1</a>"
        )
        for page in (1, 2)
    }
    pages["/b/4"] = board_page(4, 1, "", count=3)
    flips = await learned(pages, "/b/{a:number}", "/b/2", "/b/4")
    assert forms(flips) == [("/b/{a:number}/{page:number}", 1, 1)]


async def test_an_entry_that_is_a_folder_while_its_flips_are_its_index_file() -> None:
    pages = {
        "/forum/": board_page(1, 1, '<a href="/forum/index.php?page=2">2</a> <a href="/forum/index.php?page=3">3</a>')
    }
    for page in (2, 3):
        pages[f"/forum/index.php?page={page}"] = board_page(1, page, '<a href="/forum/index.php?page=1">1</a>')
    flips = await learned(pages, "/forum/", "/forum/")
    assert forms(flips) == [("/forum/index.php?page={page:number}", 1, 1)]


async def test_a_pager_counted_from_the_end_shows_its_newest_page_at_the_boards_own_address() -> None:
    def numbered(board: int, page: int) -> str:
        return f"/b/{board}" if page == 3 else f"/b/{board}?p={page}"

    def pager(board: int, page: int) -> str:
        return " ".join(f'<a href="{numbered(board, n)}">{n}</a>' for n in (1, 2, 3) if n != page)

    pages = {numbered(b, p): board_page(b, p, pager(b, p)) for b in (3, 5) for p in (1, 2, 3)}
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    found = shown(pages["/b/3"], "/b/3", "/b/{a:number}", flips)
    assert {url for _, url in found.linked} == {f"{SITE}/b/3?p=1", f"{SITE}/b/3?p=2"}


async def test_a_dead_flip_says_nothing_of_the_others() -> None:
    def by_page(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}?p={page}"

    def pager(board: int, page: int) -> str:
        ahead = f'<a href="{by_page(board, page + 1)}">Next</a>' if page < 3 else ""
        return f'<a style="display:none" href="/b/{board}?p=10">&lt;</a> {ahead}'

    pages = two_boards(by_page, pager)
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert forms(flips) == [("/b/{a:number}?p={page:number}", 1, 1)]
    assert shown(pages["/b/3"], "/b/3", "/b/{a:number}", flips).last == 2


async def test_the_next_thread_is_another_list() -> None:
    def thread(number: int) -> str:
        posts = "".join(
            f"<div class='p'><b>Ann{n}</b> <i>2026-05-{n:02} 12:00</i><p>{number} and {n} say a word or two.</p></div>"
            for n in range(1, 7)
        )
        title = "abcdefgh"[number] * 5
        around = f'<a href="/t/{number - 1}">Previous</a> <a href="/t/{number + 1}">Next</a>'
        return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{posts}{around}</body></html>"

    pages = {f"/t/{number}": thread(number) for number in range(1, 8)}
    assert await learned(pages, "/t/{a:number}", "/t/2", "/t/4", "/t/6") == ()


async def test_sort_orders_and_print_views_are_no_pages() -> None:
    extra = '<a href="/b/{0}?sort=title">Title</a> <a href="/b/{0}?print=1">Print</a>'
    pages = {}
    for board in (3, 5):
        pages[f"/b/{board}"] = board_page(board, 1, extra.format(board))
        for view in ("sort=title", "print=1"):
            pages[f"/b/{board}?{view}"] = board_page(board, 1, extra.format(board))
    assert await learned(pages, "/b/{a:number}", "/b/3", "/b/5") == ()


async def test_a_list_whose_pager_was_never_met_is_followed_by_what_its_page_says() -> None:
    html = board_page(3, 1, '<a href="/b/3/more/2">2</a> <a href="/b/3/more/3">3</a>')
    learned_elsewhere = (Flip(Pattern.parse(SITE + "/b/{a:number}?p={page:number}"), 1, 1),)
    found = shown(html, "/b/3", "/b/{a:number}", learned_elsewhere)
    assert [url for _, url in found.linked] == [f"{SITE}/b/3/more/2", f"{SITE}/b/3/more/3"]


async def test_a_longer_list_at_another_address_goes_on() -> None:
    def by_size(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}?show={12 * page}"

    pages = {
        by_size(b, p): board_page(b, 1, f'<a href="{by_size(b, p + 1)}">View more</a>' if p < 3 else "", count=12 * p)
        for b in (3, 5)
        for p in (1, 2, 3)
    }
    (flip,) = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert str(flip.pattern) == SITE + "/b/{a:number}?show={page:number}"
    assert flip.value_of(2) in (None, "24")


async def test_of_two_numbers_that_a_flip_adds_the_page_is_the_one_that_goes_on_behind_it() -> None:
    def address(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}?limit=12&page={page - 1}"

    def pager(board: int, page: int) -> str:
        ahead = f'<a href="/b/{board}?limit=12&page={page}">&gt;</a>' if page < 3 else ""
        back = f'<a href="/b/{board}?limit=12&page={page - 2}">{page - 1}</a> ' if page > 1 else ""
        return f"{back}<b>{page}</b> {ahead}"

    pages = two_boards(address, pager)
    flips = await learned(pages, "/b/{a:number}", "/b/3", "/b/5")
    assert forms(flips) == [("/b/{a:number}?limit=12&page={page:number}", 0, 1)]


class Sending(TableSite):
    """A site that sends visitors of some addresses on to others."""

    def __init__(self, pages: Mapping[str, str], ways: Mapping[str, str]) -> None:
        super().__init__(SITE, pages)
        self.ways = {SITE + asked: SITE + end for asked, end in ways.items()}

    async def fetch(self, request: Request) -> Response:
        response = await super().fetch(Request(self.ways.get(request.url, request.url)))
        return replace(response, requested=request.url)


async def test_a_link_that_is_sent_on_to_the_next_thread_is_no_flip_though_it_says_next() -> None:
    def ways(number: int) -> str:
        back, on = (f"/t?id={number}&to={way}&in=7" for way in (3, 4))
        return f'<a href="{back}">Previous Topic</a> <a href="{on}">Next Topic</a>'

    def page(number: int) -> str:
        about = f"{WORDS[number]} and {WORDS[number + 1]}"
        posts = "".join(
            f"<div class='p'><a href='/u/{who}'>Ann{who}</a> <i>2026-05-{number:02} 10:{who:02}</i>"
            f"<p>What {who} has to say about {about} is this and no more.</p></div>"
            for who in range(number, number + 3)
        )
        return f"<title>{about}</title><h1>{about}</h1>{posts}<span>{ways(number)}</span>"

    numbers = (2, 4, 6)
    ahead = {f"/t?id={number}&to=4&in=7": f"/t?id={numbers[(at + 1) % 3]}" for at, number in enumerate(numbers)}
    back = {f"/t?id={number}&to=3&in=7": f"/t?id={numbers[at - 1]}" for at, number in enumerate(numbers)}
    pages = {f"/t?id={number}": page(number) for number in numbers}
    sampler = Sampler(Sending(pages, {**ahead, **back}), PageClassifier.load())
    sampled = await sampler.get_all([SITE + "/t?id=4", SITE + "/t?id=6"])
    assert await learn_flips(sampler, Pattern.parse(SITE + "/t?id={a:number}"), sampled, boards=False) == ()


async def test_a_pager_in_the_head_alone_whose_address_has_a_session() -> None:
    class WithSessions(TableSite):
        """Puts a session of its own into all links of each answer, and takes any."""

        async def fetch(self, request: Request) -> Response:
            answer = await super().fetch(replace(request, url=re.sub(r";sid=\w+", "", request.url)))
            session = f"{len(self.asked) * 7919 + 10**11:024x}".encode()
            return replace(answer, body=re.sub(rb'href="([^"?]+)', rb'href="\1;sid=' + session, answer.body))

    def by_page(board: int, page: int) -> str:
        return f"/b/{board}" if page == 1 else f"/b/{board}?p={page}"

    pages = two_boards(
        by_page, lambda _, __: "", lambda b, p: f'<link rel="next" href="{by_page(b, p + 1)}">' if p < 3 else ""
    )
    sampler = Sampler(WithSessions(SITE, pages), PageClassifier.load())
    sampled = await sampler.get_all([f"{SITE}/b/3", f"{SITE}/b/5"])
    flips = await learn_flips(sampler, Pattern.parse(f"{SITE}/b/{{a:number}}"), sampled, boards=True)
    assert forms(flips) == [("/b/{a:number}?p={page:number}", 1, 1)]


async def test_ways_to_the_last_posts_of_threads_are_no_flips_of_the_entry_page() -> None:
    def listed(page: int) -> str:
        rows = "".join(
            f"<p><a href='/t/{n}/'>{WORDS[n % 8]} and {WORDS[n % 5]} {n}</a> by {WORDS[n % 7]}"
            f" <a href='/t/{n}/'>&raquo;</a></p>"
            for n in range(100 - 4 * page, 104 - 4 * page)
        )
        return f"<html><body><h1>Talk</h1>{rows}<a href='/?on={token(1, page + 1)}'>Older messages</a></body></html>"

    pages = {"/" if page == 1 else f"/?on={token(1, page)}": listed(page) for page in range(1, 5)}
    threads = [f"/t/{n}/" for n in range(80, 104)]
    pages |= {path: f"<h1>{path}</h1>{rows(1, 1, 3)}" for path in threads}
    sampler = Sampler(TableSite(SITE, pages), PageClassifier.load())
    entry = await sampler.get_all([f"{SITE}/"])
    foreign = [SITE + path for path in threads[-8:]]
    flips = await learn_flips(sampler, Pattern((f"{SITE}/",)), entry, boards=True, foreign=foreign)
    assert forms(flips) == [("/?on={page:word}", None, None)]
