"""Sites that are no forums, as people give them to a forum archiver by mistake, made up from a seed.

A shop, a wiki, a news site, a host of repositories and a directory listing: each a table of pages with the lists,
pagers, times, names and menus that such sites have, and without threads. Classes and addresses are drawn by the seed.

python -m thrawl.lab.notforums wiki 3      # serves one on loopback, to look at
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from html import escape
from random import Random
from typing import Final

from aiohttp import web

from thrawl.lab.content import Writer, slug
from thrawl.lab.random.naming import Names, style_name
from thrawl.lab.words import ENGLISH, user_name

Table = dict[str, str]
_SECTIONS: Final = 6
_ITEMS: Final = 180
_A_PAGE: Final = 20
_FOUNDED: Final = datetime(2024, 3, 1, 9, 30)


class _Maker:
    """What all of them share: names, words, times, the frame of a page and lists that flip."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"{seed}/notforum")
        self.writer = Writer(seed, ENGLISH)
        self._names = Names(seed)
        self._seed = seed

    def word(self, role: str) -> str:
        return self._names.word(role)

    def style(self, role: str) -> str:
        return f' class="{style_name(self._seed, role)}"'

    def when(self, number: int) -> str:
        return (_FOUNDED + timedelta(hours=37 * number)).strftime("%d %B %Y, %H:%M")

    def words(self, number: int, paragraphs: int) -> str:
        texts = (
            self.writer.about(97 * number + at) + " " + self.writer.about(89 * number + at) for at in range(paragraphs)
        )
        return "".join(f"<p>{escape(text)}</p>" for text in texts)

    def frame(self, title: str, main: str, menu: Sequence[tuple[str, str]]) -> str:
        links = " ".join(f'<a href="{url}">{escape(name)}</a>' for url, name in menu)
        extras = "".join(f'<a href="/{self.word(name)}">{name.title()}</a> ' for name in ("login", "about", "contact"))
        return (
            f"<html><head><title>{escape(title)} - {self.word('site')}</title></head><body>"
            f"<div{self.style('head')}><a href='/'>Home</a> {links}</div><h1>{escape(title)}</h1>"
            f"<div{self.style('main')}>{main}</div><div{self.style('foot')}>{extras}</div></body></html>"
        )

    def lists(self, base: str, items: Sequence[int], row: Callable[[int], str]) -> Iterator[tuple[str, str]]:
        """The pages of a list, each with its rows and a pager."""
        pages = [items[at : at + _A_PAGE] for at in range(0, len(items), _A_PAGE)]
        key = self.word("page")
        for number, rows in enumerate(pages, 1):
            pager = " ".join(f'<a href="{base}?{key}={at}">{at}</a>' for at in range(1, len(pages) + 1) if at != number)
            body = "".join(f"<div{self.style('row')}>{row(item)}</div>" for item in rows)
            yield (f"{base}?{key}={number}" if number > 1 else base), body + f"<div{self.style('pager')}>{pager}</div>"


def shop(seed: int) -> Table:
    """Goods in departments, with prices and pictures; the page of each shows it alone, and others like it."""
    make = _Maker(seed)

    def url(item: int) -> str:
        return f"/{make.word('goods')}/{item}-{slug(make.writer.title(item))}"

    def card(item: int) -> str:
        price = f"{make.random.randint(3, 300)}.{make.random.randint(0, 99):02}"
        return f'<img src="/i/{item}.jpg"><a href="{url(item)}">{escape(make.writer.title(item))}</a><b>€ {price}</b>'

    def page(item: int) -> str:
        like = "".join(f"<li>{card(other)}</li>" for other in _others(make, item, 4))
        facts = "".join(
            f"<tr><th>{make.word(f'fact{at}')}</th><td>{make.random.randint(1, 90)}</td></tr>" for at in range(6)
        )
        return f"{card(item)}<button>Add to basket</button>{make.words(item, 2)}<table>{facts}</table><ul>{like}</ul>"

    return _sectioned(make, "dept", url, card, page)


def news(seed: int) -> Table:
    """Articles in sections, each with its writer and its time, and nobody's answer."""
    make = _Maker(seed)

    def url(item: int) -> str:
        return f"/{make.word('story')}/{slug(make.writer.title(item))}-{item}.html"

    def by(item: int) -> str:
        return f"<span{make.style('by')}>By {escape(user_name(item % 7))}</span> <em>{make.when(item)}</em>"

    def teaser(item: int) -> str:
        return f'<h3><a href="{url(item)}">{escape(make.writer.title(item))}</a></h3>{by(item)}{make.words(item, 1)}'

    def page(item: int) -> str:
        more = "".join(
            f'<li><a href="{url(one)}">{escape(make.writer.title(one))}</a></li>' for one in _others(make, item, 5)
        )
        return f"{by(item)}{make.words(item, 7)}<h4>Read more</h4><ul>{more}</ul>"

    return _sectioned(make, "section", url, teaser, page)


def wiki(seed: int) -> Table:
    """Articles that lead to each other, with categories, histories and a list of changes."""
    make = _Maker(seed)
    text, past = make.word("text"), make.word("past")

    def url(item: int) -> str:
        return f"/{text}/{slug(make.writer.title(item)).replace('-', '_')}_{item}"

    def title(item: int) -> str:
        return make.writer.title(item)

    def change(item: int) -> str:
        who = f'<a href="/{text}/User:{item % 9}">{escape(user_name(item % 9))}</a>'
        return f'<a href="{url(item)}">{escape(title(item))}</a> ({make.when(item)}) . . {who}'

    def page(item: int) -> str:
        links = [f'<a href="{url(other)}">{escape(title(other).lower())}</a>' for other in _others(make, item, 6)]
        said = "".join(
            f"<h2>{make.word(f'head{at}')}</h2>{make.words(item + at, 2)}<p>See {links[at]}.</p>" for at in range(4)
        )
        tools = f'<a href="{url(item)}?{past}=1">View history</a> <a href="{url(item)}?edit=1">Edit</a>'
        return f"{tools}{make.words(item, 1)}{said}<p>Last changed {make.when(item)}</p>"

    table = _sectioned(make, "category", url, lambda item: f'<a href="{url(item)}">{escape(title(item))}</a>', page)
    for item in range(1, _ITEMS + 1):
        kept = "".join(f"<li>{make.when(item + at)} {escape(user_name(at))} ({at * 31} bytes)</li>" for at in range(4))
        table[f"{url(item)}?{past}=1"] = make.frame(f"History of {title(item)}", f"<ul>{kept}</ul>", [])
    table[f"/{text}/Changes"] = make.frame(
        "Recent changes", "<ul>" + "".join(f"<li>{change(one)}</li>" for one in range(1, 60)) + "</ul>", []
    )
    return table


def repositories(seed: int) -> Table:
    """Projects with files, commits and people; no issues."""
    make = _Maker(seed)

    def url(item: int) -> str:
        return f"/{slug(user_name(item % 11)) or 'x'}/{make.word(f'project{item}')}"

    def card(item: int) -> str:
        stars = f"<span>{make.random.randint(0, 900)} stars</span>"
        return f'<a href="{url(item)}">{make.word(f"project{item}")}</a> {stars} {make.words(item, 1)}'

    def file(item: int, at: int, name: str) -> str:
        cells = (
            f'<a href="{url(item)}/blob/{name}">{name}</a>',
            escape(make.writer.title(item + at)),
            make.when(item + at),
        )
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"

    def page(item: int) -> str:
        names = ("README", "setup.cfg", "main.c", "util.c", "tests", "LICENSE")
        files = "".join(file(item, at, name) for at, name in enumerate(names))
        return f'<a href="{url(item)}/commits">{item * 3} commits</a><table>{files}</table>{make.words(item, 3)}'

    table = _sectioned(make, "topic", url, card, page)
    for item in range(1, _ITEMS + 1):
        rows = "".join(
            f"<li>{escape(make.writer.title(item + at))} <i>{escape(user_name(at))}</i> {make.when(item + at)}</li>"
            for at in range(12)
        )
        table[f"{url(item)}/commits"] = make.frame("Commits", f"<ol>{rows}</ol>", [])
        table.update(
            {
                f"{url(item)}/blob/{name}": make.frame(
                    name, "<pre>" + "\n".join(f"line {at}" for at in range(40)) + "</pre>", []
                )
                for name in ("README", "main.c")
            }
        )
    return table


def listing(seed: int) -> Table:
    """What a web server shows of a folder without an index file."""
    make = _Maker(seed)
    table: Table = {}

    def folder(path: str, depth: int) -> None:
        below = [make.word(f"{path}{at}") for at in range(5 if depth < 3 else 0)]
        files = [f"{make.word(f'{path}f{at}')}.tar.gz" for at in range(8)]
        names = [*(f"{name}/" for name in below), *files]
        rows = "".join(
            f'<a href="{name}">{name}</a>   {make.when(at)}  {make.random.randint(1, 9999)}K\n'
            for at, name in enumerate(names)
        )
        heading = f"<h1>Index of {path}</h1><pre><a href='?C=N;O=D'>Name</a> <a href='?C=M;O=A'>Last modified</a><hr>"
        table[path] = f"<html><body>{heading}<a href='../'>Parent Directory</a>\n{rows}</pre></body></html>"
        for name in below:
            folder(f"{path}{name}/", depth + 1)

    folder("/", 0)
    return table


KINDS: Final[dict[str, Callable[[int], Table]]] = {
    "shop": shop, "news": news, "wiki": wiki, "repositories": repositories, "listing": listing,
}  # fmt: skip


def _sectioned(
    make: _Maker, role: str, url: Callable[[int], str], row: Callable[[int], str], page: Callable[[int], str]
) -> Table:
    """A front page, sections that list items over several pages, and a page for each item."""
    sections = [
        (f"/{make.word(role)}/{make.word(f'{role}{at}')}", make.writer.board_title(at)) for at in range(_SECTIONS)
    ]
    items = list(range(1, _ITEMS + 1))
    table = {
        "/": make.frame(
            make.word("site"), "".join(f"<div{make.style('row')}>{row(one)}</div>" for one in items[-15:]), sections
        )
    }
    for at, (base, name) in enumerate(sections):
        for address, body in make.lists(base, items[at::_SECTIONS], row):
            table[address] = make.frame(name, body, sections)
    for item in items:
        table[url(item)] = make.frame(make.writer.title(item), page(item), sections)
    for name in ("login", "about", "contact"):
        table[f"/{make.word(name)}"] = make.frame(name, make.words(len(name), 2), sections)
    return table


def _others(make: _Maker, item: int, number: int) -> list[int]:
    return Random(f"{make.word('site')}/{item}").sample(range(1, _ITEMS + 1), number)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m thrawl.lab.notforums", description="Serve a site that is no forum."
    )
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("seed", type=int)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    options = parser.parse_args(arguments)
    try:
        asyncio.run(_serve(KINDS[options.kind](options.seed), options.port))
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve(table: Table, port: int) -> None:
    async def answer(request: web.Request) -> web.Response:
        page = table.get(request.path_qs)
        return web.Response(status=200 if page else 404, text=page or "not found", content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
