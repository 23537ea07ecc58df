"""The dashboard of a fleet, in words and as JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path
from urllib.request import urlopen

from tests.web.conftest import served

from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.values import ForumState, Turn, WorkerSeen
from thrawl.web.fleet import fleet_routes


def fill(registry: Registry) -> None:
    registry.add(["http://good.example/", "http://bad.example/", "http://next.example/"])
    good, bad, _ = registry.forums()
    for forum in (good, bad):
        assert registry.claim(forum, forum.key, "me")
    registry.give_back(good, Turn(ForumState.COMPLETE, pages=12, posts=40), "me")
    registry.give_back(bad, Turn(ForumState.FAILED, "<b>no</b> forum there"), "me")
    registry.tell(WorkerSeen("me", "machine-1", 77, time.time(), time.time(), 3, 12, 2.5), ())


def read(url: str) -> str:
    with urlopen(url) as answer:
        text: str = answer.read().decode()
        return text


def test_it_shows_states_machines_and_why_forums_are_in_trouble(tmp_path: Path) -> None:
    with Registry.open(FleetPlace(str(tmp_path / "fleet")), create=True) as registry:
        fill(registry)
        with served(more=fleet_routes(registry)) as address:
            page = read(f"{address}/fleet")
            plain = json.loads(read(f"{address}/api/fleet"))
            assert "machine-1" in read(f"{address}/fleet/now")
    assert "<b>1</b> complete" in page
    assert "machine-1" in page
    assert "&lt;b&gt;no&lt;/b&gt; forum there" in page
    assert plain["states"] == {
        "waiting": 1, "under way": 0, "complete": 1, "short": 0, "failed": 1, "duplicate": 0
    }  # fmt: skip
    assert plain["pages_per_second"] == 2.5
    assert plain["troubles"][0]["url"] == "http://bad.example/"
