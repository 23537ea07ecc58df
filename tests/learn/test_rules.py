"""Learned patterns as rules for other crawlers, and in words."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ElementTree

import pytest

from thrawl.learn.tell.explain import explain
from thrawl.learn.tell.rules import FORMATS
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

F = "http://f.test/"
PROFILE = Profile(
    entry=F,
    index=(ListPattern(Pattern.parse(F + "b/{a:word}"), (Flip(Pattern.parse(F + "b/{a:word}?c={page:word}")),)),),
    thread=(
        ListPattern(
            Pattern.parse(F + "t.php?id={a:number}"),
            (Flip(Pattern.parse(F + "t.php?id={a:number}&p={page:number}"), 1, 1),),
            examples=(F + "t.php?id=3",),
            counter_examples=(F + "t.php?id=3&print=1",),
            confidence=0.97,
        ),
    ),
    session_parameters=("sid",),
    feeds=(F + "feed",),
    pages_fetched=31,
    confidence=0.97,
    notes=("The staff board asks for a login.",),
)
WANTED = ["b/golf", "b/golf?c=x8", "t.php?id=3", "t.php?id=3&p=2"]
REFUSED = ["", "t.php?id=3&print=1", "u.php?id=3", "b/golf/x", "tXphp?id=3"]


def agrees(regexes: list[str]) -> bool:
    def taken(url: str) -> bool:
        return any(re.search(regex, F + url) for regex in regexes)

    return all(map(taken, WANTED)) and not any(map(taken, REFUSED))


def test_regexes_take_what_the_crawl_takes() -> None:
    assert agrees(FORMATS["regex"](PROFILE).splitlines())


def test_scrapy_gets_a_spider_that_compiles() -> None:
    source = FORMATS["scrapy"](PROFILE)
    compile(source, "spider.py", "exec")
    allowed = [regex for found in re.findall(r"allow=(\[.*?\])\)", source) for regex in eval(found)]
    assert agrees(allowed)
    assert "'f.test'" in source


def test_wget_gets_a_command_that_a_shell_reads() -> None:
    words = shlex.split(FORMATS["wget"](PROFILE))
    assert words[0] == "wget"
    assert words[-1] == F
    assert agrees([words[words.index("--accept-regex") + 1]])


def test_heritrix_gets_xml() -> None:
    values = [value.text or "" for value in ElementTree.fromstring(FORMATS["heritrix"](PROFILE)).iter("value")]
    assert agrees(values)


def test_browsertrix_gets_a_scope() -> None:
    (seed,) = json.loads(FORMATS["browsertrix"](PROFILE))["seeds"]
    assert seed["url"] == F
    assert agrees(seed["include"])


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_profile_without_patterns_has_rules_too(form: str) -> None:
    assert isinstance(FORMATS[form](Profile(F, (), ())), str)


def test_a_profile_in_words() -> None:
    text = "\n".join(explain(PROFILE))
    assert "Entry page    http://f.test/" in text
    assert "31 pages, confidence 97%" in text
    assert "e.g. http://f.test/t.php?id=3" in text
    assert "but not http://f.test/t.php?id=3&print=1" in text
    assert "page 2 is 2, page 3 is 3" in text
    assert "by walking from page to page" in text
    assert "removed from URLs: sid" in text
    assert "The staff board asks for a login." in text


def test_a_profile_without_boards_says_so() -> None:
    assert any(line.startswith("Boards") and line.endswith("none") for line in explain(Profile(F, (), ())))
