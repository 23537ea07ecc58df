"""Forums whose threads are named by their first message, and where each message has a page that looks like a thread."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.crawl.tinyforum import POSTS_A_PAGE, START, Crawl, Post, TinyForum, archived

from thrawl.archive import Archive
from thrawl.learn.wrappers.learnheading import learn_page_wrapper
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.page.reading import read_page
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile


class Comments(TinyForum):
    """One list of threads, and one of the newest comments of all of them, each with a link to its own page."""

    def page(self, path: str) -> str | None:
        everything = [post for posts in self.threads.values() for post in posts]
        if path == "/":
            return self._frame("News", f"{MENU}<ol>{''.join(map(self._row, self.threads))}</ol>")
        if path == "/comments":
            return self._frame("New comments", MENU + "".join(self._message(post) for post in everything[-20:]))
        post = next((post for post in everything if path == f"/item/{post.id}"), None)
        return None if post is None else self._item(post)

    def profile(self) -> Profile:
        items = [f"/item/{posts[0].id}" for posts in self.threads.values()]
        read = [read_page(body, self.origin + item) for item in items if (body := self.page(item))]
        posts, heading = learn_post_wrapper(read), learn_page_wrapper(read, [], is_index_url=lambda url: False)
        return Profile(
            f"{self.origin}/",
            (ListPattern(Pattern.parse(f"{self.origin}/comments"), ()),),
            (ListPattern(Pattern.parse(self.origin + "/item/{a:number}"), ()),),
            post_wrapper=posts.to_json() if posts else None,
            page_wrapper=heading.to_json() if heading else None,
        )

    def _row(self, thread: int) -> str:
        first, *others = self.threads[thread]
        item = f"/item/{first.id}"
        return (
            f"<li><a class='title' href='{item}'>{self.title(thread)}</a><p>by {first.author} "
            f"{self._time(first)} | <a href='{item}'>{len(others)} comments</a></p></li>"
        )

    def _item(self, post: Post) -> str:
        thread, posts = next((number, posts) for number, posts in self.threads.items() if post in posts)
        heading = self.title(thread) if post is posts[0] else f"{post.text[:20]}..."
        shown = "".join(map(self._message, posts[posts.index(post) :]))
        return f"<!DOCTYPE html><title>{heading} | News</title><body>{MENU}<main>{shown}</main>"

    def _message(self, post: Post) -> str:
        thread, posts = next((number, posts) for number, posts in self.threads.items() if post in posts)
        title = f"<h1>{self.title(thread)}</h1>" if post is posts[0] else ""
        return (
            f"<div class='post' id='{post.id}'><p>{post.author} <a href='/item/{post.id}'>{self._time(post)}</a></p>"
            f"<div class='words'>{title}<p>{post.text}</p></div></div>"
        )

    def _time(self, post: Post) -> str:
        return f"{START + timedelta(minutes=7 * post.id):%Y-%m-%d %H:%M}"


MENU = "<nav><a href='/'>News</a> <a href='/comments'>comments</a></nav>"


async def test_the_page_of_a_comment_is_no_thread_of_its_own(crawl: Crawl, tmp_path: Path) -> None:
    forum = Comments().fill(threads=14, longest=5)
    await forum.start()
    try:
        await crawl(forum, forum.profile())
    finally:
        await forum.stop()
    with Archive.open(tmp_path / "forum.db", readonly=True) as archive:
        got = [(post.thread_url, post.text) for post in archive.posts()]
    said = [(f"{forum.origin}/item/{posts[0].id}", post.text) for posts in forum.threads.values() for post in posts]
    assert sorted(got) == sorted(said)
    assert forum.asked.total() < len(forum.threads) + 30


class LastPosts(TinyForum):
    """An entry that leads to each board's last post: to the page of its thread, under an address of its own."""

    def page(self, path: str) -> str | None:
        if path.startswith("/post/"):
            number = int(path.removeprefix("/post/"))
            thread = next(one for one, posts in self.threads.items() if posts[-1].id == number)
            return self._thread(thread, f"/thread/{thread}", -(-len(self.threads[thread]) // POSTS_A_PAGE))
        return super().page(path)

    def profile(self) -> Profile:
        known = super().profile()
        return replace(
            known, thread=(*known.thread, ListPattern(Pattern.parse(self.origin + "/post/{a:number}"), (), ("a",)))
        )

    def _board_row(self, board: int) -> str:
        last = max((self.threads[one] for one in self.boards[board]), key=len)[-1]
        return f"{super()._board_row(board)}<p>last: <a href='/post/{last.id}'>{last.author}</a></p>"


async def test_a_thread_met_by_its_last_post_is_one_with_the_thread_whose_page_that_was(
    crawl: Crawl, tmp_path: Path
) -> None:
    forum = LastPosts(crumbs=True).fill()
    await forum.start()
    try:
        await crawl(forum, forum.profile())
        assert archived(tmp_path / "forum.db") == forum.written()
    finally:
        await forum.stop()
