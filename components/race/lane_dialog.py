"""The dialog for a lane: algorithm, parameters, device and start tour."""

from collections.abc import Sequence

from dash import Dash, Output, State, html

from components.algorithm import several
from components.algorithm.devices import device_options, register_devices
from components.algorithm.several import Dialog, FormState
from components.race import lanes as race_lanes_module
from components.race.lanes import SEVERAL
from components.shell import ids
from components.shell.controls import device_row, live_note
from components.shell.texts import race as text
from components.types import ItemJson, Json, JsonObject, Payload, StageJson
from components.watch.launch import form_labels
from runs.races.spec import MAX_LANES
from runs.service import RunService
from solvers import SOLVERS, find
from solvers.run import prepare
from solvers.spec import VERSION, RunSpec


def dialog(status: JsonObject) -> html.Dialog:
    """Return the closed dialog."""
    options, reason = device_options(SOLVERS[0], status)
    device = [html.Div([device_row(options)], className="field"), live_note(ids.DEVICE_NOTE, reason)]
    return several.dialog(SEVERAL, status, above=device)


def form_state(lanes: list[ItemJson], action: str, number: int, at: float) -> FormState:
    """Return the form's contents for an edited lane, a copy, or a new one; see `several.form_state`."""
    if action != "edit" and len(lanes) >= MAX_LANES:
        return FormState()
    new, letter = race_lanes_module.lane(SOLVERS[0].name), race_lanes_module.LETTERS[number]
    return several.form_state(SEVERAL, lanes, new, action, number, letter, at)


def build_lane(algorithm: Json, params: JsonObject, device: Json, before: Sequence[StageJson]) -> ItemJson:
    """Return the lane of the form's values; `before` has the preceding stages as JSON.

    Raises
    ------
    InvalidParams, DeviceUnavailable
        If a value is invalid.
    """
    fields = {name: "" if value is None else value for name, value in params.items()}
    stages: list[Payload] = [*before, {"algorithm": algorithm, "params": fields}]
    spec = RunSpec.from_json({"v": VERSION, "instance": {}, "stages": stages, "device": device})
    prepare(spec)
    value = spec.to_json()
    return {"stages": [_reduce_params(stage) for stage in value["stages"]], "device": value["device"]}


def _reduce_params(stage: StageJson) -> StageJson:
    """Reduce a stage to parameters that differ from their defaults."""
    defaults = {param.name: param.default for param in find(stage["algorithm"]).params.schema()}
    changed_params = {name: value for name, value in stage["params"].items() if value != defaults[name]}
    return {"algorithm": stage["algorithm"], "params": changed_params}


def apply_form(lanes: list[ItemJson], edited: Json, lane: ItemJson) -> list[ItemJson]:
    """Put the form's lane among the others; last if its position is unknown."""
    before, after = several.split_at(SEVERAL, lanes, edited)
    return [*before, lane, *after][:MAX_LANES]


def save(
    lanes: Json, edited: Json, algorithm: Json, params: JsonObject, before: Sequence[StageJson], device: Json
) -> list[ItemJson] | str:
    """Update the lanes with the form's values, as in `build_lane`."""
    lane = build_lane(algorithm, params, device, before)
    if not race_lanes_module.is_valid(lanes):
        return text("lanes.invalid")
    return apply_form(lanes, edited, lane)


def register(app: Dash, run_service: RunService) -> None:
    """Connect the form to the lanes."""
    fields, outputs = (State(ids.DEVICE, "value"),), (Output(ids.DEVICE, "value"),)
    several.register_dialog(app, SEVERAL, run_service, Dialog(form_state, save, form_labels, fields, outputs))
    register_devices(app)
