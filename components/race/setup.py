"""The left side of the race page: instance, lanes, budget, seed and Start, and commands to a running race."""

from typing import NamedTuple

from dash import ClientsideFunction, Dash, Input, NoUpdate, Output, State, html, no_update

from components.algorithm import ids as item_ids
from components.algorithm import setup
from components.algorithm.devices import known_devices
from components.algorithm.setup import SECONDS
from components.instances import picker
from components.instances.references import menu_value, parse_reference
from components.race import ids as race_ids_module
from components.race import lanes as race_lanes_module
from components.shell import ids
from components.shell.address import join_query
from components.shell.callbacks import find_stored_id, inputs, on_click, states
from components.shell.controls import live_note, run_line
from components.shell.errors import REFUSALS, describe_form_error
from components.shell.export_row import ExportMenu
from components.shell.start_button import release
from components.shell.texts import race as text
from components.types import Json, JsonObject
from runs.language import per_language
from runs.races.service import Race, RaceService
from runs.races.spec import RaceSpec
from runs.visitors import current_visitor
from solvers.spec import VERSION

DEFAULT_INSTANCE, DEFAULT_SECONDS = "kroA200", 5.0
EXPORTS = ExportMenu(
    text,
    {
        "picture": (ids.SAVE_PNG, ids.SAVE_SVG),
        "animation": (ids.SAVE_GIF, ids.SAVE_VIDEO),
        "data": (ids.SAVE_CSV,),
        "share": ("save-file",),
    },
    race_ids_module.RACE,
)
_COMMANDS = (ids.PAUSE, ids.RESUME, ids.CANCEL)
_LABELS = per_language(lambda: {"seed": text("setup.seed"), "seconds": SECONDS().label, "lanes": text("lanes.label")})


class LaunchResult(NamedTuple):
    """Outputs of Start."""

    race: JsonObject | NoUpdate = no_update
    search: str | NoUpdate = no_update
    note: str = ""


def panel(status: JsonObject) -> html.Section:
    """Return the card of the setup."""
    settings = [
        picker.panel(DEFAULT_INSTANCE, text("setup.files")),
        race_lanes_module.panel(),
        *setup.limits(DEFAULT_SECONDS, text("setup.seed.of")),
        html.Div(explain_sharing(status), id=race_ids_module.FAIR, className="note"),
    ]
    note = live_note(ids.START_NOTE, style="refusal")
    return setup.panel(
        text("setup.label"), settings, [setup.commands(text, *_COMMANDS), note, run_line(), EXPORTS.panel()]
    )


def explain_sharing(status: Json) -> str:
    """Explain how the lanes share the machine."""
    gpu = (known_devices(status) or {}).get("cuda")
    return f"{text('setup.fair')} {text('setup.fair.gpu')}" if gpu and gpu["available"] else text("setup.fair")


def build_spec(instance: Json, lanes: Json, seconds: Json, seed: Json) -> RaceSpec:
    """Return the race of the form's values.

    Raises
    ------
    InvalidParams, InvalidInstance, DeviceUnavailable
        If a value is invalid.
    """
    budget = {} if seconds is None else {"seconds": seconds}
    return RaceSpec.from_json(
        {"v": VERSION, "instance": parse_reference(instance), "lanes": lanes, "seed": seed, "budget": budget}
    )


def race_to_store(race: Race, state: str, own: bool = True) -> JsonObject:
    """Return a race as in the page's store; `own` is whether the current visitor may pause and cancel it."""
    return {
        "race": race.id,
        "runs": list(race.runs),
        "lanes": race_lanes_module.describe_lanes(race.spec.to_json()["lanes"]),
        "state": state,
        "alone": race.machine_was_idle,
        "own": own,
        "instance": menu_value(race.spec.instance),
        "seconds": race.spec.budget.seconds,
        "seed": race.spec.seed,
    }


def make_address(race: Race) -> str:
    """Return a race's query for the address bar."""
    return join_query(race.spec.to_query(), f"id={race.id}")


def launch(races: RaceService, instance: Json, lanes: Json, seconds: Json, seed: Json) -> LaunchResult:
    """Start the race of the form's values (see `build_spec`), or return a sentence saying why not."""
    try:
        race = races.start(build_spec(instance, lanes, seconds, seed), current_visitor().id)
    except REFUSALS as refusal:
        return LaunchResult(note=describe_form_error(refusal, _LABELS()))
    return LaunchResult(race_to_store(race, "running"), make_address(race))


def send_command(races: RaceService, shown: Json, pressed: Json) -> tuple[JsonObject | NoUpdate, str]:
    """Send a button's command; return the store with the race's new state, and any error message."""
    refusal = setup.send_command(races, find_stored_id(shown, "race"), pressed)
    if refusal != "" or not isinstance(shown, dict):
        return no_update, refusal or ""
    return {**shown, "state": races.state(shown["race"])}, ""


def register(app: Dash, races: RaceService) -> None:
    """Connect the fields and the buttons."""

    app.callback(
        Output(race_ids_module.RACE, "data"),
        Output(ids.URL, "search"),
        Output(ids.START_NOTE, "children", allow_duplicate=True),
        Input(ids.START, "n_clicks"),
        State(ids.INSTANCE, "value"),
        State(race_ids_module.LANES, "data"),
        *states("value", ids.SECONDS, ids.SEED),
        running=[(Output(ids.START, "disabled"), True, False)],
    )(on_click(launch, races))

    release(app, (ids.INSTANCE, "value"), (item_ids.LIST, "children"))

    shown = Output(race_ids_module.RACE, "data", allow_duplicate=True)
    setup.register(app, races, race_ids_module.RACE, send_command, _COMMANDS, shown)

    @app.callback(Output(race_ids_module.FAIR, "children"), Input(ids.STATUS, "data"))
    def update_fair(status: Json) -> str:
        return explain_sharing(status)

    app.clientside_callback(
        ClientsideFunction("race", "show"),
        *inputs("data", race_ids_module.RACE, race_ids_module.VIEWS),
        Input(ids.INSTANCE, "value"),
        prevent_initial_call=False,
    )
