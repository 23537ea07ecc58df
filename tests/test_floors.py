"""The file of accuracy floors: each has a meaning, a reason, and a test that holds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.floors import FLOORS, floor

TESTS = Path(__file__).parent


@pytest.mark.parametrize("name", FLOORS)
def test_a_floor_says_what_it_measures_and_why(name: str) -> None:
    assert FLOORS[name].keys() == {"measures", "floor", "why"}
    assert 0.5 < floor(name) <= 1


def test_every_floor_is_held_by_a_test() -> None:
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    held = {name for text in texts for name in re.findall(r'\bfloor\("([\w-]+)"\)', text)}
    assert held == FLOORS.keys()
