"""The left side of the race page: instance, lanes, budget, seed and Start, and commands to a running race."""

import random
from typing import NamedTuple

from dash import ClientsideFunction, Dash, Input, NoUpdate, Output, State, ctx, html, no_update

from components.algorithm.devices import known_devices
from components.instances import picker
from components.instances.references import menu_value, parse_reference
from components.race import exports
from components.race import ids as race_ids_module
from components.race import lanes as race_lanes_module
from components.shell import ids
from components.shell.address import join_query
from components.shell.callbacks import find_stored_id, inputs, on_click, states
from components.shell.controls import button, card, live_note, ranged_field, run_line, seed_row
from components.shell.errors import REFUSALS, describe_form_error, describe_refusal
from components.shell.start_button import release, start_button
from components.shell.texts import race as text
from components.types import Json, JsonObject
from components.watch.launch import SECONDS
from runs.bounded_pool import CONTROLS
from runs.language import per_language
from runs.races.service import Race, RaceService
from runs.races.spec import RaceSpec
from runs.visitors import current_visitor
from solvers.spec import VERSION

DEFAULT_INSTANCE, DEFAULT_SECONDS, DEFAULT_SEED = "kroA200", 5.0, 1
COMMANDS = {race_ids_module.PAUSE: "pause", race_ids_module.RESUME: "resume", race_ids_module.CANCEL: "cancel"}
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
        *_settings(),
        html.Div(explain_sharing(status), id=race_ids_module.FAIR, className="note"),
    ]
    return card("setup", text("setup.label"), html.Div(settings, className="settings"), _controls())


def _settings() -> list[html.Div]:
    return [
        ranged_field(SECONDS(), DEFAULT_SECONDS, race_ids_module.SECONDS, race_ids_module.SECONDS_SLIDER, unit="s"),
        seed_row(race_ids_module.SEED, race_ids_module.SEED_DICE, DEFAULT_SEED, text("setup.seed.of")),
    ]


def explain_sharing(status: Json) -> str:
    """Explain how the lanes share the machine."""
    gpu = (known_devices(status) or {}).get("cuda")
    return f"{text('setup.fair')} {text('setup.fair.gpu')}" if gpu and gpu["available"] else text("setup.fair")


def _controls() -> html.Div:
    commands = [start_button(race_ids_module.START, text("setup.start"), "primary when-idle")]
    for button_id, name, picture, style in (
        (race_ids_module.PAUSE, "pause", "pause", "when-running"),
        (race_ids_module.RESUME, "resume", "play", "primary when-paused"),
        (race_ids_module.CANCEL, "cancel", "stop", "danger when-active"),
    ):
        label, title = text(f"setup.{name}"), text(f"setup.{name}.help")
        commands.append(button(button_id, title, picture, text=label, style=style))
    parts = [
        html.Div(commands, className="commands"),
        live_note(race_ids_module.NOTE, style="refusal"),
        run_line(race_ids_module.STATE, race_ids_module.PROGRESS),
        exports.panel(),
    ]
    return html.Div(parts, className="launch")


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


def find_shown_race(race_id: Json) -> str | None:
    """Return the current race's id from its store, or None."""
    return find_stored_id(race_id, "race")


def send_command(races: RaceService, shown: Json, pressed: Json) -> tuple[JsonObject | NoUpdate, str]:
    """Send a button's command; return the store with the race's new state, and any error message."""
    race = find_shown_race(shown)
    if race is None or not isinstance(shown, dict) or not isinstance(pressed, str) or pressed not in COMMANDS:
        return no_update, ""
    try:
        races.command(race, COMMANDS[pressed])
    except REFUSALS as refusal:
        return no_update, describe_refusal(refusal)
    return {**shown, "state": races.state(race)}, ""


def register(app: Dash, races: RaceService) -> None:
    """Connect the fields and the buttons."""

    app.callback(
        Output(race_ids_module.RACE, "data"),
        Output(ids.URL, "search"),
        Output(race_ids_module.NOTE, "children"),
        Input(race_ids_module.START, "n_clicks"),
        State(ids.INSTANCE, "value"),
        State(race_ids_module.LANES, "data"),
        *states("value", race_ids_module.SECONDS, race_ids_module.SEED),
        running=[(Output(race_ids_module.START, "disabled"), True, False)],
    )(on_click(launch, races))

    release(app, race_ids_module.START, (ids.INSTANCE, "value"), (race_ids_module.LIST, "children"))

    @app.callback(
        Output(race_ids_module.RACE, "data", allow_duplicate=True),
        Output(race_ids_module.NOTE, "children", allow_duplicate=True),
        *(Input(button_id, "n_clicks") for button_id in COMMANDS),
        State(race_ids_module.RACE, "data"),
    )
    async def send(*arguments: Json) -> tuple[JsonObject | NoUpdate, str]:
        return await CONTROLS.run(send_command, races, arguments[-1], ctx.triggered_id)

    @app.callback(Output(race_ids_module.SEED, "value"), Input(race_ids_module.SEED_DICE, "n_clicks"))
    def dice(_: Json) -> int:
        return random.randrange(1_000_000)

    @app.callback(Output(race_ids_module.FAIR, "children"), Input(ids.STATUS, "data"))
    def update_fair(status: Json) -> str:
        return explain_sharing(status)

    app.clientside_callback(
        ClientsideFunction("race", "show"),
        *inputs("data", race_ids_module.RACE, race_ids_module.VIEWS),
        Input(ids.INSTANCE, "value"),
        prevent_initial_call=False,
    )
