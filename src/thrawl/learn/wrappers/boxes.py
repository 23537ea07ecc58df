"""Learn what the boxes inside a site's bodies are: quotations, signatures, notes of edits, buttons.

Each look inside bodies is judged by all of its instances: words that stand in another post are a quotation; words that
come back below the same author's posts are a signature; a time with the same words around it is a note; the same words
everywhere are template.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final

from thrawl.learn.wrappers.headers import Names, framed_names, said_of_names
from thrawl.learn.wrappers.tails import common_heads, common_tails
from thrawl.page.tags import INLINE
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.content import (
    LONGEST_NOTE,
    last_text,
    line_around,
    line_before,
    line_of,
    words,
)
from thrawl.profile.folding import fold
from thrawl.profile.lines import form_of
from thrawl.profile.looks import Boxes, Look, look_of
from thrawl.profile.printed import CODE, framed_by, part_letter
from thrawl.profile.subjects import subject_of

_CONTENT_TAGS: Final = frozenset("a br hr img li ol ul p tbody tr td th tt wbr".split())
_BOX_TAGS: Final = frozenset("blockquote fieldset q table".split())
_FEW_HOMES: Final = 3  # bodies that say the same at one look; two may do so by chance
_LEAST_QUOTED: Final = 20  # characters; shorter words stand in other posts by chance
_TAIL: Final = 30  # letters at the end of a quotation that must stand in another post
_WORD: Final = re.compile(r"[\w-]+")
_TO_LAST_LETTER: Final = re.compile(r".*[^\W\d_]", re.DOTALL)
_MOSTLY: Final = 0.7  # as of notes: some answer under a title of their own
_HEADER_CHARS: Final = 60  # of a quotation: who said it, and when
# Times that the boxes of a body may hold its nodes, on the whole: that many levels deep no body of a real post is, and
# where thousands stand in one another, reading each would take time that grows with the square of the page.
_MOST_LEVELS: Final = 16
_FEW_RUNS: Final = 2  # of lines of others that are known as such: one may be chance
_GOOD_PART: Final = 0.3  # of them: a sample holds few of the posts that are quoted in it
_RULE: Final = re.compile(r"[_\-=~*—–]{3,}|--")


@dataclass(frozen=True, slots=True)
class Body:
    """One body of the sample: its page's tree, its nodes, its author, and the nodes that show times in it."""

    tree: Tree
    start: int
    end: int
    author: str | None
    times: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Instance:
    body: int
    node: int
    words: str


@dataclass(frozen=True, slots=True)
class _Folded:
    """The words of all bodies, folded, as one text: boxes are looked for in it, and there may be thousands of both."""

    text: str
    starts: Sequence[int]

    @classmethod
    def of(cls, bodies: Sequence[Body]) -> _Folded:
        texts = [fold(body.tree.text_of(body.start, body.end)) for body in bodies]
        return cls("\n".join(texts), (0, *accumulate(len(text) + 1 for text in texts)))

    def length(self, body: int) -> int:
        return self.starts[body + 1] - self.starts[body] - 1

    def homes(self, words: str) -> Iterator[int]:
        """The bodies that hold these words, in their order."""
        at = self.text.find(words)
        while at >= 0:
            body = bisect_right(self.starts, at) - 1
            yield body
            at = self.text.find(words, self.starts[body + 1])


def learn_boxes(bodies: Sequence[Body], names: Sequence[str]) -> Boxes:
    """What the looks inside these bodies mean."""
    known = frozenset(name.casefold() for name in names)
    folded = _Folded.of(bodies)
    quotes: set[Look] = set()
    dropped: set[Look] = set()
    notes: set[Look] = set()
    shown = _instances(bodies)
    for look, instances in shown.items():
        meaning = _meaning(bodies, folded, look, instances, known)
        if meaning:
            {"quote": quotes, "template": dropped, "signature": dropped, "note": notes}[meaning].add(look)
    frames = {look for look in quotes if _is_frame(bodies, folded, shown[look], quotes - {look}, known)}
    quotes -= frames
    lines = [line for body, box in _boxes_of(bodies, quotes) for line in _first_lines(body, box)]
    named = Names(names)
    said, framed = said_of_names(lines, named), framed_names(lines, named)
    rules, endings = _rules(bodies), _endings(bodies, known)
    lined = _are_lined(bodies, folded, known)
    spans, looks = [(body.tree, body.start, body.end) for body in bodies], quotes | dropped | notes
    heads, tails = common_heads(spans, looks), common_tails(spans, looks)
    return Boxes(
        frozenset(quotes), frozenset(dropped), frozenset(notes), said, rules, endings, framed, lined, tails, heads
    )


def _instances(bodies: Sequence[Body]) -> dict[Look, list[_Instance]]:
    found: dict[Look, list[_Instance]] = defaultdict(list)
    known: dict[tuple[int, int], str] = {}  # bodies may stand in one another
    for number, body in enumerate(bodies):
        closed = 0
        left = _MOST_LEVELS * (body.end - body.start)
        for node in range(body.start, body.end):
            tag = body.tree.tags[node]
            if node < closed:
                continue
            if tag == "blockquote":
                closed = body.tree.ends[node]
            if tag == TEXT or (tag in _CONTENT_TAGS and "class" not in body.tree.attributes[node]):
                continue
            place = (id(body.tree), node)
            words = known.get(place)
            left -= body.tree.ends[node] - node
            if left < 0:
                break
            if words is None:
                words = known[place] = body.tree.text(node)
            if words:
                found[look_of(body.tree, node)].append(_Instance(number, node, words))
    return found


def _meaning(
    bodies: Sequence[Body], folded: _Folded, look: Look, instances: Sequence[_Instance], names: frozenset[str]
) -> str | None:
    homes = {instance.body for instance in instances}
    if len(homes) < 2:
        quoted = look.classes and _is_quotation(bodies, folded, instances, names)
        return "quote" if quoted else None
    is_code = _is_code(bodies, instances)
    if not is_code and _is_note(bodies, instances, names):
        return "note"
    if not is_code and _is_signature(bodies, instances):
        return "signature"
    forms = Counter(form_of(instance.words, names) for instance in instances)
    alike = len(homes) >= _FEW_HOMES and len(forms) <= max(1, 0.1 * len(homes))
    if not is_code and look.classes and _are_titles(bodies, instances):
        return "template"
    everywhere = alike and len(homes) == len(bodies)  # the first post of all quotes nobody
    quoting = (look.classes or look.tag in _BOX_TAGS) and not everywhere
    if quoting and _is_quotation(bodies, folded, instances, names):
        return "quote"
    own = is_code or _in_sentences(bodies, instances)
    return "template" if look.classes and alike and not own else None


def _is_code(bodies: Sequence[Body], instances: Sequence[_Instance]) -> bool:
    """Whether most hold preformatted text or stand in code: no template does, and the same few lines, or the words of
    a language, come up in many threads."""
    told = [
        not CODE.isdisjoint(bodies[one.body].tree.tags[one.node : bodies[one.body].tree.ends[one.node]])
        or _stands_in_code(bodies[one.body], one.node)
        for one in instances
    ]
    return sum(told) > 0.5 * len(told)


def _stands_in_code(body: Body, node: int) -> bool:
    """Whether a node is part of a piece of code in a body; mails are preformatted as a whole."""
    if not any(body.tree.named(tag) for tag in CODE):
        return False
    boxes = [up for up in body.tree.ancestors(node) if up >= body.start and body.tree.tags[up] in CODE]
    return any(2 * (body.tree.ends[up] - up) < body.end - body.start or body.tree.tags[up] == "code" for up in boxes)


def _are_titles(bodies: Sequence[Body], instances: Sequence[_Instance]) -> bool:
    """Whether most say what the `<title>` of their page does, which differs: each post has its thread's title above its
    words, behind a mark ("Re:") and before its number ("#2")."""
    found = ((bodies[one.body].tree, _TO_LAST_LETTER.match(one.words)) for one in instances)
    said = [(tree, subject_of(words[0])) for tree, words in found if words]
    told = [words for tree, words in said if words and words in " ".join(tree.title.casefold().split())]
    return len(set(told)) >= _FEW_HOMES and len(told) > _MOSTLY * len(instances)


def _in_sentences(bodies: Sequence[Body], instances: Sequence[_Instance]) -> bool:
    """Whether most stand in a line with words: links that many posts call "here" are their own words."""
    beside = [_words_beside(bodies[instance.body].tree, instance.node) for instance in instances]
    counts = Counter(beside)
    # what comes back before or after them is template like them
    within = sum(len(words) == 2 or (len(words) == 1 and counts[words] == 1) for words in beside)
    return within > 0.5 * len(instances)


def _words_beside(tree: Tree, node: int) -> tuple[str, ...]:
    """The texts right before and right after a node, or of what it ends or begins in its line; a box of links is one
    of its own, wherever it stands."""
    if tree.tags[node] not in INLINE and _is_of_links(tree, node):
        return ()
    while True:
        after = tree.ends[node]
        beside = [*islice(tree.before(node), 1), *([after] if after < tree.ends[tree.parents[node]] else ())]
        words = tuple(tree.texts[one] for one in beside if tree.tags[one] == TEXT and not tree.texts[one].isspace())
        node = tree.parents[node]
        if words or tree.tags[node] not in INLINE:
            return words


def _is_of_links(tree: Tree, box: int) -> bool:
    """Whether a box says nothing outside of links."""
    node = box
    while node < tree.ends[box]:
        if tree.tags[node] == TEXT and any(map(str.isalnum, tree.texts[node])):
            return False
        node = tree.ends[node] if tree.tags[node] == "a" else node + 1
    return True


def _is_note(bodies: Sequence[Body], instances: Sequence[_Instance], names: frozenset[str]) -> bool:
    short = ((bodies[one.body], one) for one in instances if len(one.words) <= LONGEST_NOTE)
    timed = [one for body, one in short if not body.times.isdisjoint(range(one.node, body.tree.ends[one.node]))]
    if len(timed) < 2 or len(timed) < 0.7 * len(instances):
        return False
    forms = Counter(form_of(instance.words, names) for instance in timed)
    return forms.most_common(1)[0][1] >= 0.3 * len(timed)


def _is_signature(bodies: Sequence[Body], instances: Sequence[_Instance]) -> bool:
    """Whether most authors say the same below several posts, and most of them something else than the others: labels
    come back with all of them. Boxes in one another say the same once."""
    by_author: dict[str, list[str]] = defaultdict(list)
    for body, said in dict.fromkeys((instance.body, instance.words) for instance in instances):
        author = bodies[body].author
        if author:
            by_author[author].append(said)
    again = [texts for texts in by_author.values() if len(texts) > 1]
    same = [texts for texts in again if len(set(texts)) <= 0.5 * len(texts)]
    distinct = {texts[0] for texts in same}
    return len(distinct) >= max(2, 0.5 * len(same)) and len(same) >= 0.7 * len(again)


def _is_quotation(
    bodies: Sequence[Body], folded: _Folded, instances: Sequence[_Instance], names: frozenset[str]
) -> bool:
    """Whether a good part of the long enough ones stand in an earlier body or begin with another author's name, and
    they are not the bodies themselves."""
    known: dict[str, str] = {}  # boxes in one another often say the same
    for instance in instances:
        if instance.words not in known:
            known[instance.words] = fold(instance.words)
    long = [instance for instance in instances if len(known[instance.words]) >= _LEAST_QUOTED]
    whole = sum(2 * len(known[instance.words]) > folded.length(instance.body) for instance in instances)
    if len(long) < 0.5 * len(instances) or whole > 0.6 * len(bodies):
        return False
    hits = sum(_stands_before(bodies, folded, instance.body, known[instance.words]) for instance in long[:60])
    if hits >= min(2, len(long)) and hits >= 0.3 * min(60, len(long)):
        return True
    named = sum(_begins_with_name(bodies[instance.body], instance, names) for instance in long)
    return named > 2 and named >= 0.6 * len(long)


def _is_frame(
    bodies: Sequence[Body], folded: _Folded, instances: Sequence[_Instance], quotes: set[Look], names: frozenset[str]
) -> bool:
    """Whether boxes stand around quotations of another look and around something else, which none of others said."""
    others = [one for one in instances if not any(_looks_inside(bodies[one.body].tree, one.node, quotes))]
    return 0 < len(others) < len(instances) and not _is_quotation(bodies, folded, others, names)


def _looks_inside(tree: Tree, node: int, looks: set[Look]) -> Iterator[bool]:
    return (look_of(tree, below) in looks for below in range(node + 1, tree.ends[node]) if tree.tags[below] != TEXT)


def _begins_with_name(body: Body, instance: _Instance, names: frozenset[str]) -> bool:
    """Whether the first words name an author of the site who is not the post's own."""
    own = (body.author or "").casefold()
    begin = _WORD.findall(instance.words[:_HEADER_CHARS].casefold())
    return any(word in names and word != own and len(word) > 2 for word in begin)


def _stands_before(bodies: Sequence[Body], folded: _Folded, body: int, said: str) -> int:
    """1 if the words of a body stand in an earlier one or on another page, -1 if only in a later one of the page."""
    tail = said[-(_TAIL if len(said) > 2 * _TAIL else _LEAST_QUOTED) :]  # much of a short one may be its header
    later = 0
    for number in folded.homes(tail):
        if number < body or bodies[number].tree is not bodies[body].tree:
            return 1
        later = -1 if number > body else later
    return later


def _are_lined(bodies: Sequence[Body], folded: _Folded, names: frozenset[str]) -> bool:
    """Whether lines that begin as those of others in letters are theirs: a good part of them stand in an earlier body,
    or below a line that names an author of the site. Who quotes adds something: what is all of a post is its own."""
    found = _inside(bodies, lambda tree, node: tree.texts[node].lstrip().startswith(">"))
    signed = (number for number, (_, lines) in enumerate(found) if lines)
    parted = (
        (number, *part_letter(words(bodies[number].tree, [(bodies[number].start, bodies[number].end)], ())))
        for number in signed
    )
    runs = [(number, own, run) for number, own, others in parted for run in others]
    hits = sum(
        (run.is_headed and any(len(name) > 2 and name in run.before.casefold() for name in names))
        or (len(said := fold(run.text)) >= _LEAST_QUOTED and _stands_before(bodies, folded, number, said) > 0)
        for number, own, run in runs
        if own
    )
    return hits >= _FEW_RUNS and hits >= _GOOD_PART * len(runs)


def _boxes_of(bodies: Sequence[Body], quotes: set[Look]) -> Iterator[tuple[Body, int]]:
    """The quotations of each body."""
    for body, boxes in _inside(bodies, lambda tree, node: _is_quote(tree, node, quotes)):
        yield from ((body, box) for box in boxes)


def _is_quote(tree: Tree, node: int, quotes: set[Look]) -> bool:
    tag = tree.tags[node]
    return tag == "blockquote" or (tag != TEXT and look_of(tree, node) in quotes)


def _inside(bodies: Sequence[Body], wanted: Callable[[Tree, int], bool]) -> Iterator[tuple[Body, Sequence[int]]]:
    """The nodes in each body that are wanted; each page is searched once, as bodies may stand in one another."""
    pages: dict[int, list[int]] = {}
    for body in bodies:
        tree = body.tree
        if id(tree) not in pages:
            pages[id(tree)] = [node for node in range(len(tree)) if wanted(tree, node)]
        found = pages[id(tree)]
        yield body, found[bisect_left(found, body.start) : bisect_left(found, body.end)]


def _first_lines(body: Body, box: int) -> Iterator[str]:
    """The first line inside a box, and the line before the box or its frame."""
    tree = body.tree
    for node in range(box + 1, min(tree.ends[box], box + 10)):
        if tree.tags[node] == TEXT and not tree.texts[node].isspace():
            yield tree.text_of(*line_around(tree, node, (box, tree.ends[box])))
            break
    before = line_before(tree, framed_by(tree, box, body.start))
    if before is not None:
        yield line_of(tree, before)[:LONGEST_NOTE]


def _rules(bodies: Sequence[Body]) -> frozenset[str]:
    """Lines of strokes after which the same author's posts end the same way."""
    tails: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for body in bodies:
        for node in range(body.end - 1, body.start - 1, -1):
            text = body.tree.texts[node].strip() if body.tree.tags[node] == TEXT else ""
            if text and _RULE.fullmatch(text) and body.author:
                tails[text][body.author].append(fold(body.tree.text_of(node, body.end)))
                break
    found = set()
    for rule, by_author in tails.items():
        again = [ends for ends in by_author.values() if len(ends) > 1]
        if again and sum(len(set(ends)) < len(ends) for ends in again) >= 0.6 * len(again):
            found.add(rule)
    return frozenset(found)


def _endings(bodies: Sequence[Body], names: frozenset[str]) -> frozenset[str]:
    """Forms of last lines that hold a time and come back: notes of edits without an element of their own."""
    forms: Counter[str] = Counter()
    for body in bodies:
        node = last_text(body.tree, body.start, body.end)
        if (
            node in body.times
            and len(body.tree.texts[node]) <= LONGEST_NOTE
            and not any(body.tree.tags[up] in CODE for up in body.tree.ancestors(node))
        ):
            forms[form_of(body.tree.texts[node], names)] += 1
    return frozenset(form for form, count in forms.items() if count > 1 and form)
