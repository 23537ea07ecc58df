"""What strangers wrote runs nowhere: not as a title, a name, a post, a file name or an address; served or exported.

The pages are opened with the Content-Security-Policy switched off, so that the cleaning alone has to hold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.web.conftest import served
from tests.web.payloads import payloads
from tests.web.samples import SITE, add_files, post, thread

from thrawl.archive import Archive, BoardRef
from thrawl.archive.export_rows import Wanted
from thrawl.archive.mediastore import store_for
from thrawl.page.shown import Quote
from thrawl.web.export import export_site
from thrawl.web.links import thread_path

PAYLOADS = payloads()
# Focus, pointer and every link at once: what waits for the reader to do something gets its chance.
PROVOKE = """() => {
  for (const node of document.querySelectorAll("main *")) {
    for (const name of ["click", "mouseover", "focus", "blur", "error", "load", "toggle", "animationstart", "scroll"])
      node.dispatchEvent(new Event(name, { bubbles: false, cancelable: true }));
  }
  return [...document.querySelectorAll("[href],[src],[action],[formaction]")]
    .flatMap((node) => ["href", "src", "action", "formaction"].map((name) => node.getAttribute(name) || ""))
    .filter((address) => /^[\\s\\x00-\\x20]*(?:java|vb)script:/i.test(address) || /^data:(?!image)/i.test(address));
}"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    location = tmp_path_factory.mktemp("hostile") / "hostile.db"
    store = store_for(str(location))
    assert store is not None
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", PAYLOADS[0])
        for number, payload in enumerate(PAYLOADS, start=1):
            link = f'<a href="{SITE}/{number}.zip">{payload}.zip</a><img src="{SITE}/{number}.png" alt=\'{payload}\'>'
            hostile_post = post(
                payload, payload, payload + link, author=payload, author_url=payload, post_url=f"javascript:{payload}",
                published_text=payload, quotes=(Quote(payload, payload, None),), reply_to=payload,
            )  # fmt: skip
            board = BoardRef(payload, f"javascript:{payload}")
            archive.save(thread(number, payload, (hostile_post, post(f"{number}b", payload)), boards=(board,)))
        add_files(archive, store)
    return location


def check(page: Any, address: str) -> None:
    page.goto(address, wait_until="domcontentloaded")
    assert page.evaluate(PROVOKE) == [], address
    assert page.evaluate("window.ran") is None, address


def test_payloads_do_run_where_nothing_cleans_them(browser: Any) -> None:
    page = browser.new_page()
    ran = 0
    for payload in PAYLOADS:
        page.goto("about:blank")
        page.set_content(f"<main>{payload}</main>", wait_until="domcontentloaded")
        page.evaluate(PROVOKE)
        ran += page.evaluate("window.ran") == 1
    page.close()
    assert ran > len(PAYLOADS) / 4  # the others run in other places, in other browsers, or when a reader clicks


def test_no_payload_runs_in_served_pages(browser: Any, hostile: Path) -> None:
    with served(hostile) as address:
        context = browser.new_context(bypass_csp=True)
        page = context.new_page()
        page.on("dialog", lambda dialog: pytest.fail("a dialog"))
        base = f"{address}/hostile"
        for path in ("/", "/crawl", "/map", "/activity", "/board/1", "/board/200", "/search?q=script"):
            check(page, base + path)
        for payload in PAYLOADS[::10]:
            check(page, f"{base}/search?q={_quoted(payload)}&author={_quoted(payload)}")
            check(page, f"{base}/map?url={_quoted(payload)}")
        for number in range(1, len(PAYLOADS) + 1):
            check(page, f"{base}/thread/{number}")
        context.close()


def test_no_payload_runs_in_exported_pages(browser: Any, hostile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    with Archive.open(hostile, readonly=True) as archive:
        export_site(archive, folder, Wanted(), None)
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail("a dialog"))
    for path in ("index.html", "boards/1.html", "boards/200.html"):
        check(page, f"file://{folder / path}")
    for number in range(1, len(PAYLOADS) + 1):
        check(page, f"file://{folder / thread_path(number)}")
    page.goto(f"file://{folder}/search.html")
    page.fill("#words", "script")
    page.wait_for_selector("#hits li")
    assert page.evaluate("window.ran") is None
    context.close()


def _quoted(payload: str) -> str:
    return quote(payload, safe="", errors="replace")
