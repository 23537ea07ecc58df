"""Pages that learning looked at and left are read once more: what nothing else showed is followed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.learn.tablesite import TableSite

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl
from thrawl.crawl.inprocess import InProcess
from thrawl.crawl.probing import Probe
from thrawl.crawl.rereading import Rereading
from thrawl.learn.wrappers.learnrows import learn_row_wrapper
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.net.message import Response
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import read_page
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

F = "http://f.test"
KNOWN = range(40, 45)
WORDS = "The lamp of the old ship was cleaned with sand and a little oil by the men of the harbour"


def thread(*numbers: int) -> str:
    posts = "".join(
        f"<div class=post id=p{n}><b><a href=/user/{n % 3}>Ada{n % 3}</a></b> "
        f"<time datetime=2024-05-01T10:{n}>10:{n}</time><div class=words>{WORDS} number {n}.</div></div>"
        for n in numbers
    )
    return f"<body><h1>About {numbers[0]}</h1>{posts}"


READ = [thread(n, n + 1, n + 2) for n in range(10, 40, 5)]


def tagged(first: int) -> str:
    rows = "".join(
        f"<div class=post id=p{n}><b><a href=/user/{n % 3}>Ada{n % 3}</a></b> "
        f"<a href='/t?of=golf&n={n}'>A title of {n} words</a> "
        f"<time datetime=2024-05-01T10:{n}>10:{n}</time><div class=words>golf</div></div>"
        for n in range(first, first + len(KNOWN))
    )
    return f"<body><h1>Lamps</h1>{rows}"


TAGGED = [read_page(tagged(first), f"{F}/tag/{first}") for first in (10, 20, 30)]
ROWS = learn_row_wrapper(TAGGED, lambda url: "/t?" in url)
assert ROWS is not None
WRAPPER = learn_post_wrapper([read_page(html, f"{F}/t?of=golf&n={n}") for n, html in enumerate(READ)])
assert WRAPPER is not None
PROFILE = Profile(
    f"{F}/",
    (ListPattern(Pattern.parse(F + "/board/{a:number}")),),
    (ListPattern(Pattern.parse(F + "/t?of=golf&n={a:number}"), examples=(f"{F}/t?of=golf&n=1",)),),
    post_wrapper=WRAPPER.to_json(),
    row_wrapper=ROWS.to_json(),
)


def page(path: str, html: str) -> Response:
    headers = (("Content-Type", "text/html"),)
    return Response(F + path, F + path, 200, headers, html.encode(), "utf-8", datetime.now(UTC))


async def found(tmp_path: Path, *pages: Response, unled: tuple[str, ...] = ()) -> list[tuple[str, PageKind]]:
    """What is followed of pages that learning left, where the board 3 and some threads of it are known."""
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        number = archive.put_forum(PROFILE.entry, "f.test", PROFILE.to_json())
        known = [(f"{F}/board/3", PageKind.INDEX), *((f"{F}/t?of=golf&n={n}", PageKind.THREAD) for n in KNOWN)]
        archive.add_urls(number, [FoundUrl(url, kind, "a row", url, 1) for url, kind in known])
        rereading = Rereading(archive, PROFILE, InProcess(PROFILE), unled)
        return [(one.url.removeprefix(F), one.kind) for one in await rereading.found(pages, ())]


async def test_a_thread_of_another_board_is_one_by_its_posts_and_its_form(tmp_path: Path) -> None:
    posts = page("/t?of=boats&n=7", thread(51, 52))
    assert await found(tmp_path, posts, page("/user?n=7", thread(51, 52))) == [("/t?of=boats&n=7", PageKind.THREAD)]


async def test_a_list_of_known_threads_is_none_of_them_though_its_rows_look_like_posts(tmp_path: Path) -> None:
    assert await found(tmp_path, page("/t?of=boats&n=7", tagged(KNOWN[0]))) == []


async def test_a_page_that_leads_to_boards_that_no_list_led_to_is_a_list(tmp_path: Path) -> None:
    known, new = '<ul><li><a href="/board/3">Golf</a></ul>', '<ul><li><a href="/board/4">Boats</a></ul>'
    pages = page("/help", known), page("/?page=2", new)
    assert await found(tmp_path, *pages) == [("/?page=2", PageKind.INDEX)]


async def test_a_page_that_alone_leads_to_a_board_of_learning_is_a_list(tmp_path: Path) -> None:
    known = page("/?page=2", '<ul><li><a href="/board/3">Golf</a></ul>')
    assert await found(tmp_path, known, unled=(f"{F}/board/3",)) == [("/?page=2", PageKind.INDEX)]


async def test_where_numbers_are_left_out_all_links_of_a_sort_that_proves_right_are_followed(tmp_path: Path) -> None:
    new = {f"/months/in-{n}": f"<ul><li><a href='/board/{n}'>Boats {n}</a></ul>" for n in range(4, 10)}
    site = TableSite(F, {**new, "/help": "<p>Nothing"})
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        number = archive.put_forum(PROFILE.entry, "f.test", PROFILE.to_json())
        readers = InProcess(PROFILE)
        probe = Probe(archive, number, site, readers)
        refused = [F + path for path in ("/help", "/login", *new)]
        found = await probe.behind(refused, Rereading(archive, PROFILE, readers, ()))
    assert {one.url for one in found} == {F + path for path in new}
    assert [page.url for page in probe.fetched] == [one.url for one in found]
