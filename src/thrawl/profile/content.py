"""A post's own words: its body without the quotations, signatures, notes and buttons that stand in it.

Every element inside a body is known by its look (tag and classes). `Boxes` says what the looks of a site mean; it is
learned in `boxes`. `<blockquote>` is a quotation everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.page.links import Resolver
from thrawl.page.shown import Quote
from thrawl.page.timescan import scan
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.lines import above_tails, below_heads, form_of
from thrawl.profile.looks import Boxes, look_of
from thrawl.profile.markup import Span, write_html
from thrawl.profile.printed import CODE, PRINTED, after_head, box_label, framed_by, is_blank, letter_around, part_letter

_BREAKS: Final = frozenset(
    "address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6"
    " header hr li main nav ol p pre section table td th tr ul".split()
)
_UNSAID: Final = frozenset("button select option textarea input label iframe object".split())
_LONGEST_HEADER: Final = 100  # characters of a line that says whose words follow
LONGEST_NOTE: Final = 200  # characters of a note of an edit
_QUOTED: Final = "blockquote"
_SPACE: Final = "\ue000"  # stands for a space that must not be folded; a character that no page writes
_BOXES: Final = frozenset("div table fieldset section dl aside figure".split())
LONGEST_SAID: Final = 24  # characters around a name and a time: "Originally posted by"
_HEADER_WORDS: Final = 2  # of a header that names nobody known: a name and "wrote"; one word is the label of a box
_NUMBERS: Final = re.compile(r"\d+")
_UNDERLINE: Final = re.compile(r"_{10,}")  # as a line of its own it has parted signatures on any software


@dataclass(frozen=True, slots=True)
class Content:
    """What a body says. `notes` are the nodes that tell of edits."""

    text: str
    html: str
    quotes: tuple[Quote, ...]
    notes: tuple[int, ...]


def read_content(
    tree: Tree,
    spans: Sequence[Span],
    skipped: Collection[int],
    boxes: Boxes,
    links: Resolver,
    names: Collection[str] = (),
    ids: Collection[str] = (),
    head: int = -1,
) -> Content:
    """The content of a body that covers these ranges of nodes, without the subtrees and texts at the skipped nodes.

    `names` and `ids` are those of the page's posts: quotations refer to them. `head` is a node of the post's head: in a
    letter, which prints it with the words, all up to the first empty line after it is left out.
    """
    quoted: list[Span] = []
    dropped: list[Span] = []
    notes: list[int] = []
    letter = letter_around(tree, *spans[0])
    begin = after_head(tree, letter, head)
    for node in _elements(tree, spans, quoted, dropped):
        look = look_of(tree, node)
        if node in skipped or look in boxes.dropped or look.tag in _UNSAID:
            dropped.append((node, tree.ends[node]))
        elif look in boxes.notes:
            dropped.append((node, tree.ends[node]))
            notes.append(node)
        elif (
            look.tag == _QUOTED
            or (look in boxes.quotes and not _is_code(tree, node))
            or (look.tag in _BOXES and _is_headed(tree, node, boxes, names))
        ):
            quoted.append((node, tree.ends[node]))
        elif look.tag in CODE and (label := box_label(tree, node, spans[0][0])) >= 0:
            dropped.append((label, tree.ends[label]))
    dropped.extend((node, node + 1) for node in skipped if node >= 0 and tree.tags[node] == TEXT)
    dropped.extend(_after_rule(tree, spans, boxes, skipped))
    if boxes.endings and (note := _ending(tree, spans, boxes, names)) is not None:
        dropped.append((note, note + 1))
        notes.append(note)
    first = spans[0][0]
    headers = [header for box in quoted if (header := _header_before(tree, box[0], boxes, names, first)) is not None]
    labels = (label for box in quoted if (label := box_label(tree, box[0], spans[0][0])) >= 0)
    headers.extend((label, tree.ends[label]) for label in labels if tree.text(label).endswith((":", "：")))
    quotes = tuple(_quote(tree, box, boxes, names, ids, first) for box in quoted)
    text = words(tree, spans, [*quoted, *dropped, *headers], begin)
    if boxes.heads:
        text = below_heads(text, tree, spans, boxes)
    if boxes.tails:
        text = above_tails(text.split("\n"), boxes)
    if letter >= 0 or boxes.lined:
        text, others = part_letter(text)
        quotes = (*quotes, *(Quote(None, one.text, None) for one in others))
    return Content(text, write_html(tree, spans, dropped, links), quotes, tuple(notes))


def _is_headed(tree: Tree, box: int, boxes: Boxes, names: Collection[str]) -> bool:
    """Whether a node is a box with a line of its own that says whose words follow, and these words.

    Where the site's way to say so is known, a line that says it otherwise and names nobody known begins something else:
    code, a list.
    """
    if tree.tags[box] not in _BOXES:
        return False
    first = next((node for node in range(box + 1, tree.ends[box]) if _is_said(tree, node)), -1)
    if first < 0:
        return False
    if any(tree.tags[up] == _QUOTED or look_of(tree, up) in boxes.quotes for up in _above(tree, first, box)):
        return False  # a post that begins with a quotation: the line is that of the box inside
    header = line_around(tree, first, (box, tree.ends[box]))
    line = line_of(tree, header)
    if header[0] == first or header[1] >= tree.ends[box] or not line.endswith((":", "：")):
        return False
    if PRINTED in tree.tags[box : tree.ends[box]] or last_text(tree, header[1], tree.ends[box]) < 0:
        return False
    if _named(line, boxes, names) is not None:
        return True
    return not (boxes.said or boxes.framed) and len(line.split()) >= _HEADER_WORDS


def _is_said(tree: Tree, node: int) -> bool:
    return tree.tags[node] == TEXT and not tree.texts[node].isspace()


def _elements(tree: Tree, spans: Sequence[Span], quoted: list[Span], dropped: list[Span]) -> Iterator[int]:
    """The elements of these ranges; what stands in one that was quoted or dropped meanwhile is passed over."""
    for start, end in spans:
        node = start
        while node < end:
            if tree.tags[node] != TEXT:
                yield node
                past = max(quoted[-1][1] if quoted else 0, dropped[-1][1] if dropped else 0)
                if past > node:
                    node = past
                    continue
            node += 1


def _after_rule(tree: Tree, spans: Sequence[Span], boxes: Boxes, skipped: Collection[int]) -> Iterator[Span]:
    """What follows the last line that parts a post from a signature; posts inside of it have their own."""
    begins = {tree.ends[node]: node for node in skipped if node >= 0}
    for start, end in spans:
        node = end
        while node > start:
            node = begins.get(node, node - 1)
            line = tree.texts[node].strip() if tree.tags[node] == TEXT else ""
            if line in boxes.rules or (line[:1] == "_" and _UNDERLINE.fullmatch(line)):
                yield node, end
                return


def _ending(tree: Tree, spans: Sequence[Span], boxes: Boxes, names: Collection[str]) -> int | None:
    node = last_text(tree, *spans[-1])
    if node < 0 or len(tree.texts[node]) > LONGEST_NOTE or not any(map(str.isdigit, tree.texts[node])):
        return None
    return node if form_of(tree.texts[node], frozenset(names)) in boxes.endings else None


def words(tree: Tree, spans: Sequence[Span], left_out: Sequence[Span], begin: tuple[int, int] | None = None) -> str:
    """The words of these ranges, a line for each line of print; `begin` is where a letter's own words begin."""
    first, offset = begin or (-1, 0)
    ends = dict(left_out)
    pieces: list[str] = []
    for start, end in spans:
        printed = _printed_around(tree, start) if start < end else -1
        if start <= first < end:
            shown = tree.texts[first]
            pieces.append((shown.replace(" ", _SPACE) if first < printed else shown.replace("\n", " "))[offset:])
        pieces += lines_between(tree, max(start, min(first + 1, end)), end, ends, printed, _BREAKS, _SPACE)
    text = "".join(pieces)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    if _SPACE in text:
        lines = [line.replace(_SPACE, " ").rstrip() for line in lines]
    return "\n".join(line for line in lines if line)


def lines_between_slowly(
    tree: Tree, start: int, end: int, left_out: dict[int, int], printed: int, breaks: frozenset[str], space: str
) -> list[str]:
    """The texts of a range without what is left out, and the ends of lines; up to `printed` lines are as they stand,
    with a sign for each space."""
    pieces: list[str] = []
    blocks: list[int] = []
    tags, texts = tree.tags, tree.texts
    node = start
    while node < end:
        while blocks and blocks[-1] <= node:
            blocks.pop()
            pieces.append("\n")
        if node in left_out:
            pieces.append("\n")
            node = max(node + 1, left_out[node])
            continue
        tag = tags[node]
        if tag == TEXT:
            pieces.append(texts[node].replace(" ", space) if node < printed else texts[node].replace("\n", " "))
        elif tag in breaks:
            pieces.append("\n")
            blocks.append(tree.ends[node])
            if tag == PRINTED:
                printed = tree.ends[node]
        node += 1
    pieces.append("\n")
    return pieces


def last_text_slowly(tree: Tree, start: int, end: int) -> int:
    """The last text of a range that is more than white space, -1 if there is none."""
    texts = (node for node in range(end - 1, start - 1, -1) if tree.tags[node] == TEXT)
    return next((node for node in texts if not tree.texts[node].isspace()), -1)


try:
    from thrawl.page._walks import last_text as last_text
    from thrawl.page._walks import lines_between
except ImportError:  # not built: see `page.tree`
    last_text, lines_between = last_text_slowly, lines_between_slowly


def _printed_around(tree: Tree, node: int) -> int:
    """The end of the preformatted text around a node, -1 if there is none."""
    around = tree.ancestors(node) if node < len(tree) and tree.named(PRINTED) else ()
    return next((tree.ends[up] for up in around if tree.tags[up] == PRINTED), -1)


# --- quotations


def _is_code(tree: Tree, box: int) -> bool:
    """Whether a box shows nothing but preformatted lines: code, which nobody else said."""
    printed = next((node for node in range(box, tree.ends[box]) if tree.tags[node] == PRINTED), -1)
    if printed < 0:
        return False
    outside = (*range(box, printed), *range(tree.ends[printed], tree.ends[box]))
    return not any(tree.texts[node].strip() for node in outside)


def _header_before(tree: Tree, box: int, boxes: Boxes, names: Collection[str], first: int) -> Span | None:
    """A line right before a quotation, or before a frame that holds nothing else, that says whose words follow.

    It stands in the body, which begins at the node `first`.
    """
    before = line_before(tree, framed_by(tree, box, first))
    return before if before is not None and _named(line_of(tree, before), boxes, names) is not None else None


def line_before(tree: Tree, box: int) -> Span | None:
    """The line that stands right before a box beside it, or the element; None for nothing or another box."""
    before = tree.before(box)
    last = next((one for one in before if tree.tags[one] != "br" and not is_blank(tree, one)), -1)
    if last < 0 or tree.tags[last] in ("blockquote", "table", "pre"):
        return None
    first = last
    for one in before:
        if tree.tags[first] in _BREAKS or tree.tags[one] in _BREAKS:
            break
        first = one
    return first, tree.ends[last]


def _quote(tree: Tree, box: Span, boxes: Boxes, names: Collection[str], ids: Collection[str], first: int) -> Quote:
    header = _header_inside(tree, box, boxes, names) or _header_before(tree, box[0], boxes, names, first)
    inner = [(node, tree.ends[node]) for node in range(box[0] + 1, box[1]) if _is_inner_quote(tree, node, box, boxes)]
    left_out = _outermost(inner)
    author = post_id = None
    heads = 0
    if header is not None:
        if header[0] >= box[0]:
            left_out.append(header)
            heads = 1
        author = _named(line_of(tree, header), boxes, names, sure=True) or None
        post_id = _number_in(tree, header, ids)
    text = words(tree, [(box[0] + 1, box[1])], left_out)
    # an inner box that holds all words is not quoted by the quoted
    return Quote(author, text or words(tree, [(box[0] + 1, box[1])], left_out[len(left_out) - heads :]), post_id)


def line_of(tree: Tree, span: Span) -> str:
    return " ".join(tree.text_of(*span).split())


def _is_inner_quote(tree: Tree, node: int, box: Span, boxes: Boxes) -> bool:
    """A quotation inside a quotation; the bare blockquote that carries the box's own words is none."""
    if tree.tags[node] == TEXT:
        return False
    look = look_of(tree, node)
    if look in boxes.quotes and tree.tags[node] != _QUOTED:
        return True
    if tree.tags[node] != _QUOTED:
        return False
    return tree.tags[box[0]] == _QUOTED or any(tree.tags[up] == _QUOTED for up in _above(tree, node, box[0]))


def _above(tree: Tree, node: int, top: int) -> Iterator[int]:
    node = tree.parents[node]
    while node > top:
        yield node
        node = tree.parents[node]


def _outermost(spans: Sequence[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _header_inside(tree: Tree, box: Span, boxes: Boxes, names: Collection[str]) -> Span | None:
    """The first line of a quotation if it names its author."""
    for node in range(box[0] + 1, min(box[1], box[0] + 12)):
        if tree.tags[node] == TEXT and not tree.texts[node].isspace():
            span = line_around(tree, node, box)
            return span if _named(line_of(tree, span), boxes, names) is not None else None
    return None


def line_around(tree: Tree, node: int, box: Span) -> Span:
    """The largest element around a text that is still short, else the text and its inline neighbours."""
    best = (node, node + 1)
    up = tree.parents[node]
    while up > box[0] and tree.ends[up] < box[1] + 1:
        # of more nodes than letters nothing is read: boxes in boxes without end would all be
        if tree.ends[up] - up > _LONGEST_HEADER or len(tree.text(up)) > _LONGEST_HEADER:
            break
        if _is_broken(tree, up):
            break
        if tree.ends[up] >= box[1] and up == box[0] + 1:
            break
        best = (up, tree.ends[up])
        up = tree.parents[up]
    end = best[1]
    while end < box[1] and (tree.tags[end] == TEXT or tree.tags[end] in ("a", "b", "strong", "em", "i", "span")):
        if (
            len(line_of(tree, (best[0], tree.ends[end]))) > _LONGEST_HEADER
            or tree.parents[end] != tree.parents[best[0]]
        ):
            break
        end = tree.ends[end]
        if line_of(tree, (best[0], end)).endswith(":"):
            return best[0], end
    return best


def _is_broken(tree: Tree, node: int) -> bool:
    """Whether an element is more than one line."""
    inside = range(node, tree.ends[node])
    return any(tree.tags[one] == "br" and last_text(tree, one, tree.ends[node]) >= 0 for one in inside)


def _named(line: str, boxes: Boxes, names: Collection[str], *, sure: bool = False) -> str | None:
    """The name in a quotation's header, nothing if it is a label that names nobody, None if the line is not one."""
    if not line or len(line) > _LONGEST_HEADER:
        return None
    for said in boxes.said:
        at = line.find(said)
        if line == said:
            return ""
        if at > 0:
            return line[:at].strip(" :,@\"'“”")
    framed = _framed_name(line, boxes.framed)
    if framed is not None:
        return framed
    found = [name for name in names if name and name in line]
    if found:
        best = min(found, key=lambda name: (-len(name), line.index(name)))  # of two as long the first
        rest = len(without_times(line)) - len(best)
        if sure or line.rstrip().endswith((":", "：", "…", "↑", "»")) or rest <= LONGEST_SAID:
            return best
    return line.strip(" :") if sure and line.endswith(":") else None


def _framed_name(line: str, frames: Sequence[tuple[str, str]]) -> str | None:
    bare = without_times(line) if frames else ""
    for before, after in frames:
        if bare.startswith(before) and bare.endswith(after) and len(bare) > len(before) + len(after):
            return bare[len(before) : len(bare) - len(after)].strip() or None
    return None


def without_times(line: str) -> str:
    """The words of a line without the times in it."""
    for found in reversed(scan(line)):
        line = line[: found.start] + line[found.end :]
    return " ".join(line.split())


def _number_in(tree: Tree, header: Span, ids: Collection[str]) -> str | None:
    """The number of the quoted post: one of this page's posts, or what a link's fragment points to."""
    hrefs = [tree.attributes[node].get("href", "") for node in range(*header) if tree.tags[node] == "a"]
    numbers = [number for href in hrefs for number in _NUMBERS.findall(href)]
    known = next((str(number) for number in reversed(numbers) if number in ids), None)
    pointed = [str(number) for href in hrefs for number in _NUMBERS.findall(href.partition("#")[2])]
    return known or (pointed[-1] if pointed else None)
