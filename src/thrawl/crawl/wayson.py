"""Ways on from a page that nobody follows: pagers that no pattern explains, and links that may lead on."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from thrawl.crawl.links import LinkReader
from thrawl.page.headpager import next_in_head
from thrawl.page.links import find_links
from thrawl.page.pagekind import PageKind
from thrawl.page.tree import Tree
from thrawl.profile.pager import find_pagers, propose_pagers
from thrawl.profile.pagerwords import page_number
from thrawl.profile.urltypes import TypedUrl

_ENDING: Final = re.compile(r"(?<=\w)(?:\.\w{2,5})?/?$")  # behind which, or before which, a page's number stands
_MAY_LEAD_ON: Final = 0.05  # the chance of a link that is worth a request where nothing else leads on
_MOST_LINKS: Final = 1000  # of one page that are looked at, the outer ones: a pager stands above or below what it
# flips; the largest of 132,000 real pages had 647
_MOST_BEYOND: Final = 12  # pagers that a page may have, the likeliest


def numbers_its_pages(tree: Tree, url: str) -> bool:
    """Whether links of a page add to its own address and say no more than a number, as those to its other pages do.

    A quick look: a thread that shows its last page first may show few posts, and is not known as a long one by them.
    """
    whole = url.rstrip("/").rpartition("/")[2]
    own = _ENDING.sub("", whole)
    hrefs = [(node, href) for node in tree.named("a") if own in (href := tree.attributes[node].get("href", ""))]
    near = ((node, href.partition("#")[0]) for node, href in hrefs)
    return any(own in href and not href.endswith(whole) and page_number(tree.text(node)) for node, href in near)


def unfollowed_pager(tree: Tree, url: str, list_url: str, links: LinkReader) -> int:
    """The last page that a pager on the page shows, where none of its links is followed; else 1.

    Nor is one that is taken for another address of the thread itself, as a page's number at the end of its words is;
    the thread may be asked for under an address that sends on to its page's.
    """
    pager = next(iter(find_pagers(url, find_links(tree, url, _MOST_LINKS))), None)
    if pager is None:
        return 1
    shown = [one for one in (*pager.urls, pager.next_url) if one is not None and one != url]
    own = [links.types.type(links.one_form(one)) for one in (list_url, url)]
    found = (links.types.type(links.one_form(one)) for one in shown)
    if not shown or any(one is not None and not any(_is_alias(one, known) for known in own) for one in found):
        return 1
    return max(pager.last, 2)


def _is_alias(found: TypedUrl, own: TypedUrl | None) -> bool:
    """Whether a URL is refused as another one of the thread on whose page it stands."""
    if own is None or found.kind is not PageKind.THREAD or found.list_url == own.list_url:
        return False
    return found.key == own.key


def links_beyond(tree: Tree, url: str, list_url: str, links: LinkReader) -> tuple[str, ...]:
    """Short links to the page's own address with a value more or changed, whatever they say, that nothing explains."""
    own = _ENDING.sub("", list_url)
    links_here = (*find_links(tree, url, _MOST_LINKS), *next_in_head(tree, url))
    shown = [link for link in links_here if link.url.startswith(own)]
    proposed = (one for one in propose_pagers(url, shown, tree, list_url) if one.probability >= _MAY_LEAD_ON)
    firsts = (links.one_form(one.next_url or one.urls[0]) for one in islice(proposed, _MOST_BEYOND))
    return tuple(dict.fromkeys(one for one in firsts if links.types.type(one) is None))
