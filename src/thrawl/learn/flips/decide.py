"""Which pagers flip the lists of a family: proposals of all its sampled pages, weighed together, decided by evidence.

A proposal is the same flip on every list of the family if its pattern is: so the id that varies between lists is told
from the page that varies within one, and a pager of a sidebar from that of the list. What is likely is looked behind;
what says nothing known only where lists look cut off and nothing else leads on. The likeliest flip that explains a
list is taken, and another one only for lists that it leaves unexplained.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thrawl.learn.flips.evidence import chance_behind, likely_pagers, pagers_of, same_records
from thrawl.learn.flips.patterns import flip_of, names_anew
from thrawl.learn.flips.walk import LONG_WALK, Listed, walk
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.page.reading import Page
from thrawl.profile.models import log_odds
from thrawl.profile.pager import Pager
from thrawl.profile.pagerframes import frames_of
from thrawl.profile.pagermodel import LIKELY
from thrawl.profile.pagerwords import page_number, range_start, says_next, says_previous
from thrawl.profile.patterns import PAGE, Pattern
from thrawl.profile.profile import Flip

_TRIES: Final = 3  # lists of one family whose flip is looked behind, as long as that does not tell
_FLIPS: Final = 6  # proposals of a family that are looked behind at most
_WORDLESS: Final = 3  # proposals that say nothing known and are looked behind, where lists look cut off
_FULL: Final = 4  # records of the least page that may be full
_SHORT: Final = 3  # lists without a link that a few long ones have: enough to say that it is no button
_LONG_ONLY: Final = 0.5  # what that says, as words would that hint at a next page
_WORTH: Final = 0.05  # less likely ones are not worth a request
_FEW_NUMBERS: Final = 2  # of first pages where a page's number would stand: 1, or where a link to the last post leads
_SURE: Final = 0.9  # no further look behind the same pager
_TWO: Final = 2  # pages of the shortest list that goes on; lists that say of a flip what one alone cannot


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A pager on one sampled page, and the flip that it is in terms of the family's pattern."""

    sampled: Sampled
    pager: Pager
    flip: Flip
    family: Pattern

    def leaves_its_list(self, target: str, other: Sampled) -> bool:
        """Whether a page is sent on to the address of another list: to the next thread, not to the next page."""
        mine, theirs = self.family.match(self.sampled.url), self.family.match(other.url)
        if other.url == target or not mine or not theirs:
            return False
        return all(theirs[name] != value for name, value in mine.items())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One flip of a family as all sampled pages show it."""

    sightings: tuple[_Sighting, ...]

    @property
    def prior(self) -> float:
        """How likely it is by the pages that show it alone."""
        return sum(one.pager.probability for one in self.sightings) / len(self.sightings)

    @property
    def says_something(self) -> bool:
        return any(one.pager.evidence.speaks for one in self.sightings)

    @property
    def is_of_rows(self) -> bool:
        return any(one.pager.evidence.many_lists for one in self.sightings)

    def hinted(self) -> _Candidate:
        """The same with what it says to stand on long lists only."""
        return self._told(next_hint=_LONG_ONLY)

    def of_its_lists(self, pattern: Pattern) -> _Candidate:
        """The same with what it says that several lists go on each by its own number, whatever its name there.

        `/board?id=7` may go on as `/board?start=20&where=7`, and then no address is the other with a page added.
        """
        kept = names_anew(pattern, self.sightings[0].flip.pattern)
        return self._told(keeps_list=1.0, changes_more=0.0, many_lists=0.0) if kept and len(self.urls) >= _TWO else self

    def _told(self, **figures: float) -> _Candidate:
        told = ((one, replace(one.pager.evidence, **figures)) for one in self.sightings)
        return _Candidate(tuple(replace(one, pager=replace(one.pager, evidence=what)) for one, what in told))

    @property
    def urls(self) -> frozenset[str]:
        """The lists that it explains."""
        return frozenset(one.sampled.url for one in self.sightings)

    @property
    def targets(self) -> frozenset[str]:
        """The pages that it leads to."""
        return frozenset(url for one in self.sightings for url in one.pager.urls)

    def flip(self) -> Flip:
        """The flip, with the arithmetic that the pages agree on.

        Single links that disagree on it are no offsets but cursors; those that say nothing of pages tell nothing of it.
        """
        counted = [one for one in self.sightings if one.flip.first is not None]
        uncounted = [one for one in self.sightings if one.flip.first is None and one.pager.evidence.speaks]
        sure = [one for one in counted if len(one.pager.urls) > 1] or counted
        lines = Counter((one.flip.first, one.flip.step) for one in sure)
        signs = tuple(dict.fromkeys(sign for one in self.sightings for sign in one.pager.signs if sign))
        disagree = len(lines) > 1 and all(len(one.pager.urls) == 1 for one in sure)
        if disagree or not counted or len(counted) < len(uncounted):
            return _walked(self.sightings[0].flip, signs)
        line = lines.most_common(1)[0][0]
        return next(one.flip for one in sure if (one.flip.first, one.flip.step) == line)


_FEW_LINKS: Final = 2  # of a pager: one that leads on and one that leads nowhere tell nothing of its arithmetic


def likely_flips(page: Page) -> frozenset[str]:
    """Where the likely pagers of a page lead."""
    return frozenset(url for pager in likely_pagers(page) for url in pager.urls)


Proof = Callable[[Sampled, Sampled], bool]
"""Whether the second of two pages surely shows more of the list that the first is of."""


def _nothing_proves(page: Sampled, other: Sampled) -> bool:
    return False


async def learn_flips(
    sampler: Sampler,
    pattern: Pattern,
    pages: Sequence[Sampled],
    proof: Proof = _nothing_proves,
    *,
    boards: bool,
    foreign: Sequence[str] = (),
) -> tuple[Flip, ...]:
    """The flips of the lists that fit a pattern, seen on sampled pages of them; none leads to a `foreign` page."""
    candidates = [one for one in _candidates(pattern, pages) if _stays_in_its_list(pattern, one, pages)]
    candidates = [one for one in candidates if not any(one.flip().pattern.match(url) for url in foreign)]
    worth = [one for one in _ranked(candidates, pages) if one.says_something and one.prior >= _WORTH]
    taken = await _decided(sampler, pattern, pages, worth[:_FLIPS], proof)
    if not taken:
        silent = [one for one in candidates if one not in worth and one.prior >= _WORTH]
        taken = await _decided(sampler, pattern, pages, _on_long_lists(silent, pages)[:_WORDLESS], proof, _SURE)
    return tuple(map(_of_a_board, taken) if boards else taken)


async def walk_flips(sampler: Sampler, pattern: Pattern, pages: Sequence[Sampled], listed: Listed) -> tuple[Flip, ...]:
    """The flip of a board on which a walk goes from page to page, each with rows that none before it had.

    Only where no list as long as that lacks the link. A list in another order shows other rows as well, but leads back
    to what was seen; two pages tell only if shorter lists do not have the link.
    """
    sizes = {one.url: len(one.page.records) for one in pages}
    candidates = [one for one in _candidates(pattern, pages) if _stays_in_its_list(pattern, one, pages)]
    worth = [one for one in candidates if one.prior >= _WORTH and not one.is_of_rows]
    for candidate in sorted(worth, key=lambda one: -one.prior)[:_WORDLESS]:
        longest = max(candidate.sightings, key=lambda one: sizes[one.sampled.url])
        others = [size for url, size in sizes.items() if url not in candidate.urls]
        if sizes[longest.sampled.url] < max(_FULL, *others, 0):
            continue
        if await walk(sampler, longest.sampled, longest.pager, listed) >= (LONG_WALK if not others else _TWO):
            looked = await _looked_behind(sampler, longest, candidate.flip(), _nothing_proves)
            return (_of_a_board(looked[1]),) if looked is not None else ()
    return ()


def _candidates(pattern: Pattern, pages: Iterable[Sampled]) -> list[_Candidate]:
    found: dict[str, dict[str, _Sighting]] = defaultdict(dict)
    for sampled in pages:
        for pager in pagers_of(sampled.page):
            flip = flip_of(pattern, sampled.url, pager)
            if flip is not None:
                found[str(flip.pattern)].setdefault(sampled.url, _Sighting(sampled, pager, flip, pattern))
    return [_Candidate(tuple(sightings.values())).of_its_lists(pattern) for sightings in found.values()]


def _stays_in_its_list(pattern: Pattern, candidate: _Candidate, pages: Sequence[Sampled]) -> bool:
    """Whether what a flip keeps of a list's address still tells the lists apart.

    The part that varies between pages of one list is the page, the part that varies between lists is not: where the
    next thread has the next number, its address keeps nothing of this one's, or a title that no address needs.
    """
    flip = candidate.sightings[0].flip.pattern
    numbers = [found[PAGE] for one in pages if pattern.match(one.url) and (found := flip.match(one.url)) is not None]
    if len(set(numbers)) > max(_FEW_NUMBERS, len(numbers) / 2):
        return False
    kept = {hole.name for hole in flip.holes}
    names = [hole.name for hole in pattern.holes]
    lists = [(one.page.tree.title, values) for one in pages if (values := pattern.match(one.url)) is not None]
    left = [tuple(values[name] for name in names if name in kept) for _, values in lists]
    owners: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for (title, _), own in zip(lists, left, strict=True):
        owners[title].add(own)
    # pages with a title that no other list has are pages of one list
    whole = {
        (*own, title) if len(owners[title]) == 1 else tuple(values[name] for name in names)
        for (title, values), own in zip(lists, left, strict=True)
    }
    return not names or (bool(kept.intersection(names)) and len(set(left)) == len(whole))


def _ranked(candidates: Iterable[_Candidate], pages: Sequence[Sampled]) -> list[_Candidate]:
    """The likeliest first; one that several lists show before one that a single list does."""
    return sorted(candidates, key=lambda one: -one.prior * (1 + len(one.sightings) / max(1, len(pages))))


def _on_long_lists(candidates: Iterable[_Candidate], pages: Sequence[Sampled]) -> list[_Candidate]:
    """Those that stand on full pages and on no others: a button stands on all pages, a pager where a list goes on.

    Where several lists end at the same number of records, or there is but one, lists look cut off: then what stands
    on other pages, too, is worth a look.
    """
    sizes = {one.url: len(one.page.records) for one in pages}
    most = max(sizes.values(), default=0)
    full = [size for size in sizes.values() if size == most]
    cut_off = most >= _FULL and (len(full) > 1 or len(sizes) == 1)

    def on_short(candidate: _Candidate) -> float:
        return sum(sizes[url] < most for url in candidate.urls) / max(1, len(sizes) - len(full))

    long = [one for one in candidates if any(sizes[url] == most for url in one.urls)]
    kept = [one for one in long if cut_off or (len(sizes) > len(full) and not on_short(one))]
    told = len(sizes) - len(full) >= _SHORT
    ranked = sorted(kept, key=lambda one: (on_short(one), -one.prior))
    return [one.hinted() if told and not on_short(one) else one for one in ranked]


async def _decided(
    sampler: Sampler,
    pattern: Pattern,
    pages: Sequence[Sampled],
    candidates: Sequence[_Candidate],
    proof: Proof,
    wanted: float = LIKELY,
) -> list[Flip]:
    """The candidates that a look behind them confirms, each only for lists that none before it explains.

    Of several ways to see the same links (`limit=25&page=1` has two numbers) that which the pages behind bear out best.
    """
    taken: dict[str, Flip] = {}
    explained: set[str] = set()
    for likeliest in candidates:
        if explained.issuperset(likeliest.urls) or (taken and likeliest.is_of_rows):
            continue
        others = (one for one in candidates if one is not likeliest)
        rivals = [likeliest, *(one for one in others if not one.targets.isdisjoint(likeliest.targets))]
        looked = [(one, await _confirmed(sampler, one, proof, wanted)) for one in rivals]
        candidate, (_, flip) = max(looked, key=lambda one: (one[1][1] is not None, one[1][0]))
        if flip is not None:
            holds = await _holds_for_short_lists(sampler, pattern, flip, candidate, pages)
            taken.setdefault(str(flip.pattern), flip if holds else flip.shifted())
            explained |= candidate.urls
    return list(taken.values())


async def _confirmed(sampler: Sampler, candidate: _Candidate, proof: Proof, wanted: float) -> tuple[float, Flip | None]:
    """How likely a flip is by a page behind it, and the flip if these are other pages of the same list; as a cursor if
    its numbers do not go on there.

    What several lists show independently is surer than each of them says: where each look speaks for a flip, what the
    looks say adds up, and no word is needed.
    """
    doubt, best, confirmed = 1.0, 0.0, None
    gains: list[float] = []
    order = sorted(
        candidate.sightings, key=lambda one: (not any(map(sampler.known, one.pager.urls)), -len(one.pager.urls))
    )
    for sighting in order[:_TRIES]:
        looked = await _looked_behind(sampler, sighting, candidate.flip(), proof)
        if looked is None:
            continue
        probability, flip = looked
        gains.append(log_odds(probability) - log_odds(sighting.pager.probability))
        doubt *= 1 - probability if probability >= LIKELY else 1.0
        if probability > best:
            best, confirmed = probability, flip
        if doubt <= 1 - _SURE:
            break
    if gains and min(gains) < 0 and best < _SURE:
        return best, None  # one list speaks for it, another against it
    agreed = len(gains) > 1 and min(gains) > 0 and log_odds(candidate.prior) + sum(gains) > log_odds(LIKELY)
    return best, confirmed if agreed or doubt <= 1 - wanted else None


async def _looked_behind(sampler: Sampler, sighting: _Sighting, flip: Flip, proof: Proof) -> tuple[float, Flip] | None:
    """How likely the flip is after a look at a page behind it, and what it is then."""
    page, pager = sighting.sampled.page, sighting.pager
    first = _linked_first(sighting.sampled.url, pager)
    if first is not None:
        start = await sampler.get(first)
        if start is not None and not same_records(page, start.page):
            return chance_behind(page, start.page, pager), replace(flip, opens_last=flip.first is not None)
    for target in _targets(sampler, pager, first, sighting.sampled.url):
        other = await sampler.get(target)
        if other is None or other.page is page:
            continue  # one dead flip says nothing of the others
        if sighting.leaves_its_list(sampler.clean(target), other):
            return 0.0, flip
        settled = flip if goes_on(other.page, pager) else _walked(flip, pager.signs)
        chance = 1.0 if proof(sighting.sampled, other) else chance_behind(page, other.page, pager)
        return chance, settled
    return None if sampler.spent else (pager.probability, flip)


def _of_a_board(flip: Flip) -> Flip:
    """The flip of a board that shows its last page at its own address.

    Threads are read from their numbered first pages. The order of a board's pages tells nothing, so its own address
    stays its first page, and the page that is numbered 1 becomes the second: that one exists wherever there are two.
    """
    return flip.shifted() if flip.opens_last else flip


def _targets(sampler: Sampler, pager: Pager, first: str | None, url: str) -> Iterator[str]:
    """The pages to look at behind a pager: one that is known, the next one, the last one."""
    known = (one for one in pager.urls if sampler.known(one) and one != first)
    wanted = [*known, pager.next_url, pager.url_of(2) if pager.url_of(2) in pager.urls else None, pager.urls[-1]]
    tried = dict.fromkeys(one for one in wanted if one is not None and one not in (url, first))
    yield from list(tried)[:2]


def _linked_first(url: str, pager: Pager) -> str | None:
    """The numbered first page of a list that may show its last page at its own address.

    It is linked, while the list's own address is not numbered, and nothing leads on to page 2.
    """
    numbered = any(frame == pager.frame for frame, _ in frames_of(url))
    first = pager.url_of(1)
    ahead = pager.next_url not in (None, pager.url_of(pager.last))
    return first if first in pager.urls and not numbered and not ahead else None


def goes_on(second: Page, pager: Pager) -> bool:
    """Whether another page of a list leads on by the arithmetic that a link or two suggested.

    The number of the last post shown, or of all rows shown so far, looks like an offset as long as one sees one of
    them: where the other page does not lead on, only counted pages are believed, and offsets that also lead back.
    """
    if pager.first is None or pager.step is None or len(pager.urls) > _FEW_LINKS:
        return True
    links = (*second.links, *second.ahead)
    if any(range_start(link.anchor) in _values([link.url], pager, 1 - pager.first) for link in second.links):
        return True  # pages are named by the records that their addresses count
    ahead = [link for link in links if link.url != second.url]
    spoken = [link for link in ahead if says_next(link.anchor or link.title, link.rel)]
    own = max(_values([second.url], pager), default=pager.first)
    values = {value for value in _values((link.url for link in spoken or ahead), pager) if value > own}
    if values:
        return own + pager.step in values
    back = (link.url for link in ahead if page_number(link.anchor) == 1 or says_previous(link.anchor, link.rel))
    return pager.step == 1 or own - pager.step in _values(back, pager)


def _values(urls: Iterable[str], pager: Pager, more: int = 0) -> set[int]:
    """What stands where the pages of a pager have their number, or more than that."""
    return {value + more for url in urls for frame, value in frames_of(url) if frame == pager.frame}


async def _holds_for_short_lists(
    sampler: Sampler, pattern: Pattern, flip: Flip, candidate: _Candidate, pages: Sequence[Sampled]
) -> bool:
    """Whether a list of one page has a numbered first page, too, where all lists are to be read from theirs."""
    long = {one.sampled.url for one in candidate.sightings if one.pager.last > 1}
    short = next((one.url for one in pages if one.url not in long), None)
    values = pattern.match(short) if short is not None and flip.opens_last else None
    value = flip.value_of(1)
    if values is None or value is None or any(hole.name not in (*values, PAGE) for hole in flip.pattern.holes):
        return True
    return await sampler.get(flip.pattern.build({**values, PAGE: value})) is not None


def _walked(flip: Flip, signs: tuple[str, ...]) -> Flip:
    """The flip as one that has to be walked."""
    return Flip(flip.pattern, signs=signs)
