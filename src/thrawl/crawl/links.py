"""The links of a page, typed by their URLs alone (FoCUS 4.4), and its own flips.

Anchors are read only for flips: a page has a hundred links and a dozen flips, and only those need their words.
Links of forum pages repeat from page to page, so what an href is, is kept: for all pages of the host where it says so
much of itself, else by the folder of the page's base.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from thrawl.crawl.flipsfound import LONGEST_FLIP_ANCHOR, FlipsFound
from thrawl.crawl.letters import LetterLinks
from thrawl.crawl.values import UNKNOWN, Flips, RefusedLink, TypedLink
from thrawl.net.url import without_numbers
from thrawl.page.headpager import next_in_head
from thrawl.page.links import Link, Resolver, find_links, hrefs_of, names_a_place, resolver_of
from thrawl.page.tree import Tree
from thrawl.profile.pager import Pager, find_pagers
from thrawl.profile.pagerwords import page_number, says_next
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Profile, flips_of
from thrawl.profile.urls import items_of, name_of
from thrawl.profile.urltypes import TypedUrl, UrlTypes

_MOST_KEPT: Final = 20_000
_MOST_UNLEARNED: Final = 1000
_DIGITS: Final = re.compile(r"\d+")
_NO_DIGITS: Final = re.compile(r"\D+")
_NO_NUMBER: Final = re.compile(r"\{[a-z]+:(?:number|word|name)\}|%[0-9A-Fa-f]{2}")
_LONGEST_FOLDED: Final = 300
_UNFOLDED: Final = re.compile(r"[:%]|^//")  # a host, a scheme, or escapes whose digits are letters
_MOST_NODES: Final = 6  # nodes of a link with a number or an icon; a title with markup has more
_WITH_HOST: Final = ("http:", "https:")

Hrefs = list[tuple[int, str]]

ELSEWHERE: Final = "it leads to another site"


@dataclass(frozen=True, slots=True)
class _Met:
    """What an href was found to be; `link` is None for a flip that does not tell its list."""

    found: TypedUrl
    is_flip: bool
    link: TypedLink | None
    url: str


class LinkReader:
    """Types the links of one site's pages."""

    def __init__(self, profile: Profile) -> None:
        self.types = UrlTypes(profile)
        entry = urlsplit(profile.entry)
        self._scheme, self._host = entry.scheme, entry.netloc
        self._origin = f"{entry.scheme}://{entry.netloc}/"
        self._known: dict[str, dict[str, _Met | None]] = {}
        self._kept = 0
        self._folds = not profile.excluded and not any(map(_names_numbers, _patterns(profile)))
        self._refused: set[str] = set()
        self._threaded = profile.threaded
        self._letters = profile.letters
        self._is_answer = profile.is_answer
        lists = (*profile.index, *profile.thread)
        self._flipless = [one.pattern for one in lists if not one.flips]
        flips = flips_of(lists)
        self._signs = frozenset(sign for flip in flips for sign in flip.signs)
        self._only_counted = all(flip.first is not None for flip in flips)
        self._opens_last = any(flip.opens_last for flip in flips)

    def read(
        self, tree: Tree, url: str, list_url: str, title: str | None = None
    ) -> tuple[tuple[TypedLink, ...], tuple[RefusedLink, ...], Flips]:
        """All typed links but flips of the page's own list, what is refused for the first time, and those flips.

        `title` is that of a letter, by which the others of its thread are known.
        """
        here = self._own_keys(url, list_url)
        in_thread = self._threaded and self._is_thread(list_url)
        nested = _Nested(tree)
        letters = LetterLinks(tree, title) if self._letters else None
        typed: dict[str, TypedLink] = {}
        refused: list[RefusedLink] = []
        own = self._page_of(url)
        flips = FlipsFound(self._signs, own, only_counted=self._only_counted, at_own=self.one_form(url) == list_url)
        hrefs = hrefs_of(tree)
        for node, met in self._met(tree, hrefs, url, refused):
            found = met.found
            if met.is_flip and (found.list_url is None or found.list_url in here or found.key in here):
                flips.add(found, tree.text(node)[:100], tree.attributes[node])
            elif self._opens_last and met.url != found.url and found.list_url in here:
                flips.add_newest(met.url, tree.text(node)[:100])
            elif letters is not None and found.is_thread and met.link is not None:
                letters.add(node, met.link, answers=not in_thread and nested.is_reply(node))
            elif self._threaded and found.is_thread and _leads_away(tree, node, in_thread=in_thread, nested=nested):
                continue
            elif met.link is not None and met.link.url not in typed:
                typed[met.link.url] = met.link
        for link in next_in_head(tree, url):
            ahead = self.types.type(self.one_form(link.url))
            if ahead is not None and ahead.kind.is_flip and ahead.list_url in here:
                flips.add(ahead, link.anchor, {"rel": link.rel})
        if letters is not None and in_thread:
            others, posts = letters.around(here, list_url)
            return (*others, *typed.values()), tuple(refused), posts
        if letters is not None:
            typed |= {link.url: link for link in letters.listed()}
        if in_thread:
            others, posts = _tree_of_posts(typed.values(), here, self.key_of(list_url), self._is_answer)
            return others, tuple(refused), posts
        return tuple(typed.values()), tuple(refused), flips.result() or self._unlearned(tree, hrefs, url, list_url)

    def key_of(self, url: str) -> str | None:
        """What identifies the thread of a URL, where that is less than the whole URL."""
        found = self.types.type(url)
        return None if found is None or found.key == found.list_url else found.key

    def _page_of(self, url: str) -> int:
        found = self.types.type(url)
        return 1 if found is None or found.page is None else found.page

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

    def _unlearned(self, tree: Tree, hrefs: Hrefs, url: str, list_url: str) -> Flips:
        """The pager of a list that shows none of the learned flips: its sample had short lists, or other pagers."""
        flipless = any(pattern.match(list_url) for pattern in self._flipless)
        if not flipless and self.types.type(list_url) is None:
            return Flips()  # an entry page whose pager was not learned lists what other lists hold
        links = find_links(tree, url) if flipless else _links_of_list(tree, hrefs, url, list_url)
        links = tuple(link for link in links if not self._leads_elsewhere(link.url, list_url))
        links = (*links, *next_in_head(tree, url))
        likely = find_pagers(url, links, tree, list_url) if links else ()
        pager = next((one for one in likely if flipless or self._is_new(one)), None)
        if pager is None:
            return Flips()
        opening = pager.url_of(1)  # linked where the list's own address shows another page, the last one
        first = 1 if opening != url and opening in pager.urls else 2
        pages = enumerate(range(first, min(pager.last, _MOST_UNLEARNED) + 1), 2)
        linked = tuple((at, self.one_form(built)) for at, page in pages if (built := pager.url_of(page)) is not None)
        beyond = self.one_form(pager.next_url) if pager.next_url and not linked else None
        return Flips(linked, len(linked) + 1, False, beyond)

    def _leads_elsewhere(self, url: str, list_url: str) -> bool:
        """Whether a link is known to be no flip of a list: another address of its own first page, or the address of
        another thread, or that with more in its query, as a jump to its last post is: rows may have pagers of their
        own."""
        found, above = (self.types.type(self.one_form(one)) for one in (url, url.partition("?")[0]))
        if found is not None and found.is_thread and found.list_url == list_url and found.page == 1:
            return True
        return any(one is not None and one.is_thread and one.list_url not in (None, list_url) for one in (found, above))

    def _is_new(self, pager: Pager) -> bool:
        """Whether a pager says what it is, and leads to what no pattern knows: the others say what they lead to.

        Numbers of pages have the first or the second among them; others may say how many rows a page shows.
        """
        begins = any(pager.url_of(page) in pager.urls for page in (1, 2))
        spoken = (pager.evidence.numbers and begins) or pager.evidence.next_words or pager.evidence.rel_next
        return bool(spoken) and all(self.types.type(self.one_form(url)) is None for url in pager.urls)

    def _own_keys(self, url: str, list_url: str) -> frozenset[str]:
        own = [found for one in (url, list_url) if (found := self.types.type(one)) is not None]
        return frozenset((url, list_url, *(found.key for found in own), *(found.list_url or url for found in own)))

    def _met(self, tree: Tree, hrefs: Hrefs, url: str, refused: list[RefusedLink]) -> list[tuple[int, _Met]]:
        """The links that are of the forum, by their nodes; what is refused for the first time is told."""
        resolver = resolver_of(tree, url)
        everywhere = self._known.setdefault(resolver.origin, {})
        here = self._known.setdefault(resolver.folder, {})
        found: list[tuple[int, _Met]] = []
        for node, href in hrefs:
            known = everywhere if href[0] == "/" or href.startswith(_WITH_HOST) else here
            try:
                met = known[href]
            except KeyError:
                met = self._meet_first(known, resolver, href, refused)
            if met is not None:
                found.append((node, met))
        return found

    def _meet_first(
        self, known: dict[str, _Met | None], resolver: Resolver, href: str, refused: list[RefusedLink]
    ) -> _Met | None:
        """What an href is that was not met before in this folder."""
        shape = self._shape(href)
        if shape in known:
            self._keep(known, href, None)
            return None
        met = self._meet(resolver, href, refused)
        if href[0] not in "?#":  # these depend on more of the page's address than its folder
            self._keep(known, href, met)
            if met is None:
                self._keep(known, shape, met)
        return met

    def _shape(self, href: str) -> str:
        """What all hrefs that are refused together with this one have in common.

        Where no pattern names a number, one number is as good as another, and a thousand links to members cost one.
        """
        if not self._folds or len(href) > _LONGEST_FOLDED or href[0] in "?#":
            return href
        here = self._origin if href.startswith(self._origin) else ""  # its numbers are the site's own
        rest = href[len(here) :]
        if _UNFOLDED.search(rest):
            return href
        return here + _DIGITS.sub("\0", rest)  # no href has this sign: `/t/0` may be a thread

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
        into_a_page = found.is_thread and _names_a_post(link, resolved[1])  # of a thread: titles lead to none,
        into_a_page = into_a_page and not _is_left_out(resolved, link)  # but where this site's do so
        if into_a_page and found.kind.is_flip and found.page is None:
            return None  # nor do flips: the number of a post, where pages have theirs, is on no page's place
        typed = TypedLink(list_url, found.is_thread, list_url, key, found.reserve) if list_url else None
        typed = None if into_a_page else typed
        return _Met(found, found.kind.is_flip, typed, link)

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


def _names_a_post(url: str, fragment: str) -> bool:
    """Whether an address leads to a post by the number that its place has: one that is a place's alone tells nothing of
    what page that is."""
    own = set(_DIGITS.findall(fragment))
    beside = _DIGITS.findall(url.split("/", 3)[-1])
    return names_a_place(fragment) and (not own or not own.isdisjoint(beside))


def _is_left_out(resolved: tuple[str, str], link: str) -> bool:
    """Whether the number of the place to which a link leads stands in its query, too, and is no part of its address."""
    url, fragment = resolved
    left_out = set(items_of(url)).difference(items_of(link)) if url != link else ()
    return any(item.partition("=")[2] == _NO_DIGITS.sub("", fragment) for item in left_out)


def _names_numbers(pattern: Pattern) -> bool:
    """Whether a number stands in a pattern as such, behind the host."""
    written = _NO_NUMBER.sub("", str(pattern)).split("/", 3)
    return len(written) < 4 or _DIGITS.search(written[3]) is not None


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
        return says_next(tree.text(node)[:LONGEST_FLIP_ANCHOR], tree.attributes[node].get("rel", ""))
    return nested.is_reply(node)


def _tree_of_posts(
    links: Iterable[TypedLink], here: frozenset[str], root: str | None, is_answer: Callable[[str], bool]
) -> tuple[tuple[TypedLink, ...], Flips]:
    """On a page of a threaded forum, the links to threads are those to the other posts of its thread.

    Numbers in their addresses rise with time, so they give the order; else the tree does. Where answers have a form of
    their own, links of other forms lead to other threads.
    """
    found = list(links)
    posts = [link for link in found if link.is_thread and link.url not in here and is_answer(link.url)]
    numbers = [_page_of_post(link.key, root) for link in posts]
    behind = max((number for number in numbers if number is not None), default=1)  # no two posts are one page
    places = enumerate(zip(numbers, posts, strict=True), start=1)
    pages = [(behind + place if number is None else number, link.url) for place, (number, link) in places]
    others = tuple(link for link in found if not (link.is_thread and is_answer(link.url)))
    return others, Flips(tuple(sorted(pages)), max((page for page, _ in pages), default=1))


def _page_of_post(key: str | None, root: str | None) -> int | None:
    if key is None or root is None or not (key.isdecimal() and root.isdecimal()):
        return None
    return int(key) - int(root) + 1 if int(key) > int(root) else None


def _links_of_list(tree: Tree, hrefs: Hrefs, url: str, list_url: str) -> tuple[Link, ...]:
    """The links that say what they are and whose addresses hold what names the list: all that its flips can be."""
    name = name_of(list_url)
    near = [(node, href) for node, href in hrefs if (name in href or href[0] == "?") and _speaks(tree, node)]
    resolver = resolver_of(tree, url) if near else None
    found = []
    for node, href in near:
        resolved = resolver.resolve(href) if resolver is not None else None
        if resolved is not None and resolved[0] not in (url, list_url):
            own = tree.attributes[node]
            title = own.get("title") or own.get("aria-label", "")
            found.append(Link(node, resolved[0], tree.text(node), own.get("rel", ""), title, resolved[1]))
    return tuple(found)


def _speaks(tree: Tree, node: int) -> bool:
    """Whether a link has a page's number or the next page for its words; most links are told by their length."""
    if tree.ends[node] - node > _MOST_NODES:
        return False
    own = tree.attributes[node]
    text = tree.text(node) or own.get("title") or own.get("aria-label", "")
    short = len(text) <= LONGEST_FLIP_ANCHOR
    return short and (text[:1].isdigit() or says_next(text, own.get("rel", "")) or page_number(text) is not None)
