"""How the lists of a site flip: from pagers on sampled pages to flip patterns (FoCUS algorithm 2).

A flip URL is its list's URL with something changed: an item added, a path segment appended, a number
raised. So its pattern is made from the list's pattern, which fits every list of the site, and not from the
few long lists that were sampled. A flip pattern is kept when a page behind it, fetched, shows properties
2 and 3 of the paper: the pager stands there too, and the page looks like the one before but shows other
records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.refine import SUPPORT
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.toldpager import told_pagers
from thrawl.page.reading import Page
from thrawl.profile.headpager import next_in_head
from thrawl.profile.pager import HOLE, Pager, find_pagers, frames_of
from thrawl.profile.pagerwords import says_next
from thrawl.profile.patterns import NUMBER, PAGE, WORD, Pattern, Piece
from thrawl.profile.profile import Flip, ListPattern
from thrawl.profile.urls import UrlParts, take_apart

_TRIES: Final = 3


async def learn_flips(sampler: Sampler, pattern: Pattern, pages: Sequence[Sampled]) -> tuple[Flip, ...]:
    """The verified flips of the lists that fit a pattern, seen on sampled pages of such lists."""
    for find in _WAYS:
        kept = await _verified(sampler, pattern, pages, find)
        if kept:
            return kept
    return ()


async def _verified(
    sampler: Sampler, pattern: Pattern, pages: Sequence[Sampled], find: Callable[[Page], tuple[Pager, ...]]
) -> tuple[Flip, ...]:
    seen: dict[Flip, list[tuple[Sampled, Pager]]] = defaultdict(list)
    for sampled in pages:
        for pager in find(sampled.page):
            flip = flip_of(pattern, sampled.url, pager)
            if flip is not None and (find is not _pagers_in_head or _names_its_list(pattern, flip)):
                seen[flip].append((sampled, pager))
                break
    most = max(map(len, seen.values()), default=0)
    likely = sorted((flip for flip in seen if len(seen[flip]) >= SUPPORT * most), key=lambda flip: -len(seen[flip]))
    settled = [await _settled(sampler, flip, seen[flip]) for flip in likely]
    long = {sampled.url for found in seen.values() for sampled, _ in found}
    short = next((sampled.url for sampled in pages if sampled.url not in long), None)
    kept = [flip for flip in settled if flip is not None and await _holds_for(sampler, pattern, flip, short)]
    return _one_arithmetic(kept)


async def _holds_for(sampler: Sampler, pattern: Pattern, flip: Flip, short: str | None) -> bool:
    """Whether a list of one page has a numbered first page, too, where all lists are to be read from theirs."""
    values = pattern.match(short) if short is not None and flip.opens_last else None
    value = flip.value_of(1)
    if values is None or value is None:
        return True
    return await sampler.get(flip.pattern.build({**values, PAGE: value})) is not None


def _shown_pagers(page: Page) -> tuple[Pager, ...]:
    found = find_pagers(page.url, page.links)
    return tuple(pager for pager in found if not is_of_a_row(page, pager)) or told_pagers(page)


def is_of_a_row(page: Page, pager: Pager) -> bool:
    """Whether a pager goes on from another link of the record that it stands in: it flips that thread, not the list."""
    before = pager.frame.partition(HOLE)[0]
    flips = [link.node for link in page.links if link.url in pager.urls]
    starts = [link.node for link in page.links if len(link.url) > len(page.url) and before.startswith(link.url)]
    return any(
        any(record.start <= node < record.end for node in flips)
        and any(record.start <= node < record.end for node in starts)
        for record in page.records
    )


def _pagers_in_head(page: Page) -> tuple[Pager, ...]:
    return find_pagers(page.url, next_in_head(page.tree, page.url))


def _names_its_list(pattern: Pattern, flip: Flip) -> bool:
    """Whether a flip changes nothing that tells one list from another: to a head, "next" may be the next thread."""
    return {hole.name for hole in pattern.holes} <= {hole.name for hole in flip.pattern.holes}


_WAYS: Final = (_shown_pagers, _pagers_in_head)
"""How a list may tell of its next page; a later way is tried where the ones before lead nowhere."""


def tells_of_more(page: Page) -> bool:
    """Whether a page has a pager of any kind."""
    return any(find(page) for find in _WAYS)


def flip_of(pattern: Pattern, url: str, pager: Pager) -> Flip | None:
    """The flip that a pager on a list's page shows, in terms of the list's pattern; None if they do not go together."""
    if pattern.match(url) is None:
        return None
    mine, shape, frame = take_apart(url), take_apart(str(pattern)), take_apart(pager.frame)
    if len(mine.slots) != len(shape.slots):
        return None
    slots = [_slot(number, slot, mine, shape, frame, pager) for number, slot in enumerate(frame.slots)]
    text = UrlParts(frame.structure, tuple(slots)).url
    return Flip(Pattern.parse(text), pager.first, pager.step)


def _slot(number: int, slot: str, mine: UrlParts, shape: UrlParts, frame: UrlParts, pager: Pager) -> str:
    """One slot of a flip pattern: as in the list's pattern where the values agree, else as it stands."""
    twin = _twin(number, mine, frame)
    hole = f"{{{PAGE}:{NUMBER if pager.first is not None else WORD}}}"
    if HOLE in slot and twin is None:
        return slot.replace(HOLE, hole)
    if HOLE in slot and twin is not None:
        return _framed(slot, mine.slots[twin], shape.slots[twin], hole)
    return shape.slots[twin] if twin is not None and mine.slots[twin] == slot else slot


def _twin(number: int, mine: UrlParts, frame: UrlParts) -> int | None:
    """The slot of the list's URL that has the place of this slot of the frame: same segment, or same name."""
    if number < frame.structure.segments:
        return number if number < mine.structure.segments else None
    name = frame.structure.names[number - frame.structure.segments]
    if name is None:
        bare = number - frame.structure.segments
        same = bare < len(mine.structure.names) and mine.structure.names[bare] is None
        return mine.structure.segments + bare if same else None
    return mine.structure.segments + mine.structure.names.index(name) if name in mine.structure.names else None


def _framed(slot: str, value: str, shape: str, hole: str) -> str:
    """A slot with the page inside it: `thread-12-{page}.html` for a list `thread-{a:number}-1.html`."""
    before, _, after = slot.partition(HOLE)
    pieces = Pattern.parse(shape).pieces
    texts = _texts(pieces, value)
    if texts is None:
        return slot.replace(HOLE, hole)
    head = _leading(pieces, texts, before)
    tail = _leading(pieces[::-1], [text[::-1] for text in texts[::-1]], after[::-1], reverse=True)
    return (head if head is not None else before) + hole + (tail if tail is not None else after)


def _texts(pieces: Sequence[Piece], value: str) -> list[str] | None:
    """What each piece of a slot's pattern stands for in a value."""
    found = Pattern(tuple(pieces)).match(value)
    if found is None:
        return None
    return [piece if isinstance(piece, str) else found[piece.name] for piece in pieces]


def _leading(pieces: Sequence[Piece], texts: Sequence[str], wanted: str, *, reverse: bool = False) -> str | None:
    """The pattern of the first characters of a slot that make up `wanted`; None where they do not."""
    made: list[str] = []
    for piece, text in zip(pieces, texts, strict=True):
        if not wanted:
            break
        if wanted.startswith(text):
            made.append(piece if isinstance(piece, str) else f"{{{piece.name}:{piece.kind}}}")
            wanted = wanted[len(text) :]
        elif isinstance(piece, str) and text.startswith(wanted):
            made.append(wanted[::-1] if reverse else wanted)
            wanted = ""
        elif isinstance(piece, str):
            break  # here the flip leaves the list's form: `t-7.html` and `t-7-p2.html`
        elif any(map(str.isdigit, wanted)):
            return None
        else:
            break  # letters that announce the page: `p` in `t12p15-title.htm`
    made.append(wanted[::-1] if reverse else wanted)
    return "".join(made[::-1] if reverse else made)


async def _settled(sampler: Sampler, flip: Flip, seen: Sequence[tuple[Sampled, Pager]]) -> Flip | None:
    """The flip if a page behind it is another page of the same list; as a cursor if its numbers do not go on there."""
    for sampled, pager in sorted(seen, key=lambda one: not _known_flip(sampler, one[1]))[:_TRIES]:
        first = _linked_first(sampled.url, pager)
        known = None if first else next((url for url in pager.urls if sampler.known(url)), pager.next_url)
        target = known or pager.urls[-1]
        other = await sampler.get(target) if target != sampled.url else None
        if other is not None and is_next_of_the_list(sampled.page, other.page, pager):
            return flip if goes_on(other.page, pager) else Flip(flip.pattern)
        if other is not None and first and _record_texts(other.page) == _record_texts(sampled.page):
            start = await sampler.get(first)
            if start is not None and is_next_of_the_list(sampled.page, start.page, pager):
                return replace(flip, opens_last=True)
    return None


def _linked_first(url: str, pager: Pager) -> str | None:
    """The numbered first page of a list that may show its last page at its own address: it leads there, and no further.

    The last page that its pager links to then shows the same.
    """
    numbered = any(frame == pager.frame for frame, _ in frames_of(url))
    first = pager.url_of(1)
    return first if first in pager.urls and not numbered and pager.next_url is None else None


def goes_on(second: Page, pager: Pager) -> bool:
    """Whether the second page of a list leads to a third by the arithmetic that a single link suggested.

    The number of the last post shown looks like an offset as long as one sees one of them.
    """
    if pager.first is None or pager.step is None or len(pager.urls) > 1:
        return True
    links = (*second.links, *next_in_head(second.tree, second.url))
    nexts = [link.url for link in links if says_next(link.anchor or link.title, link.rel)]
    values = [value for url in nexts for frame, value in frames_of(url) if frame == pager.frame]
    return not values or pager.first + 2 * pager.step in values


def _known_flip(sampler: Sampler, pager: Pager) -> bool:
    return any(sampler.known(url) for url in pager.urls)


def is_next_of_the_list(page: Page, other: Page, pager: Pager) -> bool:
    """Another page of the same list: it has the same pager, looks alike, and shows other records."""
    shared = _shares_pager(other, pager) or _leads_back(page, other)
    return shared and _alike(page, other) and _record_texts(page) != _record_texts(other)


def _shares_pager(page: Page, pager: Pager) -> bool:
    """The pager stands on the other page too, as the same frame."""
    before, _, after = pager.frame.partition(HOLE)
    links = (*page.links, *next_in_head(page.tree, page.url))
    framed = any(link.url.startswith(before) and link.url.endswith(after) for link in links)
    return framed or any(found.frame == pager.frame for found in find_pagers(page.url, page.links))


def _leads_back(page: Page, other: Page) -> bool:
    """The last of two pages has nothing but a link to the first: one more than the first has to itself."""
    ways = [sum(link.url == page.url for link in one.links) for one in (page, other)]
    return ways[1] > ways[0]


def _alike(page: Page, other: Page) -> bool:
    """Similar layout: most of the paths of the smaller page stand on the larger one."""
    one, two = set(page.shapes.paths), set(other.shapes.paths)
    return len(one & two) >= 0.5 * min(len(one), len(two))


def _record_texts(page: Page) -> tuple[str, ...]:
    """What a page lists. An article stands alone above its comments and is repeated on every page of them."""
    if page.main is None:
        return (page.tree.text(0),)
    regions = page.regions if len(page.main.records) == 1 else page.regions[:1]
    return tuple(page.tree.text_of(record.start, record.end) for region in regions for record in region.records)


def inherited_flips(lists: Sequence[ListPattern]) -> list[ListPattern]:
    """Lists of one kind flip alike: one whose sampled members were all short takes over what the first other adds."""
    teacher = next((one for one in lists if any(_addition(one, flip) for flip in one.flips)), None)
    if teacher is None:
        return list(lists)
    added = [(flip, text) for flip in teacher.flips if (text := _addition(teacher, flip))]
    return [one if one.flips else replace(one, flips=_extended(one, added)) for one in lists]


def _addition(one: ListPattern, flip: Flip) -> str:
    """What a flip adds at the end of its list's URL; nothing where it changes the URL in another way."""
    before, after = str(one.pattern), str(flip.pattern)
    return after[len(before) :] if after.startswith(before) else ""


def _extended(one: ListPattern, added: Iterable[tuple[Flip, str]]) -> tuple[Flip, ...]:
    """The list's own flips by what was added elsewhere, if its URL can be gone on with in the same way."""
    fits = [(flip, text) for flip, text in added if not (text.startswith("?") and "?" in str(one.pattern))]
    return tuple(replace(flip, pattern=Pattern.parse(f"{one.pattern}{text}")) for flip, text in fits)


def _one_arithmetic(flips: Iterable[Flip]) -> tuple[Flip, ...]:
    """One flip a pattern: an offset's step is the page size, and a single short list may have misled about it.

    A cursor comes first: a list of two pages cannot tell that its numbers are one.
    """
    best: dict[str, Flip] = {}
    for flip in sorted(flips, key=lambda flip: flip.first is not None):
        best.setdefault(str(flip.pattern), flip)
    return tuple(best.values())
