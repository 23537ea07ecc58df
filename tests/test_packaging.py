"""What the package says of itself is so: dependencies, links, completion, the example of a configuration."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from thrawl.cli.main import build
from thrawl.config import defaults_for, load_config

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {
    "backports.zstd": "backports",
    "charset-normalizer": "charset_normalizer",
    "hanta": "HanTa",
    "scikit-learn": "sklearn",
}
WITHOUT_IMPORT = {"tzdata", "psycopg"}  # the standard library and SQLAlchemy load them
USERS_OWN = {"scrapy"}  # whoever imports thrawl.scrapy has it
OF_NEWER_PYTHONS = {"compression"}


def declared(extras: bool) -> set[str]:
    lists = [PROJECT["dependencies"]]
    if extras:
        lists += [wanted for name, wanted in PROJECT["optional-dependencies"].items() if name != "dev"]
    names = (re.match(r"[\w.-]+", one) for wanted in lists for one in wanted)
    return {MODULES.get(found[0].lower(), found[0].lower()) for found in names if found}


def imported() -> set[str]:
    """The names of third-party modules that the program imports anywhere, at once or when they are needed."""
    found: set[str] = set()
    for file in (ROOT / "src").rglob("*.py"):
        text = re.sub(r"(?s)'''.*?'''|\"\"\".*?\"\"\"", "", file.read_text(encoding="utf-8"))
        found |= set(re.findall(r"^\s*(?:from|import) ([A-Za-z_0-9]+)", text, flags=re.MULTILINE))
    return (
        {name for name in found if name not in sys.stdlib_module_names}
        - {"thrawl", "__future__"}
        - USERS_OWN
        - OF_NEWER_PYTHONS
    )


def test_what_is_imported_is_declared() -> None:
    assert imported() - declared(extras=True) == set()


def test_what_is_declared_is_imported() -> None:
    assert declared(extras=True) - imported() - WITHOUT_IMPORT == set()


def test_every_dependency_has_a_lowest_version() -> None:
    lowest = subprocess.run([sys.executable, str(ROOT / "scripts/lowest")], capture_output=True, text=True, check=True)
    assert all("==" in line for line in lowest.stdout.splitlines())


def test_the_demo_installs_no_database_server() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "postgres" not in (ROOT / "scripts/setup").read_text(encoding="utf-8").lower()
    assert re.search(r"^demo: \.venv/ready\b.*\n\t\$\(BIN\)/thrawl demo$", makefile, flags=re.MULTILINE)


def test_the_metadata_say_where_to_read_and_where_to_complain() -> None:
    assert {"Documentation", "Changelog", "Security"} <= set(PROJECT["urls"])
    assert "@" in PROJECT["authors"][0]["email"]
    assert PROJECT["authors"][0]["email"] in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_a_shell_completes_commands_and_options() -> None:
    def completed(line: str) -> str:
        words = line.split(" ")
        asked = {"_THRAWL_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        script = "from thrawl.cli.main import run; run()"
        command = [sys.executable, "-c", script]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **asked}, check=True).stdout

    assert "crawl" in completed("thrawl cr").split()
    assert "--max-pages" in completed("thrawl crawl --max").split()


def test_the_example_of_a_configuration_is_one(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples/thrawl.toml", tmp_path / "thrawl.toml")
    config = load_config(tmp_path)
    assert config is not None
    command: Any = get_command(build())
    options = {name: frozenset(one.name for one in sub.params) for name, sub in command.commands.items()}
    assert defaults_for(config, options)["crawl"]["archive"] == "forum.db"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop there")
def test_a_machine_without_the_fast_loop_runs_all_the_same() -> None:
    script = "import sys; sys.modules['uvloop'] = None; from thrawl import loops; import asyncio; "
    script += "print(loops.run(asyncio.sleep(0, 'done')))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "done\n"
