"""`thrawl bench` on mirrors: what is counted, what is told, and mirrors of which little is known."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from thrawl.cli.bench import named_strategies
from thrawl.cli.main import main
from thrawl.errors import InputError, RobotsDenied, UsageError
from thrawl.lab.bench.bars import bar_plot
from thrawl.lab.bench.crawlreport import bench_report, comparisons, coverage, effectiveness, row_of
from thrawl.lab.bench.crawls import BenchOptions, Run, SiteRuns
from thrawl.lab.bench.crawlscore import score_crawl
from thrawl.lab.bench.intervals import paired
from thrawl.lab.bench.mirrors import all_mirrors
from thrawl.lab.bench.requests import Asked, LoggedMirror
from thrawl.lab.bench.siteextras import SiteExtras, measure_extras
from thrawl.lab.bench.sitetruth import folded, open_truth
from thrawl.lab.bench.trainingsizes import Accuracy
from thrawl.lab.report import report_html, report_json
from thrawl.lab.rivals.look import Looks
from thrawl.lab.rivals.strategies import STRATEGIES
from thrawl.net.message import Request

SITE = "http://f.test"
CONTRACT = {
    "site", "strategy", "requests", "learning_pages", "thread_pages", "effectiveness", "coverage", "informativeness",
    "seconds",
}  # fmt: skip


def written(folder: Path, *, truth: bool = True, robots: str = "") -> Path:
    """A mirror of two boards with three threads each, with print views that show the same."""
    posts = [f"post number {number} with words of its own {'and more ' * number}" for number in range(6)]
    pages = {"/": links("/board1", "/board2", "/about"), "/about": "<p>about</p>"}
    for board in (1, 2):
        threads = [board * 3 - 3 + number for number in range(3)]
        pages[f"/board{board}"] = links(*(f"/talk{number}" for number in threads), "/")
        for number in threads:
            pages[f"/talk{number}"] = f"<p>{posts[number]}</p>" + links(f"/print{number}", f"/board{board}", "/")
            pages[f"/print{number}"] = f"<p>{posts[number]}</p>"
    folder.mkdir(parents=True)
    lines = [page(path, body) for path, body in pages.items()]
    lines.append(json.dumps({"url": f"{SITE}/robots.txt", "status": 200, "type": "text/plain", "body": robots}))
    (folder / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    if truth:
        rules = {
            "entry": f"{SITE}/",
            "page_types": [["/$", "entry"], ["/board", "index"], ["/talk", "thread"]],
            "canonical": [[r"/board\d$", "index"], [r"/talk\d$", "thread"]],
        }
        (folder / "rules.json").write_text(json.dumps(rules), encoding="utf-8")
        told = [{"id": number, "thread": number, "n": 1, "text": text} for number, text in enumerate(posts)]
        (folder / "world.json").write_text(json.dumps({"posts": told}), encoding="utf-8")
    return folder


def links(*paths: str) -> str:
    return "".join(f'<a href="{path}">{path} as a title</a>' for path in paths)


def page(path: str, body: str) -> str:
    return json.dumps(
        {"url": SITE + path, "status": 200, "type": "text/html", "body": f"<html><body>{body}</body></html>"}
    )


# --- counting


async def test_a_needed_page_counts_once_and_other_forms_are_waste(tmp_path: Path) -> None:
    truth = open_truth(written(tmp_path / "f"))
    log = [Asked(SITE + path, 200) for path in ("/", "/board1", "/talk0", "/print0", "/talk0", "/about")]
    score = await score_crawl([*log, Asked(f"{SITE}/gone", 404), Asked(f"{SITE}/feed", 200, False)], truth, Looks())
    assert score.requests == 7  # a feed is no page
    assert score.effectiveness == pytest.approx(3 / 7)
    assert score.thread_pages == pytest.approx(1 / 6)
    assert score.coverage == pytest.approx(1 / 6)
    assert dict(score.types) == {"entry": 1, "error": 1, "index": 1, "other": 2, "thread": 2}


async def test_the_first_requests_are_valuable_duplicate_or_invalid(tmp_path: Path) -> None:
    truth = open_truth(written(tmp_path / "f"))
    log = [Asked(SITE + path, 200) for path in ("/board1", "/board1", "/about", "/talk0", "/talk1", "/talk2")]
    score = await score_crawl(log, truth, Looks())
    assert score.n == 4
    assert score.firsts == (2, 1, 1)
    assert score.for_n == 6


async def test_a_page_and_its_print_view_inform_less_than_two_pages(tmp_path: Path) -> None:
    truth = open_truth(written(tmp_path / "f"))
    both = await score_crawl([Asked(f"{SITE}/talk5", 200), Asked(f"{SITE}/talk5", 200)], truth, Looks())
    apart = await score_crawl([Asked(f"{SITE}/talk5", 200), Asked(f"{SITE}/about", 200)], truth, Looks())
    assert (both.informativeness, apart.informativeness) == (0, 1)


def test_markup_and_spaces_do_not_matter_to_the_words_of_a_post() -> None:
    assert folded("<b>Two</b> words&amp;<script>no</script> MORE") == "twowordsmore"


async def test_robots_txt_of_a_mirror_is_obeyed(tmp_path: Path) -> None:
    folder = written(tmp_path / "f", robots="User-agent: *\nDisallow: /print")
    fetcher = LoggedMirror(open_truth(folder).replay)
    with pytest.raises(RobotsDenied):
        await fetcher.fetch(Request(f"{SITE}/print1"))
    await fetcher.fetch(Request(f"{SITE}/talk1"))
    assert fetcher.forbidden == {f"{SITE}/print1"}
    assert fetcher.log == [Asked(f"{SITE}/talk1", 200)]


async def test_from_a_board_an_ideal_crawler_misses_the_others(tmp_path: Path) -> None:
    truth = open_truth(written(tmp_path / "f"))
    extras = await measure_extras(truth, Looks(), seed=1, sample=20)
    assert extras.from_entry == 1
    assert extras.from_others == 0.5


# --- mirrors of which little is known


async def test_without_truth_requests_and_informativeness_are_measured(tmp_path: Path) -> None:
    truth = open_truth(written(tmp_path / "f", truth=False))
    score = await score_crawl([Asked(f"{SITE}/", 200)], truth, Looks())
    assert truth.start == f"{SITE}/"
    assert (score.requests, score.effectiveness, score.coverage, score.informativeness) == (1, None, None, 1)
    assert await measure_extras(truth, Looks(), seed=1, sample=20) == SiteExtras()


def test_a_broken_mirror_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path / "f", truth=False)
    with (folder / "pages.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"url": \n')
    assert main(["bench", str(folder), "--strategies", "generic", "--processes", "1"]) == 1
    assert re.search(r"Line \d+ of the mirror", capsys.readouterr().err)


def test_a_broken_world_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "f")
    (folder / "world.json").write_text('{"posts": [{}]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"world\.json is no world"):
        open_truth(folder)


def test_folders_of_mirrors_and_mirrors_can_be_given(tmp_path: Path) -> None:
    one, two = written(tmp_path / "all" / "one"), written(tmp_path / "all" / "two", truth=False)
    assert all_mirrors([tmp_path / "all", one]) == [one, two]
    with pytest.raises(InputError, match="no mirror"):
        all_mirrors([tmp_path])
    with pytest.raises(InputError, match="there is no folder"):
        all_mirrors([tmp_path / "nowhere"])


# --- comparing


def test_an_interval_that_leaves_no_doubt_is_sure() -> None:
    better = {f"s{number}": 0.9 for number in range(10)}
    worse = {f"s{number}": 0.5 + number / 100 for number in range(10)}
    found = paired("a", "b", better, worse, seed=1)
    assert found is not None
    assert found.holds
    assert found.is_sure
    assert 0 < found.low <= found.mean <= found.high
    assert found.against == ()
    assert paired("a", "b", better, worse, seed=1) == found
    assert paired("a", "b", {}, worse, seed=1) is None


def test_sites_that_speak_against_the_order_are_named() -> None:
    found = paired("a", "b", {"x": 0.1, "y": 0.9}, {"x": 0.5, "y": 0.5}, seed=1)
    assert found is not None
    assert found.against == ("x",)
    assert not found.is_sure


def test_strategies_are_named_by_commas() -> None:
    assert named_strategies(None) == STRATEGIES
    assert named_strategies("generic, thrawl") == ("thrawl", "generic")
    for wrong in ("best", ""):
        with pytest.raises(UsageError, match="choose among"):
            named_strategies(wrong)


# --- the report


async def run_of(folder: Path, strategy: str, *paths: str, problem: str = "") -> Run:
    truth = open_truth(folder)
    score = await score_crawl([Asked(SITE + path, 200) for path in paths], truth, Looks())
    return Run(folder.name, strategy, score, 1, len(paths), len(paths), 0, 0, 0.1, 0.1, problem)


async def test_a_strategy_that_found_no_way_has_no_effectiveness(tmp_path: Path) -> None:
    run = await run_of(written(tmp_path / "f"), "focus", "/", problem="no entry page")
    assert effectiveness(run) == 0
    assert coverage(run) == 0
    assert row_of(run)["problem"] == "no entry page"


class _Balanced(HTMLParser):
    """Counts tables and plots of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = self.plots = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tables += tag == "table"
        self.plots += tag == "svg"


async def test_the_report_says_why_the_order_does_not_hold(tmp_path: Path) -> None:
    folder = written(tmp_path / "f")
    bad = await run_of(folder, "focus", "/", "/about", "/print1")
    good = await run_of(folder, "generic", "/", "/board1", "/talk1")
    sites = [SiteRuns("f", (bad, good), SiteExtras(1.0, 0.5))]
    options = BenchOptions(("focus", "generic"), 20)
    (found,) = comparisons(sites, options.strategies, effectiveness, 1)
    assert not found.holds
    report = bench_report(sites, options, [Accuracy("Table 1", 1, 0.5)], "thrawl bench f")
    html = report_html(report)
    assert "focus is behind generic by 66.7 points" in html
    assert "It reaches no thread page on f." in html
    parsed = _Balanced()
    parsed.feed(html)
    assert parsed.tables >= 10
    assert parsed.plots >= 5
    content = json.loads(report_json(report))
    assert set(content) == {"command", "version", "seed", "results"}
    assert all(set(row) >= CONTRACT for row in content["results"])


async def test_a_report_without_any_truth_can_be_written(tmp_path: Path) -> None:
    run = await run_of(written(tmp_path / "f", truth=False), "generic", "/", "/about")
    sites = [SiteRuns("f", (run, replace(run, strategy="irobot")), SiteExtras())]
    report = bench_report(sites, BenchOptions(("irobot", "generic"), 20), [], "thrawl bench f")
    assert "too few annotated mirrors" in report_html(report)
    assert json.loads(report_json(report))["results"][0]["effectiveness"] is None


def test_bars_are_drawn_only_where_there_is_a_value() -> None:
    plot = bar_plot("Shares", ["one", "two"], {"a": {"one": 0.5, "two": 1.0}, "b": {"one": 0.2}})
    assert plot.count("<title>") == 3


def test_the_command_runs_strategies_and_writes_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path / "mirrors" / "known")
    written(tmp_path / "mirrors" / "unknown", truth=False)
    words = ["bench", str(tmp_path / "mirrors"), "--strategies", "generic,skeleton", "--report", str(tmp_path / "out")]
    assert main(words) == 0
    content = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    rows = {(row["site"], row["strategy"]): row for row in content["results"]}
    assert set(rows) == {(site, name) for site in ("known", "unknown") for name in ("generic", "skeleton")}
    assert rows["known", "generic"]["coverage"] == 1
    assert rows["known", "generic"]["effectiveness"] == pytest.approx(9 / 16, abs=1e-4)
    assert rows["unknown", "generic"]["effectiveness"] is None
    assert "generic" in capsys.readouterr().out
