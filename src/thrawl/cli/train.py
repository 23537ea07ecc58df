"""`thrawl train`: make the page type classifiers from annotated forums, or measure how well they generalise."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from thrawl.cli.trainreport import write_report
from thrawl.errors import InputError
from thrawl.lab.training.annotation import AnnotatedPage, sample
from thrawl.lab.training.evaluation import Summary, evaluate, summarise, trainable_sites
from thrawl.lab.training.pagers import evaluate_pagers, pager_examples, random_examples, train_pagers
from thrawl.lab.training.postscore import PageScore, score_labelled_pages, score_mirror_pages, summarise_pages
from thrawl.lab.training.rolerounds import role_examples
from thrawl.lab.training.roles import calibration, train_roles
from thrawl.lab.training.training import Example, examples_of, need_scikit_learn
from thrawl.lab.training.training import train as train_classifier

_FORUMS: Final = 900_000  # the first seed of the random forums to train on: benches begin with small ones
_FORUM_COUNT: Final = 80  # as many choices are then seen several times each


def train(
    corpora: Annotated[
        list[Path], typer.Argument(help="Annotated forums, or folders of them.", metavar="CORPUS...", exists=True)
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Write the model here.", metavar="FILE")] = Path(
        "model.json"
    ),
    measure: Annotated[
        bool, typer.Option("--evaluate", help="Train on a few sites, test on the others; write no model.")
    ] = False,
    records: Annotated[
        bool, typer.Option("--records", help="Train the models that cut posts; write them into the folder of -o.")
    ] = False,
    pagers: Annotated[
        Path | None,
        typer.Option(help="Train the model that weighs pagers instead, and write it here.", metavar="FILE"),
    ] = None,
    roles: Annotated[
        Path | None,
        typer.Option(help="Train the model that tells boards and threads instead, and write it here.", metavar="FILE"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="With --evaluate: write index.html and report.json here.", metavar="DIR")
    ] = None,
    pages: Annotated[int, typer.Option(help="Pages of each type and site.", min=1)] = 30,
    sizes: Annotated[str, typer.Option(help="Numbers of training sites to evaluate.")] = "1,3,5,9",
    draws: Annotated[int, typer.Option(help="Draws for each number of training sites.", min=1)] = 10,
    seed: Annotated[int, typer.Option(help="The seed of all draws.")] = 1,
) -> None:
    """Train the page type classifiers on annotated forums and print a table."""
    folders = forums_in(corpora)
    if records:
        _train_records(folders, output.parent, draws, seed)
        return
    if pagers is not None:
        _train_pagers(folders, pagers, seed)
        return
    if roles is not None:
        _train_roles(folders, roles, seed)
        return
    if not measure:
        _train(folders, output, pages, seed)
        return
    examples: list[Example] = []
    scores: list[PageScore] = []
    for folder in folders:
        drawn = sample(folder, pages, seed)
        examples.extend(examples_of(drawn))
        scores.extend(score_mirror_pages(folder, drawn))
        labels = folder / "posts.jsonl"
        scores.extend(score_labelled_pages(labels, [folder]) if labels.exists() else ())
    measures = evaluate(examples, _numbers(sizes), draws, seed)
    console = Console()
    console.print(f"{len(examples)} pages of {len({one.site for one in examples})} sites, ", end="")
    console.print(f"{len(trainable_sites(examples))} of them with enough pages to train on")
    console.print(_evaluation_table(summarise(measures)))
    if scores:
        console.print(_record_table(scores))
    if report is not None:
        write_report(report, seed, measures, scores)


def _train_pagers(folders: Sequence[Path], output: Path, seed: int) -> None:
    """Train on mirrors and random forums; the table tells of sites that the weights were not fitted on."""
    examples = [*asyncio.run(pager_examples(folders, seed)), *random_examples(range(_FORUMS, _FORUMS + _FORUM_COUNT))]
    _write(output, train_pagers(examples).to_json())
    table = Table(
        "site", "proposals", "precision", "recall", "right if sure", title=f"trained; the model is in {output}"
    )
    for site, one in evaluate_pagers(examples).items():
        table.add_row(site, str(one.examples), f"{one.precision:.1%}", f"{one.recall:.1%}", f"{one.sure_right:.1%}")
    Console().print(table)


def _train_roles(folders: Sequence[Path], output: Path, seed: int) -> None:
    """Train on mirrors and random forums; the table tells of mirrors that were left out."""
    need_scikit_learn()
    mirrors = [one for one in folders if (one / "rules.json").is_file()]
    console = Console()
    forums = range(_FORUMS, _FORUMS + _FORUM_COUNT)
    examples = role_examples(mirrors, forums, seed, lambda words: console.print(words))
    _write(output, train_roles(examples).to_json())
    table = Table("site left out", "families", "said to be sure", "right", title=f"trained; the model is in {output}")
    for site in (one.name for one in mirrors):
        model = train_roles([one for one in examples if one.site != site])
        own = [one for one in examples if one.site == site]
        sure, right = calibration(own, model)
        table.add_row(site, str(len(own)), str(sure), f"{right:.1%}" if sure else "")
    console.print(table)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the model cannot be written to {path}: {error.strerror or error}") from error


def forums_in(corpora: Sequence[Path]) -> list[Path]:
    """The annotated forums among these folders and right inside them."""
    found: list[Path] = []
    for folder in corpora:
        inside = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        found.extend(path for path in (folder, *inside) if _is_forum(path))
    if not found:
        raise InputError("none of the given folders is an annotated forum (docs/annotation.md says what one is)")
    return found


def _is_forum(folder: Path) -> bool:
    return any((folder / name).exists() for name in ("pages.jsonl", "pages.jsonl.xz"))


def _train(folders: Sequence[Path], output: Path, per_type: int, seed: int) -> None:
    drawn: list[AnnotatedPage] = [page for folder in folders for page in sample(folder, per_type, seed)]
    examples = list(examples_of(drawn))
    classifier = train_classifier(examples)
    try:
        classifier.save(output)
    except OSError as error:
        raise InputError(f"the model cannot be written to {output}: {error.strerror or error}") from error
    table = Table("type", "pages", "sites", title=f"trained; the model is in {output}")
    for kind in ("index", "thread", "other"):
        pages = [example for example in examples if example.type == kind]
        table.add_row(kind, str(len(pages)), str(len({example.site for example in pages})))
    Console().print(table)


def _train_records(folders: Sequence[Path], where: Path, draws: int, seed: int) -> None:
    need_scikit_learn()
    from thrawl.lab.training.recordmodel import train_models  # it needs scikit-learn, which other commands do without

    for name, model in train_models(folders, draws, seed).items():
        _write(where / f"{name}.json", model.to_json())
        Console().print(f"trained; the model of {name} is in {where / f'{name}.json'}")


def _numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError as error:
        raise InputError(f"--sizes takes whole numbers parted by commas, not {text!r}") from error


def _evaluation_table(summaries: Sequence[Summary]) -> Table:
    title = "on sites not trained on (mean ± deviation over the draws, in %)"
    table = Table("sites", "type", "records", "precision", "recall", title=title)
    names = {
        "several": "two or more",
        "one": "one",
        "several among": "two or more, with neighbours",
        "one among": "one, with neighbours",
        "vote": "by vote",
    }
    for one in sorted(summaries, key=lambda one: (one.train_sites, list(names).index(one.shown), one.type)):
        table.add_row(
            str(one.train_sites),
            one.type,
            names[one.shown],
            f"{one.precision:.1%} ± {one.precision_deviation:.1%}",
            f"{one.recall:.1%} ± {one.recall_deviation:.1%}",
        )
    return table


def _record_table(scores: Sequence[PageScore]) -> Table:
    table = Table("site", "pages", "posts", "precision", "recall", "perfect pages", title="posts of pages read alone")
    sites = sorted({score.site for score in scores})
    for name, inside in [*((site, [one for one in scores if one.site == site]) for site in sites), ("all", scores)]:
        one = summarise_pages(name, inside)
        shares = (f"{share:.1%}" for share in (one.precision, one.recall, one.perfect))
        table.add_row(name, str(one.pages), str(one.posts), *shares)
    return table
