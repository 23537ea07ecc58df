"""Posts out of pages that you saved, as text to read: no network.

python examples/saved_pages.py saved.warc.gz folder-of-pages/
"""

from __future__ import annotations

import sys
from itertools import groupby

import thrawl


def main(paths: list[str]) -> None:
    for title, posts in groupby(thrawl.extract(paths), key=lambda post: post.thread_title or post.thread_url):
        print(f"\n{title}")
        for post in posts:
            print(f"{post.position}. {post.author or 'unknown'}, {post.published_text or 'some day'}\n{post.text}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
