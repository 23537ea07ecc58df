"""How fast a crawl may go at the moment, in words, and who decided it: the user, robots.txt or a site in trouble."""

from __future__ import annotations

from thrawl.net.client import Client
from thrawl.net.pace import PaceState


def pace_in_words(client: Client) -> str:
    """The pace that the host which was asked last is given now."""
    chosen = client.options.delay
    states = client.pace_states()
    return in_words(states[-1], chosen) if states else _every(chosen)


def current_delay(client: Client) -> float:
    """Seconds between two requests to the host which was asked last."""
    states = client.pace_states()
    return states[-1].delay if states else client.options.delay


def in_words(state: PaceState, chosen: float) -> str:
    """What a host is given, where the user chose a delay."""
    why = f" ({state.trouble})" if state.trouble else ""
    if state.pause > 0:
        return f"waiting {_seconds(max(1, round(state.pause)))} because the site asks for it{why}"
    if state.delay > state.usual_delay:
        return f"slowed to {_every(state.delay)} by the site{why}"
    if state.usual_delay > chosen:
        return f"{_every(state.usual_delay)} because robots.txt asks for it"
    return _every(chosen)


def _every(delay: float) -> str:
    return f"one request every {_seconds(delay)}" if delay > 0 else "no delay between requests"


def _seconds(number: float) -> str:
    return f"{round(number, 2):g} s"
