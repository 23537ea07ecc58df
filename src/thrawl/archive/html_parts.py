"""The fixed parts of the static HTML archive: the frame of a page, and its style."""

from __future__ import annotations

from html import escape
from typing import Final

# Pages run no script, whatever a post holds; images may come from the forum's own servers.
_POLICY: Final = "default-src 'none'; style-src * 'unsafe-inline'; img-src * data:"


def page(title: str, body: str, *, up: str) -> str:
    """A whole page; `up` leads to the archive's top folder."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>{escape(title)}</title><link rel="stylesheet" href="{up}style.css"></head>
<body><p class="top"><a href="{up}index.html">All boards</a> · <a href="{up}search.html">Search</a></p>
{body}
</body></html>
"""


STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 1rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
article { border-top: 1px solid #8886; padding: .5rem 0; overflow-wrap: anywhere; }
article header, small, time, .crumbs, .top, nav { color: #777; font-size: .9rem; }
article header b { color: CanvasText; }
article img { max-width: 100%; height: auto; }
blockquote { border-left: 3px solid #8886; margin-left: 0; padding-left: 1rem; color: #777; }
table { width: 100%; border-collapse: collapse; }
td { border-top: 1px solid #8884; padding: .25rem .5rem .25rem 0; vertical-align: top; }
ul.boards { list-style: none; padding: 0; }
input { font: inherit; width: 100%; padding: .4rem; box-sizing: border-box; }
"""
