"""What one crawl of a mirror is worth, from the log of its requests (FoCUS 5.3, Wang et al. 6.2).

Effectiveness counts a page of type entry, index or thread once, in the one form that a perfect crawler asks for;
everything else is waste: other forms of the same page, pages of type other, redirects, errors. It is told twice: over
all requests, those of learning among them, which is what a site has to bear; and over the pages that the crawl itself
asked for, which is what the papers print (they count the pages spent on learning apart, FoCUS 5.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.lab.bench.requests import Asked
from thrawl.lab.bench.sitetruth import SiteTruth
from thrawl.lab.rivals.fingerprint import Uniques
from thrawl.lab.rivals.look import Looks
from thrawl.lab.rivals.measures import informativeness
from thrawl.net.message import Request

VALUABLE: Final = "valuable"
DUPLICATE: Final = "duplicate"
INVALID: Final = "invalid"


@dataclass(frozen=True, slots=True)
class CrawlScore:
    """The figures of one crawl. Shares are None where there is no truth to measure them by.

    `firsts` counts valuable, duplicate and invalid requests among the first `n`; `for_n` is the number of requests
    until `n` valuable pages were there, None where they never were. `types` counts all requests by what they brought.
    """

    requests: int
    good: int | None
    effectiveness: float | None
    thread_pages: float | None
    needed_pages: float | None
    coverage: float | None
    post_coverage: float | None
    informativeness: float
    n: int
    firsts: tuple[int, int, int] | None
    for_n: int | None
    types: tuple[tuple[str, int], ...]
    threads_got: int
    threads: int


async def score_crawl(log: Sequence[Asked], truth: SiteTruth, looks: Looks) -> CrawlScore:
    """Measure a log of requests."""
    counted = [one for one in log if one.is_page]
    informative = await _informativeness(counted, truth, looks)
    if not truth.canonical:
        return CrawlScore(len(counted), None, None, None, None, None, None, informative, 0, None, None, (), 0, 0)
    needed = await truth.needed()
    worth = [_worth(one, truth) for one in counted]
    values = list(_values(counted, worth, needed.keys(), truth))
    good = values.count(VALUABLE)
    got = {one.url for one in counted if one.status == 200}
    threads = {url for url, kind in needed.items() if kind.startswith("thread")}
    n = max(1, len(needed) // 2)  # the papers took 5,000 of 30,000 pages; half of what is needed can be reached by all
    seen = await _posts_seen(counted, truth)
    first = seen & truth.first_posts
    return CrawlScore(
        requests=len(counted),
        good=good,
        effectiveness=good / max(1, len(counted)),
        thread_pages=len(got & threads) / max(1, len(threads)),
        needed_pages=len(got & needed.keys()) / max(1, len(needed)),
        coverage=len(first) / len(truth.first_posts) if truth.first_posts else None,
        post_coverage=len(seen) / truth.post_count if truth.post_count else None,
        informativeness=informative,
        n=n,
        firsts=_counts(values[:n]),
        for_n=_until(values, n),
        types=tuple(sorted(Counter(worth).items())),
        threads_got=len(first),
        threads=len(truth.first_posts),
    )


def _worth(one: Asked, truth: SiteTruth) -> str:
    if one.status != 200:
        return "error" if one.status >= 400 else "redirect"
    return truth.type_of(one.url) or "other"


def _values(log: Iterable[Asked], worth: Iterable[str], needed: Iterable[str], truth: SiteTruth) -> Iterable[str]:
    """For each request whether it brought a page that was needed, another copy or form of one, or nothing."""
    wanted = set(needed)
    had: set[str] = set()
    for one, kind in zip(log, worth, strict=True):
        if kind in ("entry", "index", "thread"):
            fresh = one.url not in had and (one.url in wanted or kind == "entry")
            had.add(one.url)
            yield VALUABLE if fresh else DUPLICATE
        else:
            yield INVALID


def _counts(values: Sequence[str]) -> tuple[int, int, int]:
    counts = Counter(values)
    return counts[VALUABLE], counts[DUPLICATE], counts[INVALID]


def _until(values: Sequence[str], n: int) -> int | None:
    left = n
    for number, value in enumerate(values, 1):
        left -= value == VALUABLE
        if not left:
            return number
    return None


async def _posts_seen(log: Iterable[Asked], truth: SiteTruth) -> set[int]:
    if not truth.post_count:
        return set()
    pages = dict.fromkeys(one.url for one in log if one.status == 200 and truth.type_of(one.url) == "thread")
    return {post for url in pages for post in await truth.posts_on(url)}


async def _informativeness(log: Iterable[Asked], truth: SiteTruth, looks: Looks) -> float:
    """Equation 2 of Wang et al. over all pages that were fetched, each request a page."""
    uniques = Uniques()
    sizes: Counter[int] = Counter()
    for one in log:
        if one.status == 200:
            look = looks.look(await truth.replay.fetch(Request(one.url)))
            if look is not None:
                sizes[uniques.add(look.fingerprint)] += 1
    return informativeness(list(sizes.values()))
