"""docs/lab.md says what the laboratory has, and no more."""

from __future__ import annotations

import re
from pathlib import Path

from thrawl.lab.faults import FAULTS
from thrawl.lab.random.choices import OPTIONS, Option
from thrawl.lab.skins import SKINS

DOCS = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")


def test_the_choices_table_lists_every_choice_with_its_options() -> None:
    table = DOCS.partition("### The choices")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", table.partition("## Faults")[0], re.MULTILINE))
    assert rows == {name: ", ".join(map(_word, options)) for name, options in OPTIONS.items()}


def _word(option: Option) -> str:
    return {True: "yes", False: "no"}[option] if isinstance(option, bool) else str(option)


def test_the_skins_table_lists_every_skin_with_its_language_and_quirks() -> None:
    table = DOCS.partition("## Random forums")[0]
    rows = {row[0]: row for row in re.findall(r"^\| `(\w+)` \| (.+?) \| (\w+) \| (.+) \|$", table, re.MULTILINE)}
    assert rows.keys() == SKINS.keys()
    for name, skin in SKINS.items():
        _, family, language, quirks = rows[name]
        assert (family, language) == (skin.family, skin.language.code)
        assert quirks.replace("`", "").split("; ") == list(skin.quirks)


def test_the_faults_table_lists_every_fault() -> None:
    faults = DOCS.partition("## Faults")[2]
    named = set(re.findall(r"^\| `(\w+)` \| [^|]+ \|$", faults, re.MULTILINE))
    assert named == {fault.__name__ for fault in FAULTS.values()}
