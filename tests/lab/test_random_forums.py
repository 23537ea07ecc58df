"""Random forums hold what they promise: every post can be reached, and the truth is what the pages show."""

from __future__ import annotations

import re
from collections import deque
from urllib.parse import urldefrag, urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

from thrawl.lab.random import Site, draw, forum
from thrawl.lab.random.choices import OPTIONS, settled, told
from thrawl.lab.random.labels import LabelledPage, pages
from thrawl.lab.random.site import ORIGIN
from thrawl.lab.world import Post
from thrawl.page.pagekind import PageKind

SEEDS = range(40)
FEW = range(7, 11)
MANY = range(1000)


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed{seed}")
def site(request: pytest.FixtureRequest) -> Site:
    return forum(request.param)


@pytest.fixture(scope="module")
def walked(site: Site) -> dict[str, str]:
    """Every page of the forum's own that links lead to from the entry page, by somebody who knows what noise is."""
    entry = site.entry_path
    found: dict[str, str] = {}
    seen, waiting = {site.key(entry)}, deque([entry])
    while waiting:
        target = waiting.popleft()
        answer = site.answer(target)
        assert answer.status in (200, 301, 302), target
        if answer.location is None:
            found[site.key(target)] = answer.body
        for link in [answer.location] if answer.location else links(answer.body, target):
            target = urldefrag(link).url
            if site.key(target) not in seen and site.truth(target).canonical is not None:
                seen.add(site.key(target))
                waiting.append(target)
    return found


def parsed(body: str) -> LexborHTMLParser:
    """Some forums write `<script/>`; what is meant is an empty script."""
    return LexborHTMLParser(re.sub(r"<script([^>]*)/>", r"<script\1></script>", body))


def links(body: str, target: str) -> list[str]:
    """Paths of the site that a page links."""
    found = (
        urljoin(ORIGIN + target, node.attributes["href"] or "") for node in parsed(body).css("a[href], link[href]")
    )
    return [link.removeprefix(ORIGIN) for link in found if link.startswith(ORIGIN)]


def folded(text: str) -> str:
    return re.sub(r"\W+", "", text)


def words_of(body: str) -> str:
    tree = parsed(body).body
    return folded(tree.text() if tree is not None else "")


def all_posts(site: Site) -> list[Post]:
    return [post for number in site.plan.view.all_thread_ids() for post in site.plan.view.posts(number)]


def test_links_lead_from_the_entry_page_to_every_post(site: Site, walked: dict[str, str]) -> None:
    shown = {post.id for url in walked for post in site.posts_at(url)}
    assert shown == {post.id for post in all_posts(site)}


def test_links_lead_to_every_page_that_is_needed(site: Site, walked: dict[str, str]) -> None:
    assert {site.key(url) for url, _ in site.canonical_urls("")} <= walked.keys()


def test_thread_pages_show_the_words_and_authors_of_their_posts(site: Site) -> None:
    for url, kind in site.canonical_urls(""):
        if not kind.startswith("thread"):
            continue
        page = words_of(site.answer(url).body)
        posts = site.posts_at(url)
        assert posts, url
        for post in posts:
            assert all(folded(line) in page for line in post.text.splitlines()), (url, post.id)
            assert folded(post.author.name) in page or site.choices.author == "none", (url, post.author)


def test_each_needed_page_knows_that_it_is_needed(site: Site) -> None:
    urls = [url for url, _ in site.canonical_urls(ORIGIN)]
    assert len({site.key(url) for url in urls}) == len(urls)
    for url, kind in site.canonical_urls(ORIGIN):
        truth = site.truth(url)
        assert (truth.kind, truth.canonical) == (kind, url)


def test_the_fewest_requests_are_one_for_each_needed_page(site: Site) -> None:
    """Leaving out any needed page loses posts, rows, or the way to them; a whole thread on one page saves its flips."""
    needed, view = site.needed, site.plan.view
    pages_needed = len(list(site.canonical_urls()))
    if site.choices.whole:
        threads = sum(min(view.size(number), 2) for number in view.all_thread_ids())
        assert needed.requests == needed.index_pages + threads <= pages_needed
        return
    assert needed.requests - needed.redirects == pages_needed
    posts = [len(site.posts_at(url)) for url, kind in site.canonical_urls("") if kind.startswith("thread")]
    assert sum(posts) >= view.post_count


def test_robots_never_forbids_what_is_needed(site: Site) -> None:
    forbidden = re.findall(r"^Disallow: (\S+)", site.robots or "", re.MULTILINE)
    assert not [url for url, _ in site.canonical_urls("") for prefix in forbidden if url.startswith(prefix)]


def test_every_link_of_a_forum_page_leads_somewhere(site: Site, walked: dict[str, str]) -> None:
    """But for the pagers that lie by choice."""
    if site.choices.pager_fault != "none":
        pytest.skip("this forum has links that lead nowhere")
    for target, body in list(walked.items())[::9]:
        for link in links(body, target):
            target = urldefrag(link).url
            assert site.place(target) is not None or target.startswith("/i/") or target == "/", link


@pytest.mark.parametrize("seed", FEW)
def test_the_same_seed_gives_the_same_forum(seed: int) -> None:
    one, other = forum(seed), forum(seed)
    assert one.choices == other.choices
    urls = [url for url, _ in one.canonical_urls("")]
    assert [one.answer(url).body for url in urls] == [other.answer(url).body for url in urls]


@pytest.mark.parametrize("seed", FEW)
def test_labels_name_every_needed_page_with_its_type_and_posts(seed: int) -> None:
    site = forum(seed)
    found: dict[str, LabelledPage] = {site.key(page.url.removeprefix(ORIGIN)): page for page in pages(site)}
    for url, kind in site.canonical_urls(""):
        page = found[site.key(url)]
        assert page.role == kind
        assert (page.type is PageKind.THREAD) == kind.startswith("thread")
        assert [post.id for post in page.posts] == [post.id for post in site.posts_at(url)]
    assert {page.type for page in found.values()} >= {"entry", "thread", "other"}


def test_every_option_is_drawn_by_some_seed() -> None:
    drawn = {pair for seed in MANY for pair in told(draw(seed))}
    assert {(name, option) for name, options in OPTIONS.items() for option in options} <= drawn


def test_choices_are_drawn_independently_of_each_other() -> None:
    """An option that is added to one question changes no other answer: each question has a source of its own."""
    seeds = [draw(seed) for seed in MANY]
    tables = [choices.rows == "table" for choices in seeds if choices.charset == "utf-8"]
    others = [choices.rows == "table" for choices in seeds if choices.charset != "utf-8"]
    assert abs(sum(tables) / len(tables) - sum(others) / len(others)) < 0.1


@pytest.mark.parametrize("markup", ["tree", "mail-tree"])
def test_pages_of_one_post_in_a_tree_do_not_grow(markup: str) -> None:
    assert draw(1, markup=markup, thread_pager="more").thread_pager == "numbers"


def test_settled_choices_need_no_further_settling() -> None:
    assert all(settled(choices) == choices for choices in map(draw, MANY))
