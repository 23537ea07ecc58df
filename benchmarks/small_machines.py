"""Machines of a share of a core each, on one: what is started on such a machine gets no more CPU than that, together
with all that it starts.

Two workers at full speed on a machine of two cores share them with the servers that they ask, with the database and
with whatever else runs, and so bring less than twice the pages of one, however well they share their work. Machines as
small as these leave the rest of the cores to all those, so that their own CPU is the limit, as it is on machines that
are many. The kernel keeps them small by its control groups, which needs root.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_PERIOD = 100_000  # microseconds, in which a machine gets its share
_BEFORE_OTHERS = 10  # times what others weigh: what it has is its own, however busy the rest of the machine is
_USUAL_SHARES, _USUAL_WEIGHT = 1024, 100  # in the two versions of control groups


@dataclass(frozen=True, slots=True)
class Machine:
    """A group of processes that gets `cores` of the machine's CPU time, and no more."""

    group: Path

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program that is in the group from its first moment on."""
        enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
        return subprocess.Popen(["/bin/sh", "-c", enter, str(self.group), *command], stdout=subprocess.DEVNULL)

    def held_back(self) -> float:
        """The share of all periods in which it wanted more than it got."""
        lines = (self.group / "cpu.stat").read_text(encoding="ascii").splitlines()
        figures = {name: int(figure) for name, figure in map(str.split, lines)}
        return figures["nr_throttled"] / max(figures["nr_periods"], 1)


@contextmanager
def small_machine(name: str, cores: float) -> Iterator[Machine]:
    """A machine that is gone afterwards; what it ran must have ended."""
    old = _GROUPS / "cpu"  # with the first version of control groups, each kind has a tree of its own
    group = (old if old.is_dir() else _GROUPS) / f"thrawl-{os.getpid()}-{name}"
    group.mkdir()
    try:
        share = round(cores * _PERIOD)
        if old.is_dir():
            (group / "cpu.cfs_period_us").write_text(str(_PERIOD), encoding="ascii")
            (group / "cpu.cfs_quota_us").write_text(str(share), encoding="ascii")
            (group / "cpu.shares").write_text(str(_BEFORE_OTHERS * _USUAL_SHARES), encoding="ascii")
        else:
            (group / "cpu.max").write_text(f"{share} {_PERIOD}", encoding="ascii")
            (group / "cpu.weight").write_text(str(_BEFORE_OTHERS * _USUAL_WEIGHT), encoding="ascii")
        yield Machine(group)
    finally:
        group.rmdir()
