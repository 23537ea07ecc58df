"""Learned patterns as rules for other crawlers, and in words."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from ast import literal_eval
from collections.abc import Sequence
from typing import Any

import pytest

from thrawl.learn.tell.explain import explain
from thrawl.learn.tell.rules import FORMATS, NOTHING
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

F = "http://f.test/"
SEED = F + "b/hidden"
EXCLUDED = F + "t.php?id=99"
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
    excluded=(F + "t.php?id=99",),
    seeds=(F + "b/hidden",),
    feeds=(F + "feed",),
    pages_fetched=31,
    confidence=0.97,
    notes=("The staff board asks for a login.",),
)
WANTED = ["b/golf", "b/golf?c=x8", "t.php?id=3", "t.php?id=3&p=2"]
WITH_SESSION = [
    *("b/golf?sid=a1", "b/golf;sid=a1", "b/golf;SID=a1?c=x8", "b/golf?c=x8&sid=a1", "b;sid=a1/golf"),
    *(
        "t.php?sid=a1&id=3",
        "t.php?id=3&sid=a1",
        "t.php?id=3&sid=a1&p=2",
        "t.php?Sid=a1&id=3&p=2",
        "t.php?id=3&p=2&sid=",
    ),
]
REFUSED = ["", "t.php?id=3&print=1", "u.php?id=3", "b/golf/x", "tXphp?id=3"]


def agrees(regexes: list[str], wanted: Sequence[str] = (*WANTED, *WITH_SESSION)) -> bool:
    def taken(url: str) -> bool:
        return any(re.search(regex, F + url) for regex in regexes)

    return all(map(taken, wanted)) and not any(map(taken, REFUSED))


def test_regexes_take_what_the_crawl_takes() -> None:
    assert agrees(FORMATS["regex"](PROFILE).splitlines())


def test_scrapy_gets_a_spider_that_compiles() -> None:
    source = FORMATS["scrapy"](PROFILE)
    compile(source, "spider.py", "exec")
    allowed = [
        regex for found in re.findall(r"^(?:INDEX|THREAD) = (.*)$", source, re.M) for regex in literal_eval(found)
    ]
    assert agrees(allowed, WANTED)
    assert "'f.test'" in source


def test_the_spider_takes_session_ids_out_of_urls() -> None:
    source = FORMATS["scrapy"](PROFILE).partition("def links")[0].replace("from scrapy", "# from scrapy")
    names: dict[str, Any] = {}
    exec(source, names)
    for url in WITH_SESSION:
        assert names["one_form"](F + url + "#p1") in {F + wanted for wanted in WANTED}, url
    assert names["one_form"]("https://f.test/t.php?id=3") == F + "t.php?id=3"


def test_wget_gets_a_command_that_a_shell_reads() -> None:
    words = shlex.split(FORMATS["wget"](PROFILE))
    assert words[0] == "wget"
    assert words[-2:] == [F, SEED]
    assert agrees([words[words.index("--accept-regex") + 1]])
    assert re.search(words[words.index("--reject-regex") + 1], EXCLUDED)
    assert {"--wait=1", "robots=on"} <= set(words)


def test_heritrix_gets_xml() -> None:
    beans = ElementTree.fromstring(FORMATS["heritrix"](PROFILE))
    accepted, rejected = (
        [value.text or "" for value in group.iter("value")]
        for group in beans.iter("list")
        if group.find("value") is not None
    )
    assert agrees(accepted)
    assert re.search(rejected[0], EXCLUDED)
    settings = {one.get("key"): (one.text or "").split() for one in beans.iter("prop")}
    assert settings["seeds.textSource.value"] == [F, SEED]
    assert settings["metadata.robotsPolicyName"] == ["obey"]
    assert settings["disposition.minDelayMs"] == ["1000"]
    (session,) = (one.get("value") for one in beans.iter("property") if one.get("name") == "regex")
    assert re.sub(session or "", r"\1\2", F + "t.php?id=3&sid=a1&p=2") == F + "t.php?id=3&p=2"


def test_browsertrix_gets_a_scope() -> None:
    config = json.loads(FORMATS["browsertrix"](PROFILE))
    assert [seed["url"] for seed in config["seeds"]] == [F, SEED]
    assert all(agrees(seed["include"]) for seed in config["seeds"])
    assert re.search(config["seeds"][0]["exclude"][0], EXCLUDED)
    assert (config["pageExtraDelay"], config["robots"], config["workers"]) == (1, True, 1)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_profile_without_patterns_has_rules_too(form: str) -> None:
    rules = FORMATS[form](Profile(F, (), ()))
    assert form in ("regex", "heritrix") or NOTHING in rules, "an empty list would mean everything"


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
