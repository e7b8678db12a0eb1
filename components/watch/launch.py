"""Seed, time budget and device; Start, and commands to a running run."""

import random
from typing import NamedTuple

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, ctx, html

from components.algorithm.devices import device_options, register_devices
from components.algorithm.spec import build_spec
from components.shell import ids
from components.shell.address import join_query
from components.shell.callbacks import find_stored_id, inputs, states
from components.shell.controls import (
    button,
    device_row,
    dom_id,
    labelled_row,
    live_note,
    number_input,
    ranged_field,
    run_line,
    seed_row,
)
from components.shell.errors import REFUSALS, describe_form_error, describe_refusal
from components.shell.facts import translate_word
from components.shell.start_button import release, start_button
from components.shell.texts import watch as text
from components.types import Json, JsonObject
from components.watch import exports
from runs.bounded_pool import CONTROLS
from runs.language import per_language
from runs.service import RunService
from runs.translation import translate
from runs.visitors import current_visitor
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.core.params import Param
from solvers.spec import RunSpec

DEFAULT_SEED, _DEFAULT_SECONDS = 1, 10.0
SECONDS = per_language(lambda: Param(
    name="seconds", kind="float", default=_DEFAULT_SECONDS, low=1.0, high=600.0, step=1.0, scale="log", choices=(),
    symbol="", label=text("setup.seconds"), help=text("setup.seconds.help"),
))  # fmt: skip
COMMANDS = {ids.PAUSE: "pause", ids.RESUME: "resume", ids.STEP: "step", ids.CANCEL: "cancel"}


class LaunchResult(NamedTuple):
    """The result of Start: a run with its address, or an error."""

    run: str | None = None
    search: str | None = None
    note: str = ""
    wrong: str | None = None  # id of the element whose value was refused


def settings(status: JsonObject) -> list[html.Div]:
    """Return the settings common to all algorithms."""
    options, reason = device_options(SOLVERS[0], status)
    threads = number_input(ids.THREADS, None, text("setup.threads.all"))
    return [
        ranged_field(
            SECONDS(),
            _DEFAULT_SECONDS,
            ids.SECONDS,
            ids.SECONDS_SLIDER,
            unit="s",
            placeholder=text("setup.seconds.none"),
        ),
        seed_row(ids.SEED, ids.SEED_DICE, DEFAULT_SEED, translate_word("run")),
        html.Div([device_row(options), live_note(ids.DEVICE_NOTE, reason)], className="field"),
        labelled_row(text("setup.threads"), ids.THREADS, threads, title=text("setup.threads.help")),
    ]


def controls() -> html.Div:
    """Return Start, the commands to a run, and its progress."""
    commands = [start_button(ids.START, text("setup.start"), "primary when-idle")]
    for button_id, name, picture, style in (
        (ids.PAUSE, "pause", "pause", "when-running"),
        (ids.RESUME, "resume", "play", "primary when-paused"),
        (ids.STEP, "step", "step", "when-paused"),
        (ids.CANCEL, "cancel", "stop", "danger when-active"),
    ):
        label, title = text(f"setup.{name}"), text(f"setup.{name}.title")
        commands.append(button(button_id, title, picture, text=label, style=style))
    return html.Div(
        [
            live_note(ids.NEEDS),
            html.Div(commands, className="commands"),
            live_note(ids.START_NOTE, style="refusal"),
            run_line(ids.RUN_STATE, ids.RUN_PROGRESS, html.Div(id=ids.RUN_DEVICE, className="note")),
            exports.panel(),
        ],
        className="launch",
    )


def make_address(spec: RunSpec, run: str | None = None) -> str:
    """Return a spec's query for the address bar, with its run if given; some specs have none."""
    return join_query(spec.to_query(), f"run={run}" if run else "")


def launch(run_service: RunService, instance: Json, algorithm: Json, params: JsonObject, *others: Json) -> LaunchResult:
    """Start the run of the form's values (see `components.algorithm.spec`), or return a sentence saying why not."""
    try:
        spec = build_spec(instance, algorithm, params, *others)
        run = run_service.start(spec, current_visitor().id)
    except REFUSALS as refusal:
        labels = form_labels(algorithm)
        return LaunchResult(note=describe_form_error(refusal, labels), wrong=find_wrong_field(refusal, labels))
    return LaunchResult(run, make_address(spec, run))


def form_labels(algorithm: Json) -> dict[str, str]:
    """Return the labels of the form's fields by parameter name."""
    try:
        labels = {param.name: translate(param.label) for param in find(algorithm).params.schema()}
    except InvalidParams:
        labels = {}
    own = {name: text(f"setup.{name}") for name in ("algorithm", "seed", "device", "threads")}
    return labels | own | {"seconds": SECONDS().label}


def find_wrong_field(refusal: Exception, labels: dict[str, str]) -> str | None:
    """Return the browser's id of the element whose value was refused."""
    if not isinstance(refusal, InvalidParams) or refusal.name not in labels:
        return None
    fixed = {
        "algorithm": ids.ALGORITHM,
        "seed": ids.SEED,
        "seconds": ids.SECONDS,
        "device": ids.DEVICE,
        "threads": ids.THREADS,
    }
    return fixed.get(refusal.name) or dom_id(ids.parameter(refusal.name))


def send_command(run_service: RunService, shown: Json, pressed: Json) -> str:
    """Send a button's command to the current run; return the error message, if any."""
    run = find_shown_run(shown)
    if run is None or not isinstance(pressed, str) or pressed not in COMMANDS:
        return ""
    try:
        run_service.command(run, COMMANDS[pressed])
    except REFUSALS as refusal:
        return describe_refusal(refusal)
    return ""


def find_shown_run(shown: Json) -> str | None:
    """Return the current run's id from its store, or None."""
    return find_stored_id(shown, "run")


def register(app: Dash, run_service: RunService) -> None:
    """Connect the buttons."""

    app.clientside_callback(
        ClientsideFunction("watch", "start"),
        Output(ids.RUN, "data", allow_duplicate=True),
        Output(ids.URL, "search"),
        Output(ids.START_NOTE, "children", allow_duplicate=True),
        Output(ids.WRONG, "data"),
        Input(ids.START, "n_clicks"),
        *states("value", ids.INSTANCE, ids.ALGORITHM),
        State(ids.parameter(ALL), "id"),
        *states("value", ids.parameter(ALL), ids.SEED, ids.SECONDS, ids.DEVICE, ids.THREADS),
    )
    release(app, ids.START, (ids.ALGORITHM, "value"), (ids.FORM, "children"))
    app.clientside_callback(ClientsideFunction("form", "markWrong"), Input(ids.WRONG, "data"))
    app.clientside_callback(
        ClientsideFunction("form", "outdate"),
        Output(ids.START_NOTE, "children", allow_duplicate=True),
        *inputs("value", ids.INSTANCE, ids.ALGORITHM, ids.SEED, ids.SECONDS, ids.DEVICE, ids.THREADS),
    )

    @app.callback(
        Output(ids.START_NOTE, "children", allow_duplicate=True),
        *(Input(button_id, "n_clicks") for button_id in COMMANDS),
        State(ids.RUN, "data"),
    )
    async def send(*arguments: Json) -> str:
        return await CONTROLS.run(send_command, run_service, arguments[-1], ctx.triggered_id)

    seed = Output(ids.SEED, "value", allow_duplicate=True)

    @app.callback(seed, Input(ids.SEED_DICE, "n_clicks"))
    def dice(_: Json) -> int:
        return random.randrange(1_000_000)

    register_devices(app)
