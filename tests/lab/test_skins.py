"""What every skin must hold: its truth is what its pages show."""

from __future__ import annotations

import json
import re
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from thrawl.lab.content import Quotation
from thrawl.lab.generate import generate
from thrawl.lab.skins import SKINS, skin_named
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.values import Answer, Visit
from thrawl.lab.world import Post, View
from thrawl.page.pagekind import PageKind

ORIGIN = "http://forum.test"
MANY = 4000


@pytest.fixture(scope="module", params=sorted(SKINS))
def skin(request: pytest.FixtureRequest) -> Skin:
    return skin_named(request.param)


@pytest.fixture(scope="module")
def view(skin: Skin) -> View:
    world = generate(90, seed=4, language=skin.language.code)
    return world.at(world.end)


def ask(skin: Skin, view: View, url: str, session: str = "") -> Answer:
    return skin.answer(url.removeprefix(ORIGIN), Visit(skin, view, session))


def follow(skin: Skin, view: View, url: str) -> tuple[str, Answer]:
    for _ in range(5):
        answer = ask(skin, view, url)
        if answer.location is None:
            return url, answer
        url = urldefrag(urljoin(url, answer.location)).url
    raise AssertionError(f"{url} redirects for ever")


def links(answer: Answer, url: str) -> set[str]:
    """Addresses of the site itself that a page links, scripts run by nobody."""
    tree = LexborHTMLParser(re.sub(r"</?noscript>", "", answer.body))
    found = (urldefrag(urljoin(url, node.attributes["href"] or "")).url for node in tree.css("a[href], link[href]"))
    return {link for link in found if urlsplit(link).netloc == urlsplit(ORIGIN).netloc}


def found_on(skin: Skin, view: View, url: str, answer: Answer) -> set[str]:
    """Every address of the site that a page, its scripts or its redirect lead to."""
    if answer.location is not None:
        return {urldefrag(urljoin(url, answer.location)).url}
    if skin.data_url(url) == url or skin.truth(url, view).kind is None:
        return links(answer, url)
    return links(answer, url) | skin.links_of(ask(skin, view, skin.data_url(url)), url)


def folded(text: str) -> str:
    return re.sub(r"\W+", "", text)


def shown(answer: Answer) -> str:
    """The words of a page as a reader sees them; for script-made pages, of the posts in their JSON."""
    body = answer.body
    if answer.content_type == "application/json":
        body = "".join(post["html"] for post in json.loads(body)["posts"])
    tree = LexborHTMLParser(body)
    return folded(tree.body.text() if tree.body is not None else "")


def whole_world(view: View) -> list[Post]:
    return [post for number in view.all_thread_ids() for post in view.posts(number)]


def test_every_canonical_page_answers_and_says_that_it_is_canonical(skin: Skin, view: View) -> None:
    for url, kind in skin.canonical_urls(view, ORIGIN):
        assert ask(skin, view, url).status == 200, url
        truth = skin.truth(url, view)
        assert (truth.kind, truth.canonical) == (kind, url)
        assert truth.type in ("entry", "index") if kind.startswith("index") else truth.type is PageKind.THREAD


def test_canonical_urls_are_distinct(skin: Skin, view: View) -> None:
    urls = [url for url, _ in skin.canonical_urls(view)]
    assert len(urls) == len(set(urls))


def test_a_thread_page_shows_exactly_the_posts_that_the_truth_names(skin: Skin, view: View) -> None:
    posts = {post.id: post for post in whole_world(view)}
    for url, kind in skin.canonical_urls(view, ORIGIN):
        if not kind.startswith("thread"):
            continue
        page = shown(ask(skin, view, skin.data_url(url)))
        here = skin.posts_at(url, view)
        assert here
        for number in here:
            assert all(folded(line) in page for line in posts[number].text.splitlines()), (url, number)
        quoted = {block.post_id for number in here for block in posts[number].body if isinstance(block, Quotation)}
        absent = [post for post in view.posts(posts[here[0]].thread) if post.id not in quoted.union(here)]
        assert not any(folded(post.text) in page for post in absent if len(post.text) > 200), url


def test_every_post_stands_on_some_canonical_page(skin: Skin, view: View) -> None:
    pages = [skin.posts_at(url, view) for url, kind in skin.canonical_urls(view) if kind.startswith("thread")]
    assert {number for page in pages for number in page} == {post.id for post in whole_world(view)}


def test_walking_canonical_links_from_the_entry_reaches_every_canonical_page(skin: Skin, view: View) -> None:
    wanted = {url for url, _ in skin.canonical_urls(view, ORIGIN)}
    entry = ORIGIN + skin.entry_path
    reached, seen, waiting = {entry}, {entry}, [entry]
    while waiting:
        url = waiting.pop()
        for link in found_on(skin, view, url, ask(skin, view, url)) - seen:
            seen.add(link)
            place = skin.place(link.removeprefix(ORIGIN), view)
            led = follow(skin, view, link)[0] if place is not None and place.what == "go" else link
            if led in wanted - reached:
                reached.add(led)
                waiting.append(led)
    assert wanted - reached == set()


def test_every_link_resolves_or_leads_to_a_wall(skin: Skin, view: View) -> None:
    entry = ORIGIN + skin.entry_path
    seen, waiting = {entry}, [entry]
    while waiting and len(seen) < MANY:
        url = waiting.pop()
        answer = ask(skin, view, url)
        assert answer.status in (200, 301, 302) or (answer.status == skin.wall_status), url
        for link in found_on(skin, view, url, answer):
            place = skin.place(link.removeprefix(ORIGIN), view)
            if link not in seen and (place is None or place.what != "calendar"):
                seen.add(link)
                waiting.append(link)
    assert len(seen) > 50


def test_redirects_lead_to_the_page_that_the_truth_names(skin: Skin, view: View) -> None:
    for post in whole_world(view)[::7]:
        for what, number in (("post", post.id), ("last", post.thread), ("go", post.thread)):
            if not any(route.what == what for route in skin.routes):
                continue
            url = ORIGIN + Visit(skin, view).to(what, number).replace("&amp;", "&")
            truth = skin.truth(url, view)
            assert truth.type is PageKind.THREAD
            assert truth.kind is None
            led, answer = follow(skin, view, url)
            assert answer.status == 200
            assert led in (truth.canonical, url)


def test_a_session_in_the_url_does_not_change_what_is_shown(skin: Skin, view: View) -> None:
    if not skin.session_name:
        pytest.skip("this skin keeps its sessions in cookies")
    url = skin.canonical_place_url("thread", view.all_thread_ids()[0], view)
    carrying = skin.with_session(url, "abc123")
    assert carrying != url
    assert skin.truth(carrying, view).canonical == url
    assert skin.truth(carrying, view).kind is None
    assert skin.posts_at(carrying, view) == skin.posts_at(url, view)
    assert "abc123" in ask(skin, view, url, session="abc123").body


def test_pages_that_do_not_exist_are_missing(skin: Skin, view: View) -> None:
    for url in ("/nothing/here", *(skin.canonical_place_url(what, 987654, view) for what in ("board", "thread"))):
        assert ask(skin, view, url).status == 404
        assert skin.truth(url, view).type is PageKind.OTHER


def test_only_what_was_posted_so_far_is_shown(skin: Skin, view: View) -> None:
    early = view.world.at(view.world.start)
    urls = [url for url, kind in skin.canonical_urls(early) if kind == "thread"]
    assert len(urls) == 1
    assert all(ask(skin, early, url).status == 200 for url, _ in skin.canonical_urls(early))
    assert ask(skin, early, urls[0]).status == 200
    assert ask(skin, early, ORIGIN + skin.entry_path).status == 200
