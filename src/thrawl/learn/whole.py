"""Whole threads: where one page shows all posts of a thread, it is fetched instead of pages with some of them.

Titles may lead to the last posts of their thread (`/7/l50`), other links to the first or to any range of them, while
the whole thread stands at the address above (`/7/`). Words decide that it is whole: it says what all of them say.

On threaded forums a row links to the opening post, and beside it, or on each post's page, to the whole thread. A form
of links is that of whole threads if its page holds two posts of one tree that were seen at addresses of their own:
words decide, no layout. Not in FoCUS, which knows flat threads only.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.cut import CutPages
from thrawl.learn.flips import learn_flips
from thrawl.learn.refine import learn_patterns
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.groups import spread
from thrawl.learn.threaded import key_of, own_trees
from thrawl.learn.wrap import learn_wrappers
from thrawl.profile.folding import fold
from thrawl.profile.patterns import NUMBER, WORD, Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile, fit, flips_of, is_made_of
from thrawl.profile.urltypes import UrlTypes

_COLUMN: Final = 3  # links of one form on a list that may be one a thread
_TRIED: Final = 3  # forms that are asked about; a row of a tree has few links beside its title
_SAMPLE: Final = 8  # whole threads from which their posts are learned, all of them needed anyway
_TELLING: Final = 20  # letters of a post that no other has
_EXAMPLES: Final = 3  # of addresses, for a person to look at in the profile
_DIGITS: Final = re.compile(r"\d+")
_NUMBERED: Final = f":{NUMBER}}}"  # of a hole for a number, as it is written


async def in_one_page(sampler: Sampler, profile: Profile) -> Profile:
    """The profile with threads asked for at the addresses above those of their parts, if they stand there whole."""
    posts = CutPages(profile, sampler.sampled)
    linked = {link.url for one in sampler.sampled for link in one.page.links}
    for kind in profile.thread:
        for above in _above(kind.pattern):
            if await _stands_whole(sampler, posts, profile, kind, above, linked):
                return _asked_above(profile, kind, above, linked)
    return profile


def _above(pattern: Pattern) -> Iterator[Pattern]:
    """The addresses above those of threads, with their numbers: what comes below tells of a part, or of a view."""
    head, _, tail = str(pattern).rstrip("/").rpartition("/")
    if _NUMBERED in head and _NUMBERED not in tail and tail:
        yield from (Pattern.parse(f"{head}/"), Pattern.parse(head))


async def _stands_whole(
    sampler: Sampler, posts: CutPages, profile: Profile, kind: ListPattern, above: Pattern, linked: Collection[str]
) -> bool:
    """Whether the pages above the fullest ones of some threads show what all pages below them do.

    They must show more than those, or be fetched anyway: as another kind, or as another form of it; or what is below
    has one name in all threads and no further pages, as a view has (`/7/recent/`), which may leave out what a longer
    thread holds.
    """
    most = max((len(posts.said(page)) for page in posts.of(kind)), default=0)
    full = {page.url: page for page in posts.of(kind) if len(posts.said(page)) == most}
    forms = Counter(above.build(values) for one in linked if (values := kind.pattern.match(one)) is not None)
    is_view = isinstance(kind.pattern.pieces[-1], str) and not fit(kind.flips, linked)
    is_more = is_view or any(one.pattern == above for one in profile.thread) or max(forms.values(), default=0) > 1
    for one in spread(list(full), _TRIED) if most else ():
        url = above.build(kind.pattern.match(one) or {})
        whole = await sampler.get(url) if url in linked else None
        if whole is None or whole.url != url or not _says_all(posts, whole, [full[one], *_below(posts, profile, url)]):
            return False
        is_more = is_more or len(posts.said(whole)) > most
    return is_more


def _says_all(posts: CutPages, whole: Sampled, parts: Iterable[Sampled]) -> bool:
    return all(set(posts.said(whole)).issuperset(posts.said(part)) for part in parts)


def _below(posts: CutPages, profile: Profile, url: str) -> Iterator[Sampled]:
    """The pages that were taken for threads or for flips at addresses below another one."""
    kinds: list[ListPattern | Flip] = [*profile.thread, *flips_of(profile.thread)]
    return (page for page in posts.pages if page.url.startswith(f"{url.rstrip('/')}/") and fit(kinds, [page.url]))


def _asked_above(profile: Profile, kind: ListPattern, above: Pattern, linked: Collection[str]) -> Profile:
    """The profile in which all that stands below the address of a thread is asked for there, and is no list."""
    below = f"{str(above).rstrip('/')}/"
    known = next((one for one in profile.thread if one.pattern == above), kind)
    others = (one for one in profile.thread if one.pattern != above and not str(one.pattern).startswith(below))
    flips = tuple(flip for flip in known.flips if not str(flip.pattern).startswith(below))
    examples = tuple(sorted(one for one in linked if above.match(one) is not None)[:_EXAMPLES])
    names = {hole.name for hole in above.holes}
    key = known.key if names.issuperset(known.key) else ()
    whole = replace(known, pattern=above, flips=flips, key=key, examples=examples, leads_to=None)
    ending = "/" if str(kind.pattern).endswith("/") else ""
    parts = Pattern.parse(f"{below}{{part:{WORD}}}{ending}")
    in_parts = ListPattern(parts, confidence=known.confidence, leads_to=above)
    index = tuple(one for one in profile.index if one.pattern != above and not str(one.pattern).startswith(below))
    index = tuple(one for one in index if not is_made_of(one, [whole, in_parts]))
    seeds = tuple(url for url in profile.seeds if not fit([whole, in_parts], [url]))
    met = [url for url in linked if parts.match(url) is not None]
    index = tuple(replace(one, flips=tuple(flip for flip in one.flips if not fit([flip], met))) for one in index)
    return replace(profile, index=index, seeds=seeds, thread=(*others, whole, in_parts))


async def whole_threads(sampler: Sampler, profile: Profile, anchors: Mapping[str, str]) -> Profile:
    """The profile of the whole threads of a threaded forum; the same profile where they cannot be had.

    `anchors` are the titles of threads by the URLs of their opening posts.
    """
    types = UrlTypes(profile)
    for page, words in _neighbours(sampler, profile, types):
        for form in _forms(sampler, profile, types, page)[:_TRIED]:
            link = next(link.url for link in page.page.links if _form(link.url) == form)
            shown = await sampler.get(link)
            if shown is not None and _holds(shown, words):
                return await _learned(sampler, profile, types, form, anchors, shown, words) or profile
        return profile
    return profile


def _neighbours(sampler: Sampler, profile: Profile, types: UrlTypes) -> Iterator[tuple[Sampled, list[str]]]:
    """Pages of posts with the words of their own post and of another one of the same tree."""
    pages = [one for one in sampler.sampled if types.is_thread(one.url)]
    trees = own_trees(types, pages)
    cut = CutPages(profile, pages)
    words = {key_of(types, one.url): _words(cut, one) for one in pages}
    for page in pages:
        near = [words[key] for key in trees[page.url] if words.get(key)]
        own = words[key_of(types, page.url)]
        if own and near and near[0] != own:
            yield page, [own, near[0]]


def _words(cut: CutPages, page: Sampled) -> str:
    """The longest line of a page's only post; nothing where it is too short to tell."""
    lines = [fold(line) for post in cut.posts(page) for line in post.text.splitlines()]
    longest = max(lines, key=len, default="")
    return longest if len(longest) >= _TELLING else ""


def _forms(sampler: Sampler, profile: Profile, types: UrlTypes, page: Sampled) -> list[str]:
    """Forms of links that stand on lists, one a row, and on a post's page; those of most rows first."""
    here = {_form(link.url) for link in page.page.links if types.type(link.url) is None}
    listed: dict[str, set[str]] = defaultdict(set)
    for url in _listed(sampler, profile, types):
        if _form(url) in here:
            listed[_form(url)].add(url)
    columns = {form: urls for form, urls in listed.items() if len(urls) >= _COLUMN}
    return sorted(columns, key=lambda form: -len(columns[form]))


def _listed(sampler: Sampler, profile: Profile, types: UrlTypes) -> Iterator[str]:
    """The links on lists that no pattern explains."""
    for one in sampler.sampled:
        if one.url == profile.entry or types.is_list(one.url):
            yield from (link.url for link in one.page.links if types.type(link.url) is None)


async def _learned(
    sampler: Sampler,
    profile: Profile,
    types: UrlTypes,
    form: str,
    anchors: Mapping[str, str],
    shown: Sampled,
    words: Sequence[str],
) -> Profile | None:
    urls = list(dict.fromkeys(url for url in _listed(sampler, profile, types) if _form(url) == form))
    others = {link.url for one in sampler.sampled for link in one.page.links if _form(link.url) != form}
    pattern = next((one for one in learn_patterns(urls, sorted(others), boards=False) if one.holes), None)
    if pattern is None or pattern.match(shown.url) is None:
        return None
    pages = [shown, *await sampler.get_all(spread(urls, min(len(urls), _SAMPLE)))]
    numbers = tuple(hole.name for hole in pattern.holes if hole.kind == NUMBER)
    found = ListPattern(
        pattern,
        await learn_flips(sampler, pattern, pages, boards=False),
        numbers if len(numbers) == 1 else (),
        profile.confidence,
        examples=tuple(urls[:3]),
    )
    whole = replace(profile, thread=(found,), threaded=False)
    whole = learn_wrappers(whole, sampler.sampled, _titled(urls, anchors))
    apart = CutPages(whole, [shown]).said(shown)
    return whole if all(any(one in text for text in apart) for one in words) and len(apart) > 1 else None


def _titled(urls: Iterable[str], anchors: Mapping[str, str]) -> dict[str, str]:
    """The titles of whole threads: those of opening posts of the same numbers."""
    titles = {tuple(_DIGITS.findall(url)): title for url, title in anchors.items()}
    return {url: title for url in urls if (title := titles.get(tuple(_DIGITS.findall(url))))}


def _holds(page: Sampled, words: Iterable[str]) -> bool:
    whole = fold(page.page.tree.text(0))
    return all(one in whole for one in words)


def _form(url: str) -> str:
    return _DIGITS.sub("0", url)
