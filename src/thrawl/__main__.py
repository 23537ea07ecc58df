"""The `thrawl` command, also as `python -m thrawl`. Ctrl-C while the rest is loaded ends it without a word."""

import signal


def run() -> None:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # who started it may have said to ignore it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from thrawl.cli.main import run as command

    command()


if __name__ == "__main__":  # worker processes may import it
    run()
