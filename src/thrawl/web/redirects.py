"""Old addresses that still lead to the right place: a redirect map for the server that the static site moves to.

Threads (under every address that was met), their pages, boards and permalinks. Addresses come from strangers: one that
holds anything but what addresses are made of is left out rather than written into the configuration of a server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, func, select

from thrawl.archive.reading import stream
from thrawl.archive.store import Archive
from thrawl.archive.tables import boards, pages, posts, thread_urls, threads
from thrawl.page.pagekind import PageKind
from thrawl.web.links import POSTS_A_PAGE, StaticLinks

_HARMLESS: Final = re.compile(r"/[\w/?&=%.~+:,@!*();|-]*", re.ASCII)
_PAIR: Final = re.compile(r"[^=&;,]+=[^=&;,]*")
_TOP: Final = StaticLinks("/")


class Server(StrEnum):
    """Whose configuration is written."""

    NGINX = "nginx"
    APACHE = "apache"
    NETLIFY = "netlify"


@dataclass(frozen=True, slots=True)
class Redirect:
    """An old address, without its host, and the new one."""

    path: str
    query: str
    target: str

    @property
    def source(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


def write_redirects(archive: Archive, folder: Path, server: Server) -> int:
    """Write the map into the folder of a static site; the number of addresses."""
    written = 0
    with ExitStack() as closing:
        connection = closing.enter_context(archive.reading())
        file = closing.enter_context((folder / _NAMES[server]).open("w", encoding="utf-8"))
        file.write(_HEADS[server])
        for redirect in redirects(connection):
            line = _line(redirect, server)
            if line is not None:
                file.write(line)
                written += 1
        file.write(_FEET[server])
    if server is Server.APACHE:
        (folder / "redirects.apache.conf").write_text(_APACHE, encoding="utf-8")
    return written


def redirects(connection: Connection) -> Iterator[Redirect]:
    """Every old address that is known, each once."""
    for url, target in _addresses(connection):
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        path = parts.path or "/"
        whole = f"{path}?{parts.query}" if parts.query else path
        if _HARMLESS.fullmatch(whole):
            yield Redirect(path, parts.query, target)


def _addresses(connection: Connection) -> Iterator[tuple[str, str]]:
    for row in stream(connection, select(thread_urls.c.url, thread_urls.c.thread_id)):
        yield row.url, _TOP.thread(row.thread_id)
    for row in stream(connection, select(boards.c.url, boards.c.id).where(boards.c.url.is_not(None))):
        yield row.url, _TOP.board(row.id)
    yield from _flips(connection)
    yield from _permalinks(connection)


def _flips(connection: Connection) -> Iterator[tuple[str, str]]:
    """Pages of threads: where their first post stands now."""
    before = posts.alias("before")
    earlier = (
        select(func.count())
        .select_from(before)
        .where(before.c.thread_id == thread_urls.c.thread_id, before.c.page_number < pages.c.page_number)
        .scalar_subquery()
    )
    query = (
        select(pages.c.url, thread_urls.c.thread_id, earlier.label("earlier"))
        .join(thread_urls, thread_urls.c.url == pages.c.list_url)
        .where(pages.c.kind == PageKind.THREAD_FLIP.value, pages.c.state == "done")
    )
    for row in stream(connection, query):
        yield row.url, _TOP.thread(row.thread_id, row.earlier // POSTS_A_PAGE + 1)


def _permalinks(connection: Connection) -> Iterator[tuple[str, str]]:
    """Addresses of posts that are no address of their thread with a fragment."""
    order = (posts.c.page_number, posts.c.index_on_page, posts.c.id)
    place = func.row_number().over(partition_by=posts.c.thread_id, order_by=order).label("place")
    query = select(posts.c.id, posts.c.thread_id, posts.c.post_url, threads.c.url, place).join(
        threads, threads.c.id == posts.c.thread_id
    )
    for row in stream(connection, query):
        url = (row.post_url or "").partition("#")[0]
        if url and url != row.url:
            yield url, _TOP.thread(row.thread_id, (row.place - 1) // POSTS_A_PAGE + 1, row.id)


def _line(redirect: Redirect, server: Server) -> str | None:
    match server:
        case Server.NGINX:
            return f'    "{redirect.source}" "{redirect.target}";\n'
        case Server.APACHE:
            path = unquote(redirect.path)
            return f"{path}?{redirect.query} {redirect.target}\n" if path.isprintable() and " " not in path else None
        case Server.NETLIFY:
            pairs = redirect.query.split("&") if redirect.query else []
            if not all(_PAIR.fullmatch(pair) for pair in pairs):
                return None
            return " ".join([redirect.path, *pairs, redirect.target, "301!"]) + "\n"


_NAMES: Final = {
    Server.NGINX: "redirects.nginx.conf",
    Server.APACHE: "redirects.apache.txt",
    Server.NETLIFY: "_redirects",
}
_HEADS: Final = {
    Server.NGINX: "# In http { }: include this file. In server { }: if ($thrawl) { return 301 $thrawl; }\n"
    'map_hash_bucket_size 512;\nmap $request_uri $thrawl {\n    default "";\n',
    Server.APACHE: "",
    Server.NETLIFY: "",
}
_FEET: Final = {Server.NGINX: "}\n", Server.APACHE: "", Server.NETLIFY: ""}
_APACHE: Final = """# In the server's configuration, with the path of the map file as it is there:
RewriteEngine On
RewriteMap thrawl "txt:/var/www/archive/redirects.apache.txt"
RewriteCond "${thrawl:%{REQUEST_URI}?%{QUERY_STRING}}" "^(/.+)$"
RewriteRule "^" "%1" [R=301,NE,L,QSD]
"""
