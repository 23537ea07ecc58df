"""A site that is a table of pages, for tests of what learning asks for and makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from thrawl.net.message import Request, Response


class TableSite:
    """Answers with the page of an address; what is not in the table is not found."""

    def __init__(self, origin: str, pages: Mapping[str, str]) -> None:
        self.pages = {origin + path: html for path, html in pages.items()}
        self.asked: list[str] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        html = self.pages.get(request.url)
        status = 404 if html is None else 200
        return Response(request.url, request.url, status, (), (html or "").encode(), "utf-8", datetime.now(UTC))

    async def close(self) -> None:
        """Nothing to close."""
