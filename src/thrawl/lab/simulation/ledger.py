"""What a simulated crawl downloaded and when, and the paper's three measures of it (section 4.3).

Bandwidth utilisation (eq. 4), coverage (eq. 5) and timeliness (eq. 6), for post lists (element: a post, downloaded
when its thread page is), for index lists (element: a new thread, downloaded when any page first shows it) and for
all (posts over all requests). Coverage counts only what appeared within the measured days, not the archive that
was there before, which would hide every miss.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from thrawl.lab.simulation.forum import DAY, Forum, Page, PostsPage
from thrawl.refresh.pages import EntryShown, Layer, PageRef, PostsShown, RowsShown, Shown

FloatArray = npt.NDArray[np.float64]
NEVER = np.inf
MONTH = 30 * DAY


@dataclass(frozen=True, slots=True)
class Measures:
    """Delays are minutes; `mean_with_missed` counts what was never downloaded as downloaded at the end.

    `within_month` is the share of what was there for a month, or was downloaded, that came within one.
    """

    timeliness: float
    median: float
    p90: float
    p99: float
    mean_with_missed: float
    coverage: float
    within_month: float
    utilisation: float
    elements: int
    requests: int


class Ledger:
    """Notes every answer of a run. The archive is complete at the moment the ledger is opened."""

    def __init__(self, forum: Forum) -> None:
        self._forum = forum
        self._downloaded = np.full(len(forum.times), NEVER)
        self._held = bytearray(len(forum.times))
        for posts in forum.posts.values():
            for post in posts:
                self._held[post] = 1
        self._threads_at_start = set(forum.posts)
        self._seen = set(forum.posts)
        self._thread_seen: dict[int, float] = {}
        self._kinds = array("b")
        self._new = array("l")
        self._moments = array("d")
        self._last_rows: dict[PageRef, Page] = {}
        self._last_posts: dict[PageRef, tuple[PostsPage, PostsShown]] = {}

    def note(self, now: float, ref: PageRef, page: Page) -> tuple[Shown, int]:
        """What the page shows to one who holds what was noted before, and how many new elements it brought.

        Elements are posts, or threads on other pages.
        """
        shown: Shown
        if isinstance(page, PostsPage):
            shown = self._note_posts(now, ref, page)
            new = len(shown.new)
        else:
            shown, new = page, self._note_rows(now, ref, page)
        self._note_request(now, ref, new)
        return shown, new

    def note_failure(self, now: float, ref: PageRef) -> None:
        self._note_request(now, ref, 0)

    def _note_request(self, now: float, ref: PageRef, new: int) -> None:
        self._kinds.append(ref.kind)
        self._new.append(new)
        self._moments.append(now)

    def measures(self, kind: str, start: float, end: float) -> Measures:
        """The measures over what appeared and what was asked from `start` to `end`; kind: all, index, post.

        Delays leave out what appeared while the forum was down, and of what waited when it went down that time: nobody
        could have had it.
        """
        appeared, downloaded = self._threads() if kind == "index" else self._posts()
        inside = (appeared >= start) & (appeared < end)
        moments = np.array(self._moments)
        asked = self._asked(kind) & (moments > start) & (moments <= end)
        appeared, downloaded = appeared[inside], downloaded[inside]
        looks = self._forum.looks
        reachable = (appeared < looks.down) | (appeared >= looks.up)
        shut = np.clip(np.minimum(downloaded, looks.up) - np.maximum(appeared, looks.down), 0.0, None)
        return _measure(appeared + shut, downloaded, reachable, self._useful()[asked], end)

    def _note_posts(self, now: float, ref: PageRef, page: PostsPage) -> PostsShown:
        last = self._last_posts.get(ref)
        if last is not None and last[0] is page:
            return last[1]
        held = self._held
        new = [place for place, post in enumerate(page.posts) if not held[post]]
        for place in new:
            post = page.posts[place]
            held[post] = 1
            self._downloaded[post] = now
        if new:
            self._see(ref.list, now)
        again = PostsShown((), len(page.posts), page.page, page.pages)
        self._last_posts[ref] = page, again
        return replace(again, new=[page.times[place] for place in new]) if new else again

    def _note_rows(self, now: float, ref: PageRef, shown: RowsShown | EntryShown) -> int:
        if self._last_rows.get(ref) is shown:
            return 0
        self._last_rows[ref] = shown
        threads = shown.threads if isinstance(shown, RowsShown) else shown.last_threads or ()
        if self._seen.issuperset(threads):
            return 0
        new = [thread for thread in threads if thread is not None and thread not in self._seen]
        for thread in new:
            self._see(thread, now)
        return len(new)

    def _see(self, thread: int, now: float) -> None:
        if thread not in self._seen:
            self._seen.add(thread)
            self._thread_seen[thread] = now

    def _posts(self) -> tuple[FloatArray, FloatArray]:
        return np.array(self._forum.times, dtype=np.float64), self._downloaded

    def _threads(self) -> tuple[FloatArray, FloatArray]:
        forum = self._forum
        opened = {thread: posts[0] for thread, posts in forum.posts.items() if thread not in self._threads_at_start}
        appeared = np.array([forum.times[post] for post in opened.values()], dtype=np.float64)
        seen = np.array([self._thread_seen.get(thread, NEVER) for thread in opened], dtype=np.float64)
        return appeared, seen

    def _asked(self, kind: str) -> npt.NDArray[np.bool_]:
        posts = np.array(self._kinds) == Layer.POSTS
        asked: npt.NDArray[np.bool_] = {"all": np.ones_like(posts), "post": posts, "index": ~posts}[kind]
        return asked

    def _useful(self) -> npt.NDArray[np.bool_]:
        useful: npt.NDArray[np.bool_] = np.array(self._new) > 0
        return useful


def _measure(
    appeared: FloatArray,
    downloaded: FloatArray,
    reachable: npt.NDArray[np.bool_],
    useful: npt.NDArray[np.bool_],
    end: float,
) -> Measures:
    got = downloaded <= end
    waits = downloaded - appeared
    known = got | (end - appeared >= MONTH)
    delays = waits[got & reachable] / 60
    with_missed = (np.minimum(downloaded, end) - appeared)[reachable] / 60
    median, p90, p99 = np.percentile(delays, (50, 90, 99)) if len(delays) else (np.nan,) * 3
    return Measures(
        timeliness=float(delays.mean()) if len(delays) else np.nan,
        median=float(median),
        p90=float(p90),
        p99=float(p99),
        mean_with_missed=float(with_missed.mean()) if len(with_missed) else np.nan,
        coverage=float(got.mean()) if len(got) else 1.0,
        within_month=float((waits[known] <= MONTH).mean()) if known.any() else 1.0,
        utilisation=float(useful.mean()) if len(useful) else np.nan,
        elements=len(appeared),
        requests=len(useful),
    )
