"""The `thrawl` command: its frame, its errors and its exit statuses.

0 done; 1 failed, with one sentence on stderr; 2 wrong usage; 3 ended, but something that the site promises is missing;
130 interrupted, state saved.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.main import get_command

from thrawl import __version__
from thrawl.cli.summaries import SUMMARIES
from thrawl.config import Config, defaults_for, load_config
from thrawl.errors import ThrawlError
from thrawl.harmless import one_line

INTERRUPTED: Final = 130
COMPLETING: Final = "_THRAWL_COMPLETE"
# In the order of the help. Each stands in a module of its name, which is imported only when it is called: some bring
# whole libraries along, and `thrawl --version` should not wait for them.
COMMANDS: Final = (
    "crawl",
    "learn",
    "classify",
    "extract",
    "watch",
    "status",
    "search",
    "threads",
    "export",
    "serve",
    "rules",
    "train",
    "bench",
    "simulate",
    "predict",
    "demo",
    "fleet",  # a group of commands: help names those after all others
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"thrawl {__version__}")
        raise typer.Exit


def _frame(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something fails.")] = False,
) -> None:
    """Archive any web forum: learn its pages, fetch every thread, keep the archive fresh."""


def _framed() -> typer.Typer:
    app = typer.Typer(
        name="thrawl",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_frame)
    return app


def overview() -> typer.Typer:
    """The command line as its help shows it: every command by its summary alone."""
    app = _framed()
    for name in COMMANDS:
        app.command(name, help=SUMMARIES[name])(lambda: None)
    return app


def asks_for_overview(arguments: Sequence[str]) -> bool:
    """Whether the help of all commands is asked for. A shell that completes a line gives no arguments either."""
    first = next((word for word in arguments if word != "--debug"), None)
    return first in (None, "-h", "--help") and COMPLETING not in os.environ


def build(commands: Sequence[str] = COMMANDS) -> typer.Typer:
    """The whole command line, or the part of it that some commands need."""
    app = _framed()
    for name in commands:
        command = getattr(import_module(f"thrawl.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command()(command)
    return app


def called(arguments: Sequence[str]) -> Sequence[str]:
    """The commands that a call needs: the one that it names, none to tell the version, else all."""
    first = next((word for word in arguments if word != "--debug"), None)
    if first == "--version":
        return ()
    return (first,) if first in COMMANDS else COMMANDS


def main(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status; errors become one sentence on stderr."""
    debug = "--debug" in arguments
    try:
        config = load_config(Path.cwd())
        shown = overview() if asks_for_overview(arguments) else None
        command = get_command(shown or build(called(arguments) if config is None else COMMANDS))
        _begin_collecting()
        _heed_interrupts()
        result = command.main(
            args=[word for word in arguments if word != "--debug"],
            prog_name="thrawl",
            default_map=None if config is None or shown else _defaults(config, command),
            standalone_mode=False,
        )
        sys.stdout.flush()
    except typer.TyperException as error:
        return _complain(error.format_message(), error.exit_code)
    except typer.Abort:
        return INTERRUPTED
    except ThrawlError as error:
        if debug:
            raise
        return _complain(str(error), error.exit_status)
    except BrokenPipeError:
        _give_up_output()
        return 0
    except SystemExit as ended:
        # The frame below leaves like this when the reader of our output (head, less) has seen enough.
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        _give_up_output()
        return 0
    except OSError as error:
        if debug:
            raise
        _give_up_output()
        return _complain(f"{error.strerror or error} ({error.filename or 'while writing the output'})", 1)
    except Exception as error:  # the outermost edge: a bug is told in one sentence, too
        if debug:
            raise
        return _complain(f"a bug in Thrawl: {type(error).__name__}: {error} (run with --debug and report it)", 1)
    return result if isinstance(result, int) else 0


def _give_up_output() -> None:
    """What is still to be written cannot be; Python must not complain of that again at its exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _begin_collecting() -> None:
    """All that is loaded stays: looking for garbage in it takes a sixth of the start, and again while it runs."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _defaults(config: Config, command: Any) -> dict[str, dict[str, Any]]:
    parts = {name: getattr(sub, "commands", {"": sub}) for name, sub in command.commands.items()}
    options = {name: frozenset().union(*map(_parameters, subs.values())) for name, subs in parts.items()}
    given = defaults_for(config, options)
    # A command of several parts gives each of them its own options.
    return {name: given[name] if "" in subs else _by_part(given[name], subs) for name, subs in parts.items()}


def _by_part(values: dict[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        part: {key: value for key, value in values.items() if key in _parameters(command)}
        for part, command in parts.items()
    }


def _parameters(command: Any) -> frozenset[str]:
    return frozenset(parameter.name for parameter in command.params if parameter.name)


def _complain(sentence: str, status: int) -> int:
    if sentence:  # a call without arguments has shown the help instead
        print(f"thrawl: {one_line(sentence)}", file=sys.stderr)
    return status


def run() -> None:
    """The console script. Nothing is collected until the command is loaded: see `_begin_collecting`."""
    gc.disable()
    _write_anywhere()
    _compute_alone()
    status = main(sys.argv[1:])
    gc.freeze()  # the system takes all back at once: to look through it while leaving takes a tenth of the start
    sys.exit(status)


def _heed_interrupts() -> None:
    """From here on Ctrl-C is the command's, which may have something to save; before, it just ends: see `__main__`."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _compute_alone() -> None:
    """One thread for linear algebra, before numpy is loaded, unless somebody says otherwise or a model is trained.

    The matrices are small, and pages are read in a process a core: more threads wait for each other, at ten times the
    processor time.
    """
    if sys.argv[1:2] != ["train"]:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _write_anywhere() -> None:
    """A terminal of another alphabet shows question marks instead of ending the program; a closed one is nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
