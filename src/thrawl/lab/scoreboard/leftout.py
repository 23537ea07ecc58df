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
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import thrawl
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
from thrawl.lab.training.roles import RoleExample, calibration, train_roles
from thrawl.lab.training.training import Example, load_examples, train
from thrawl.learn.structure.roles import RoleModel

# As the shipped models were trained.
_FORUMS: Final = range(900_000, 900_080)  # random forums, for roles and pagers
_CUT_FORUMS: Final = range(5_000, 5_140)  # the same for ways to cut posts
_DRAWS: Final = 12  # of the thread pages of a mirror
_PAGES: Final = 30  # of each type and site, for the page classifiers
_SEED: Final = 1
_ROLES: Final = "learn/structure/roles.json"
SURE: Final = "sure_right.json"

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
    yield _ROLES, train_roles(material.families).to_json()
    yield "profile/pager.json", train_pagers(material.pagers).to_json()
    yield "learn/wrappers/records.json", train_model(material.cuts).to_json()
    yield "learn/wrappers/authors.json", train_model(material.authors).to_json()


def make_models(shared: Path, output: Path, progress: Progress) -> None:
    """Write, for each mirror, the models that do not know it, and how right the surest decisions on it are."""
    material = collect(shared, progress)
    for site in sorted({one.site for one in material.cuts if (shared / "corpus" / one.site).is_dir()}):
        progress(f"models without {site}")
        without = dict(models(material.without(site)))
        own = [one for one in material.families if one.site == site]
        sure, right = calibration(own, RoleModel.parse(without[_ROLES], _ROLES))
        for name, text in {**without, **({SURE: json.dumps(right)} if sure else {})}.items():
            (output / site / name).parent.mkdir(parents=True, exist_ok=True)
            (output / site / name).write_text(text, encoding="utf-8")


def laid_over(models: Path, place: Path) -> str:
    """A folder to import from, with a copy of this package that has other models."""
    package = Path(thrawl.__file__).parent
    shutil.copytree(package, place / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(models, place / package.name, dirs_exist_ok=True)
    return str(place)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m thrawl.lab.scoreboard.leftout", description=__doc__)
    parser.add_argument("shared", type=Path, help="the folder with corpus/, real/ and pages/")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args(arguments)
    try:
        make_models(asked.shared, asked.output, _say)
    except ThrawlError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    return 0


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
