"""What an index page promises, and what on it nobody explains: the evidence for the ledger.

Boards stand in rows with numbers beside them; the entry page says totals; links stand where threads stand and fit no
pattern; a pager leads on that is not followed. Nothing is decided here, and no word of any language is known: which
number counts what is told by agreement with what was got (`ledger`). Places are named by the tags around a link, the
column of a table and the classes next to it, so that all rows of a page, and all pages of a site, name them alike.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from typing import Final

from thrawl.crawl.links import LinkReader
from thrawl.crawl.promised import BOARD, ROW_MARK
from thrawl.crawl.values import Sighting, StrayLink, Told
from thrawl.page.links import resolver_of
from thrawl.page.pagekind import PageKind
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.pagerwords import page_number
from thrawl.profile.urls import beginnings, name_of, parts_behind_host
from thrawl.profile.urltypes import TypedUrl

_CELLS: Final = frozenset({"td", "th"})
_NUMBER: Final = re.compile(r"(?<![\w.,:/-])(\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+|\d{1,9})(?![\d:/-]|[.,]\d)")
_NOT_DIGITS: Final = re.compile(r"\D+")
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_ROW_NODES: Final = 400  # of a board's row that are read; a row of a real page has some 60
_ROW_NUMBERS: Final = 8  # numbers of one row: topics, posts, views and a date's parts
_FEWEST_ROWS: Final = 2  # links at one place without which nothing is a row
_FEWEST_THREADS: Final = 3  # threads at one place that make it the place of threads
_FEWEST_TITLES: Final = 5  # links at one place that may be rows where no thread is known
_TITLE: Final = 14  # bytes that titles have on average; words of menus have half of it
_FEWEST_TURNS: Final = 4  # links that can be seen to take turns
_TURNS: Final = 0.8  # of the steps from link to link; of rows of two kinds that come as they come, half are turns
_OFTEN: Final = 0.2  # of the links that are met more than once; of threads it is one or two that are pinned
_SHORTER: Final = 0.6  # times the length of titles; names have a third of it
_FEWEST_BOARDS: Final = 3  # boards in a list that make boards of the others, too
_DESCRIBED: Final = 12  # characters beside a board's name that make a row of it; a menu has none
_PAGE_NUMBERS: Final = 40  # numbers beside words that are kept of one page; an entry page's foot has some ten
_LIST_NUMBERS: Final = 6  # of a page that is not the entry: its own count of threads stands near its head or foot
_LONGEST_LABEL: Final = 60  # characters around a number that are its label and not a text
_MOST_STRAYS: Final = 60  # of one page; a list has 20 to 50 rows
_MOST_LINKS: Final = 1000  # of one page that are looked at; the largest of 132,000 real pages had 647
_LABEL_NODES: Final = 30  # of an element that may be a number's label
_MOST_COLUMNS: Final = 64  # of a table that have heads; a list of threads has ten
_DEEPEST: Final = 40
_MOST_TURNS: Final = 3  # links of one parent that are told apart; the fourth of a line of icons is as good as the tenth


@dataclass(frozen=True, slots=True)
class _Met:
    node: int
    url: str
    anchor: str
    typed: TypedUrl | None

    @property
    def list_url(self) -> str:
        return self.url if self.typed is None else self.typed.list_url or self.url

    @property
    def in_reserve(self) -> bool:
        """Of lists in reserve only the numbers are told: they promise nothing that must be kept."""
        return self.typed is not None and self.typed.reserve


def look(tree: Tree, url: str, list_url: str, links: LinkReader, *, is_entry: bool) -> Sighting:
    """What an index page promises and shows."""
    met = list(islice(_met(tree, url, links), _MOST_LINKS))
    places = _by_place(tree, (one for one in met if not one.in_reserve))
    titles = _title_places(places)
    strays = {
        one.url: StrayLink(one.url, one.anchor) for place in titles for one in _among_threads(tree, places[place])
    }
    rows = list(_board_rows(tree, places))
    if not titles and not rows:
        strays = {one.url: StrayLink(one.url, one.anchor) for one in _likely_titles(places) or _parts(places, list_url)}
    spare = list(_board_rows(tree, _by_place(tree, (one for one in met if one.in_reserve))))
    roots = {row for row, _ in (*rows, *spare)}
    # others of the same row are named below it
    first = dict(sorted((*rows, *spare), key=lambda pair: -pair[1].node))
    told = [one for row, board in first.items() for one in _numbers_of_row(tree, row, board, roots)]
    known = Counter(tree.parents[row] for row, board in rows if board.typed is not None)
    others = Counter(tree.parents[row] for row, board in rows if board.typed is None)
    told += [
        Told(board.list_url, BOARD, board.anchor, 0)
        for row, board in rows
        if _is_described(tree, row, board) or _is_among_boards(board, known[home := tree.parents[row]], others[home])
    ]
    taken = sorted({*roots, *_rows_of_threads(tree, places, titles)})
    told += _numbers_of_page(tree, taken, "" if is_entry else list_url, _PAGE_NUMBERS if is_entry else _LIST_NUMBERS)
    threads = {one.typed.list_url for place in titles for one in places[place] if one.typed is not None}
    return Sighting(tuple(told), tuple(strays.values())[:_MOST_STRAYS], threads=len(threads))


def board_roots(tree: Tree, url: str, links: LinkReader) -> list[tuple[int, int, str]]:
    """The boards that stand in rows: the row's element, the link's, and the board."""
    places = _by_place(tree, (one for one in islice(_met(tree, url, links), _MOST_LINKS) if not one.in_reserve))
    return [(row, one.node, one.list_url) for row, one in _board_rows(tree, places) if one.typed is not None]


def _met(tree: Tree, url: str, links: LinkReader) -> Iterator[_Met]:
    """The links of the site that show words."""
    resolver = resolver_of(tree, url)
    host = url.split("/", 3)[2]
    for node in tree.named("a"):
        href = tree.attributes[node].get("href")
        resolved = resolver.resolve(href) if href and href[0] != "#" else None
        if resolved is None or resolved[0].split("/", 3)[2] != host:
            continue
        anchor = tree.text(node)[:200]
        if any(map(str.isalnum, anchor)) and page_number(anchor) is None:
            own = links.one_form(resolved[0])
            yield _Met(node, own, anchor, links.types.type(own))


def _by_place(tree: Tree, met: Iterable[_Met]) -> dict[str, list[_Met]]:
    places: dict[str, list[_Met]] = defaultdict(list)
    above: dict[int, tuple[str, ...]] = {-1: ()}
    for one in met:
        places[_place(tree, one.node, above)].append(one)
    return places


def _place(tree: Tree, node: int, above: dict[int, tuple[str, ...]]) -> str:
    """Where a link or a text stands: the tags above it, columns of tables, classes next to it, its turn; `above` keeps
    the steps down to those that were met."""
    parent = tree.parents[node]
    near = tree.attributes[parent].get("class", "") if parent >= 0 else ""
    turn = min(_MOST_TURNS, tree.turn(node, tree.tags[node]))
    own = f"{tree.tags[node]}.{tree.attributes[node].get('class', '')}^{near}#{turn}"
    unknown = list(takewhile(lambda one: one not in above, tree.ancestors(node)))
    for one in reversed(unknown):
        above[one] = (_step(tree, one), *above[tree.parents[one]])[:_DEEPEST]
    return "<".join((own, *above[parent]))


def _step(tree: Tree, node: int) -> str:
    tag = tree.tags[node]
    if tag not in _CELLS:
        return tag
    return f"{tag}{_column(tree, node)}"


def _column(tree: Tree, cell: int) -> int:
    return sum(tree.turn(cell, tag) for tag in _CELLS)


def _title_places(places: dict[str, list[_Met]]) -> list[str]:
    """The places of thread titles: where threads say more than at any other place of the page, or half as much."""
    said = {
        place: sum(len(one.anchor) for one in met if one.typed is not None and one.typed.is_thread)
        for place, met in places.items()
        if len({one.typed.list_url for one in met if one.typed is not None and one.typed.is_thread}) >= _FEWEST_THREADS
    }
    most = max(said.values(), default=0)
    return [place for place, chars in said.items() if 2 * chars >= most]


def _among_threads(tree: Tree, met: Sequence[_Met]) -> Iterator[_Met]:
    """The links that fit no pattern and stand in one list with threads; a cloud of tags may look alike elsewhere."""
    if _is_column_beside(met) or _are_people([one.url for one in met if one.typed is None]):
        return
    nodes = [one.node for one in met]
    homes = [tree.parents[_row_around(tree, node, nodes)] for node in nodes]
    with_threads = Counter(home for home, one in zip(homes, met, strict=True) if one.typed and one.typed.is_thread)
    for home, one in zip(homes, met, strict=True):
        if one.typed is None and with_threads[home] >= _FEWEST_ROWS:
            yield one


def _are_people(urls: Sequence[str]) -> bool:
    """Whether links are names of people, who write more than one thread; a thread may stand in a box once more."""
    times = Counter(urls)
    return sum(number > 1 for number in times.values()) > _OFTEN * len(times)


def _likely_titles(places: dict[str, list[_Met]]) -> list[_Met]:
    """Where nothing on a list is known, the column that says most: if any links lead to threads, these do."""
    columns = [met for met in places.values() if len({one.url for one in met}) >= _FEWEST_TITLES]
    unknown = [met for met in columns if all(one.typed is None for one in met)]
    # in bytes: a letter of scripts without spaces says as much as three of others
    said = {sum(len(one.anchor.encode()) for one in met) / len(met): met for met in unknown}
    longest = max(said, default=0.0)
    return said[longest] if longest >= _TITLE else []


def _parts(places: dict[str, list[_Met]], list_url: str) -> list[_Met]:
    """Where nothing on a list is known, the columns of links that carry its name: its months, or other parts of it.

    They are short as the words of menus are; but a menu stands on all pages, and so carries the name of none. Its own
    address with more in its query is the list in another order.
    """
    own = name_of(list_url)

    def is_part(one: _Met) -> bool:
        carries = one.typed is None and own in parts_behind_host(one.url)
        return carries and list_url not in (one.url, *beginnings(one.url, "&;?"))

    return max((met for met in places.values() if all(map(is_part, met))), key=len, default=[])


def _is_column_beside(met: Sequence[_Met]) -> bool:
    """Whether links with and without a type take turns, and those without are shorter: titles, and their authors."""
    turns = sum((one.typed is None) != (other.typed is None) for one, other in pairwise(met))
    if len(met) < _FEWEST_TURNS or turns < _TURNS * (len(met) - 1):
        return False
    typed, others = ([len(one.anchor) for one in met if (one.typed is None) is no] for no in (False, True))
    return sum(others) * len(typed) < _SHORTER * sum(typed) * len(others)


def _board_rows(tree: Tree, places: dict[str, list[_Met]]) -> Iterator[tuple[int, _Met]]:
    """The row of each board: as far around its link as no other link of the same place is held.

    What stands among boards and fits no pattern is told of like them: the ledger finds that nothing of it was got.
    """
    for met in places.values():
        boards = [one for one in met if one.typed is None or one.typed.kind is PageKind.INDEX]
        times = Counter(one.url for one in boards)
        if any(one.typed is None and times[one.url] > 1 for one in boards):  # people, who are named more than once
            boards = [one for one in boards if one.typed is not None]
        if any(one.typed is not None for one in boards) and len({one.url for one in boards}) >= _FEWEST_ROWS:
            nodes = [one.node for one in boards]
            rows = [_row_around(tree, node, nodes) for node in nodes]
            homes = {tree.parents[row] for row, one in zip(rows, boards, strict=True) if one.typed is not None}
            for row, one in zip(rows, boards, strict=True):
                if tree.parents[row] in homes:
                    yield row, one


def _rows_of_threads(tree: Tree, places: dict[str, list[_Met]], titles: Sequence[str]) -> Iterator[int]:
    for place in titles:
        nodes = [one.node for one in places[place]]
        yield from (_row_around(tree, node, nodes) for node in nodes)


def _row_around(tree: Tree, node: int, nodes: Sequence[int]) -> int:
    row = node
    for above in tree.ancestors(node):
        if bisect_left(nodes, tree.ends[above]) - bisect_left(nodes, above) > 1:
            return row
        row = above
    return node  # alone on the page: nothing tells where its row ends


def _numbers_of_row(tree: Tree, row: int, board: _Met, roots: set[int]) -> Iterator[Told]:
    """The numbers in a board's row; those of a row within it are that board's."""
    found = 0
    link_end = tree.ends[board.node]
    for node in range(row, min(tree.ends[row], row + _ROW_NODES)):
        if tree.tags[node] != TEXT or board.node <= node < link_end:
            continue
        if next(above for above in tree.ancestors(node) if above in roots) != row:
            continue
        for turn, number in enumerate(_numbers(tree.texts[node])):
            if found == _ROW_NUMBERS:
                return
            found += 1
            yield Told(board.list_url, f"{_inside(tree, node, row)}{ROW_MARK}{turn}", _label(tree, node, row), number)


def _is_described(tree: Tree, row: int, board: _Met) -> bool:
    """Whether a row says more than a name, as rows of boards do and those of menus do not."""
    return row != board.node and len(tree.text(row)) - len(board.anchor) >= _DESCRIBED


def _is_among_boards(board: _Met, known: int, others: int) -> bool:
    """Whether a link that fits no pattern stands in a list of which most links are boards, several of them."""
    return board.typed is None and known >= _FEWEST_BOARDS and known > others


def _inside(tree: Tree, node: int, row: int) -> str:
    """The place of a text within its row, from the row down, with the columns and turns that tell fields apart."""
    steps = []
    while node != row:
        parent = tree.parents[node]
        steps.append(f"{tree.tags[node]}{tree.turn(node)}")
        node = parent
    return "<".join([*steps, tree.tags[row]])


def _numbers_of_page(tree: Tree, rows: Sequence[int], subject: str, most: int) -> Iterator[Told]:
    """Numbers beside words that stand in no row: totals of the list or of the site."""
    found, seen = 0, set()
    ends = [tree.ends[row] for row in rows]
    for node, tag in enumerate(tree.tags):
        if tag != TEXT or not any(map(str.isdigit, tree.texts[node])) or _is_in(node, rows, ends):
            continue
        numbers = list(_numbers(tree.texts[node]))
        label = _label(tree, node, 0) if len(numbers) == 1 else ""
        if not label or (label, numbers[0]) in seen:
            continue
        seen.add((label, numbers[0]))
        yield Told(subject, f"{label}|{_path(tree, node)}", label, numbers[0])
        found += 1
        if found == most:
            return


def _is_in(node: int, rows: Sequence[int], ends: Sequence[int]) -> bool:
    before = bisect_right(rows, node) - 1
    return before >= 0 and node < ends[before]


def _path(tree: Tree, node: int) -> str:
    return "<".join(tree.tags[above] for above, _ in zip(tree.ancestors(node), range(6), strict=False))


def _numbers(text: str) -> Iterator[int]:
    for found in _NUMBER.finditer(text):
        yield int(_NOT_DIGITS.sub("", found[1]))


def _label(tree: Tree, node: int, row: int) -> str:
    """The words that a number stands with: of its own text, of the elements around it, or of its column's head."""
    own = _words(tree.texts[node])
    if own:
        return own
    for above in tree.ancestors(node):
        if above <= row or tree.ends[above] - above > _LABEL_NODES:
            break
        text = tree.text(above)
        if len(text) > _LONGEST_LABEL:
            break
        if words := _words(text):
            return words
        if tree.tags[above] in _CELLS:
            return _head_of_column(tree, above)
        if words := _words(tree.attributes[above].get("title", "")[:_LONGEST_LABEL]):
            return words
    return _beside(tree, node)


def _words(text: str) -> str:
    return " ".join(_WORDS.findall(text)).casefold() if len(text) <= _LONGEST_LABEL else ""


def _beside(tree: Tree, node: int) -> str:
    """The words of the element before the one that holds nothing but a number: `<dt>Topics</dt><dd>300</dd>`."""
    holder = tree.parents[node]
    parent = tree.parents[holder] if holder > 0 else -1
    if parent < 0 or tree.ends[holder] - holder > _LABEL_NODES:
        return ""
    if tree.text(holder) != " ".join(tree.texts[node].split()):
        return ""
    turn = tree.turn(holder)
    return _words(tree.text(tree.row(parent)[turn - 1])) if turn else ""


def _head_of_column(tree: Tree, cell: int) -> str:
    """What the first row of a table says above a cell."""
    table = next((above for above in tree.ancestors(cell) if tree.tags[above] == "table"), -1)
    first = next((one for one in tree.below(table) if tree.tags[one] == "tr"), -1) if table >= 0 else -1
    if first < 0:
        return ""
    column = _column(tree, cell)
    heads = sorted(one for tag in _CELLS for one in tree.row(first, tag)[:_MOST_COLUMNS])[:_MOST_COLUMNS]
    return _words(tree.text(heads[column])) if column < len(heads) else ""
