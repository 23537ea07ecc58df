"""What a run brought that the archive did not have before, in numbers and in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from thrawl.archive.values import Summary


@dataclass(frozen=True, slots=True)
class News:
    """What is new in an archive: posts, threads that have posts, edits, and posts that vanished from the site."""

    posts: int
    threads: int
    edits: int
    vanished: int

    @classmethod
    def between(cls, before: Summary, after: Summary) -> News:
        return cls(
            posts=max(0, after.posts - before.posts),
            threads=max(0, after.threads_with_posts - before.threads_with_posts),
            edits=max(0, after.revisions - before.revisions),
            vanished=max(0, after.posts_vanished - before.posts_vanished),
        )

    def plain(self) -> dict[str, int]:
        return asdict(self)

    def sentence(self) -> str:
        """For the end of an update."""
        counted = (
            (self.posts, "post", "posts"),
            (self.threads, "thread", "threads"),
            (self.edits, "edit", "edits"),
            (self.vanished, "post gone from the site", "posts gone from the site"),
        )
        told = [f"{number} {one if number == 1 else several}" for number, one, several in counted if number]
        return f"new since the last run: {', '.join(told)}" if told else "nothing new since the last run"
