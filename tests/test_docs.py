"""The documentation fails the build when it drifts from the program."""

from __future__ import annotations

import re
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT as ALLOW_TOP_LEVEL_AWAIT
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import thrawl
from thrawl import errors, limits
from thrawl.cli.crawl import MISSING
from thrawl.cli.main import COMMANDS, INTERRUPTED, build

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
CLI = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS: dict[str, str] = dict(re.findall(r"^## thrawl (\w+)\n(.*?)(?=^## |\Z)", CLI, flags=re.MULTILINE | re.DOTALL))
FRAME: Any = get_command(build())


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def parameters_of(command: Any) -> list[Any]:
    """Those of a command, and of its parts where it has some."""
    parts = getattr(command, "commands", {}).values()
    return [*command.params, *(one for part in parts for one in part.params)]


def options_of(command: Any) -> set[str]:
    options = (one for one in parameters_of(command) if one.param_type_name == "option")
    return {name for one in options for name in (*one.opts, *one.secondary_opts)}


def own_options(command: Any) -> set[str]:
    return options_of(command) - {name for part in command.commands.values() for name in options_of(part)}


def documented(table: str) -> set[str]:
    """The options in the first column of a table."""
    cells = re.findall(r"^\| (`-[^|]*) \|", table, flags=re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(-[\w-]+)`", cell)}


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```|^    .*?$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_every_command_has_its_section_in_the_order_of_the_help() -> None:
    assert tuple(SECTIONS) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_documented_with_all_its_options_and_no_others(command: str) -> None:
    assert documented(SECTIONS[command]) == options_of(FRAME.commands[command])


def test_the_options_of_the_program_itself_are_documented() -> None:
    assert documented(CLI.partition("## ")[0]) == own_options(FRAME) | {"-h", "--help"}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_is_named_that_does_not_exist(command: str) -> None:
    assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", SECTIONS[command])) <= options_of(FRAME.commands[command])


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_command_line_shown_can_be_typed(path: Path) -> None:
    for command, rest in re.findall(r"^(?: {4})?thrawl (\w+)(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE):
        assert command in COMMANDS
        used = re.findall(r"(?<!\S)\[?(--?[a-z][\w-]*)", rest.partition(" #")[0])
        assert set(used) <= options_of(FRAME.commands[command]), f"thrawl {command}{rest}"


def test_keys_of_the_configuration_that_differ_from_their_option_are_documented() -> None:
    differing = {
        (name, one.name)
        for command in FRAME.commands.values()
        for one in parameters_of(command)
        for name in one.opts
        if name.startswith("--") and name.removeprefix("--").replace("-", "_") != one.name
    }
    told = CLI.partition("The exceptions are")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(--[\w-]+)`, which is\s+`(\w+)`", told)) == differing


def test_the_exit_statuses_are_those_of_the_program() -> None:
    table = CLI.partition("## Exit status")[2].partition("## ")[0]
    raised = {one.exit_status for one in vars(errors).values() if isinstance(one, type)}
    assert set(map(int, re.findall(r"^\| (\d+) \|", table, re.MULTILINE))) == {0, MISSING, INTERRUPTED} | raised


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text(encoding="utf-8"))):
        if target.startswith(("http://", "https://")):
            continue
        file, _, part = target.partition("#")
        page = path.parent / file if file else path
        assert page.exists(), target
        if part:
            headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
            assert part in map(anchor, headings), target


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_limits_named_in_the_docs_exist(path: Path) -> None:
    named = re.findall(r"`(?!THRAWL_)([A-Z]+(?:_[A-Z]+)+)`", path.read_text(encoding="utf-8"))
    assert all(hasattr(limits, name) for name in named), named


def test_the_threat_model_names_the_values_of_its_limits() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([\d,.]+)(?: (\w+))? ", text, flags=re.MULTILINE)
    units = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
    assert len(rows) > 10
    for name, number, unit in rows:
        assert float(number.replace(",", "")) * units.get(unit, 1) == getattr(limits, name), name


def test_the_documented_face_is_the_exported_one() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = text.partition("| name |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(thrawl.__all__)
    assert len(thrawl.__all__) <= 15


@pytest.mark.parametrize("path", [ROOT / "docs" / "api.md", ROOT / "README.md"], ids=name_of)
def test_examples_in_python_are_python(path: Path) -> None:
    for example in re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        compile(example, str(path), "exec", flags=ALLOW_TOP_LEVEL_AWAIT)


def test_every_page_is_on_the_site() -> None:
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_figures_of_the_readme_are_those_that_were_measured() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## What to expect")[2].partition("## ")[0]
    measured = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [a-z].* \| [\d./ ]+ \|$", readme, flags=re.MULTILINE)
    assert rows
    assert [row for row in rows if row not in measured] == []
