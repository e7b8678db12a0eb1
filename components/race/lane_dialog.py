"""The form of one lane, a dialog: its algorithm, parameters and device, and what makes the tour it begins with."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import dash
import dash_bootstrap_components as dbc
from dash import ALL, ClientsideFunction, Input, Output, State, ctx, dcc, html, no_update

from components.algorithm import form, start_tour
from components.algorithm.devices import device_options
from components.race import ids as race_ids_module
from components.race import lanes as race_lanes_module
from components.race.lanes import LaneJson
from components.shell import ids
from components.shell.callbacks import in_thread
from components.shell.controls import attributes, button, live_note
from components.shell.errors import REFUSALS, form_sentence
from components.watch.launch import device_choice, form_labels
from runs.races.spec import MOST
from solvers import SOLVERS, find
from solvers.run import prepare
from solvers.spec import RunSpec


class Opened(NamedTuple):
    """What the form shows of a lane."""

    edited: Any = no_update
    algorithm: Any = no_update
    permalink: Any = no_update
    device: Any = no_update
    title: Any = no_update
    note: str = ""


def dialog(status: dict[str, Any]) -> html.Dialog:
    """The form, closed."""
    options, reason = device_options(SOLVERS[0], status)
    device = dbc.RadioItems(id=ids.DEVICE, options=options, value="auto", inline=True, class_name="segments")
    close = button(race_ids_module.FORM_CLOSE, "Close without changes (Esc)", "close", style="quiet round")
    fields = [
        *form.panel(status, budgeted=True),
        html.Div(
            [html.Div([html.Span("Device", className="field-label"), device], className="field-row")], className="field"
        ),
        live_note(ids.DEVICE_NOTE, reason),
        start_tour.field(race_ids_module.FIRST, "An algorithm that runs before; the lane goes on from its best tour."),
    ]
    use = button(race_ids_module.USE, "Save this lane", "check", text="Save", style="primary")
    return html.Dialog(
        [
            html.Div([html.H2("Lane", id=race_ids_module.FORM_TITLE), close], className="sheet-head"),
            html.Div(fields, className="sheet-body"),
            html.Div([live_note(race_ids_module.FORM_NOTE, style="refusal"), use], className="sheet-foot"),
        ],
        id=race_ids_module.FORM,
        className="sheet lane-dialog",
        **attributes(aria_labelledby=race_ids_module.FORM_TITLE),
    )


def stores() -> list[dcc.Store]:
    """What the form keeps in the page."""
    return [dcc.Store(id=ids.PERMALINK), dcc.Store(id=ids.VARIANTS_HERE), dcc.Store(id=race_ids_module.EDITED)]


def opened(lanes: list[LaneJson], what: str, number: int, at: float) -> Opened:
    """The form for a lane that is to be changed, for a clone of it, or for a new one.

    Parameters
    ----------
    lanes : list of dict
    what : str
        ``edit``, ``clone`` or ``add``.
    number : int
        Of the lane; of a new one nothing.
    at : float
        The moment, which makes it another value when the same button is pressed again.
    """
    if what != "edit" and len(lanes) >= MOST:
        return Opened()
    lane = race_lanes_module.lane(SOLVERS[0].name) if what == "add" else lanes[number]
    *before, last = lane["stages"]
    place = {"edit": number, "clone": number + 1, "add": len(lanes)}[what]
    heading = {
        "edit": f"Lane {race_lanes_module.LETTERS[number]}",
        "clone": "Duplicate",
        "add": "One more lane",
    }
    return Opened(
        {"lane": place, "insert": what != "edit", "algorithm": last["algorithm"], "before": before, "at": at},
        last["algorithm"],
        {"algorithm": last["algorithm"], "params": last["params"], "at": at},
        lane["device"],
        heading[what],
    )


def lane_of(algorithm: Any, params: dict[str, Any], device: Any, before: Sequence[dict[str, Any]]) -> LaneJson:
    """The lane that the form's values make; `before`: the stages that run before, as JSON.

    Raises
    ------
    InvalidParams, DeviceUnavailable
        If a value is none that a lane can have.
    """
    given = {name: "" if value is None else value for name, value in params.items()}
    stages = [*before, {"algorithm": algorithm, "params": given}]
    spec = RunSpec.from_json({"v": 1, "instance": {}, "stages": stages, "device": device})
    prepare(spec)
    made = spec.to_json()
    return {"stages": [_short(stage) for stage in made["stages"]], "device": made["device"]}


def _short(stage: dict[str, Any]) -> dict[str, Any]:
    """A stage with the parameters alone that differ from their defaults."""
    defaults = {param.name: param.default for param in find(stage["algorithm"]).params.schema()}
    kept = {name: value for name, value in stage["params"].items() if value != defaults[name]}
    return {"algorithm": stage["algorithm"], "params": kept}


def changed(lanes: list[LaneJson], edited: Any, lane: LaneJson) -> list[LaneJson]:
    """The lanes with the one that was in the form; at the end if it is not known where it belongs."""
    asked = edited if isinstance(edited, dict) else {}
    at = asked["lane"] if asked.get("lane") in range(len(lanes)) else len(lanes)
    return [*lanes[:at], lane, *lanes[at if asked.get("insert") else at + 1 :]][:MOST]


def register(app: dash.Dash, run_service) -> None:
    """Connect the form with the lanes."""
    form.register_form(app, run_service, [(Output(race_ids_module.USE, "disabled"), True, False)], budgeted=True)

    @app.callback(
        Output(race_ids_module.EDITED, "data"),
        Output(ids.ALGORITHM, "value"),
        Output(ids.PERMALINK, "data"),
        Output(ids.DEVICE, "value"),
        Output(race_ids_module.FORM_TITLE, "children"),
        Output(race_ids_module.FORM_NOTE, "children", allow_duplicate=True),
        Input(race_ids_module.lane("edit", ALL), "n_clicks_timestamp"),
        Input(race_ids_module.lane("clone", ALL), "n_clicks_timestamp"),
        Input(race_ids_module.ADD, "n_clicks_timestamp"),
        State(race_ids_module.LANES, "data"),
    )
    def open_form(_edit, _clone, _add, lanes):
        at = ctx.triggered[0]["value"] or 0  # a button that was merely made has no time, or -1
        if not 0 < at < 2**53 or not race_lanes_module.known(lanes):
            return Opened()
        pressed = ctx.triggered_id
        if pressed == race_ids_module.ADD:
            return opened(lanes, "add", 0, at)
        number = race_lanes_module.number_of(pressed, lanes)
        return Opened() if number is None else opened(lanes, pressed["type"].removeprefix("lane-"), number, at)

    @app.callback(
        Output(race_ids_module.FIRST, "value"),
        Output(race_ids_module.FIRST, "options"),
        Input(ids.ALGORITHM, "value"),
        Input(race_ids_module.EDITED, "data"),
    )
    def begin(algorithm, edited):
        return start_tour.begun(algorithm, edited)

    app.clientside_callback(ClientsideFunction("race", "openForm"), Input(race_ids_module.EDITED, "data"))
    app.clientside_callback(ClientsideFunction("race", "closeForm"), Input(race_ids_module.FORM_CLOSE, "n_clicks"))

    @app.callback(
        Output(race_ids_module.LANES, "data", allow_duplicate=True),
        Output(race_ids_module.EDITED, "data", allow_duplicate=True),
        Output(race_ids_module.FORM_NOTE, "children"),
        Input(race_ids_module.USE, "n_clicks"),
        State(ids.ALGORITHM, "value"),
        State(ids.parameter(ALL), "id"),
        State(ids.parameter(ALL), "value"),
        State(ids.DEVICE, "value"),
        State(race_ids_module.FIRST, "value"),
        State(race_ids_module.LANES, "data"),
        State(race_ids_module.EDITED, "data"),
    )
    def use(_, algorithm, names, values, device, first, lanes, edited):
        params = {control["name"]: value for control, value in zip(names, values, strict=True)}
        try:
            lane = lane_of(algorithm, params, device, start_tour.stages(first, edited))
        except REFUSALS as refusal:
            return no_update, no_update, form_sentence(refusal, form_labels(algorithm))
        if not race_lanes_module.known(lanes):
            return no_update, no_update, "These lanes cannot race: reload the page."
        return changed(lanes, edited, lane), None, ""

    app.callback(
        Output(ids.DEVICE, "options"),
        Output(ids.DEVICE_NOTE, "children"),
        Input(ids.ALGORITHM, "value"),
        Input(ids.STATUS, "data"),
    )(in_thread(device_choice))
