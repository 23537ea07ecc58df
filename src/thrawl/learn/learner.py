"""Learning a forum: from any URL to a profile, in as few pages as the vote allows (FoCUS 4.3-4.5).

entry page → boards → threads → flips → patterns → wrappers. Nearly every page fetched on the way is one
that the crawl needs anyway, and all of them are handed over with the profile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thrawl.errors import LearnError
from thrawl.learn import beside
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.climb import climb
from thrawl.learn.counterexamples import with_counter_examples
from thrawl.learn.diagnose import why_not_a_forum, why_unreachable
from thrawl.learn.entry import find_entry
from thrawl.learn.explore import Explorer
from thrawl.learn.families import Family, identifying_holes, numbers_clash, patterns_of
from thrawl.learn.feeds import find_feeds
from thrawl.learn.flips import inherited_flips, learn_flips
from thrawl.learn.groups import candidates, spread
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.threaded import is_threaded
from thrawl.learn.wrap import learn_wrappers
from thrawl.net.message import Fetcher, Response
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

_THREADS: Final = 12
_LONGEST: Final = 2
_EXAMPLES: Final = 3
_MOST_SEEDS: Final = 200

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Learned:
    """What learning gave: the profile, and every page that it fetched, for the crawl to use."""

    profile: Profile
    pages: tuple[Response, ...]


async def learn(
    start: str,
    fetcher: Fetcher,
    *,
    classifier: PageClassifier | None = None,
    progress: Progress = lambda _: None,
) -> Learned:
    """Learn the forum that a URL belongs to. Raises LearnError, saying why and what to do, where it cannot."""
    sampler = Sampler(fetcher, classifier or PageClassifier.load())
    first = await _first_page(sampler, start)
    progress("looking for the entry page")
    found = await find_entry(sampler, first)
    if found is None:
        raise LearnError(why_not_a_forum(first, sampler))
    hub, explorer = found
    progress(f"entry page {hub.url}; looking for boards and threads")
    await _explore(explorer, hub)
    if not explorer.of("thread"):
        raise LearnError(why_not_a_forum(hub, sampler))
    progress("reading threads")
    threads = await _sample_threads(sampler, explorer)
    progress("learning how lists flip")
    profile = await _profile(sampler, explorer, hub, threads)
    progress("learning how posts are cut")
    anchors = {url: anchor for family in explorer.of("thread") for url, anchor in family.urls.items()}
    profile = learn_wrappers(profile, sampler.sampled, anchors)
    profile = replace(profile, threaded=await is_threaded(sampler, profile), pages_fetched=sampler.requests)
    profile = with_counter_examples(profile, [link.url for one in sampler.sampled for link in one.page.links])
    return Learned(profile, tuple(one.response for one in sampler.sampled))


async def _explore(explorer: Explorer, hub: Sampled) -> None:
    """All families: boards from the hub's rows, or from beside them where the rows are threads."""
    await explorer.explore(hub)
    if explorer.of("index"):
        await explorer.look_at_headings(hub)
    elif explorer.of("thread"):
        await beside.find_boards(explorer, hub)
        await explorer.explore(hub)
    await climb(explorer, hub)


async def _first_page(sampler: Sampler, start: str) -> Sampled:
    """The start page; where it cannot be read, the addresses above it."""
    sampled = await sampler.get(start)
    origin = "/".join(start.split("/")[:3])
    for url in (start.split("?")[0].rsplit("/", 1)[0] + "/", origin + "/"):
        if sampled is None and len(url) > len(origin):
            sampled = await sampler.get(url)
    if sampled is None:
        raise LearnError(why_unreachable(start, sampler))
    return sampled


async def _sample_threads(sampler: Sampler, explorer: Explorer) -> tuple[Sampled, ...]:
    """Threads to learn flips and wrappers from: the longest by their rows, and some from everywhere."""
    urls = explorer.urls_of("thread")
    known = [url for url in urls if sampler.known(url)]
    wanted = [*known, *explorer.longest(urls, _LONGEST), *spread(urls, max(3, _THREADS - len(known)))]
    return await sampler.get_all(dict.fromkeys(wanted))


async def _profile(sampler: Sampler, explorer: Explorer, hub: Sampled, threads: Sequence[Sampled]) -> Profile:
    others = explorer.urls_of("other")
    index_urls, thread_urls = explorer.urls_of("index"), explorer.urls_of("thread")
    index = [
        await _list_pattern(sampler, pattern, family, explorer.index_pages.values())
        for pattern, family in patterns_of(explorer.of("index"), [*thread_urls, *others, hub.url])
    ]
    index = inherited_flips(index)
    _learn_from_flips(explorer, sampler)
    found = patterns_of(explorer.of("thread"), [*index_urls, *others, hub.url])
    thread = [await _list_pattern(sampler, pattern, family, threads) for pattern, family in found]
    thread = inherited_flips(_with_own_numbers(thread, [family for _, family in found]))
    entry_flips = () if explorer.whole else await learn_flips(sampler, Pattern((hub.url,)), [hub])
    entry_list = ListPattern(Pattern((hub.url,)), entry_flips)
    return Profile(
        entry=hub.url,
        index=(*index, entry_list) if entry_list.flips else tuple(index),
        thread=tuple(thread),
        session_parameters=tuple(sorted(sampler.session)),
        seeds=_unlinked(index_urls, hub),
        feeds=tuple(map(sampler.clean, find_feeds(hub.page))),
        pages_fetched=sampler.requests,
        confidence=min((one.confidence for one in [*index, *thread]), default=0.0),
    )


def _with_own_numbers(lists: Sequence[ListPattern], families: Sequence[Family]) -> list[ListPattern]:
    """The lists without keys that another pattern gives to other lists."""
    pairs = list(zip(lists, families, strict=True))
    clashing = {
        one.pattern
        for one, family in pairs
        for other, its in pairs
        if one is not other
        and one.key == other.key
        and numbers_clash(one.pattern, other.pattern, one.key, (family, its))
    }
    return [replace(one, key=()) if one.pattern in clashing else one for one in lists]


def _unlinked(boards: Iterable[str], hub: Sampled) -> tuple[str, ...]:
    """Boards that were found beside the way and that the entry page does not link to."""
    linked = {link.url for link in hub.page.links}
    return tuple(url for url in dict.fromkeys(boards) if url not in linked)[:_MOST_SEEDS]


def _learn_from_flips(explorer: Explorer, sampler: Sampler) -> None:
    """Rows of the flips that were fetched may show threads in forms that no first page has."""
    for sampled in sampler.sampled:
        if sampled.url not in explorer.index_pages and sampled.verdict.type == "index":
            for candidate in candidates(sampled.page):
                family = next((one for one in explorer.of("thread") if one.joins(candidate)), None)
                if family is not None:
                    family.add(candidate)


async def _list_pattern(sampler: Sampler, pattern: Pattern, family: Family, pages: Iterable[Sampled]) -> ListPattern:
    fitting = [page for page in pages if pattern.match(page.url) is not None]
    return ListPattern(
        pattern=pattern,
        flips=await learn_flips(sampler, pattern, fitting),
        key=identifying_holes(pattern, family),
        confidence=family.confidence,
        examples=tuple(url for url in family.urls if pattern.match(url) is not None)[:_EXAMPLES],
    )
