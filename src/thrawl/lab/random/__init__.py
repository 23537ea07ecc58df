"""Random forums: a seed draws a forum's structure, addresses, markup, pagers, times and noise, each on its own.

`forum(seed)` gives the site with its truth, `serving.RandomServer` serves it on loopback, `labels.pages` yields every
page with its true type, and `thrawl bench --random N` crawls many of them.
"""

from thrawl.lab.random.choices import Choices, draw
from thrawl.lab.random.site import Site, forum

__all__ = ["Choices", "Site", "draw", "forum"]
