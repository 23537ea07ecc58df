"""What the pages about a crawl show: how it goes, what the site promises against what is kept, when people wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from thrawl.archive.browse import BoardNode
from thrawl.archive.progress import Progress
from thrawl.archive.values import PageState, StoredForum, from_seconds
from thrawl.errors import ThrawlError
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import ListPattern, Profile
from thrawl.web.cached import Figures
from thrawl.web.links import Links
from thrawl.web.reader import NO_BOARD, NO_BOARD_TITLE
from thrawl.web.values import BoardLine

_ALIVE_SECONDS: Final = 60.0  # a crawl that said nothing for so long is not running any more
_BARS: Final = 120  # months that a chart shows
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class CrawlNow:
    """The crawl of one forum as it is."""

    forum: str
    running: bool
    phase: str
    updated: datetime | None
    speed: float
    requests: int
    delay: float
    pace: str
    url: str
    done: int
    failed: int
    waiting: int
    left: int

    @property
    def share(self) -> float:
        """How much of the pages is fetched, those included that are only expected."""
        all_pages = self.done + self.failed + self.left
        return (self.done + self.failed) / all_pages if all_pages else 1.0

    @property
    def seconds_left(self) -> float | None:
        return self.left / self.speed if self.running and self.speed > 0 and self.left else None


def crawls(forums: Sequence[StoredForum], figures: Figures) -> list[CrawlNow]:
    """The crawls of an archive. Pages are counted over all its forums, of which there is mostly one."""
    told = {one.forum_id: one for one in figures.progress}
    counts = {state: sum(number for _, one, number in figures.pages if one is state) for state in PageState}
    return [_crawl(forum, told.get(forum.id), counts, figures.left.get(forum.id, 0)) for forum in forums]


def _crawl(forum: StoredForum, told: Progress | None, counts: dict[PageState, int], left: int) -> CrawlNow:
    now = datetime.now(UTC).timestamp()
    running = told is not None and told.phase != "ended" and now - told.updated < _ALIVE_SECONDS
    return CrawlNow(
        forum=forum.entry_url,
        running=running,
        phase="" if told is None else told.phase,
        updated=None if told is None else from_seconds(told.updated),
        speed=0.0 if told is None else told.speed,
        requests=0 if told is None else told.requests,
        delay=0.0 if told is None else told.delay,
        pace="" if told is None else told.pace,
        url="" if told is None else told.url,
        done=counts[PageState.DONE],
        failed=counts[PageState.FAILED],
        waiting=counts[PageState.PENDING] + counts[PageState.LEASED],
        left=left,
    )


def duration(seconds: float) -> str:
    """A time span as people say it."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{round(seconds)} s"
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 48 * 60 else f"{round(minutes / 1440)} days"


def board_lines(tree: Sequence[BoardNode], figures: Figures | None, links: Links) -> list[BoardLine]:
    """The boards with what their rows promise and what is archived."""
    known = {} if figures is None else figures.boards
    lines = []
    for node in tree:
        own = known.get(node.id)
        lines.append(
            BoardLine(
                title=node.title,
                href=links.board(node.id),
                depth=node.depth,
                threads=0 if own is None else own.threads,
                posts=None if own is None else own.posts,
                promised=None if own is None else own.promised,
                kept=None if own is None else own.kept,
                original=node.url,
            )
        )
    nowhere = known.get(None)
    if nowhere is not None:
        lines.append(BoardLine(NO_BOARD_TITLE, links.board(NO_BOARD), 0, nowhere.threads, nowhere.posts))
    return lines


@dataclass(frozen=True, slots=True)
class LearnedPattern:
    """A pattern of addresses, with addresses that fit and such that look alike and do not."""

    kind: str
    pattern: str
    confidence: float
    examples: tuple[str, ...]
    counter_examples: tuple[str, ...]
    flips: tuple[str, ...]


def patterns_of(forum: StoredForum) -> list[LearnedPattern]:
    """What was learned of a forum's addresses; nothing where its profile cannot be read any more."""
    if forum.profile is None:
        return []
    try:
        profile = Profile.from_json(forum.profile, "the profile in the archive")
    except ThrawlError:
        return []
    return [*_learned("board", profile.index), *_learned("thread", profile.thread)]


def _learned(kind: str, lists: Sequence[ListPattern]) -> Iterator[LearnedPattern]:
    for one in lists:
        flips = tuple(str(flip.pattern) for flip in one.flips)
        yield LearnedPattern(
            kind, str(one.pattern), one.confidence, tuple(one.examples), tuple(one.counter_examples), flips
        )


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart, placed in a box of 1000 by 200."""

    label: str
    number: int
    x: float
    width: float
    height: float


def bars(pairs: Sequence[tuple[str, int]]) -> list[Bar]:
    """The bars of a chart; only the last ones where there are too many to see."""
    pairs = pairs[-_BARS:]
    highest = max((number for _, number in pairs), default=0) or 1
    width = 1000 / max(len(pairs), 1)
    return [
        Bar(
            label,
            number,
            round(place * width + width * 0.1, 2),
            round(width * 0.8, 2),
            round(180 * number / highest, 2),
        )
        for place, (label, number) in enumerate(pairs)
    ]


def hours(figures: Figures) -> list[tuple[str, int]]:
    return [(f"{hour:02}", number) for hour, number in enumerate(figures.activity.hours)]


def weekdays(figures: Figures) -> list[tuple[str, int]]:
    return list(zip(_WEEKDAYS, figures.activity.weekdays, strict=True))


def kinds(figures: Figures) -> list[tuple[str, dict[str, int]]]:
    """Pages by kind and state."""
    return [
        (kind.value, {state.value: number for one, state, number in figures.pages if one is kind})
        for kind in PageKind
        if any(one is kind for one, _, _ in figures.pages)
    ]
