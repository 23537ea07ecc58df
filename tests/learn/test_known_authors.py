"""What other posts of a site tell of the authors of these: names, and how the nodes look that hold them."""

from __future__ import annotations

import pytest

from thrawl.learn.wrappers.authorevidence import Known, known_of, template_of
from thrawl.learn.wrappers.facts import Words
from thrawl.learn.wrappers.growth import Place
from thrawl.profile.places import Step

NAMED = Step("b", frozenset({"who"}))
HEADING = Step("h2")


@pytest.mark.parametrize(
    ("look", "shown", "known"),
    [
        (NAMED, ["gil", "hal"], 1.0),  # they look like the authors of other posts
        (HEADING, ["about this page", "about this page"], 0.0),  # as does every heading of the site
        (HEADING, ["ann", "hal"], 0.5),  # one of two wrote elsewhere
    ],
)
def test_a_place_is_known_by_its_names_or_by_looks_of_its_own(look: Step, shown: list[str], known: float) -> None:
    words = Words(Place((look,), {}), dict(enumerate(shown)))
    assert known_of(words, Known(frozenset({"ann", "bo"}), frozenset({NAMED, HEADING}))) == known


PEOPLE = ["Anke", "Bodo", "Carla", "Dirk", "Elin", "Gerd", "Ivo", "Quirin"]


@pytest.mark.parametrize(
    ("shown", "suffix"),
    [
        ([f"{name}님의 댓글" for name in PEOPLE], "님의 댓글"),  # a language may hang words on names
        ([f"{name}さん" for name in PEOPLE], "さん"),
        ([f"{name}," for name in PEOPLE[:3]], ","),
        (["Hansen", "Jessen", "Petersen", "Nissen"], ""),  # few people are called alike by chance
        (PEOPLE, ""),
    ],
)
def test_what_is_glued_to_the_names_of_many_people_is_no_part_of_them(shown: list[str], suffix: str) -> None:
    assert template_of(Words(Place((HEADING,), {}), dict(enumerate(shown)))) == ("", suffix)
