"""Where a simulated forum's past comes from: a timeline file, or a world made up from a seed (`world:THREADS:SEED`)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thrawl.errors import InputError
from thrawl.lab.generate import generate
from thrawl.lab.timeline import Timeline, make_timeline, read_timeline
from thrawl.lab.world import World

MADE_UP: Final = re.compile(r"world:(\d{1,7})(?::(\d{1,9}))?")


def read_source(name: str) -> Timeline:
    """The timeline of a file name, or of a made-up world."""
    asked = MADE_UP.fullmatch(name)
    if asked is None:
        return read_timeline(name)
    threads, seed = int(asked[1]), int(asked[2] or 1)
    if threads < 1:
        raise InputError("A world needs at least one thread; give it as world:2000 or world:2000:7 (with a seed).")
    return timeline_of(generate(threads, seed), f"world-{threads}-{seed}")


def timeline_of(world: World, name: str) -> Timeline:
    """A world's posting times, without its words."""
    columns = world.columns
    sizes = np.diff(columns.starts)
    table = np.zeros((len(columns.post_ids), 6), dtype=np.int64)
    table[:, 0] = np.repeat(columns.thread_boards, sizes)
    table[:, 1] = np.repeat(columns.thread_ids, sizes)
    table[:, 2] = columns.post_ids
    table[:, 3] = columns.times
    table[:, 4] = columns.authors
    order = np.argsort(columns.times, kind="stable")
    return make_timeline(name, [tuple(row) for row in table[order].tolist()], now=float("inf"))
