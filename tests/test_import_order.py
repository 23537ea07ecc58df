"""Data flows one way: a folder of the package imports only from the folders before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import thrawl

ORDER = ["net", "page", "profile", "learn", "archive", "crawl", "refresh", "fleet", "lab", "web", "cli"]
PACKAGE = Path(thrawl.__file__).parent
MODULES = [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE]


def imported_folders(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the order of the folders"
            module = node.module or ""
            names.update(f"{module}.{alias.name}" for alias in node.names)
    parts = (name.split(".") for name in names if name.startswith("thrawl."))
    return {part[1] for part in parts if part[1] in ORDER}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_folder_imports_only_from_those_before_it(path: Path) -> None:
    folder = path.relative_to(PACKAGE).parts[0]
    allowed = set(ORDER[: ORDER.index(folder) + 1])
    assert imported_folders(path) <= allowed


def test_every_folder_is_in_the_order() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ORDER)
