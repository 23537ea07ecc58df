"""Turns answers into saved outcomes, one transaction a page, and keeps count.

Everything here runs in the order in which pages are to be saved, in the process that owns the archive's writer.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.identity import names_its_hour
from thrawl.archive.values import (
    NUMBERED,
    FailureKind,
    FoundUrl,
    PageOutcome,
    PageState,
    PendingPage,
    ThreadRef,
)
from thrawl.crawl import lists, outcomes, update
from thrawl.crawl.evidence import Evidence
from thrawl.crawl.fitness import Echoes, Fitness, Harvest
from thrawl.crawl.news import has_news
from thrawl.crawl.options import CrawlOptions, Tally
from thrawl.crawl.outcomes import ListPage
from thrawl.crawl.plan import INDEX_KINDS, NEEDLESS, UNNUMBERED, Plan, Planner, refused_urls
from thrawl.crawl.threads import Stitcher
from thrawl.crawl.update import Updater, is_update
from thrawl.crawl.values import Misfit, Reading
from thrawl.errors import FetchError
from thrawl.limits import MAX_STRAYS
from thrawl.net.message import Response
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import PostRecord
from thrawl.profile.profile import Profile

_BATCH: Final = 64  # thread pages in one transaction at most; more than are leased at a time, so mostly one for both


# what only posts link to and nobody shows us: forms to answer, to report
_BESIDE_POSTS: Final = frozenset({FailureKind.LOGIN, FailureKind.FRUITLESS, FailureKind.ROBOTS})

ECHO: Final = "it shows the posts of a known page, so it is another address of a known thread"


class Saver:
    """Saves what came of each page of one forum."""

    def __init__(self, archive: Archive, forum_id: int, profile: Profile, options: CrawlOptions, tally: Tally) -> None:
        self._archive = archive
        self._forum_id = forum_id
        self._options = options
        self.tally = tally
        self._home = profile.entry
        self.planner = Planner(archive, profile)
        self._stitcher = Stitcher(archive)
        self._updater = Updater(archive, forum_id)
        self._fitness = Fitness()
        self._harvest = Harvest(profile)
        self._echoes = Echoes()
        self._strays_left = MAX_STRAYS
        self._by_message = False
        self.evidence = Evidence()
        self._buffer: list[PageOutcome] = []
        self._begun = self._earliest = datetime.now(UTC)

    @property
    def must_relearn(self) -> bool:
        return self.tally.relearned < self._options.relearn and self._fitness.is_lost()

    def change(self, profile: Profile | None) -> None:
        """The site was learned anew; None where that failed, and the old profile stays."""
        if profile is not None:
            self.planner = Planner(self._archive, profile, self._home)
            self._harvest = Harvest(profile)
        self._fitness.restart()
        self.evidence.forget()
        self.tally.relearned += 1

    def skips(self, page: PendingPage) -> bool:
        """Whether a page is not worth its request after all; that is put on record.

        Lists in reserve whose threads are known are needless, and so are threads that only posts lead to where these
        are other addresses of known ones; pages of a pattern that brought nothing, several times, are given up.
        """
        if self.planner.is_needless(page):
            self._fail(page, datetime.now(UTC), NEEDLESS, FailureKind.NEEDLESS)
        elif self._is_message_of_another(page):
            self._fail(page, datetime.now(UTC), ECHO, FailureKind.NEEDLESS)
        elif _is_linked_in_posts(page) and self._echoes.only:
            self._fail(page, datetime.now(UTC), f"the last pages like it: {ECHO}", FailureKind.NEEDLESS)
        elif page.kind is PageKind.THREAD and self._harvest.is_fruitless(page.list_url or page.url):
            reason = "pages of this pattern showed no posts, several times; the rest of them are not asked for"
            self._fail(page, datetime.now(UTC), reason, FailureKind.FRUITLESS)
        else:
            return False
        self.tally.requests[page.kind] -= 1  # it was none
        return True

    def wants_reading(self, page: PendingPage, response: Response) -> bool:
        if outcomes.refusal_of(response.status) is not None or response.status == outcomes.NOT_MODIFIED:
            return False
        same = page.body_hash is not None and page.body_hash == outcomes.body_hash(response.body)
        return not (same and is_update(page))

    def fetch_failed(self, page: PendingPage, error: FetchError) -> None:
        now = datetime.now(UTC)
        retry = None if outcomes.is_for_good(error) else outcomes.retry_time(page, now, self._options)
        kind = outcomes.kind_of_error(error)
        if kind is FailureKind.ROBOTS and lists.is_in_reserve(page.priority):
            kind = FailureKind.NEEDLESS  # nobody knows that it is a board
        self._fail(page, now, error.reason, kind, retry_at=retry)

    def answered(self, page: PendingPage, response: Response, reading: Reading | None) -> None:
        """Save an answer; `reading` is None where there was nothing to read."""
        self._earliest = min(self._earliest, response.fetched)
        self.evidence.look(page, response, reading)
        refusal = outcomes.refusal_of(response.status)
        if refusal is not None:
            self._refused(page, response, refusal)
        elif reading is None:
            self._save(page, outcomes.unchanged_outcome(page, response))
        elif reading.misfit is not None:
            self._misfit(page, response, reading)
        else:
            self._read(page, response, reading)

    def _read(self, page: PendingPage, response: Response, reading: Reading) -> None:
        """Save what a page of the forum shows, unless a known thread shows it."""
        echo = self._is_echo(page, reading)
        holder = None if echo else self._held_by(page, reading)
        known = holder if page.kind is PageKind.THREAD else None
        if _is_linked_in_posts(page):
            self._echoes.add(echo=echo or known is not None)
        if echo or self._is_message_of_another(page) or self._is_known_thread(page, reading):
            self._fail(page, response.fetched, ECHO, FailureKind.NEEDLESS, status=response.status)
        elif known is not None:
            outcome = outcomes.failed_outcome(
                page, response.fetched, ECHO, FailureKind.NEEDLESS, status=response.status
            )
            self._save(page, replace(outcome, thread=ThreadRef(known, None, (page.list_url or page.url,))))
        else:
            self._content(page, response, reading, holder)

    def _is_echo(self, page: PendingPage, reading: Reading) -> bool:
        """Whether a page that posts led to says what another page says: one more address of a known thread."""
        if not _is_linked_in_posts(page) or reading.digest is None:
            return False
        waiting = any(one.digest == reading.digest for one in self._buffer)
        return waiting or self._archive.has_digest(reading.digest)

    def _is_known_thread(self, page: PendingPage, reading: Reading) -> bool:
        """Whether a number that nobody named leads to a known thread: it answers to the numbers of all its messages."""
        if page.reason != NUMBERED or page.kind is not PageKind.THREAD:
            return False
        self.flush()
        return not has_news(self._archive, reading)

    def _is_message_of_another(self, page: PendingPage) -> bool:
        """Whether a thread's page that was never read is that of a message of a known thread, where all have one."""
        if not self._by_message or page.kind is not PageKind.THREAD or page.body_hash is not None:
            return False
        return self._archive.address_of(page.list_url or page.url) not in (None, page.list_url or page.url)

    def _held_by(self, page: PendingPage, reading: Reading) -> str | None:
        """The thread that a list led to anew, by one of its messages: it has the page's title and, to the minute, its
        first and its last post. Of two threads with the same words one is older. A view without a title, as for
        printers, is one of a thread if it has several posts. What a further page shows of another thread was that one
        page of its own."""
        if page.kind not in (PageKind.THREAD, PageKind.THREAD_FLIP) or page.body_hash is not None or not reading.posts:
            return None
        ends = [reading.posts[0], *reading.posts[1:][-1:]]
        if not reading.title and len(ends) == 1:
            return None
        if not all(post.text and post.published and names_its_hour(post.published_text) for post in ends):
            return None
        times = {post.published for post in ends}
        if any(post.published in times for one in self._buffer for post in one.posts):
            self.flush()
        return self._archive.other_holder(page.forum_id, page.list_url or page.url, reading.title, ends)

    def _refused(self, page: PendingPage, response: Response, refusal: str) -> None:
        retry = None
        if outcomes.passes(response.status):
            retry = outcomes.retry_time(page, response.fetched, self._options)
        kind = outcomes.kind_of_status(response.status)
        if response.status in outcomes.GONE and (instead := self.planner.instead_of(page)).found:
            self._fail(page, response.fetched, UNNUMBERED, FailureKind.NEEDLESS, status=response.status, plan=instead)
            return
        self._fail(page, response.fetched, refusal, kind, status=response.status, retry_at=retry)
        if response.status in outcomes.GONE and page.kind is PageKind.THREAD:
            self._archive.mark_thread_vanished(page.list_url or page.url, response.fetched)
        elif response.status in outcomes.GONE and page.reason in (update.SHRANK, update.AUDIT):
            self._mark_vanished(page.reason, page.list_url or page.url)

    def _misfit(self, page: PendingPage, response: Response, reading: Reading) -> None:
        assert reading.misfit is not None
        if reading.misfit is Misfit.NO_POSTS or (reading.misfit is Misfit.LOGIN and _is_linked_in_posts(page)):
            self._harvest.add(page.list_url or page.url, fruit=False)
        reason = outcomes.misfit_reason(reading.misfit, reading.detail)
        retry = None
        if self._is_first_answer(page, response, reading.misfit):
            retry = self._begun
        else:
            self._fitness.add(reading)
        if reading.misfit is Misfit.CHALLENGE:
            retry = outcomes.retry_time(page, response.fetched, self._options)
        plan = Plan(refused=refused_urls(reading), strays=outcomes.strays_of(reading))
        kind = outcomes.KIND_OF_MISFIT[reading.misfit]
        if retry is None:
            self.planner.note_no_list(page)
        self._fail(page, response.fetched, reason, kind, status=response.status, retry_at=retry, plan=plan)

    def _fail(
        self,
        page: PendingPage,
        moment: datetime,
        reason: str,
        kind: FailureKind,
        *,
        status: int | None = None,
        retry_at: datetime | None = None,
        plan: Plan | None = None,
    ) -> None:
        if page.reason == NUMBERED or (kind in _BESIDE_POSTS and _is_linked_in_posts(page)):
            kind, retry_at = FailureKind.NEEDLESS, None  # no list said that there is such a thread
        again = None if retry_at is not None else outcomes.again_time(page, kind, moment, self._options)
        outcome = outcomes.failed_outcome(
            page, moment, reason, kind, status=status, retry_at=retry_at, again_at=again, plan=plan
        )
        self._save(page, self._with_few_strays(outcome))

    def _is_first_answer(self, page: PendingPage, response: Response, misfit: Misfit) -> bool:
        """Whether a page without rows was kept from learning: some sites link in another form to visitors who bring no
        cookies yet, so their first page is asked for once more."""
        return misfit is Misfit.NO_ROWS and response.fetched < self._begun and not page.tries

    def _content(self, page: PendingPage, response: Response, reading: Reading, holder: str | None = None) -> None:
        """Save a page's content. `holder` is the address of a thread that is this one, met by one of its messages."""
        place = self._place(page, response, reading)
        if place is None:
            self.planner.note_no_list(page)
            reason = f"it leads to {response.url}, which is no page of its kind"
            self._fail(page, response.fetched, reason, FailureKind.ELSEWHERE, status=response.status)
            return
        self._fitness.add(reading)
        if page.kind in INDEX_KINDS:
            self.flush()
        plan = self.planner.plan(page, place.list_url, place.page_number, reading)
        if page.kind in INDEX_KINDS:
            if is_update(page):
                plan = self._with_changes(page, place, plan, reading)
            elif self._options.until_known:  # a list that nobody read before may show what changed on others
                plan = replace(plan, found=(*plan.found, *self._updater.changed(plan.rows)))
        posts = reading.posts
        if posts and (place.page_number > 1 or reading.flips.last > 1 or reading.flips.next_url):
            posts = self._stitch(place, posts)
        alias = self.planner.alias_of(place.list_url) if posts else None
        messages = outcomes.messages_of(place.list_url, posts)
        self._by_message = self._by_message or bool(messages)
        self._count(reading, plan)
        if posts:
            self._harvest.add(place.list_url, fruit=True)
        outcome = outcomes.read_outcome(page, response, place, reading, posts, plan, (alias, holder, *messages))
        if (
            page.reason == update.MENDED and page.body_hash is not None and not reading.general
        ):  # read before, otherwise
            outcome = replace(outcome, misread_since=self._earliest)
        outcome = self._with_few_strays(outcome)
        self._save(page, outcome, at_once=not posts)
        if posts:
            self._look_back(page, place, reading)

    def _with_few_strays(self, outcome: PageOutcome) -> PageOutcome:
        """A site of endless words must not fill the archive with links that nobody explains."""
        if len(outcome.strays) > self._strays_left:
            return replace(outcome, strays=())
        self._strays_left -= len(outcome.strays)
        return outcome

    def _stitch(self, place: ListPage, posts: tuple[PostRecord, ...]) -> tuple[PostRecord, ...]:
        if self._stitcher.reads(place.list_url, place.page_number, posts):
            self.flush()
        return self._stitcher.stitch(place.list_url, place.page_number, posts)

    def _place(self, page: PendingPage, response: Response, reading: Reading) -> ListPage | None:
        """Where an answer belongs: asked for is not always got; None for an answer of another kind.

        A thread whose address leads to that of a list is a thread if it has posts of its own.
        """
        asked = ListPage(page.list_url or page.url, page.page_number)
        if response.url in (page.url, response.requested) or page.kind is PageKind.ENTRY:
            return asked
        typed = self.planner.type_of(response.url)
        if typed is None:
            return asked
        if typed.is_thread == (page.kind in INDEX_KINDS):
            return asked if page.kind is PageKind.THREAD and has_news(self._archive, reading) else None
        number = self.planner.page_number(response.url) or page.page_number
        return ListPage(self.planner.settled_form(replace(typed, url=typed.list_url)), number)

    def _with_changes(self, page: PendingPage, place: ListPage, plan: Plan, reading: Reading) -> Plan:
        """On an update, an index page leads to the threads that changed and, if any did or may have, to the next."""
        changed = self._updater.changed(plan.rows)
        # the list was fetched whole before: a pager that grew shows no threads that its head did not show
        plan = replace(plan, found=tuple(one for one in plan.found if one.kind is not PageKind.INDEX_FLIP))
        moved = place.page_number > 1 and self._updater.were_read(plan.rows, place.list_url)
        if not changed and not plan.fresh and not moved:
            return plan
        if self._options.until_known and self._updater.shows_known(plan.rows):
            return replace(plan, found=(*plan.found, *changed))
        further: tuple[FoundUrl, ...] = ()
        number = place.page_number + 1
        url = reading.flips.next_url or self.planner.flip_url(place.list_url, number)
        if url is not None and (number <= reading.flips.last or reading.flips.next_url):
            flip = PageKind.INDEX_FLIP
            further = (FoundUrl(url, flip, update.FURTHER, place.list_url, number, lists.INDEX_FLIP, again=True),)
        return replace(plan, found=(*plan.found, *changed, *further))

    def _look_back(self, page: PendingPage, place: ListPage, reading: Reading) -> None:
        """After the last page of a thread: is it whole?"""
        if place.page_number < reading.flips.last or reading.flips.next_url:
            return
        if page.reason in (update.SHRANK, update.AUDIT):
            self._mark_vanished(page.reason, place.list_url)
        elif place.page_number > 1 and self._stitcher.lacks_posts(place.list_url, place.page_number):
            self.flush()
            self._archive.add_urls(page.forum_id, list(self._updater.whole_thread(place.list_url, update.AUDIT)))

    def _mark_vanished(self, reason: str, list_url: str) -> None:
        """Once all pages of a thread were asked for again: what their pages show no more is gone."""
        self.flush()
        if not self._updater.is_whole_since(list_url, reason):
            return
        pages = [one for one in self._archive.pages_of_list(list_url) if one.reason == reason]
        times = [one.fetched for one in pages if one.fetched is not None]
        if times:
            gone = {one.page_number for one in pages if one.status in outcomes.GONE}
            held = {one.page_number for one in pages if one.state is PageState.DONE}
            self._archive.mark_vanished(list_url, min(times), gone - held)

    def _count(self, reading: Reading, plan: Plan) -> None:
        self.tally.useful += plan.fresh
        self.tally.posts += len(reading.posts)
        self.tally.thread_pages += bool(reading.posts)
        self.tally.by_general_reader += reading.general

    def flush(self) -> None:
        """Save what is buffered, in one transaction."""
        if self._buffer:
            self._archive.save_all(self._buffer)
            self._buffer.clear()

    def next_pages(self, count: int) -> list[PendingPage]:
        """The next pages to fetch, most urgent first; what is buffered is saved in the same transaction."""
        pages = self._archive.lease(count, datetime.now(UTC), forum_id=self._forum_id, after=self._buffer)
        self._buffer.clear()
        return pages

    @property
    def is_buffering(self) -> bool:
        return bool(self._buffer)

    def _save(self, page: PendingPage, outcome: PageOutcome, *, at_once: bool = True) -> None:
        """Save an outcome. Thread pages of one moment share a transaction; a kill has them fetched again."""
        self._buffer.append(outcome)
        if at_once or len(self._buffer) >= _BATCH:
            self.flush()
        self.tally.requests[page.kind] += 1
        self.tally.last_url = page.url
        if outcome.failure is not None:
            self.tally.failures[outcome.failure] += 1


def _is_linked_in_posts(page: PendingPage) -> bool:
    """Whether a page is a thread's that no list shows, and that was never fetched before."""
    return page.kind is PageKind.THREAD and page.priority == lists.LINKED_IN_POSTS and page.body_hash is None
