"""What each command does, in a sentence: all that `thrawl --help` shows, without loading what the commands need.

A test compares them with what the commands say themselves.
"""

from __future__ import annotations

from typing import Final

SUMMARIES: Final = {
    "crawl": "Find the forum's entry page, learn the site, fetch every thread, archive its posts.",
    "learn": "Find the forum's entry page and learn its URL patterns and layout, without crawling it.",
    "classify": "Say of each page whether it is an index page, a thread page or another.",
    "extract": "Turn saved pages into posts, as JSON lines. What the pages mean is learned from the files themselves.",
    "watch": "Keep an archive fresh: fetch new posts soon after they appear, within a budget of requests.",
    "status": "Tell what an archive holds, what is still to fetch, and what failed.",
    "search": "Show the posts of an archive that hold all the words: titles that do first, then the newest.",
    "threads": "List the threads of an archive: board, title, replies, URL.",
    "export": (
        "Write threads and posts as JSON lines, CSV, Parquet, mbox, a static HTML archive or a web archive (WACZ)."
    ),
    "serve": (
        "Read archives in a browser, and watch a crawl that writes one: on this machine only, unless told otherwise."
    ),
    "fleet": "Many forums side by side, on one machine or many.",
    "rules": "Print what was learned of a forum as rules for another crawler.",
    "train": "Train the page type classifiers on annotated forums and print a table.",
    "bench": "Compare Thrawl with the papers' crawlers on mirrors, beside the papers' figures; or crawl random forums.",
    "simulate": "Compare refresh policies on the real past of forums, at equal bandwidth.",
    "predict": "Compare predictors of a thread's next post on the real past of forums, at equal cost.",
    "demo": "Start the built-in forum on this machine and crawl it: no network needed.",
}
