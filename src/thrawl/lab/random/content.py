"""The world of a random forum: how many boards, threads and posts its choices ask for."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

import numpy as np

from thrawl.lab.content import Writer
from thrawl.lab.generate import compose
from thrawl.lab.random.choices import Choices
from thrawl.lab.words import VOCABULARIES
from thrawl.lab.world import Board, Column, World

# --- a few months are enough for lists by month; a longer life would give more lists than threads
_DAYS: Final = 150.0
_LONGEST: Final = 40
# --- pages of the one long thread, where there is one: more would make a crawl take longer than its test
_LONG_PAGES: Final = (12, 60)
_LONG_POSTS: Final = 180
_WEEK: Final = 7 * 86400


def make_world(choices: Choices) -> World:
    """The same choices give the same world, word by word."""
    random = Random(f"{choices.seed}/content")
    boards = _boards(choices, random)
    world = compose(choices.seed, choices.language, boards, _sizes(choices, random), _spread(choices, random), _DAYS)
    columns = world.columns
    # Forums were not all founded in the same week, and their ids do not all begin at 1.
    columns.times[:] += _WEEK * random.randrange(800)
    columns.thread_ids[:] = np.cumsum([random.choice((1, 1, 2, 5)) for _ in columns.thread_ids]) + random.randrange(
        3000
    )
    columns.post_ids[:] += random.randrange(9000)
    if choices.stickies:
        columns.sticky[0] = True
    return World(choices.seed, choices.language, world.boards, columns)


def _boards(choices: Choices, random: Random) -> list[Board]:
    writer = Writer(choices.seed, VOCABULARIES[choices.language])
    boards: list[Board] = []
    number = random.randrange(1, 9)
    for place in range(choices.boards):
        boards.append(Board(number, writer.board_title(place), writer.about(place)))
        number += random.choice((1, 1, 2, 4))
    if choices.nested == "flat":
        return boards
    tops = max(2, len(boards) - len(boards) // 3)
    return [
        board if place < tops else replace(board, parent=boards[place % tops].id) for place, board in enumerate(boards)
    ]


def _sizes(choices: Choices, random: Random) -> Column:
    sizes = [
        1 if random.random() < choices.singles / 100 else min(2 + int(random.lognormvariate(1.1, 1.0)), _LONGEST)
        for _ in range(choices.threads)
    ]
    if choices.long_thread:
        sizes[random.randrange(len(sizes))] = min(_LONG_POSTS, choices.thread_page * random.randint(*_LONG_PAGES))
    return np.array(sizes, dtype=np.int64)


def _spread(choices: Choices, random: Random) -> Column:
    """Each board has at least one thread, and the last one has just that; the first ones have most."""
    numbers = [board.id for board in _boards(choices, Random(f"{choices.seed}/content"))]
    weights = [1.0 / (place + 1) ** 0.7 for place in range(len(numbers))]
    if len(numbers) > 1:
        weights[-1] = 0.0
    rest = random.choices(numbers, weights, k=choices.threads - len(numbers))
    return np.array([*numbers, *rest], dtype=np.int64)
