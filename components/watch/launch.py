"""The setup of a run: its settings, Start, and commands to it."""

from typing import NamedTuple

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, html
from dash.development.base_component import Component

from components.algorithm import setup
from components.algorithm.devices import device_options, register_devices
from components.algorithm.setup import SECONDS
from components.algorithm.spec import build_spec
from components.shell import ids
from components.shell.address import join_query
from components.shell.callbacks import find_stored_id, inputs, states
from components.shell.controls import device_row, dom_id, labelled_row, live_note, number_input, run_line
from components.shell.errors import REFUSALS, describe_form_error
from components.shell.export_row import ExportMenu
from components.shell.facts import translate_word
from components.shell.start_button import release
from components.shell.texts import watch as text
from components.types import Json, JsonObject
from runs.service import RunService
from runs.translation import translate
from runs.visitors import current_visitor
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.spec import RunSpec

EXPORTS = ExportMenu(
    text,
    {
        "picture": (ids.SAVE_PNG, ids.SAVE_SVG, "save-pdf", "save-tikz", "save-plotter"),
        "animation": (ids.SAVE_GIF, ids.SAVE_VIDEO, "save-moments"),
        "data": ("save-tour", ids.SAVE_CSV, "save-json", "save-places"),
        "share": ("save-html", "save-run"),
    },
    ids.RUN,
    paper=True,
)
_DEFAULT_SECONDS = 10.0
_COMMANDS = (ids.PAUSE, ids.RESUME, ids.STEP, ids.CANCEL)


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
        *setup.limits(_DEFAULT_SECONDS, translate_word("run"), text("setup.seconds.none")),
        html.Div([device_row(options), live_note(ids.DEVICE_NOTE, reason)], className="field"),
        labelled_row(text("setup.threads"), ids.THREADS, threads, title=text("setup.threads.help")),
    ]


def panel(status: JsonObject, fields: list[Component]) -> html.Section:
    """Return the card of the setup, with the fields of instance and algorithm above its own."""
    launch_parts = [
        live_note(ids.NEEDS),
        setup.commands(text, *_COMMANDS),
        live_note(ids.START_NOTE, style="refusal"),
        run_line(html.Div(id="run-device", className="note")),
        EXPORTS.panel(),
    ]
    return setup.panel(text("setup.label"), [*fields, *settings(status)], launch_parts)


def make_address(spec: RunSpec, run: str | None = None) -> str:
    """Return a spec's query for the address bar, with its run if given; some specs have no query."""
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
    return setup.send_command(run_service, find_shown_run(shown), pressed) or ""


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
    release(app, (ids.ALGORITHM, "value"), (ids.FORM, "children"))
    app.clientside_callback(ClientsideFunction("form", "markWrong"), Input(ids.WRONG, "data"))
    app.clientside_callback(
        ClientsideFunction("form", "outdate"),
        Output(ids.START_NOTE, "children", allow_duplicate=True),
        *inputs("value", ids.INSTANCE, ids.ALGORITHM, ids.SEED, ids.SECONDS, ids.DEVICE, ids.THREADS),
    )

    setup.register(app, run_service, ids.RUN, send_command, _COMMANDS)
    register_devices(app)
