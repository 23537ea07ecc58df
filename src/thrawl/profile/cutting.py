"""The post wrapper itself: what was learned of a site's posts, and how a page is cut by it.

Cutting finds the roots of the records by their look, follows a few short paths in each, and reads times by the site's
learned format: nothing is searched and nothing is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import ClassVar, Final

from thrawl.page.links import resolver_of
from thrawl.page.shown import PostRecord
from thrawl.page.tags import INLINE
from thrawl.page.timeformat import ReadTime, TimeFormat
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.content import LONGEST_SAID, last_text, read_content, without_times
from thrawl.profile.fields import AuthorField
from thrawl.profile.kinds import Cut
from thrawl.profile.looks import Boxes
from thrawl.profile.nodes import address_of, text_at
from thrawl.profile.places import NOWHERE, follow, follow_loosely, follow_nearly
from thrawl.profile.printed import CODE
from thrawl.profile.shapes import PostShape
from thrawl.profile.written import Written

_LONGEST_NAME: Final = 200  # characters: of a name with its rank; more are words of a post
_LONGEST_NOTE: Final = 120  # characters of a line that only tells who wrote, or edited, and when
_FEWEST_DIGITS: Final = 4  # of a time: a day and an hour at least
_OPENING: Final = ("(", "[", "（", "［")
_CLOSING: Final = (")", "]", "）", "］")
_SMALL: Final = frozenset({"small", "em", "i", "sub", "sup", "cite", "time"})


@dataclass(frozen=True, slots=True)
class PostWrapper(Written):
    """All kinds of posts of a site, what stands inside their bodies, and how its times are written."""

    WRITTEN: ClassVar[Mapping[str, str]] = {"shapes": "posts"}

    shapes: tuple[PostShape, ...]
    boxes: Boxes
    times: TimeFormat
    confidence: float = 0.0

    def cut(self, tree: Tree, url: str, fetched: datetime) -> tuple[PostRecord, ...] | None:
        """The posts of a page in its order; None if the page does not fit."""
        reader = PageReader(self, tree, url, fetched)
        posts = reader.read_all()
        return posts or None


@dataclass(frozen=True, slots=True)
class _Found:
    """A record whose body was found, with its fields that need no content."""

    cut: Cut
    body: int
    author: str | None
    author_node: int
    time: ReadTime | None
    time_node: int
    number: str | None
    number_node: int
    is_further: bool = False  # a post of who wrote the record that it stands in


class PageReader:
    """Cuts one page."""

    def __init__(self, wrapper: PostWrapper, tree: Tree, url: str, fetched: datetime) -> None:
        self._wrapper = wrapper
        self._tree = tree
        self._url = url.partition("#")[0]
        self._fetched = fetched
        self._links = resolver_of(tree, url)
        self._names: frozenset[str] = frozenset()
        self._ids: set[str] = set()
        self._heads_alone = False

    def read_all(self) -> tuple[PostRecord, ...]:
        found = self._records()
        self._names = frozenset(record.author for record in found if record.author)
        self._ids = {record.number for record in found if record.number}
        printed = [self._tree.texts[record.time_node] for record in found if self._is_printed(record.time_node)]
        self._heads_alone = all(len(without_times(text)) <= LONGEST_SAID for text in printed)
        posts: list[PostRecord] = []
        open_records: list[tuple[int, str | None]] = []
        for at, record in enumerate(found):
            while open_records and open_records[-1][0] <= record.cut.start:
                open_records.pop()
            inner = [part for one in _inside(found, at) for part in one.cut.parts]
            above = open_records[:-1] if record.is_further else open_records
            post = self._post(record, inner, len(above), above[-1][1] if above else None)
            posts.append(post)
            open_records.append((record.cut.end, post.post_id))
        return tuple(_once(posts))

    def bodies(self) -> list[tuple[tuple[int, int], str | None, datetime | None]]:
        """The nodes of each body, with its author and time."""
        return [
            ((record.body + 1, self._tree.ends[record.body]), record.author, record.time.value if record.time else None)
            for record in self._records()
        ]

    def _records(self) -> list[_Found]:
        """The records of the page, outer ones before those inside them."""
        shapes = self._wrapper.shapes
        cuts = [cut for number, shape in enumerate(shapes) for cut in shape.kind.cut(self._tree, number)]
        cuts.sort(key=lambda cut: (cut.start, -cut.end))
        found: list[_Found] = []
        around: list[_Found] = []
        for cut in _distinct(cuts):
            while around and around[-1].cut.end <= cut.start:
                around.pop()
            record = self._find(cut)
            if record is not None:
                record = self._by_who_wrote(around[-1], record) if around else record
                found.append(record)
                around.append(record)
        return found

    def _by_who_wrote(self, around: _Found, record: _Found) -> _Found:
        """A record in another one: where its kind names nobody and is numbered as that one, both are one person's."""
        own, outer = (self._wrapper.shapes[one.cut.kind] for one in (record, around))
        if own.authors or not own.kind.form or own.kind.form != outer.kind.form:
            return record
        return replace(record, author=around.author, author_node=around.author_node, is_further=True)

    def _find(self, cut: Cut) -> _Found | None:
        tree, shape = self._tree, self._wrapper.shapes[cut.kind]
        body = follow(tree, cut.parts, shape.body)
        if body == NOWHERE:
            body = follow_loosely(tree, cut.parts, shape.body)
        if body == NOWHERE:
            return None
        author, author_node = self._author(cut, shape.authors)
        time, time_node = self._time(cut, shape)
        if author is None and time is None and not shape.is_bare:
            return None
        return _Found(cut, body, author, author_node, time, time_node, *self._number(cut, shape))

    def _author(self, cut: Cut, fields: Sequence[AuthorField]) -> tuple[str | None, int]:
        for way in (follow, follow_nearly):
            for field in fields:
                node = way(self._tree, cut.parts, field.path)
                if node != NOWHERE:
                    name = field.strip(text_at(self._tree, node))
                    if name and len(name) <= _LONGEST_NAME:
                        return name, node
        return None, NOWHERE

    def _time(self, cut: Cut, shape: PostShape) -> tuple[ReadTime | None, int]:
        for field in shape.times:
            read = field.read(self._tree, cut.parts, self._wrapper.times, self._fetched)
            if read is not None:
                return read, follow(self._tree, cut.parts, field.path)
        return None, NOWHERE

    def _number(self, cut: Cut, shape: PostShape) -> tuple[str | None, int]:
        if shape.number is None:
            return None, NOWHERE
        node = follow(self._tree, cut.parts, shape.number.path)
        value = self._tree.attributes[node].get(shape.number.attribute) if node != NOWHERE else None
        return shape.number.read(value) if value else None, node

    def _post(self, record: _Found, inner: Sequence[int], depth: int, parent: str | None) -> PostRecord:
        tree, shape = self._tree, self._wrapper.shapes[record.cut.kind]
        whole = not shape.body and len(record.cut.parts) > 1
        span = (record.cut.start, record.cut.end) if whole else (record.body + 1, tree.ends[record.body])
        time = record.time
        note, edited = self._unlearned_note(span, time)
        skipped = {*inner, record.author_node, note, *self._heads(record, whole)}
        if self._heads_alone or not self._is_printed(record.time_node):
            skipped.add(record.time_node)
        head = max(record.author_node, record.time_node)
        content = read_content(tree, [span], skipped, self._wrapper.boxes, self._links, self._names, self._ids, head)
        return PostRecord(
            post_id=record.number,
            post_url=self._post_url(record, shape),
            author=record.author,
            author_url=self._author_url(record.author_node),
            published=time.told if time else None,
            published_text=time.text if time else None,
            edited=self._edited([*content.notes, *self._notes_beside(record.cut, shape)]) or edited,
            text=content.text,
            html=content.html,
            quotes=content.quotes,
            reply_to=parent or next((quote.post_id for quote in content.quotes if quote.post_id), None),
            depth=depth,
        )

    def _is_printed(self, node: int) -> bool:
        """Whether a time stands in a text and not in an element: the text may hold the words of a post, too."""
        return node != NOWHERE and self._tree.tags[node] == TEXT

    def _heads(self, record: _Found, whole: bool) -> Iterator[int]:
        """The parts of a body, or of a record without one of its own, that only name the post's author and time."""
        tree = self._tree
        parts = list(record.cut.parts if whole else tree.elements(record.body))
        while len(said := [part for part in parts if last_text(tree, part, tree.ends[part]) >= 0]) == 1:
            if not self._tells(record, said[0]):
                return
            parts = list(tree.elements(said[0]))  # all that is said stands in one box: its parts tell
        for part in said:
            if self._tells(record, part) and len(tree.text(part)) <= _LONGEST_NOTE:
                yield part

    def _tells(self, record: _Found, part: int) -> bool:
        """Whether a part of a record holds its author or its time."""
        return any(part <= node < self._tree.ends[part] for node in (record.author_node, record.time_node))

    def _post_url(self, record: _Found, shape: PostShape) -> str | None:
        if shape.link is not None:
            node = follow(self._tree, record.cut.parts, shape.link)
            href = self._tree.attributes[node].get("href") if node != NOWHERE else None
            if href:
                return self._absolute(href)
        if shape.anchored and shape.number is not None and record.number_node != NOWHERE:
            return f"{self._url}#{self._tree.attributes[record.number_node].get(shape.number.attribute, '')}"
        return None

    def _author_url(self, node: int) -> str | None:
        href = address_of(self._tree, node) if node != NOWHERE else None
        return self._absolute(href) if href else None

    def _absolute(self, href: str) -> str | None:
        resolved = self._links.resolve(href)
        if resolved is None:
            return None
        return f"{resolved[0]}#{resolved[1]}" if resolved[1] else resolved[0]

    def _unlearned_note(self, span: tuple[int, int], posted: ReadTime | None) -> tuple[int, datetime | None]:
        """A note of an edit on a site of which no sampled page had one: a marked last line that tells a later time, or
        one in brackets that tells little else."""
        tree = self._tree
        line = last_text(tree, *span)
        box = tree.parents[line] if line >= 0 else NOWHERE
        if box <= span[0] or not (tree.tags[box] in _SMALL or tree.attributes[box].get("class")):
            box = line
            if line < 0 or not _is_bracketed(tree.texts[line].strip()) or not _begins_line(tree, line, span[0]):
                return NOWHERE, None
        if any(tree.tags[up] in CODE for up in (box, *tree.ancestors(box))):
            return NOWHERE, None  # its numbers read like dates
        if tree.ends[box] - box > _LONGEST_NOTE:  # more nodes than letters: whole posts, which may stand in one another
            return NOWHERE, None
        text = tree.text(box)
        if len(text) > _LONGEST_NOTE or sum(map(str.isdigit, text)) < _FEWEST_DIGITS:
            return NOWHERE, None
        read = self._wrapper.times.read(text, None, self._fetched)
        later = posted is not None and read.value is not None and is_later(read.value, posted.value)
        return (box, read.told) if later else (NOWHERE, None)

    def _notes_beside(self, cut: Cut, shape: PostShape) -> Iterator[int]:
        """The note of an edit that stands outside of the body."""
        node = NOWHERE if shape.edited is None else follow(self._tree, cut.parts, shape.edited)
        if node != NOWHERE:
            yield node

    def _edited(self, notes: Sequence[int]) -> datetime | None:
        for node in notes:
            read = self._wrapper.times.read(self._tree.text(node), None, self._fetched)
            if read.value is not None:
                return read.told
        return None


def _is_bracketed(line: str) -> bool:
    """Whether a line stands in brackets and says hardly more than a time."""
    return line[:1] in _OPENING and line[-1:] in _CLOSING and len(without_times(line)) <= LONGEST_SAID


def _begins_line(tree: Tree, text: int, start: int) -> bool:
    """Whether a text stands at the beginning of a line, and something before it, from `start` on."""
    before = next(
        (one for one in tree.before(text) if tree.tags[one] != TEXT or not tree.texts[one].isspace()), NOWHERE
    )
    if before == NOWHERE:
        return tree.parents[text] > start and tree.tags[tree.parents[text]] not in INLINE
    return tree.tags[before] == "br" or tree.tags[before] not in INLINE | {TEXT}


def _once(posts: Sequence[PostRecord]) -> Iterator[PostRecord]:
    """The posts without those that a page shows again further below and that have no number of their own: somebody's
    words at some time are one post, also where the best answer stands above all."""
    last = {_said(post): at for at, post in enumerate(posts)}
    for at, post in enumerate(posts):
        told = post.author and post.published_text and post.text
        if post.post_id or not told or last[_said(post)] == at:
            yield post


def _said(post: PostRecord) -> tuple[str | None, str | None, str]:
    return post.author, post.published_text, post.text


def _inside(found: Sequence[_Found], at: int) -> Iterator[_Found]:
    """The outermost records inside one of them, which come right after it."""
    closed = 0
    following = (found[number] for number in range(at + 1, len(found)))
    for one in takewhile(lambda one: one.cut.start < found[at].cut.end, following):
        if one.cut.end > closed:
            closed = one.cut.end
            yield one


def is_later(moment: datetime, other: datetime | None) -> bool:
    """Whether a moment is not before another, as far as both know their zone."""
    if other is None:
        return False
    return moment.replace(tzinfo=None) >= other.replace(tzinfo=None)


def _distinct(cuts: Sequence[Cut]) -> list[Cut]:
    """Each root once; of two kinds at one root the first kind."""
    seen: set[int] = set()
    kept = []
    for cut in cuts:
        if cut.start not in seen:
            seen.add(cut.start)
            kept.append(cut)
    return kept
