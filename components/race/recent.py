"""The menu of recent races in the header, with the place to drop a race file."""

import asyncio
from typing import Any

import dash
from dash import Input, Output, State, dcc, html

from components.race import ids
from components.race import lanes as race_lanes_module
from components.race.setup import address, shown_race
from components.shell import text
from components.shell.controls import icon
from components.shell.upload_area import drop_area
from runs.imports.launch import MAX_RUN_BYTES
from runs.races.service import Race
from runs.service import NoSuchRun

RECENT_RACES = 12


def menu() -> html.Details:
    """The menu, closed."""
    summary = html.Summary([icon("clock"), html.Span("Recent races")], id=ids.RECENT_OPEN, className="button quiet")
    area = drop_area(ids.UPLOAD, ids.UPLOAD_NOTE, "race file", MAX_RUN_BYTES)
    parts = [
        html.Div(html.Div("No races yet.", className="note"), id=ids.RECENT_LIST, className="recent-list"),
        html.Div(area, className="menu-foot"),
    ]
    return html.Details([summary, html.Div(parts, className="menu")], id=ids.RECENT, className="recent")


def recent_list(races, path: str, shown: str | None = None) -> list:
    """An entry for each of the last races, a link that opens it; the one that is `shown` is marked."""
    found = [_entry(races, race, path, race.id == shown) for race in races.recent(RECENT_RACES)]
    return found or [html.Div("No races yet.", className="note")]


def _entry(races, race: Race, path: str, here: bool) -> dcc.Link:
    lanes = race_lanes_module.views(race.spec.to_json()["lanes"])
    head = [html.B(_instance(races.run_service, race)), html.Span(f"seed {race.spec.seed}", className="option-fact")]
    lines = [
        html.Span(head, className="option"),
        html.Small(" · ".join(lane["title"] for lane in lanes)),
        html.Small(f"{text.when(race.created)} · {races.state(race.id)}"),
    ]
    return dcc.Link(lines, href=path + address(race), className=f"recent-run{' shown' if here else ''}")


def _instance(run_service, race: Race) -> str:
    try:
        summary = run_service.summary(race.runs[0])
    except NoSuchRun:  # its file is damaged
        summary = None
    return summary["instance"]["name"] if summary else "an instance that is gone"


def register(app: dash.Dash, races) -> None:
    """Fill the menu when it is opened."""

    @app.callback(Output(ids.RECENT_LIST, "children"), Input(ids.RECENT_OPEN, "n_clicks"), State(ids.RACE, "data"))
    async def recent(_, shown: Any):
        return await asyncio.to_thread(recent_list, races, app.config.requests_pathname_prefix, shown_race(shown))
