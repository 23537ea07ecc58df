"""What an archive holds of a random forum, compared with the forum's world.

An archived post is right when its words are those of a true post: the same, or nearly (`_ALIKE`), with the quotes of
others counted or not, on either side. Each true post is matched once, so copies count against precision.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.archive.values import StoredPost, to_seconds
from thrawl.lab.content import Quotation
from thrawl.lab.random.site import Site
from thrawl.lab.random.timing import tolerance
from thrawl.lab.world import Post

# --- F1 over pairs of letters: a button's word or a lost line break is forgiven, a lost paragraph is not
_ALIKE: Final = 0.9
# --- letters at either end by which candidates are found
_END: Final = 24


@dataclass(frozen=True, slots=True)
class PostScores:
    """Shares from 0 to 1.

    Authors and times are those of the posts that were matched: None where there are none. A forum that shows no author
    or no time wants none archived; one that shows only how long ago is not asked for times.
    """

    coverage: float
    precision: float
    recall: float
    author: float | None
    time: float | None
    archived: int


def score_posts(site: Site, archived: Sequence[StoredPost]) -> PostScores:
    view = site.plan.view
    truth = [post for number in view.all_thread_ids() for post in view.posts(number)]
    pairs = list(_matched(truth, archived))
    firsts = sum(post.position == 1 for post, _ in pairs)
    named = site.choices.author != "none"
    authors = sum(_name(found.author) == (_name(post.author.name) if named else "") for post, found in pairs)
    return PostScores(
        coverage=firsts / view.thread_count,
        precision=len(pairs) / max(len(archived), 1),
        recall=len(pairs) / len(truth),
        author=authors / len(pairs) if pairs else None,
        time=_times(site, pairs),
        archived=len(archived),
    )


def _name(author: str | None) -> str:
    return (author or "").strip().casefold()


def _times(site: Site, pairs: Sequence[tuple[Post, StoredPost]]) -> float | None:
    if not pairs or site.choices.time == "relative":
        return None
    allowed = tolerance(site.choices)
    if allowed is None:
        return sum(found.published is None for _, found in pairs) / len(pairs)
    right = sum(
        found.published is not None and abs(to_seconds(found.published) - to_seconds(post.time)) <= allowed
        for post, found in pairs
    )
    return right / len(pairs)


# --- matching


def _matched(truth: Sequence[Post], archived: Sequence[StoredPost]) -> Iterator[tuple[Post, StoredPost]]:
    """True posts with the archived ones that show them: first by equal words, then by nearly equal ones."""
    free = _Free(truth)
    threads = _threads(free, archived)
    left: list[StoredPost] = []
    for found in archived:
        post = free.take(free.by_text.get(folded(found.text), []), found, threads.get(found.thread_url))
        if post is None:
            left.append(found)
        else:
            yield post, found
    for found in left:
        post = free.take(list(free.alike(found)), found, threads.get(found.thread_url))
        if post is not None:
            yield post, found


def _threads(free: _Free, archived: Sequence[StoredPost]) -> dict[str, int]:
    """Which true thread each archived one is, by its posts' votes: short posts repeat in many threads."""
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for found in archived:
        same = free.by_text.get(folded(found.text), [])
        if len({post.thread for post in same}) == 1:
            votes[found.thread_url][same[0].thread] += 1
    return {url: counted.most_common(1)[0][0] for url, counted in votes.items()}


class _Free:
    """True posts that no archived one was matched with so far."""

    def __init__(self, truth: Iterable[Post]) -> None:
        self._taken: set[int] = set()
        self.by_text: dict[str, list[Post]] = defaultdict(list)
        self._by_end: dict[str, list[Post]] = defaultdict(list)
        for post in truth:
            own, whole = folded(post.text), folded(_with_quotes(post))
            for text in {own, whole}:
                self.by_text[text].append(post)
            for end in {own[:_END], own[-_END:], whole[:_END]}:
                self._by_end[end].append(post)

    def take(self, candidates: Iterable[Post], found: StoredPost, thread: int | None) -> Post | None:
        """The best free candidate: of the same thread, then of the same author, then at the same position."""
        free = [post for post in candidates if post.id not in self._taken]
        if not free:
            return None
        best = max(
            free,
            key=lambda post: (post.thread == thread, post.author.name == found.author, post.position == found.position),
        )
        self._taken.add(best.id)
        return best

    def alike(self, found: StoredPost) -> Iterator[Post]:
        own = folded(found.text)
        whole = folded("".join(quote.text for quote in found.quotes)) + own
        ends = {text[:_END] for text in (own, whole)} | {text[-_END:] for text in (own, whole)}
        near = {post.id: post for end in ends for post in self._by_end.get(end, ())}
        for post in near.values():
            true = (folded(post.text), folded(_with_quotes(post)))
            if max(likeness(one, other) for one in true for other in (own, whole)) >= _ALIKE:
                yield post


def _with_quotes(post: Post) -> str:
    """A post's words with those of others that it repeats, in the order of the page."""
    quoted = (f"{block.author} {block.text}" for block in post.body if isinstance(block, Quotation))
    return "".join((*quoted, post.text))


def folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def likeness(one: str, other: str) -> float:
    """F1 over pairs of neighbouring letters; languages without spaces need no cutting into words."""
    first, second = _pairs(one), _pairs(other)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def _pairs(text: str) -> Counter[str]:
    return Counter(text[place : place + 2] for place in range(max(len(text) - 1, 1)))
