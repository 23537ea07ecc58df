"""The links of a page, typed by their URLs alone (FoCUS 4.4), and its own flips.

Anchors are read only for flips: a page has a hundred links and a dozen flips, and only those need their words.
Links of forum pages repeat from page to page, so what an href is, is kept by base folder and href.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from thrawl.crawl.values import Flips, RefusedLink, TypedLink
from thrawl.net.url import without_numbers
from thrawl.page.links import Resolver, base_of, find_links
from thrawl.page.tree import Tree
from thrawl.profile.headpager import next_in_head
from thrawl.profile.pager import find_pagers
from thrawl.profile.pagerwords import page_number, says_next
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import TypedUrl, UrlTypes

_MOST_KEPT: Final = 20_000
_MOST_UNLEARNED: Final = 1000
_LONGEST_FLIP_ANCHOR: Final = 24
_DIGITS: Final = re.compile(r"\d+")
_NO_NUMBER: Final = re.compile(r"\{[a-z]+:(?:number|word|name)\}|%[0-9A-Fa-f]{2}")
_LONGEST_FOLDED: Final = 300
_UNFOLDED: Final = re.compile(r"[:%]|^//")  # a host, a scheme, or escapes whose digits are letters
_LINKING: Final = frozenset({"a", "area", "option"})
_MENU_ENDS: Final = (".html", ".htm", ".php")

UNKNOWN: Final = "it fits no pattern of the forum's boards, threads and flips"
ELSEWHERE: Final = "it leads to another site"


@dataclass(frozen=True, slots=True)
class _Met:
    """What an href was found to be; `link` is None for a flip that does not tell its list."""

    found: TypedUrl
    is_flip: bool
    link: TypedLink | None


class LinkReader:
    """Types the links of one site's pages."""

    def __init__(self, profile: Profile) -> None:
        self.types = UrlTypes(profile)
        entry = urlsplit(profile.entry)
        self._scheme, self._host = entry.scheme, entry.netloc
        self._known: dict[str, dict[str, _Met | None]] = {}
        self._kept = 0
        self._folds = not profile.excluded and not any(map(_names_numbers, _patterns(profile)))
        self._refused: set[str] = set()
        self._threaded = profile.threaded
        self._flipless = [one.pattern for one in (*profile.index, *profile.thread) if not one.flips]

    def read(self, tree: Tree, url: str, list_url: str) -> tuple[tuple[TypedLink, ...], tuple[RefusedLink, ...], Flips]:
        """All typed links but flips of the page's own list, what is refused for the first time, and those flips."""
        here = self._own_keys(url, list_url)
        in_thread = self._threaded and self._is_thread(list_url)
        nested = _Nested(tree)
        typed: dict[str, TypedLink] = {}
        refused: list[RefusedLink] = []
        flips = _FlipsFound()
        for node, met in self._met(tree, url, refused):
            found = met.found
            if met.is_flip and (found.list_url is None or found.list_url in here or found.key in here):
                flips.add(found, tree.text(node)[:100], tree.attributes[node].get("rel", ""))
            elif self._threaded and found.is_thread and _leads_away(tree, node, in_thread=in_thread, nested=nested):
                continue
            elif met.link is not None and met.link.url not in typed:
                typed[met.link.url] = met.link
        for link in next_in_head(tree, url):
            ahead = self.types.type(self.one_form(link.url))
            if ahead is not None and ahead.kind.endswith("_flip") and ahead.list_url in here:
                flips.add(ahead, link.anchor, link.rel)
        if in_thread:
            others, posts = _tree_of_posts(typed.values(), here, self.key_of(list_url))
            return others, tuple(refused), posts
        return tuple(typed.values()), tuple(refused), flips.result() or self._unlearned(tree, url, list_url)

    def key_of(self, url: str) -> str | None:
        """What identifies the thread of a URL, where that is less than the whole URL."""
        found = self.types.type(url)
        return None if found is None or found.key == found.list_url else found.key

    def _is_thread(self, list_url: str) -> bool:
        found = self.types.type(list_url)
        return found is not None and found.is_thread

    def one_form(self, url: str) -> str:
        """The URL without session, in the scheme of the entry page: sites link both."""
        url = self.types.clean(url)
        scheme, mark, rest = url.partition("://")
        if mark and scheme != self._scheme and rest.startswith((f"{self._host}/", f"{self._host}?")):
            return f"{self._scheme}://{rest}"
        return url

    def _unlearned(self, tree: Tree, url: str, list_url: str) -> Flips:
        """The pager of a list whose flips were never met while learning: its sample had short lists only."""
        if not any(pattern.match(list_url) for pattern in self._flipless):
            return Flips()
        pager = next(iter(find_pagers(url, find_links(tree, url))), None)
        if pager is None:
            return Flips()
        pages = range(2, min(pager.last, _MOST_UNLEARNED) + 1)
        linked = tuple((page, self.one_form(built)) for page in pages if (built := pager.url_of(page)) is not None)
        beyond = self.one_form(pager.next_url) if pager.next_url and not linked else None
        return Flips(linked, len(linked) + 1, False, beyond)

    def _own_keys(self, url: str, list_url: str) -> frozenset[str]:
        own = [found for one in (url, list_url) if (found := self.types.type(one)) is not None]
        return frozenset((url, list_url, *(found.key for found in own), *(found.list_url or url for found in own)))

    def _met(self, tree: Tree, url: str, refused: list[RefusedLink]) -> Iterator[tuple[int, _Met]]:
        """The links that are of the forum, by their nodes; what is refused for the first time is told."""
        base = base_of(tree, url)
        known = self._known.setdefault(base[: base.rfind("/") + 1], {})
        resolver = Resolver(base)
        for node, href in _hrefs(tree):
            if href in known:
                met = known[href]
            elif (shape := self._shape(href)) in known:
                met = None
                self._keep(known, href, met)
            else:
                met = self._meet(resolver, href, refused)
                if href[0] not in "?#":  # these depend on more of the page's address than its folder
                    self._keep(known, href, met)
                    if met is None:
                        self._keep(known, shape, met)
            if met is not None:
                yield node, met

    def _shape(self, href: str) -> str:
        """What all hrefs that are refused together with this one have in common.

        Where no pattern names a number, one number is as good as another, and a thousand links to members cost one.
        """
        if not self._folds or len(href) > _LONGEST_FOLDED or href[0] in "?#" or _UNFOLDED.search(href):
            return href
        return _DIGITS.sub("0", href)

    def _keep(self, known: dict[str, _Met | None], href: str, met: _Met | None) -> None:
        if self._kept >= _MOST_KEPT:
            self._known.clear()
            known.clear()
            self._kept = 0
        known[href] = met
        self._kept += 1

    def _meet(self, resolver: Resolver, href: str, refused: list[RefusedLink]) -> _Met | None:
        resolved = resolver.resolve(href) if href[0] != "#" else None
        if resolved is None:
            return None
        link = self.one_form(resolved[0])
        found = None if link in self._refused else self.types.type(link)
        if found is None:
            refused.extend(self._refuse(link))
            return None
        list_url = found.list_url
        key = None if found.key == list_url else found.key
        typed = None if list_url is None else TypedLink(list_url, found.is_thread, list_url, key, found.reserve)
        return _Met(found, found.kind.endswith("_flip"), typed)

    def _refuse(self, link: str) -> Iterator[RefusedLink]:
        """The reason, the first time that a URL of this shape is met."""
        if link in self._refused:
            return
        host = link.split("/", 3)[2].partition("?")[0]
        pattern = without_numbers(link) if host == self._host else host
        if len(self._refused) >= _MOST_KEPT:
            self._refused.clear()
        self._refused.add(link)
        if pattern not in self._refused:
            self._refused.add(pattern)
            yield RefusedLink(link, UNKNOWN if host == self._host else ELSEWHERE)


def _patterns(profile: Profile) -> Iterator[Pattern]:
    for one in (*profile.index, *profile.thread):
        yield one.pattern
        yield from (flip.pattern for flip in one.flips)


def _names_numbers(pattern: Pattern) -> bool:
    """Whether a number stands in a pattern as such, behind the host."""
    written = _NO_NUMBER.sub("", str(pattern)).split("/", 3)
    return len(written) < 4 or _DIGITS.search(written[3]) is not None


def _hrefs(tree: Tree) -> Iterator[tuple[int, str]]:
    attributes = tree.attributes
    for node in [node for node, tag in enumerate(tree.tags) if tag in _LINKING]:
        own = attributes[node]
        if tree.tags[node] != "option":
            href = own.get("href")
            if href:
                yield node, href
        else:
            value = own.get("value")
            if value and ("/" in value or "?" in value or value.endswith(_MENU_ENDS)):
                yield node, value


class _Nested:
    """Lists within lists: on a page that shows whole trees of titles, the replies stand inside their thread's item."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._taken: dict[int, int] = {}

    def is_reply(self, node: int) -> bool:
        """Whether a link stands in an item that began with another one."""
        items = [above for above in self._tree.ancestors(node) if self._tree.tags[above] in ("li", "dd")]
        if any(self._taken.setdefault(item, node) != node for item in items[1:]):
            return True
        return bool(items) and self._taken.setdefault(items[0], node) != node


def _leads_away(tree: Tree, node: int, *, in_thread: bool, nested: _Nested) -> bool:
    """Of the links of a threaded forum: on a thread's page, to the next thread; on a board's, to a reply."""
    if in_thread:
        return says_next(tree.text(node)[:_LONGEST_FLIP_ANCHOR], tree.attributes[node].get("rel", ""))
    return nested.is_reply(node)


def _tree_of_posts(
    links: Iterable[TypedLink], here: frozenset[str], root: str | None
) -> tuple[tuple[TypedLink, ...], Flips]:
    """On a page of a threaded forum, the links to threads are those to the other posts of its thread.

    Numbers in their addresses rise with time, so they give the order; else the tree does.
    """
    found = list(links)
    posts = [link for link in found if link.is_thread and link.url not in here]
    pages = [(_page_of_post(link.key, root) or place, link.url) for place, link in enumerate(posts, start=2)]
    others = tuple(link for link in found if not link.is_thread)
    return others, Flips(tuple(sorted(pages)), max((page for page, _ in pages), default=1))


def _page_of_post(key: str | None, root: str | None) -> int | None:
    if key is None or root is None or not (key.isdecimal() and root.isdecimal()):
        return None
    return int(key) - int(root) + 1 if int(key) > int(root) else None


class _FlipsFound:
    """Gathers the flips of the page's own list."""

    def __init__(self) -> None:
        self._counted: dict[int, str] = {}
        self._last = 1
        self._named: dict[int, str] = {}
        self._fits = True
        self._next: str | None = None

    def add(self, flip: TypedUrl, anchor: str, rel: str) -> None:
        named = page_number(anchor)
        if named is not None:
            self._named.setdefault(named, flip.url)
        if flip.page is None:
            self._fits = False
            if named is None and (self._next is None or says_next(anchor, rel)):
                self._next = flip.url
            return
        self._counted.setdefault(flip.page, flip.url)
        if _names_page(anchor, flip.page):
            self._last = max(self._last, flip.page)

    def result(self) -> Flips | None:
        """Where the learned arithmetic fits, its count; else what the anchors say, and the next page."""
        if not self._counted and self._fits:
            return None
        if self._fits:
            return Flips(_ordered(self._counted, self._last), self._last, True)
        last = max(self._named, default=1)
        beyond = self._next if self._next not in self._named.values() else None
        return Flips(_ordered(self._named, last), last, False, beyond)


def _ordered(pages: dict[int, str], last: int) -> tuple[tuple[int, str], ...]:
    return tuple((page, url) for page, url in sorted(pages.items()) if 1 < page <= last)


def _names_page(anchor: str, page: int) -> bool:
    """Whether an anchor is one of a pager: its number, or short words as "last"; a link in a post is not believed."""
    number = page_number(anchor)
    return number == page or (number is None and len(anchor) <= _LONGEST_FLIP_ANCHOR)
