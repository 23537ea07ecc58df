"""What a seed decides about a random forum: one value a question, each drawn on its own.

Every option was seen in real forum software; the weights are rough, so that rare things turn up often enough to be
measured. Each question has a random source of its own, so a question that is added later changes no other answer of
any seed. Combinations that make no sense are settled at the end, by rules that each say why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Final

from thrawl.errors import UsageError

Option = str | int | bool

# --- an option drawn by fewer seeds than this stands out when a failure is told
_RARE_SHARE: Final = 0.2


@dataclass(frozen=True, slots=True)
class Choices:
    """A forum in some seventy words; `print(choices)` shows those that stand out."""

    seed: int
    # structure
    structure: str
    landing: str
    above: str
    nested: str
    start: str
    # sizes
    threads: int
    singles: int
    boards: int
    board_page: int
    thread_page: int
    long_thread: bool
    # addresses
    shape: str
    home: str
    thread_place: str
    thread_id: str
    board_id: str
    flip_place: str
    forms: str
    session: str
    # rows of index pages
    rows: str
    board_rows: str
    counts: str
    last_column: str
    row_author: str
    row_extra: str
    row_pager: bool
    board_counts: bool
    board_last: str
    board_about: bool
    stickies: bool
    wall: bool
    # thread pages
    markup: str
    author: str
    avatar: str
    rank: bool
    number: str
    anchor: str
    permalink: str
    signature: bool
    quotes: str
    code: str
    items: str
    inline: str
    attachments: bool
    likes: bool
    buttons: bool
    reply_to: str
    subject: bool
    body: str
    edited: bool
    whole: bool
    index_trees: bool
    # times
    time: str
    time_format: str
    row_time: str
    # pagers
    board_pager: str
    thread_pager: str
    pager_place: str
    pager_fault: str
    from_end: str
    # language and looks
    language: str
    classes: str
    charset: str
    broken: str
    crumbs: str
    heading: str
    # noise
    sorting: bool
    print_views: bool
    tags: bool
    calendar: bool
    profiles: str
    members: bool
    header_login: bool
    newest_box: bool
    ads: bool
    word_menu: bool
    register: bool
    search: bool
    neighbours: bool
    related: bool
    jump_menu: bool
    reply_form: bool
    newest_page: bool
    counters: bool
    feed: bool
    robots: str

    def __str__(self) -> str:
        return f"seed {self.seed}: " + " ".join(standing_out(self))


_YES: Final[Mapping[Option, int]] = {True: 1, False: 1}
_SOME: Final[Mapping[Option, int]] = {True: 1, False: 2}
_FEW: Final[Mapping[Option, int]] = {True: 1, False: 4}

OPTIONS: Final[Mapping[str, Mapping[Option, int]]] = {
    "structure": {"boards": 14, "single": 3, "categories": 2, "flipping": 2, "previews": 2, "latest": 2},
    "landing": {"none": 16, "all": 1, "months": 2},
    "above": {"nothing": 14, "empty": 1, "blog": 1, "portal": 1, "project": 1},
    "nested": {"flat": 3, "inline": 1, "below": 1},
    "start": {
        "entry": 20, "board": 1, "thread": 2, "flip": 1, "profile": 1, "permalink": 1, "tag": 1, "search": 1,
    },
    "threads": {20: 1, 30: 2, 40: 3, 60: 3, 80: 2, 120: 1},
    "singles": {40: 2, 66: 2, 20: 1, 0: 1},
    "boards": {1: 1, 2: 1, 3: 2, 5: 3, 8: 2},
    "board_page": {4: 1, 8: 2, 10: 2, 15: 2, 20: 2, 30: 1},
    "thread_page": {3: 1, 5: 2, 10: 4, 15: 2, 20: 1},
    "long_thread": {True: 1, False: 4},
    "shape": {"query": 3, "act": 2, "path": 4, "folder": 3, "html": 2, "comma": 1},
    "home": {"root": 3, "folder": 3, "file": 2, "beside": 1},
    "thread_place": {"own": 12, "root": 1, "in-board": 2, "dated": 1},
    "thread_id": {
        "number": 5, "slug-number": 2, "number-slug": 2, "slug": 2, "hash": 1, "counted-in-board": 1, "message": 2,
    },
    "board_id": {"number": 3, "slug": 3, "slug-number": 2},
    "flip_place": {"query": 1, "path": 1},
    "forms": {"one": 4, "last": 3, "redirect": 1, "several": 2},
    "session": {"none": 14, "query": 1, "path": 1},
    "rows": {"table": 4, "list": 2, "divs": 4, "definitions": 1, "paragraphs": 1},
    "board_rows": {"table": 4, "list": 2, "divs": 3, "headings": 1},
    "counts": {"replies": 4, "posts": 2, "none": 2},
    "last_column": {"none": 2, "time": 1, "author": 1, "both": 4},
    "row_author": {"none": 1, "plain": 2, "link": 4},
    "row_extra": {"none": 3, "icon": 2, "date-tooltip": 1, "words-tooltip": 1, "prefix": 1, "excerpt": 1},
    "row_pager": _SOME,
    "board_counts": _YES,
    "board_last": {"none": 2, "time": 1, "thread": 2},
    "board_about": _YES,
    "stickies": _SOME,
    "wall": _FEW,
    "markup": {
        "tables": 4, "rows": 3, "divs": 7, "articles": 4, "lists": 3, "definitions": 1, "mail": 1, "nested": 2,
        "tree": 2, "mail-tree": 1, "answers": 1, "inside": 1, "opening": 2, "rules": 1,
    },
    "author": {"link": 10, "plain": 4, "label": 2, "bold": 2, "none": 1},
    "avatar": {"none": 2, "picture": 2, "letter": 1},
    "rank": _YES,
    "number": {"none": 3, "hash": 2, "before-time": 1},
    "anchor": {"id": 4, "name": 1, "none": 2},
    "permalink": {"none": 2, "fragment": 2, "redirect": 1, "same": 1},
    "signature": _SOME,
    "quotes": {"cite": 2, "wrote": 2, "table": 1, "dated": 1, "legend": 1},
    "code": {"pre": 2, "box": 1},
    "items": {"list": 4, "bold": 1},
    "inline": {"none": 3, "colour": 1, "links": 1, "bold": 1},
    "attachments": _FEW,
    "likes": _FEW,
    "buttons": _YES,
    "reply_to": {"none": 4, "name": 1, "link": 1},
    "subject": _SOME,
    "body": {"paragraphs": 2, "breaks": 1},
    "edited": _YES,
    "whole": _SOME,
    "index_trees": _SOME,
    "time": {
        "text": 12, "relative": 1, "relative-title": 2, "attribute": 1, "tooltip": 1, "data": 1, "script": 1,
        "none": 1,
    },
    "time_format": {
        "iso": 2, "long": 2, "short-month": 2, "slashes": 1, "dots": 1, "clock12": 1, "near": 2, "day-only": 1,
        "weekday": 1, "seconds": 1,
    },
    "row_time": {"as-posts": 3, "iso": 1, "relative": 1},
    "board_pager": {
        "numbers": 7, "offsets": 3, "zero": 1, "steps": 1, "next": 1, "cursor": 1, "more": 1, "icon": 1, "opaque": 1,
        "head": 1,
    },
    "thread_pager": {
        "numbers": 7, "offsets": 3, "zero": 1, "steps": 1, "next": 1, "cursor": 1, "more": 1, "icon": 1, "opaque": 1,
        "head": 1,
    },
    "pager_place": {"both": 2, "above": 1, "below": 2},
    "pager_fault": {"none": 10, "last-lies": 1, "dead": 1},
    "from_end": {"no": 14, "boards": 1, "threads": 1},
    "language": {"en": 5, "de": 2, "fr": 1, "es": 1, "ja": 1},
    "classes": {"full": 3, "several": 2, "styles": 1},
    "charset": {"utf-8": 14, "legacy": 1, "undeclared": 1, "wrong": 1},
    "broken": {"none": 16, "script": 1, "unclosed": 3, "stray": 2},
    "crumbs": {"full": 4, "board": 1, "none": 1},
    "heading": {"h1": 2, "h2": 2, "linked": 1, "cell": 1},
    "sorting": _SOME,
    "print_views": _SOME,
    "tags": _FEW,
    "calendar": _FEW,
    "profiles": {"none": 1, "short": 2, "words": 1},
    "members": _SOME,
    "header_login": _SOME,
    "newest_box": _SOME,
    "ads": _SOME,
    "word_menu": _FEW,
    "register": _YES,
    "search": _YES,
    "neighbours": _SOME,
    "related": _FEW,
    "jump_menu": _FEW,
    "reply_form": _SOME,
    "newest_page": _SOME,
    "counters": _SOME,
    "feed": _SOME,
    "robots": {"none": 3, "open": 1, "noise": 1},
}  # fmt: skip

# --- posts that stand inside others are not cut into pages; trees of titles show one post a page
ONE_PAGE: Final = frozenset({"nested"})
ONE_POST: Final = frozenset({"tree", "mail-tree"})
# --- layouts whose first post is unlike the others and stands on every page of its thread
OPENED: Final = frozenset({"answers", "inside"})


def draw(seed: int, **given: Option) -> Choices:
    """The choices of a seed; the same for ever, as long as the options stay. What is given is not drawn."""
    drawn = {name: _one(seed, name) for name in OPTIONS}
    return settled(Choices(seed=seed, **drawn | given))  # type: ignore[arg-type]


def option_named(text: str) -> tuple[str, Option]:
    """`markup=tree` as a question and its answer. Raises UsageError where there is no such question or answer."""
    name, _, value = text.partition("=")
    if name not in OPTIONS:
        raise UsageError(f"there is no choice {name!r} of a random forum; the choices are {', '.join(OPTIONS)}.")
    for option in OPTIONS[name]:
        if str(option).casefold() == value.casefold():
            return name, option
    raise UsageError(f"{name} is one of {', '.join(map(str, OPTIONS[name]))}, not {value!r}.")


def share_of(name: str, option: Option) -> float:
    """The share of forums that draw this answer; 0 for answers that only settling gives."""
    weights = OPTIONS[name]
    return weights.get(option, 0) / sum(weights.values())


def common_option(name: str) -> Option:
    """The answer that most forums give."""
    weights = OPTIONS[name]
    return max(weights, key=lambda option: weights[option])


def standing_out(choices: Choices) -> Iterator[str]:
    """The choices that few forums share, as `name=value`."""
    for name, value in told(choices):
        if share_of(name, value) < _RARE_SHARE and not isinstance(value, int):
            yield f"{name}={value}"


def told(choices: Choices) -> Iterator[tuple[str, Option]]:
    """Every choice with its name, but for the seed."""
    for field in fields(choices):
        if field.name != "seed":
            yield field.name, getattr(choices, field.name)


def _one(seed: int, name: str) -> Option:
    weights = OPTIONS[name]
    return Random(f"{seed}/{name}").choices(list(weights), list(weights.values()))[0]


# --- combinations that make no sense


def settled(choices: Choices) -> Choices:
    """The same choices with those changed that the others leave no room for."""
    for rule in (_structure, _posts, _mail, _addresses, _pagers, _start):
        choices = replace(choices, **rule(choices))  # type: ignore[arg-type]
    return choices


def _structure(choices: Choices) -> dict[str, Option]:
    match choices.structure:
        case "single":
            # Without boards there is nothing to nest, to jump to, to pin, or to name in an address.
            place = "own" if choices.thread_place == "in-board" else choices.thread_place
            ident = "number" if choices.thread_id == "counted-in-board" else choices.thread_id
            alone: dict[str, Option] = {"boards": 1, "nested": "flat", "board_id": "number", "stickies": False}
            return alone | {"jump_menu": False, "wall": False, "thread_place": place, "thread_id": ident}
        case "latest":
            return {"boards": max(choices.boards, 2), "nested": "flat", "wall": False}  # its menu of boards is flat
        case "previews":
            return {"boards": max(choices.boards, 2), "nested": "flat"}
        case "categories" | "flipping":
            return {"boards": max(choices.boards, 3)}  # fewer make no list that flips, and no categories
    return {"boards": max(choices.boards, 2)}  # one board is what `single` is


def _posts(choices: Choices) -> dict[str, Option]:
    from_end = "no" if choices.from_end == "threads" else choices.from_end
    if choices.markup in ONE_POST:
        # A page is named by its post and shows no other; the tree of titles is the only way to the others.
        named: dict[str, Option] = {"thread_id": "message", "thread_place": "own", "forms": "one", "permalink": "none"}
        if choices.thread_pager == "more":
            named["thread_pager"] = "numbers"
        return named | {"from_end": from_end, "row_pager": False, "print_views": False, "reply_to": "none"}
    paged: dict[str, Option] = {"whole": False, "index_trees": False}  # a whole thread stands on its pages already
    return paged | ({"from_end": from_end} if choices.markup in ONE_PAGE | OPENED else {})


def _mail(choices: Choices) -> dict[str, Option]:
    """A mail is text: headers, words, quoted lines, and nothing around them."""
    if choices.markup not in ("mail", "mail-tree"):
        return {}
    without = dict.fromkeys(("rank", "likes", "signature", "attachments", "subject", "edited"), False)
    none = dict.fromkeys(("avatar", "inline", "number", "reply_to"), "none")
    written = {"body": "mail", "quotes": "mail", "code": "mail", "items": "list", "author": "plain"}
    return {**without, **none, **written, "time": "text", "time_format": "weekday"}


def _addresses(choices: Choices) -> dict[str, Option]:
    place, ident = choices.thread_place, choices.thread_id
    if place == "root" and ident in ("number", "counted-in-board", "message", "slug"):
        return {"thread_id": "number-slug"}  # a bare number or word at the root would be taken for anything
    if place == "dated" and ident in ("counted-in-board", "message"):
        return {"thread_id": "slug-number"}
    if place == "in-board" and ident == "message":
        return {"thread_id": "number"}
    # An id that counts within a board says nothing without the board.
    return {"thread_place": "in-board"} if ident == "counted-in-board" else {}


def _pagers(choices: Choices) -> dict[str, Option]:
    """Pages that are counted from the end have numbers, or one step back."""
    which = {"boards": "board_pager", "threads": "thread_pager"}.get(choices.from_end)
    if which is None or getattr(choices, which) in ("numbers", "steps"):
        return {}
    return {which: "numbers"}


def _start(choices: Choices) -> dict[str, Option]:
    """A crawl begins at a page that exists; and an undeclared charset is one that readers can guess."""
    there = {
        "tag": choices.tags,
        "search": choices.search,
        "profile": choices.profiles != "none",
        "permalink": choices.permalink in ("redirect", "same"),
    }
    start = choices.start if there.get(choices.start, True) else "thread" if choices.start == "permalink" else "entry"
    # Nobody begins at a page that robots.txt forbids.
    robots = "open" if choices.robots == "noise" and start in ("profile", "search") else choices.robots
    unreadable = choices.language == "ja" and choices.charset == "undeclared"
    return {"start": start, "robots": robots, "charset": "utf-8" if unreadable else choices.charset}
