"""Fetching pages while learning: each URL once, within a budget, read and classified, with sessions removed.

Everything that was fetched is kept, so that the crawl never has to ask for it again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

from thrawl import limits
from thrawl.errors import FetchError, PageError
from thrawl.learn.classifier import PageClassifier, Verdict
from thrawl.learn.inside import post_parameter
from thrawl.learn.named import names_page
from thrawl.learn.reading import PageSource, ReadHere
from thrawl.learn.sessions import Steps, session_parameters, suspects
from thrawl.learn.together import Sight, sight_of
from thrawl.learn.twins import Twins, named_by
from thrawl.net.message import Fetcher, Request, Response
from thrawl.page.links import Link, LinkGroup
from thrawl.page.reading import Page
from thrawl.page.walls import A_CHALLENGE, says_challenge
from thrawl.profile.urls import same_site, without_session

_TAG: Final = re.compile(r"<[^>]*>")
_LOOKED_AT: Final = 20_000  # characters of a page that came with an error; a challenge is short


@dataclass(frozen=True, slots=True)
class Sampled:
    """One page that was fetched while learning: the answer, what it shows, and its type as far as one page tells."""

    url: str
    response: Response
    page: Page
    verdict: Verdict


class Sampler:
    """Fetches, reads and keeps pages of one site."""

    def __init__(
        self,
        fetcher: Fetcher,
        classifier: PageClassifier,
        budget: int = limits.MAX_LEARNING_PAGES,
        known: Iterable[Response] = (),
        reader: PageSource | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._given = {name: one for one in known for name in (one.url, one.requested)}
        self._classifier = classifier
        self._reader = reader or ReadHere()
        self._budget = budget
        self._sampled: dict[str, Sampled | None] = {}
        self._earlier: dict[str, Sampled | None] = {}
        self._sights: dict[str, Sight] = {}
        self._twins = Twins()
        self._steps = Steps()
        self.views: list[Response] = []
        """Answers that showed pages which are known under addresses of their own."""
        self.session: frozenset[str] = frozenset()
        self.failures: dict[str, str] = {}
        self.requests = 0
        self._nodes = self._bytes = 0
        self.changes = 0
        self._asked_again = False
        self._asked_for_titles = False
        self.titles_name_posts = False
        """Whether titles lead to the newest post of their thread, so that long threads are met by their last pages."""

    @property
    def spent(self) -> bool:
        """Whether enough was asked for, or as much as memory may hold."""
        return self._is_full or self.requests >= self._budget

    @property
    def _is_full(self) -> bool:
        return self._nodes >= limits.MAX_LEARNING_NODES or self._bytes >= limits.MAX_LEARNING_BYTES

    @property
    def sampled(self) -> tuple[Sampled, ...]:
        """Every page that was read, once, in the order in which it was fetched."""
        return tuple({id(one): one for one in self._sampled.values() if one is not None}.values())

    @property
    def pages(self) -> tuple[Sampled, ...]:
        """Every page that was read, also by the sampler that this one began with."""
        return tuple({id(one): one for one in (*self._sampled.values(), *self._earlier.values()) if one}.values())

    def afresh(self) -> Sampler:
        """A sampler that has asked for nothing yet and gets what this one fetched for nothing."""
        other = copy(self)
        other._earlier = {**self._earlier, **self._sampled}
        other._sampled = {}
        return other

    def known(self, url: str) -> Sampled | None:
        """A page that was fetched already."""
        return self._sampled.get(self.clean(url))

    def asked(self, url: str) -> bool:
        return self.clean(url) in self._sampled

    def has(self, url: str) -> bool:
        """Whether learning fetched a page itself, also before this sampler began; what a crawl gives contradicts it."""
        return any(one.get(self.clean(url)) is not None for one in (self._sampled, self._earlier))

    def led(self, urls: Iterable[str]) -> dict[str, str]:
        """Where those of some addresses led that answered under another one."""
        known = ((url, self.known(url)) for url in urls)
        return {url: page.url for url, page in known if page is not None and page.url != self.clean(url)}

    def clean(self, url: str) -> str:
        return without_session(url, self.session)

    def classify(self, pages: Sequence[Page]) -> Verdict:
        """The type of pages that belong together."""
        return self._classifier.vote([self._sight(page) for page in pages])

    def chances(self, pages: Sequence[Page]) -> tuple[float, float]:
        """How likely pages that belong together are index pages, and thread pages."""
        return self._classifier.chances([self._sight(page) for page in pages])

    def _sight(self, page: Page) -> Sight:
        if page.url not in self._sights:
            self._sights[page.url] = sight_of(page)
        return self._sights[page.url]

    async def get(self, url: str) -> Sampled | None:
        """The page at a URL; None where there is none to read (the reason is in `failures`) or the budget is spent."""
        url = self.clean(url)
        if url in self._sampled:
            return self._sampled[url]
        if url in self._earlier:
            return self._take(url)
        if self._is_full or (self.spent and url not in self._given):
            return None
        self._sampled[url] = None  # asked for, whatever comes back
        self.changes += 1
        self.requests += url not in self._given
        sampled = await self._fetch(url)
        if sampled is not None:
            own = await self._under_own_address(sampled)
            if own is not sampled:
                self.views.append(sampled.response)
            self._keep(url, own)
            return own
        return None

    async def _under_own_address(self, sampled: Sampled) -> Sampled:
        """The page under the address that is its own, where it was met, or says that it has, another one."""
        shorter = self._twins.shorter(sampled.page)
        known = self._sampled.get(shorter) if shorter is not None else None
        named = self.clean(named_by(sampled.page) or sampled.url)
        if known is not None or named == sampled.url or not same_site(named, sampled.url):
            return known or sampled
        proper = await self.get(named) if self._twins.may_be(sampled.url, named) else None
        return proper if proper is not None and self._twins.agrees(sampled.page, proper.page) else sampled

    def _take(self, url: str) -> Sampled | None:
        """A page that was fetched before this sampler began."""
        self.changes += 1
        sampled = self._sampled[url] = self._earlier[url]
        if sampled is not None:
            self._sampled.setdefault(sampled.url, sampled)
        return sampled

    async def get_all(self, urls: Iterable[str]) -> tuple[Sampled, ...]:
        """The pages at these URLs that can be read, fetched at the pace that the fetcher allows."""
        tasks = [asyncio.create_task(self.get(url)) for url in urls]
        try:
            found = await asyncio.gather(*tasks)
        finally:  # whatever ends learning ends all of it: nothing reads on behind its back
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return tuple(one for one in found if one is not None)

    async def _fetch(self, url: str) -> Sampled | None:
        try:
            response = self._given.get(url) or await self._fetcher.fetch(Request(url))
        except FetchError as error:
            self.failures[url] = error.reason
            return None
        if response.status != 200 or not response.is_html:
            self.failures[url] = _refusal(response) if response.status != 200 else "not an HTML page"
            return None
        try:
            page = await self._reader.page(response.text, self.clean(response.url), response.moment)
        except PageError as error:
            self.failures[url] = str(error)
            return None
        if not self.session:
            await self._look_for_sessions(response.url, page.links)
        counted = self._steps.told_by(response.url, (link.url for link in page.links))
        if not counted <= self.session:
            self._leave_out(self.session | counted)
        page = self._without_session(page)
        if not self._asked_for_titles and await self._look_for_posts_in_titles(page):
            page = self._without_session(page)
        return Sampled(self.clean(response.url), response, page, self._classifier.classify(page))

    def _keep(self, url: str, sampled: Sampled) -> None:
        self.changes += 1
        self._nodes += len(sampled.page.tree)
        self._bytes += len(sampled.response.body)
        self._sampled[url] = sampled
        self._sampled.setdefault(sampled.url, sampled)
        if self._sampled[sampled.url] is None:
            self._sampled[sampled.url] = sampled
        self._twins.add(sampled.page)
        for longer in self._twins.longer(sampled.page):
            view = self._sampled.get(longer)
            if view is not None and view is not sampled:
                self.views.append(view.response)
                self._sampled[longer] = sampled

    async def _look_for_sessions(self, url: str, links: Sequence[Link]) -> None:
        """Where links share a suspicious value, ask for the page again as a stranger, once a site."""
        urls = [link.url for link in links]
        found = {} if self._asked_again or self.spent else suspects(urls)
        if not found:
            return
        self._asked_again = True
        self._leave_out(session_parameters(found, suspects(await self._links_for_a_stranger(url)), urls))

    async def _look_for_posts_in_titles(self, page: Page) -> bool:
        """Where titles name a post of their thread, ask for threads without it, once a site; whether they are there."""
        found = post_parameter(page)
        if found is None:
            return False
        self._asked_for_titles = True
        name, titles = found
        for link in (titles[0], titles[-1]):
            behind = await self.get(without_session(link.url, frozenset({name})))
            if behind is None or not names_page(link.anchor, behind.page):
                return False
        self._leave_out(self.session | {name})
        self.titles_name_posts = True
        return True

    def _leave_out(self, names: frozenset[str]) -> None:
        """Know all pages and links without some parameters from now on."""
        if names:
            self.session = names
            self.changes += 1
            earlier = list(self._sampled.items())
            self._sampled = {self.clean(known): self._cleaned(one) for known, one in earlier}
            self._earlier = {self.clean(known): self._cleaned(one) for known, one in self._earlier.items()}

    async def _links_for_a_stranger(self, url: str) -> list[str]:
        self.requests += 1
        try:
            response = await self._fetcher.fetch(Request(url, cookies=False))
            return [link.url for link in (await self._reader.page(response.text, response.url)).links]
        except (FetchError, PageError):
            return []

    def _cleaned(self, sampled: Sampled | None) -> Sampled | None:
        if sampled is None:
            return None
        return replace(sampled, url=self.clean(sampled.url), page=self._without_session(sampled.page))

    def _without_session(self, page: Page) -> Page:
        if not self.session:
            return page
        links, ahead = (
            tuple(replace(one, url=self.clean(one.url)) for one in found) for found in (page.links, page.ahead)
        )
        groups = tuple(
            LinkGroup(tuple(replace(link, url=self.clean(link.url)) for link in group.links), group.place, group.region)
            for group in page.groups
        )
        return replace(page, url=self.clean(page.url), links=links, ahead=ahead, groups=groups)


def _refusal(response: Response) -> str:
    """What a status means for a person; a challenge comes with several."""
    asks = response.is_html and says_challenge(_TAG.sub(" ", response.text[:_LOOKED_AT]), response.text)
    return f"status {response.status}{f', {A_CHALLENGE}' if asks else ''}"
