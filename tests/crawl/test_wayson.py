"""Pagers that nobody follows: those that no pattern explains, and those that are taken for the thread itself."""

from __future__ import annotations

from thrawl.crawl.links import LinkReader
from thrawl.crawl.wayson import numbers_its_pages, unfollowed_pager
from thrawl.page.tree import parse
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://forum.test"
PAGER = "".join(f'<a href="{SITE}/t-7-old-lathe_{page}.html">{page}</a> ' for page in (2, 3))


def unfollowed(*flips: Flip) -> int:
    thread = ListPattern(Pattern.parse(f"{SITE}/t-{{a:number}}-{{b:word}}"), flips, key=("a",))
    links = LinkReader(Profile(f"{SITE}/", (), (thread,)))
    own = f"{SITE}/t-7-old-lathe.html"
    return unfollowed_pager(parse(f"<body><p>Words</p><div><b>1</b> {PAGER}</div></body>"), own, own, links)


def test_a_pager_whose_links_are_taken_for_other_addresses_of_their_thread_is_not_followed() -> None:
    assert unfollowed() == 3


def test_a_pager_that_a_flip_explains_is_followed() -> None:
    assert unfollowed(Flip(Pattern.parse(f"{SITE}/t-{{a:number}}-{{b:word}}_{{page:number}}.html"), 1, 1)) == 1


def test_a_pager_on_a_page_that_another_address_sent_on_to_is_that_of_the_page() -> None:
    thread = ListPattern(Pattern.parse(f"{SITE}/t-{{a:number}}-{{b:word}}"), (), key=("a",))
    asked = ListPattern(Pattern.parse(f"{SITE}/go-{{a:word}}"), ())
    links = LinkReader(Profile(f"{SITE}/", (), (thread, asked)))
    page = parse(f"<body><p>Words</p><div><b>1</b> {PAGER}</div></body>")
    assert unfollowed_pager(page, f"{SITE}/t-7-old-lathe.html", f"{SITE}/go-7-old-lathe", links) == 3


def test_pages_may_have_their_number_before_the_ending_of_their_address() -> None:
    own = f"{SITE}/t-7-old-lathe.html"
    assert numbers_its_pages(parse(f"<body>{PAGER}</body>"), own)
    assert not numbers_its_pages(parse(f'<body><a href="{own}">1</a></body>'), own)
