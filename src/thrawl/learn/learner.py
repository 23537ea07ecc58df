"""Learning a forum: from any URL to a profile, in as few pages as the doubt allows (FoCUS 4.3-4.5).

start page → best explanation of the site → flips → patterns → wrappers. Nearly every page fetched on the way is one
that the crawl needs anyway, and all of them are handed over with the profile.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from thrawl import limits
from thrawl.errors import LearnError
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.counterexamples import with_counter_examples
from thrawl.learn.cut import CutPages
from thrawl.learn.diagnose import why_no_talk, why_not_a_forum, why_unreachable
from thrawl.learn.feeds import find_feeds
from thrawl.learn.flips import flips_as_boards, inherited_flips, learn_flips, likely_flips, with_scriptless
from thrawl.learn.letters import are_letters, lists_answers
from thrawl.learn.proven import proven_flips, proven_lists, proven_threads
from thrawl.learn.reading import PageSource
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.groups import spread
from thrawl.learn.structure.lists import Patterned, patterned, with_forms_of_flips, without_strays, without_ways_in
from thrawl.learn.structure.moved import direct_addresses, leads_to, told_apart
from thrawl.learn.structure.reasons import decisions
from thrawl.learn.structure.roles import RoleModel
from thrawl.learn.structure.rowcounts import longest
from thrawl.learn.structure.scene import plain_addresses
from thrawl.learn.structure.site import explain_again, explain_site
from thrawl.learn.talk import nobody_talks
from thrawl.learn.threaded import is_threaded, show_one_post
from thrawl.learn.whole import in_one_page, whole_threads
from thrawl.learn.wrap import learn_wrappers
from thrawl.net.message import Fetcher, Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.heading import PageWrapper, head_of
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile, fit, flips_of, is_made_of
from thrawl.profile.urls import adds_to, same_site
from thrawl.profile.urltypes import UrlTypes

_THREADS: Final = 18  # thread pages from which posts are learned, all needed: enough that rare layouts show
_SINGLE: Final = 22  # thread pages of one record each, at the most: where none of them has an answer, the site has none
_KIN: Final = 8  # posts at addresses of another form, of which two or three belong to trees of several posts
_LONGEST: Final = 2  # threads with the largest counts in each column of their rows: they flip
_EXAMPLES: Final = 3  # so many a pattern are read by a person
_FEW: Final = 3  # links that are a kind of their own even if none of them was followed
_MOST_SEEDS: Final = 200  # boards that the entry page does not link to: a profile must stay readable
_HOMES: Final = 2  # links that stand in all breadcrumbs: the way home, and the site's

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Learned:
    """What learning gave: the profile, and every page that it fetched, for the crawl to use.

    `forbidden` are pages that it would have looked at, had robots.txt allowed.
    """

    profile: Profile
    pages: tuple[Response, ...]
    forbidden: tuple[str, ...] = ()


async def learn(
    start: str,
    fetcher: Fetcher,
    *,
    classifier: PageClassifier | None = None,
    roles: RoleModel | None = None,
    known: Iterable[Response] = (),
    also: Iterable[str] = (),
    reader: PageSource | None = None,
    budget: int = limits.MAX_LEARNING_PAGES,
    progress: Progress = lambda _: None,
) -> Learned:
    """Learn the forum that a URL belongs to. Raises LearnError, saying why and what to do, where it cannot.

    `known` are answers that need not be asked for again; `also` are pages that the profile has to explain, too;
    `reader` reads them, in processes that have bounds where it is a crawl's; `budget` pages may be asked for.
    """
    sampler = Sampler(fetcher, classifier or PageClassifier.load(), budget, known=known, reader=reader)
    first = await _first_page(sampler, start)
    return await _learn_from(sampler, first, roles or RoleModel.load(), also, progress)


async def _learn_from(
    sampler: Sampler, first: Sampled, model: RoleModel, also: Iterable[str], progress: Progress
) -> Learned:
    """Learn the forum as it is seen from a page; again from its home, where only the breadcrumbs of threads tell it."""
    atlas, found = await explain_site(sampler, model, first, also, progress)
    if found is None:
        raise LearnError(why_not_a_forum(first, sampler))
    sampler = atlas.sampler
    progress(f"entry page {found.entry.url}; reading threads")
    threads = await _sample_threads(sampler, atlas, found)
    if atlas.take_apart():  # what looked like threads is of two kinds
        found = explain_again(atlas, model, found.entry) or found
        threads = await _sample_threads(sampler, atlas, found)
    why = decisions(model, atlas, found)
    progress("learning how lists flip")
    profile = await _profile(sampler, atlas, found, threads)
    progress("learning how posts are cut")
    anchors = {url: anchor for one in found.threads for url, anchor in one.family.urls.items()}
    profile = learn_wrappers(profile, sampler.sampled, anchors)
    home = await _unseen_home(sampler, profile)
    if home is not None:
        with suppress(LearnError):
            return await _learn_from(sampler.afresh(), home, model, (*also, first.url), progress)
    if profile.post_wrapper is not None:
        proven = await proven_threads(sampler, profile)
        if proven is not profile:
            profile = learn_wrappers(proven, sampler.sampled, anchors)
        profile = await proven_flips(sampler, proven_lists(sampler, profile))
        profile = await in_one_page(sampler, profile)
    if await are_letters(sampler, profile, mixed=True):
        profile = replace(profile, threaded=True, letters=True)
    elif (tree := await _as_tree(sampler, atlas, found, profile)) is not None:
        profile = await whole_threads(sampler, tree, anchors)
        profile = replace(profile, letters=profile.threaded and lists_answers(sampler, UrlTypes(profile)))
    elif await are_letters(sampler, profile, mixed=False):
        profile = replace(profile, threaded=True, letters=True)
    if nobody_talks(sampler, profile):
        raise LearnError(why_no_talk(first))
    profile = replace(profile, pages_fetched=sampler.requests, decisions=why)
    profile = with_counter_examples(profile, [link.url for one in sampler.sampled for link in one.page.links])
    return Learned(profile, (*(one.response for one in sampler.pages), *sampler.views))


async def _unseen_home(sampler: Sampler, profile: Profile) -> Sampled | None:
    """Where the breadcrumbs of all threads lead, if nobody looked at it yet and it lists boards that no page does."""
    crumbs = PageWrapper.from_json(profile.page_wrapper or {})

    def boards(pages: Iterable[Sampled]) -> set[str]:
        return {link.url for page in pages for link in page.page.links if head_of(link.url) in crumbs.heads}

    known = boards(sampler.sampled)
    seen = {one.url for one in sampler.pages}
    above = sorted(url for url in crumbs.home - seen if same_site(url, profile.entry))
    for url in above[:_HOMES]:
        page = await sampler.get(url)
        if page is not None and not boards([page]) <= known:
            return page
    return None


async def _as_tree(sampler: Sampler, atlas: Atlas, found: Explanation, profile: Profile) -> Profile | None:
    """The profile of a forum whose pages show one post each among a tree of others; None where it is none.

    The first post of a tree may have another form of address than its answers, which look like views of it.
    """
    threads = [one.family for one in found.threads]
    cut = CutPages(profile, sampler.sampled)
    with_posts = [one for one in atlas.kin_of(threads) if any(map(cut.posts, atlas.destinations(one)))]
    made_so = {form for one in with_posts for form in one.forms}
    unseen = [one for one in atlas.families if not atlas.destinations(one) and made_so & one.forms]
    answering = [*with_posts, *unseen]
    kin = [Chosen(one, found.threads[0].probability) for one in answering]
    forms = [ListPattern(one.pattern, key=one.key) for one in patterned(kin, [], boards=False)]
    # an answer is no further page of a thread, though it may add to an address what pages of boards add to theirs
    answers = [url for one in answering for url in one.urls]
    await sampler.get_all(spread(answers, _KIN if show_one_post(cut) else 0))
    posts = (*forms, *(_without_flips_to(one, answers) for one in profile.thread))
    index = tuple(one for one in profile.index if not is_made_of(one, posts))
    seeds = tuple(url for url in profile.seeds if not fit(posts, [url]))
    with_kin = replace(profile, index=index, seeds=seeds, thread=posts)
    for candidate in [with_kin, profile] if forms else [profile]:
        if await is_threaded(sampler, candidate):
            return replace(candidate, threaded=True)
    return None


def _without_flips_to(one: ListPattern, urls: Sequence[str]) -> ListPattern:
    return replace(one, flips=tuple(flip for flip in one.flips if not any(map(flip.pattern.match, urls))))


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


async def _sample_threads(sampler: Sampler, atlas: Atlas, found: Explanation) -> tuple[Sampled, ...]:
    """Threads to learn flips and wrappers from: the longest by their rows, and some from everywhere."""
    families = [one.family for one in found.threads]
    urls = list(dict.fromkeys(url for family in families for url in family.urls))
    had = [url for url in urls if sampler.has(url)]
    sightings = [one for family in families for one in family.sightings]
    wanted = [*had, *longest(sightings, _LONGEST), *spread(urls, max(3, _THREADS - len(had)))]
    if sampler.titles_name_posts:
        others = [url for one in atlas.families if one not in families for url in one.urls]
        plain = [url for family in families for url in plain_addresses(others, family)]
        wanted += spread(plain, _LONGEST)
    direct = {url: end for one in families for url, end in direct_addresses(sampler, one.patterns, one.urls).items()}
    pages = await sampler.get_all(dict.fromkeys(direct.get(url, url) for url in wanted))
    pages += await sampler.get_all(url for url in wanted if url in direct and sampler.known(direct[url]) is None)
    if all(len(page.page.records) <= 1 for page in pages):  # from first posts nobody learns how answers look
        pages += await sampler.get_all(spread([url for url in urls if url not in wanted], max(0, _SINGLE - len(pages))))
    for page in pages:
        atlas.add(page)
    return pages


async def _profile(sampler: Sampler, atlas: Atlas, found: Explanation, threads: Sequence[Sampled]) -> Profile:
    entry, own = found.entry, without_strays(found)
    index_urls, thread_urls = _urls(own.boards), _urls(own.threads)
    others = _others(atlas, own)
    boards = patterned(own.boards, [*thread_urls, *others, entry.url], boards=True, above=own.boards)
    pages = [one.sampled for one in atlas.seen.values()]
    index = without_flips(inherited_flips([await _list_pattern(sampler, one, pages, boards=True) for one in boards]))
    threads_met = {*thread_urls, *(page.url for page in pages if page.verdict.type is PageKind.THREAD)}.difference(
        index_urls
    )
    flipped = [page for page in sampler.sampled if page.url not in atlas.seen]
    for page in flipped:  # flips may show threads in forms that no first page has
        atlas.add(page)
    found = with_forms_of_flips(atlas, found, [page.url for page in flipped if fit(flips_of(index), [page.url])])
    own = without_strays(found)
    direct = without_ways_in(atlas, own)
    kinds = [part for one in direct.threads for part in told_apart(sampler, one)]
    titles = patterned(kinds, [*index_urls, *others, entry.url], boards=False, above=own.boards)
    # also pages that no list seen so far links to, as those that a crawl could not explain
    known = list({page.url: page for page in (*threads, *(one.sampled for one in atlas.seen.values()))}.values())
    thread = inherited_flips([await _list_pattern(sampler, one, known, boards=False) for one in titles])
    # what adds to the entry's own address, or is of one kind with a likely pager of it, is a page of it, met as a list
    told = likely_flips(entry.page)
    paged = {url for one in atlas.families if not told.isdisjoint(one.urls) for url in one.urls}
    apart = (*thread_urls, *(url for url in others if url not in paged))
    foreign = [url for url in apart if not adds_to(url, entry.url)]
    entry_flips = await learn_flips(sampler, Pattern((entry.url,)), [entry], boards=True, foreign=foreign)
    lists = [*index, ListPattern(Pattern((entry.url,)), entry_flips)]
    types = UrlTypes(Profile(entry.url, (), tuple(thread)))
    threads_met |= {typed.list_url or url for url in threads_met if (typed := types.type(url))}  # what rows lead to
    behind = sampler.sampled  # the flips, too
    *index, entry_list = (_with_own_flips(one, behind, partial(_is_of_thread, types, threads_met)) for one in lists)
    thread = flips_as_boards(thread, [*index, entry_list])
    thread = [await with_scriptless(sampler, one, threads) for one in thread]
    linked = {link.url for link in entry.page.links}
    return Profile(
        entry=entry.url,
        index=(*index, entry_list) if entry_list.flips else tuple(index),
        thread=tuple(thread),
        session_parameters=tuple(sorted(sampler.session)),
        seeds=tuple(one for one in _urls(found.boards) if one not in linked and not _is_later(one, index))[
            :_MOST_SEEDS
        ],
        feeds=tuple(map(sampler.clean, find_feeds(entry.page))),
        pages_fetched=sampler.requests,
        confidence=min((one.confidence for one in [*index, *thread]), default=0.0),
    )


def _with_own_flips(one: ListPattern, pages: Sequence[Sampled], is_of_thread: Callable[[str], bool]) -> ListPattern:
    """A list without those of its flips that lead to threads: pages that were seen tell, or else their links."""
    seen = [(asked, page.url) for page in pages for asked in {page.response.requested, page.url}]
    links = {(link.url, link.url) for page in pages for link in page.page.links}

    def leads_to_threads(flip: Flip) -> bool:
        looked_at = [end for asked, end in seen if flip.pattern.match(asked) is not None]
        fitting = looked_at or [end for url, end in links if flip.pattern.match(url) is not None]
        return 2 * sum(map(is_of_thread, fitting)) > len(fitting)

    return replace(one, flips=tuple(flip for flip in one.flips if not leads_to_threads(flip)))


def _is_of_thread(types: UrlTypes, threads: Container[str], url: str) -> bool:
    """Whether a URL is a page of a thread that was met, by the patterns of threads."""
    typed = types.type(url)
    return typed is not None and typed.list_url in threads


def _is_later(url: str, lists: Iterable[ListPattern]) -> bool:
    """Whether a URL is a flip that is not written as first pages are."""
    flips = [flip for flip in flips_of(lists) if flip.first is not None]
    found = ((flip, flip.pattern.match(url)) for flip in flips)
    return any(values is not None and values.get("page") != str(flip.first) for flip, values in found)


def without_flips(lists: Sequence[ListPattern]) -> list[ListPattern]:
    """The lists without those that are flips of others: later pages of lists may be met as if they were lists."""

    def leads_on(one: ListPattern) -> bool:
        others = [other for other in lists if other is not one]
        if not one.pattern.holes:
            return fit(flips_of(others), [str(one.pattern)])
        return bool(one.examples) and all(_is_later(url, others) for url in one.examples)

    return [one for one in lists if not leads_on(one)]


def _urls(chosen: Iterable[Chosen]) -> list[str]:
    return [url for one in chosen for url in one.family.urls]


def _others(atlas: Atlas, found: Explanation) -> list[str]:
    """URLs of families that are neither boards nor threads.

    A link or two of a form that is known, behind which nobody looked, may well be of that kind: they tell nothing. (In
    a query, names of boards look like words of the program.) Nor do those whose pages are made like its pages: threads
    of another board.
    """
    chosen = [one.family for one in (*found.boards, *found.threads)]
    forms = {form for family in chosen for form in family.forms}
    urls = {url for family in chosen for url in family.urls}
    others = (one for one in atlas.families if not urls.issuperset(one.urls))
    others = (one for one in others if not any(atlas.are_alike(one, two) for two in chosen))

    def may_be_chosen(one: Family) -> bool:
        is_named = all("?" in url for url in one.urls) and any(one.is_part_of(two) for two in chosen)
        return len(one.urls) < _FEW and not atlas.destinations(one) and (is_named or bool(one.forms & forms))

    return [url for family in others if not may_be_chosen(family) for url in family.urls]


async def _list_pattern(sampler: Sampler, one: Patterned, pages: Iterable[Sampled], *, boards: bool) -> ListPattern:
    fitting = [page for page in pages if one.pattern.match(page.url) is not None]
    return ListPattern(
        pattern=one.pattern,
        flips=await learn_flips(sampler, one.pattern, fitting, boards=boards),
        key=one.key,
        confidence=one.chosen.probability,
        reserve=one.chosen.reserve,
        examples=tuple(url for url in one.titles if one.pattern.match(url) is not None)[:_EXAMPLES],
        leads_to=leads_to(sampler, one.pattern, one.titles),
    )
