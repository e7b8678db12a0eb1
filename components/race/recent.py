"""The menu of recent races in the header, with the place to drop a race file."""

from functools import partial

import dash
from dash import dcc, html

from components.race import ids
from components.race import lanes as race_lanes_module
from components.race.setup import address, shown_race
from components.shell import recent_menu, text
from runs.races.service import Race
from runs.service import NoSuchRun

_IDS = recent_menu.RecentIds(ids.RECENT, ids.RECENT_OPEN, ids.RECENT_LIST, ids.UPLOAD, ids.UPLOAD_NOTE)


def menu() -> html.Details:
    """The menu, closed."""
    return recent_menu.menu(_IDS, "race", "races")


def recent_list(races, path: str, shown: str | None = None) -> list:
    """An entry for each of the last races, a link that opens it; the one that is `shown` is marked."""
    entries = [_entry(races, race, path, race.id == shown) for race in races.recent(recent_menu.MOST)]
    return entries or [recent_menu.none_yet("races")]


def _entry(races, race: Race, path: str, here: bool) -> dcc.Link:
    lanes = race_lanes_module.views(race.spec.to_json()["lanes"])
    head = [html.B(_instance(races.run_service, race)), html.Span(f"seed {race.spec.seed}", className="option-fact")]
    lines = [
        html.Span(head, className="option"),
        html.Small(" · ".join(lane["title"] for lane in lanes)),
        html.Small(f"{text.when(race.created)} · {races.state(race.id)}"),
    ]
    return recent_menu.link(lines, path + address(race), here)


def _instance(run_service, race: Race) -> str:
    try:
        summary = run_service.summary(race.runs[0])
    except NoSuchRun:  # its file is damaged
        summary = None
    return summary["instance"]["name"] if summary else "an unknown instance"


def register(app: dash.Dash, races) -> None:
    """Fill the menu when it is opened."""
    recent_menu.register(app, _IDS, partial(recent_list, races), ids.RACE, shown_race)
