"""Whether a page shows posts that the archive lacks, wherever it stands."""

from __future__ import annotations

from thrawl.archive import Archive
from thrawl.archive.selection import Selection
from thrawl.crawl.values import Reading
from thrawl.errors import InputError


def has_news(archive: Archive, reading: Reading) -> bool:
    """Whether a page has posts that no page had, cut as those of threads are."""
    if not reading.posts or reading.general:
        return False
    if reading.digest is not None and archive.has_digest(reading.digest):
        return False
    longest = max(reading.posts, key=lambda post: len(post.text))  # some answers are a word that many give
    try:
        return not any(post.text == longest.text for post in archive.posts(selection=Selection(author=longest.author)))
    except InputError:  # an author of whom there is nothing yet
        return True
