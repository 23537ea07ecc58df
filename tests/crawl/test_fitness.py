"""A site that changed is noticed; deleted threads, walls and single odd pages are not taken for a change."""

from __future__ import annotations

from thrawl.crawl.fitness import Echoes, Fitness
from thrawl.crawl.values import Misfit, Reading


def lost_after(*readings: Reading) -> bool:
    fitness = Fitness()
    for reading in readings:
        fitness.add(reading)
    return fitness.is_lost()


def test_many_pages_without_posts_mean_a_redesign() -> None:
    assert lost_after(*[Reading()] * 20, *[Reading(misfit=Misfit.NO_POSTS)] * 25)


def test_pages_that_only_the_general_reader_understands_mean_a_redesign() -> None:
    assert lost_after(*[Reading()] * 20, *[Reading(general=True)] * 25)


def test_a_few_empty_pages_mean_nothing() -> None:
    assert not lost_after(*[Reading()] * 30, *[Reading(misfit=Misfit.NO_POSTS)] * 9)


def test_login_walls_and_challenges_are_no_redesign() -> None:
    assert not lost_after(*[Reading()] * 20, *[Reading(misfit=Misfit.LOGIN), Reading(misfit=Misfit.CHALLENGE)] * 40)


def test_after_learning_again_the_count_starts_anew() -> None:
    fitness = Fitness()
    for _ in range(40):
        fitness.add(Reading(misfit=Misfit.NO_ROWS))
    fitness.restart()
    assert not fitness.is_lost()


def test_links_in_posts_that_only_repeat_threads_are_left_alone_until_one_brings_news() -> None:
    echoes = Echoes()
    for _ in range(5):
        echoes.add(echo=True)
    assert not echoes.only
    echoes.add(echo=False)
    for _ in range(6):
        echoes.add(echo=True)
    assert echoes.only
