"""How the lists of a site flip: pagers are proposed by rules, weighed by evidence, and decided for a whole family."""

from thrawl.learn.flips.decide import learn_flips, likely_flips, walk_flips
from thrawl.learn.flips.inherit import flips_as_boards, inherited_flips
from thrawl.learn.flips.scriptless import with_scriptless

__all__ = [
    "flips_as_boards",
    "inherited_flips",
    "learn_flips",
    "likely_flips",
    "walk_flips",
    "with_scriptless",
]
