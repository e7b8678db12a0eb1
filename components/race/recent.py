"""The menu of recent races in the header, with an area to drop a race file."""

from dash import html

from components.race import ids
from components.race import lanes as race_lanes_module
from components.race.setup import make_address
from components.shell import facts
from components.shell.recent_menu import Entry, RecentMenu
from components.shell.texts import common
from components.shell.texts import race as text
from runs.races.service import Race, RaceService
from runs.service import RunService
from runs.store.open_run import NoSuchRun


def _entry(races: RaceService, race: Race) -> Entry:
    lanes = race_lanes_module.describe_lanes(race.spec.to_json()["lanes"])
    seed = html.Span(common("run.seed", seed=str(race.spec.seed)), className="option-fact")
    state = text(f"recent.state.{races.state(race.id)}")
    lines = [
        html.Span([html.B(_instance(races.run_service, race)), seed], className="option"),
        html.Small(" · ".join(lane["title"] for lane in lanes)),
        html.Small(f"{facts.format_local_time(race.created)} · {state}"),
    ]
    return Entry(race.id, make_address(race), lines)


def _instance(run_service: RunService, race: Race) -> str:
    try:
        summary = run_service.summary(race.runs[0])
    except NoSuchRun:  # its file is damaged
        summary = None
    return summary["instance"]["name"] if summary else text("recent.unknown-instance")


MENU = RecentMenu("race", "races", ids.RACE, _entry, lambda races, race: make_address(races.find(race)))
