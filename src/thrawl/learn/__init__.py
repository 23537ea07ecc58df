"""What a site's URLs and pages mean; the result is a profile."""

from thrawl.folders import make_callable

make_callable(__name__)
