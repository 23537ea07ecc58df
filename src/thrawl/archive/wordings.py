"""What posts have in common that no two people write: whole posts, and the words that posts begin or end with."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Select, func, literal_column, select

from thrawl.archive.facts import Phrase, Wordings
from thrawl.archive.tables import authors, posts, threads

_TELLING: Final = 60  # characters of a post that nobody writes twice by chance
_END: Final = 12  # characters of a beginning or an end; greetings are shorter, or differ from person to person
_MOST: Final = 4000  # posts that are looked at: enough for a share


def wordings_of(connection: Connection, forum_id: int) -> Wordings:
    """The wordings of a forum's posts."""
    twice = int(connection.execute(_twice(forum_id)).scalar_one() or 0)
    texts = (
        select(posts.c.text.label("text"))
        .join(threads, threads.c.id == posts.c.thread_id)
        .where(threads.c.forum_id == forum_id, func.length(posts.c.text) > _END)
        .limit(_MOST)
        .subquery()
    )
    looked_at = int(connection.execute(select(func.count()).select_from(texts)).scalar_one())
    begins = func.substr(texts.c.text, 1, _END)
    ends = func.substr(texts.c.text, func.length(texts.c.text) - (_END - 1))
    return Wordings(twice, looked_at, *(_commonest(connection, part) for part in (begins, ends)))


def _commonest(connection: Connection, part: Any) -> Phrase:
    number = func.count()
    found = connection.execute(select(part, number).group_by(part).order_by(number.desc(), part).limit(1)).first()
    return Phrase("", 0) if found is None else Phrase(str(found[0]), int(found[1]))


def _twice(forum_id: int) -> Select[Any]:
    """How many posts are one too many: somebody said the very same in another thread; short answers often are."""
    mine = select(authors.c.id).where(authors.c.forum_id == forum_id)
    same = (
        select((func.count(posts.c.thread_id.distinct()) - literal_column("1")).label("more"))
        .where(posts.c.author_id.in_(mine), posts.c.vanished.is_(None), func.length(posts.c.text) >= _TELLING)
        .group_by(posts.c.author_id, posts.c.content_hash)
        .subquery()
    )
    return select(func.sum(same.c.more))
