"""Models that were trained without a package: all that Thrawl has, so that nothing trained knows the site it meets.

python -m thrawl.lab.scoreboard.leftout ../shared -o FOLDER     # FOLDER/SITE/ holds the models that do not know SITE

Examples are collected once, over all mirrors, the real sites, the labelled pages and random forums; then each mirror's
own are left out in turn. The files have the names and places that they have in the package, so a copy of the package
with FOLDER/SITE laid over it is a Thrawl that never saw the site.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.errors import ThrawlError
from thrawl.lab.bench.mirrors import mirror_folders
from thrawl.lab.training.pagers import PagerExample, pager_examples, random_examples, train_pagers
from thrawl.lab.training.recordmodel import (
    Tried,
    TriedAuthor,
    draw_from_mirror,
    draw_from_random,
    train_model,
    try_proposals,
)
from thrawl.lab.training.rolerounds import role_examples
from thrawl.lab.training.roles import RoleExample, train_roles
from thrawl.lab.training.training import Example, load_examples, train

# As the shipped models were trained.
_FORUMS: Final = range(900_000, 900_080)  # random forums, for roles and pagers
_CUT_FORUMS: Final = range(5_000, 5_140)  # the same for ways to cut posts
_DRAWS: Final = 12  # of the thread pages of a mirror
_PAGES: Final = 30  # of each type and site, for the page classifiers
_SEED: Final = 1

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Material:
    """All examples that models are trained on, each with the name of its site."""

    pages: Sequence[Example]
    families: Sequence[RoleExample]
    pagers: Sequence[PagerExample]
    cuts: Sequence[Tried]
    authors: Sequence[TriedAuthor]

    def without(self, site: str) -> Material:
        return Material(
            [one for one in self.pages if one.site != site],
            [one for one in self.families if one.site != site],
            [one for one in self.pagers if one.site != site],
            [one for one in self.cuts if one.site != site],
            [one for one in self.authors if one.site != site],
        )


def collect(shared: Path, progress: Progress) -> Material:
    """The examples of all that there is to train on."""
    mirrors = mirror_folders([shared / "corpus"])
    further = sorted(one.parent for one in (shared / "real").glob("*/pages.jsonl.xz"))
    labelled = [shared / "pages"] if (shared / "pages" / "pages.jsonl.xz").exists() else []
    progress("pages")
    pages = load_examples([*mirrors, *further, *labelled], _PAGES, _SEED)
    families = role_examples(mirrors, _FORUMS, _SEED, progress)
    progress("pagers")
    pagers = [*asyncio.run(pager_examples(mirrors, _SEED)), *random_examples(_FORUMS)]
    progress("ways to cut posts")
    drawn = [draw for folder in mirrors for draw in draw_from_mirror(folder, _DRAWS, _SEED)]
    tried = [one for draw in (*drawn, *draw_from_random(_CUT_FORUMS)) for one in try_proposals(draw)]
    cuts = [one for one in tried if isinstance(one, Tried)]
    return Material(pages, families, pagers, cuts, [one for one in tried if isinstance(one, TriedAuthor)])


def models(material: Material) -> Iterator[tuple[str, str]]:
    """The models of these examples, each with its place in the package."""
    yield "learn/model.json", train(material.pages).to_json()
    yield "learn/structure/roles.json", train_roles(material.families).to_json()
    yield "profile/pager.json", train_pagers(material.pagers).to_json()
    yield "learn/wrappers/records.json", _told(train_model(material.cuts).to_json())
    yield "learn/wrappers/authors.json", _told(train_model(material.authors).to_json())


def _told(content: object) -> str:
    return json.dumps(content, indent=2) + "\n"


def save(folder: Path, material: Material) -> None:
    for name, text in models(material):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m thrawl.lab.scoreboard.leftout", description=__doc__)
    parser.add_argument("shared", type=Path, help="the folder with corpus/, real/ and pages/")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args(arguments)
    try:
        material = collect(asked.shared, _say)
        for site in sorted({one.site for one in material.cuts if (asked.shared / "corpus" / one.site).is_dir()}):
            _say(f"models without {site}")
            save(asked.output / site, material.without(site))
    except ThrawlError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    return 0


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
