"""Sites that are no forums, as people give them to a forum archiver by mistake, made up from a seed.

A shop, a wiki, a news site, a host of repositories, a directory listing, a gallery, a manual and a list of jobs: each a
table of pages with the lists, pagers, times, names and menus that such sites have, and without threads. The seed draws
classes and addresses, and how everything looks: rows, pagers, times, who is named where, what stands beside the text.

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
_FOUNDED: Final = datetime(2024, 3, 1, 9, 30)
_TIMES: Final = ("%d %B %Y, %H:%M", "%Y-%m-%d", "%b %d, %Y", "%d.%m.%Y %H:%M", "%A, %d %B %Y")
_ROWS: Final = ("div", "li", "article", "tr")
_ADDRESSES: Final = ("folder", "slug", "query", "root", "dated")
_PAGERS: Final = ("numbers", "next", "none")


class _Maker:
    """What all of them share: names, words, times, the frame of a page and lists that flip, as the seed draws them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"{seed}/notforum")
        self.writer = Writer(seed, ENGLISH)
        self._names = Names(seed)
        self._seed = seed
        self.writers = self.random.choice((1, 5, 12, 40))
        self.length = self.random.randint(2, 9)  # paragraphs of a text
        self._time = self.random.choice(_TIMES)
        self._row = self.random.choice(_ROWS)
        self._address = self.random.choice(_ADDRESSES)
        self._pager = self.random.choice(_PAGERS)
        self._a_page = self.random.choice((10, 20, 30))
        self._beside = self.random.random() < 0.5

    def chance(self, what: str, share: float = 0.5) -> bool:
        """Whether this site has something: always the same answer."""
        return Random(f"{self._seed}/{what}").random() < share

    def number(self, what: str, item: int, most: int) -> int:
        return Random(f"{self._seed}/{what}/{item}").randint(0, most)

    def word(self, role: str) -> str:
        return self._names.word(role)

    def style(self, role: str) -> str:
        return f' class="{style_name(self._seed, role)}"'

    def when(self, number: int) -> str:
        return (_FOUNDED + timedelta(hours=37 * number)).strftime(self._time)

    def stamp(self, number: int) -> str:
        moment = _FOUNDED + timedelta(hours=37 * number)
        if self.chance("time element"):
            return f'<time datetime="{moment.isoformat()}Z">{self.when(number)}</time>'
        return f"<span{self.style('time')}>{self.when(number)}</span>"

    def by(self, item: int) -> str:
        name = escape(user_name(item % self.writers))
        return f'<a href="/{self.word("people")}/{slug(name)}">{name}</a>' if self.chance("profiles") else name

    def url(self, item: int) -> str:
        """The address of an item's page."""
        name, base = slug(self.writer.title(item)), self.word("item")
        day = _FOUNDED + timedelta(hours=37 * item)
        return {
            "folder": f"/{base}/{item}",
            "slug": f"/{base}/{item}-{name}",
            "query": f"/{base}.php?{self.word('id')}={item}",
            "root": f"/{name}-{item}.html",
            "dated": f"/{day:%Y/%m}/{name}-{item}/",
        }[self._address]

    def link(self, item: int, words: str | None = None) -> str:
        return f'<a href="{self.url(item)}">{escape(words or self.writer.title(item))}</a>'

    def words(self, number: int, paragraphs: int) -> str:
        texts = (
            self.writer.about(97 * number + at) + " " + self.writer.about(89 * number + at) for at in range(paragraphs)
        )
        return "".join(f"<p>{escape(text)}</p>" for text in texts)

    def others(self, item: int, number: int) -> list[int]:
        return Random(f"{self._seed}/others/{item}").sample(range(1, _ITEMS + 1), number)

    def frame(self, title: str, main: str, menu: Sequence[tuple[str, str]]) -> str:
        links = " ".join(f'<a href="{url}">{escape(name)}</a>' for url, name in menu)
        extras = "".join(f'<a href="/{self.word(name)}">{name.title()}</a> ' for name in ("login", "about", "contact"))
        beside = "".join(f"<li>{self.link(one)}</li>" for one in range(_ITEMS - 5, _ITEMS)) if self._beside else ""
        return (
            f"<html><head><title>{escape(title)} - {self.word('site')}</title></head><body>"
            f"<div{self.style('head')}><a href='/'>Home</a> {links}</div><h1>{escape(title)}</h1>"
            f"<div{self.style('main')}>{main}</div><ul{self.style('side')}>{beside}</ul>"
            f"<div{self.style('foot')}>{extras}</div></body></html>"
        )

    def rows(self, items: Sequence[int], row: Callable[[int], str]) -> str:
        inside = "<td>{}</td>" if self._row == "tr" else "{}"
        told = "".join(f"<{self._row}{self.style('row')}>{inside.format(row(one))}</{self._row}>" for one in items)
        around = {"tr": "table", "li": "ul"}.get(self._row, "div")
        return f"<{around}{self.style('rows')}>{told}</{around}>"

    def lists(self, base: str, items: Sequence[int], row: Callable[[int], str]) -> Iterator[tuple[str, str]]:
        """The pages of a list, each with its rows and a pager."""
        pages = [items[at : at + self._a_page] for at in range(0, len(items), self._a_page)]
        pages = pages[:1] if self._pager == "none" else pages
        key = self.word("page")
        for number, rows in enumerate(pages, 1):
            shown = range(1, len(pages) + 1) if self._pager == "numbers" else (number + 1,)
            leads = [at for at in shown if at != number and at <= len(pages)]
            names = {at: "Next" if self._pager == "next" else str(at) for at in leads}
            pager = " ".join(f'<a href="{base}?{key}={at}">{name}</a>' for at, name in names.items())
            body = self.rows(rows, row) + f"<div{self.style('pager')}>{pager}</div>"
            yield (f"{base}?{key}={number}" if number > 1 else base), body

    def site(self, row: Callable[[int], str], page: Callable[[int], str]) -> Table:
        """A front page, sections that list items over several pages, a page for each item and for each person."""
        sections = [
            (f"/{self.word('section')}/{self.word(f'section{at}')}", self.writer.board_title(at))
            for at in range(_SECTIONS)
        ]
        items = list(range(1, _ITEMS + 1))
        table = {"/": self.frame(self.word("site"), self.rows(items[-15:], row), sections)}
        for at, (base, name) in enumerate(sections):
            for address, body in self.lists(base, items[at::_SECTIONS], row):
                table[address] = self.frame(name, body, sections)
        for item in items:
            table[self.url(item)] = self.frame(self.writer.title(item), page(item), sections)
        for one in range(self.writers):
            name = user_name(one)
            about = f"{self.words(one, 1)}<ul><li>{self.link(one + 1)}</li></ul>"
            table[f"/{self.word('people')}/{slug(escape(name))}"] = self.frame(name, about, sections)
        for name in ("login", "about", "contact"):
            table[f"/{self.word(name)}"] = self.frame(name, self.words(len(name), 2), sections)
        return table


def shop(seed: int) -> Table:
    """Goods in departments, with prices and pictures; the page of each shows it alone, and others like it."""
    make = _Maker(seed)

    def card(item: int) -> str:
        price = f"{make.number('price', item, 300)}.{make.number('cents', item, 99):02}"
        stars = f"<i>{make.number('stars', item, 5)} / 5 ({make.number('votes', item, 80)})</i>"
        return f'<img src="/i/{item}.jpg">{make.link(item)}<b>€ {price}</b>{stars if make.chance("stars") else ""}'

    def page(item: int) -> str:
        like = "".join(f"<li>{card(other)}</li>" for other in make.others(item, 4))
        facts = "".join(
            f"<tr><th>{make.word(f'fact{at}')}</th><td>{make.number(f'fact{at}', item, 90)}</td></tr>"
            for at in range(6)
        )
        return f"{card(item)}<button>Add to basket</button>{make.words(item, 2)}<table>{facts}</table><ul>{like}</ul>"

    return make.site(card, page)


def news(seed: int) -> Table:
    """Articles in sections, some with their writer, all with their time, and nobody's answer."""
    make = _Maker(seed)
    named = make.chance("named", 0.75)

    def by(item: int) -> str:
        writer = f"<span{make.style('by')}>By {make.by(item)}</span> " if named else ""
        return f"<div>{writer}{make.stamp(item)}</div>"

    def teaser(item: int) -> str:
        said = make.words(item, 1) if make.chance("teasers") else ""
        return f"<h3>{make.link(item)}</h3>{by(item) if make.chance('rows by') else make.stamp(item)}{said}"

    def page(item: int) -> str:
        more = "".join(
            f"<li>{teaser(one) if make.chance('whole teasers', 0.3) else make.link(one)}</li>"
            for one in make.others(item, 5)
        )
        heads = "".join(f"<h2>{make.word(f'head{item}{at}')}</h2>{make.words(item + at, 2)}" for at in range(3))
        about = f"<aside><b>{make.by(item)}</b>{make.words(item % make.writers, 1)}</aside>"
        return (
            f"<article>{by(item)}{make.words(item, make.length)}{heads if make.chance('heads') else ''}</article>"
            f"{about if make.chance('about') and named else ''}<h4>Read more</h4><ul>{more}</ul>"
        )

    return make.site(teaser, page)


def wiki(seed: int) -> Table:
    """Articles that lead to each other, with categories, histories and a list of changes."""
    make = _Maker(seed)
    past = make.word("past")

    def history(item: int) -> str:
        address = make.url(item)
        return f"{address}{'&' if '?' in address else '?'}{past}=1"

    def change(item: int) -> str:
        return f"{make.link(item)} ({make.when(item)}) . . {make.by(item)}"

    def page(item: int) -> str:
        links = [make.link(other, make.writer.title(other).lower()) for other in make.others(item, 6)]
        said = "".join(
            f"<h2>{make.word(f'head{at}')}</h2>{make.words(item + at, 2)}<p>See {links[at]}.</p>" for at in range(4)
        )
        tools = f'<a href="{history(item)}">View history</a>'
        return f"{tools}{make.words(item, 1)}{said}<p>Last changed {make.when(item)}</p>"

    table = make.site(lambda item: make.link(item), page)
    for item in range(1, _ITEMS + 1):
        kept = "".join(
            f"<li>{make.when(item + at)} {make.by(item + at)} ({at * 31} bytes) "
            f"{escape(make.writer.title(item + at))}</li>"
            for at in range(2 + make.number("edits", item, 6))
        )
        table[history(item)] = make.frame(f"History of {make.writer.title(item)}", f"<ul>{kept}</ul>", [])
    changes = make.rows(range(1, 60), change)
    table[f"/{make.word('changes')}"] = make.frame("Recent changes", changes, [])
    table["/"] = table["/"].replace("Home</a>", f"Home</a> <a href='/{make.word('changes')}'>Recent changes</a>")
    return table


def repositories(seed: int) -> Table:
    """Projects with files, commits and people; no issues."""
    make = _Maker(seed)
    names = ("README", "setup.cfg", "main.c", "util.c", "tests", "LICENSE")

    def card(item: int) -> str:
        stars = f"<span>{make.number('stars', item, 900)} stars</span>"
        return f"{make.link(item)} {stars} {make.words(item, 1)}{make.stamp(item) if make.chance('updated') else ''}"

    def below(item: int, name: str) -> str:
        address = make.url(item)
        return f"{address}&{make.word('path')}={name}" if "?" in address else f"{address.rstrip('/')}/{name}"

    def file(item: int, at: int, name: str) -> str:
        cells = [
            f'<a href="{below(item, name)}">{name}</a>',
            escape(make.writer.title(item + at)),
            make.stamp(item + at),
        ]
        cells += [make.by(item + at)] if make.chance("file by") else []
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"

    def page(item: int) -> str:
        files = "".join(file(item, at, name) for at, name in enumerate(names))
        commits = f'<a href="{below(item, "commits")}">{item * 3} commits</a>'
        return f"{commits}<table>{files}</table>{make.words(item, make.length)}"

    table = make.site(card, page)
    for item in range(1, _ITEMS + 1):
        rows = "".join(
            f"<li>{escape(make.writer.title(item + at))} <i>{make.by(item + at)}</i> {make.stamp(item + at)}</li>"
            for at in range(12)
        )
        table[below(item, "commits")] = make.frame("Commits", f"<ol>{rows}</ol>", [])
        code = "<pre>" + "\n".join(f"line {at}" for at in range(40)) + "</pre>"
        table.update({below(item, name): make.frame(name, code, []) for name in names})
    return table


def gallery(seed: int) -> Table:
    """Pictures, each with its photographer, its time and a line of words."""
    make = _Maker(seed)

    def card(item: int) -> str:
        return f'<a href="{make.url(item)}"><img src="/p/{item}.jpg"></a> {make.link(item)} {make.by(item)}'

    def page(item: int) -> str:
        told = "".join(
            f"<dt>{make.word(f'exif{at}')}</dt><dd>{make.number(f'x{at}', item, 99)}</dd>" for at in range(5)
        )
        near = "".join(f'<a href="{make.url(one)}"><img src="/t/{one}.jpg"></a>' for one in make.others(item, 6))
        said = f"{make.words(item, 1)}<p>{make.by(item)} {make.stamp(item)}</p>"
        return f'<img src="/p/{item}.jpg">{said}<dl>{told}</dl>{near}'

    return make.site(card, page)


def manual(seed: int) -> Table:
    """Chapters of a handbook, each with headings, examples, and the chapters before and after it."""
    make = _Maker(seed)

    def page(item: int) -> str:
        parts = "".join(
            f'<h2 id="{make.word(f"part{at}")}">{make.word(f"part{at}")}</h2>{make.words(item + at, 2)}'
            f"<pre>{make.word(f'code{item}{at}')}()</pre>"
            for at in range(2 + make.number("parts", item, 4))
        )
        around = " ".join(
            make.link(one, name) for one, name in ((item - 1, "Previous"), (item + 1, "Next")) if 0 < one <= _ITEMS
        )
        return f"{around}{make.words(item, 1)}{parts}{f'<p>{make.stamp(item)}</p>' if make.chance('dated') else ''}"

    return make.site(lambda item: make.link(item), page)


def jobs(seed: int) -> Table:
    """Offers of work: a firm, a place, a time, what is asked for."""
    make = _Maker(seed)

    def row(item: int) -> str:
        return f"<b>{make.link(item)}</b> {make.by(item)} {make.word(f'town{item % 20}')} {make.stamp(item)}"

    def page(item: int) -> str:
        asked = "".join(f"<li>{escape(make.writer.about(7 * item + at))}</li>" for at in range(4))
        apply = f"<a href='/{make.word('login')}'>Apply</a>"
        return f"{row(item)}{make.words(item, 2)}<h3>You have</h3><ul>{asked}</ul>{apply}"

    return make.site(row, page)


def listing(seed: int) -> Table:
    """What a web server shows of a folder without an index file."""
    make = _Maker(seed)
    table: Table = {}
    sizes = make.random

    def row(name: str, at: int) -> str:
        size = f"{sizes.randint(1, 9999)}K"
        if make.chance("table"):
            return f'<tr><td><a href="{name}">{name}</a></td><td>{make.when(at)}</td><td>{size}</td></tr>'
        return f'<a href="{name}">{name}</a>   {make.when(at)}  {size}\n'

    def folder(path: str, depth: int) -> None:
        below = [make.word(f"{path}{at}") for at in range(5 if depth < 3 else 0)]
        files = [f"{make.word(f'{path}f{at}')}.tar.gz" for at in range(8)]
        rows = "".join(row(name, at) for at, name in enumerate([*(f"{name}/" for name in below), *files]))
        tag = "table" if make.chance("table") else "pre"
        heading = f"<h1>Index of {path}</h1><{tag}><a href='?C=N;O=D'>Name</a> <a href='?C=M;O=A'>Last modified</a><hr>"
        table[path] = f"<html><body>{heading}<a href='../'>Parent Directory</a>\n{rows}</{tag}></body></html>"
        for name in below:
            folder(f"{path}{name}/", depth + 1)

    folder("/", 0)
    return table


KINDS: Final[dict[str, Callable[[int], Table]]] = {
    "shop": shop, "news": news, "wiki": wiki, "repositories": repositories, "listing": listing, "gallery": gallery,
    "manual": manual, "jobs": jobs,
}  # fmt: skip


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
