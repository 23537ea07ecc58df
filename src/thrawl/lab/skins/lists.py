"""Lists cut into pages: which threads stand on a page of a board, which posts on a page of a thread."""

from __future__ import annotations

from typing import ClassVar

from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Line, Visit
from thrawl.lab.world import Column, Post, View
from thrawl.page.pagekind import PageKind

LISTS: dict[str, PageKind] = {"entry": PageKind.ENTRY, "board": PageKind.INDEX, "thread": PageKind.THREAD}


class Lists:
    """What a skin says about its page sizes, and what follows from it.

    Two forms of a board show other rows than the board itself: `sorted` turns its order round and `filtered` leaves
    only unanswered threads, on one page. The form `author` of a thread leaves only the posts of one user.
    """

    threads_per_page: ClassVar[int] = 20
    posts_per_page: ClassVar[int] = 10
    repeats_stickies: ClassVar[bool] = False
    repeats_first_post: ClassVar[bool] = False
    entry_lists_threads: ClassVar[bool] = False  # then boards are mere filters of one long list

    def page_size(self, what: str) -> int:
        return self.threads_per_page if LISTS.get(what) in ("entry", "index") else self.posts_per_page

    def page_count(self, place: SitePage, view: View) -> int:
        if place.form in ("filtered", "author"):
            return 1
        if place.what == "thread":
            total = view.size(place.id) - (1 if self.repeats_first_post else 0)
        else:
            total = len(self._listed(place, view)) - self._stickies(place, view)
        return max(1, -(-total // self.page_size(place.what)))

    def exists(self, place: SitePage, view: View) -> bool:
        if place.what == "board" and view.board(place.id) is None:
            return False
        if place.what == "thread" and view.thread(place.id) is None:
            return False
        return place.what in LISTS and place.page <= self.page_count(place, view)

    def rearranged(self, place: SitePage) -> bool:
        """Whether a form shows other records than its list's proper pages."""
        return place.form in (("author",) if place.what == "thread" else ("sorted", "filtered"))

    def threads_on(self, place: SitePage, view: View) -> list[int]:
        """Ids of the threads that an index page lists, in order."""
        ids = self._listed(place, view)
        pinned = self._stickies(place, view)
        start = pinned + (place.page - 1) * self.threads_per_page
        listed = [*ids[:pinned], *ids[start : start + self.threads_per_page]]
        return [int(number) for number in listed]

    def lines(self, visit: Visit, place: SitePage) -> list[Line]:
        """The threads of an index page with what their rows tell."""
        return [line_of(visit.view, number) for number in self.threads_on(place, visit.view)]

    def span(self, place: SitePage, view: View) -> list[int]:
        """Positions, from 0, of the posts that a thread page shows."""
        size, total = self.posts_per_page, view.size(place.id)
        if not self.repeats_first_post:
            return list(range((place.page - 1) * size, min(place.page * size, total)))
        start = 1 + (place.page - 1) * size
        return [0, *range(start, min(start + size, total))]

    def posts_shown(self, place: SitePage, view: View) -> list[Post]:
        """The posts of a thread page, in order."""
        if place.form == "author":
            return [post for post in view.posts(place.id) if str(post.author.id) == place.key][: self.posts_per_page]
        return [view.posts(place.id, number, number + 1)[0] for number in self.span(place, view)]

    def posts_on(self, place: SitePage, view: View) -> tuple[int, ...]:
        """Ids of the posts whose words a page shows in full, if it is a thread page."""
        if place.what != "thread":
            return ()
        numbers = (view.post_id(place.id, position) for position in self.span(place, view))
        return tuple(number for number in numbers if number is not None)

    def _listed(self, place: SitePage, view: View) -> Column:
        ids = view.thread_ids(place.id if place.what == "board" else None)
        if place.what == "entry" and not self.entry_lists_threads:
            return ids[:0]
        if place.form == "sorted":
            return ids[::-1]
        if place.form == "filtered":
            return ids[[view.size(int(number)) == 1 for number in ids]]
        return ids

    def _stickies(self, place: SitePage, view: View) -> int:
        """Pinned threads that stand on every page and therefore do not count."""
        repeated = self.repeats_stickies and place.what == "board" and not place.form
        return view.sticky_count(place.id) if repeated else 0


def line_of(view: View, thread_id: int) -> Line:
    thread = view.thread(thread_id)
    if thread is None:
        raise KeyError(f"no thread {thread_id} at {view.moment}")
    return Line(thread, view.size(thread_id) - 1, view.last_post(thread_id))
