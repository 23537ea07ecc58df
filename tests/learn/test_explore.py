"""What learning looks behind: what one look settles is not asked about again, and what a page's words tell never."""

from __future__ import annotations

from tests.learn import test_learner_months as months
from tests.learn.test_learner_homes import words
from tests.learn.test_learner_sites import learned_from, site

from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.explore import Explorer
from thrawl.learn.structure.roles import RoleModel
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.profile.urltypes import UrlTypes

ORDERS = {"b": "Subject", "i": "Started by", "u": "Latest"}  # by the tag around it
MENU = {"help": "Help", "search": "Search", "people": "Members", "rules": "Rules", "join": "Sign up"}
PEOPLE = ("Ada", "Bo", "Cleo", "Dora")
PAGE = 10


def framed(main: str) -> str:
    menu = "".join(f"<li><a href='/info?on={path}'>{name}</a></li>" for path, name in MENU.items())
    return f"<html><body><ul id=menu>{menu}</ul><div id=main>{main}</div></body></html>"


def listed(address: str, number: int, order: str) -> str:
    """A page of the only board: a header by which it is sorted, rows with a title and an author, a pager."""
    header = "".join(f"<th><{tag}><a href='{address}?sort={tag}'>{word}</a></{tag}>" for tag, word in ORDERS.items())
    threads = sorted(months.THREADS, key=lambda n: words(n, 5) if order else str(n))[(number - 1) * PAGE :][:PAGE]
    rows = "".join(f"<tr><td><a href='/talk?n={n}'>{words(n, 5)} {n}</a><td>{PEOPLE[n % 4]}<td>today" for n in threads)
    pages = range(1, (len(months.THREADS) - 1) // PAGE + 2)
    pager = " ".join(f"<a href='{address}?page={n}'>{n}</a>" for n in pages if n != number)
    return framed(f"<table><tr>{header}{rows}</table><p>{pager}</p>")


def page(path: str) -> str | None:
    folder, _, query = path.strip("/").partition("?")
    name, _, value = query.partition("=")
    if folder == "":
        return listed("/", int(value) if name == "page" else 1, value if name == "sort" else "")
    if value == "people":
        return framed("".join(f"<p><a href='/person/{one}'>{one}</a> wrote {len(one)} times</p>" for one in PEOPLE))
    if value in MENU:
        return framed(f"<p>{words(len(value), 40)}</p>")
    return months.page(path)


async def test_one_look_settles_all_orders_of_a_list_and_the_pages_of_a_menu_are_each_of_their_own_kind() -> None:
    asked: list[str] = []

    def noted(path: str) -> str | None:
        asked.append(path)
        return page(path)

    async with site(noted) as served:
        types = UrlTypes((await learned_from(served.url)).profile)
        assert types.type(f"{served.url}talk?n=124").kind == "thread"
        assert types.type(f"{served.url}?page=2").kind == "index-flip"
    assert sum("sort=" in path for path in asked) <= 1
    assert sum("on=" in path for path in asked) <= 1


async def test_of_a_kind_of_links_the_pages_that_were_fetched_before_are_looked_at_first() -> None:
    asked: list[str] = []

    def noted(path: str) -> str | None:
        asked.append(path)
        return page(path)

    async with site(noted) as served, Client(ClientOptions(start_url=served.url, delay=0)) as client:
        sampler = Sampler(client, PageClassifier.load())
        await sampler.get_all(f"{served.url}talk?n={n}" for n in (102, 103, 108, 109))
        again = sampler.afresh()
        home = await again.get(served.url)
        assert home is not None
        atlas = Atlas(again)
        atlas.add(home)
        asked.clear()
        await Explorer(atlas, RoleModel.load(), budget=40).explore()
    assert not [path for path in asked if path.startswith("/talk?")]
