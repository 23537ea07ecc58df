"""A static HTML archive: a folder that a browser reads and searches from disk, without any server.

    index.html          the boards
    boards/7.html       the threads of a board, in pages
    threads/0/12.html   a thread, in pages of some posts
    search.html         looks words up in search/*.js (export_words.py)

Pages of threads hold no script, and posts go through nh3: what a stranger wrote on a forum runs nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import chain, count, groupby, islice
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urljoin, urlsplit

import nh3

from thrawl.archive.export_rows import Wanted, iso
from thrawl.archive.export_words import FoundPost, WordIndex
from thrawl.archive.html_parts import STYLE, page
from thrawl.archive.search_page import SEARCH_PAGE
from thrawl.archive.store import Archive
from thrawl.archive.values import StoredBoard, StoredPost, StoredThread

_POSTS_A_PAGE: Final = 100
_THREADS_A_PAGE: Final = 200
_FILES_A_FOLDER: Final = 1000
_Item = TypeVar("_Item")
_LINKS: Final = frozenset({"href", "src", "cite"})


def write_html(archive: Archive, folder: Path, wanted: Wanted) -> int:
    """Write the archive, or the part that is wanted, into a folder; the number of posts."""
    (folder / "style.css").write_text(STYLE, encoding="utf-8")
    (folder / "search.html").write_text(SEARCH_PAGE, encoding="utf-8")
    with WordIndex(folder / "search", expected=archive.summary().posts) as words:
        posts = wanted.posts(archive)
        written = sum(
            _write_thread(folder, thread_id, of_thread, words)
            for thread_id, of_thread in groupby(posts, key=lambda post: post.thread_id)
        )
    _write_boards(archive, folder, wanted)
    return written


def thread_path(thread_id: int, number: int = 1) -> str:
    """Where a page of a thread stands, from the folder's top."""
    suffix = "" if number == 1 else f"-{number}"
    return f"threads/{thread_id // _FILES_A_FOLDER}/{thread_id}{suffix}.html"


def _pages(items: Iterable[_Item], size: int) -> Iterator[tuple[int, list[_Item], bool]]:
    """Numbered pages of items, each with whether another one follows; one empty page when there are none."""
    source = iter(items)
    held = list(islice(source, size))
    for number in count(1):
        following = list(islice(source, size))
        yield number, held, bool(following)
        if not following:
            return
        held = following


def _write_thread(folder: Path, thread_id: int, posts: Iterator[StoredPost], words: WordIndex) -> int:
    written = 0
    for number, held, more in _pages(posts, _POSTS_A_PAGE):
        path = thread_path(thread_id, number)
        first = held[0]
        title = first.thread_title or first.thread_url
        crumbs = " › ".join(escape(step) for step in first.board)
        body = [f'<p class="crumbs"><a href="../../index.html">Boards</a> › {crumbs}</p>', f"<h1>{escape(title)}</h1>"]
        body.append(f'<p><a href="{_safe_link(first.thread_url)}">{escape(first.thread_url)}</a></p>')
        body.extend(map(_post, held))
        body.append(_turning(Path(path).name.partition(".")[0].partition("-")[0], number, more))
        _write(folder / path, page(title, "\n".join(body), up="../../"))
        for place, post in enumerate(held):
            words.add(_found(post, path, title, opens=number == 1 and place == 0))
        written += len(held)
    return written


def _found(post: StoredPost, path: str, title: str, *, opens: bool) -> FoundPost:
    return FoundPost(
        path=f"{path}#p{post.position}",
        title=title,
        author=post.author or "",
        board=" › ".join(post.board),
        published=iso(post.published) or "",
        opens=int(opens and post.thread_title is not None),
        text=post.text,
    )


def _post(post: StoredPost) -> str:
    when = escape(iso(post.published) or post.published_text or "")
    author = escape(post.author or "unknown")
    notes = "".join(f" · {note}" for note in _notes(post))
    link = f'<a href="{_safe_link(post.post_url or post.thread_url)}">#{post.position}</a>'
    head = f"<header>{link} <b>{author}</b> <time>{when}</time>{notes}</header>"
    return f'<article id="p{post.position}">{head}<div>{_clean(post)}</div></article>'


def _notes(post: StoredPost) -> Iterator[str]:
    if post.edited is not None:
        yield f"edited {escape(iso(post.edited) or '')}"
    if post.vanished is not None:
        yield "no longer on the site"


def _clean(post: StoredPost) -> str:
    def absolute(_tag: str, attribute: str, value: str) -> str | None:
        return _join(post.thread_url, value) if attribute in _LINKS else value

    return nh3.clean(post.html, attribute_filter=absolute) or f"<p>{escape(post.text)}</p>"


def _join(base: str, link: str) -> str | None:
    try:
        return urljoin(base, link)
    except ValueError:
        return None


def _safe_link(url: str) -> str:
    try:
        safe = urlsplit(url).scheme in ("http", "https")
    except ValueError:
        safe = False
    return escape(url) if safe else "#"


def _turning(stem: str, number: int, more: bool) -> str:
    """Links to the pages before and after."""
    before = f'<a rel="prev" href="{stem}{"" if number == 2 else f"-{number - 1}"}.html">‹ page {number - 1}</a>'
    after = f'<a rel="next" href="{stem}-{number + 1}.html">page {number + 1} ›</a>'
    return f"<nav>{before if number > 1 else ''} {after if more else ''}</nav>"


def _write_boards(archive: Archive, folder: Path, wanted: Wanted) -> None:
    nowhere = StoredBoard(0, "", None, "Other threads", ("Other threads",), None)
    lines = []
    for board in chain(archive.boards(selection=wanted.selection), (nowhere,)):
        number = _write_board(folder, board, wanted.threads(archive, board.id))
        if number or board is not nowhere:
            lines.append(_board_line(board, number))
    forums = ", ".join(escape(forum.host) for forum in archive.forums())
    body = f"<h1>{forums}</h1>\n<ul class='boards'>\n{chr(10).join(lines)}\n</ul>"
    _write(folder / "index.html", page(forums, body, up=""))


def _board_line(board: StoredBoard, threads: int) -> str:
    indent = f"style='margin-left:{len(board.path) - 1}em'"
    return (
        f"<li {indent}><a href='boards/{board.id}.html'>{escape(board.title)}</a> <small>{threads} threads</small></li>"
    )


def _write_board(folder: Path, board: StoredBoard, threads: Iterator[StoredThread]) -> int:
    written = 0
    for number, held, more in _pages(threads, _THREADS_A_PAGE):
        rows = "\n".join(_thread_line(folder, thread) for thread in held)
        body = (
            f'<p class="crumbs"><a href="../index.html">Boards</a></p><h1>{escape(" › ".join(board.path))}</h1>\n'
            f"<table>{rows}</table>{_turning(str(board.id), number, more)}"
        )
        suffix = "" if number == 1 else f"-{number}"
        _write(folder / "boards" / f"{board.id}{suffix}.html", page(board.title, body, up="../"))
        written += len(held)
    return written


def _thread_line(folder: Path, thread: StoredThread) -> str:
    title = escape(thread.title or thread.url)
    path = thread_path(thread.id)
    link = f'<a href="../{path}">{title}</a>' if (folder / path).exists() else f"{title} <small>(not fetched)</small>"
    replies = "" if thread.replies is None else f"{thread.replies} replies"
    gone = " · no longer on the site" if thread.vanished else ""
    return f"<tr><td>{link}</td><td>{replies}{gone}</td><td>{escape(iso(thread.last_time) or '')}</td></tr>"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
