"""The times that a page shows: every text or attribute that names a moment, with its place.

First step of timestamp extraction in the list-wise paper (section 3.3); `timegroups` chooses among the candidates,
`timeformat` settles what they mean on this site. Differences to the paper: a time that is spread over the inline
neighbours of one line is one mention, and an attribute that carries the exact instant (`<time datetime>`, `title`,
schema.org, unix seconds) belongs to the text that it stands behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from thrawl.page.tags import INLINE
from thrawl.page.timeattributes import Exact, exact_times
from thrawl.page.timeparts import MentionKind, Order, Parts, Precision, fields_of, finer, moment
from thrawl.page.timeshape import BREAK, MAX_CHARS
from thrawl.page.timetext import Found, scan
from thrawl.page.timewords import fold, known_words
from thrawl.page.tree import TEXT, Tree


@dataclass(frozen=True, slots=True)
class TimeMention:
    """One time on a page.

    `node` is the text node in which it begins (the element, if only an attribute names it) and `end` the first node
    after it. `text` is what a reader sees, or the attribute's value where nothing is shown. `exact` is what an
    attribute of an element around says more precisely, `attribute` that attribute's name. `kind` is that of the shown
    text, `precision` the best that is known.
    """

    node: int
    end: int
    text: str
    kind: MentionKind
    precision: Precision
    parts: Parts
    exact: Parts | None = None
    attribute: str | None = None

    def value(
        self, now: datetime | None = None, order: Order | None = None, zone: int | None = None
    ) -> datetime | None:
        """The moment meant, as well as it is known: an exact attribute first; None while the reading is open."""
        value = moment(self.exact, now, order, zone) if self.exact else None
        return value or moment(self.parts, now, order, zone)


def find_times(tree: Tree, now: datetime | None = None) -> tuple[TimeMention, ...]:
    """All times on a page in document order. With `now`, full dates that lie in the future are left out."""
    mentions = _all_times(tree)
    return mentions if now is None else without_future(mentions, now)


def without_future(mentions: Iterable[TimeMention], now: datetime) -> tuple[TimeMention, ...]:
    """These times but for full dates that lie in the future."""
    return tuple(mention for mention in mentions if not _is_future(mention, now + timedelta(days=2)))


def _all_times(tree: Tree) -> tuple[TimeMention, ...]:
    exact = exact_times(tree)
    shown = [mention for line in _lines(tree) for mention in _in_line(tree, line, exact)]
    hidden = _unshown(tree, exact, shown)
    return tuple(sorted((*shown, *hidden), key=lambda mention: mention.node) if hidden else shown)


def _is_future(mention: TimeMention, limit: datetime) -> bool:
    if mention.kind == "relative":
        return False
    parts = mention.exact or mention.parts
    values = [moment(parts, limit, order) for order in parts.orders or (None,)]
    return all(value is not None and value > limit for value in values)


# --- lines: the text nodes that a reader sees as one line

_INLINE: Final = INLINE | {"relative-time", "local-time", "time-ago"}
_CHOICES: Final = frozenset("option select textarea button input".split())
_LONG_NODE: Final = 120  # characters; a longer text node is prose, not a label
_LONG_LINE: Final = 300  # characters of one line that are looked at together


def _lines(tree: Tree) -> Iterator[list[int]]:
    """The lines of print that may hold a time, each as its text nodes."""
    done = -1
    for node, text in enumerate(tree.texts):
        if text and node > done and _may_hold_time(text):
            line = _line_around(tree, node, done)
            if line:
                done = line[-1]
                yield line


def _line_around(tree: Tree, node: int, done: int) -> list[int]:
    """The text nodes that a reader sees on one line with this one, none of them up to `done`."""
    home = _block(tree, node)
    if tree.tags[home] in _CHOICES:
        return []
    chars = len(tree.texts[node])
    if chars > _LONG_NODE:
        return [node]
    before = _neighbours(tree, range(node - 1, done, -1), home, _LONG_LINE - chars)
    chars += sum(len(tree.texts[other]) for other in before)
    after = _neighbours(tree, range(node + 1, len(tree)), home, _LONG_LINE - chars)
    return [*reversed(before), node, *after]


def _neighbours(tree: Tree, nodes: range, home: int, chars: int) -> list[int]:
    found = []
    for node in nodes:
        if tree.tags[node] != TEXT:
            if tree.tags[node] not in _INLINE:
                break
            continue
        chars -= len(tree.texts[node])
        if chars < 0 or len(tree.texts[node]) > _LONG_NODE or _block(tree, node) != home:
            break
        found.append(node)
    return found


def _block(tree: Tree, node: int) -> int:
    """The block element that a text stands in; of deeper inline nesting than any page has, some ancestor."""
    above = max(tree.parents[node], 0)
    for _ in range(32):
        if tree.tags[above] not in _INLINE or above == 0:
            break
        above = tree.parents[above]
    return above


_DIGIT: Final = re.compile(r"\d")
_TELLING_ROLES: Final = {"day_word", "second_day_word", "ago", "before", "just", "now_alone", "french_ago"}
_CLOCKLESS: Final = frozenset(
    form + mark
    for form, word in known_words().items()
    # "à" of "à l'instant" folds to "a", which half of all links contain.
    if (word.roles & _TELLING_ROLES and form != "a") or form == "l'instant"
    for mark in ("", ",", ".", ":")
)
_CJK_CLOCKLESS: Final = re.compile(
    "|".join(w for w in _CLOCKLESS & known_words().keys() if re.match("[\u3040-\u9fff\uac00-\ud7a3]", w))
)
_SHORT: Final = 48  # characters; without a digit, only a short text is a time ("yesterday", "an hour ago")


def _may_hold_time(text: str) -> bool:
    if _DIGIT.search(text, 0, MAX_CHARS):
        return True
    return len(text) <= _SHORT and _holds_telling_word(text)


@lru_cache(maxsize=4096)
def _holds_telling_word(text: str) -> bool:
    if not _CLOCKLESS.isdisjoint(fold(text).split()):
        return True
    return not text.isascii() and _CJK_CLOCKLESS.search(text) is not None


def _in_line(tree: Tree, line: list[int], exact: dict[int, Exact]) -> Iterator[TimeMention]:
    text = tree.texts[line[0]] if len(line) == 1 else BREAK.join(tree.texts[node] for node in line)
    for found in scan(text):
        first, last, alone = _place(tree, line, text, found)
        if not _is_label(found.parts, len(tree.texts[first]), alone):
            continue
        shown = " ".join(text[found.start : found.end].replace(BREAK, " ").split())
        behind = _behind(tree, first, exact)
        yield _mention(first, last + 1, shown, found.parts, behind)


def _mention(node: int, end: int, text: str, parts: Parts, behind: Exact | None) -> TimeMention:
    if behind is None or not _says_more(behind.parts, parts):
        return TimeMention(node, end, text, parts.kind, parts.precision, parts)
    return TimeMention(node, end, text, parts.kind, behind.parts.precision, parts, behind.parts, behind.attribute)


def _place(tree: Tree, line: list[int], text: str, found: Found) -> tuple[int, int, bool]:
    """The nodes of its first and last letter, and whether the mention is all that its node says (a label aside)."""
    first = line[text.count(BREAK, 0, found.start)]
    last = line[text.count(BREAK, 0, found.end - 1)]
    start = text.rfind(BREAK, 0, found.start) + 1
    end = text.find(BREAK, found.end)
    before = text[start : found.start].strip()
    after = text[found.end : end if end >= 0 else len(text)].strip(" .,;)\n\t\r\xa0")
    return first, last, not after and (not before or before.endswith((":", "：", ",", "(", "·", "-", "»")))


def _is_label(parts: Parts, chars: int, alone: bool) -> bool:
    """Prose mentions times too ("today we …", "3 years ago"): what is not a full date must stand as a label."""
    if parts.ago == 0 or (parts.days_back is not None and parts.hour is None):
        return alone
    return parts.kind == "absolute" or chars <= _LONG_NODE


# --- attributes


def _behind(tree: Tree, node: int, exact: dict[int, Exact]) -> Exact | None:
    """The attribute of an element close around a text: at most three levels up, and of little more than this text."""
    if not exact:
        return None
    above = tree.parents[node]
    for _ in range(3):
        if above < 0 or tree.ends[above] - above > 9:
            return None
        if above in exact:
            return exact[above]
        above = tree.parents[above]
    return None


def _says_more(attribute: Parts, shown: Parts) -> bool:
    if attribute.zone is not None or shown.kind == "relative":
        return True
    # Without a zone it must be the time that is shown, only finer: some software writes another clock's time there.
    return _agrees(attribute, shown) and (shown.kind == "partial" or len(shown.orders) > 1 or finer(attribute, shown))


def _agrees(attribute: Parts, shown: Parts) -> bool:
    if shown.minute is not None and (attribute.hour, attribute.minute) != (shown.hour, shown.minute):
        return False
    said = fields_of(attribute, None)
    readings = [fields_of(shown, order) for order in shown.orders or (None,)]
    return said is None or any(_same_day(said, reading, shown) for reading in readings if reading is not None)


def _same_day(said: tuple[int | None, int, int], read: tuple[int | None, int, int], shown: Parts) -> bool:
    year, month, day = read
    days = shown.day is None and not shown.numbers
    return said[1] == month and (days or said[2] == day) and (year is None or said[0] == year)


def _unshown(tree: Tree, exact: dict[int, Exact], shown: list[TimeMention]) -> list[TimeMention]:
    """Times that only an attribute names: empty `<time>`, schema.org metas, `title` behind "5m"."""
    taken = {above for mention in shown for above in _near(tree, mention.node)} if exact else set()
    found = []
    for node, time in exact.items():
        if node in taken or not (
            time.sure or (tree.tags[node] in _INLINE and not tree.text(node))
        ):  # a script writes there
            continue
        text = tree.text(node) if tree.ends[node] - node <= 9 else ""
        text = text if 0 < len(text) <= 24 else time.text
        parts = time.parts
        found.append(
            TimeMention(node, tree.ends[node], text, "attribute", parts.precision, parts, parts, time.attribute)
        )
    return found


def _near(tree: Tree, node: int) -> Iterator[int]:
    above = tree.parents[node]
    for _ in range(3):
        if above < 0 or tree.ends[above] - above > 9:
            return
        yield above
        above = tree.parents[above]
