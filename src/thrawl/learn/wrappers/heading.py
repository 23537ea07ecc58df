"""The page wrapper: the title of a thread page and the boards above it.

The words that led to a thread in an index row are the best witness of its title: the place on the thread page where
the same words stand is learned, and the words of the template around them in `<title>`. Where no row is known, the
title is what heading and `<title>` share. Breadcrumbs are the smallest block before the posts whose links lead to
index pages and differ from board to board.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from thrawl.learn.wrappers.growth import Held, Place, grow, text_at
from thrawl.learn.wrappers.kinds import Cut
from thrawl.learn.wrappers.places import NOWHERE, Path, follow, path_from_json, path_to_json
from thrawl.learn.wrappers.sample import Sample, take_samples
from thrawl.page.links import Resolver, base_of
from thrawl.page.reading import Page
from thrawl.page.tree import TEXT, Tree
from thrawl.page.users import address_form

_SUPPORT: Final = 0.6
_AGREED: Final = 0.6
_LONGEST_TITLE: Final = 300
_MOST_CRUMBS: Final = 8
_MOST_WAYS: Final = 3
_FOLD: Final = re.compile(r"[^\w]+")
_DIGITS: Final = re.compile(r"\d+")
_HEAD: Final = "title"


@dataclass(frozen=True, slots=True)
class TitleField:
    """One way to a thread's title: the place on the page (None: the `<title>`), and the template around it.

    Each frame is what stands before and after the title; digits are written as `0` and stand for any number.
    """

    path: Path | None
    frames: tuple[tuple[str, str], ...] = (("", ""),)

    def read(self, tree: Tree) -> str | None:
        words = tree.title if self.path is None else _words_at(tree, self.path)
        if not words or len(words) > _LONGEST_TITLE:
            return None
        for before, after in self.frames:
            match = _frame(before, after).fullmatch(words)
            if match is not None and match[1].strip():
                return match[1].strip()
        return words if ("", "") in self.frames else None

    def to_json(self) -> dict[str, Any]:
        path = None if self.path is None else path_to_json(self.path)
        return {"path": path, "frames": [list(frame) for frame in self.frames]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TitleField:
        path = data["path"]
        frames = tuple((str(before), str(after)) for before, after in data["frames"])
        return cls(None if path is None else path_from_json(path), frames)


def _words_at(tree: Tree, path: Path) -> str:
    node = follow(tree, (0,), path)
    return text_at(tree, node) if node != NOWHERE else ""


def _frame(before: str, after: str) -> re.Pattern[str]:
    return re.compile(_numbered(before) + "(.+)" + _numbered(after))


def _numbered(text: str) -> str:
    return re.sub("0", lambda _: r"\d+", re.escape(text))


@dataclass(frozen=True, slots=True)
class PageWrapper:
    """Where thread pages show their title and their boards. `home` are links above all boards."""

    titles: tuple[TitleField, ...] = ()
    crumbs: tuple[Path, ...] = ()
    home: frozenset[str] = frozenset()

    def title(self, tree: Tree, url: str) -> str | None:
        """The thread's title as its page shows it."""
        found = (field.read(tree) for field in self.titles)
        return next((title for title in found if title), None)

    def board_path(self, tree: Tree, url: str) -> tuple[tuple[str, str | None], ...]:
        """Names and URLs of the boards above this thread, outermost first."""
        links = Resolver(base_of(tree, url))
        own = url.partition("#")[0]
        title = self.title(tree, url)
        for path in self.crumbs:
            node = follow(tree, (0,), path)
            if node == NOWHERE:
                continue
            found = _crumbs(tree, node, links)
            kept = [(name, to) for name, to in found if to != own and to not in self.home and name != title]
            if kept:
                return tuple(kept)
        return ()

    def to_json(self) -> dict[str, Any]:
        return {
            "titles": [field.to_json() for field in self.titles],
            "crumbs": [path_to_json(path) for path in self.crumbs],
            "home": sorted(self.home),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PageWrapper:
        return cls(
            tuple(map(TitleField.from_json, data["titles"])),
            tuple(map(path_from_json, data["crumbs"])),
            frozenset(data["home"]),
        )


def _crumbs(tree: Tree, node: int, links: Resolver) -> list[tuple[str, str]]:
    """The links of a block with their words, in order, each once."""
    found: dict[str, str] = {}
    for below in range(node, tree.ends[node]):
        href = tree.attributes[below].get("href") if tree.tags[below] == "a" else None
        resolved = links.resolve(href) if href else None
        words = tree.text(below) if resolved else ""
        if resolved and words:
            found.setdefault(resolved[0], words)
    return [(words, url) for url, words in found.items()]


# --- learning


def learn_page_wrapper(
    thread_pages: Sequence[Page], index_pages: Sequence[Page], anchors: Mapping[str, str] | None = None
) -> PageWrapper:
    """Learn where these thread pages show their title and boards; `anchors` are the rows' titles by thread URL."""
    samples = take_samples([(page.url, page.shapes) for page in thread_pages])
    if not samples:
        return PageWrapper()
    records = [Held(sample, Cut((0,), 0, len(sample.tree))) for sample in samples]
    places = grow(records, _SUPPORT)
    known = {n: anchors[sample.url] for n, sample in enumerate(samples) if anchors and sample.url in anchors}
    titles = _titles_by_anchor(samples, places, known) if known else ()
    crumbs, home = _find_crumbs(samples, places, index_pages)
    return PageWrapper(titles or _titles_by_heading(samples, places), crumbs, home)


def fold(text: str) -> str:
    return _FOLD.sub("", text).casefold()


def _titles_by_anchor(
    samples: Sequence[Sample], places: Sequence[Place], known: Mapping[int, str]
) -> tuple[TitleField, ...]:
    """The ways whose words are the rows' titles, the most reliable first."""
    ranked: list[tuple[float, int, TitleField]] = []
    for place in places:
        words = {n: text_at(samples[n].tree, place.nodes[n]) for n in known if n in place.nodes}
        _rank(ranked, place.path, words, known)
    _rank(ranked, None, {n: samples[n].tree.title for n in known}, known)
    best = sorted(ranked, key=lambda one: (-one[0], one[1]))[:_MOST_WAYS]
    return tuple(field for share, _, field in best if share >= _AGREED)


def _rank(
    ranked: list[tuple[float, int, TitleField]], path: Path | None, words: Mapping[int, str], known: Mapping[int, str]
) -> None:
    """Add a way with the share of titles that it gives; places that show just the title come before framed ones."""
    frames = Counter(frame for n, shown in words.items() if (frame := _frame_around(shown, known[n])) is not None)
    if not frames:
        return
    kept = tuple(frame for frame, count in frames.most_common(6) if count > 1 or len(known) < 4)
    if not kept:
        return
    ordered = tuple(sorted(kept, key=lambda frame: -len(frame[0]) - len(frame[1])))
    share = sum(frames[frame] for frame in kept) / len(known)
    framed = (2 if path is None else 0) + (kept[0] != ("", ""))
    ranked.append((round(share, 2), framed * 100 + len(ranked) // 50, TitleField(path, ordered)))


def _frame_around(shown: str, title: str) -> tuple[str, str] | None:
    """What stands around a title in a text; titles that the row cut short are completed by nothing else."""
    if not shown or len(shown) > _LONGEST_TITLE:
        return None
    cut = re.sub(r"\s*(…|\.\.\.)$", "", title)
    if cut != title:
        return ("", "") if fold(shown).startswith(fold(cut)) else None
    if fold(shown) == fold(title):
        return ("", "")
    at = shown.find(title)
    if at < 0:
        return None
    return _DIGITS.sub("0", shown[:at]), _DIGITS.sub("0", shown[at + len(title) :])


def _titles_by_heading(samples: Sequence[Sample], places: Sequence[Place]) -> tuple[TitleField, ...]:
    """Without rows: the place whose words differ from thread to thread and stand in `<title>`."""
    best: tuple[float, int, Place | None] = (0.0, 0, None)
    for number, place in enumerate(places):
        words = [(samples[n], text_at(samples[n].tree, node)) for n, node in place.nodes.items()]
        inside = [
            (sample, text) for sample, text in words if len(text) > 1 and fold(text) and text in sample.tree.title
        ]
        distinct = len({text for _, text in inside})
        if len(samples) > 2 and distinct < 0.5 * len(inside):
            continue
        share = sum(len(text) / len(sample.tree.title) for sample, text in inside) / len(samples)
        heading = any(step.tag in ("h1", "h2", "h3") for step in place.path[-2:])
        score = round(share * (1.2 if heading else 1.0), 2)
        if score > best[0]:
            best = (score, -number, place)
    found = (TitleField(best[2].path),) if best[2] is not None and best[0] > 0.2 else ()
    return (*found, TitleField(None, _head_frames([sample.tree.title for sample in samples])))


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


def _find_crumbs(
    samples: Sequence[Sample], places: Sequence[Place], index_pages: Sequence[Page]
) -> tuple[tuple[Path, ...], frozenset[str]]:
    forms = {address_form(page.url) for page in index_pages}
    urls = {page.url.partition("#")[0] for page in index_pages}
    scored: list[tuple[float, int, Path, list[list[tuple[str, str]]]]] = []
    for place in places:
        if place.path and place.path[-1].tag in ("select", "option", TEXT):
            continue
        found = [_links_at(samples[n], node) for n, node in place.nodes.items()]
        score = _crumb_score(found, len(samples), forms, urls)
        if score > 0:
            scored.append((score, -len(scored), place.path, found))
    if not scored:
        return (), frozenset()
    best = max(scored, key=lambda one: one[:2])
    return (best[2],), _home_of(best[3])


def _links_at(sample: Sample, node: int) -> list[tuple[str, str]]:
    tree = sample.tree
    if tree.ends[node] - node > 40 * _MOST_CRUMBS:
        return []
    return _crumbs(tree, node, Resolver(base_of(tree, sample.url)))


def _crumb_score(found: Sequence[list[tuple[str, str]]], pages: int, forms: Iterable[str], urls: set[str]) -> float:
    """How much a block looks like breadcrumbs: few links, most to index pages, and not the same on all pages."""
    good = [links for links in found if links and len(links) <= _MOST_CRUMBS]
    if len(good) < 0.6 * pages:
        return 0.0
    known = set(forms)
    hits = sum(any(url in urls or address_form(url) in known for _, url in links) for links in good)
    exact = sum(any(url in urls for _, url in links) for links in good)
    distinct = len({tuple(url for _, url in links) for links in good})
    if hits < 0.5 * len(good) or (distinct < 2 and pages > 3):
        return 0.0
    count = sum(map(len, good)) / len(good)
    share = sum(sum(address_form(url) in known or url in urls for _, url in links) / len(links) for links in good)
    return (hits + exact) / pages + share / len(good) + min(count, 3) * 0.15 - 0.05 * max(0.0, count - 4)


def _home_of(found: Sequence[list[tuple[str, str]]]) -> frozenset[str]:
    """Links that stand before others in all breadcrumbs: the way home."""
    good = [links for links in found if links]
    longer = [links for links in good if len(links) > 1]
    if len(longer) < 0.8 * len(good):
        return frozenset()
    counts = Counter(url for links in good for _, url in links[:-1])
    ended = {links[-1][1] for links in good}
    return frozenset(url for url, count in counts.items() if count >= 0.95 * len(good) and url not in ended)
