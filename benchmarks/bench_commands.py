"""How long the commands take that people type: help, status, search and export, on an archive of a million posts.

    python benchmarks/bench_commands.py [--posts 1000000] [--archive FILE]

Told are seconds on the clock and of CPU; on a busy machine only those of CPU mean something. The archive is made (see
bench_web) unless one is named. The aims, of CPU: help 0.25 s, status 0.3 s, 20,000 posts exported a second.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_web import fill

THRAWL = (sys.executable, "-c", "from thrawl.cli.main import run; run()")


def measured(*arguments: str) -> tuple[float, float]:
    """Seconds on the clock and of CPU that a command takes."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([*THRAWL, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--archive", type=Path, help="an archive that is there, of as many posts as --posts says")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        archive = options.archive or Path(folder, "million.db")
        if not archive.exists():
            fill(archive, options.posts)
        for arguments in (
            ("--help",),
            ("status", str(archive)),
            ("search", str(archive), "the"),
            ("threads", str(archive)),
        ):
            measured(*arguments)
            seconds, cpu = min(measured(*arguments) for _ in range(3))
            print(f"thrawl {arguments[0]:8} {seconds:7.2f} s   {cpu:7.2f} s of CPU", flush=True)
        seconds, cpu = measured("export", str(archive), "-o", f"{folder}/posts.jsonl")
        rate = f"{options.posts / cpu:,.0f} posts a CPU second"
        print(f"thrawl export   {seconds:7.2f} s   {cpu:7.2f} s of CPU   {rate}", flush=True)


if __name__ == "__main__":
    main()
