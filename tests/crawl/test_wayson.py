"""Pagers that nobody follows: those that no pattern explains, and those that are taken for the thread itself."""

from __future__ import annotations

from thrawl.crawl.links import LinkReader
from thrawl.crawl.wayson import unfollowed_pager
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
