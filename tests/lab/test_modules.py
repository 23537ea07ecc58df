"""Measuring the modules of learning on annotated mirrors: made here from the laboratory's own forums."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from thrawl.cli.bench import bench
from thrawl.errors import InputError, UsageError
from thrawl.lab.bench.measure import Effort, SiteResult
from thrawl.lab.bench.mirrors import mirror_folders, open_mirror
from thrawl.lab.bench.modules import MODULES, average, run_modules, without_site
from thrawl.lab.bench.scores import PageCount, Score, mean_score
from thrawl.lab.bench.tables import report_of, result_table
from thrawl.lab.generate import generate
from thrawl.lab.report import report_html, report_json
from thrawl.lab.skins import skin_named
from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Visit

SITES = ("rows", "answers", "cards")
SMALL = Effort(starts=3, learned_from=1, pages=4)


def write_mirror(folder: Path, name: str, threads: int = 40) -> None:
    """A forum of the laboratory as an annotated mirror: its canonical pages, some profiles, and the truth."""
    skin = skin_named(name)
    view = (world := generate(threads, seed=1, language=skin.language.code)).at(world.end)
    origin = f"http://{name}.test"
    kinds: dict[str, list[str]] = {}
    for url, kind in skin.canonical_urls(view, origin):
        kinds.setdefault(kind if skin.truth(url, view).type != "entry" else "entry", []).append(url)
    profiles = [origin + skin.path(SitePage("user", number), view) for number in range(1, 13)]
    lines = []
    for url in [*(url for urls in kinds.values() for url in urls), *profiles]:
        answer = skin.answer(url.removeprefix(origin), Visit(skin, view))
        page = {"url": url, "status": answer.status, "type": "text/html", "location": None, "body": answer.body}
        lines.append(json.dumps(page) + "\n")
    folder.mkdir()
    (folder / "pages.jsonl").write_text("".join(lines), encoding="utf-8")
    rules = {
        "page_types": [[_any_of(urls), kind.partition("-")[0]] for kind, urls in kinds.items()],
        "canonical": [[_any_of(urls), kind] for kind, urls in kinds.items() if kind != "entry"],
    }
    (folder / "rules.json").write_text(json.dumps(rules), encoding="utf-8")


def _any_of(urls: list[str]) -> str:
    return f"^(?:{'|'.join(map(re.escape, urls))})$"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for name in SITES:
        write_mirror(folder / name, name)
    return folder


@pytest.fixture(scope="module")
def results(corpus: Path) -> list[SiteResult]:
    return asyncio.run(run_modules(mirror_folders([corpus]), SMALL, seed=1))


def test_a_page_with_a_variant_among_its_threads_is_less_precise() -> None:
    page = PageCount.of({"t1", "t2", "t1-print"}, {"t1", "t2"}, {"t1", "t2"})
    assert (page.precision, page.recall) == (2 / 3, 1.0)


def test_every_page_weighs_the_same() -> None:
    pages = [PageCount(100, 100, 100, 100), PageCount(1, 0, 0, 1)]
    assert Score.over(pages) == Score(0.5, 0.5, 2)


def test_pages_without_anything_to_find_say_nothing() -> None:
    assert Score.over([PageCount(0, 0, 0, 0), PageCount(2, 2, 2, 2)]) == Score(1.0, 1.0, 1)


def test_finding_nothing_is_no_merit() -> None:
    assert Score.over([PageCount(0, 0, 0, 3)]) == Score(0.0, 0.0, 1)


def test_sites_that_were_not_asked_do_not_count() -> None:
    assert mean_score([Score(1.0, 0.5, 4), Score(1.0, 1.0, 0)]) == Score(1.0, 0.5, 4)
    assert mean_score([]) is None


def test_the_truth_of_a_mirror(corpus: Path) -> None:
    mirror = open_mirror(corpus / "cards")
    kinds = {mirror.kind_of(url) for url in mirror.replay.urls()}
    assert {"index", "thread", None} <= kinds
    assert sum(mirror.is_entry(url) for url in mirror.replay.urls()) == 1
    assert mirror.kind_of("http://cards.test/help") is None


async def test_pages_are_drawn_by_the_seed_alone(corpus: Path) -> None:
    mirror = open_mirror(corpus / "cards")
    drawn = [[page.url for page in await mirror.any_pages(5, seed)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_every_site_is_measured_in_every_module(results: list[SiteResult]) -> None:
    assert [result.site for result in results] == sorted(SITES)
    for module in MODULES:
        score = average(results, module)
        assert score is not None
        assert 0 <= score.precision <= 1
        assert 0 <= score.recall <= 1


def test_learning_costs_are_counted(results: list[SiteResult]) -> None:
    for result in results:
        (cost,) = result.costs
        assert 0 <= cost.extra <= cost.requests <= 120


async def test_the_same_seed_gives_the_same_results(corpus: Path, results: list[SiteResult]) -> None:
    again = await run_modules(mirror_folders([corpus]), SMALL, seed=1)
    assert [_timeless(result) for result in again] == [_timeless(result) for result in results]


def _timeless(result: SiteResult) -> SiteResult:
    return replace(result, costs=tuple(replace(cost, seconds=0.0) for cost in result.costs))


def test_the_report_keeps_the_designs_contract(results: list[SiteResult]) -> None:
    report = json.loads(report_json(report_of(results, seed=1)))
    assert set(report) == {"command", "version", "seed", "results"}
    assert [set(row) for row in report["results"]] == [{"site", "module", "precision", "recall", "n"}] * 12
    assert {row["module"] for row in report["results"]} == set(MODULES)


def test_the_report_for_a_person_shows_the_paper_and_the_costs(results: list[SiteResult]) -> None:
    html = report_html(report_of(results, seed=1))
    assert "the paper" in html
    assert results[0].costs[0].start in html


def test_the_papers_figures_stand_beside(results: list[SiteResult]) -> None:
    table = result_table(results)
    assert list(table.columns[1].cells)[-1] == "98.1/95.8"
    assert list(table.columns[0].cells)[-1] == "the paper"


def test_one_mirror_is_not_enough_to_leave_one_out() -> None:
    with pytest.raises(InputError, match="trained without the site"):
        without_site([], "cards")


@pytest.mark.parametrize("content", ["", "{}", '{"canonical": 3}', '{"canonical": [["(", "index"]]}'])
def test_rules_without_canonical_urls_are_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "pages.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "rules.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"rules\.json"):
        open_mirror(tmp_path)


def test_an_unknown_kind_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "rules.json").write_text('{"page_types": [], "canonical": [["x", "board"]]}', encoding="utf-8")
    with pytest.raises(InputError, match="not board"):
        open_mirror(tmp_path)


def test_folders_without_mirrors_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no annotated mirror"):
        mirror_folders([tmp_path])
    with pytest.raises(InputError, match="there is no folder"):
        mirror_folders([tmp_path / "nothing"])


def test_the_command_prints_a_table_and_writes_a_report(corpus: Path, tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(bench)
    options = ["--modules", "--starts", "1", "--learn-from", "1", "--report", str(tmp_path / "report")]
    result = CliRunner().invoke(app, [str(corpus), *options])
    assert result.exit_code == 0, result.output
    assert "the paper" in result.output
    assert (tmp_path / "report" / "report.json").exists()


def test_the_command_asks_what_to_measure() -> None:
    with pytest.raises(UsageError, match="folders of mirrors"):
        bench()
