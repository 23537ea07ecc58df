"""`thrawl serve`: the reader and the dashboard in a browser."""

from __future__ import annotations

import secrets
import socket
import sys
from contextlib import ExitStack
from typing import Annotated, Final

import typer

from thrawl.cli.selecting import MediaDir
from thrawl.errors import UsageError

_PORT: Final = 8899
_LOOPBACK: Final = "127.0.0.1"


def serve(
    archives: Annotated[
        list[str] | None, typer.Argument(help="Archives: files, or postgresql://…", metavar="ARCHIVE…")
    ] = None,
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes a free one.", min=0, max=65535)] = _PORT,
    host: Annotated[
        str, typer.Option(help="The address to listen on. Other machines than this one must carry a token.")
    ] = _LOOPBACK,
    media_dir: MediaDir = None,
    fleet: Annotated[
        str | None, typer.Option(help="Also a dashboard of the fleet at this place, at /fleet.", metavar="PLACE")
    ] = None,
) -> None:
    """Read archives in a browser, and watch a crawl that writes one: on this machine only, unless told otherwise."""
    import uvicorn

    from thrawl.web.app import make_app
    from thrawl.web.guard import is_loopback
    from thrawl.web.shelf import open_shelf

    if not archives and fleet is None:
        raise UsageError("Name an archive to read, or a fleet with --fleet.")
    token = None if is_loopback(host) else secrets.token_urlsafe(32)
    with ExitStack() as closing:
        shelf = closing.enter_context(open_shelf(archives or (), media_dir))
        more = []
        if fleet is not None:
            from thrawl.fleet.place import FleetPlace
            from thrawl.fleet.registry import Registry
            from thrawl.web.fleet import fleet_routes

            more = fleet_routes(closing.enter_context(Registry.open(FleetPlace(fleet), readonly=True)))
        listening = closing.enter_context(_listening(host, port))
        address = _address(host, listening.getsockname()[1])
        page = "fleet" if fleet and not archives else ""
        shown = f"{address}{page}{'' if token is None else f'?token={token}'}"
        print(f"reading at {shown}  (Ctrl-C ends it)", flush=True)
        if token is not None:
            print("every request needs the token; whoever has it can read these archives", file=sys.stderr)
        app = make_app(shelf, host=host, token=token, more=more)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, proxy_headers=False, lifespan="off"
        )
        uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"nothing can listen on {host}:{port} ({error.strerror}); take another one with --port or --host."
        ) from error


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
