"""docs/learning.md tells of every field of a profile, in order, and of every answer that learning gives up with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from thrawl.limits import MAX_LEARNING_PAGES
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
PROFILE, LISTS = DOCS.partition("## The profile")[2].split("\nEach entry of")[:2]
CANNOT = DOCS.partition("## When it cannot")[2].partition("\n## ")[0]


def fields(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)


def test_every_field_of_a_profile_is_documented_in_order() -> None:
    data = json.loads(Profile("http://f.test/", (), (ListPattern(Pattern(("http://f.test/t",))),)).to_json())
    assert fields(PROFILE) == list(data)
    assert fields(LISTS) == list(data["thread"][0])


@pytest.mark.parametrize("answer", re.findall(r"^\| ([a-z][^|`]*) \| ", CANNOT, re.MULTILINE)[1:])
def test_every_answer_of_the_docs_is_one_that_is_given(answer: str) -> None:
    source = (ROOT / "src" / "thrawl" / "learn" / "diagnose.py").read_text(encoding="utf-8")
    assert answer in " ".join(source.replace('"\n', "").split())


def test_the_limit_of_pages_is_the_documented_one() -> None:
    assert f"never asks for more than {MAX_LEARNING_PAGES} pages" in DOCS
