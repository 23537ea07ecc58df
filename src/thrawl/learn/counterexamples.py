"""Counter-examples: URLs of the site that look like those of a pattern and are not followed.

They let a person see at a glance what a pattern keeps out: print views, sort orders, permalinks, profiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from os.path import commonprefix
from typing import Final

from thrawl.profile.profile import ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

_SHOWN: Final = 3  # so many a pattern are read by a person
_DIGITS: Final = re.compile(r"\d+")


def with_counter_examples(profile: Profile, urls: Iterable[str]) -> Profile:
    """The profile, each list pattern with the refused URLs that come closest to its examples, one of a form."""
    types = UrlTypes(profile)
    forms = {_DIGITS.sub("0", url): url for url in urls if types.type(url) is None and url != profile.entry}
    refused = sorted(forms.values())
    return replace(
        profile,
        index=tuple(_completed(one, refused) for one in profile.index),
        thread=tuple(_completed(one, refused) for one in profile.thread),
    )


def _completed(one: ListPattern, refused: list[str]) -> ListPattern:
    if not one.examples:
        return one
    example = one.examples[0]
    origin = "/".join(example.split("/")[:3]) + "/"
    near = [(len(commonprefix([example, url])), url) for url in refused]  # noqa: RUF071 - letters, not folders
    closest = sorted((-length, url) for length, url in near if length > len(origin))
    return replace(one, counter_examples=tuple(url for _, url in closest[:_SHOWN]))
