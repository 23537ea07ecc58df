"""`thrawl rules`: from a file that was learned, or from an archive."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from thrawl.archive import Archive, PageKind, PageOutcome
from thrawl.archive.values import from_seconds
from thrawl.cli.rules import rules
from thrawl.errors import InputError
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

F = "http://f.test/"


def profile(site: str = F) -> Profile:
    index = ListPattern(Pattern.parse(site + "b/{a:word}"))
    return Profile(entry=site, index=(index,), thread=(ListPattern(Pattern.parse(site + "t/{a:number}")),))


def run(*arguments: str) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(rules)
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.fixture
def archive(tmp_path: Path) -> str:
    location = tmp_path / "forum.db"
    with Archive.open(location, create=True) as opened:
        forum = opened.put_forum(F, "f.test", profile().to_json())
        url, flip = F + "b/golf", F + "b/golf?after=5a5a9"
        opened.save(PageOutcome(forum, flip, PageKind.INDEX_FLIP, from_seconds(0), list_url=url, page_number=2))
    return str(location)


def test_the_profile_in_an_archive_is_read_with_the_flips_that_the_crawl_met(archive: str) -> None:
    assert run(archive).stdout.split() == [
        "^https?://f\\.test/b/([^/?&=#]+)$",
        "^https?://f\\.test/b/([^/?&=#]+)\\?after=([^/?&=#]+)$",
        "^https?://f\\.test/t/(\\d+)$",
    ]


def test_a_file_is_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text(profile().to_json(), encoding="utf-8")
    assert len(run(str(path)).stdout.split()) == 2


def test_one_of_several_forums_has_to_be_named(archive: str) -> None:
    other = "http://other.test/"
    with Archive.open(archive) as opened:
        opened.put_forum(other, "other.test", profile(other).to_json())
    with pytest.raises(InputError, match=r"several forums; add --forum and one of: http://f\.test/, http://other"):
        run(archive)
    assert "other" in run(archive, "--forum", "other.test").stdout
    with pytest.raises(InputError, match="no profile of third"):
        run(archive, "--forum", "third.test")
