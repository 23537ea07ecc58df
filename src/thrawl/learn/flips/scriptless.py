"""The rest of a thread that only readers without scripts are sent to: a link inside `<noscript>` on the thread's page.

Pages that fetch most of a thread by a script say so to those who have none, and link to the whole of it: the thread's
own address with something added. To a crawl that runs no scripts this is one more page of the thread.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.sampler import Sampled, Sampler
from thrawl.page.links import Link
from thrawl.profile.patterns import PAGE, Hole, Pattern
from thrawl.profile.profile import Flip, ListPattern

_USUAL: Final = 0.5  # of the threads sampled: threads without an answer may have nothing to fetch
_SAMPLE: Final = 8  # threads whose rest is looked at: posts are learned from it, and the crawl needs it anyway
_HELD: Final = 0.8  # of the words of a thread's page that its whole holds: menus may differ
_MORE: Final = 1.2  # times as many words, in one thread of the sample at least
_ADDED: Final = re.compile(r"[?&;][\w.=-]+")
_WORD: Final = re.compile(r"\w+")


async def with_scriptless(sampler: Sampler, threads: ListPattern, pages: Sequence[Sampled]) -> ListPattern:
    """Threads with what their pages offer to readers without scripts as a flip, where that is the thread and more."""
    fitting = [page for page in pages if threads.pattern.match(page.url) is not None]
    offered: dict[str, dict[str, Link]] = defaultdict(dict)
    for page in fitting:
        for link in _offers(page):
            offered[link.url[len(page.url) :]][page.url] = link
    if not offered:
        return threads
    added, links = max(offered.items(), key=lambda one: len(one[1]))
    pattern = Pattern((*threads.pattern.pieces, added[0], Hole(PAGE, added[1:])))
    if len(links) < _USUAL * len(fitting) or not all(pattern.match(one.url) for one in links.values()):
        return threads
    shown = [page for page in fitting if page.url in links][:_SAMPLE]
    if not await _is_whole(sampler, shown, links):
        return threads
    signs = tuple(dict.fromkeys(one.anchor for one in links.values()))
    return replace(threads, flips=(*threads.flips, Flip(pattern, signs=signs)))


def _offers(page: Sampled) -> Iterator[Link]:
    """The links for readers without scripts that add to the page's own address."""
    tree = page.page.tree
    for link in page.page.links:
        adds = _ADDED.fullmatch(link.url.removeprefix(page.url)) is not None
        if adds and any(tree.tags[up] == "noscript" for up in tree.ancestors(link.node)):
            yield link


async def _is_whole(sampler: Sampler, shown: Iterable[Sampled], links: dict[str, Link]) -> bool:
    """Whether all that is offered holds its thread's page, and some of it much more."""
    grown = []
    for page in shown:
        whole = await sampler.get(links[page.url].url)
        if whole is None:
            continue
        mine, theirs = (Counter(_WORD.findall(one.page.tree.text(0))) for one in (page, whole))
        if (mine & theirs).total() < _HELD * mine.total():
            return False
        grown.append(theirs.total() >= _MORE * mine.total())
    return any(grown)
