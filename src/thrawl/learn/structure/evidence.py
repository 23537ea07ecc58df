"""The evidence for what a family of links is: named figures, those first on which several pages agree.

`Looks` is what the links themselves and the pages behind them show. `Ties` is how families hang together, given a first
opinion of each: the pages behind boards list threads, a thread has one title a row, threads lead back to their board.
All figures run from about -1 to 1, so that the weights of the models can be compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import log, log1p
from operator import attrgetter
from statistics import mean, median
from typing import Any, Final

from thrawl.learn.named import names_page
from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.families import Family, Seen, Sighting
from thrawl.learn.varying import own_content
from thrawl.page.features import print_length
from thrawl.page.pagekind import PageKind
from thrawl.profile.folding import fold
from thrawl.profile.models import log_odds
from thrawl.profile.urls import added_to_path

_WORD: Final = re.compile(r"\S*\w\S*")  # signs alone are none: "[ Date ]"
_MANY: Final = log1p(200)  # characters of an anchor, links of a page: beyond this more says no more
_LONG: Final = log1p(5000)  # characters of a page's own text
_SURE_ODDS: Final = 4.0  # log-odds of 98 %: the page classifiers are not surer than that of unseen software
_MOST_SHOWN: Final = 20  # members that are looked for on every page
AUTHORS: Final = 0.3  # of a family's sightings in posts: boards hardly stand there, authors do
_MOST_COMPARED: Final = 5  # pages of a family whose texts are compared: more tell no more


def _said(words: str) -> Any:
    """A figure, with what it tells in words for a person."""
    return field(metadata={"words": words})


@dataclass(frozen=True, slots=True)
class Looks:
    """What links and destinations show. One figure a field, in this order in the model file."""

    index_odds: float = _said("how much the pages behind look like lists")
    thread_odds: float = _said("how much the pages behind look like threads")
    fetched: float = _said("pages behind were looked at")  # without one the figures of destinations are 0
    own_links: float = _said("how many links the pages behind have to themselves")
    own_text: float = _said("how many words the pages behind have to themselves")
    named: float = _said("how often the anchor is the heading of the page behind")
    anchor: float = _said("how long the anchors are")
    words: float = _said("how many words the anchors have")
    in_rows: float = _said("how often the links stand in rows")
    same_page: float = _said("how often the links show their own page another way")  # sorted, filtered, as a form
    title_lead: float = _said("how long the anchors are beside others of their rows")
    everywhere: float = _said("on how many pages the links stand")  # as menus do
    members: float = _said("how many links of the kind there are")
    in_posts: float = _said("how often the links stand in posts")  # authors, permalinks
    moved: float = _said("how often the links are redirected")


@dataclass(frozen=True, slots=True)
class Ties:
    """How a family hangs together with others, of which there is a first opinion."""

    lists_threads: float = _said("whether the pages behind list threads")
    lists_boards: float = _said("whether the pages behind list boards")
    beside_title: float = _said("titles that stand in the same rows")
    beside_board: float = _said("boards that stand in the same rows")
    leads_back: float = _said("how often threads lead back to the pages behind")
    extends: float = _said("how often the URLs go on from others of their rows")


LOOKS: Final = tuple(one.name for one in fields(Looks))
TIES: Final = tuple(one.name for one in fields(Ties))
WORDS: Final = {one.name: str(one.metadata["words"]) for one in (*fields(Looks), *fields(Ties))}
_looks: Final = attrgetter(*LOOKS)
_ties: Final = attrgetter(*TIES)


def figures(one: Looks | Ties) -> tuple[float, ...]:
    found: tuple[float, ...] = _looks(one) if isinstance(one, Looks) else _ties(one)
    return found


@dataclass(frozen=True, slots=True)
class Opinion:
    """How likely a family is boards, how likely threads; the rest is neither."""

    board: float
    thread: float

    @property
    def other(self) -> float:
        return 1 - self.board - self.thread


def looks_of(atlas: Atlas, family: Family) -> Looks:
    """What the links of a family and the pages behind them show."""
    pages = atlas.destinations(family)
    index, thread = _odds(atlas, pages)
    links, text = _own(atlas, pages)
    anchors = [anchor for anchor in family.urls.values() if anchor]
    rows = [one for one in family.sightings if one.in_rows]
    return Looks(
        index_odds=index,
        thread_odds=thread,
        fetched=float(bool(pages)),
        own_links=links,
        own_text=text,
        named=_named(atlas, family, pages),
        anchor=min(1.0, log1p(median(map(print_length, anchors))) / _MANY) if anchors else 0.0,
        words=sum(min(4, len(_WORD.findall(anchor))) for anchor in anchors) / len(anchors) / 4 if anchors else 0.0,
        in_rows=len(rows) / len(family.sightings),
        same_page=same_page(atlas, family),
        title_lead=mean(_lead(atlas, one) for one in rows) if rows else 0.0,
        everywhere=_everywhere(atlas, family),
        members=min(1.0, log1p(len(family.urls)) / _MANY),
        in_posts=share_of(list(map(is_in_post, family.sightings))),
        moved=_moved(atlas, family),
    )


def _odds(atlas: Atlas, pages: Sequence[Sampled]) -> tuple[float, float]:
    if not pages:
        return 0.0, 0.0
    index, thread = atlas.sampler.chances([one.page for one in pages])
    return _log_odds(index), _log_odds(thread)


def _log_odds(chance: float) -> float:
    return max(-1.0, min(1.0, log_odds(chance) / _SURE_ODDS))


def _own(atlas: Atlas, pages: Sequence[Sampled]) -> tuple[float, float]:
    if not pages:
        return 0.0, 0.0
    known = dict.fromkeys(one.url for one in pages)  # in order: which are compared must not be a matter of chance
    mine = [seen.texts for url in list(known)[:_MOST_COMPARED] if (seen := atlas.seen.get(url)) is not None]
    others = [one.texts for one in atlas.pages() if one.sampled.url not in known][: 3 if len(mine) < 2 else 1]
    owned = own_content(mine, others)
    if not owned:
        return 0.0, 0.0
    links = median(one.links for one in owned)
    text = median(one.text_chars for one in owned)
    return min(1.0, log1p(links) / _MANY), min(1.0, log1p(text) / _LONG)


def _named(atlas: Atlas, family: Family, pages: Sequence[Sampled]) -> float:
    """The share of pages that are called what they call themselves.

    What is said of several pages that call themselves differently names none of them: "by date".
    """
    by_url = {one.url: one for one in pages}
    behind = [
        (anchor, page.page)
        for url, anchor in family.urls.items()
        if (page := atlas.sampler.known(url)) is not None and page.url in by_url
    ]
    called: dict[str, set[str]] = defaultdict(set)
    for anchor, shown in behind:
        called[anchor].add(shown.tree.title)
    first = _first_words(atlas, by_url)
    return share_of(
        [
            len(called[anchor]) == 1 and (names_page(anchor, shown) or fold(anchor) == first.get(shown.url))
            for anchor, shown in behind
        ]
    )


def _first_words(atlas: Atlas, urls: Iterable[str]) -> dict[str, str]:
    """What each page of a family says first, outside of links, that no other page says: its heading, whatever its tag.

    Also where all of them have one `<title>`.
    """
    seen = {url: one for url in urls if (one := atlas.seen.get(url)) is not None}
    own = {
        url: (text for text, linked in one.texts.items() if not linked and atlas.shown[text] == 1)
        for url, one in seen.items()
    }
    return {url: fold(next(texts, "")) for url, texts in own.items()} if len(atlas.seen) > 1 else {}


def same_page(atlas: Atlas, family: Family) -> float:
    """Links with their page's own address, and something added; on pages that are destinations themselves.

    An entry page may be the program to which all links of the site lead.
    """
    told = [
        atlas.shows_again(url, own)
        for one in family.sightings
        if atlas.is_destination(one.seen.sampled.url)
        for own in (atlas.plain_form(one.seen),)
        for url in one.candidate.urls[:_MOST_SHOWN]
        if atlas.sampler.known(url) is not None or not added_to_path(url, own)
    ]
    return share_of(told)


def share_of(told: Sequence[bool]) -> float:
    """How many of these are true; 0 where there are none. `mean` says the same by fractions, forty times as slow."""
    return sum(told) / len(told) if told else 0.0


def beside(atlas: Atlas, sighting: Sighting) -> Iterator[tuple[Family, Sighting]]:
    """The other families that stand in the same rows."""
    for family, other in atlas.on_page(sighting.seen.sampled.url):
        if other is not sighting and other.candidate.region == sighting.candidate.region:
            yield family, other


def _lead(atlas: Atlas, sighting: Sighting) -> float:
    if sighting not in atlas.leads:
        atlas.leads[sighting] = _lead_of(atlas, sighting)
    return atlas.leads[sighting]


def _lead_of(atlas: Atlas, sighting: Sighting) -> float:
    mine = mean(map(print_length, sighting.candidate.anchors))
    others = [
        mean(map(print_length, one.candidate.anchors))
        for _, one in beside(atlas, sighting)
        if len(one.candidate.urls) * 2 >= len(sighting.candidate.urls)
    ]
    return max(-1.0, min(1.0, log((1 + mine) / (1 + max(others, default=0.0))) / 2))


def _everywhere(atlas: Atlas, family: Family) -> float:
    members = list(family.urls)[:_MOST_SHOWN]
    pages = [one for one in atlas.pages() if one.sampled.url not in family.urls] or atlas.pages()
    told = [sum(url in one.links for url in members) * 2 > len(members) for one in pages]
    return share_of(told) if len(pages) > 1 else 0.0


def is_in_post(sighting: Sighting) -> bool:
    return sighting.candidate.region >= 0 and sighting.seen.sampled.verdict.type is PageKind.THREAD


def names_authors(atlas: Atlas, family: Family) -> bool:
    """Whether links stand in most posts of a page as those of authors do, nearly wherever they stand."""
    return sum(stands_in_posts(atlas, one) for one in family.sightings) >= AUTHORS * len(family.sightings)


def stands_in_posts(atlas: Atlas, sighting: Sighting) -> bool:
    """Whether links stand in most of the best records of a thread's page; breadcrumbs may be records, too, lesser ones
    or a row or two of the same table."""
    if sighting.candidate.region != 0 or not shows_posts(atlas, sighting.seen):
        return False
    return 2 * len(sighting.first_nodes()) >= len(sighting.seen.sampled.page.regions[0].records)


def shows_posts(atlas: Atlas, seen: Seen) -> bool:
    """Whether the best records of a page look like posts; a single one may be the page itself: a post holds no menu."""
    regions = seen.sampled.page.regions
    if seen.sampled.verdict.type is not PageKind.THREAD or not regions:
        return False
    here = (family for family, at in atlas.on_page(seen.sampled.url) if at.candidate.region == 0)
    return len(regions[0].records) > 1 or not any(_everywhere(atlas, one) > 0.5 for one in here)  # on most pages


def _moved(atlas: Atlas, family: Family) -> float:
    known = sum(atlas.sampler.known(url) is not None for url in family.urls)
    return len(atlas.sampler.led(family.urls)) / known if known else 0.0


def ties_of(atlas: Atlas, family: Family, opinions: Mapping[Family, Opinion]) -> Ties:
    """How a family hangs together with the others, given a first opinion of all of them."""
    pages = atlas.destinations(family)
    rows = [one for one in family.sightings if one.in_rows]
    others = [[other for other, _ in beside(atlas, one) if other is not family] for one in rows]
    return Ties(
        lists_threads=_lists(atlas, family, pages, lambda one: opinions[one].thread),
        lists_boards=_lists(atlas, family, pages, lambda one: opinions[one].board),
        beside_title=mean(max((opinions[one].thread for one in found), default=0.0) for found in others) if rows else 0,
        beside_board=mean(max((opinions[one].board for one in found), default=0.0) for found in others) if rows else 0,
        leads_back=_leads_back(atlas, pages, opinions) if pages else 0.0,
        extends=_extends(family, others),
    )


def _lists(atlas: Atlas, family: Family, pages: Iterable[Sampled], chance: Callable[[Family], float]) -> float:
    """How surely the records of a family's pages link to another one."""
    found = []
    for page in pages:
        linked = [chance(one) for one, at in atlas.on_page(page.url) if one is not family and at.candidate.region >= 0]
        found.append(max(linked, default=0.0))
    return mean(found) if found else 0.0


def _leads_back(atlas: Atlas, pages: Iterable[Sampled], opinions: Mapping[Family, Opinion]) -> float:
    """Of the threads that these pages list and that were fetched: the share that link to the page that lists them."""
    threads: list[Seen] = [
        seen
        for family in atlas.families
        if opinions[family].thread > 0.5  # likelier than not
        for page in atlas.destinations(family)
        if (seen := atlas.seen.get(page.url)) is not None
    ]
    told = [
        page.url in thread.links
        for page in pages
        if (listing := atlas.seen.get(page.url)) is not None
        for thread in threads
        if thread.sampled.url in listing.links and thread.sampled.url != page.url
    ]
    return share_of(told)


def _extends(family: Family, others: Iterable[Sequence[Family]]) -> float:
    """The share of a family's URLs that begin with a URL of another family of the same rows."""
    bases = tuple({url for found in others for one in found for url in one.urls})
    if not bases:
        return 0.0
    members = list(family.urls)[:_MOST_SHOWN]
    return share_of([url.startswith(bases) and url not in bases for url in members])
