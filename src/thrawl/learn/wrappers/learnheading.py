"""Learn the page wrapper: where thread pages show their title and their boards.

The words that led to a thread in an index row are the best witness of its title: the place on the thread page where
the same words stand is learned, and the words of the template around them in `<title>`. Where no row is known, the
title is what heading and `<title>` share. Breadcrumbs are the smallest block before the posts whose links lead to
index pages and differ from board to board.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, takewhile
from typing import Final

from thrawl.learn.wrappers.growth import Held, Place, grow
from thrawl.learn.wrappers.sample import Sample, take_samples
from thrawl.page.links import Resolver, base_of
from thrawl.page.reading import Page
from thrawl.page.tree import TEXT
from thrawl.page.users import address_form
from thrawl.profile.folding import fold
from thrawl.profile.heading import (
    LONGEST_TITLE,
    TRAIL,
    PageWrapper,
    TitleField,
    distinct_links,
    head_of,
    links_in,
    mark_of,
    without_numbers,
)
from thrawl.profile.kinds import Cut
from thrawl.profile.nodes import under
from thrawl.profile.places import NOWHERE, Path, follow
from thrawl.profile.subjects import is_answer, subject_of

_SUPPORT: Final = 0.6  # of the pages show it; flips may lack a heading
_AGREED: Final = 0.6  # of the pages say what is known of them: rows cut long titles
_MOST_CRUMBS: Final = 8  # a trail has three to five boards; menus have more
_MOST_WAYS: Final = 3  # to a title, as pages with and without a prefix have
_FEW_BOARDS: Final = 3  # that a sign follows: two may stand before it by chance
_FEW_HEADS: Final = 3  # pages; two threads may have one title
_COMMON: Final = 0.2  # of the links to threads: what so many say no letters of one subject are
_MARK: Final = re.compile(r"\W+$")  # between the boards of a trail, and before the title
_SURE_TITLE: Final = 12  # characters; shorter titles stand in others by chance


def learn_page_wrapper(
    thread_pages: Sequence[Page],
    index_pages: Sequence[Page],
    anchors: Mapping[str, str] | None = None,
    is_index_url: Callable[[str], bool | None] = lambda _: None,
) -> PageWrapper:
    """Learn where these thread pages show their title and boards.

    `anchors` are the rows' titles by thread URL; `is_index_url` knows more index pages than those given,
    and threads; None is what it does not know.
    """
    samples = take_samples(thread_pages)
    if not samples:
        return PageWrapper()
    records = [Held(sample, Cut((0,), 0, len(sample.tree))) for sample in samples]
    places = grow(records, _SUPPORT)
    known = _known_titles(samples, anchors or {})
    titles = _titles_by_anchor(samples, places, known) if known else ()
    crumbs, home, heads = _find_crumbs(samples, places, _index_test(index_pages, is_index_url))
    mark = _mark(samples, crumbs[0], lambda url: head_of(url) in heads and url not in home) if crumbs else ""
    return PageWrapper(titles or _titles_by_heading(samples, places, known), crumbs, home, heads, mark)


def _known_titles(samples: Sequence[Sample], anchors: Mapping[str, str]) -> dict[int, str]:
    """The titles that rows gave to the sampled pages; a later page of a thread has its words in `<title>` too. What is
    named by an answer ("Re: Brass") is called by what was answered, where that is known."""
    said = Counter(anchors.values())
    # what leads to many threads, as "Reply" and "Click here" do on one site, is the title of none
    most = max(_FEW_HEADS - 1, _COMMON * len(anchors))
    titles = sorted((one for one, count in said.items() if one and count <= most), key=len, reverse=True)
    kept = frozenset(titles)
    answered = {subject_of(one): one for one in titles if not is_answer(one)}
    found: dict[int, str] = {}
    for number, sample in enumerate(samples):
        title = anchors.get(sample.url)
        named = (one for one in titles if len(one) >= _SURE_TITLE and one in sample.tree.title)
        title = title if title in kept else next(named, None)
        if title:
            found[number] = answered.get(subject_of(title), title) if is_answer(title) else title
    return found


def _titles_by_anchor(
    samples: Sequence[Sample], places: Sequence[Place], known: Mapping[int, str]
) -> tuple[TitleField, ...]:
    """The ways whose words are the rows' titles, the most reliable first."""
    ranked: list[tuple[float, int, TitleField]] = []
    letters = {n: _Letters(samples[n]) for n in known}
    for place in places:
        nodes = {n: place.nodes[n] for n in known if n in place.nodes}
        words = {n: samples[n].text(node) for n, node in nodes.items() if letters[n].below(node) <= LONGEST_TITLE}
        _rank(ranked, place.path, words, known)
    _rank(ranked, None, {n: samples[n].tree.title for n in known}, known)
    best: list[TitleField] = []
    for share, _, field in sorted(ranked, key=lambda one: (-one[0], one[1])):
        if share >= _AGREED and len(best) < _MOST_WAYS and not any(_overlap(field, other) for other in best):
            equal = [other for other_share, _, other in ranked if other_share == share]
            best.append(_innermost(field, equal))
    return tuple(best)


class _Letters:
    """How many letters the blocks of a page hold: the words of most are too many for a title, and never read."""

    def __init__(self, sample: Sample) -> None:
        self._ends = sample.tree.ends
        letters = (sum(map(len, text.split())) if text else 0 for text in sample.tree.texts)
        self._sums = [0, *accumulate(letters)]

    def below(self, node: int) -> int:
        return self._sums[self._ends[node]] - self._sums[node]


def _innermost(field: TitleField, equal: Sequence[TitleField]) -> TitleField:
    """The smallest element that shows the same: threads that were not met may have "[closed]" beside their titles.

    A text is no element: it is but a part of a title with something written in another hand.
    """
    if field.path is None:
        return field
    inside = [
        (len(other.path), other)
        for other in equal
        if other.path and other.frames == field.frames and under(other.path, field.path) and other.path[-1].tag != TEXT
    ]
    return max(inside, key=lambda one: one[0], default=(0, field))[1]


def _overlap(one: TitleField, other: TitleField) -> bool:
    if one.path is None or other.path is None:
        return one.path is other.path
    return under(one.path, other.path) or under(other.path, one.path)


def _rank(
    ranked: list[tuple[float, int, TitleField]], path: Path | None, words: Mapping[int, str], known: Mapping[int, str]
) -> None:
    """Add a way with the share of titles that it gives; places that never show more come before framed ones."""
    frames = Counter(frame for n, shown in words.items() if (frame := _frame_around(shown, known[n])) is not None)
    if not frames:
        return
    mark = _mark_of_trail([before for before, _ in frames], known.values())
    frames = Counter((TRAIL + mark, after) for _, after in frames.elements()) if mark else frames
    kept = tuple(frame for frame, count in frames.most_common(6) if count > 1 or len(known) < 4)
    if not kept:
        return
    ordered = tuple(sorted(kept, key=lambda frame: -len(frame[0]) - len(frame[1])))
    share = sum(frames[frame] for frame in kept) / len(known)
    framed = (2 if path is None else 0) + (kept != (("", ""),))
    ranked.append((round(share, 2), framed * 100 + len(ranked) // 50, TitleField(path, ordered)))


def _mark_of_trail(befores: Sequence[str], titles: Iterable[str]) -> str:
    """The mark that ends each of several trails of boards before a title, and stands in no title; nothing if none does.

    Boards that were not met have trails of their own, and those below others longer ones.
    """
    letters = zip(*(before[::-1] for before in befores), strict=False) if len(befores) > 1 else ()
    shared = "".join(one[0] for one in takewhile(lambda ones: len(set(ones)) == 1, letters))[::-1]
    mark = shared[len(_MARK.sub("", shared)) :]
    sign = mark.strip()
    told = sign and all(before.count(sign) > 1 for before in befores)
    return mark if told and not any(sign in title for title in titles) else ""


def _frame_around(shown: str, title: str) -> tuple[str, str] | None:
    """What stands around a title in a text; titles that the row cut short are completed by nothing else."""
    if not shown or len(shown) > LONGEST_TITLE:
        return None
    cut = re.sub(r"\s*(…|\.\.\.)$", "", title)
    if cut != title:
        return ("", "") if fold(shown).startswith(fold(cut)) else None
    at = shown.find(title)
    if at < 0:
        return ("", "") if fold(shown) == fold(title) else None
    return without_numbers(shown[:at]), without_numbers(shown[at + len(title) :])


def _titles_by_heading(
    samples: Sequence[Sample], places: Sequence[Place], known: Mapping[int, str]
) -> tuple[TitleField, ...]:
    """The place whose words differ from thread to thread and stand in `<title>`; where that is the site's name on all
    pages, in the row that led there: it may say more than the title, as one link around all that it shows."""
    heads = [sample.tree.title for sample in samples]
    alike = len(heads) >= _FEW_HEADS and len(set(heads)) == 1
    witnesses = {n: known.get(n, "") if alike else head for n, head in enumerate(heads)}
    best: tuple[float, int, Place | None] = (0.0, 0, None)
    for number, place in enumerate(places):
        words = [(witnesses[n], samples[n].text(node)) for n, node in place.nodes.items()]
        inside = [(witness, text) for witness, text in words if len(text) > 1 and fold(text) and text in witness]
        distinct = len({text for _, text in inside})
        if len(samples) > 2 and distinct < 0.5 * len(inside):
            continue
        share = sum(len(text) / len(witness) for witness, text in inside) / len(samples)
        heading = any(step.tag in ("h1", "h2", "h3") for step in place.path[-2:])
        score = round(share * (1.2 if heading else 1.0), 2)
        if score > best[0]:
            best = (score, -number, place)
    found = (TitleField(best[2].path),) if best[2] is not None and best[0] > 0.2 else ()
    return found if alike else (*found, TitleField(None, _head_frames(heads)))


def _head_frames(titles: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The site's name before or after: what all `<title>`s share, up to a mark between words."""
    distinct = sorted(set(titles))
    if len(distinct) < 2:
        return (("", ""),)
    before, after = _shared_start(distinct), _shared_start([title[::-1] for title in distinct])[::-1]
    start = max(
        (before.rfind(mark) + len(mark) for mark in (" - ", " | ", ": ", " » ", " – ", " :: ") if mark in before),
        default=0,
    )
    ends = [after.find(mark) for mark in (" - ", " | ", " » ", " – ", " :: ", " • ") if mark in after]
    return ((before[:start], after[min(ends) :] if ends else ""), ("", ""))


def _shared_start(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    end = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:end]


def _index_test(index_pages: Sequence[Page], is_index_url: Callable[[str], bool | None]) -> Callable[[str, str], float]:
    """How surely a link leads to an index page: 1 to a known one by its name, less by a form of URL alone."""
    forms = {address_form(page.url) for page in index_pages}
    heads = {page.url.partition("#")[0]: page.tree.title for page in index_pages}

    def sure(name: str, url: str) -> float:
        if url in heads:
            return 1.0 if not heads[url] or name in heads[url] else 0.1
        known = is_index_url(url)
        if known is not None:
            return 0.8 if known else 0.0
        return 0.5 if address_form(url) in forms else 0.0

    return cache(sure)


class _Links:
    """All links of a page that show words, by their nodes: each block of the page is asked for its own."""

    def __init__(self, sample: Sample) -> None:
        self._ends = sample.tree.ends
        self._links = list(links_in(sample.tree, 0, Resolver(base_of(sample.tree, sample.url))))
        self._nodes = [node for node, _, _ in self._links]

    def below(self, node: int) -> list[tuple[str, str]]:
        """The words and URLs of a block's links, each once; none of a block too large for breadcrumbs."""
        end = self._ends[node]
        if end - node > 40 * _MOST_CRUMBS:
            return []
        inside = self._links[bisect_left(self._nodes, node) : bisect_left(self._nodes, end)]
        return distinct_links(inside)


def _find_crumbs(
    samples: Sequence[Sample], places: Sequence[Place], index: Callable[[str, str], float]
) -> tuple[tuple[Path, ...], frozenset[str], frozenset[str]]:
    scored: list[tuple[float, int, Path, list[list[tuple[str, str]]]]] = []
    links_of = [_Links(sample) for sample in samples]
    for place in places:
        if place.path and place.path[-1].tag in ("select", "option", TEXT):
            continue
        found = [links_of[n].below(node) for n, node in place.nodes.items()]
        early = sum(node / len(samples[n].tree) for n, node in place.nodes.items()) / len(place.nodes)
        score = _crumb_score(found, len(samples), index) * (1 - 0.3 * early)
        if score > 0:
            scored.append((round(score, 3), -len(scored), place.path, found))
    if not scored:
        return (), frozenset(), frozenset()
    best = max(scored, key=lambda one: one[:2])
    heads = {head_of(url) for links in best[3] for name, url in links if index(name, url) > 0}
    return (best[2],), _home_of(best[3]), frozenset(heads)


def _mark(samples: Sequence[Sample], crumbs: Path, is_board: Callable[[str], bool]) -> str:
    """What stands in an element of its own before the names of all boards: no name, but an icon written in letters."""
    marks: dict[str, str] = {}
    for sample in samples:
        tree, block = sample.tree, follow(sample.tree, (0,), crumbs)
        shown = links_in(tree, block, Resolver(base_of(tree, sample.url))) if block != NOWHERE else ()
        marks.update((url, mark_of(tree, link)) for link, _, url in shown if is_board(url))
    return next(iter(marks.values())) if len(marks) >= _FEW_BOARDS and len(set(marks.values())) == 1 else ""


def _crumb_score(found: Sequence[list[tuple[str, str]]], pages: int, index: Callable[[str, str], float]) -> float:
    """How much a block looks like breadcrumbs: few links, to index pages by name, not the same on all pages."""
    good = [links for links in found if links and len(links) <= _MOST_CRUMBS]
    if len(good) < 0.6 * pages:
        return 0.0
    best = [max(index(name, url) for name, url in links) for links in good]
    distinct = len({tuple(url for _, url in links) for links in good})
    names = {url: name for links in good for name, url in links}
    buttons = len(set(names.values())) < 0.6 * len(names)
    if sum(sure > 0 for sure in best) < 0.5 * len(good) or (distinct < 2 and pages > 3) or buttons:
        return 0.0
    seen = Counter(url for links in good for _, url in links)
    junk = [sum(not index(name, url) and seen[url] < 0.8 * len(good) for name, url in links) for links in good]
    share = sum(number / len(links) for number, links in zip(junk, good, strict=True))
    steps = (sum(map(len, good)) - sum(junk)) / len(good)  # links that are none make no path longer
    return sum(best) / pages + 0.2 * min(steps, 4) - 0.5 * share / len(good)


def _home_of(found: Sequence[list[tuple[str, str]]]) -> frozenset[str]:
    """Links that stand in all breadcrumbs beside others that differ: the way home, a search."""
    good = [links for links in found if links]
    counts = Counter(url for links in good for _, url in links)
    everywhere = frozenset(url for url, count in counts.items() if count >= 0.95 * len(good))
    with_others = sum(any(url not in everywhere for _, url in links) for links in good)
    return everywhere if with_others >= 0.8 * len(good) else frozenset()
