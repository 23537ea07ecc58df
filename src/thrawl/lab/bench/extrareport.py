"""Sections of the bench's report beside effectiveness and coverage: one for each further experiment of the papers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from thrawl.lab.bench.bars import bar_plot
from thrawl.lab.bench.crawls import Run, SiteRuns, all_runs
from thrawl.lab.bench.paperfigures import (
    FLIPS_AT_LEAST,
    FROM_ENTRY,
    FROM_OTHERS,
    OTHERS_AT_MOST,
    PAPER_CRAWLS,
    PaperCrawl,
)
from thrawl.lab.bench.siteextras import Loop
from thrawl.lab.bench.trainingsizes import Accuracy
from thrawl.lab.plots import Axis, Line, line_plot
from thrawl.lab.report import Section, Table, Value


def extra_sections(
    sites: Sequence[SiteRuns], strategies: Sequence[str], accuracies: Sequence[Accuracy]
) -> list[Section]:
    found = [_starts(sites), _quality(sites, strategies), _effort(sites, strategies), _connectivity(sites)]
    if "generic" in strategies:
        found.insert(0, _generic(sites))
    return [*found, _learning(sites, strategies), _training(accuracies)]


def _percent(share: float | None) -> Value:
    return None if share is None else round(100 * share, 1)


def _generic(sites: Sequence[SiteRuns]) -> Section:
    rows: list[list[Value]] = []
    for run in all_runs(sites):
        if run.strategy == "generic" and run.score.good is not None:
            useless = run.score.requests - run.score.good
            met = max(1, run.score.requests + run.forbidden + run.nofollow)
            parts = (run.score.good, useless, run.forbidden, run.nofollow)
            rows.append([run.site, *(_percent(part / met) for part in parts)])
    header = ["site", "needed", "uninformative or duplicate", "kept by robots.txt", "kept by nofollow"]
    text = "Of all URLs that the generic crawler met, in %. It records those that it must not follow and leaves them."
    return Section("URLs met by a generic crawler (FoCUS figure 5)", text, [Table("In %", header, rows)])


def _starts(sites: Sequence[SiteRuns]) -> Section:
    known = [site for site in sites if site.extras.from_entry is not None]
    rows: list[list[Value]] = [
        [site.site, _percent(site.extras.from_entry), _percent(site.extras.from_others)] for site in known
    ]
    if known:
        means = [fmean(getattr(site.extras, name) or 0.0 for site in known) for name in ("from_entry", "from_others")]
        rows.append(["all", *map(_percent, means)])
    rows.append(["the paper", _percent(FROM_ENTRY), _percent(FROM_OTHERS)])
    text = (
        "Thread pages that an ideal crawler reaches, which follows needed URLs only: from the entry page, and from "
        "other needed pages on average."
    )
    table = Table("Coverage in %", ["site", "from the entry page", "from other pages"], rows)
    bars = {
        "entry page": {site.site: site.extras.from_entry or 0.0 for site in known},
        "other pages": {site.site: site.extras.from_others or 0.0 for site in known},
    }
    plots = [bar_plot("Coverage by the start", [site.site for site in known], bars)] if known else []
    return Section("Starting from the entry page or elsewhere (FoCUS figure 6)", text, [table], plots)


def _quality(sites: Sequence[SiteRuns], strategies: Sequence[str]) -> Section:
    rows: list[list[Value]] = []
    for name in strategies:
        runs = [run for run in all_runs(sites) if run.strategy == name]
        paper = PAPER_CRAWLS.get(name, PaperCrawl())
        needed = [run.score.needed_pages for run in runs if run.score.needed_pages is not None]
        rows.append(
            [
                name,
                round(fmean(run.score.informativeness for run in runs), 3) if runs else None,
                paper.informativeness,
                _percent(fmean(needed)) if needed else None,
                _percent(paper.valuable_coverage),
            ]
        )
    header = ["strategy", "informativeness", "paper", "needed pages fetched, in %", "paper"]
    text = (
        "Informativeness is equation 2 over all pages that were fetched, learning included; duplicates by SimHash. It "
        "says nothing of how many pages were missed: a crawler that fetches few pages repeats few."
    )
    names = [site.site for site in sites]
    bars = {
        name: {run.site: run.score.informativeness for run in all_runs(sites) if run.strategy == name}
        for name in strategies
    }
    plots = [bar_plot("Informativeness", names, bars)]
    return Section(
        "Crawling quality (Wang et al. figures 6 and 7)", text, [Table("Averages over sites", header, rows)], plots
    )


def _effort(sites: Sequence[SiteRuns], strategies: Sequence[str]) -> Section:
    rows: list[list[Value]] = []
    for name in strategies:
        runs = [run for run in all_runs(sites) if run.strategy == name and run.score.firsts is not None]
        paper = PAPER_CRAWLS.get(name, PaperCrawl())
        reached = [run for run in runs if run.score.for_n is not None]
        rows.append(
            [
                name,
                *(_percent(_share(runs, at)) for at in range(3)),
                _percent(paper.valuable_first),
                round(fmean((run.score.for_n or 0) / run.score.n for run in reached), 2) if reached else None,
                paper.pages_for_one,
                f"{len(reached)} of {len(runs)}",
            ]
        )
    header = [
        "strategy", "valuable", "duplicate", "invalid", "valuable, paper", "requests for a valuable page", "paper",
        "sites where it got N",
    ]  # fmt: skip
    text = (
        "N is half of the pages that a site needs (the paper took 5,000 of 30,000). In the first N requests: how many "
        "brought a needed page, another copy or form of one, or nothing, in %. Then the requests until N needed pages "
        "were there, divided by N. Requests of learning count, as they come first."
    )
    return Section(
        "Effectiveness and efficiency (Wang et al. figures 8 and 9)", text, [Table("Averages over sites", header, rows)]
    )


def _share(runs: Sequence[Run], at: int) -> float | None:
    shares = [run.score.firsts[at] / max(1, sum(run.score.firsts)) for run in runs if run.score.firsts is not None]
    return fmean(shares) if shares else None


def _connectivity(sites: Sequence[SiteRuns]) -> Section:
    found: dict[int, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for site in sites:
        for rank, loops in enumerate(_by_size(site.extras.loops)):
            for loop in loops:
                found[rank][loop.flips].append(loop.score)
    rows: list[list[Value]] = []
    for rank, scores in sorted(found.items()):
        flips, others = scores[True], scores[False]
        rows.append(
            [
                ("a quarter of the sample", "half of it", "the sample", "twice the sample")[min(rank, 3)],
                len(flips),
                round(fmean(flips), 2) if flips else None,
                _percent(sum(score >= FLIPS_AT_LEAST for score in flips) / len(flips)) if flips else None,
                len(others),
                round(fmean(others), 2) if others else None,
                _percent(sum(score <= OTHERS_AT_MOST for score in others) / len(others)) if others else None,
            ]
        )
    header = [
        "sampled", "flip links", "mean connectivity", "at least 0.7, in %", "other loops", "mean connectivity",
        "at most 0.5, in %",
    ]  # fmt: skip
    text = (
        "Every loop-back link of every sitemap; it flips pages where most of its URLs are later pages of lists. The "
        "paper, with 5,000 pages of 8 sites: all 14 flip links above 0.7, all 17 others below 0.5."
    )
    lines = [
        Line(name, [(rank, fmean(scores[kind])) for rank, scores in sorted(found.items()) if scores[kind]])
        for name, kind in (("flip links", True), ("other loops", False))
    ]
    plot = line_plot(
        "Connectivity by size of the sample", lines, Axis("quarter, half, whole, twice"), Axis("mean connectivity")
    )
    return Section(
        "Connectivity of loop-back links (Wang et al. figure 10)", text, [Table("All sites", header, rows)], [plot]
    )


def _by_size(loops: Sequence[Loop]) -> list[list[Loop]]:
    sizes = sorted({loop.sampled for loop in loops})
    return [[loop for loop in loops if loop.sampled == size] for size in sizes]


def _learning(sites: Sequence[SiteRuns], strategies: Sequence[str]) -> Section:
    rows: list[list[Value]] = []
    for name in strategies:
        pages = [run.learning_pages for run in all_runs(sites) if run.strategy == name]
        paper = PAPER_CRAWLS.get(name, PaperCrawl()).learning_pages
        if pages:
            rows.append([name, round(fmean(pages), 1), min(pages), max(pages), paper])
    table = Table("Pages fetched while learning", ["strategy", "average", "fewest", "most", "paper"], rows)
    return Section("Pages spent on learning (FoCUS 5.1)", "", [table])


def _training(accuracies: Sequence[Accuracy]) -> Section:
    names = list(dict.fromkeys(one.classifier for one in accuracies))
    sizes = sorted({one.forums for one in accuracies})
    known = {(one.classifier, one.forums): one.accuracy for one in accuracies}
    rows: list[list[Value]] = [[size, *(_percent(known.get((name, size))) for name in names)] for size in sizes]
    lines = [Line(name, [(size, known[name, size]) for size in sizes if (name, size) in known]) for name in names]
    text = (
        "Pages of forums that a classifier was not trained on which it tells right (index, thread or other), each page "
        "by itself. FoCUS' Table 2 prints 97 to 98 % precision and recall from 5 forums on."
    )
    plot = line_plot("Accuracy by training forums", lines, Axis("annotated forums"), Axis("accuracy"))
    title = "Number of training forums (FoCUS Table 2)"
    if not rows:
        return Section(title, "There are too few annotated mirrors to train on some and test on others.")
    return Section(title, text, [Table("Accuracy in %", ["forums", *names], rows)], [plot])
