"""Which page to fetch next while learning: the one behind the family whose role it would help to settle.

A sequential test instead of FoCUS' fixed majority of votes: a family is asked about until the evidence is beyond
doubt, and families that are surely nothing cost one request or none. Pages of boards are looked at beyond that, since
each may show threads or boards in a form that no other has.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import mode
from typing import Final
from urllib.parse import unquote

from thrawl.learn.refine import beginning_of
from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.evidence import Opinion, same_page, shows_posts, stands_in_posts
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.groups import form_of, spread
from thrawl.learn.structure.roles import RoleModel
from thrawl.learn.structure.rowcounts import counts_of, is_empty
from thrawl.page.pagekind import PageKind
from thrawl.profile.urls import added_to_path, adds_something, items_of

_SURE: Final = 0.93  # two destinations agree with all else: a third changes nothing
_DOUBT: Final = 0.08  # below this chance of being a board or a thread, a family is not worth a request
_MOST_ASKED: Final = 5  # destinations of one family, as in FoCUS' vote;
_FEW_ASKED: Final = 3  # of one that three looks left unlikely: two more seldom turn that
_MOST_OF_FORM: Final = (
    20  # looks behind addresses of one form: tags combine without end, tokens change with every answer
)
_UNASKED: Final = 0.4  # chance of a column of rows behind which nobody looked yet
_MOSTLY: Final = 0.5  # of a family's links, or of all chances
_LOOKS: Final = 2  # behind a column of which only the form of its links was known
_COLUMN: Final = 3  # links that make a list
_LOOSE: Final = 0.5  # worth of links outside of rows
_SINGLE: Final = 0.25  # worth of a kind of link of which there is one
_ADDRESS: Final = 4  # letters of a page's address behind its host that no other word of a query is by chance
_BOARDS: Final = 6  # pages of each family of boards that are looked at: forms of threads differ between boards
_PATH_WORD: Final = re.compile(r"[^\W\d_]+")


class Explorer:
    """Fetches pages of a site until the families of its links are settled."""

    def __init__(self, atlas: Atlas, model: RoleModel, budget: int, doubt: float = _DOUBT) -> None:
        self.atlas = atlas
        self._model = model
        self._budget = budget
        self._doubt = doubt
        self._looks: Counter[tuple[object, str]] = Counter()
        self._given: set[str] = set()

    @property
    def spent(self) -> bool:
        return self.atlas.sampler.spent or self.atlas.sampler.requests >= self._budget

    def opinions(self) -> dict[Family, Opinion]:
        """What the families are; those that turn out to be of one kind are joined, and those of two taken apart."""
        while self.atlas.take_apart():
            pass
        opinions = self._model.opinions(self.atlas)
        while self.atlas.join_alike({one: role for one, opinion in opinions.items() if (role := _role(opinion))}):
            opinions = self._model.opinions(self.atlas)
        return opinions

    async def look_at(self, urls: Iterable[str]) -> list[Sampled]:
        """Fetch pages and take their links into account."""
        found = [page for url in urls if not self.spent and (page := await self.atlas.sampler.get(url)) is not None]
        for page in found:
            self.atlas.add(page)
        return found

    async def explore(self) -> dict[Family, Opinion]:
        """Settle the families."""
        opinions = self.opinions()
        while not self.spent:
            family = self._question(opinions)
            if family is not None:
                await self._ask(family)
            elif unlooked := self._unlooked(opinions):
                await self.look_at([unlooked[len(unlooked) // 2]])
            else:
                break
            opinions = self.opinions()
        return opinions

    def _unlooked(self, opinions: Mapping[Family, Opinion]) -> list[str]:
        """The links of a column of rows behind which nobody looked, in a family that other columns settled.

        Only their form says that they are of it. Where the first look is a surprise, a second settles that.
        """
        for family, opinion in opinions.items():
            types = self.atlas.types_of(family) if _role(opinion) is not None else {}
            columns: dict[object, dict[str, None]] = defaultdict(dict)
            for one in family.sightings if types else ():
                if one.in_rows:
                    columns[one.seen.template, one.candidate.place.path].update(dict.fromkeys(one.candidate.urls))
            for urls in columns.values():
                unasked = [url for url in urls if not self.atlas.sampler.asked(url)]
                is_surprise = mode(types.values()) not in [types[url] for url in urls if url in types]
                if is_surprise and len(urls) >= _COLUMN and len(urls) - len(unasked) < _LOOKS:
                    return unasked
        return []

    def _question(self, opinions: dict[Family, Opinion]) -> Family | None:
        """The family that is worth the next request, if any is."""
        best, most = None, self._doubt
        views = [one for one in opinions if self._is_view(one)]
        settled = {added for one in views if self.atlas.destinations(one) and (added := _added(one))}
        followed = [one for one, opinion in opinions.items() if _role(opinion) is not None]
        for family, opinion in opinions.items():
            is_view = family in views or self._adds_to_its_page(family)
            if is_view and (self.atlas.destinations(family) or _added(family) in settled):
                continue  # a list that is sorted another way, by whatever column, is settled by one look
            if (
                _comes_back(family)
                or self._looks[_form(min(family.urls))] >= _MOST_OF_FORM
                or self._is_menu_of_pages(family, followed)
                or self._is_behind_people(family, followed)
            ):
                continue
            worth = self._worth(family, opinion) * _weight(family)
            if worth > most and not (worth <= _DOUBT and self._is_idle(family, followed)):
                best, most = family, worth
        return best

    def _is_view(self, family: Family) -> bool:
        """Whether links show the pages on which they stand another way; a single one, on a page that nothing else
        proves to be a list, may as well lead to anything: all of a site may be one program."""
        if same_page(self.atlas, family) >= _MOSTLY:
            return True
        made = {seen.template for page in self.atlas.destinations(family) if (seen := self.atlas.seen.get(page.url))}
        return self._adds_to_its_page(family) and not made.isdisjoint(one.seen.template for one in family.sightings)

    def _adds_to_its_page(self, family: Family) -> bool:
        """Whether a family is one link, to the page on which it stands with something more in its address."""
        pages = [self.atlas.plain_form(one.seen) for one in family.sightings]
        url = min(family.urls)
        return len(family.urls) == 1 and all(adds_something(url, page) for page in pages)

    def _is_menu_of_pages(self, family: Family, followed: Sequence[Family]) -> bool:
        """Whether links are a menu, and behind what was looked at stands no list: each of the others is a page of its
        own kind."""
        is_menu = bool(self.atlas.destinations(family)) and all(map(self.atlas.is_menu, family.sightings))
        return is_menu and not self.atlas.listed_by(family, [one for one in followed if one is not family])

    def _is_behind_people(self, family: Family, followed: Sequence[Family]) -> bool:
        """Whether links stand on pages of people alone, where lists and their threads are known: what somebody wrote is
        listed there once more, in many ways."""
        pages = {one.seen.sampled.url for one in family.sightings}
        behind = [one for one in self.atlas.families if one not in followed and not pages.isdisjoint(one.urls)]
        if self._doubt < _DOUBT or not any(self.atlas.listed_by(one, followed) for one in followed):
            return False
        return pages <= {url for one in behind if self._are_people(one, followed) for url in one.urls}

    def _are_people(self, family: Family, followed: Sequence[Family]) -> bool:
        """Whether links stand in most posts of most threads that were looked at."""
        found = (self.atlas.seen.get(page.url) for one in followed for page in self.atlas.destinations(one))
        threads = {seen for seen in found if seen is not None and shows_posts(self.atlas, seen)}
        named = {one.seen for one in family.sightings if one.seen in threads and stands_in_posts(self.atlas, one)}
        return 2 * len(named) > len(threads)

    def _is_idle(self, family: Family, followed: Sequence[Family]) -> bool:
        """Whether looks behind a family, where threads or boards are known, showed none, or none but what others list.

        The newest threads may stand elsewhere, too: so one look does not tell; nor do many where nothing is known.
        """
        looks = len(self.atlas.destinations(family))
        others = [one for one in followed if one is not family]
        if not looks or sum(len(one.urls) for one in others) < _COLUMN or self._unlooked_forms(family):
            return False
        if not self.atlas.listed_by(family, others):
            return True
        return looks >= _LOOKS and not self.atlas.news_of(family, others)

    def _unlooked_forms(self, family: Family) -> list[str]:
        """The URLs that begin as none does that was asked for: links of one place may be of several kinds."""
        forms: dict[object, list[str]] = defaultdict(list)
        for url in family.urls:
            forms[_form(url)].append(url)
        return [url for urls in forms.values() if not any(map(self.atlas.sampler.asked, urls)) for url in urls]

    def _worth(self, family: Family, opinion: Opinion) -> float:
        asked = self.atlas.asked(family)
        if asked >= len(family.urls):
            return 0.0
        asked -= len(self._given.intersection(family.urls))
        chance = opinion.board + opinion.thread
        answered = len(self.atlas.destinations(family))
        sure = max(opinion.board, opinion.thread, opinion.other) >= _SURE
        if opinion.board >= _SURE and answered >= 2:
            return 0.5 * chance / answered if asked < _BOARDS else 0.0
        most = _MOST_ASKED if chance >= _MOSTLY or self._doubt < _DOUBT else _FEW_ASKED
        if (answered >= 2 and sure) or asked >= most:
            return 0.0
        if not asked and self._is_list(family):
            chance = max(chance, _UNASKED)  # whatever it looks like from outside, one look settles most
        return chance / (1 + asked)

    def _is_list(self, family: Family) -> bool:
        """Whether links stand together on a page that is no thread: a column of rows, a list at the side.

        What stands on all pages is a menu, and what says the same of all that it leads to is a button.
        """
        if len(set(family.urls.values()) - {""}) == 1 < len(family.urls):
            return False
        lists = (one for one in family.sightings if len(one.candidate.urls) >= _COLUMN)
        return any(
            one.seen.sampled.verdict.type is not PageKind.THREAD and not self.atlas.is_menu(one) for one in lists
        )

    async def _ask(self, family: Family) -> None:
        unasked = [url for url in family.urls if not self.atlas.sampler.asked(url)]
        if self._doubt < _DOUBT and self.atlas.asked(family):  # the likeliest way did not do: so try another
            unasked = self._unlooked_forms(family) or unasked
        counts = self._counts(family)
        unasked = [url for url in unasked if not is_empty(counts.get(url, []))] or unasked
        if given := [url for url in unasked if self.atlas.sampler.has(url)]:
            # fetched before, so these cost nothing; but a second view of the same pages alone would decide as the first
            self._given.update(given)
            await self.look_at(spread(given, _MOST_ASKED))
            return
        order = spread(unasked, 3)  # the ends and the middle first: neighbours tend to be alike
        url = order[(self.atlas.asked(family) + 1) % len(order)]
        self._looks[_form(url)] += 1
        await self.look_at([url])

    def _counts(self, family: Family) -> dict[str, list[int]]:
        """The numbers in the rows of a family's URLs."""
        return {url: numbers for one in family.sightings for url, numbers in counts_of(one).items()}


def _form(url: str) -> tuple[object, str]:
    return form_of(url), beginning_of(url)


def _role(opinion: Opinion) -> str | None:
    """What a family likely is, of what a crawl follows."""
    if opinion.thread >= _MOSTLY:
        return "thread"
    return "board" if opinion.board >= _MOSTLY else None


def _added(family: Family) -> frozenset[str]:
    """What the links of a family have more than the pages that they stand on: names of the query, the path's word."""
    first = family.sightings[0]
    page, url = first.seen.sampled.url, first.candidate.urls[0]
    in_path = _PATH_WORD.findall(added_to_path(url, page))
    return frozenset(in_path[:1]) or _names(url) - _names(page)


def _comes_back(family: Family) -> bool:
    """Whether links hold the whole address of the page that they stand on, as those to a login do that leads back."""
    shown = [(one.seen.sampled.url, url) for one in family.sightings for url in one.candidate.urls[:1]]
    own = [(page.split("/", 3)[-1], unquote(unquote(url.partition("?")[2]))) for page, url in shown]
    return all(len(page) >= _ADDRESS and page in query for page, query in own)


def _names(url: str) -> frozenset[str]:
    return frozenset(item.partition("=")[0] for item in items_of(url))


def _weight(family: Family) -> float:
    """How much a family matters: lists in rows are what a forum is made of, a single link is seldom one of them."""
    if any(one.in_rows for one in family.sightings):
        return 1.0
    return _LOOSE if len(family.urls) > 1 else _SINGLE
