"""The best joint explanation of a site: which families are its threads, which its boards, and where it is entered.

Opinions of single families are weighed in `roles`; here plain logic joins them, one question after the other:
`titles` (a row has one title), `boards` (what leads to lists of threads), `homes` (what lists most boards).
"""

from __future__ import annotations

from collections.abc import Mapping

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.boards import Boards
from thrawl.learn.structure.evidence import Opinion
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Atlas, Family
from thrawl.learn.structure.homes import homes
from thrawl.learn.structure.scene import LIKELY, Scene
from thrawl.learn.structure.titles import ends, merged_by_form, previews, titles


def infer(
    atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float = LIKELY
) -> Explanation | None:
    """The best explanation; None where nothing is likely to be threads."""
    scene = Scene(atlas, opinions, start, likely)
    threads = titles(scene)
    if not threads:
        return None
    boards = Boards(scene, threads, previews(scene))
    entry, *others = homes(scene, boards.lists, threads)
    followed, spare = boards.below(entry.page)
    chosen_boards = [
        Chosen(family, opinions[family].board, family in spare)
        for family in [*followed, *spare]
        if set(family.urls) != {entry.page.url}
    ]
    chosen_threads = merged_by_form([Chosen(family, opinions[family].thread) for family in threads])
    second = next((one for one in others if one.page.url != entry.page.url), None)
    return Explanation(
        entry.page,
        tuple(chosen_boards),
        (*ends(scene, threads), *chosen_threads),
        entry.listed,
        second.page.url if second else None,
        second.listed if second else 0.0,
    )
