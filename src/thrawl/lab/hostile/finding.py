"""What a trial by the hostile web gave: one line of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One trial: what was tried how often, whether all was well, and what was seen."""

    part: str
    name: str
    size: int
    good: bool
    seen: str

    def line(self) -> str:
        return f"{self.part:8} {self.name:44} {self.size:>8,}  {'good' if self.good else 'BAD '}  {self.seen}"
