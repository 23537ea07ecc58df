"""Learn the post wrapper of a site from a sample of its thread pages.

What FoCUS leaves to others. Learned by statistics over all records of all sampled pages, checked on pages not used to
learn it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from thrawl.learn.wrappers.boxes import Body, learn_boxes
from thrawl.learn.wrappers.choosing import choose_shapes
from thrawl.learn.wrappers.edits import find_edits
from thrawl.learn.wrappers.learnshape import hold, learn_shapes
from thrawl.learn.wrappers.sample import Sample, settle_times, take_samples, weigh
from thrawl.page.reading import Page
from thrawl.page.shown import PostRecord
from thrawl.page.timeformat import TimeFormat
from thrawl.page.times import TimeMention
from thrawl.profile.cutting import PageReader, PostWrapper
from thrawl.profile.looks import Boxes
from thrawl.profile.places import NOWHERE, follow
from thrawl.profile.shapes import PostShape

_HELD_OUT: Final = 4  # every fourth page is kept to check on
_FEW_PAGES: Final = 6  # too few to keep some aside: what was learned fits them

__all__ = ["PostWrapper", "learn_post_wrapper"]


def learn_post_wrapper(pages: Sequence[Page], fetched: datetime | None = None) -> PostWrapper | None:
    """Learn how the posts of these thread pages are cut; None if nothing on them looks like posts."""
    samples = take_samples(pages)
    wrapper = _learn(samples, fetched)
    return None if wrapper is None else replace(wrapper, confidence=_confidence(samples, wrapper, fetched))


def wrapper_of_sample(sample: Sample, fetched: datetime | None = None) -> PostWrapper | None:
    """The same for the posts of one page that is cut by it at once: nobody asks how sure it is."""
    return _learn([sample], fetched)


def _learn(samples: Sequence[Sample], fetched: datetime | None) -> PostWrapper | None:
    shapes = choose_shapes(samples)
    return wrapper_of(samples, shapes, fetched) if shapes else None


def wrapper_of(samples: Sequence[Sample], shapes: Sequence[PostShape], fetched: datetime | None) -> PostWrapper:
    """The wrapper of these kinds of posts: with the site's times, and what stands in its bodies."""
    form = _settle(samples, shapes, fetched)
    plain = PostWrapper(tuple(_with_edits(samples, shapes, form, fetched)), Boxes(), form)
    boxes = _learn_boxes(samples, plain)
    senders = any(field.is_sender for shape in shapes for field in shape.authors)
    return replace(plain, boxes=replace(boxes, lined=boxes.lined or senders))


def _confidence(samples: Sequence[Sample], wrapper: PostWrapper, fetched: datetime | None) -> float:
    """How well fields learned without every fourth page read those pages; halved where there are too few.

    What the posts are is not asked again: to choose between all ways to cut them costs as much as all else.
    """
    if len(samples) < _FEW_PAGES:
        return 0.5 * _fit(wrapper, samples, fetched)
    rest = weigh([sample for number, sample in enumerate(samples) if number % _HELD_OUT])
    shapes = learn_shapes(rest, [shape.kind for shape in wrapper.shapes])
    return _fit(wrapper_of(rest, shapes, fetched), samples[::_HELD_OUT], fetched) if shapes else 0.0


def _fit(wrapper: PostWrapper, pages: Sequence[Sample], fetched: datetime | None) -> float:
    """The share of pages that fit, times the share of their posts that have all that posts of this site have."""
    moment = fetched or datetime.now(UTC)
    cut = [wrapper.cut(page.tree, page.url, moment) for page in pages]
    posts = [post for found in cut for post in found or () if not post.is_blank]
    if not posts:
        return 0.0
    timed = any(shape.times for shape in wrapper.shapes)
    whole = sum(_is_whole(post, timed) for post in posts)
    return sum(found is not None for found in cut) / len(pages) * whole / len(posts)


def _is_whole(post: PostRecord, timed: bool) -> bool:
    return bool(post.author and (post.text or post.quotes or post.html)) and (not timed or post.published is not None)


def _settle(samples: Sequence[Sample], shapes: Sequence[PostShape], fetched: datetime | None) -> TimeFormat:
    lines: dict[int, list[TimeMention]] = {id(sample): [] for sample in samples}
    for shape, records in zip(shapes, hold(samples, [shape.kind for shape in shapes]), strict=True):
        for held in records if shape.times else ():
            node = follow(held.page.tree, held.cut.parts, shape.times[0].path)
            end = held.page.tree.ends[node] if node != NOWHERE else NOWHERE
            lines[id(held.page)].extend(held.page.times_in(node, end)[:1])
    return settle_times(samples, lines, fetched)


def _with_edits(
    samples: Sequence[Sample], shapes: Sequence[PostShape], form: TimeFormat, fetched: datetime | None
) -> Iterator[PostShape]:
    for shape, records in zip(shapes, hold(samples, [shape.kind for shape in shapes]), strict=True):
        yield replace(shape, edited=find_edits(records, shape, form, fetched or datetime.now(UTC)))


def _runs_back(times: Sequence[datetime]) -> bool:
    """Whether a page shows its newest posts first."""
    return sum(one > two for one, two in pairwise(times)) > sum(one < two for one, two in pairwise(times))


def _learn_boxes(samples: Sequence[Sample], plain: PostWrapper) -> Boxes:
    bodies: list[Body] = []
    names: set[str] = set()
    seen: set[tuple[str | None, str]] = set()
    fetched = datetime(2100, 1, 1)
    for sample in samples:
        reader = PageReader(plain, sample.tree, sample.url, fetched)
        times = frozenset(mention.node for mention in sample.times)
        found = reader.bodies()
        shown = [(span, author, sample.tree.text_of(*span)) for span, author, _ in found]
        if _runs_back([time for _, time in sorted((span, time) for span, _, time in found if time is not None)]):
            shown.reverse()  # what stands in an earlier post is a quotation, wherever the page shows that post
        # a post that several of these pages show is one post: what comes back with it is no signature
        bodies.extend(
            Body(sample.tree, *span, author, times) for span, author, text in shown if (author, text) not in seen
        )
        seen.update((author, text) for _, author, text in shown)
        names.update(author or "" for _, author, _ in shown)
    return learn_boxes(bodies, sorted(names - {""}))
