"""What a crawl costs, beside a plain Scrapy CrawlSpider that only follows links: pages a second, CPU a page.

    python benchmarks/bench_crawl.py [--site FOLDER]... [--built-in] [--pages N] [--concurrency N] [--kb N]...
                                     [--rounds N] [--bill]

The same pages, served from loopback by another process: those of a mirror where one is at hand (../shared/corpus), of
the built-in forum elsewhere, or with `--built-in`. Thrawl fetches, parses, cuts posts and archives them; Scrapy
fetches, parses and follows links. So that both fetch the very same pages, Scrapy is told which URLs are boards and
threads, which Thrawl learns by itself. CPU is that of all processes of each crawler, given three times: with learning,
with starting up only, and (by a second crawl of one page) without either. Both take turns, `rounds` times. With `--kb`
pages are filled up to so many thousand bytes on average, with words and links that lead nowhere; `--bill` tells what
each stage of a page costs.
Scrapy is looked for in this environment, then in /tmp/thrawl-bench-scrapy, where it is installed if it is missing.
The numbers of one run can be compared with each other only: they depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bill import bill, urls_of

HERE = Path(__file__).parent
CORPUS = HERE.parent.parent / "shared" / "corpus"
MISSING = 3  # how a crawl ends that finds something missing: a mirror may lack what its site promises
SCRAPY_HOME = Path("/tmp/thrawl-bench-scrapy")

THRAWL = (sys.executable, "-c", "from thrawl.cli.main import run; run()")
SPIDER = """
import sys
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

start, pages, concurrency, allow = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]

class Plain(CrawlSpider):
    name = "plain"
    start_urls = [start]
    allowed_domains = ["127.0.0.1"]
    rules = (Rule(LinkExtractor(allow=allow), follow=True),)

process = CrawlerProcess(settings={
    "LOG_ENABLED": False, "CLOSESPIDER_PAGECOUNT": pages, "CONCURRENT_REQUESTS": concurrency,
    "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency, "DOWNLOAD_DELAY": 0, "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False, "HTTPCACHE_ENABLED": False, "RETRY_ENABLED": False,
})
crawler = process.create_crawler(Plain)
process.crawl(crawler)
process.start()
print(crawler.stats.get_value("response_received_count"))
"""


@dataclass(frozen=True)
class Run:
    """One crawl: pages, seconds on the clock, seconds of CPU in all of its processes."""

    pages: int
    seconds: float
    cpu: float

    def without(self, start_up: Run) -> Run:
        return Run(self.pages - start_up.pages, self.seconds - start_up.seconds, self.cpu - start_up.cpu)

    def and_then(self, other: Run) -> Run:
        return Run(self.pages + other.pages, self.seconds + other.seconds, self.cpu + other.cpu)

    def times(self, number: int) -> Run:
        return Run(self.pages * number, self.seconds * number, self.cpu * number)

    def after(self, learning: Run) -> Run:
        return Run(self.pages, self.seconds + learning.seconds, self.cpu + learning.cpu)

    def line(self, name: str) -> str:
        return (
            f"{name:28} {self.pages:6} pages  {self.pages / self.seconds:7.1f} pages/s  "
            f"{1000 * self.cpu / self.pages:6.2f} ms CPU a page  {self.pages / self.cpu:7.1f} pages a CPU second"
        )


def measured(command: Sequence[str]) -> Run:
    """Run a crawler; the last line that it prints is the number of its pages, or a summary object."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, MISSING):
        raise SystemExit(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    last = done.stdout.strip().splitlines()[-1]
    summary = json.loads(last)
    pages = summary if isinstance(summary, int) else summary.get("requests_total") or summary["pages_fetched"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(pages, seconds, cpu)


def thrawl(url: str, pages: int, concurrency: int, folder: str, *extra: str) -> Run:
    Path(folder).mkdir(exist_ok=True)
    options = ["--archive", f"{folder}/a.db", "--delay", "0", "--concurrency", str(concurrency), "--json"]
    return measured([*THRAWL, "crawl", url, *options, "--max-pages", str(pages), *extra])


def learned(url: str, folder: str) -> tuple[Run, str]:
    """Learn the site; what that costs, and the file that holds the profile."""
    profile = f"{folder}/profile.json"
    return measured([*THRAWL, "learn", url, "-o", profile, "--delay", "0", "--json"]), profile


def scrapy(python: str, url: str, pages: int, concurrency: int, allow: Sequence[str]) -> Run:
    return measured([python, "-c", SPIDER, url, str(pages), str(concurrency), *allow])


def patterns(site: Path | None, url: str) -> list[str]:
    """The URLs of the site's boards and threads, as its mirror tells them."""
    if site is None:
        return []
    rules = json.loads((site / "rules.json").read_text(encoding="utf-8"))
    here, there = "/".join(url.split("/")[:3]), re.escape("/".join(rules["entry"].split("/")[:3]))
    return [pattern.replace(there, re.escape(here)) for pattern, _ in rules["canonical"]]


def scrapy_python() -> str | None:
    if importlib.util.find_spec("scrapy") is not None:
        return sys.executable
    python = SCRAPY_HOME / "bin" / "python"
    if not (SCRAPY_HOME / "bin" / "scrapy").exists():
        print(f"installing Scrapy into {SCRAPY_HOME}, to compare with", flush=True)
        made = subprocess.run([sys.executable, "-m", "venv", str(SCRAPY_HOME)], check=False).returncode
        if made or subprocess.run([str(python), "-m", "pip", "install", "-q", "scrapy"], check=False).returncode:
            return None
    return str(python)


def mean_size(url: str) -> str:
    """The size of the pages that were served since this was asked last; nothing for the built-in forum."""
    with suppress(OSError), urllib.request.urlopen("/".join(url.split("/")[:3]) + "/served-so-far") as answer:
        pages, size = map(int, answer.read().split())
        return f"{size / max(pages, 1) / 1000:.0f} KB a page"
    return ""


@contextmanager
def served(site: Path | None, kilobytes: int = 0) -> Iterator[str]:
    """The URL of a site that another process serves."""
    command = [sys.executable, str(HERE / "serve_pages.py"), *([str(site), str(kilobytes)] if site else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, action="append")
    parser.add_argument("--built-in", action="store_true", help="the built-in forum, not a mirror")
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--kb", type=int, action="append", help="size of the pages; as they are if not given")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--bill", action="store_true")
    options = parser.parse_args()
    os.environ.pop("http_proxy", None)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or Thrawl alone would be compiled anew at each start
    python = scrapy_python()
    if python is None:
        print("Scrapy is not here and could not be installed: only Thrawl is measured.")
    names = ("discuz", "vanilla", "xmb", "fluxbb", "misago")
    defaults = [CORPUS / name for name in names if (CORPUS / name).exists()]
    for site in [None] if options.built_in else options.site or defaults or [None]:
        for kilobytes in options.kb or [0]:
            compare(site, options, kilobytes, python)


def compare(site: Path | None, options: argparse.Namespace, kilobytes: int, python: str | None) -> None:
    """Crawl the pages of one site by both, in turns."""
    pages, concurrency = options.pages, options.concurrency
    with served(site, kilobytes) as url, tempfile.TemporaryDirectory() as folder:
        print(f"pages of {site or 'the built-in forum'} at {url}, {concurrency} requests at a time")
        learning, profile = learned(url, folder)
        print(learning.line("thrawl learn"))
        mean_size(url)
        allow = patterns(site, url)
        crawl = plain = first = alone = Run(0, 0, 0)
        for turn in range(options.rounds):
            crawl = crawl.and_then(thrawl(url, pages, concurrency, f"{folder}/{turn}", "--profile", profile))
            first = first.and_then(thrawl(url, 1, 1, f"{folder}/first{turn}", "--profile", profile))
            size = mean_size(url)
            if python is not None:
                plain = plain.and_then(scrapy(python, url, crawl.pages // (turn + 1), concurrency, allow))
                alone = alone.and_then(scrapy(python, url, 1, 1, allow))
                mean_size(url)
        print(crawl.line("thrawl crawl"), size, flush=True)
        ours = crawl.without(first)
        if options.bill:
            whole = 1000 * ours.cpu / ours.pages
            for stage in bill(urls_of(Path(folder, "0", "a.db")), profile, whole):
                print(f"    {stage.name:24} {stage.milliseconds:6.2f} ms", flush=True)
        if python is None:
            return
        print(plain.line("scrapy, links only"), flush=True)
        theirs = plain.without(alone)
        if theirs.pages <= 0:
            print("Scrapy finds no links here that the mirror's rules allow: nothing to compare with")
            return
        print(ours.line("thrawl, once it runs"))
        print(theirs.line("scrapy, once it runs"))
        for said, mine, other in (
            ("learning and starting up included", crawl.after(learning.times(options.rounds)), plain),
            ("starting up included", crawl, plain),
            ("once they run", ours, theirs),
        ):
            ratio = (mine.pages / mine.cpu) / (other.pages / other.cpu)
            print(f"pages a CPU second, {said}: Thrawl has {ratio:.1f} times those of Scrapy", flush=True)


if __name__ == "__main__":
    main()
