"""The header's menu of recent runs, with a drop area for run files."""

from dash import html

from components.shell import facts, ids
from components.shell.recent_menu import Entry, RecentMenu
from components.watch.address import read_spec
from components.watch.launch import make_address
from runs.service import RunService
from runs.store.summary import Summary
from solvers.core.errors import InvalidParams
from solvers.spec import RunSpec


def _entry(run_service: RunService, run: Summary) -> Entry:
    summary = run_service.summary(run["id"])
    spec = _parse_spec(summary)
    proven = bool(summary and summary["instance"]["proven"])
    lines = [
        html.Span([html.B(run["instance"]), html.Span(run["title"], className="option-fact")], className="option"),
        html.Small(facts.describe_choices(spec) if spec else ""),
        html.Small(facts.describe_recent(run, proven), className="outcome"),
    ]
    query = make_address(spec, run["id"]) if spec else f"?run={run['id']}"
    return Entry(run["id"], query, lines, f" state-{run['state']}")


def _parse_spec(summary: Summary | None) -> RunSpec | None:
    """Return a run's spec; None if the run is gone or from an incompatible release."""
    try:
        return read_spec(summary) if summary else None
    except InvalidParams:
        return None


def _make_address(run_service: RunService, run: str) -> str | None:
    spec = _parse_spec(run_service.summary(run))
    return make_address(spec, run) if spec else None


MENU = RecentMenu("run", "runs", ids.RUN, _entry, _make_address)
