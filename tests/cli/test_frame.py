"""The frame of the command line: version, help, errors in one sentence, exit statuses, thrawl.toml."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from thrawl import __version__
from thrawl.cli.main import COMMANDS, build, main


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"thrawl {__version__}\n"


def test_the_module_is_the_command() -> None:
    shown = subprocess.run([sys.executable, "-m", "thrawl", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"thrawl {__version__}\n"


def test_an_interrupt_while_the_program_is_loaded_ends_it_without_a_word() -> None:
    script = (
        "import os, signal, sys, thrawl.__main__\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'thrawl.cli.main':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "thrawl.__main__.run()\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("arguments", [["--version"], ["rules", "--help"]], ids=" ".join)
def test_a_call_loads_only_what_it_needs(arguments: list[str]) -> None:
    script = f"import sys; from thrawl.cli.main import main; main({arguments}); print('sqlalchemy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.endswith("False\n")


def test_a_crawl_starts_without_what_learning_terminals_and_warc_files_need() -> None:
    script = "import sys; from thrawl.cli.main import build; build(['crawl']); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert not {"charset_normalizer", "numpy", "rich", "selectolax", "warcio"} & set(shown.split())


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(command in shown for command in COMMANDS)


def test_help_says_of_each_command_what_that_says_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    with pytest.raises(SystemExit):
        get_command(build())(["--help"], prog_name="thrawl")
    assert shown == capsys.readouterr().out


def test_help_starts_without_what_any_command_needs() -> None:
    script = "import sys; from thrawl.cli.main import main; main(['--help']); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert not {"aiohttp", "numpy", "selectolax", "sqlalchemy"} & set(shown.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"Usage: thrawl {command} " in capsys.readouterr().out


def test_an_unknown_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frobnicate"]) == 2
    assert capsys.readouterr().err == "thrawl: No such command 'frobnicate'.\n"


def test_an_unknown_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--frobnicate"]) == 2
    assert "No such option" in capsys.readouterr().err


def test_a_misspelt_key_in_thrawl_toml_is_named(in_an_empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_an_empty_folder / "thrawl.toml").write_text("dealy = 2\n")
    assert main(["demo"]) == 2
    assert "no command has an option 'dealy'" in capsys.readouterr().err


def test_a_broken_thrawl_toml_is_one_sentence(in_an_empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_an_empty_folder / "thrawl.toml").write_text("delay = = 2\n")
    assert main(["demo"]) == 1
    assert "cannot be read as TOML" in capsys.readouterr().err


def test_a_table_for_no_command_is_named(in_an_empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_an_empty_folder / "thrawl.toml").write_text("[crowl]\ndelay = 2\n")
    assert main(["demo"]) == 2
    assert "there is no command 'crowl'" in capsys.readouterr().err
