"""The tables of an archive, the same on SQLite and PostgreSQL.

What one site shows as a time is kept as ISO text (`published`, `edited`, `last_time`), because its zone may be
unknown; what Thrawl's own clock says is kept as seconds since 1970. The `pages` table is the frontier and the
seen-set in one, so that a page's content and the crawl's state can never disagree.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

metadata: Final = MetaData()
_Key = BigInteger().with_variant(Integer, "sqlite")


def _id() -> Column[int]:
    return Column("id", _Key, primary_key=True, autoincrement=True)


def _to(target: str, *, name: str, required: bool = True) -> Column[int]:
    return Column(name, _Key, ForeignKey(target), nullable=not required)


schema_version: Final = Table("schema_version", metadata, Column("version", Integer, nullable=False))

forums: Final = Table(
    "forums",
    metadata,
    _id(),
    Column("entry_url", Text, nullable=False, unique=True),
    Column("host", Text, nullable=False),
    Column("profile", Text),
)

boards: Final = Table(
    "boards",
    metadata,
    _id(),
    _to("forums.id", name="forum_id"),
    # The URL; for a step of a breadcrumb without a link, its path of titles.
    Column("key", Text, nullable=False),
    Column("url", Text),
    Column("title", Text, nullable=False),
    _to("boards.id", name="parent_id", required=False),
    UniqueConstraint("forum_id", "key"),
)

threads: Final = Table(
    "threads",
    metadata,
    _id(),
    _to("forums.id", name="forum_id"),
    _to("boards.id", name="board_id", required=False),
    Column("url", Text, nullable=False),
    Column("title", Text),
    Column("replies", Integer),
    Column("views", BigInteger),
    Column("author", Text),
    Column("last_time", Text),
    Column("last_time_text", Text),
    Column("last_author", Text),
    Column("sticky", Integer, nullable=False, server_default="0"),
    Column("first_seen", Float(53), nullable=False),
    Column("last_seen", Float(53), nullable=False),
    Column("vanished", Float(53)),
    Index("threads_board", "board_id"),
    # The newest threads of a board first, however many there are.
    Index("threads_order", "board_id", "last_time", "id"),
)

# Every URL under which a thread is known, its own included: an index row may link a form that redirects.
thread_urls: Final = Table(
    "thread_urls",
    metadata,
    Column("url", Text, primary_key=True),
    _to("threads.id", name="thread_id"),
    Index("thread_urls_thread", "thread_id"),
)

authors: Final = Table(
    "authors",
    metadata,
    _id(),
    _to("forums.id", name="forum_id"),
    Column("name", Text, nullable=False),
    Column("url", Text, nullable=False, server_default=""),  # "" when none is shown: NULLs are never equal
    UniqueConstraint("forum_id", "name", "url"),
)

posts: Final = Table(
    "posts",
    metadata,
    _id(),
    _to("threads.id", name="thread_id"),
    Column("identity", Text, nullable=False),
    Column("page_number", Integer, nullable=False),
    Column("index_on_page", Integer, nullable=False),
    # 1 when its page was fetched again without it: it moved, or it is gone.
    Column("displaced", Integer, nullable=False, server_default="0"),
    Column("post_id", Text),
    Column("post_url", Text),
    _to("authors.id", name="author_id", required=False),
    Column("published", Text),
    Column("published_text", Text),
    Column("edited", Text),
    Column("text", Text, nullable=False),
    Column("html", Text, nullable=False),
    Column("quotes", Text),
    Column("reply_to", Text),
    Column("depth", Integer),
    Column("content_hash", Text, nullable=False),
    Column("first_seen", Float(53), nullable=False),
    Column("fetched", Float(53), nullable=False),
    Column("vanished", Float(53)),
    UniqueConstraint("thread_id", "identity"),
    Index("posts_order", "thread_id", "page_number", "index_on_page", "id"),
    # The newest posts first, for the feed and for searches with more hits than anybody reads.
    Index("posts_published", "published", "id"),
)

post_revisions: Final = Table(
    "post_revisions",
    metadata,
    _id(),
    _to("posts.id", name="post"),
    Column("text", Text, nullable=False),
    Column("html", Text, nullable=False),
    Column("edited", Text),
    Column("content_hash", Text, nullable=False),
    Column("last_seen", Float(53), nullable=False),
    Column("replaced", Float(53), nullable=False),
    Index("post_revisions_post", "post"),
)

pages: Final = Table(
    "pages",
    metadata,
    _id(),
    _to("forums.id", name="forum_id"),
    Column("url", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("list_url", Text),
    Column("page_number", Integer, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("reason", Text),
    Column("found_on", _Key),
    Column("status", Integer),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("body_hash", Text),
    Column("fetched", Float(53)),
    Column("failure", Text),
    Column("failure_kind", Text),
    Column("tries", Integer, nullable=False, server_default="0"),
    # Pending: not before this time. Leased: the lease ends then. Failed: a run after this time tries again, 0 for none.
    Column("due", Float(53), nullable=False, server_default="0"),
    # For the ledger: posts or rows of the page, its posts' words, and the last page that its pager shows.
    Column("records", Integer),
    Column("digest", Text),
    Column("last_page", Integer),
    Column("unfollowed", Integer),
    # The kind first: with the state first, SQLite would take this index for the queue and sort all that is pending.
    Index("pages_kind", "kind", "state"),
)
_PENDING = pages.c.state == "pending"
# With the due time, so that many pages waiting for another try are passed over within the index.
_queue = Index("pages_queue", pages.c.priority, pages.c.id, pages.c.due, sqlite_where=_PENDING)
_LISTED = pages.c.list_url.is_not(None)
_list = Index("pages_list", pages.c.list_url, sqlite_where=_LISTED)


_GONE = posts.c.vanished.is_not(None)
# Few posts vanish: they are counted without a look at the others.
_gone = Index("posts_gone", posts.c.id, sqlite_where=_GONE)


def make_partial_on_postgres() -> None:
    """Bound the same indexes there. Only said when asked for: it has SQLAlchemy load all of its PostgreSQL part."""
    for index, condition in ((_queue, _PENDING), (_list, _LISTED), (_gone, _GONE)):
        index.dialect_kwargs["postgresql_where"] = condition


refusals: Final = Table(
    "refusals",
    metadata,
    Column("pattern", Text, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("sample", Text, nullable=False),
    Column("found_on", _Key),
)

# What pages say of lists and of the whole site, for the ledger to compare with what was got.
promises: Final = Table(
    "promises",
    metadata,
    _to("forums.id", name="forum_id"),
    Column("subject", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    PrimaryKeyConstraint("forum_id", "subject", "place"),
)

# Links that stand where threads stand and that no pattern explains.
strays: Final = Table(
    "strays",
    metadata,
    _to("forums.id", name="forum_id"),
    Column("url", Text, nullable=False),
    Column("list_url", Text, nullable=False),
    Column("title", Text, nullable=False),
    PrimaryKeyConstraint("forum_id", "url"),
)

counters: Final = Table(
    "counters",
    metadata,
    _to("forums.id", name="forum_id"),
    Column("name", Text, nullable=False),
    Column("value", BigInteger, nullable=False),
    PrimaryKeyConstraint("forum_id", "name"),
)

# --- watching: what a watch must not forget besides what its pages told

# The state of a forum's watch as one JSON object: its budget, and what was learned of the site's signals.
watches: Final = Table(
    "watches", metadata, _to("forums.id", name="forum_id"), Column("state", Text, nullable=False),
    PrimaryKeyConstraint("forum_id"),
)  # fmt: skip

# What the entry page showed last of each board.
board_rows: Final = Table(
    "board_rows",
    metadata,
    _to("forums.id", name="forum_id"),
    Column("url", Text, nullable=False),
    Column("posts", BigInteger),
    Column("last_time", BigInteger),
    PrimaryKeyConstraint("forum_id", "url"),
)

# When each list was looked at last and is expected to be looked at again, and why.
schedule: Final = Table(
    "schedule",
    metadata,
    _to("forums.id", name="forum_id"),
    Column("kind", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("looked", Float(53), nullable=False),
    Column("due", Float(53)),
    Column("why", Text, nullable=False),
    PrimaryKeyConstraint("forum_id", "kind", "url"),
)

# The requests of each hour by kind of page, and how many of them brought something new.
visits: Final = Table(
    "visits",
    metadata,
    _to("forums.id", name="forum_id"),
    Column("hour", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("useful", Integer, nullable=False),
    Column("posts", Integer, nullable=False),
    PrimaryKeyConstraint("forum_id", "hour", "kind"),
)

# What posts show and attach: one row an address; the bytes stand in the media store under their SHA-256.
media: Final = Table(
    "media",
    metadata,
    _id(),
    _to("forums.id", name="forum_id"),
    Column("url", Text, nullable=False, unique=True),
    Column("host", Text, nullable=False),
    # 1 where some post shows it as a picture; 0 where posts only link it.
    Column("shown", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    # Pending and missing: not before this time; a missing one with 0 is not asked for again.
    Column("due", Float(53), nullable=False, server_default="0"),
    Column("status", Integer),
    Column("failure", Text),
    Column("sha256", Text),
    Column("type", Text),
    Column("bytes", BigInteger),
    Column("fetched", Float(53)),
    Index("media_state", "state", "shown", "id"),
    Index("media_content", "sha256"),
)

post_media: Final = Table(
    "post_media",
    metadata,
    _to("posts.id", name="post"),
    _to("media.id", name="media_id"),
    Column("role", Text, nullable=False),
    # The name of an attachment, as the post gives it.
    Column("name", Text),
    PrimaryKeyConstraint("post", "media_id", "role"),
    Index("post_media_media", "media_id"),
)

# What the pages answered from which a site is being learned, until it is: a run may end before.
answers: Final = Table(
    "answers",
    metadata,
    _id(),
    Column("start", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("cookies", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("answers_start", "start"),
)

# Figures that hold until something is written, as JSON: see `reckoned`.
reckoned: Final = Table(
    "reckoned", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False)
)

# How the crawl that writes the archive is doing, for those who watch it from another process.
progress: Final = Table(
    "progress",
    metadata,
    Column("forum_id", _Key, ForeignKey("forums.id"), primary_key=True),
    Column("started", Float(53), nullable=False),
    Column("updated", Float(53), nullable=False),
    Column("phase", Text, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("speed", Float(53), nullable=False),
    Column("delay", Float(53), nullable=False),
    Column("pace", Text, nullable=False),
    Column("url", Text, nullable=False),
)
