"""Every page in a real browser: narrow and wide, light and dark, no error, no request elsewhere, nothing sticks out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from thrawl.archive import Archive
from thrawl.archive.export_rows import Wanted
from thrawl.archive.mediastore import store_for
from thrawl.web.export import export_site

LOOKS = [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]
SERVED = [
    *("/", "/board/1", "/board/2", "/board/3", "/board/0", "/thread/1", "/thread/2", "/thread/2?page=3", "/thread/3"),
    *(
        "/thread/4",
        "/thread/5",
        "/search",
        "/search?q=agree",
        "/search?q=zzz&author=nobody",
        "/crawl",
        "/map",
        "/activity",
    ),
    *("/map?url=http://forum.example/login", "/thread/999", "/post/3"),
]
STATIC = [
    *("index.html", "boards/1.html", "boards/2.html", "boards/3.html", "boards/0.html", "threads/0/1.html"),
    *("threads/0/2-3.html", "threads/0/4.html", "threads/0/5.html", "search.html"),
]


class Watched:
    """A page of a browser that remembers what went wrong on it."""

    def __init__(self, page: Any, home: str) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("console", lambda message: self._console(message))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self._request(request.url, home))
        page.on("dialog", lambda dialog: (self.problems.append("a dialog"), dialog.dismiss()))

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and "404 (Not Found)" not in message.text:
            self.problems.append(f"console: {message.text}")

    def _request(self, url: str, home: str) -> None:
        if not url.startswith(("data:", home)):
            self.problems.append(f"a request to {url}")

    def sticks_out(self) -> int:
        width: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return width


@contextmanager
def looking(browser: Any, home: str, width: int, scheme: str, **options: Any) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, **options)
    try:
        yield Watched(context.new_page(), home)
    finally:
        context.close()


@pytest.fixture(scope="session")
def exported(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "site"
    with Archive.open(sample, readonly=True) as archive:
        export_site(archive, folder, Wanted(), store_for(str(sample)))
    return folder


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_served_page_is_sound(browser: Any, site: str, width: int, scheme: str) -> None:
    home = f"http://{urlsplit(site).netloc}/"
    with looking(browser, home, width, scheme) as look:
        for path in SERVED:
            look.page.goto(site + path)
            assert look.sticks_out() == 0, path
            assert look.problems == [], path


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_exported_page_is_sound_from_disk(browser: Any, exported: Path, width: int, scheme: str) -> None:
    with looking(browser, f"file://{exported}", width, scheme) as look:
        for path in STATIC:
            look.page.goto(f"file://{exported / path}")
            assert look.sticks_out() == 0, path
            assert look.problems == [], path


def test_pages_work_without_scripts(browser: Any, site: str) -> None:
    with looking(browser, f"http://{urlsplit(site).netloc}/", 360, "light", java_script_enabled=False) as look:
        look.page.goto(f"{site}/")
        look.page.click("text=Lenses")
        look.page.click("text=A rich thread")
        look.page.wait_for_url("**/thread/1")
        assert look.page.locator("article").count() == 9
        look.page.goto(f"{site}/search")
        look.page.fill("#words", "agree")
        look.page.press("#words", "Enter")
        look.page.click("ol.hits a")
        look.page.wait_for_url("**/thread/1#p2")


def test_pictures_come_from_the_store_and_missing_ones_say_why(browser: Any, site: str, exported: Path) -> None:
    for home, address in ((f"http://{urlsplit(site).netloc}/", f"{site}/thread/1"),
                          (f"file://{exported}", f"file://{exported}/threads/0/1.html")):  # fmt: skip
        with looking(browser, home, 1280, "light") as look:
            look.page.goto(address)
            picture = look.page.locator("#p4 img").first
            picture.scroll_into_view_if_needed()
            look.page.wait_for_function("document.querySelector('#p4 img').naturalWidth === 1")
            assert "a lost one (picture missing: the site has no such page (HTTP 404))" in look.page.inner_text("#p4")
            assert look.problems == []


def test_a_quote_leads_to_what_it_quotes_and_a_link_to_the_archived_thread(browser: Any, site: str) -> None:
    with looking(browser, f"http://{urlsplit(site).netloc}/", 1280, "light") as look:
        look.page.goto(f"{site}/thread/1")
        look.page.click("#p2 a.said")
        look.page.wait_for_url("**#p1")
        look.page.click("#p1 >> text=the other thread")
        look.page.wait_for_url("**/thread/2*")
        assert look.page.get_attribute("text=its old address", "rel") == "nofollow noopener noreferrer"


def test_earlier_wordings_show_on_demand_and_what_vanished_is_marked(browser: Any, site: str) -> None:
    with looking(browser, f"http://{urlsplit(site).netloc}/", 360, "dark") as look:
        look.page.goto(f"{site}/thread/5")
        assert not look.page.is_visible("text=the first wording")
        look.page.click("summary")
        look.page.wait_for_selector("text=the first wording", state="visible")
        assert "no longer on the site" in look.page.inner_text("article.vanished")


def test_the_keyboard_reaches_the_content(browser: Any, site: str) -> None:
    with looking(browser, f"http://{urlsplit(site).netloc}/", 1280, "light") as look:
        look.page.goto(f"{site}/thread/1")
        look.page.keyboard.press("Tab")
        assert look.page.evaluate("document.activeElement.className") == "skip"
        look.page.keyboard.press("Enter")
        look.page.wait_for_url("**#main")


def test_the_search_from_disk_finds_shows_and_leads_on(browser: Any, exported: Path) -> None:
    with looking(browser, f"file://{exported}", 360, "light") as look:
        look.page.goto(f"file://{exported}/search.html")
        look.page.fill("#words", "写真")
        look.page.wait_for_selector("#hits li")
        look.page.wait_for_function("document.querySelector('#told').textContent === '1 post'")
        look.page.fill("#words", '"number 7" long')
        look.page.wait_for_selector("#hits a[href*='threads/0/2.html']")
        look.page.click("#hits a")
        look.page.wait_for_url("**/threads/0/2.html#p*")
        assert look.problems == []


def test_the_page_of_a_crawl_keeps_itself_up_to_date(browser: Any, site: str) -> None:
    with looking(browser, f"http://{urlsplit(site).netloc}/", 1280, "light") as look:
        look.page.goto(f"{site}/crawl")
        with look.page.expect_response(lambda answer: answer.url.endswith("/crawl/now")) as answer:
            pass
        assert answer.value.ok
        assert look.problems == []
