"""Asks the archive what was promised and what was got: the facts that a crawl's ledger is drawn from.

All of it is asked of the database in a few passes, once at the end of a crawl; what is held in memory grows with the
number of boards and lists, not with that of threads and posts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, case, func, literal_column, or_, select

from thrawl.archive.facts import BoardFacts, Facts, FailureFacts, ListFacts
from thrawl.archive.marking import READ, UNREAD
from thrawl.archive.postnumbers import numbers_of
from thrawl.archive.tables import authors, boards, counters, pages, posts, promises, strays, threads
from thrawl.archive.values import EMPTY, NUMBERED, FailureKind, PageState, Promise, Stray
from thrawl.archive.voices import voices_of
from thrawl.archive.wordings import wordings_of
from thrawl.page.pagekind import PageKind

_INDEX: Final = (PageKind.ENTRY.value, PageKind.INDEX.value, PageKind.INDEX_FLIP.value)
_THREAD: Final = (PageKind.THREAD.value, PageKind.THREAD_FLIP.value)
_WALLS: Final = (FailureKind.LOGIN.value, FailureKind.FORBIDDEN.value, FailureKind.NO_ROWS.value)
_EMPTY: Final = (FailureKind.LOGIN.value, FailureKind.NO_POSTS.value)
_AT_ONCE: Final = 1000  # rows that are held in memory
_MOST_STRAYS: Final = 2000  # enough to say what is missing; a site of endless words must not fill memory
_MOST_LOST: Final = 200  # threads that are named; the share tells the rest
_MOST_UNFOLLOWED: Final = 2000  # as many as are asked for again


def facts_of(connection: Connection, forum_id: int) -> Facts:
    """The facts of one forum."""

    def one(query: Select[Any]) -> int:
        return int(connection.execute(query).scalar_one() or 0)

    def ours(table: Any) -> Any:
        return table.c.forum_id == forum_id

    sizes = _sizes(connection, forum_id)
    lists = _thread_lists(connection, forum_id)
    row_voices, quote_voices = voices_of(connection, forum_id)
    return Facts(
        threads=one(_named(forum_id)),
        threads_with_posts=sizes.threads,
        posts=sizes.posts,
        authors=one(select(func.count()).select_from(authors).where(ours(authors))),
        by_one_author=one(_by_one_author(forum_id)),
        replies=tuple((one, *sizes.differences[one]) for one in sorted(sizes.differences)),
        unanswered=sizes.unanswered,
        lengths=tuple(sorted(sizes.lengths.items())),
        long_threads=sizes.long,
        unfollowed_threads=_unfollowed_threads(connection, forum_id),
        cut_short=lists[0],
        pages_cut=lists[1],
        alike=one(_alike(forum_id)),
        thread_pages=one(select(func.count()).select_from(pages).where(*_done(forum_id, _THREAD))),
        boards=_boards(connection, forum_id, sizes),
        lists=_lists(connection, forum_id),
        failures=_failures(connection, forum_id),
        promises=tuple(
            Promise(row.subject, row.place, row.words, row.number)
            for row in connection.execute(select(promises).where(ours(promises)))
        ),
        strays=tuple(
            (row.list_url, Stray(row.url, row.title))
            for row in connection.execute(select(strays).where(ours(strays)).limit(_MOST_STRAYS))
        ),
        waiting=one(
            select(func.count())
            .select_from(pages)
            .where(ours(pages), pages.c.state.in_([PageState.PENDING.value, PageState.LEASED.value]))
        ),
        forbidden=tuple(connection.scalars(_forbidden(forum_id))),
        repeating=lists[2],
        row_voices=row_voices,
        quote_voices=quote_voices,
        fullest=sizes.fullest,
        lost=tuple(connection.scalars(_lost(forum_id))),
        people=tuple(connection.scalars(_people(forum_id))),
        wordings=wordings_of(connection, forum_id),
        read=one(_noted(forum_id, READ)),
        unread=one(_noted(forum_id, UNREAD)),
        numbers=numbers_of(connection, forum_id),
        guessed=one(_guessed(forum_id)),
        listed_people=tuple(connection.scalars(_listed_people(forum_id))),
    )


def _named(forum_id: int) -> Select[Any]:
    """The threads that rows name, or that have posts, without other addresses of those that numbers led to."""
    known = select(pages.c.id).where(pages.c.url == threads.c.url, pages.c.reason == NUMBERED)
    is_other = known.where(pages.c.failure_kind == FailureKind.NEEDLESS.value).exists()
    mine = (threads.c.forum_id == forum_id, threads.c.vanished.is_(None), ~is_other)
    return select(func.count()).select_from(threads).where(*mine)


@dataclass(slots=True)
class _Sizes:
    """Threads that have posts, counted in one pass: the posts are by far the most that has to be looked at.

    `differences` has, for each difference of posts and promised replies, the threads and their replies, `short` those
    of one page with no more posts than promised replies, by their posts; `boards` the threads and posts of each.
    """

    threads: int = 0
    posts: int = 0
    unanswered: int = 0
    long: int = 0
    differences: dict[int, tuple[int, int]] = field(default_factory=dict)
    lengths: Counter[int] = field(default_factory=Counter)
    short: dict[int, Counter[int]] = field(default_factory=dict)
    boards: dict[int | None, tuple[int, int]] = field(default_factory=dict)

    def add(self, board_id: int | None, replies: int | None, posts: int, is_long: bool, threads: int) -> None:
        """Count so many threads of one kind."""
        self.threads += threads
        self.posts += threads * posts
        if replies is not None:
            known = self.differences.get(posts - replies, (0, 0))
            self.differences[posts - replies] = (known[0] + threads, known[1] + threads * replies)
            self.unanswered += threads if replies == 0 else 0
            if posts <= replies and not is_long:
                self.short.setdefault(posts, Counter())[posts - replies] += threads
        if is_long:
            self.long += threads
        else:
            self.lengths[posts] += threads
        met = self.boards.get(board_id, (0, 0))
        self.boards[board_id] = (met[0] + threads, met[1] + threads * posts)

    @property
    def fullest(self) -> tuple[tuple[int, int], ...]:
        """Of the longest threads of one page, those that rows promise as many replies of or more, by the difference."""
        return tuple(sorted(self.short.get(max(self.lengths, default=0), Counter()).items()))


def _sizes(connection: Connection, forum_id: int) -> _Sizes:
    each = _each_thread(forum_id)
    kinds = (each.c.board_id, each.c.replies, each.c.posts, each.c.last_page > literal_column("1"))
    sizes = _Sizes()
    query = select(*kinds, func.count()).group_by(*kinds).execution_options(yield_per=_AT_ONCE)
    for board_id, replies, number, is_long, count in connection.execute(query):
        sizes.add(board_id, replies, int(number), bool(is_long), int(count))
    return sizes


def _each_thread(forum_id: int) -> Any:
    """Each thread that has posts, with their number."""
    return (
        select(
            threads.c.id,
            threads.c.board_id,
            threads.c.replies,
            func.count().label("posts"),
            func.max(posts.c.page_number).label("last_page"),
        )
        .join(posts, posts.c.thread_id == threads.c.id)
        .where(threads.c.forum_id == forum_id, posts.c.vanished.is_(None))
        .group_by(threads.c.id, threads.c.board_id, threads.c.replies)
        .subquery()
    )


def _done(forum_id: int, kinds: tuple[str, ...]) -> tuple[Any, ...]:
    return (
        pages.c.forum_id == forum_id,
        pages.c.kind.in_(kinds),
        pages.c.state == "done",
        pages.c.records.is_not(None),
    )


def _unfollowed_threads(connection: Connection, forum_id: int) -> tuple[str, ...]:
    """Threads with a pager that is not followed."""
    found = select(pages.c.list_url).where(*_done(forum_id, _THREAD), pages.c.unfollowed > 1)
    query = found.distinct().order_by(pages.c.list_url).limit(_MOST_UNFOLLOWED)
    return tuple(connection.execute(query).scalars())


def _thread_lists(connection: Connection, forum_id: int) -> tuple[int, int, int]:
    """Threads that are cut short; the pages that these lack; repeating ones.

    A pager that shows more than there is lies: behind a page that is not there comes none.
    """
    gone = (
        select(pages.c.list_url, func.min(pages.c.page_number - 1).label("end"))
        .where(pages.c.forum_id == forum_id, pages.c.kind == PageKind.THREAD_FLIP.value)
        .where(pages.c.state == PageState.FAILED.value, pages.c.failure_kind == FailureKind.GONE.value)
        .group_by(pages.c.list_url)
        .subquery()
    )
    shown = func.max(pages.c.last_page)
    each = (
        select(
            func.count(pages.c.page_number.distinct()).label("got"),
            case((func.min(gone.c.end) < shown, func.min(gone.c.end)), else_=shown).label("shown"),
            func.count(case((pages.c.digest.is_not(None), pages.c.page_number)).distinct()).label("worded"),
            func.count(pages.c.digest.distinct()).label("different"),
        )
        .join_from(pages, gone, gone.c.list_url == pages.c.list_url, isouter=True)
        .where(*_done(forum_id, _THREAD))
        .group_by(pages.c.list_url)
        .subquery()
    )
    short = each.c.shown > each.c.got
    # Where more pages were got than pagers show, those behind the last one may show it once more. So may the last one
    # that they show, of three or more: some lie by one.
    twice = each.c.worded - each.c.different
    repeats = and_(each.c.got <= each.c.shown, or_(twice > 1, and_(twice == 1, each.c.got == 2)))
    query = select(
        func.count(case((short, 1))),
        func.coalesce(func.sum(case((short, each.c.shown - each.c.got))), 0),
        func.count(case((repeats, 1))),
    )
    cut, lacking, repeating = connection.execute(query).one()
    return int(cut), int(lacking), int(repeating)


def _by_one_author(forum_id: int) -> Select[Any]:
    number = func.count().label("number")
    counted = (
        select(number)
        .select_from(posts)
        # authors are those of one forum
        .where(posts.c.author_id.in_(select(authors.c.id).where(authors.c.forum_id == forum_id)))
        .group_by(posts.c.author_id)
        .subquery()
    )
    return select(func.max(counted.c.number))


def _guessed(forum_id: int) -> Select[Any]:
    return select(func.count()).select_from(pages).where(*_done(forum_id, _THREAD), pages.c.reason == NUMBERED)


def _noted(forum_id: int, name: str) -> Select[Any]:
    return select(func.sum(counters.c.value)).where(counters.c.forum_id == forum_id, counters.c.name == name)


def _lost(forum_id: int) -> Select[Any]:
    """Threads without posts whose page was fetched as another one: it was not read as theirs."""
    mine = (threads.c.forum_id == forum_id, threads.c.vanished.is_(None))
    silent = ~select(posts.c.id).where(posts.c.thread_id == threads.c.id).exists()
    other = (pages.c.state == PageState.DONE.value, pages.c.kind.in_(_INDEX), pages.c.reason != EMPTY)
    return (
        select(threads.c.url).join(pages, pages.c.url == threads.c.url).where(*mine, silent, *other).limit(_MOST_LOST)
    )


def _people(forum_id: int) -> Select[Any]:
    """Threads that are somebody's own page: with the address of one who wrote, or called like one who wrote there."""
    names = select(authors.c.url).where(authors.c.forum_id == forum_id, authors.c.url != "")
    writers = posts.join(authors, posts.c.author_id == authors.c.id)
    own = (
        select(posts.c.id)
        .select_from(writers)
        .where(posts.c.thread_id == threads.c.id, authors.c.name == threads.c.title)
    )
    are_own = threads.c.url.in_(names) | own.exists()
    return select(threads.c.url).where(threads.c.forum_id == forum_id, are_own).limit(_MOST_LOST)


def _listed_people(forum_id: int) -> Select[Any]:
    names = select(authors.c.url).where(authors.c.forum_id == forum_id, authors.c.url != "")
    found = select(pages.c.url).where(*_done(forum_id, (PageKind.INDEX.value,)), pages.c.url.in_(names))
    return found.order_by(pages.c.url).limit(_MOST_LOST)


def _alike(forum_id: int) -> Select[Any]:
    """How many lists have a page with the very same words, at the most."""
    number = func.count(pages.c.list_url.distinct()).label("number")
    same = (
        select(number)
        .where(*_done(forum_id, _THREAD), pages.c.digest.is_not(None))
        .group_by(pages.c.digest, pages.c.page_number)
        .subquery()
    )
    return select(func.max(same.c.number))


def _boards(connection: Connection, forum_id: int, sizes: _Sizes) -> tuple[BoardFacts, ...]:
    read = and_(pages.c.state == PageState.DONE.value, pages.c.kind.in_(_INDEX))
    looked_at = or_(read, pages.c.failure_kind == FailureKind.NEEDLESS.value)
    listed = select(pages.c.url).where(pages.c.url == boards.c.url, looked_at).exists()
    people = select(authors.c.id).where(authors.c.forum_id == forum_id, authors.c.name == boards.c.title).exists()
    mine = (boards.c.forum_id == forum_id, or_(listed, ~people))  # links to people may stand where breadcrumbs do
    query = select(boards, listed.label("is_listed")).where(*mine).order_by(boards.c.id)
    return tuple(
        BoardFacts(row.id, row.url, row.title, row.parent_id, *sizes.boards.get(row.id, (0, 0)), bool(row.is_listed))
        for row in connection.execute(query)
    )


def _lists(connection: Connection, forum_id: int) -> tuple[ListFacts, ...]:
    columns = (pages.c.list_url, pages.c.url, pages.c.page_number, pages.c.records, pages.c.unfollowed, pages.c.digest)
    query = select(*columns, pages.c.last_page).where(*_done(forum_id, _INDEX)).order_by(pages.c.page_number)
    found: dict[str, ListFacts] = {}
    seen: set[tuple[str, str | None]] = set()
    for row in connection.execute(query):
        name = row.list_url or row.url
        known = found.get(name)
        found[name] = ListFacts(
            name,
            (known.pages if known else 0) + 1,
            row.records,
            max(row.records, known.most_records if known else 0),
            max(row.unfollowed or 0, known.unfollowed if known else 0),
            max(row.last_page or 1, row.page_number, known.pages_shown if known else 1),
            (known.threads if known else 0) + row.records,
            known.shows if known else row.digest,
            (known.echoes if known else 0) + (row.digest is not None and (name, row.digest) in seen),
        )
        seen.add((name, row.digest))
    return tuple(found.values())


def _failures(connection: Connection, forum_id: int) -> tuple[FailureFacts, ...]:
    told_of = promises.c.subject.in_([pages.c.url, pages.c.list_url])
    in_a_row = select(promises.c.number).where(promises.c.forum_id == forum_id, told_of).exists()
    promised = select(promises.c.number).where(promises.c.forum_id == forum_id, told_of, promises.c.number > 0).exists()
    named = select(threads.c.id).join(boards, boards.c.id == threads.c.board_id).where(boards.c.url == pages.c.url)
    # A menu's page may fit the pattern of boards. What asks for a login, of which no row counts anything and no thread
    # says that it stands there is none that is missed, nor is what robots.txt forbids and that stands in no row.
    walled = and_(pages.c.failure_kind.in_(_WALLS), ~promised, ~named.exists())
    forbidden = and_(pages.c.failure_kind == FailureKind.ROBOTS.value, ~in_a_row)
    menu = and_(pages.c.kind == PageKind.INDEX.value, or_(walled, forbidden))
    query = (
        select(pages.c.kind, pages.c.failure_kind, func.count().label("number"), func.min(pages.c.url).label("sample"))
        .where(pages.c.forum_id == forum_id, pages.c.state == PageState.FAILED.value, ~menu)
        .where(pages.c.id.not_in(_past_the_end(forum_id)))
        .group_by(pages.c.kind, pages.c.failure_kind)
        .order_by(func.count().desc(), pages.c.kind, pages.c.failure_kind)
    )
    return tuple(
        FailureFacts(PageKind(row.kind), FailureKind(row.failure_kind or "status"), row.number, row.sample)
        for row in connection.execute(query)
    )


def _past_the_end(forum_id: int) -> Select[Any]:
    """Empty pages behind pages of threads with fewer posts than others, first or later ones, have: nothing is left.

    Some pagers lead on from every page, and an empty one with the login box of all pages looks like a wall.
    """
    before, is_later = pages.alias(), (pages.c.page_number > 1).label("is_later")
    most = select(is_later, func.max(pages.c.records).label("most")).where(*_done(forum_id, _THREAD))
    full = most.group_by(is_later).subquery()
    preceding = and_(before.c.list_url == pages.c.list_url, before.c.page_number == pages.c.page_number - 1)
    return (
        select(pages.c.id)
        .join(before, preceding)
        .join(full, full.c.is_later == (before.c.page_number > 1))
        .where(pages.c.forum_id == forum_id, pages.c.kind == PageKind.THREAD_FLIP.value)
        .where(pages.c.state == PageState.FAILED.value, pages.c.failure_kind.in_(_EMPTY))
        .where(before.c.state == PageState.DONE.value, before.c.records < full.c.most)
    )


def _forbidden(forum_id: int) -> Select[Any]:
    by_robots = (pages.c.kind == PageKind.OTHER.value, pages.c.failure_kind == FailureKind.ROBOTS.value)
    return select(pages.c.url).where(pages.c.forum_id == forum_id, *by_robots).order_by(pages.c.url).limit(_MOST_STRAYS)
