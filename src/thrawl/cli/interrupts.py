"""Ctrl-C and SIGTERM, for commands that run long: the first finishes what is in hand, a second ends at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress


def stop_on_interrupt(
    stop: asyncio.Event, say: Callable[[str], None], sentence: str, is_saving: Callable[[], bool] = lambda: True
) -> None:
    """Have signals set `stop`, and say so; one that comes after that, or while nothing `is_saving`, cancels this task.

    Either way nothing is lost: what was in hand is fetched again by the next run.
    """
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        if stop.is_set() or not is_saving():
            task.cancel()
        else:
            say(sentence)
            stop.set()

    # Some systems have no such handlers; there the first signal ends at once.
    with suppress(NotImplementedError):
        for asked in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(asked, interrupt)
