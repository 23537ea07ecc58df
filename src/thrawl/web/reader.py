"""What the pages of the reader show, put together from the archive: boards, threads, posts and all that is theirs.

Both uses of the templates ask here; a page is a function of the archive, its number and where links lead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import ColumnElement, Connection

from thrawl.archive.browse import (
    BoardNode,
    board_tree,
    place_named,
    post_counts,
    posts_of,
    thread_by_id,
    thread_count,
    threads_at,
    threads_of,
)
from thrawl.archive.media import MediaRole, MediaState, PostFile, files_of
from thrawl.archive.mediastore import MediaStore
from thrawl.archive.mediatypes import is_shown
from thrawl.archive.reading import revisions_of
from thrawl.archive.values import StoredPost, StoredThread
from thrawl.web.clean import Surroundings, clean, file_name, hrefs, safe_link
from thrawl.web.links import POSTS_A_PAGE, THREADS_A_PAGE, Links, post_link
from thrawl.web.values import (
    Crumb,
    FileLine,
    Pager,
    PostView,
    Said,
    ThreadLine,
    Turn,
    Wording,
    pages_of,
    pages_shown,
)

NO_BOARD: Final = 0  # stands for the threads whose board is not known
NO_BOARD_TITLE: Final = "Other threads"
NO_TITLE: Final = "(a thread without a title)"
_QUOTED: Final = 60  # characters by which a quoted post is known
_DEEPEST: Final = 6  # steps to the right that nested posts are shown with


@dataclass(frozen=True, slots=True)
class BoardPage:
    title: str
    crumbs: tuple[Crumb, ...]
    boards: tuple[Crumb, ...]
    threads: tuple[ThreadLine, ...]
    total: int
    pager: Pager
    original: str | None


@dataclass(frozen=True, slots=True)
class ThreadPage:
    title: str
    crumbs: tuple[Crumb, ...]
    posts: tuple[PostView, ...]
    total: int
    promised: int | None
    vanished: bool
    pager: Pager
    original: str | None
    kept: tuple[PostFile, ...]


def pager(page: int, last: int, href: Callable[[int], str]) -> Pager:
    """The pager of a list."""
    turns = (
        Turn("…", None)
        if number is None
        else Turn(str(number), None if number == page else href(number), number == page)
        for number in pages_shown(page, last)
    )
    before = href(page - 1) if page > 1 else None
    after = href(page + 1) if page < last else None
    return Pager(page, last, before, after, tuple(turns))


def board_page(connection: Connection, board_id: int, page: int, links: Links) -> BoardPage | None:
    """A page of a board's threads; None where there is no such page."""
    tree = {node.id: node for node in board_tree(connection)}
    node = tree.get(board_id)
    if node is None and board_id != NO_BOARD:
        return None
    total = thread_count(connection, board_id)
    last = pages_of(total, THREADS_A_PAGE)
    if not 1 <= page <= last:
        return None
    found = threads_of(connection, board_id, (page - 1) * THREADS_A_PAGE, THREADS_A_PAGE)
    return show_board(
        connection, node, tree, found, total, pager(page, last, lambda n: links.board(board_id, n)), links
    )


def show_board(
    connection: Connection,
    node: BoardNode | None,
    tree: Mapping[int, BoardNode],
    threads: Sequence[StoredThread],
    total: int,
    turning: Pager,
    links: Links,
    *wanted: ColumnElement[bool],
) -> BoardPage:
    """A page of these threads; of their posts, those that are wanted count."""
    counts = post_counts(connection, [thread.id for thread in threads], *wanted)
    below = () if node is None else tuple(child for child in tree.values() if child.parent_id == node.id)
    return BoardPage(
        title=NO_BOARD_TITLE if node is None else node.title,
        crumbs=crumbs(tree, None if node is None else node.parent_id, links),
        boards=tuple(Crumb(child.title, links.board(child.id)) for child in below),
        threads=tuple(_thread_line(thread, counts.get(thread.id, 0), links) for thread in threads),
        total=total,
        pager=turning,
        original=None if node is None else safe_link(node.url),
    )


def crumbs(tree: Mapping[int, BoardNode], board_id: int | None, links: Links) -> tuple[Crumb, ...]:
    """The way from the top to a board, the board included."""
    steps: list[Crumb] = []
    node = None if board_id is None else tree.get(board_id)
    while node is not None and len(steps) <= len(tree):
        steps.insert(0, Crumb(node.title, links.board(node.id)))
        node = None if node.parent_id is None else tree.get(node.parent_id)
    return (Crumb("Boards", links.home()), *steps)


def _thread_line(thread: StoredThread, posts: int, links: Links) -> ThreadLine:
    return ThreadLine(
        title=thread.title or NO_TITLE,
        href=links.thread(thread.id) if posts else None,
        author=thread.author,
        posts=posts,
        promised=None if thread.replies is None else thread.replies + 1,
        last=thread.last_time,
        last_author=thread.last_author,
        sticky=thread.sticky,
        vanished=thread.vanished is not None,
    )


def thread_page(
    connection: Connection, thread_id: int, page: int, links: Links, store: MediaStore | None
) -> ThreadPage | None:
    """A page of a thread's posts; None where there is no such page."""
    found = thread_by_id(connection, thread_id)
    if found is None:
        return None
    total = post_counts(connection, [thread_id]).get(thread_id, 0)
    last = pages_of(total, POSTS_A_PAGE)
    if not 1 <= page <= last:
        return None
    thread, board_id = found
    posts = posts_of(connection, thread_id, (page - 1) * POSTS_A_PAGE, POSTS_A_PAGE)
    tree = {node.id: node for node in board_tree(connection)}
    turning = pager(page, last, lambda number: links.thread(thread_id, number))
    return show_thread(connection, thread, posts, total, crumbs(tree, board_id, links), turning, links, store)


def show_thread(
    connection: Connection,
    thread: StoredThread,
    posts: Sequence[StoredPost],
    total: int,
    way: tuple[Crumb, ...],
    turning: Pager,
    links: Links,
    store: MediaStore | None,
    *,
    is_whole: bool = True,
) -> ThreadPage:
    """A page of these posts; where some of a thread are left out, none is linked that stands on another page."""
    files = [_as_it_stands(file, store) for file in files_of(connection, [post.id for post in posts])]
    return ThreadPage(
        title=thread.title or NO_TITLE,
        crumbs=way,
        posts=post_views(connection, posts, files, links, is_whole=is_whole),
        total=total,
        promised=None if thread.replies is None else thread.replies + 1,
        vanished=thread.vanished is not None,
        pager=turning,
        original=safe_link(thread.url),
        kept=tuple(file for file in files if file.sha256 is not None),
    )


def post_views(
    connection: Connection, posts: Sequence[StoredPost], files: Sequence[PostFile], links: Links, *, is_whole: bool
) -> tuple[PostView, ...]:
    """Posts of one thread with all that belongs to them; what concerns several is asked of the archive once."""
    of_post: dict[int, list[PostFile]] = {}
    for file in files:
        of_post.setdefault(file.post, []).append(file)
    around = Surroundings(links, {file.url: file for file in files}, _linked_threads(connection, posts))
    saying = _Saying(connection if is_whole else None, posts, links)
    return tuple(_view(connection, post, of_post.get(post.id, ()), saying, around) for post in posts)


def _linked_threads(connection: Connection, posts: Iterable[StoredPost]) -> dict[str, int]:
    addresses = {address for post in posts if "<a" in post.html for address in hrefs(post.html)}
    return threads_at(connection, sorted(addresses)) if addresses else {}


def _view(
    connection: Connection, post: StoredPost, files: Sequence[PostFile], saying: _Saying, around: Surroundings
) -> PostView:
    base = post.thread_url
    wordings = revisions_of(connection, post.id) if post.revision > 1 else ()
    return PostView(
        id=post.id,
        position=post.position,
        author=post.author,
        published=post.published,
        published_text=post.published_text,
        edited=post.edited,
        vanished=post.vanished,
        original=safe_link(post.post_url) or safe_link(post.thread_url),
        depth=min(post.depth or 0, _DEEPEST),
        body=clean(post.html, post.text, base, around),
        wordings=tuple(Wording(one.replaced, clean(one.html, one.text, base, around)) for one in wordings),
        files=tuple(_file_line(file, around.links) for file in files if _is_offered(file)),
        said=tuple(saying.of(post)) if post.quotes or post.reply_to else (),
    )


def _as_it_stands(file: PostFile, store: MediaStore | None) -> PostFile:
    """A file that the archive knows and the store does not hold is missing, whatever became of it."""
    if file.sha256 is None or (store is not None and store.has(file.sha256)):
        return file
    return replace(file, state=MediaState.MISSING, sha256=None, failure="its file is not in the media store")


def _is_offered(file: PostFile) -> bool:
    """Whether a file is listed below its post: attachments are, and what cannot be shown in the text."""
    return file.role is MediaRole.ATTACHED or (file.sha256 is not None and not is_shown(file.type))


def _file_line(file: PostFile, links: Links) -> FileLine:
    href = None if file.sha256 is None else links.media(file.sha256, file.type)
    return FileLine(file_name(file), href, file.bytes, file.failure if href is None else None)


class _Saying:
    """Finds the posts that others answer or quote: on the same page by their words, elsewhere by their ids."""

    def __init__(self, connection: Connection | None, posts: Sequence[StoredPost], links: Links) -> None:
        self._connection = connection
        self._links = links
        self._posts = posts
        self._by_id = {post.post_id: post for post in posts if post.post_id}

    def of(self, post: StoredPost) -> Iterable[Said]:
        seen: set[str] = set()
        asked = [(quote.post_id, quote.author, quote.text) for quote in post.quotes]
        for post_id, author, text in [*asked, (post.reply_to, None, "")]:
            found = self._named(post, post_id, author) if post_id else self._worded(post, text)
            if found is not None and found.href not in seen:
                seen.add(found.href)
                yield found

    def _named(self, post: StoredPost, post_id: str, author: str | None) -> Said | None:
        here = self._by_id.get(post_id)
        if here is not None:
            return Said(here.author or author or "unknown", f"#p{here.id}")
        place = None if self._connection is None else place_named(self._connection, post.thread_id, post_id)
        return None if place is None else Said(author or f"post {post_id}", post_link(self._links, place))

    def _worded(self, post: StoredPost, text: str) -> Said | None:
        wanted = " ".join(text.split())[:_QUOTED]
        if not wanted:
            return None
        for other in self._posts:
            if other.position >= post.position:
                return None
            if wanted in " ".join(other.text.split()):
                return Said(other.author or "unknown", f"#p{other.id}")
        return None
