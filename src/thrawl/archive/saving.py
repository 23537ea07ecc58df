"""What happens inside the one transaction in which a page's outcome is saved.

The order of the steps is the order of dependence: the page, its boards, its thread, its posts, what it led to.
Every step is an upsert, so saving a page twice gives its content once. The cost depends on the page alone: each
step looks up what the page names, through an index.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from thrawl.archive.boards import Boards
from thrawl.archive.copying import PostCopy
from thrawl.archive.identity import asked_identities, content_hash, identities, names_its_year, without_id
from thrawl.archive.known import KnownIds, Recent, author_mark
from thrawl.archive.statements import Statements
from thrawl.archive.storable import author_name, fits, key_url, pattern_of, storable, storable_or_none
from thrawl.archive.values import (
    FoundUrl,
    PageOutcome,
    PageState,
    RefusedUrl,
    ThreadRef,
    to_seconds,
    to_shown,
)
from thrawl.limits import MAX_STORED_URL_BYTES
from thrawl.page.shown import PostRecord, Quote, ThreadRow

TOO_LONG: Final = f"the URL is longer than {MAX_STORED_URL_BYTES} bytes"


class Saving:
    """The steps of saving, on a driver's cursor within a transaction that the caller ends."""

    def __init__(
        self,
        cursor: Any,
        statements: Statements,
        boards: Boards,
        threads: KnownIds,
        recent: Recent,
        *,
        refusals_left: int,
        copying: PostCopy | None = None,
    ) -> None:
        self._cursor = cursor
        self._sql = statements
        self._boards = boards
        self._threads = threads
        self._recent = recent
        self._copying = copying
        self._requests: Counter[tuple[int, str]] = Counter()
        self.refusals_left = refusals_left
        self.learned: list[tuple[str, int]] = []

    def save(self, outcome: PageOutcome) -> None:
        now = to_seconds(outcome.fetched)
        page_id = self._page(outcome, now)
        board_id = self._boards.leaf(self._cursor, outcome.forum_id, outcome.boards)
        if outcome.thread is not None:
            thread_id = self._thread(outcome.forum_id, outcome.thread, board_id, now, further=outcome.page_number > 1)
            self._posts(outcome, thread_id, now)
        for row in outcome.rows:
            self._row(outcome.forum_id, row, board_id, now)
        self.found(outcome.forum_id, outcome.found, page_id)
        self.refused(outcome.refused, page_id)
        self._ledger(outcome)
        if outcome.was_asked:
            self._requests[outcome.forum_id, f"requests:{outcome.kind}"] += 1
        if outcome.failure is not None:
            self._requests[outcome.forum_id, "requests:failed"] += 1

    def finish(self) -> None:
        """Write what was gathered over all pages of the transaction."""
        for (forum_id, name), value in sorted(self._requests.items()):
            self._cursor.execute(self._sql.count, {"forum_id": forum_id, "name": name, "value": value})

    def found(self, forum_id: int, found: Sequence[FoundUrl], page_id: int | None) -> None:
        """Put URLs into the frontier, unless they are there already."""
        new: list[dict[str, Any]] = []
        again: list[dict[str, Any]] = []
        for item in found:
            priority = item.kind.priority if item.priority is None else item.priority
            if not fits(item.url):
                self.refused((RefusedUrl(item.url, TOO_LONG),), page_id)
            elif item.again or not self._recent.knows(item.url, priority):
                (again if item.again else new).append(_frontier_row(forum_id, item, priority, page_id))
        if new:
            self._cursor.executemany(self._sql.found, new)
            self.learned.extend((row["url"], row["priority"]) for row in new)
        if again:
            self._cursor.executemany(self._sql.found_again, again)

    def refused(self, refused: Sequence[RefusedUrl], page_id: int | None) -> None:
        """Keep the reasons, one for each pattern, as long as there is room."""
        for item in refused:
            pattern = key_url(item.pattern) if item.pattern else pattern_of(item.url)
            mark = f"refused {pattern}"
            if self.refusals_left <= 0 or self._recent.knows(mark, 0):
                continue
            row = {
                "pattern": pattern,
                "reason": storable(item.reason),
                "sample": key_url(item.url),
                "found_on": page_id,
            }
            self._cursor.execute(self._sql.refused, row)
            self.refusals_left -= max(self._cursor.rowcount, 0)
            self.learned.append((mark, 0))

    def _ledger(self, outcome: PageOutcome) -> None:
        """What the page promises, and what on it nobody explains."""
        for promise in outcome.promises:
            row = {"forum_id": outcome.forum_id, "subject": key_url(promise.subject), "number": promise.number}
            texts = {"place": key_url(promise.place), "words": storable(promise.words)}
            self._cursor.execute(self._sql.promise, {**row, **texts})
        for stray in outcome.strays:
            mark = f"stray {outcome.forum_id} {stray.url}"
            if not self._recent.knows(mark, 0) and fits(stray.url):
                row = {"forum_id": outcome.forum_id, "url": storable(stray.url), "title": storable(stray.title)}
                self._cursor.execute(self._sql.stray, {**row, "list_url": key_url(outcome.list_url or outcome.url)})
                self.learned.append((mark, 0))

    def _page(self, outcome: PageOutcome, now: float) -> int:
        state, due = _state(outcome)
        row = {
            "forum_id": outcome.forum_id,
            "url": key_url(outcome.url),
            "kind": outcome.kind.value,
            "state": state.value,
            "list_url": storable_or_none(outcome.list_url),
            "page_number": outcome.page_number,
            "priority": outcome.kind.priority,
            "reason": storable_or_none(outcome.reason),
            "status": outcome.status,
            "etag": storable_or_none(outcome.etag),
            "last_modified": storable_or_none(outcome.last_modified),
            "body_hash": outcome.body_hash,
            "fetched": now,
            "failure": storable_or_none(outcome.failure),
            "failure_kind": None if outcome.failure_kind is None else outcome.failure_kind.value,
            "tries": 1,
            "due": due,
            "records": outcome.records,
            "digest": outcome.digest,
            "last_page": _small(outcome.last_page),
            "unfollowed": _small(outcome.unfollowed),
        }
        self._cursor.execute(self._sql.page, row)
        page_id = int(self._cursor.fetchone()[0])
        for url in outcome.also:
            led_here = {"reason": f"shows the same page as {row['url']}", "found_on": page_id}
            self._cursor.execute(self._sql.also, {**row, "url": key_url(url), **led_here})
        return page_id

    def _thread(
        self, forum_id: int, thread: ThreadRef, board_id: int | None, now: float, *, further: bool = False
    ) -> int:
        """The thread of a page; a further page may say its own number beside the title."""
        url = key_url(thread.url)
        known = self._thread_id(url)
        for alias in thread.aliases:
            other = self._thread_id(key_url(alias))
            if known is None:
                known = other
            elif other is not None and other != known:
                self._merge(other, known)
        title = storable(thread.title) if thread.title else None
        facts = {"url": url, "title": title, "board_id": board_id, "last_seen": now}
        if known is None:
            known = self._new_thread({"forum_id": forum_id, "first_seen": now, **facts})
        else:
            told = {**facts, "title": None if further else title, "spare_title": title}
            self._cursor.execute(self._sql.seen_thread, {"thread_id": known, **told})
        for name in (url, *map(key_url, thread.aliases)):
            self._name_thread(name, known)
        return known

    def _thread_id(self, url: str) -> int | None:
        known = self._threads.get(url)
        if known is None:
            found = self._cursor.execute(self._sql.thread_id, {"url": url}).fetchone()
            if found is not None:
                known = int(found[0])
                self._threads.remember(url, known)
        return known

    def _name_thread(self, url: str, thread_id: int) -> None:
        if self._threads.get(url) != thread_id:
            self._cursor.execute(self._sql.thread_url, {"url": url, "thread_id": thread_id})
            self._threads.remember(url, thread_id)

    def _new_thread(self, facts: dict[str, Any]) -> int:
        return int(self._cursor.execute(self._sql.new_thread, facts).fetchone()[0])

    def _merge(self, other: int, known: int) -> None:
        """Two threads turned out to be one: what index pages told of the other goes to the one that stays."""
        ids = {"other": other, "known": known}
        for statement in self._sql.merge:
            self._cursor.execute(statement, ids)
        self._threads.forget()

    def _row(self, forum_id: int, row: ThreadRow, board_id: int | None, now: float) -> None:
        url = key_url(row.url)
        thread_id = self._thread_id(url)
        if thread_id is None:
            facts = {"url": url, "title": None, "board_id": board_id, "first_seen": now, "last_seen": now}
            thread_id = self._new_thread({"forum_id": forum_id, **facts})
            self._name_thread(url, thread_id)
        shown = {
            "title": storable(row.title),
            "author": storable_or_none(row.author),
            "replies": _small(row.replies),
            "views": _small(row.views),
            "last_time": to_shown(row.last_time),
            "last_time_text": storable_or_none(row.last_time_text),
            "last_author": storable_or_none(row.last_author),
            "sticky": int(row.sticky),
        }
        self._cursor.execute(
            self._sql.seen_row, {"thread_id": thread_id, "board_id": board_id, "last_seen": now, **shown}
        )

    def _posts(self, outcome: PageOutcome, thread_id: int, now: float) -> None:
        if not outcome.posts:
            return
        known = self._holds_posts(thread_id)
        named = identities(outcome.posts, self._permalinks(outcome.posts, thread_id) if known else {})
        if known:
            self._number(outcome, named, thread_id)
            self._forget_misread(outcome, named, thread_id)
        rows = _post_rows(outcome, named, thread_id, now)
        self._authors(outcome.forum_id, rows)
        if self._copying is not None and self._copying.takes(self._cursor, rows, thread_has_posts=known):
            self._copying.write(self._cursor, rows)
        else:
            self._upsert(rows, known=known)
        if known:
            place = {"thread_id": thread_id, "page_number": outcome.page_number, "fetched": now}
            self._cursor.execute(self._sql.displaced, place)

    def _number(self, outcome: PageOutcome, named: Sequence[str], thread_id: int) -> None:
        """Posts that were read without their ids, and are now read with them, are the same posts."""
        place = {"thread_id": thread_id, "page_number": outcome.page_number}
        if self._cursor.execute(self._sql.unnumbered, place).fetchone() is None:
            return
        for post, identity in zip(outcome.posts, named, strict=True):
            if post.post_id:
                now = {"identity": storable(identity), "post_id": storable(post.post_id)}
                self._cursor.execute(self._sql.numbered, {"thread_id": thread_id, "words": without_id(post), **now})

    def _forget_misread(self, outcome: PageOutcome, named: Sequence[str], thread_id: int) -> None:
        """What another profile cut of a page's words, and this one reads otherwise, is no post."""
        if outcome.misread_since is None:
            return
        place = {"thread_id": thread_id, "page_number": outcome.page_number}
        read = self._cursor.execute(self._sql.read_since, {**place, "since": to_seconds(outcome.misread_since)})
        kept = set(map(storable, named))
        for post_id, identity in read.fetchall():
            for statement in self._sql.forget if identity not in kept else ():
                self._cursor.execute(statement, {"id": post_id})

    def _upsert(self, rows: Sequence[dict[str, Any]], *, known: bool) -> None:
        if known:
            self._cursor.executemany(self._sql.revision, rows)
        self._cursor.executemany(self._sql.post, rows)

    def _holds_posts(self, thread_id: int) -> bool:
        return self._cursor.execute(self._sql.first_page, {"thread_id": thread_id}).fetchone()[0] is not None

    def _permalinks(self, posts: Sequence[PostRecord], thread_id: int) -> dict[str, str | None]:
        """The permalinks that the thread holds under the identities that these posts could have."""
        held = {}
        for identity in dict.fromkeys(one for post in posts for one in asked_identities(post)):
            named = {"thread_id": thread_id, "identity": storable(identity)}
            found = self._cursor.execute(self._sql.permalink, named).fetchone()
            if found is not None:
                held[identity] = found[0]
        return held

    def _authors(self, forum_id: int, rows: Sequence[dict[str, Any]]) -> None:
        names = {(row["author_name"], row["author_url"]) for row in rows if row["author_name"] is not None}
        new = [
            (name, url) for name, url in sorted(names) if not self._recent.knows(author_mark(forum_id, name, url), 0)
        ]
        if new:
            self._cursor.executemany(
                self._sql.author, [{"forum_id": forum_id, "name": name, "url": url} for name, url in new]
            )
            self.learned.extend((author_mark(forum_id, name, url), 0) for name, url in new)


def _state(outcome: PageOutcome) -> tuple[PageState, float]:
    if outcome.failure is None:
        return PageState.DONE, 0.0
    if outcome.retry_at is None:
        return PageState.FAILED, 0.0 if outcome.again_at is None else to_seconds(outcome.again_at)
    return PageState.PENDING, to_seconds(outcome.retry_at)


def _frontier_row(forum_id: int, item: FoundUrl, priority: int, page_id: int | None) -> dict[str, Any]:
    return {
        "forum_id": forum_id,
        "url": storable(item.url),
        "kind": item.kind.value,
        "state": PageState.PENDING.value,
        "list_url": storable_or_none(item.list_url),
        "page_number": item.page_number,
        "priority": priority,
        "reason": storable(item.reason),
        "found_on": page_id,
    }


def _post_rows(outcome: PageOutcome, named: Sequence[str], thread_id: int, now: float) -> list[dict[str, Any]]:
    """One row for each identity; of a post that stands twice on the page, the first counts."""
    rows: dict[str, dict[str, Any]] = {}
    for index, (post, identity) in enumerate(zip(outcome.posts, named, strict=True)):
        if identity not in rows:
            rows[identity] = {
                "forum_id": outcome.forum_id,
                "thread_id": thread_id,
                "identity": storable(identity),
                "page_number": outcome.page_number,
                "index_on_page": index,
                "first_seen": now,
                "fetched": now,
                **_post_columns(post),
            }
    return list(rows.values())


def _post_columns(post: PostRecord) -> dict[str, Any]:
    return {
        "post_id": storable_or_none(post.post_id),
        "post_url": storable_or_none(post.post_url),
        "author_name": None if post.author is None else author_name(post.author),
        "author_url": key_url(post.author_url) if post.author_url else "",
        "published": to_shown(post.published),
        "published_text": storable_or_none(post.published_text),
        "absolute": int(names_its_year(post.published_text)),
        "edited": to_shown(post.edited),
        "text": storable(post.text),
        "html": storable(post.html),
        "quotes": _quotes_json(post.quotes) if post.quotes else None,
        "reply_to": storable_or_none(post.reply_to),
        "depth": post.depth,
        "content_hash": content_hash(post),
    }


def _quotes_json(quotes: Sequence[Quote]) -> str:
    listed = [{"author": quote.author, "text": quote.text, "post_id": quote.post_id} for quote in quotes]
    return storable(json.dumps(listed, ensure_ascii=False))


def _small(number: int | None) -> int | None:
    """A count as a column takes it; a page can show any number of digits."""
    return None if number is None else max(-(2**31), min(number, 2**31 - 1))
