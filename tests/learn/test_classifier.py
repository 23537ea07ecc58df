"""The classifiers: what they say of pages, what their file holds, and how they are trained and measured."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

import pytest
from tests.floors import floor

from thrawl.cli.classify import classify as classify_command
from thrawl.cli.train import forums_in
from thrawl.cli.train import train as train_command
from thrawl.errors import InputError
from thrawl.lab.training.annotation import read_annotated, sample
from thrawl.lab.training.evaluation import evaluate, summarise
from thrawl.lab.training.training import Example, examples_of, train
from thrawl.learn.classifier import PageClassifier, Verdict, verdict
from thrawl.learn.together import neighbours, read_together, sight_of
from thrawl.page.features import NAMES, Features
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import read_page
from thrawl.profile.models import Model

sys.path.insert(0, str(Path(__file__).parents[1] / "page"))
import forumpages

SHARED = Path(__file__).parents[3] / "shared"
URL = "http://village.example/t/1"
LOGIN = forumpages.page(
    '<form><label>Name <input name="n"></label><label>Password <input type="password"></label></form>', title="Log in"
)


def test_threads_boards_and_other_pages_of_unknown_software_are_told_apart() -> None:
    classifier = PageClassifier.load()
    pages = {
        "thread": (forumpages.div_thread(5), forumpages.table_thread(4), forumpages.nested_comments()),
        "index": (forumpages.board(6), forumpages.board(15)),
        "other": (LOGIN, "", "just words"),
    }
    for kind, found in pages.items():
        assert [classifier.classify(read_page(html, URL)).type for html in found] == [kind] * len(found)


def test_the_only_post_of_a_thread_is_enough() -> None:
    assert PageClassifier.load().classify(read_page(forumpages.div_thread(1), URL)).type is PageKind.THREAD


def test_one_odd_page_does_not_turn_the_vote_of_its_neighbours() -> None:
    pages = [read_page(forumpages.div_thread(count), URL) for count in (5, 4, 3)] + [read_page(LOGIN, URL)]
    assert PageClassifier.load().vote([sight_of(page) for page in pages]).type is PageKind.THREAD


def profile(name: str, city: str) -> str:
    """A profile that greets with its user's name and tells a rate in a long line."""
    rows = f"<p>Posts: {len(name) * 31} (that is {len(name) * 1.7} posts on each and every day since then, in all)</p>"
    head = f'<a href="/mail?{name}">Send an email to {name}</a><i>Joined 2013-05-0{len(name) % 9 + 1}</i>'
    return forumpages.page(f"<div>{head}{rows}<p>City: {city}</p></div>", title=f"Profile of {name}")


def test_what_all_pages_of_a_group_say_is_template_and_no_post() -> None:
    people = {"Smokey": "Oslo", "Ann": "Ghent", "Rosalind": "York"}
    pages = [read_page(profile(name, city), f"http://village.example/u/{name}") for name, city in people.items()]
    assert PageClassifier.load().vote([sight_of(page) for page in pages]).type is PageKind.OTHER
    assert {(one.titled, one.prose) for one in read_together([sight_of(page) for page in pages])} == {(0.0, 0.0)}


def test_views_of_one_list_do_not_make_its_titles_template() -> None:
    sights = [sight_of(read_page(forumpages.board(6), f"{URL}?sort={n}")) for n in range(3)]
    assert [one.titled for one in read_together(sights)] == [1.0] * 3


def test_neighbours_have_the_form_of_the_address_and_the_skeleton_of_the_page() -> None:
    thread, other = (sight_of(read_page(forumpages.div_thread(2), f"http://village.example/t/{n}")) for n in (1, 2))
    board = sight_of(read_page(forumpages.board(6), "http://village.example/t/3"))
    elsewhere = sight_of(read_page(forumpages.div_thread(2), "http://village.example/print/t/2"))
    assert neighbours(thread, [thread, board, elsewhere, other]) == [other]


def test_pages_that_name_their_part_of_the_site_are_made_alike() -> None:
    def told(part: str, deed: str) -> str:
        return forumpages.div_thread(2).replace("<body>", f'<body class="part-{part} {deed}">')

    kettle, radio = (
        sight_of(read_page(told(part, "talk"), f"http://village.example/{part}/7")) for part in ("kettle", "radio")
    )
    other = sight_of(read_page(told("radio", "plans"), "http://village.example/radio/9"))
    assert kettle.skeleton == radio.skeleton
    assert kettle.skeleton.isdisjoint(other.skeleton)


def test_no_page_is_nothing() -> None:
    assert PageClassifier.load().vote([]) == Verdict("other", 0.0)


def test_confidence_is_that_of_the_answer_given() -> None:
    assert verdict(0.9, 0.3) == Verdict("index", 0.9)
    assert verdict(0.6, 0.7) == Verdict("thread", 0.7)
    assert verdict(0.2, 0.4).type is PageKind.OTHER
    assert verdict(0.2, 0.4).confidence == pytest.approx(0.6)


def test_a_model_file_says_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    model = PageClassifier.load()
    model.save(tmp_path / "model.json")
    assert PageClassifier.load(tmp_path / "model.json") == model


def test_the_shipped_model_names_each_weight() -> None:
    content = json.loads(PageClassifier.load().to_json())
    assert list(content["index"]["weights"]) == list(content["thread"]["weights"]) == list(NAMES)


@pytest.mark.parametrize("text", ["", "{}", '{"format": 99}', '{"format": 1, "index": {}, "thread": {}}'])
def test_a_broken_model_file_is_told_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(InputError, match=r"m\.json"):
        PageClassifier.load(tmp_path / "m.json")


def test_extreme_features_give_a_probability() -> None:
    model = Model(0.0, dict.fromkeys(NAMES, 1e9))
    assert 0 <= model.probability(Features(*[1e9] * len(NAMES))) <= 1
    assert 0 <= model.probability(Features(*[-1e9] * len(NAMES))) <= 1


def forum(folder: Path, name: str) -> Path:
    """A small annotated forum on disk, typed by rules."""
    home = folder / name
    home.mkdir(parents=True)
    pages = [(f"http://{name}.test/t/{n}", forumpages.div_thread(n % 4 + 2)) for n in range(8)]
    pages += [(f"http://{name}.test/b/{n}", forumpages.board(n + 3)) for n in range(8)]
    pages += [(f"http://{name}.test/login?{n}", LOGIN) for n in range(8)]
    lines = [json.dumps({"url": url, "status": 200, "type": "text/html", "body": body}) for url, body in pages]
    with lzma.open(home / "pages.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines))
    rules = {"page_types": [["/t/", "thread"], ["/b/", "index"]], "ambiguous": ["/t/0$"]}
    (home / "rules.json").write_text(json.dumps(rules))
    return home


def test_rules_type_pages_and_leave_out_the_ambiguous(tmp_path: Path) -> None:
    kinds = [page.type for page in read_annotated(forum(tmp_path, "one"))]
    assert [kinds.count(kind) for kind in ("thread", "index", "other")] == [7, 8, 8]


def test_pages_may_name_their_types_and_sites_themselves(tmp_path: Path) -> None:
    row = {"site": "a.example", "url": "http://a.example/x", "page_type": "thread", "body": "<p>x"}
    (tmp_path / "pages.jsonl").write_text(json.dumps(row))
    (page,) = read_annotated(tmp_path)
    assert (page.site, page.type) == ("a.example", "thread")


def test_pages_without_a_right_answer_are_left_out(tmp_path: Path) -> None:
    home = forum(tmp_path, "one")
    shows = [{"url": "http://one.test/login?0", "posts": [1, 2], "threads": []}]
    shows += [{"url": f"http://one.test/t/{n}", "posts": [n], "threads": []} for n in range(8)]
    (home / "shows.jsonl").write_text("\n".join(map(json.dumps, shows)))
    pages = {page.url: page for page in read_annotated(home)}
    assert "http://one.test/login?0" not in pages
    assert pages["http://one.test/t/3"].shown == 1


@pytest.mark.parametrize("spoil", ["not json", '{"url": "http://x/", "body": "x", "page_type": "blog"}'])
def test_a_broken_annotation_is_told_in_words(tmp_path: Path, spoil: str) -> None:
    (tmp_path / "pages.jsonl").write_text(spoil)
    with pytest.raises(InputError, match=r"pages\.jsonl"):
        list(read_annotated(tmp_path))


def test_a_sample_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    home = forum(tmp_path, "one")
    assert sample(home, 3, 5) == sample(home, 3, 5)
    assert len(sample(home, 3, 5)) == 9


def test_training_needs_pages_of_every_type() -> None:
    lacking = [Example("a", "thread", sight_of(read_page(forumpages.div_thread(2), URL)), None)]
    with pytest.raises(InputError, match="index, other"):
        train(lacking)


def test_the_evaluation_tests_on_other_sites_only(tmp_path: Path) -> None:
    examples = [one for name in "abc" for one in examples_of(sample(forum(tmp_path, name), 8, 1))]
    summaries = summarise(evaluate(examples, [1], draws=2, seed=1))
    several = {one.type: one for one in summaries if one.shown == "several"}
    assert several["index"].recall == several["thread"].recall == 1
    assert several["thread"].precision == 1


def test_the_train_command_writes_a_model_and_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpora = tmp_path / "corpora"
    for name in "ab":
        forum(corpora, name)
    train_command([corpora], output=tmp_path / "m.json", pages=8)
    assert PageClassifier.load(tmp_path / "m.json").sites == 2
    train_command([corpora], measure=True, report=tmp_path / "report", pages=8, sizes="1", draws=2)
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert {"train_sites", "draw", "type", "precision", "recall", "n"} <= set(report["results"][0])
    assert "<table>" in (tmp_path / "report" / "index.html").read_text()
    assert "by vote" in capsys.readouterr().out


def test_folders_without_annotations_are_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="annotation"):
        forums_in([tmp_path])


def test_the_classify_command_prints_a_line_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, html in {"thread": forumpages.div_thread(4), "index": forumpages.board(6)}.items():
        (tmp_path / f"{name}.html").write_text(html)
    sources = [str(tmp_path / "thread.html"), str(tmp_path / "index.html")]
    classify_command(sources, url=URL, as_json=True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["source"], row["type"]) for row in rows] == [(sources[0], "thread"), (sources[1], "index")]
    classify_command(sources[:1], url=URL)
    assert capsys.readouterr().out.startswith("thread")


def test_inference_does_not_import_scikit_learn() -> None:
    import subprocess

    code = (
        "import sys\nfrom thrawl.learn.classifier import PageClassifier\nPageClassifier.load()\n"
        "sys.exit('sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_shipped_model_knows_the_shared_pages() -> None:
    folder = SHARED / "pages"
    if not folder.exists():
        pytest.skip("the shared pages are not beside this checkout")
    classifier = PageClassifier.load()
    examples = [
        one for one in examples_of(read_annotated(folder)) if not one.is_single and one.type is not PageKind.OTHER
    ]
    right = sum(verdict(*classifier.probabilities(one.sight.features)).type == one.type for one in examples)
    assert right >= floor("page-types") * len(examples)
