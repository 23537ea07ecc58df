"""The link groups of a page: links that stand at one place and have URLs of one form (FoCUS, algorithm 1).

A group whose members have several forms is taken apart: a page can show boards and threads in one column. Groups
that differ only in the classes on their path (odd and even rows, stickies) are one. Flips are left to the pagers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import Final

from thrawl.learn.inside import are_the_titles, leads_inside
from thrawl.page.links import Link, LinkGroup
from thrawl.page.pictures import names_a_file
from thrawl.page.reading import Page
from thrawl.profile.folding import fold
from thrawl.profile.pagerwords import page_number, says_next
from thrawl.profile.urls import FILE_ENDING, Structure, is_for_programs, same_site, take_apart

_NUMBER: Final = re.compile(r"\d[\d,. ]*\Z")
_DIGITS: Final = re.compile(r"\d+")
_NUMBERS: Final = re.compile(r"[\d\-_.,]+")
_COMMAND: Final = re.compile(r"[A-Za-z_]{1,16}")  # a word that tells a program what to do: `mode=thread`
_COMMANDS: Final = re.compile(r"[A-Za-z_]{1,16}(?:-[A-Za-z_]{1,16})*(?:-[A-Za-z]{0,2}\d+)+")  # `?board-show-7-p2`
MANY_HEADS: Final = 3  # ways to begin at one place: a program has one or two, so these are names of boards or people
_MORE_THAN_TITLES: Final = 2  # times as much as their titles is what rows of boards say, with a description or counts
_FOLDER: Final = "|"  # the end of a folder's address in a head
_NAME: Final = re.compile(r"[-@%~]|\d{3}")  # signs that a folder is somebody's name, not the program's
_BEFORE_COMMA: Final = re.compile(r"[A-Za-z]{1,16},")  # titles in URLs have hyphens: a comma is the program's
_STEM: Final = re.compile(r"(?:[A-Za-z]{1,12}_)?[A-Za-z]{1,12}[-_.,]?(?=\d+(?:[-_.,~]|\Z))")

Form = tuple[Structure, str]


class Candidate(LinkGroup):
    """Links of one page at one place and of one structure, one to each address, in page order."""

    @cached_property
    def urls(self) -> tuple[str, ...]:  # asked for again and again
        return tuple(link.url for link in self.links)

    @property
    def structure(self) -> Structure:
        return take_apart(self.links[0].url).structure

    @property
    def tags(self) -> tuple[str, ...]:
        """The way to these links, without classes."""
        return tuple(label.partition(".")[0] for label in self.place.path)

    @property
    def heads(self) -> frozenset[str]:
        """The folders (or the programs) of these URLs, numbers blanked out: links of one kind mostly share one."""
        return frozenset(map(head_of, self.urls))

    def rows(self, page: Page) -> dict[int, int]:
        """The numbers of the rows of its region in which its links stand, by their nodes; none outside of rows."""
        records = page.regions[self.region].records if self.region >= 0 else ()
        starts = [one.start for one in records]
        found = ((link.node, bisect_right(starts, link.node) - 1) for link in self.links)
        return {node: number for node, number in found if number >= 0 and node < records[number].end}

    def first_nodes(self, page: Page) -> dict[int, int]:
        """The first link in each row of its region, by the row's number."""
        found: dict[int, int] = {}
        for node, number in self.rows(page).items():
            found[number] = min(node, found.get(number, node))
        return found

    def split(self, key: Callable[[str], object]) -> list[Candidate]:
        """The candidate as one for each key of its URLs."""
        keys: dict[object, list[Link]] = defaultdict(list)
        for link in self.links:
            keys[key(link.url)].append(link)
        return [self] if len(keys) == 1 else [replace(self, links=tuple(links)) for links in keys.values()]

    def merged(self, other: Candidate) -> Candidate:
        known = {link.url: link for link in (*other.links, *self.links)}
        return replace(self, links=tuple(known[url] for url in dict.fromkeys((*self.urls, *other.urls))))


def candidates(page: Page) -> tuple[Candidate, ...]:
    """The groups of a page that may lead to boards or threads, longest total anchor text first."""
    found: dict[tuple[object, ...], list[Candidate]] = defaultdict(list)
    plain = [one for one in page.groups if not leads_inside(one)]
    for group in page.groups:
        if group.is_pager or (leads_inside(group) and not are_the_titles(group, plain, page)):
            continue
        for candidate in _by_structure(group, page):
            tags = tuple(label.partition(".")[0] for label in group.place.path)
            alike = found[group.region, tags, group.place.kind, group.place.ordinal, candidate.structure]
            _merge_into(alike, candidate, page)
    return tuple(sorted((one for alike in found.values() for one in alike), key=lambda one: -one.anchor_chars))


def _merge_into(alike: list[Candidate], candidate: Candidate, page: Page) -> None:
    """Join a candidate with the first one whose URLs begin as its own do, else add it.

    Odd and even rows have one class each; what stands in one row under two is two columns, which mean two things.
    """
    rows = candidate.first_nodes(page)
    for number, one in enumerate(alike):
        if one.heads & candidate.heads and rows.keys().isdisjoint(one.first_nodes(page)):
            alike[number] = one.merged(candidate)
            return
    alike.append(candidate)


@lru_cache(maxsize=8192)
def head_of(url: str) -> str:
    """How URLs of one kind begin: folders and the words of the query, with names and numbers left open.

    A last segment counts as far as it is no title: `topic-12.html` gives `topic-`, `2-590-0-17` gives `0-0-0-0`,
    `my-boat.html` gives `*.html`. A folder is told from a file: boards may be the folders in which their threads stand.
    """
    parts = take_apart(url)
    first = parts.structure.segments
    segments = [slot for slot in parts.slots[:first] if slot]
    last = len(segments) - 1
    steps = []
    for at, segment in enumerate(segments):
        if at == last and not parts.structure.names:
            ending = FILE_ENDING.search(segment)
            whole = segment[: ending.start()] if ending else segment
            stem = _STEM.match(segment) or _BEFORE_COMMA.match(segment) or _NUMBERS.fullmatch(whole)
            steps.append(stem[0] if stem else "*" + (ending[0] if ending else ""))
        else:
            steps.append("*" if _NAME.search(segment) else segment)
    if steps and not parts.slots[first - 1]:
        steps[-1] += _FOLDER
    items = zip(parts.structure.names, parts.slots[first:], strict=True)
    words = [value if _is_command(name, value) else "" for name, value in items]
    return _DIGITS.sub("0", "/".join(steps) + "?" * bool(words) + "&".join(words))


def _is_command(name: str | None, value: str) -> bool:
    """Whether an item of a query is the program's: a word, or without a name several, and numbers behind them.

    Titles in the place of a query differ from row to row, and so are known for names.
    """
    return _COMMAND.fullmatch(value) is not None or (name is None and _COMMANDS.fullmatch(value) is not None)


def form_of(url: str) -> Form:
    """What URLs have in common that are taken for one kind at first."""
    return take_apart(url).structure, head_of(url)


def _by_structure(group: LinkGroup, page: Page) -> Iterator[Candidate]:
    split: dict[Form, dict[str, Link]] = defaultdict(dict)
    for link in group.links:
        if same_site(link.url, page.url) and link.url != page.url and not _leads_to_no_list(link):
            known = split[form_of(link.url)]
            if link.url not in known or len(link.anchor) > len(known[link.url].anchor):
                known[link.url] = link
    if len(split) > 1 and _title_rows(group, page):
        split = _without_named_queries(split)
    for members in _without_names(_with_one_word_names(split, in_rows=group.region >= 0)):
        yield Candidate(tuple(members.values()), group.place, group.region)


def _with_one_word_names(split: Mapping[Form, dict[str, Link]], *, in_rows: bool) -> dict[Form, dict[str, Link]]:
    """The links of one place, each that is named by one word among the others, whose names have several; in rows, also
    each that begins as no other, and then has a number: somebody's name, for a program's words come back."""
    merged = {form: dict(members) for form, members in split.items()}
    for (structure, head), members in split.items():
        said = {fold(link.anchor) for link in members.values()}
        if in_rows and len(members) == 1 and not structure.names:
            said.add(fold(head.rpartition("/")[2]))
        wide = next((one for one in merged if one[0] == structure and _one_word(one[1], head) in said), None)
        if wide is not None:
            merged[wide].update(merged.pop((structure, head)))
    return merged


def _one_word(wide: str, head: str) -> str | None:
    """The word by which a head differs from another that has names of several words there."""
    pairs = zip_longest(wide.split("/"), head.split("/"), fillvalue="")
    differing = [(mine, other) for mine, other in pairs if mine != other]
    return fold(differing[0][1]) if len(differing) == 1 and differing[0][0] == "*" and differing[0][1] else None


def _without_names(split: Mapping[Form, dict[str, Link]]) -> Iterator[dict[str, Link]]:
    """The links of one place by form, as one where their folders differ so much that they are names."""
    ways = Counter((structure, head.rpartition("/")[2]) for structure, head in split)
    whole: dict[tuple[Structure, str], dict[str, Link]] = defaultdict(dict)
    for (structure, head), members in split.items():
        last = head.rpartition("/")[2]
        if ways[structure, last] >= MANY_HEADS:
            whole[structure, last].update(members)
        else:
            yield members
    yield from whole.values()


def _title_rows(group: LinkGroup, page: Page) -> bool:
    """Whether links stand in rows that say more than they do; the items of a menu do not."""
    if group.region < 0:
        return False
    records = page.regions[group.region].records
    shown = sum(len(page.tree.text_of(one.start, one.end)) for one in records)
    return len(records) > 1 and shown > _MORE_THAN_TITLES * group.anchor_chars


def _without_named_queries(split: Mapping[Form, dict[str, Link]]) -> dict[Form, dict[str, Link]]:
    """The links of one column of rows, as one kind where each has a word of its own in the query: those are names.

    A program's words for what it does come back from row to row. Of two rows each must be called by its word.
    """
    forms: dict[tuple[Structure, str], list[tuple[list[str], dict[str, Link]]]] = defaultdict(list)
    for (structure, head), members in split.items():
        before, _, query = head.partition("?")
        forms[structure, before].append((query.split("&"), members))
    merged: dict[Form, dict[str, Link]] = defaultdict(dict)
    for (structure, before), ways in forms.items():
        said = [{fold(link.anchor) for link in members.values()} for _, members in ways]
        columns = list(zip(*(words for words, _ in ways), strict=True))
        own = [len(ways) >= MANY_HEADS or [{fold(word)} for word in column] == said for column in columns]
        named = [is_own and 1 < len(ways) == len(set(column)) for is_own, column in zip(own, columns, strict=True)]
        for words, members in ways:
            opened = ["" if is_name else word for is_name, word in zip(named, words, strict=True)]
            merged[structure, before + "?" * bool(any(words)) + "&".join(opened)].update(members)
    return merged


def _leads_to_no_list(link: Link) -> bool:
    """Whether a link is one of a pager, a number without words, or leads to a picture or a file."""
    turns = says_next(link.anchor, link.rel) or page_number(link.anchor) is not None
    is_file = is_for_programs(link.url) or names_a_file(link.url)
    return turns or is_file or _NUMBER.match(link.anchor) is not None


def spread(urls: Sequence[str], number: int) -> list[str]:
    """A few of many, evenly over the whole: neighbours on a page tend to be alike."""
    if len(urls) <= number:
        return list(urls)
    return [urls[round(at * (len(urls) - 1) / max(1, number - 1))] for at in range(number)]
