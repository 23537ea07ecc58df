"""The `thrawl` command."""


def run() -> None:
    raise SystemExit(0)
