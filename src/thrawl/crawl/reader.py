"""Reads one fetched page by the profile: links by URL, posts and rows by the wrappers (FoCUS 4.4: no classification).

Only a page that does not fit is looked at more closely: the general reader may still find its posts, and what it
is instead (a login wall, a challenge, a page that lost its content) is told by what it shows, not by its words.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import Final

from thrawl.crawl.boardrows import Moment, find_moments, read_board_rows, read_newest_rows
from thrawl.crawl.links import LinkReader
from thrawl.crawl.replies import with_replies
from thrawl.crawl.sightings import look
from thrawl.crawl.unread import MOST_PAGES, Block
from thrawl.crawl.unreadwords import blocks_of
from thrawl.crawl.values import BoardRow, BoardStep, Misfit, PageJob, Reading, Role, Sighting, StrayLink, TypedLink
from thrawl.crawl.wayson import links_beyond, numbers_its_pages, unfollowed_pager
from thrawl.crawl.wrapping import Wrappers, general_posts, general_title
from thrawl.errors import PageError
from thrawl.page.shown import PostRecord, ThreadRow
from thrawl.page.tree import Tree, parse
from thrawl.page.walls import is_challenge, is_login
from thrawl.profile.profile import Profile
from thrawl.profile.urls import adds_to

_MOST_TOLD: Final = 50_000
_FEW_CHARS: Final = 40
_MOST_IN_VAIN: Final = 50  # looks for a pager where numbers lead elsewhere: they do so on all pages of the site
_COMPARED: Final = 6  # pages with which the fullest ones are compared


class SiteReader:
    """Reads the pages of one site."""

    def __init__(self, profile: Profile) -> None:
        self._links = LinkReader(profile)
        self._wrappers = Wrappers(profile)
        self._has_session = bool(profile.session_parameters)
        self._threaded = profile.threaded
        self._letters = profile.letters
        self._told: set[str] = set()
        self._fullest = 2
        self._in_vain = 0
        self._longest = 2
        self._looks = dict.fromkeys(Role, _COMPARED)
        self._compares = MOST_PAGES

    def read(self, job: PageJob) -> Reading:
        """What the page says. Never raises for what stands on it."""
        try:
            tree = parse(job.body.decode(job.charset, errors="replace"))
        except PageError as error:
            return Reading(misfit=Misfit.UNREADABLE, detail=str(error))
        letter = self._wrappers.title(tree, job.url) if self._letters and job.role is Role.THREAD else None
        links, refused, flips = self._links.read(tree, job.url, job.list_url, letter)
        reading = Reading(links=links, refused=refused, flips=flips)
        if job.role is Role.THREAD:
            return self._thread(job, tree, reading)
        return self._index(job, tree, reading)

    def _thread(self, job: PageJob, tree: Tree, reading: Reading) -> Reading:
        posts = self._wrappers.posts(tree, job.url, job.fetched)
        general = not posts and self._wrappers.cut_posts
        if not posts:
            posts = general_posts(tree, job.url, job.fetched, general)
        if not posts:
            return replace(reading, misfit=_what_instead(tree, Misfit.NO_POSTS))
        if self._threaded:
            posts = self._known_by_address(job, posts)
        replies = self._threaded and job.url != job.list_url
        title = self._wrappers.title(tree, job.url)
        return replace(
            reading,
            links=self._not_told(_but_permalinks(reading.links, posts, job)),
            posts=with_replies(tuple(self._cleaned(post) for post in _untitled(posts, title))),
            title=None if replies else title,
            boards=self._boards(tree, job, title),
            general=general,
            digest=_digest(posts),
            sighting=self._of_thread(job, tree, reading, len(posts)),
            unread=self._unread(tree, posts),
        )

    def _unread(self, tree: Tree, posts: tuple[PostRecord, ...]) -> tuple[Block, ...]:
        """What stands in no post, of as many pages as are needed for a share."""
        if self._compares == 0:
            return ()
        self._compares -= 1
        return blocks_of(tree, posts)

    def _of_thread(self, job: PageJob, tree: Tree, reading: Reading, posts: int) -> Sighting:
        """Of threads those pages are looked at that might go on (the fullest, and those that number pages), and a few
        to compare them with."""
        if reading.flips.last > 1 or reading.flips.next_url or self._threaded:
            return Sighting()
        if posts < self._fullest:
            numbered = self._in_vain < _MOST_IN_VAIN and numbers_its_pages(tree, job.url)
            unfollowed = self._unfollowed(job, tree, reading) if numbered else 1
            self._in_vain += numbered and unfollowed <= 1
            return Sighting(unfollowed=unfollowed, beyond=self._compared(job, tree))
        self._fullest = posts
        beyond = links_beyond(tree, job.url, job.list_url, self._links)
        return Sighting(unfollowed=self._unfollowed(job, tree, reading), beyond=beyond)

    def _compared(self, job: PageJob, tree: Tree) -> tuple[str, ...] | None:
        """What might lead on from one of a few pages; buttons stand on the short ones, too."""
        if self._looks[job.role] == 0:
            return None
        self._looks[job.role] -= 1
        return links_beyond(tree, job.url, job.list_url, self._links)

    def _known_by_address(self, job: PageJob, posts: tuple[PostRecord, ...]) -> tuple[PostRecord, ...]:
        """On a threaded forum a page is a post, so the page's address identifies it; what it shows may not."""
        if len(posts) != 1:
            return posts
        return (replace(posts[0], post_id=self._links.key_of(job.url) or job.url, post_url=job.url),)

    def _not_told(self, links: tuple[TypedLink, ...]) -> tuple[TypedLink, ...]:
        """Thread pages repeat the same menus; index pages tell all links anyway, so once is enough here."""
        if len(self._told) > _MOST_TOLD:
            self._told.clear()
        new = tuple(link for link in links if link.url not in self._told)
        self._told.update(link.url for link in new)
        return new

    def _index(self, job: PageJob, tree: Tree, reading: Reading) -> Reading:
        if job.role is Role.NEWEST:
            cut = tuple(row for row in map(self._own_row, self._wrappers.rows(tree, job.url, job.fetched)) if row)
            return replace(reading, rows=cut or read_newest_rows(tree, job.url, self._links, self._moments(tree, job)))
        if job.role is not Role.ENTRY and not reading.links:
            return self._without_rows(job, tree, reading)
        cut = self._wrappers.rows(tree, job.url, job.fetched)
        answers = {link.url for link in reading.links if link.is_thread and link.reserve}
        rows = tuple(row for row in map(self._own_row, cut) if row and row.url not in answers)
        boards = self._own_board(tree, job) if job.role is not Role.ENTRY else ()
        if not rows and not any(link.url != job.list_url for link in reading.links) and is_login(tree):
            return replace(reading, misfit=Misfit.LOGIN)
        sighting = self._sighting(job, tree, reading, cut)
        board_rows: tuple[BoardRow, ...] = ()
        if job.role is Role.ENTRY:
            board_rows = read_board_rows(tree, job.url, self._links, sighting.told, self._moments(tree, job))
        shown = _digest_of_links(reading.links, job.list_url)
        return replace(reading, rows=rows, boards=boards, sighting=sighting, board_rows=board_rows, digest=shown)

    def _without_rows(self, job: PageJob, tree: Tree, reading: Reading) -> Reading:
        """A list that shows nothing known; what it shows instead is told."""
        misfit = _what_instead(tree, Misfit.NO_ROWS)
        if misfit is not Misfit.NO_ROWS:
            return replace(reading, misfit=misfit)
        strays = look(tree, job.url, job.list_url, self._links, is_entry=False).strays
        return replace(reading, misfit=misfit, sighting=Sighting(strays=strays))

    def _moments(self, tree: Tree, job: PageJob) -> tuple[Moment, ...]:
        return find_moments(tree, job.fetched, self._wrappers.times)

    def _sighting(self, job: PageJob, tree: Tree, reading: Reading, rows: tuple[ThreadRow, ...]) -> Sighting:
        """What an index page promises; where it shows no threads, rows that the wrapper cuts there are strays."""
        seen = look(tree, job.url, job.list_url, self._links, is_entry=job.role is Role.ENTRY)
        if seen.threads:
            rows = ()
        titled = ((self._links.one_form(row.url), row.title) for row in rows)
        cut = {url: StrayLink(url, title) for url, title in titled if title and self._links.types.type(url) is None}
        strays = {**cut, **{stray.url: stray for stray in seen.strays}}
        unfollowed, beyond = 1, None
        leads_on = reading.flips.last > 1 or reading.flips.next_url
        if seen.threads >= self._longest:  # only lists that might go on: looking for pagers costs as much as the rest
            self._longest = seen.threads
            unfollowed = self._unfollowed(job, tree, reading)
            beyond = None if leads_on else links_beyond(tree, job.url, job.list_url, self._links)
        elif not leads_on:
            beyond = self._compared(job, tree)
        return replace(seen, strays=tuple(strays.values()), unfollowed=unfollowed, beyond=beyond)

    def _unfollowed(self, job: PageJob, tree: Tree, reading: Reading) -> int:
        """The last page of a pager that leads on where none is followed."""
        flips = reading.flips
        if flips.last > 1 or flips.next_url:
            return 1
        return unfollowed_pager(tree, job.url, job.list_url, self._links)

    def _own_row(self, row: ThreadRow) -> ThreadRow | None:
        """The row under the URL of its thread's first page; None for a row that leads to no thread."""
        typed = self._links.types.type(self._links.one_form(row.url))
        if typed is None or not typed.is_thread or typed.list_url is None:
            return None
        return row if typed.list_url == row.url else replace(row, url=typed.list_url)

    def _boards(self, tree: Tree, job: PageJob, own: str | None) -> tuple[BoardStep, ...]:
        """The boards above a thread, each once: a crumb may lead to a later page of its board, or hold its pager."""
        found: dict[str, BoardStep] = {}
        for title, url in self._wrappers.boards(tree, job.url, own, self._links.one_form):
            home = self._list_of(url) if url else None
            found.setdefault(home or title, BoardStep(title, home))
        return tuple(found.values())

    def _list_of(self, url: str) -> str:
        link = self._links.one_form(url)
        typed = self._links.types.type(link)
        return link if typed is None else typed.list_url or link

    def _own_board(self, tree: Tree, job: PageJob) -> tuple[BoardStep, ...]:
        """The board that an index page is; unless thread pages tell better, by their breadcrumbs."""
        title = None if self._wrappers.shows_boards else general_title(tree)
        return (BoardStep(title, job.list_url),) if title else ()

    def _cleaned(self, post: PostRecord) -> PostRecord:
        """Links without the session that happened to be ours."""
        if not self._has_session:
            return post
        post_url = self._links.one_form(post.post_url) if post.post_url else None
        author_url = self._links.one_form(post.author_url) if post.author_url else None
        return replace(post, post_url=post_url, author_url=author_url)


def _but_permalinks(links: tuple[TypedLink, ...], posts: tuple[PostRecord, ...], job: PageJob) -> tuple[TypedLink, ...]:
    """The links without those that lead to one of the page's own posts by its number, though they look like threads.

    Where each comment has a page of its own like a thread's, the comment is here; what it is not, a list leads to.
    """
    own = {post.post_url for post in posts if post.post_url and post.post_id and post.post_id in post.post_url}
    return tuple(link for link in links if not link.is_thread or link.url == job.list_url or link.url not in own)


def _untitled(posts: tuple[PostRecord, ...], title: str | None) -> tuple[PostRecord, ...]:
    """The posts, the first without the thread's title above its words or for its author: where that stands in its
    element, no place tells both apart, as other posts have none."""
    first = posts[0]
    if title and first.author == title:
        first = replace(first, author=None, author_url=None)
    if title and first.text.startswith(f"{title}\n"):
        first = replace(first, text=first.text[len(title) + 1 :].lstrip("\n"))
    return (first, *posts[1:])


def _digest(posts: tuple[PostRecord, ...]) -> str | None:
    """What stands for the words of a page; None where they are so few that two pages may have the same."""
    words = " ".join(post.text for post in posts)
    if len(words) < _FEW_CHARS:
        return None
    return blake2b(words.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _digest_of_links(links: tuple[TypedLink, ...], own: str) -> str:
    """What stands for the lists and threads that an index page shows besides itself, under a shorter address, too."""
    shown = "\n".join(sorted(url for url in {link.list_url for link in links} if url != own and not adds_to(own, url)))
    return blake2b(shown.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _what_instead(tree: Tree, otherwise: Misfit) -> Misfit:
    if is_login(tree):
        return Misfit.LOGIN
    return Misfit.CHALLENGE if is_challenge(tree) else otherwise
