"""Why an address was fetched or not, asked as a person asks: with an address pasted from anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from thrawl.archive import Archive
from thrawl.crawl.links import LinkReader
from thrawl.net.url import usable_url
from thrawl.profile.profile import Profile


def why(archive: Archive, url: str) -> str | None:
    """What is on record about an address in whatever form; None where it was never met."""
    return next((reason for one in _forms(archive, url) if (reason := archive.why(one))), None)


def _forms(archive: Archive, url: str) -> Iterator[str]:
    """A URL as it was pasted, in its one spelling, and as a crawl knows it: without fragment and session ids."""
    yield url
    usable = usable_url(url)
    yield usable
    for forum in archive.forums():
        if forum.profile is not None:
            yield LinkReader(Profile.from_json(forum.profile, f"the profile of {forum.entry_url}")).one_form(usable)
