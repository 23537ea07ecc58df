"""What the system tells of other processes (Linux)."""

from __future__ import annotations

from pathlib import Path


def children_of(process: int) -> list[int]:
    """The processes that one made itself; none where it is gone."""
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(number) for number in listed.split()]


def is_running(process: int) -> bool:
    """Whether a process still does something: one that ended and was not waited for yet does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
