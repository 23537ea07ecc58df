"""Writes that come from no page: a forum with its profile, and what a site no longer has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, ScalarSelect, delete, insert, or_, select, update

from thrawl.archive.storable import key_url, storable, storable_or_none
from thrawl.archive.tables import counters, forums, posts, thread_urls, threads


def put_forum(connection: Connection, entry_url: str, host: str, profile: str | None) -> int:
    """Add a forum, or give a known one its new profile; its id either way."""
    url = key_url(entry_url)
    known = connection.execute(select(forums.c.id).where(forums.c.entry_url == url)).scalar_one_or_none()
    if known is None:
        values = {"entry_url": url, "host": storable(host), "profile": storable_or_none(profile)}
        known = connection.execute(insert(forums).values(values).returning(forums.c.id)).scalar_one()
    elif profile is not None:
        connection.execute(update(forums).where(forums.c.id == known).values(profile=storable(profile)))
    return int(known)


READ: Final = "letters read"
UNREAD: Final = "letters unread"


def note_read(connection: Connection, forum_id: int, read: int, unread: int) -> None:
    """Note how many letters of thread pages stand in posts, and how many in none; what was noted before is void."""
    ours = (counters.c.forum_id == forum_id, counters.c.name.in_([READ, UNREAD]))
    connection.execute(delete(counters).where(*ours))
    noted = [{"forum_id": forum_id, "name": name, "value": value} for name, value in ((READ, read), (UNREAD, unread))]
    connection.execute(insert(counters), noted)


def mark_posts_vanished(
    connection: Connection, thread_url: str, moment: float, pages: Collection[int] | None = None
) -> int:
    """Mark the posts of a thread that were not seen since that moment; the number newly marked.

    With `pages`, which are gone, only posts that stood there or that their own page shows no more: of a page that is
    as it was, no post is seen anew.
    """
    gone = [posts.c.thread_id == _thread_at(thread_url), posts.c.fetched < moment, posts.c.vanished.is_(None)]
    if pages is not None:
        gone.append(or_(posts.c.displaced == 1, posts.c.page_number.in_(pages)))
    return connection.execute(update(posts).where(*gone).values(vanished=moment)).rowcount


def mark_thread_vanished(connection: Connection, thread_url: str, moment: float) -> bool:
    """Mark a thread; whether it was not marked before."""
    gone = (threads.c.id == _thread_at(thread_url), threads.c.vanished.is_(None))
    return connection.execute(update(threads).where(*gone).values(vanished=moment)).rowcount > 0


def _thread_at(url: str) -> ScalarSelect[int]:
    return select(thread_urls.c.thread_id).where(thread_urls.c.url == key_url(url)).scalar_subquery()
