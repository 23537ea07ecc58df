"""The best joint explanation of a site: which families are its threads, which its boards, and where it is entered.

Opinions of single families are weighed in `roles`; here plain logic joins them, one question after the other:
`titles` (a row has one title), `boards` (what leads to lists of threads), `homes` (what leads to most threads).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.boards import Boards
from thrawl.learn.structure.evidence import Opinion
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.homes import Home, homes
from thrawl.learn.structure.scene import LIKELY, Scene
from thrawl.learn.structure.titles import ends, merged_by_form, own_titles, previews, titles


def infer(
    atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float = LIKELY
) -> Explanation | None:
    """The best explanation; None where nothing is likely to be threads."""
    scene = Scene(atlas, opinions, start, likely)
    hidden = previews(scene)
    threads = titles(scene, hidden)
    if not threads:
        return None
    threads, boards, (entry, *others) = _around_the_start(scene, threads, hidden)
    threads, followed, spare = _below_the_entry(scene, entry, threads, boards)
    chosen_boards = [
        Chosen(family, scene.opinions[family].board, family in spare)
        for family in [*followed, *spare]
        if set(family.urls) != {entry.page.url}
    ]
    chosen_threads = merged_by_form([Chosen(family, scene.opinions[family].thread) for family in threads])
    second = next((one for one in others if one.page.url != entry.page.url), None)
    return Explanation(
        entry.page,
        tuple(chosen_boards),
        (*ends(scene, threads), *chosen_threads),
        entry.listed,
        second.page.url if second else None,
        second.listed if second else 0.0,
    )


def _around_the_start(
    scene: Scene, threads: list[Family], hidden: set[Family]
) -> tuple[list[Family], Boards, list[Home]]:
    """The threads, the boards and the homes, the best first, of that part of the site where the start page stands.

    A portal has more lists than the forum that it holds, so its front page looks like the better home. But it is no
    home of the start page's threads if another page lists their boards and it does not.
    """
    boards = Boards(scene, threads, hidden)
    found = homes(scene, boards, threads)
    own = own_titles(scene, threads)
    own_boards = Boards(scene, own, hidden) if 0 < len(own) < len(threads) else boards
    if own_boards is boards or not own_boards.lists:
        return threads, boards, found
    own_homes = homes(scene, own_boards, own)
    if own_homes[0].page.url == found[0].page.url or not own_homes[0].listed:
        return threads, boards, found
    listed = scene.listed_below(own_homes[0].page.url, own_boards.lists)
    part = [one for one in threads if one in own or one in listed]
    return part, Boards(scene, part, hidden), own_homes


def _below_the_entry(
    scene: Scene, entry: Home, threads: list[Family], boards: Boards
) -> tuple[list[Family], list[Family], list[Family]]:
    """The threads below the entry page, its boards, and the lists in reserve.

    Where its boards lead to threads, what other lists of the site show, and neither this page nor its boards, is
    another part of the site, as news and files are beside a forum; and so is what stands in a menu beside this page.
    """
    followed, spare = boards.below(entry.page)
    below = scene.listed_below(entry.page.url, followed)
    part = [one for one in threads if one in below or one.fits(scene.start.url)]
    if len(part) == len(threads) or not _lead_to_some(scene, followed, part):
        return threads, followed, spare
    others = [one for one in threads if one not in part]
    followed = [one for one in followed if _lead_to_some(scene, [one], part) or not _lead_to_some(scene, [one], others)]
    spare = [one for one in spare if _lead_to_some(scene, [one], part) and entry.page.url not in one.urls]
    return part, followed, spare


def _lead_to_some(scene: Scene, lists: Sequence[Family], threads: Sequence[Family]) -> bool:
    return any(scene.leads_to(one, thread) for one in lists for thread in threads)
