"""The dashboard of a fleet: forums by state, pages a second, errors, those that are stuck with the reason, machines."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from thrawl.archive.values import from_seconds
from thrawl.fleet.registry import Registry
from thrawl.fleet.status import status_of
from thrawl.web.render import render


def fleet_routes(registry: Registry) -> list[Route]:
    """The pages of a fleet; htmx asks for the part that changes every few seconds."""

    def page(request: Request) -> Response:
        return HTMLResponse(render("fleet.html", now=status_of(registry), moment=from_seconds))

    def part(request: Request) -> Response:
        return HTMLResponse(render("fleet_now.html", now=status_of(registry), moment=from_seconds))

    def plain(request: Request) -> Response:
        return JSONResponse(status_of(registry).plain())

    return [Route("/fleet", page), Route("/fleet/now", part), Route("/api/fleet", plain)]
