"""docs/lab.md says what the laboratory has, and no more."""

from __future__ import annotations

import re
from pathlib import Path

from thrawl.lab.faults import FAULTS
from thrawl.lab.skins import SKINS

DOCS = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")


def test_the_skins_table_lists_every_skin_with_its_language_and_quirks() -> None:
    rows = {row[0]: row for row in re.findall(r"^\| `(\w+)` \| (.+?) \| (\w+) \| (.+) \|$", DOCS, re.MULTILINE)}
    assert rows.keys() == SKINS.keys()
    for name, skin in SKINS.items():
        _, family, language, quirks = rows[name]
        assert (family, language) == (skin.family, skin.language.code)
        assert quirks.replace("`", "").split("; ") == list(skin.quirks)


def test_the_faults_table_lists_every_fault() -> None:
    named = set(re.findall(r"^\| `(\w+)` \| [^|]+ \|$", DOCS, re.MULTILINE))
    assert named == {fault.__name__ for fault in FAULTS.values()}
