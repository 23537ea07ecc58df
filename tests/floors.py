"""The accuracy floors of `floors.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FLOORS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def floor(name: str) -> float:
    """The share that must be reached."""
    return float(FLOORS[name]["floor"])
