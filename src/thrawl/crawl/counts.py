"""What boards and the whole site say that they hold, against what was got of them.

Which column of a board's row counts threads, which posts, is told by the boards where it agrees; which of the numbers
on the entry page are totals, by the columns that add up to them or the words that head them. Where all of them agree,
they vouch for the crawl: a list that looks cut is not, and a link that looks like a thread is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from thrawl.archive.facts import BoardFacts, Facts
from thrawl.archive.values import Promise
from thrawl.crawl.missing import FEW, NOTICED, Missing
from thrawl.crawl.numbers import has_no_holes, leaves_out
from thrawl.crawl.promised import BOARD

_OFF_BY: Final = 0.02  # by which a board's count may differ from what was got and still agree
_AGREED_BOARDS: Final = 3  # boards whose number agrees exactly: chance gives one
_AGREED_SHARE: Final = 0.34  # of the boards, from which on a column is believed
_YEARS: Final = range(1990, 2100)  # which stand beside the site's name on every page
_LARGE: Final = 100  # a total that large is met exactly by no chance; small numbers stand on every page
_TELLING: Final = 2  # posts of a board that agree by no chance together with its threads, where these are fewer
_MORE_TELLING: Final = 5  # posts, where the words beside the numbers differ from board to board
_FEWEST: Final = 20  # posts of a forum whose two totals, of threads and of posts, are both met exactly
_NEARLY_ALL: Final = 0.9  # of all threads: what other boards hold besides may be as young as its first pages
_SHOWN_PLACES: Final = 5  # places named for one finding


class Counts:
    """The counts of one forum. `vouch_for_lists`: its boards, or the numbers of its posts, say that all threads are
    there; that `boards_agree` says more, for numbers know only the time between them, and the end of a list that shows
    nearly all threads is older than that. `vouch_for_posts`: their posts,
    too; `vouch_for_all`: the site says so of all that it has. `leaves_out`: the numbers of posts have holes, and no
    count of boards speaks against it that posts are missing.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._columns = _columns(facts)
        self._paired = _pair(self._columns, facts)
        self._threads = self._kind("threads", facts.threads_with_posts, lambda board: board.threads)
        self._posts = self._kind("posts", facts.posts, lambda board: board.posts)
        if self._threads.is_whole and not self._posts.column:
            self._paired = {"posts": _beside(self._threads.column, self._columns, self._posts.got)}
            self._posts = self._kind("posts", facts.posts, lambda board: board.posts)
        totals = {one.number for one in facts.promises if not one.subject}
        large = facts.posts >= _LARGE and facts.posts in totals
        self.vouch_for_all = large or ({facts.posts, facts.threads_with_posts} <= totals and facts.posts >= _FEWEST)
        self.has_no_holes = has_no_holes(facts.numbers)
        self.boards_agree = self.vouch_for_all or self._threads.is_whole
        self.leaves_out = leaves_out(facts.numbers) and not self.boards_agree
        self.vouch_for_lists = self.boards_agree or (self.has_no_holes and not _is_one_list(facts))
        self.vouch_for_posts = self.vouch_for_all or (self._threads.is_whole and self._posts.is_whole)

    def _kind(self, what: str, total: int, number: Callable[[BoardFacts], int]) -> _Kind:
        got = _got(self._facts, number)
        column = _agreeing(self._columns, got) or self._paired.get(what)
        return _Kind(what, total, got, column or (), total - _told_of(self._facts, column or (), number))

    def short(self, entry: str) -> Iterator[Missing]:
        """Boards that hold less than their rows say, and totals of the site that nothing reaches."""
        yield from self._threads.short() or self._posts.short()
        if not self.vouch_for_all:
            yield from self._totals(entry)

    def short_boards(self) -> list[str]:
        """All boards that say to hold more threads than were got, were it one."""
        column, got = self._threads.column, self._threads.got
        return [one.subject for one in column if one.number > got.get(one.subject, 0)]

    def _totals(self, entry: str) -> Iterator[Missing]:
        """Totals: a number that the columns of the boards add up to, or whose words head one of them."""
        facts = self._facts
        columns = [column for column in self._columns if len(column) >= FEW and _has_one_head(column)]
        sums = {sum(one.number for one in column) for column in columns}
        heads = {word for kind in (self._threads, self._posts) for word in kind.head}
        for promise in facts.promises:
            if promise.subject or promise.number <= facts.threads_with_posts + FEW:
                continue
            named = promise.number not in _YEARS and heads.intersection(promise.words.split())
            if promise.number not in sums and not named:
                continue
            if promise.number > facts.posts and _falls_short(facts.posts, promise.number):
                yield Missing(entry, "posts", promise.number, facts.posts, f"the entry page says: {promise.words}")
                return


@dataclass(frozen=True, slots=True)
class _Kind:
    """What boards say of their threads, or of their posts: the column that counts them, what was `got` of each board.

    `elsewhere` was got of boards that the column does not tell of, or of no board: it may be part of those it tells of,
    for there are sites whose rows count the boards below, and whose breadcrumbs leave out what is between.
    """

    what: str
    total: int
    got: dict[str, int]
    column: Sequence[Promise]
    elsewhere: int

    @property
    def head(self) -> list[str]:
        """The words above the column, where they are the same for all boards."""
        return self.column[0].words.split() if self.column and _has_one_head(self.column) else []

    @property
    def is_whole(self) -> bool:
        """Whether every board of enough of them agrees, and hardly anything was got of others."""
        agreed = [one for one in self.column if _agrees(self.got.get(one.subject), one.number)]
        return len(agreed) == len(self.column) >= _AGREED_BOARDS and self.elsewhere <= NOTICED * self.total

    def short(self) -> list[Missing]:
        """The boards that hold less than the column says that agrees with most others."""
        got = self.got
        short = [one for one in self.column if _falls_short(got.get(one.subject, 0), one.number)]
        told = [one for one in self.column if one.subject in got or one in short]
        lacking = sum(one.number - got.get(one.subject, 0) for one in short) - self.elsewhere
        if not short or lacking <= NOTICED * sum(one.number for one in told):
            return []
        worst = sorted(short, key=lambda one: got.get(one.subject, 0) - one.number)[:_SHOWN_PLACES]
        return [Missing(one.subject, self.what, one.number, got.get(one.subject, 0), _why(one)) for one in worst]


def _why(one: Promise) -> str:
    return f"the number beside it ({one.words or 'no words'}) agrees with what was got of other boards"


def _columns(facts: Facts) -> list[list[Promise]]:
    """Numbers of boards by the place where they stand."""
    columns: dict[str, list[Promise]] = defaultdict(list)
    for promise in facts.promises:
        if promise.subject and promise.place != BOARD:
            columns[promise.place].append(promise)
    return list(columns.values())


def _agreeing(columns: Iterable[Sequence[Promise]], got: dict[str, int]) -> Sequence[Promise] | None:
    """The column that agrees with what was got of the most boards; None where none does of enough."""
    best: tuple[int, Sequence[Promise]] | None = None
    for column in columns:
        told = [one for one in column if one.number > 0]
        agreed = {one.number for one in told if _agrees(got.get(one.subject), one.number)}
        enough = max(min(_AGREED_BOARDS, len(told)), _AGREED_SHARE * len(told))
        if len(told) >= FEW and len(agreed) >= enough and (best is None or len(agreed) > best[0]):
            best = len(agreed), told
    return None if best is None else best[1]


def _pair(columns: Sequence[Sequence[Promise]], facts: Facts) -> dict[str, Sequence[Promise]]:
    """Two columns, of threads and of posts, that agree both with one board and with none hold less than was got."""
    threads, posts = threads_got(facts), _got(facts, lambda board: board.posts)
    told = [{one.subject: one for one in column if threads.get(one.subject)} for column in columns]
    for one, other in permutations([column for column in told if len(column) >= FEW], 2):
        known = [(a, b) for subject, a in one.items() if a.number > 0 and (b := other.get(subject)) is not None]
        exact = [(a, b) for a, b in known if (threads[a.subject], posts[b.subject]) == (a.number, b.number)]
        within = all(threads[a.subject] <= a.number <= b.number >= posts[b.subject] for a, b in known)
        plain = all(_has_one_head(list(column.values())) for column in (one, other))
        telling = _TELLING if plain else _MORE_TELLING
        if len(known) >= FEW and within and any(a.number < b.number >= telling for a, b in exact):
            return {"threads": _whole(columns, one), "posts": _whole(columns, other)}
    return {}


def _beside(threads: Sequence[Promise], columns: Iterable[Sequence[Promise]], got: dict[str, int]) -> Sequence[Promise]:
    """Beside threads that are all there, the column that counts posts: of no board fewer than it has threads or than
    were got of it, and of one board just as many. That of views agrees with none."""
    fewest = {one.subject: max(one.number, got.get(one.subject, 0)) for one in threads}
    for column in columns:
        told = [one for one in column if one.subject in fewest]
        is_more = len(told) == len(fewest) and all(one.number >= fewest[one.subject] for one in told)
        if is_more and column is not threads and any(one.number == got.get(one.subject) for one in told):
            return told
    return ()


def _whole(columns: Sequence[Sequence[Promise]], part: dict[str, Promise]) -> Sequence[Promise]:
    """The column of which a part is, with the boards of which nothing was got."""
    place = next(iter(part.values())).place
    return [one for column in columns for one in column if one.place == place and one.number > 0]


def _agrees(got: int | None, told: int) -> bool:
    return got is not None and abs(got - told) <= _OFF_BY * told


def _falls_short(got: int, told: int) -> bool:
    return told - got > max(1, _OFF_BY * told)


def _is_one_list(facts: Facts) -> bool:
    """Whether one list shows nearly all threads, and not where it ends."""
    open_ended = (one.threads for one in facts.lists if one.pages_shown == 1 or one.pages < one.pages_shown)
    return max(open_ended, default=0) >= _NEARLY_ALL * facts.threads_with_posts


def threads_got(facts: Facts) -> dict[str, int]:
    """The threads that were got of each board with the boards below it."""
    return _got(facts, lambda board: board.threads)


def _got(facts: Facts, number: Callable[[BoardFacts], int]) -> dict[str, int]:
    """What was got of each board with the boards below it; sites count them in, mostly."""
    whole: Counter[int] = Counter()
    for board, line in _lines(facts):
        for one in line:
            whole[one.id] += number(board)
    return {board.url: whole[board.id] for board in facts.boards if board.url}


def _told_of(facts: Facts, column: Sequence[Promise], number: Callable[[BoardFacts], int]) -> int:
    """What was got of all boards that a column tells of, by themselves or with a board above them."""
    told = {one.subject for one in column}
    return sum(number(board) for board, line in _lines(facts) if any(one.url in told for one in line))


def _lines(facts: Facts) -> Iterator[tuple[BoardFacts, list[BoardFacts]]]:
    """Each board with the boards above it, itself first."""
    known = {board.id: board for board in facts.boards}
    for board in facts.boards:
        line = [board]
        while (above := known.get(line[-1].parent_id or 0)) is not None and above not in line:
            line.append(above)
        yield board, line


def _has_one_head(column: Sequence[Promise]) -> bool:
    """Whether the words beside the numbers of a column are the same for all boards; those of dates differ."""
    return len({one.words for one in column}) == 1
