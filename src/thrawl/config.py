"""Options from a file: `thrawl.toml` in the current folder gives every command its defaults.

Keys at the top apply to each command that has such an option; a table named after a command applies to
that command alone and wins. What stands on the command line wins over both.

    delay = 2.0
    contact = "archive@example.org"

    [crawl]
    concurrency = 2
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError, UsageError

FILE_NAME: Final = "thrawl.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """What the file says: options for all commands, and options of single commands."""

    path: Path
    shared: Mapping[str, Any]
    by_command: Mapping[str, Mapping[str, Any]]


def load_config(folder: Path) -> Config | None:
    """The configuration of a folder, or None where there is none."""
    path = folder / FILE_NAME
    if not path.exists():
        return None
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read as TOML: {error}; correct it or move it away.") from error
    shared = {key: value for key, value in data.items() if not isinstance(value, dict)}
    return Config(path, shared, {key: value for key, value in data.items() if isinstance(value, dict)})


def defaults_for(config: Config, options: Mapping[str, frozenset[str]]) -> dict[str, dict[str, Any]]:
    """Each command's defaults by parameter name. `options` names the parameters that each command has.

    A key that no command knows is an error: a misspelt option that is silently ignored costs a crawl.
    """
    _refuse_unknown(config, options)
    return {command: dict(_defaults_of(config, command, names)) for command, names in options.items()}


def _defaults_of(config: Config, command: str, names: frozenset[str]) -> Iterator[tuple[str, Any]]:
    for key, value in [*config.shared.items(), *config.by_command.get(command, {}).items()]:
        if _parameter(key) in names:
            yield _parameter(key), value


def _refuse_unknown(config: Config, options: Mapping[str, frozenset[str]]) -> None:
    known = frozenset[str]().union(*options.values())
    for key in config.shared:
        if _parameter(key) not in known:
            raise UsageError(f"{config.path}: no command has an option '{key}'.")
    for command, table in config.by_command.items():
        if command not in options:
            raise UsageError(f"{config.path}: there is no command '{command}'.")
        for key in table:
            if _parameter(key) not in options[command]:
                raise UsageError(f"{config.path}: 'thrawl {command}' has no option '{key}'.")


def _parameter(key: str) -> str:
    return key.replace("-", "_")
