"""The hostile web at size: kills, many forums, a server that lies, mutated pages, a soak, an odd machine.

    python benchmarks/hostile.py [kills] [postgres] [updates] [worlds] [lies] [fuzzing] [soak] [machine]
                                 [--kills 500] [--updates 50] [--worlds 64] [--pages 100000] [--first 0] [--jobs 1]
                                 [--seconds 3600] [--kept FILE] [--seed 1]

Without names all parts run, which takes hours; each prints as it goes, and a table stands at the end. 100,000 mutated
pages take some four hours of CPU: `--kept` names a file that holds what was found so far, so that a run that was
stopped goes on where it was; `--first` and `--pages` part them into several runs, which add up there, `--jobs` among
processes. A fifth as many crawls are killed on a PostgreSQL server, which is made for that and killed in its turn,
where one is installed. The exit status is 1 if anything was not as it should be. A small part of this runs with the
tests (`tests/lab/test_hostile.py`).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from thrawl.errors import InputError
from thrawl.lab.hostile import fuzzing, kills, lying
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.hostile.postgres import postgres_server
from thrawl.lab.hostile.soak import soak
from thrawl.lab.hostile.worlds import world_crawls

PARTS = ("kills", "postgres", "updates", "worlds", "lies", "fuzzing", "soak", "machine")
MACHINE = "tests/cli/test_machine.py"


def main() -> int:
    options = _options()
    wanted = options.parts or PARTS
    found: list[Finding] = []
    for part in PARTS:
        if part in wanted:
            for finding in _run(part, options):
                print(finding.line(), flush=True)
                found.append(finding)
    print("\n" + "\n".join(finding.line() for finding in found))
    return 0 if all(finding.good for finding in found) else 1


def _run(part: str, options: argparse.Namespace) -> Iterator[Finding]:
    with tempfile.TemporaryDirectory(prefix="thrawl-hostile-") as folder:
        if part == "kills":
            yield kills.crawl_kills(options.kills, Path(folder), options.seed, say=_say)
        elif part == "postgres":
            yield _on_postgres(max(1, options.kills // 5), Path(folder), options.seed)
        elif part == "updates":
            yield kills.update_kills(options.updates, Path(folder), options.seed, _say)
        elif part == "worlds":
            yield world_crawls(options.worlds, Path(folder), options.seed, _say)
        elif part == "lies":
            yield from lying.findings(seed=options.seed)
        elif part == "fuzzing":
            much = {"first": options.first, "jobs": options.jobs, "kept": options.kept}
            yield from fuzzing.findings(options.pages, options.seed, **much, say=_say)
        elif part == "soak":
            yield soak(options.seconds, options.seed)
        else:
            yield _machine()


def _say(words: str) -> None:
    print(words, flush=True)


def _on_postgres(number: int, folder: Path, seed: int) -> Finding:
    try:
        with postgres_server() as server:
            return kills.crawl_kills(number, folder, seed, server, _say)
    except InputError as error:  # no server is to be had here: said, and no fault of Thrawl's
        return Finding("kills", "crawls on PostgreSQL", 0, True, f"not tried: {error}")


def _machine() -> Finding:
    """The tests of a full disk, few files and the like, as they stand."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", MACHINE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    passed = re.search(r"(\d+) passed", done.stdout)
    lines = done.stdout.strip().splitlines() or [done.stderr.strip()[-200:]]
    return Finding("machine", MACHINE, int(passed[1]) if passed else 0, done.returncode == 0, lines[-1])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The hostile web at size; a table at the end.")
    parser.add_argument("parts", nargs="*", choices=(*PARTS, []), help="what to run; all without one")
    parser.add_argument("--kills", type=int, default=500, help="SIGKILLs of crawls (a fifth of that on PostgreSQL)")
    parser.add_argument("--updates", type=int, default=50, help="SIGKILLs of updates")
    parser.add_argument("--worlds", type=int, default=64, help="forums of every skin, of drawn seeds and sizes")
    parser.add_argument("--pages", type=int, default=100_000, help="mutated pages")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutated page, to go on from")
    parser.add_argument("--kept", type=Path, help="a file of mutated pages that were read, to go on from and add to")
    parser.add_argument("--jobs", type=int, default=1, help="processes that read mutated pages")
    parser.add_argument("--seconds", type=float, default=3600, help="length of the soak")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
