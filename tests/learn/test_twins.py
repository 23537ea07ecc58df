"""One page under several addresses is one page while a site is learned; pages of one list are several."""

from __future__ import annotations

from random import Random

from tests.learn.tablesite import TableSite

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler

SITE = "http://f.test"
WORDS = "tide harbour pilot lock rope net lamp fog oar keel mast sail buoy reef anchor hull".split()
OTHERS = ("/", "/t/6", "/t/7", "/t/8")  # what tells the words of a page from those of all pages


def words(seed: object, count: int = 20) -> str:
    return " ".join(Random(str(seed)).choices(WORDS, k=count))


def page(main: str, named: str = "") -> str:
    head = f'<link rel="canonical" href="{named}">' if named else ""
    return f"<html><head><title>Boats</title>{head}</head><body><a href='/'>Boats</a>{main}</body></html>"


def rows(numbers: range, query: str = "") -> str:
    links = (f"<li><a href='/t/{n}{query}'>{words(f'title {n}', 4)}</a> 2024-01-{n:02}</li>" for n in numbers)
    return f"<ul>{''.join(links)}</ul>"


def thread(number: int) -> str:
    return f"<h1>{words(f'title {number}', 4)}</h1><p>{words(number)}</p><p>{words(-number)}</p>"


async def asked(pages: dict[str, str], *paths: str) -> list[str]:
    """Under which address each page is known at last, where these are asked for in turn; no answer is lost."""
    fixed = {"/": page(rows(range(1, 9))), **{f"/t/{n}": page(thread(n)) for n in range(1, 9)}}
    site = TableSite(SITE, fixed | pages)
    sampler = Sampler(site, PageClassifier.load())
    for path in (*OTHERS, *paths):
        await sampler.get(SITE + path)
    answers = (*(one.response for one in sampler.pages), *sampler.views)
    assert sorted(one.url for one in answers) == sorted(site.asked)
    found = [sampler.known(SITE + path) for path in paths]
    return [one.url.removeprefix(SITE) for one in found if one is not None]


async def test_the_same_words_behind_a_longer_query_are_the_same_page() -> None:
    sorted_by_name = {"/t/3?sort=name": page(thread(3))}
    assert await asked(sorted_by_name, "/t/3", "/t/3?sort=name") == ["/t/3", "/t/3"]
    assert await asked(sorted_by_name, "/t/3?sort=name", "/t/3") == ["/t/3", "/t/3"]


async def test_a_thread_is_known_by_the_address_that_it_names_whatever_list_stands_below_it() -> None:
    own = {"/t/3": page(thread(3) + rows(range(1, 5)), "/t/3")}
    view = {"/t/3?sort=name": page(thread(3) + rows(range(5, 9), "?sort=name"), "/t/3")}
    assert await asked(own | view, "/t/3?sort=name") == ["/t/3"]


async def test_an_address_to_which_the_site_does_not_link_is_not_asked_for() -> None:
    assert await asked({"/t/3": page(thread(3), "/boats/three")}, "/t/3") == ["/t/3"]


async def test_a_further_page_is_not_the_first_one_that_it_names() -> None:
    first = {"/b": page(f"<p>{words('rules')}</p>{rows(range(1, 5))}<a href='/b?page=2'>2</a>", "/b")}
    second = {"/b?page=2": page(f"<p>{words('rules')}</p>{rows(range(5, 9))}<a href='/b'>1</a>", "/b")}
    assert await asked(first | second, "/b", "/b?page=2") == ["/b", "/b?page=2"]
