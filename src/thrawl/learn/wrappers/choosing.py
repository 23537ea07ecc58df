"""Find the posts of some pages: rules propose ways to cut them (`proposing`), evidence weighs the proposals, and the
best one wins; what a site numbers like posts is then read as posts, too.

One finder for a single page and for a sample of a site.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.wrappers.candidates import kind_of, marked
from thrawl.learn.wrappers.learnshape import cut_all, hold, home_of, learn_shapes, names_in
from thrawl.learn.wrappers.proposing import RECORDS, Kinds, propose, rank_proposals
from thrawl.learn.wrappers.sample import Sample
from thrawl.profile.kinds import Kind, id_form
from thrawl.profile.models import Model, shipped_model
from thrawl.profile.places import NOWHERE, follow
from thrawl.profile.shapes import PostShape

_HALF: Final = 0.5  # of the records: whoever is named again and again wrote none of them


def choose_shapes(samples: Sequence[Sample], model: Model | None = None) -> list[PostShape]:
    """The kinds of posts of these pages with their fields; empty if nothing looks like posts."""
    model = model or shipped_model(RECORDS)
    ranked = rank_proposals(propose(samples, model), model)
    if not ranked:
        return []
    shapes = [replace(one, kind=_by_number(samples, one.kind)) for one in ranked[0][1].shapes]
    return _with_numbered_alike(samples, shapes)


def _by_number(samples: Sequence[Sample], kind: Kind) -> Kind:
    """A kind by the form of its ids alone, where that cuts the same records: what else all records of a sample share
    may be chance, as the class of odd rows or the depth of the comments that it shows."""
    if not kind.form:
        return kind
    cuts = cut_all(samples, [kind])
    kind = plain if cut_all(samples, [plain := replace(kind, trail=())]) == cuts else kind
    return plain if cut_all(samples, [plain := replace(kind, classes=frozenset())]) == cuts else kind


def _with_numbered_alike(samples: Sequence[Sample], shapes: list[PostShape]) -> list[PostShape]:
    """The kinds with one more for what has ids of their form and is not read by them: a site numbers its posts, and
    what it numbers like posts are posts, as answers to answers with markup of their own, or what somebody wrote right
    after a post, in the box of that one."""
    for form in dict.fromkeys(shape.kind.form for shape in shapes if shape.kind.form):
        for tag in _tags_numbered(samples, form):
            roots = list(_unread(samples, shapes, Kind(tag, form=form)))
            if not roots:  # one is enough: its number says what it is
                continue
            read = [replace(shape, kind=_with_body(shape, roots)) for shape in shapes]
            kinds = (*(shape.kind for shape in read), marked(replace(kind_of(roots), trail=()), roots))
            inside = _stand_in_others(samples, kinds)
            if not inside and all(shape.kind.tag != tag for shape in shapes):
                continue  # what stands around the posts may be numbered like them
            found = learn_shapes(samples, kinds)
            if len(found) != len(kinds) or not found[-1].times:
                continue
            if inside and _names_nobody_known(samples, found):
                return [*found[:-1], replace(found[-1], authors=())]
            if found[-1].authors:
                return [*read, found[-1]]
    return shapes


def _tags_numbered(samples: Sequence[Sample], form: str) -> list[str]:
    """The tags of the elements with ids of one form."""
    numbered = (
        sample.tree.tags[node]
        for sample in samples
        for node, attributes in enumerate(sample.tree.attributes)
        if attributes and id_form(attributes.get("id", "")) == form
    )
    return list(dict.fromkeys(numbered))


def _stand_in_others(samples: Sequence[Sample], kinds: Kinds) -> bool:
    """Whether all records of the last kind stand in records of others."""
    last = len(kinds) - 1
    return all(home_of(page, cut) is not None for page in cut_all(samples, kinds) for cut in page if cut.kind == last)


def _names_nobody_known(samples: Sequence[Sample], shapes: Sequence[PostShape]) -> bool:
    """Whether the records of the last kind name nobody, or say again and again what is no name in the others: they are
    further posts of whoever wrote those around them."""
    *around, inner = hold(samples, [shape.kind for shape in shapes])
    names = {name for records, shape in zip(around, shapes, strict=False) for name in names_in(records, shape)}
    own = names_in(inner, shapes[-1])
    return not own or (own.isdisjoint(names) and len(own) <= _HALF * len(inner))


def _unread(samples: Sequence[Sample], shapes: Sequence[PostShape], numbered: Kind) -> Iterator[tuple[Sample, int]]:
    """The elements with ids of one form that say something, of which no kind reads a body."""
    for sample in samples:
        cuts = [
            cut
            for shape in shapes
            for cut in sample.cut(shape.kind)
            if not shape.body or follow(sample.tree, cut.parts, shape.body) != NOWHERE
        ]
        records = {part for cut in cuts for part in cut.parts}
        ids = sample.tree.attributes
        taken = {ids[part].get("id") for part in records}
        for cut in sample.cut(numbered):
            if cut.start not in records and ids[cut.start]["id"] not in taken and sample.weight(cut.start, cut.end):
                yield sample, cut.start


def _with_body(shape: PostShape, unread: Iterable[tuple[Sample, int]]) -> Kind:
    """A kind known also by its body, where its look fits what it does not read."""
    kind = shape.kind
    if kind.mark is None and not kind.before and not kind.after and any(kind.fits(one.tree, at) for one, at in unread):
        return replace(kind, mark=shape.body)
    return kind
