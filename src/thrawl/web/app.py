"""The server: the reader and the dashboard, from archives that other processes may be writing.

    /                                   the archives
    /NAME/                              its boards
    /NAME/board/7  /NAME/thread/12      the reader, the same templates as the static site
    /NAME/post/345                      leads to where a post stands
    /NAME/search  /NAME/feed.atom       search, and the newest posts
    /NAME/media/SHA256                  pictures; everything else only as a download
    /NAME/crawl  /NAME/map  /NAME/activity    the dashboard
    /fleet                              the fleet, where one is served
    /api/…                              all of it as JSON (api.py)

Pages work without scripts; htmx only keeps the page of a running crawl up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from thrawl.archive.browse import board_tree, newest_posts, place_of
from thrawl.archive.media import file_named
from thrawl.archive.mediatypes import BINARY, is_shown
from thrawl.archive.search_pages import SearchPage, search_page
from thrawl.crawl import asked
from thrawl.errors import ThrawlError
from thrawl.web import dashboard
from thrawl.web.api import api_routes
from thrawl.web.asking import asked_in, number_of, require_id
from thrawl.web.feed import atom
from thrawl.web.guard import Guard
from thrawl.web.links import post_link
from thrawl.web.reader import board_page, pager, thread_page
from thrawl.web.render import asset, render
from thrawl.web.shelf import Shelved

_TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_ASSETS: Final = ("style.css", "htmx.min.js")
_HITS_A_PAGE: Final = 20
_FEED_POSTS: Final = 50
_MEDIA_POLICY: Final = "default-src 'none'; sandbox"

Page = Callable[[Request, Shelved], Response]


def make_app(
    shelf: Mapping[str, Shelved], *, host: str = "127.0.0.1", token: str | None = None, more: Sequence[Route] = ()
) -> Guard:
    """The whole server behind its guard; `more` are pages that belong to no archive."""
    pages: dict[str, Page] = {
        "/{name}/": _home,
        "/{name}/board/{id:int}": _board,
        "/{name}/thread/{id:int}": _thread,
        "/{name}/post/{id:int}": _post,
        "/{name}/search": _search,
        "/{name}/feed.atom": _feed,
        "/{name}/media/{digest}": _media,
        "/{name}/crawl": _crawl,
        "/{name}/crawl/now": _crawl_now,
        "/{name}/map": _map,
        "/{name}/activity": _activity,
    }
    routes = [
        Route("/", partial(_archives, shelf)),
        Route("/assets/{file}", _asset),
        *more,
        *api_routes(shelf),
        Route("/{name}", lambda request: RedirectResponse(f"/{quote(request.path_params['name'])}/", 308)),
        *(Route(path, _of_archive(shelf, page)) for path, page in pages.items()),
    ]
    handlers: dict[Any, Any] = {HTTPException: _refused, ThrawlError: _failed}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), host=host, token=token)


def _of_archive(shelf: Mapping[str, Shelved], page: Page) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        found = shelf.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "there is no archive of that name here")
        require_id(request)
        return page(request, found)

    return answer


def _html(name: str, one: Shelved, **values: Any) -> Response:
    return HTMLResponse(render(name, links=one.links, site=one.title, **values))


# --- the reader


def _archives(shelf: Mapping[str, Shelved], request: Request) -> Response:
    if len(shelf) == 1:
        return RedirectResponse(f"/{next(iter(shelf))}/", 307)
    return HTMLResponse(render("archives.html", shelf=list(shelf.values())))


def _home(request: Request, one: Shelved) -> Response:
    figures = one.figures.look()
    with one.archive.reading() as connection:
        tree = board_tree(connection)
    boards = dashboard.board_lines(tree, figures, one.links)
    numbers = (None, None, 0) if figures is None else (figures.threads, figures.posts, figures.media.get("kept", 0))
    return _html("home.html", one, boards=boards, threads=numbers[0], posts=numbers[1], media=numbers[2])


def _board(request: Request, one: Shelved) -> Response:
    with one.archive.reading() as connection:
        page = board_page(connection, request.path_params["id"], number_of(request, "page", 1, least=1), one.links)
    if page is None:
        raise HTTPException(404, "there is no such page of a board")
    return _html("board.html", one, page=page)


def _thread(request: Request, one: Shelved) -> Response:
    with one.archive.reading() as connection:
        number = number_of(request, "page", 1, least=1)
        page = thread_page(connection, request.path_params["id"], number, one.links, one.store)
    if page is None:
        raise HTTPException(404, "there is no such page of a thread")
    return _html("thread.html", one, page=page)


def _post(request: Request, one: Shelved) -> Response:
    with one.archive.reading() as connection:
        place = place_of(connection, request.path_params["id"])
    if place is None:
        raise HTTPException(404, "there is no such post")
    return RedirectResponse(post_link(one.links, place), 307)


def _search(request: Request, one: Shelved) -> Response:
    wanted, page = asked_in(request), number_of(request, "page", 1, least=1, most=1000)
    found, problem = SearchPage((), more=False), None
    try:
        with one.archive.reading() as connection:
            found = search_page(connection, wanted.q, (page - 1) * _HITS_A_PAGE, _HITS_A_PAGE, wanted.selection())
    except ThrawlError as error:
        problem = str(error)
    turning = pager(page, page + found.more, lambda number: f"{one.links.search()}?{wanted.query(number)}")
    return _html("search.html", one, asked=wanted, found=found, problem=problem, pager=turning)


def _feed(request: Request, one: Shelved) -> Response:
    with one.archive.reading() as connection:
        posts = newest_posts(connection, _FEED_POSTS)
    base = f"{request.url.scheme}://{request.url.netloc}{one.links.base}"
    return Response(atom(one.title, base, posts), media_type="application/atom+xml")


def _media(request: Request, one: Shelved) -> Response:
    digest = request.path_params["digest"]
    content = None if one.store is None else one.store.read(digest)
    if content is None:
        raise HTTPException(404, "this file is not in the media store")
    with one.archive.reading() as connection:
        kind, name = file_named(connection, digest)
    headers = {"Content-Security-Policy": _MEDIA_POLICY, "Cache-Control": "private, max-age=31536000, immutable"}
    if is_shown(kind):
        return Response(content, media_type=kind, headers=headers)
    headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(_plain_name(name), safe='')}"
    return Response(content, media_type=BINARY, headers=headers)


def _plain_name(name: str | None) -> str:
    last = (name or "file").replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if char.isprintable()).strip(". ") or "file"


def _asset(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in _ASSETS:
        raise HTTPException(404, "there is no such file")
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(asset(name), media_type=kind, headers={"Cache-Control": "public, max-age=3600"})


# --- the dashboard


def _crawl(request: Request, one: Shelved) -> Response:
    return _html("crawl.html", one, **_crawl_values(one))


def _crawl_now(request: Request, one: Shelved) -> Response:
    """The part of the page that changes; htmx asks for it every few seconds."""
    return _html("crawl_now.html", one, **_crawl_values(one))


def _crawl_values(one: Shelved) -> dict[str, Any]:
    figures = one.figures.look()
    if figures is None:
        return {"figures": None, "crawls": [], "kinds": [], "boards": [], "duration": dashboard.duration}
    with one.archive.reading() as connection:
        tree = board_tree(connection)
    return {
        "figures": figures,
        "crawls": dashboard.crawls(one.archive.forums(), figures),
        "kinds": dashboard.kinds(figures),
        "boards": dashboard.board_lines(tree, figures, one.links),
        "duration": dashboard.duration,
    }


def _map(request: Request, one: Shelved) -> Response:
    figures = one.figures.look()
    with one.archive.reading() as connection:
        tree = board_tree(connection)
    url = request.query_params.get("url", "").strip()
    why = _why(one, url) if url else None
    forums = [(forum, dashboard.patterns_of(forum)) for forum in one.archive.forums()]
    boards = dashboard.board_lines(tree, figures, one.links)
    return _html("map.html", one, boards=boards, forums=forums, figures=figures, url=url, why=why)


def _why(one: Shelved, url: str) -> str:
    try:
        return asked.why(one.archive, url) or "never met: no page fetched so far links to it"
    except ThrawlError as error:
        return str(error)


def _activity(request: Request, one: Shelved) -> Response:
    figures = one.figures.look()
    charts = []
    if figures is not None:
        charts = [
            ("Posts per month", dashboard.bars(figures.activity.months)),
            ("By hour of the day", dashboard.bars(dashboard.hours(figures))),
            ("By weekday", dashboard.bars(dashboard.weekdays(figures))),
        ]
    with one.archive.reading() as connection:
        boards = dashboard.board_lines(board_tree(connection), figures, one.links)
    return _html(
        "activity.html", one, figures=figures, charts=charts, boards=boards, duration=dashboard.duration
    )  # fmt: skip


# --- what goes wrong


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": error.detail}, error.status_code)
    return HTMLResponse(render("error.html", status=error.status_code, detail=error.detail), error.status_code)


def _failed(request: Request, error: Exception) -> Response:
    """An archive that cannot be read now is told in a sentence, as everywhere."""
    return PlainTextResponse(f"{error}\n", 503)
