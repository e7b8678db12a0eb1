"""The menu of presets (parameters from papers), which shows the preset that matches the form."""

from collections.abc import Collection, Sequence

import dash_bootstrap_components as dbc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, html

from components.shell import ids
from components.shell.controls import dom_id, labelled_row
from components.shell.texts import common as text
from components.types import JsonObject
from runs.translation import translate
from solvers.core.solver import Preset, Solver

CUSTOM = "custom"
#: Parameters that presets leave alone: the device.
_VARIANT = "variant"


def list_presets(solver: Solver) -> list[Preset]:
    """Return this release's presets."""
    return [preset for preset in solver.presets if preset.listed]


def complete_params(solver: Solver, preset: Preset, unchanged: Collection[str] = ()) -> JsonObject:
    """Return all parameters that a preset sets: its own, and the defaults of all others not in `unchanged`."""
    values = {param.name: param.default for param in solver.params.schema()} | preset.params
    return {name: value for name, value in values.items() if name != _VARIANT and name not in unchanged}


def find_matching(
    solver: Solver, params: JsonObject, unchanged: Collection[str] = (), own: Sequence[Preset] = ()
) -> str:
    """Return the first preset equal to `params`, completed by defaults, or `CUSTOM`."""
    values = {param.name: params.get(param.name, param.default) for param in solver.params.schema()}
    for preset in (*list_presets(solver), *own):
        if all(values[name] == value for name, value in complete_params(solver, preset, unchanged).items()):
            return preset.name
    return CUSTOM


def field(
    solver: Solver, values: JsonObject, unchanged: Collection[str] = (), own: Sequence[Preset] = ()
) -> list[html.Div]:
    """Return the menu; empty without presets. Presets do not change parameters in `unchanged`.

    `own` are the presets of the current visitor, listed after those of papers.
    """
    if not list_presets(solver) and not own:
        return []
    control_id = ids.preset(solver.name, "menu")
    options = [
        {"value": preset.name, "label": translate(preset.title), "title": preset.source}
        for preset in list_presets(solver)
    ]
    options += [
        {"value": preset.name, "label": text("preset.own", name=preset.title), "title": preset.source} for preset in own
    ]
    menu = dbc.Select(
        id=control_id,
        options=[*options, {"value": CUSTOM, "label": text("preset.custom"), "title": text("preset.custom-title")}],
        value=find_matching(solver, values, unchanged, own),
    )
    params = {preset.name: complete_params(solver, preset, unchanged) for preset in (*list_presets(solver), *own)}
    preset = labelled_row(text("preset.label"), dom_id(control_id), menu, title=text("preset.title"))
    preset.children.append(dcc.Store(id=ids.preset(solver.name, "params"), data=params))
    return [preset]


def register(app: Dash) -> None:
    """Connect the menu and the parameters in both directions."""
    app.clientside_callback(
        ClientsideFunction("form", "usePreset"),
        Input(ids.preset(ALL, "menu"), "value"),
        State(ids.preset(ALL, "params"), "data"),
        State(ids.parameter(ALL), "value"),
        State(ids.parameter(ALL), "id"),
    )
    app.clientside_callback(
        ClientsideFunction("form", "namePreset"),
        Output(ids.preset(ALL, "menu"), "value"),
        Input(ids.parameter(ALL), "value"),
        State(ids.parameter(ALL), "id"),
        State(ids.preset(ALL, "params"), "data"),
    )
