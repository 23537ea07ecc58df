"""Every error that Thrawl raises on purpose.

A message is one sentence that tells a user what happened and what to do; the command line prints it
as it is and leaves with the class's exit status.

    ThrawlError                 1
    ├── UsageError              2   the command was called wrongly
    ├── InputError              1   a file or value that the user gave cannot be used
    ├── FetchError              1   one URL could not be fetched (the crawl goes on)
    │   ├── UrlRefused              the guard will not go there (scheme, private address)
    │   ├── RobotsDenied            robots.txt forbids it
    │   ├── LimitExceeded           the response broke a limit (size, ratio, time, headers, redirects)
    │   └── NotInReplay             a replayed mirror or WARC file does not hold it
    ├── PageError               1   one page could not be read (the crawl goes on)
    ├── LearnError              1   the site could not be learned, with the reason in words
    └── ArchiveError            1   the archive cannot be used (locked, corrupt, newer version, disk full)
        ├── ArchiveBusy             another process writes it
        ├── ArchiveAway             its database server is away, and may come back
        └── LeaseLost               another worker of the fleet has the forum now
"""

from __future__ import annotations


class ThrawlError(Exception):
    """The root of the family."""

    exit_status = 1


class UsageError(ThrawlError):
    exit_status = 2


class InputError(ThrawlError):
    pass


class FetchError(ThrawlError):
    """One URL could not be fetched."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason

    def __reduce__(self) -> tuple[type[FetchError], tuple[str, str]]:
        return type(self), (self.url, self.reason)


class UrlRefused(FetchError):
    pass


class RobotsDenied(FetchError):
    pass


class LimitExceeded(FetchError):
    pass


class NotInReplay(FetchError):
    pass


class PageError(ThrawlError):
    pass


class LearnError(ThrawlError):
    pass


class ArchiveError(ThrawlError):
    pass


class ArchiveBusy(ArchiveError):
    pass


class ArchiveAway(ArchiveError):
    pass


class LeaseLost(ArchiveError):
    pass
