"""What posts have in common that no two people write: whole posts, and the words that posts begin or end with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
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
    length = func.length(posts.c.text)
    texts = (
        select(func.substr(posts.c.text, 1, _END), func.substr(posts.c.text, length - (_END - 1)))
        .join(threads, threads.c.id == posts.c.thread_id)
        .where(threads.c.forum_id == forum_id, length > _END)
        .limit(_MOST)
    )
    parts = connection.execute(texts).all()
    return Wordings(twice, len(parts), _commonest(begin for begin, _ in parts), _commonest(end for _, end in parts))


def _commonest(parts: Iterable[str]) -> Phrase:
    counted = Counter(parts)
    number = max(counted.values(), default=0)
    return Phrase(min((part for part, times in counted.items() if times == number), default=""), number)


def _twice(forum_id: int) -> Select[Any]:
    """How many posts are one too many: somebody said the very same in another thread; short answers often are.

    People are told apart by their names: a view for printers links to none of them.
    """
    mine = (authors.c.forum_id == forum_id, posts.c.vanished.is_(None), func.length(posts.c.text) >= _TELLING)
    same = (
        select((func.count(posts.c.thread_id.distinct()) - literal_column("1")).label("more"))
        .join(authors, authors.c.id == posts.c.author_id)
        .where(*mine)
        .group_by(authors.c.name, posts.c.content_hash)
        .subquery()
    )
    return select(func.sum(same.c.more))
