"""Machines of a share of a core each, on one: what is started on such a machine gets no more CPU than that, together
with all that it starts.

Two workers at full speed on a machine of two cores share them with the servers that they ask, with the database and
with whatever else runs, and so bring less than twice the pages of one, however well they share their work. Machines as
small as these leave the rest of the cores to all those, so that their own CPU is the limit, as it is on machines that
are many. They and the servers come before whatever else runs. All that is done by the kernel's control groups, which
needs root.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_IS_FIRST_VERSION = Path(_ROOT, "cpu").is_dir()  # in which each kind of group has a tree of its own
_GROUPS = _ROOT / "cpu" if _IS_FIRST_VERSION else _ROOT
_PERIOD = 100_000  # microseconds, in which a machine gets its share
_FIRST = ("cpu.shares", "10240") if _IS_FIRST_VERSION else ("cpu.weight", "1000")  # ten times what others weigh


@dataclass(frozen=True, slots=True)
class Machine:
    """A group of processes."""

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
    with _group(name) as group:
        share = round(cores * _PERIOD)
        if _IS_FIRST_VERSION:
            _write(group / "cpu.cfs_period_us", str(_PERIOD))
            _write(group / "cpu.cfs_quota_us", str(share))
        else:
            _write(group / "cpu.max", f"{share} {_PERIOD}")
        yield Machine(group)


@contextmanager
def in_front_of_others() -> Iterator[None]:
    """This process, and the servers that it starts and ends meanwhile."""
    with _group("servers") as group:
        _write(group / "cgroup.procs", str(os.getpid()))
        try:
            yield
        finally:
            _write(_GROUPS / "cgroup.procs", str(os.getpid()))


@contextmanager
def _group(name: str) -> Iterator[Path]:
    group = _GROUPS / f"thrawl-{os.getpid()}-{name}"
    group.mkdir()
    try:
        _write(group / _FIRST[0], _FIRST[1])
        yield group
    finally:
        group.rmdir()


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="ascii")
