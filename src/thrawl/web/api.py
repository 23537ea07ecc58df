"""The archive as JSON, in the shapes of the export, with the ids by which one thing leads to another.

/api/archives                                    the archives of this server
/api/NAME/boards                                 every board
/api/NAME/threads?board=ID&offset=&limit=        threads, those with the newest posts first
/api/NAME/threads/ID   /api/NAME/threads/ID/posts?offset=&limit=
/api/NAME/posts/ID   /api/NAME/posts?offset=&limit=   one post; the newest posts
/api/NAME/search?q=&board=&author=&since=&before=&offset=&limit=
/api/NAME/crawl   /api/NAME/map   /api/NAME/activity   the dashboard's figures
/api/NAME/why?url=                               why an address was fetched, or not
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from thrawl.archive.browse import (
    board_tree,
    newest_posts,
    place_of,
    post_counts,
    posts_of,
    thread_by_id,
    threads_of,
)
from thrawl.archive.export_rows import EXPORTS, What, iso, post_row, thread_row
from thrawl.archive.media import files_of
from thrawl.archive.search_pages import search_page
from thrawl.archive.values import StoredPost, StoredThread
from thrawl.crawl.asked import why
from thrawl.errors import ThrawlError
from thrawl.web import dashboard
from thrawl.web.asking import MOST_ROWS, asked_in, bad_request, number_of, require_id
from thrawl.web.shelf import Shelved

_ROWS = 50
_POST = tuple(column.name for column in EXPORTS[What.POSTS].columns)
_THREAD = tuple(column.name for column in EXPORTS[What.THREADS].columns)

Answer = Callable[[Request, Shelved], Any]


def api_routes(shelf: Mapping[str, Shelved]) -> list[Route]:
    """The routes of the API."""
    answers: dict[str, Answer] = {
        "boards": _boards,
        "threads": _threads,
        "threads/{id:int}": _thread,
        "threads/{id:int}/posts": _thread_posts,
        "posts": _newest,
        "posts/{id:int}": _post,
        "search": _search,
        "crawl": _crawl,
        "map": _map,
        "activity": _activity,
        "why": _why,
    }
    routes = [Route(f"/api/{{name}}/{path}", _of_archive(shelf, answer)) for path, answer in answers.items()]
    return [Route("/api/archives", lambda _: JSONResponse({"archives": list(map(_about, shelf.values()))})), *routes]


def _of_archive(shelf: Mapping[str, Shelved], answer: Answer) -> Callable[[Request], Response]:
    def answered(request: Request) -> Response:
        found = shelf.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "there is no archive of that name here")
        require_id(request)
        return JSONResponse(_plain(answer(request, found)))

    return answered


def _about(one: Shelved) -> dict[str, Any]:
    forums = [forum.entry_url for forum in one.archive.forums()]
    return {"name": one.name, "title": one.title, "forums": forums, "url": f"/api/{one.name}/boards"}


def _boards(request: Request, one: Shelved) -> dict[str, Any]:
    with one.archive.reading() as connection:
        tree = board_tree(connection)
    by_id = {board.id: board for board in one.archive.boards()}
    listed = []
    for node in tree:
        board = by_id.get(node.id)
        if board is not None:
            plain = {"forum": board.forum, "url": board.url, "title": board.title, "path": list(board.path)}
            listed.append({"id": node.id, **plain, "parent_url": board.parent_url, "parent_id": node.parent_id})
    return {"boards": listed}


def _threads(request: Request, one: Shelved) -> dict[str, Any]:
    board, offset, limit = number_of(request, "board", 0), *_window(request)
    with one.archive.reading() as connection:
        found = threads_of(connection, board, offset, limit)
        counts = post_counts(connection, [thread.id for thread in found])
    return {"threads": [{**_thread_object(thread), "posts": counts.get(thread.id, 0)} for thread in found]}


def _thread(request: Request, one: Shelved) -> dict[str, Any]:
    number = request.path_params["id"]
    with one.archive.reading() as connection:
        found = thread_by_id(connection, number)
        if found is None:
            raise HTTPException(404, "there is no such thread")
        return {**_thread_object(found[0]), "posts": post_counts(connection, [number]).get(number, 0)}


def _thread_posts(request: Request, one: Shelved) -> dict[str, Any]:
    offset, limit = _window(request)
    with one.archive.reading() as connection:
        found = posts_of(connection, request.path_params["id"], offset, limit)
        return {"posts": _with_files(connection, found)}


def _newest(request: Request, one: Shelved) -> dict[str, Any]:
    _, limit = _window(request)
    with one.archive.reading() as connection:
        return {
            "posts": _with_files(connection, [_placed(connection, post) for post in newest_posts(connection, limit)])
        }


def _post(request: Request, one: Shelved) -> dict[str, Any]:
    with one.archive.reading() as connection:
        place = place_of(connection, request.path_params["id"])
        if place is None:
            raise HTTPException(404, "there is no such post")
        (found,) = _with_files(connection, posts_of(connection, place.thread_id, place.before, 1))
        return found


def _search(request: Request, one: Shelved) -> dict[str, Any]:
    asked, (offset, limit) = asked_in(request), _window(request)
    try:
        with one.archive.reading() as connection:
            found = search_page(connection, asked.q, offset, limit, asked.selection())
    except ThrawlError as error:
        raise bad_request(error) from error
    hits = [{"id": hit.id, "thread_id": hit.thread_id, **asdict(hit.hit)} for hit in found.hits]
    return {"hits": hits, "more": found.more, "gave_up": found.gave_up}


def _crawl(request: Request, one: Shelved) -> dict[str, Any]:
    figures = one.figures.look()
    if figures is None:
        return {"taken": None}
    return {
        "taken": figures.taken,
        "crawls": [
            {**asdict(crawl), "share": crawl.share, "seconds_left": crawl.seconds_left}
            for crawl in dashboard.crawls(one.archive.forums(), figures)
        ],
        "pages": dict(dashboard.kinds(figures)),
        "failures": [asdict(reason) for reason in figures.failures],
        "media": figures.media,
    }


def _map(request: Request, one: Shelved) -> dict[str, Any]:
    figures = one.figures.look()
    with one.archive.reading() as connection:
        tree = board_tree(connection)
    return {
        "boards": [
            {"title": line.title, "url": line.original, "threads": line.threads, "posts": line.posts}
            | {"promised": line.promised, "kept": line.kept}
            for line in dashboard.board_lines(tree, figures, one.links)
        ],
        "patterns": {
            forum.entry_url: [asdict(pattern) for pattern in dashboard.patterns_of(forum)]
            for forum in one.archive.forums()
        },
        "refusals": [] if figures is None else [asdict(reason) for reason in figures.refusals],
    }


def _activity(request: Request, one: Shelved) -> dict[str, Any]:
    figures = one.figures.look()
    if figures is None:
        return {"taken": None}
    delays = None if figures.delays is None else asdict(figures.delays)
    return {"taken": figures.taken, **asdict(figures.activity), "delays": delays}


def _why(request: Request, one: Shelved) -> dict[str, Any]:
    url = request.query_params.get("url", "").strip()
    if not url:
        raise HTTPException(400, "name an address: ?url=…")
    try:
        return {"url": url, "why": why(one.archive, url)}
    except ThrawlError as error:
        raise bad_request(error) from error


def _window(request: Request) -> tuple[int, int]:
    return number_of(request, "offset", 0), number_of(request, "limit", _ROWS, least=1, most=MOST_ROWS)


def _thread_object(thread: StoredThread) -> dict[str, Any]:
    return {"id": thread.id, **dict(zip(_THREAD, thread_row(thread), strict=True))}


def _placed(connection: Any, post: StoredPost) -> StoredPost:
    place = place_of(connection, post.id)
    return post if place is None else replace(post, position=place.before + 1)


def _with_files(connection: Any, found: list[StoredPost]) -> list[dict[str, Any]]:
    files: dict[int, list[dict[str, Any]]] = {}
    for file in files_of(connection, [post.id for post in found]):
        shown = asdict(file)
        files.setdefault(shown.pop("post"), []).append(shown)
    return [
        {"id": post.id, "thread_id": post.thread_id, **dict(zip(_POST, post_row(post), strict=True))}
        | {"files": files.get(post.id, [])}
        for post in found
    ]


def _plain(value: Any) -> Any:
    """Values as JSON has them; times as everywhere in the exports."""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
