"""Views for programs that look at an archive with nothing but SQL: a row a post, a row a thread, all names resolved.

Datasette shows them as they are (docs/reading.md); their columns are named as in the exports.
"""

from __future__ import annotations

from typing import Final

FLAT_VIEWS: Final = {
    "posts_flat": """SELECT posts.id, forums.entry_url AS forum, boards.title AS board, threads.title AS thread_title,
        threads.url AS thread_url, posts.thread_id, posts.post_id, posts.post_url,
        authors.name AS author, authors.url AS author_url, posts.published, posts.published_text, posts.edited,
        posts.text, posts.reply_to, posts.depth, posts.page_number, posts.index_on_page,
        (SELECT count(*) FROM post_media WHERE post_media.post = posts.id) AS media,
        CASE WHEN posts.vanished IS NULL THEN 0 ELSE 1 END AS vanished
    FROM posts
    JOIN threads ON threads.id = posts.thread_id
    JOIN forums ON forums.id = threads.forum_id
    LEFT JOIN boards ON boards.id = threads.board_id
    LEFT JOIN authors ON authors.id = posts.author_id""",
    "threads_flat": """SELECT threads.id, forums.entry_url AS forum, boards.title AS board, threads.title, threads.url,
        threads.author,
        threads.replies, (SELECT count(*) FROM posts WHERE posts.thread_id = threads.id) AS posts, threads.views,
        threads.last_time, threads.last_author, threads.sticky,
        CASE WHEN threads.vanished IS NULL THEN 0 ELSE 1 END AS vanished
    FROM threads
    JOIN forums ON forums.id = threads.forum_id
    LEFT JOIN boards ON boards.id = threads.board_id""",
}
