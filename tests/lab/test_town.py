"""A town of forums behind one proxy, and the door that notes when each request came."""

from __future__ import annotations

from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from thrawl.lab.town import Plan, running_town


def test_each_forum_answers_under_its_own_name_and_every_request_is_noted(tmp_path: Path) -> None:
    log = tmp_path / "requests.log"
    with running_town(Plan(2, (5, 8), slowest=0.0), log) as (proxy, urls):
        opener = build_opener(ProxyHandler({"http": proxy}))
        pages = []
        for url in urls:
            with opener.open(url) as answer:
                pages.append(answer.read())
    assert all(b"<html" in page.lower() for page in pages)
    assert pages[0] != pages[1]
    noted = [line.split(" ") for line in log.read_text(encoding="utf-8").splitlines()]
    assert [f"http://{host}{path}" for _, host, path in noted] == urls
    assert float(noted[0][0]) < float(noted[1][0])
