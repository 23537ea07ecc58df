"""Who writes most on a forum: crawl it, or go on with its archive, and count.

python examples/busiest_authors.py https://forum.example.org/ forum.db
"""

from __future__ import annotations

import sys
from collections import Counter

import thrawl


def main(url: str, location: str) -> None:
    done = thrawl.crawl(url, archive=location, say=print)
    print(f"{done.posts} posts in {done.threads} threads")
    with thrawl.Archive.open(location, readonly=True) as archive:
        posts = Counter(post.author or "unknown" for post in archive.posts())
    for author, number in posts.most_common(10):
        print(f"{number:6} {author}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
