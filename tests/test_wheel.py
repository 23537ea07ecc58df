"""What is shipped is whole: a wheel is built from this checkout, and runs without it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from thrawl import __version__

ROOT = Path(__file__).parents[1]
OFFLINE = ("No matching distribution found", "Could not find a version", "No module named pip")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the wheel. Building it needs hatchling from PyPI."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--retries=1", "--timeout=10"]
    built = subprocess.run([*command, f"--wheel-dir={folder}", str(ROOT)], capture_output=True, text=True)
    if built.returncode and any(words in built.stderr for words in OFFLINE):
        pytest.skip("a wheel cannot be built here: hatchling is not to be had from PyPI")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("thrawl-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, code: str) -> str:
    """What a program prints that finds the wheel's files before this checkout's."""
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_the_wheel_has_every_file_of_the_package(unpacked: Path) -> None:
    source = ROOT / "src"
    made_here = (".pyc", ".so", ".pyd")
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file() and path.suffix not in made_here}
    shipped = {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()}
    assert wanted <= shipped
    assert {Path("thrawl/py.typed"), Path("thrawl/learn/model.json")} <= shipped
    assert {path.parts[0] for path in shipped} == {"thrawl", f"thrawl-{__version__}.dist-info"}


def test_the_wheel_says_what_it_is(unpacked: Path) -> None:
    about = Parser().parsestr((unpacked / f"thrawl-{__version__}.dist-info" / "METADATA").read_text(encoding="utf-8"))
    assert (about["Name"], about["Version"], about["License-Expression"]) == ("thrawl", __version__, "Apache-2.0")
    assert about["Requires-Python"] == ">=3.11"


def test_the_command_line_runs_from_the_wheel(unpacked: Path) -> None:
    script = "import thrawl; from thrawl.cli.main import main; main(['--version']); print(thrawl.__file__)"
    assert run(unpacked, script) == f"thrawl {__version__}\n{unpacked / 'thrawl' / '__init__.py'}"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler is here")
def test_the_hottest_loops_are_compiled_in_the_wheel(unpacked: Path) -> None:
    for module in ("page._flat", "page._walks", "refresh._decay", "refresh._heads"):
        assert run(unpacked, f"import thrawl.{module} as fast; print(fast.__file__)").startswith(str(unpacked))


def test_the_model_is_found_in_the_wheel(unpacked: Path) -> None:
    script = "from thrawl.learn.classifier import PageClassifier; print(type(PageClassifier.load()).__name__)"
    assert run(unpacked, script) == "PageClassifier"
