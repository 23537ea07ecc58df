"""Worlds made from a seed, at any size.

Posting follows what real timelines show: two threads in five stay with one post, a few grow long; replies come in
bursts and then tail off; days and weeks have their rhythm. Bursts are drawn on a clock that runs evenly and are then
bent onto the week's rhythm, so that both hold at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.errors import InputError
from thrawl.lab.content import Writer
from thrawl.lab.timeline import Timeline
from thrawl.lab.words import VOCABULARIES
from thrawl.lab.world import Board, Column, Columns, World

Numbers = npt.NDArray[np.float64]

# --- the first moment of every made-up forum: a Monday, so that hour 0 of the week is its midnight
BEGIN: Final = datetime(2010, 3, 1, tzinfo=UTC)
WEEK: Final = 7 * 24 * 3600
SINGLE_SHARE: Final = 0.4
LONGEST: Final = 400
STICKY_SHARE: Final = 0.5


def generate(threads: int, seed: int = 1, *, language: str = "en", days: float | None = None) -> World:
    """A forum of that many threads. The same arguments give the same forum, word by word."""
    if threads < 1:
        raise InputError(f"A forum of {threads} threads cannot be made; ask for 1 or more.")
    if language not in VOCABULARIES:
        raise InputError(f"No words for language {language!r}; choose one of {', '.join(sorted(VOCABULARIES))}.")
    random = np.random.default_rng([seed, threads])
    span = (days if days is not None else _days_for(threads)) * 86400.0
    sizes = _sizes(random, threads)
    times = _times(random, sizes, _starts(sizes), span)
    boards = make_boards(seed, _board_count(threads), language)
    world = _world(seed, language, boards, random, times, sizes, _assign_boards(random, threads, len(boards)))
    _pin(world.columns, seed)
    return world


def compose(
    seed: int, language: str, boards: Sequence[Board], sizes: Column, thread_boards: Column, days: float
) -> World:
    """A forum of threads of given sizes in given boards; who posts what when is drawn as ever."""
    random = np.random.default_rng([seed, len(sizes)])
    times = _times(random, sizes, _starts(sizes), days * 86400.0)
    return _world(seed, language, boards, random, times, sizes, thread_boards)


def _world(
    seed: int,
    language: str,
    boards: Sequence[Board],
    random: np.random.Generator,
    times: Column,
    sizes: Column,
    thread_boards: Column,
) -> World:
    columns = Columns(
        thread_ids=np.arange(1, len(sizes) + 1),
        thread_boards=thread_boards,
        sticky=np.zeros(len(sizes), dtype=np.bool_),
        starts=_starts(sizes),
        post_ids=_ranks(times),
        times=times,
        authors=_authors(random, len(times), len(sizes)),
    )
    return World(seed, language, boards, columns)


def _starts(sizes: Column) -> Column:
    return np.concatenate(([0], np.cumsum(sizes)))


def from_timeline(timeline: Timeline, seed: int = 1, *, language: str = "en") -> World:
    """The forum that a timeline tells of: its ids, times and authors are real, the words are made up."""
    order = np.lexsort((timeline.post, timeline.time, timeline.thread))
    thread_ids, first = np.unique(timeline.thread[order], return_index=True)
    columns = Columns(
        thread_ids=thread_ids,
        thread_boards=timeline.board[order][first],
        sticky=np.zeros(len(thread_ids), dtype=np.bool_),
        starts=np.append(first, len(order)),
        post_ids=timeline.post[order],
        times=timeline.time[order],
        authors=timeline.author[order],
    )
    writer = Writer(seed, VOCABULARIES[language])
    boards = [
        Board(int(number), writer.board_title(place), writer.about(place))
        for place, number in enumerate(np.unique(timeline.board))
    ]
    return World(seed, language, boards, columns)


def make_boards(seed: int, count: int, language: str) -> list[Board]:
    """Boards with a few sub-boards below some of them; never deeper than three levels."""
    random = Random(f"{seed}/boards")
    writer = Writer(seed, VOCABULARIES[language])
    boards: list[Board] = []
    depths: list[int] = []
    for number in range(count):
        parent = random.randrange(number) if number > 2 and random.random() < 0.35 else None
        parent = None if parent is not None and depths[parent] > 1 else parent
        depths.append(0 if parent is None else depths[parent] + 1)
        parent_id = None if parent is None else boards[parent].id
        boards.append(Board(number + 2, writer.board_title(number), writer.about(number), parent_id))
    return boards


def _days_for(threads: int) -> float:
    return min(120 + threads / 12, 5000.0)


def _board_count(threads: int) -> int:
    return max(2, min(40, int(threads**0.4)))


def _sizes(random: np.random.Generator, threads: int) -> Column:
    tails = 2 + np.floor(random.lognormal(1.2, 1.1, threads))
    single = random.random(threads) < SINGLE_SHARE
    return np.where(single, 1, np.minimum(tails, LONGEST)).astype(np.int64)


def _times(random: np.random.Generator, sizes: Column, starts: Column, span: float) -> Column:
    """Thread births in bursts over the whole span; replies soon at first and later ever more slowly."""
    gaps = random.gamma(0.4, 1.0, len(sizes))
    births = np.cumsum(gaps) * (span / gaps.sum())
    steps = random.lognormal(8.3, 2.0, int(starts[-1]))
    steps[starts[:-1]] = 0.0
    steps = np.minimum(steps, 60 * 86400.0)
    since = np.cumsum(steps)
    even = np.repeat(births - since[starts[:-1]], sizes) + since
    times: Column = int(BEGIN.timestamp()) + bend(even).astype(np.int64)
    return times


def bend(even: Numbers) -> Numbers:
    """Seconds on an even clock to seconds on the week's rhythm: nights are short on the even clock."""
    passed = np.concatenate(([0.0], np.cumsum(week_rhythm())))
    passed *= WEEK / passed[-1]
    weeks = np.floor(even / WEEK)
    within: Numbers = np.interp(even - weeks * WEEK, passed, np.arange(169) * 3600.0)
    return weeks * WEEK + within


def week_rhythm() -> Numbers:
    """How busy each of a week's 168 hours is: quiet at four in the morning, busy at eight in the evening."""
    hours = np.arange(168)
    day = 1.0 + 0.85 * np.sin((hours % 24 - 13) / 24 * 2 * np.pi)
    weekend = np.where(hours >= 120, 0.65, 1.0)
    rhythm: Numbers = day * weekend
    return rhythm


def _ranks(times: Column) -> Column:
    """Post ids as software gives them: counted through the whole site in the order of posting."""
    ranks = np.empty(len(times), dtype=np.int64)
    ranks[np.argsort(times, kind="stable")] = np.arange(1, len(times) + 1)
    return ranks


def _assign_boards(random: np.random.Generator, threads: int, boards: int) -> Column:
    weights = 1.0 / np.arange(1, boards + 1) ** 0.7
    return random.choice(boards, threads, p=weights / weights.sum()).astype(np.int64) + 2


def _authors(random: np.random.Generator, posts: int, threads: int) -> Column:
    people = max(9, threads // 3)
    return (people * random.random(posts) ** 2.2).astype(np.int64) + 1


def _pin(columns: Columns, seed: int) -> None:
    """One early thread of about every second board is sticky."""
    random = Random(f"{seed}/sticky")
    for board in np.unique(columns.thread_boards):
        if random.random() < STICKY_SHARE:
            columns.sticky[np.flatnonzero(columns.thread_boards == board)[0]] = True
