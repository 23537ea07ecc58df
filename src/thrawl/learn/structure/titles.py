"""Which families are the threads of a site: a row has one title.

Of several links of a row that lead to threads one is the thread's own address and the rest are ways into it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from statistics import mean
from typing import Final

from thrawl.learn.structure.evidence import is_in_post
from thrawl.learn.structure.explanation import Chosen
from thrawl.learn.structure.families import Family, Sighting, is_telling
from thrawl.learn.structure.scene import LIKELY, Scene
from thrawl.page.features import print_length
from thrawl.page.pagekind import PageKind

_OWN_TITLES: Final = 0.2  # of a family's rows in which it is the title: FoCUS' share of what is no noise
_BY_REDIRECT: Final = 0.1  # strength of a title that is redirected: any that leads to the thread directly is better
_DOUBTFUL: Final = 0.3  # chance of threads for what may as well be boards, and is looked at closely
_SURE: Final = 0.9  # chance of threads that may overrule what else looks like one,
_SURER: Final = 0.1  # and how much likelier they are, or what of its doubt they leave: two forms of one thread's
# address are as likely
_BACK: Final = 2  # threads that lead back to the page that names them; one may be quoted there
_COLUMN: Final = 3  # links that are a list: the message before and the one after are two
_SENTENCE: Final = 40  # characters that people hardly say twice; labels of a layout are shorter
_LAST_NUMBER: Final = re.compile(r".*?(\d+)\D*\Z", re.DOTALL)


def titles(scene: Scene, hidden: Container[Family]) -> list[Family]:
    """The threads of that part of the site to which the start page belongs, the likeliest first; none is `hidden`."""
    return _of_the_start(scene, _titles(scene, hidden))


def previews(scene: Scene) -> set[Family]:
    """Families that look like threads and whose pages list the titles of others: lists that show whole posts, and
    boards whose names and pages look like those of threads."""
    likely = _likely(scene)
    doubtful = [one for one, opinion in scene.opinions.items() if opinion.thread >= max(_DOUBTFUL, opinion.board)]
    hidden = {one for one in likely if _lists_titles(scene, one, likely) or _shows_beginnings(scene, one, likely)}
    return hidden | {one for one in doubtful if _is_led_back_to(scene, one, likely)}


def own_titles(scene: Scene, threads: Sequence[Family]) -> list[Family]:
    """The threads that the start page is one of, under another address too, or that it lists: in its main records, in
    others, or by the boards in its rows."""
    main = [one for one, at in scene.atlas.on_page(scene.start.url) if at.in_rows and at.candidate.region == 0]
    listed = scene.listed_on(scene.start.url)
    below = [one for family in listed for page in scene.pages_of(family) for one in scene.listed_on(page)]
    told = ([one for one in threads if one in shown] for shown in (main, listed, below))
    fitting = [one for one in threads if one.fits(scene.start.url)] or _made_like_the_start(scene, threads)
    return fitting or next(filter(None, told), [])


def _made_like_the_start(scene: Scene, threads: Sequence[Family]) -> list[Family]:
    """The threads whose pages are made like the start page, where that looks like a thread, or has the form of one."""
    start = scene.atlas.seen.get(scene.start.url)
    if start is None or not (start.sampled.verdict.type is PageKind.THREAD or scene.is_thread(scene.start.url)):
        return []
    return [family for family in threads if start.template in scene.atlas.templates_of(family)]


def merged_by_form(threads: Sequence[Chosen]) -> list[Chosen]:
    """The families with those of one form as one: threads stand in the folders of their boards."""
    found: list[Chosen] = []
    for one in sorted(threads, key=lambda one: -len(one.family.urls)):
        at = next((at for at, other in enumerate(found) if one.family.is_part_of(other.family)), None)
        if at is None:
            found.append(one)
            continue
        merged = found[at].family.joined_by(one.family)
        found[at] = Chosen(merged, max(one.probability, found[at].probability))
    return found


def ends(scene: Scene, threads: Sequence[Family]) -> list[Chosen]:
    """Where rows link to addresses that answer elsewhere: the addresses that they lead to, by the rows' numbers."""
    found = []
    for family in threads:
        if scene.looks[family].moved >= LIKELY:
            led = scene.atlas.sampler.led(family.urls)
            moved = Family(urls={end: family.urls[url] for url, end in led.items()})
            ids = {end: _LAST_NUMBER.sub(r"\1", url) for url, end in led.items()}  # by which rows ask for their threads
            for other in scene.opinions:  # the same addresses, as other pages link them
                if other not in threads and _holds_some(other, moved.urls):
                    moved.urls.update(other.urls)
            found.append(Chosen(moved, scene.opinions[family].thread, ids=ids))
    return found


def _holds_some(family: Family, urls: Iterable[str]) -> bool:
    """Whether some URLs are a family's own, or have a form of it that hardly any fits by chance."""
    telling = [one for one in family.patterns if is_telling(one)]
    return any(url in family.urls or any(one.match(url) is not None for one in telling) for url in urls)


def _titles(scene: Scene, hidden: Container[Family]) -> list[Family]:
    """The families of threads without those that stand beside a better title in nearly all of their rows."""
    likely = [one for one in _likely(scene) if one not in hidden]
    won: Counter[Family] = Counter()
    rows: Counter[Family] = Counter()
    for found in _rows_of_threads(scene, likely):
        rows.update(found)
        plain = [one for one in found if not any(scene.adds_to(one, other) for other in found)]
        won[max(plain, key=lambda one: _strength(scene, one))] += 1
    direct = [one for one in likely if scene.looks[one].moved < LIKELY] or likely
    titled = [one for one in likely if rows[one] and won[one] >= _OWN_TITLES * rows[one]]
    # one link on each page of a kind is what these pages lead to: a person's posts, a print view
    listed = [one for one in titled if any(at.in_rows for at in one.sightings)]
    titled = [one for one in titled if one in listed or any(one.is_part_of(other) for other in listed)] or titled
    asked_directly = sum(won[one] for one in titled if one in direct)
    # rows that lead to threads by a redirect count where hardly any row leads to them directly
    titled = [one for one in titled if one in direct or won[one] > asked_directly]
    loose = [one for one in direct if not rows[one] and _stands_elsewhere(one)]
    kept = titled or loose or direct
    kept = [one for one in kept if not any(scene.adds_to(one, other) for other in kept)]
    # a single address explains nothing but itself, unless it has the form of others
    holed = [one for one in kept if any(pattern.holes for pattern in one.patterns)]
    kept = [one for one in kept if one in holed or not holed or any(one.is_part_of(other) for other in holed)]
    return sorted(kept, key=lambda one: -scene.opinions[one].thread * (won[one] + 1))


def _stands_elsewhere(family: Family) -> bool:
    """Whether most addresses of a family were met outside of posts, however often posts repeat a few of them."""
    met = {url for one in family.sightings if not is_in_post(one) for url in one.candidate.urls}
    return 2 * len(met.intersection(family.urls)) > len(family.urls)


def _likely(scene: Scene) -> list[Family]:
    """The families that seem to be threads by themselves, by their form, or by where they are redirected to."""
    looking = [one for one, opinion in scene.opinions.items() if opinion.thread >= scene.likely]
    likely = [one for one in looking if scene.atlas.destinations(one) or one in scene.plain]
    # the threads of other boards, in whose folders nobody looked
    likely += [one for one in looking if one not in likely and any(one.is_part_of(other) for other in likely)]
    return likely + [one for one in scene.opinions if one not in likely and _leads_into(scene, one, likely)]


def _leads_into(scene: Scene, family: Family, threads: Sequence[Family]) -> bool:
    """Whether the titles of a family are redirected to threads: what it is, is what they are."""
    looks = scene.looks[family]
    if looks.moved < LIKELY or looks.named < LIKELY:
        return False
    return any(thread.fits(page.url) for page in scene.atlas.destinations(family) for thread in threads)


def _lists_titles(scene: Scene, family: Family, likely: Sequence[Family]) -> bool:
    """Whether most pages of a family list titles of another one: lists that show whole posts, as blogs do.

    What adds to the other one's addresses shows its pages another way, with links to it at each post.
    """
    pages = scene.atlas.destinations(family)
    listing = [
        any(
            other is not family
            and other in likely
            and not scene.adds_to(family, other)
            and (
                _is_named_by(scene, other, family, at)
                or (
                    len(other.urls) > len(family.urls)
                    and at.in_rows
                    and scene.opinions[other].thread >= scene.opinions[family].thread
                )
            )
            and any(at.candidate.anchors)  # marks at the posts of a page name no threads
            and not scene.is_menu(at)
            for other, at in scene.atlas.on_page(page.url)
        )
        for page in pages
    ]
    return 2 * sum(listing) > len(listing)


def _shows_beginnings(scene: Scene, family: Family, likely: Sequence[Family]) -> bool:
    """Whether rows of a family's pages say what the pages behind them say, and these go on: boards may show the first
    posts of each thread, and a link to it that says nothing. Names at posts lead to all that a person wrote."""
    begun = {
        behind.sampled.url
        for page in scene.atlas.destinations(family)
        for other, at in scene.atlas.on_page(page.url)
        if other is not family and other in likely and at.in_rows and scene.looks[other].named < LIKELY
        for url, said in _sentences_beside(at)
        if (known := scene.atlas.sampler.known(url)) is not None
        and (behind := scene.atlas.seen.get(known.url)) is not None
        and said & behind.texts.keys()
        and any(len(text) >= _SENTENCE and text not in at.seen.texts for text in behind.texts)
    }
    return len(begun) >= _BACK


def _sentences_beside(sighting: Sighting) -> Iterator[tuple[str, set[str]]]:
    """The addresses of links, each with what stands in its row outside of links."""
    page, links, linked = sighting.seen.sampled.page, sighting.candidate, sighting.seen.texts
    rows, records = links.rows(page), page.regions[links.region].records
    for link in links.links:
        if (row := rows.get(link.node)) is not None:
            texts = (" ".join(page.tree.texts[node].split()) for node in range(records[row].start, records[row].end))
            yield link.url, {text for text in texts if len(text) >= _SENTENCE and not linked.get(text, True)}


def _is_named_by(scene: Scene, other: Family, family: Family, at: Sighting) -> bool:
    """Whether a column of links names the pages behind it, while those to this family's pages do not name theirs:
    orders of a list of messages ("by date") have few words of their own, and more pages than were seen of messages."""
    looks = scene.looks
    return len(at.candidate.urls) >= _COLUMN and looks[other].named >= LIKELY > 2 * looks[family].named


def _is_led_back_to(scene: Scene, family: Family, likely: Sequence[Family]) -> bool:
    """Whether the pages of a family name surer threads, each of which leads back to it, as threads do to their board.

    Boards may have names as long as titles and show a single thread, so that nothing on them is a list.
    """
    chance = scene.opinions[family].thread
    least = max(_SURE, min(chance + _SURER, 1 - _SURER * (1 - chance)))
    surer = [one for one in likely if scene.opinions[one].thread >= least and scene.looks[one].named >= LIKELY]
    told = [
        page.url in seen.links
        for page in scene.atlas.destinations(family)
        for one, at in scene.atlas.on_page(page.url)
        if one in surer and not scene.is_menu(at)
        for url in at.candidate.urls
        if (known := scene.atlas.sampler.known(url)) is not None
        and (seen := scene.atlas.seen.get(known.url)) is not None
    ]
    return len(told) >= _BACK and all(told)


def _rows_of_threads(scene: Scene, likely: Sequence[Family]) -> Iterable[list[Family]]:
    """The families of threads in each row of each index page."""
    threads = (scene.atlas.seen.get(page.url) for one in likely for page in scene.atlas.destinations(one))
    made = {one.template for one in threads if one is not None}
    for url, seen in scene.atlas.seen.items():
        if seen.sampled.verdict.type is PageKind.THREAD and (
            seen.template in made or not _lists_its_kind(scene, url, likely)
        ):
            continue
        rows: dict[tuple[int, int], dict[Family, None]] = defaultdict(dict)
        for family, sighting in scene.atlas.on_page(url):
            if family in likely and sighting.candidate.region >= 0:
                for number in sighting.first_nodes():
                    rows[sighting.candidate.region, number][family] = None
        yield from map(list, rows.values())


def _lists_its_kind(scene: Scene, url: str, likely: Sequence[Family]) -> bool:
    """Whether a page that looks like a thread is of a kind that lists titles."""
    kinds = [one for one in scene.opinions if len(one.urls) > 1 and url in one.urls]
    return bool(kinds) and all(_lists_titles(scene, one, likely) for one in kinds)


def _strength(scene: Scene, family: Family) -> float:
    """How much a family looks like the titles of threads, compared with others of the same row."""
    looks = scene.looks[family]
    length = mean(map(print_length, family.urls.values()))
    directly = 1 - (1 - _BY_REDIRECT) * looks.moved
    return (length + 1) * (1 + looks.named) * directly * scene.opinions[family].thread


def _of_the_start(scene: Scene, threads: Sequence[Family]) -> list[Family]:
    """The threads that the start page is one of or leads to, and what is made like them: a menu may hold the boards."""
    reached = _reached_from(scene, scene.start.url)
    own = [one for one in threads if one.fits(scene.start.url) or one in reached]
    alike = [one for one in threads if any(scene.are_made_alike(one, other) for other in own)]
    return [one for one in threads if one in own or one in alike] or list(threads)


def _reached_from(scene: Scene, url: str) -> set[Family]:
    """The families that a page leads to by what is no menu, also through pages that are no threads."""
    found: set[Family] = set()
    pages, looked_at = [url], set()
    while pages:
        page = pages.pop()
        looked_at.add(page)
        for family in scene.standing_on(page):
            if family not in found:
                found.add(family)
                opinion = scene.opinions[family]  # a board may stand on every thread, in a menu or a path
                through = opinion.thread < LIKELY and (opinion.board >= LIKELY or not scene.stands_in_posts(family))
                pages += [one for one in scene.pages_of(family) if through and one not in looked_at]
    return found
