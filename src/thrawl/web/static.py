"""A static site: a folder that a browser reads and searches from disk, without any server.

    index.html          the boards
    boards/7.html       the threads of a board, in pages
    threads/0/12.html   a thread, in pages of some posts
    media/ab/….png      pictures and attachments
    search.html         looks words up in search/*.js (words.py)
    assets/             its style and its one script

Everything is streamed: the size of the archive costs time and disk, not memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Connection, func, select

from thrawl.archive.boards import BoardPaths
from thrawl.archive.browse import BoardNode, board_tree, post_counts, thread_by_id, thread_count, threads_of
from thrawl.archive.export_rows import Wanted, iso
from thrawl.archive.media import MediaState, PostFile
from thrawl.archive.mediastore import MediaStore
from thrawl.archive.reading import stream
from thrawl.archive.selection import EVERYTHING, choose
from thrawl.archive.store import Archive
from thrawl.archive.tables import authors, posts, threads
from thrawl.archive.values import StoredPost, from_shown
from thrawl.web.links import (
    POSTS_A_PAGE,
    THREADS_A_PAGE,
    StaticLinks,
    board_path,
    media_path,
    thread_path,
)
from thrawl.web.reader import NO_BOARD, NO_BOARD_TITLE, NO_TITLE, crumbs, pager, show_board, show_thread
from thrawl.web.render import asset, render
from thrawl.web.values import BoardLine, pages_of
from thrawl.web.words import FoundPost, WordIndex

MARK: Final = "search/about.js"  # stands in every folder that was exported before, and in hardly any other
_ASSETS: Final = ("style.css", "search.js")
_MANY_POSTS: Final = 50_000  # from here on a second process saves more than the second that it needs to start
_TOP: Final = StaticLinks()
_IN_BOARDS: Final = StaticLinks("../")
_IN_THREADS: Final = StaticLinks("../../")
_Item = TypeVar("_Item")


def write_site(archive: Archive, folder: Path, wanted: Wanted, store: MediaStore | None) -> int:
    """Write the archive, or the part that is wanted, into a folder; the number of posts."""
    (folder / "assets").mkdir()
    for name in _ASSETS:
        (folder / "assets" / name).write_bytes(asset(name))
    with ExitStack() as closing:
        site = closing.enter_context(_opened_site(archive, folder, wanted, store))
        indexing = closing.enter_context(_elsewhere(archive, folder, wanted))
        written = site.write_threads()
        site.write_boards()
        if indexing is None:
            site.write_search()
        else:
            indexing.result()
    return written


@contextmanager
def _opened_site(archive: Archive, folder: Path, wanted: Wanted, store: MediaStore | None) -> Iterator[_Site]:
    with archive.reading() as connection, archive.reading() as streaming:
        yield _Site(archive, connection, streaming, folder, wanted, store, _title(archive))


@contextmanager
def _elsewhere(archive: Archive, folder: Path, wanted: Wanted) -> Iterator[Future[None] | None]:
    """The search of a large archive in a file is written by a second process, so that two cores work; else None."""
    is_file = Path(archive.location).is_file() and archive.readonly
    if not is_file or archive.summary().posts < _MANY_POSTS or (os.cpu_count() or 1) < 2:
        yield None
        return
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool.submit(_write_search, archive.location, folder, wanted)


def _write_search(location: str, folder: Path, wanted: Wanted) -> None:
    with Archive.open(location, readonly=True) as archive, _opened_site(archive, folder, wanted, None) as site:
        site.write_search()


def _title(archive: Archive) -> str:
    return ", ".join(dict.fromkeys(forum.host for forum in archive.forums())) or "An empty archive"


@dataclass(frozen=True, slots=True)
class _Conditions:
    """What is wanted, as conditions on threads and on posts."""

    threads: tuple[ColumnElement[bool], ...]
    posts: tuple[ColumnElement[bool], ...]


class _Site:
    """One export under way."""

    def __init__(
        self,
        archive: Archive,
        connection: Connection,
        streaming: Connection,
        folder: Path,
        wanted: Wanted,
        store: MediaStore | None,
        title: str,
    ) -> None:
        self._archive = archive
        self._connection = connection
        self._streaming = streaming
        self._folder = folder
        self._wanted = wanted
        self._store = store
        self._site = title
        self._tree = {node.id: node for node in board_tree(connection)}
        self._is_whole = wanted.selection == EVERYTHING and wanted.with_vanished
        self._conditions = self._chosen()
        self._paths = BoardPaths(connection)

    def _chosen(self) -> _Conditions:
        chosen = choose(self._connection, self._wanted.selection)
        of_posts = [chosen.of_posts()]
        of_threads = [chosen.of_threads()]
        if not self._wanted.with_vanished:
            of_posts.append(posts.c.vanished.is_(None))
            of_threads.append(threads.c.vanished.is_(None))
        if self._wanted.selection.of_posts:
            of_threads.append(threads.c.id.in_(select(posts.c.thread_id).where(*of_posts)))
        return _Conditions(tuple(of_threads), tuple(of_posts))

    # --- threads

    def write_threads(self) -> int:
        found = self._wanted.posts(self._archive)
        return sum(
            self._write_thread(thread_id, of_thread)
            for thread_id, of_thread in groupby(found, key=lambda post: post.thread_id)
        )

    def _write_thread(self, thread_id: int, of_thread: Iterator[StoredPost]) -> int:
        known = thread_by_id(self._connection, thread_id, self._paths)
        assert known is not None, "a post belongs to a thread"
        thread, board_id = known
        wanted = () if self._is_whole else self._conditions.posts
        total = post_counts(self._connection, [thread_id], *wanted).get(thread_id, 0)
        last = pages_of(total, POSTS_A_PAGE)
        way = crumbs(self._tree, board_id, _IN_THREADS)
        written = 0
        for number, held in enumerate(_batches(of_thread, POSTS_A_PAGE), start=1):
            turning = pager(number, max(last, number), lambda page: _IN_THREADS.thread(thread_id, page))
            page = show_thread(
                self._connection, thread, held, total, way, turning, _IN_THREADS, self._store,
                is_whole=self._is_whole,
            )  # fmt: skip
            self._write(thread_path(thread_id, number), "thread.html", _IN_THREADS, page=page)
            self._copy_media(page.kept)
            written += len(held)
        return written

    def _copy_media(self, files: Iterable[PostFile]) -> None:
        for file in files:
            if self._store is None or file.sha256 is None:
                continue
            target = self._folder / media_path(file.sha256, file.type)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                self._store.copy(file.sha256, target)

    # --- boards

    def write_boards(self) -> None:
        counts = self._posts_by_board()
        lines = []
        for node in self._listed():
            number = self._write_board(node)
            if node is not None or number:
                lines.append(_board_line(node, number, counts.get(None if node is None else node.id, 0)))
        self._write(
            "index.html",
            "home.html",
            _TOP,
            boards=lines,
            threads=sum(line.threads for line in lines),
            posts=sum(counts.values()),
            media=self._archive.media.counts().get(MediaState.KEPT, 0),
        )

    def _listed(self) -> Iterator[BoardNode | None]:
        """The boards that are wanted, each below its parent, and the one of threads without a board."""
        if self._wanted.selection.forum is None and self._wanted.selection.board is None:
            yield from self._tree.values()
        else:
            chosen = choose(self._connection, self._wanted.selection)
            for node in self._tree.values():
                if (chosen.forums is None or node.forum_id in chosen.forums) and (
                    chosen.boards is None or node.id in chosen.boards
                ):
                    yield node
        yield None

    def _posts_by_board(self) -> dict[int | None, int]:
        query = (
            select(threads.c.board_id, func.count())
            .join(posts, posts.c.thread_id == threads.c.id)
            .where(*self._conditions.threads, *self._conditions.posts)
            .group_by(threads.c.board_id)
        )
        return {row[0]: int(row[1]) for row in self._connection.execute(query)}

    def _write_board(self, node: BoardNode | None) -> int:
        board_id = NO_BOARD if node is None else node.id
        total = thread_count(self._connection, board_id, *self._conditions.threads)
        if node is None and not total:
            return 0
        last = pages_of(total, THREADS_A_PAGE)
        for number in range(1, last + 1):
            skip = (number - 1) * THREADS_A_PAGE
            found = threads_of(self._connection, board_id, skip, THREADS_A_PAGE, *self._conditions.threads)
            turning = pager(number, last, lambda page: _IN_BOARDS.board(board_id, page))
            page = show_board(
                self._connection, node, self._tree, found, total, turning, _IN_BOARDS, *self._conditions.posts
            )  # fmt: skip
            self._write(board_path(board_id, number), "board.html", _IN_BOARDS, page=page)
        return total

    # --- search

    def write_search(self) -> None:
        self._write("search.html", "search_static.html", _TOP)
        with WordIndex(self._folder / "search") as words:
            for row in stream(self._streaming, self._newest_first()):
                words.add(self._found(row))

    def _newest_first(self) -> Any:
        """Every wanted post with its place among the wanted posts of its thread."""
        order = (posts.c.page_number, posts.c.index_on_page, posts.c.id)
        placed = (
            select(posts.c.id, func.row_number().over(partition_by=posts.c.thread_id, order_by=order).label("place"))
            .where(*self._conditions.posts)
            .subquery()
        )
        return (
            select(
                *(posts.c.id, posts.c.thread_id, posts.c.published, posts.c.text, placed.c.place),
                *(threads.c.title, threads.c.board_id, authors.c.name),
            )
            .join(placed, placed.c.id == posts.c.id)
            .join(threads, threads.c.id == posts.c.thread_id)
            .outerjoin(authors, authors.c.id == posts.c.author_id)
            .where(*self._conditions.threads)
            .order_by(posts.c.published.desc().nulls_last(), posts.c.id.desc())
        )

    def _found(self, row: Any) -> FoundPost:
        path, _ = self._paths.of(row.board_id)
        page = (row.place - 1) // POSTS_A_PAGE + 1
        return FoundPost(
            path=_TOP.thread(row.thread_id, page, row.id),
            title=row.title or NO_TITLE,
            author=row.name or "",
            board=" › ".join(path),
            published=iso(self._wanted.time(from_shown(row.published))) or "",
            opens=int(row.place == 1 and row.title is not None),
            text=row.text,
        )

    def _write(self, path: str, template: str, links: StaticLinks, **values: Any) -> None:
        file = self._folder / path
        text = render(template, links=links, site=self._site, **values)
        try:
            file.write_text(text, encoding="utf-8", errors="replace")
        except FileNotFoundError:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", errors="replace")


def _board_line(node: BoardNode | None, number: int, posts_kept: int) -> BoardLine:
    if node is None:
        return BoardLine(NO_BOARD_TITLE, _TOP.board(NO_BOARD), 0, number, posts_kept)
    return BoardLine(node.title, _TOP.board(node.id), node.depth, number, posts_kept)


def _batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    source = iter(items)
    while held := list(islice(source, size)):
        yield held
