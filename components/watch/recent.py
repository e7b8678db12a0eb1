"""The menu of recent runs in the header, with the place to drop a run file."""

from functools import partial
from typing import Any

import dash
from dash import dcc, html, no_update

from components.shell import ids, recent_menu, text
from components.watch.address import spec_of
from components.watch.launch import address, shown_run
from solvers.errors import InvalidParams
from solvers.spec import RunSpec

_IDS = recent_menu.RecentIds(ids.RECENT, ids.RECENT_OPEN, ids.RECENT_LIST, ids.RUN_UPLOAD, ids.RUN_UPLOAD_NOTE)


def menu() -> html.Details:
    """The menu, closed."""
    return recent_menu.menu(_IDS, "run", "runs")


def recent_list(run_service, path: str, shown: str | None = None) -> list:
    """An entry for each of the last runs, a link that opens it; the one that is `shown` is marked."""
    entries = [_entry(run, run_service.summary(run["id"]), path, shown) for run in run_service.recent(recent_menu.MOST)]
    return entries or [recent_menu.none_yet("runs")]


def _entry(run: dict[str, Any], summary: dict[str, Any] | None, path: str, shown: str | None) -> dcc.Link:
    spec = _spec(summary)
    proven = bool(summary and summary["instance"]["proven"])
    query = address(spec, run["id"]) if spec else f"?run={run['id']}"
    lines = [
        html.Span([html.B(run["instance"]), html.Span(run["title"], className="option-fact")], className="option"),
        html.Small(text.choices(spec) if spec else ""),
        html.Small(text.recent_line(run, proven), className="outcome"),
    ]
    return recent_menu.link(lines, path + query, run["id"] == shown, f" state-{run['state']}")


def _spec(summary: dict[str, Any] | None) -> RunSpec | None:
    """The spec of a run; None if the run is gone or is of another release."""
    try:
        return spec_of(summary) if summary else None
    except InvalidParams:
        return None


def address_of(run_service, adopted: Any) -> Any:
    """The address of an uploaded run; unchanged if there is no run."""
    run = shown_run(adopted)
    summary = run_service.summary(run) if run else None
    spec = _spec(summary)
    return address(spec, run) if spec else no_update


def register(app: dash.Dash, run_service) -> None:
    """Fill the menu when it is opened, and open an uploaded run."""
    recent_menu.register(app, _IDS, partial(recent_list, run_service), ids.RUN, shown_run)
    recent_menu.adopting(app, ids.ADOPTED, ids.URL, partial(address_of, run_service))
