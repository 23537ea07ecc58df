"""Does reading still give what it gave before, byte for byte? To be run before and after a change for speed.

    python benchmarks/same_reading.py --keep FILE [--profiles FOLDER] [--pages N] [MIRROR]...      before the change
    python benchmarks/same_reading.py --compare FILE [--profiles FOLDER] [--pages N] [MIRROR]...   after it

Every mirror (those of ../shared/corpus unless named) is learned once; its profile is kept in FOLDER and used by all
later runs, so that only reading is compared. Of each mirror N pages are read as a crawl would read them, and some of no
known type, for what does not fit must be told alike. Printed are the pages that differ, with the first differing words.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import lzma
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import PageJob, Role
from thrawl.learn.learner import learn
from thrawl.net.replay import MirrorReplay
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

CORPUS = Path(__file__).parent.parent.parent / "shared" / "corpus"
MOMENT = datetime(2026, 11, 1, 12, tzinfo=UTC)
ODD_EVERY = 40  # of pages whose type is not known, one in so many


def profile_of(mirror: Path, folder: Path) -> Profile:
    """The profile of a mirror, learned the first time."""
    file = folder / f"{mirror.name}.json"
    if not file.exists():
        entry = json.loads((mirror / "rules.json").read_text(encoding="utf-8"))["entry"]
        learned = asyncio.run(learn(entry, MirrorReplay(mirror)))
        file.write_text(learned.profile.to_json(), encoding="utf-8")
    return Profile.from_json(file.read_text(encoding="utf-8"))


def jobs(mirror: Path, profile: Profile, most: int) -> Iterator[PageJob]:
    """Pages of a mirror in its order, spread over it, as a crawl gives them to its readers."""
    types = UrlTypes(profile)
    known, odd = [], []
    with lzma.open(mirror / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        for number, page in enumerate(map(json.loads, lines)):
            if page["status"] != 200 or "html" not in (page["type"] or ""):
                continue
            url, body = page["url"].partition("#")[0], (page["body"] or "").encode("utf-8", "surrogatepass")
            typed = types.type(url)
            if url == profile.entry or typed is not None:
                role = Role.ENTRY if typed is None else Role.THREAD if typed.is_thread else Role.INDEX
                known.append(PageJob(url, role, (typed and typed.list_url) or url, body, "utf-8", MOMENT))
            elif not number % ODD_EVERY:
                odd.append(PageJob(url, Role.THREAD, url, body, "utf-8", MOMENT))
    step = max(1, len(known) // most)
    return iter([*known[::step][:most], *odd[: most // 10]])


def readings(mirror: Path, folder: Path, most: int) -> dict[str, str]:
    """What is read from each page, written out."""
    profile = profile_of(mirror, folder)
    reader = SiteReader(profile)
    todo = list(jobs(mirror, profile, most))
    began = time.process_time()
    found = {f"{mirror.name} {job.url}": repr(reader.read(job)) for job in todo}
    taken = time.process_time() - began
    print(f"{mirror.name:14} {len(found):5} pages  {1000 * taken / max(1, len(todo)):6.2f} ms of CPU each", flush=True)
    return found


def difference(before: str, after: str) -> str:
    at = next((place for place, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), -1)
    return f"before …{before[max(0, at - 60) : at + 80]}…\n      after  …{after[max(0, at - 60) : at + 80]}…"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path, nargs="*")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--profiles", type=Path, default=Path("/tmp/thrawl-profiles"))
    parser.add_argument("--pages", type=int, default=300)
    options = parser.parse_args()
    options.profiles.mkdir(exist_ok=True)
    mirrors = options.mirrors or sorted(file.parent for file in CORPUS.glob("*/pages.jsonl.xz"))
    found: dict[str, str] = {}
    for mirror in mirrors:
        found.update(readings(mirror, options.profiles, options.pages))
    if options.keep:
        with lzma.open(options.keep, "wt", encoding="utf-8", preset=0, errors="surrogatepass") as file:
            json.dump(found, file)
    if not options.compare:
        return 0
    with lzma.open(options.compare, "rt", encoding="utf-8", errors="surrogatepass") as file:
        before = json.load(file)
    differing = [name for name in found if name in before and before[name] != found[name]]
    for name in differing[:20]:
        print(f"differs: {name}\n      {difference(before[name], found[name])}")
    print(f"{sum(name in before for name in found)} pages compared, {len(differing)} differ")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
