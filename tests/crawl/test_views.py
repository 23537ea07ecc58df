"""Views of threads that learning took for threads: what one person wrote in a thread, linked from the thread alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.crawl.tinyforum import Crawl, TinyForum, archived

from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile


class Views(TinyForum):
    """Each thread links to what each of its people wrote in it."""

    def page(self, path: str) -> str | None:
        parts = path.strip("/").split("/")
        if parts[0] != "only":
            return super().page(path)
        thread = int(parts[1])
        said = [post for post in self.threads[thread] if post.author == parts[2]]
        return self._frame(self.title(thread), "".join(map(self._post, said)))

    def _thread(self, thread: int, where: str, number: int) -> str | None:
        page = super()._thread(thread, where, number)
        names = dict.fromkeys(post.author for post in self.threads[thread])
        return page and page + "".join(f"<a href='/only/{thread}/{name}'>{name} alone</a>" for name in names)

    def profile(self) -> Profile:
        views = ListPattern(Pattern.parse(f"{self.origin}/only/{{a:number}}/{{b:word}}"))
        learned = super().profile()
        return replace(learned, thread=(*learned.thread, views))


async def test_views_that_show_parts_of_known_threads_are_left_alone_after_a_few(crawl: Crawl, tmp_path: Path) -> None:
    forum = Views().fill(boards=3, threads=10)
    await forum.start()
    try:
        await crawl(forum)
        assert archived(tmp_path / "forum.db") == forum.written()
    finally:
        await forum.stop()
    assert sum(path.startswith("/only/") for path in forum.asked) < 20


class Prints(TinyForum):
    """Each thread links to all of its posts on one page for printers, which has no title."""

    def page(self, path: str) -> str | None:
        kind, _, thread = path.strip("/").partition("/")
        return "".join(map(self._post, self.threads[int(thread)])) if kind == "print" else super().page(path)

    def _thread(self, thread: int, where: str, number: int) -> str | None:
        page = super()._thread(thread, where, number)
        return page and f"{page}<a href='/print/{thread}'>Print</a>"

    def profile(self) -> Profile:
        views = ListPattern(Pattern.parse(f"{self.origin}/print/{{a:number}}"))
        learned = super().profile()
        return replace(learned, thread=(*learned.thread, views))


async def test_views_without_a_title_are_known_by_their_first_and_last_posts(crawl: Crawl, tmp_path: Path) -> None:
    forum = Prints().fill(boards=2, threads=4)
    await forum.start()
    try:
        await crawl(forum)
        assert archived(tmp_path / "forum.db") == forum.written()
    finally:
        await forum.stop()
