"""The address bar: its query fills the form, and opens the run that it names."""

from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import dash
from dash import Input, Output, State, no_update

from components.instances.picker import options_for
from components.instances.references import menu_value
from components.shell import ids
from components.shell.callbacks import in_thread
from components.shell.controls import slider_position
from components.shell.errors import REFUSALS
from components.shell.start import keep_disabled
from components.watch.launch import SECONDS, shown_run
from solvers import find
from solvers.spec import RunSpec


class Filled(NamedTuple):
    """What an address changes; an empty address changes nothing."""

    options: Any = no_update
    instance: Any = no_update
    algorithm: Any = no_update
    permalink: Any = no_update
    seed: Any = no_update
    seconds: Any = no_update
    seconds_slider: Any = no_update
    device: Any = no_update
    run: Any = no_update
    note: Any = no_update


def read(run_service, search: Any, shown: Any, options: list[dict[str, Any]]) -> Filled:
    """What the page shows for an address.

    Parameters
    ----------
    run_service : runs.service.RunService
    search : str
        The address's query, with its question mark.
    shown : dict or None
        The run that the page shows already: an address that names it changes nothing.
    options : list of dict
        Options of the instance menu.
    """
    if not isinstance(search, str) or len(search) < 2:
        return Filled()
    run = run_of(search)
    if run and shown_run(shown) == run:
        return Filled()
    try:
        summary = run_service.summary(run) if run else None
        spec = spec_of(summary) if summary else RunSpec.from_query(search)
        filled = fill(run_service, spec, options)
    except (*REFUSALS, ValueError) as refusal:
        return Filled(note=f"This link cannot be used: {refusal}")
    if summary:
        return filled._replace(run={"run": run})
    if filled.algorithm is no_update:
        return Filled(note="This link cannot be used: it does not contain its tour.")
    note = "The run of this link is not on this server; press Start to run it again." if run else leftovers(spec)
    return filled._replace(note=note)


def run_of(search: str) -> str | None:
    """The id of the run that an address names, if any; `RunSpec.from_query` checks the rest of the address."""
    try:
        return dict(parse_qsl(search[1:], max_num_fields=64)).get("run")
    except ValueError:
        return None


def spec_of(summary: dict[str, Any]) -> RunSpec:
    """The spec of a run that the run service knows."""
    spec = summary["spec"]
    return spec if isinstance(spec, RunSpec) else RunSpec.from_json(spec)


def fill(run_service, spec: RunSpec, options: list[dict[str, Any]]) -> Filled:
    """The form's values for a spec, with the first algorithm that the menu has.

    Raises
    ------
    InvalidParams, InvalidInstance
        If the spec names what does not exist, or a parameter is out of range.
    """
    for stage in spec.stages:
        find(stage.algorithm).params.from_mapping(stage.params)
    shown = next((stage for stage in spec.stages if find(stage.algorithm).listed), None)
    more = options_for(options, spec.instance, run_service.instance(spec.instance))
    chosen = Filled(options=more, instance=menu_value(spec.instance), note="")
    if shown is None:  # an uploaded tour: the form stays as it is
        return chosen
    return chosen._replace(
        algorithm=shown.algorithm,
        permalink={"algorithm": shown.algorithm, "params": shown.params},
        seed=spec.seed,
        seconds=spec.budget.seconds,
        seconds_slider=slider_position(SECONDS, spec.budget.seconds),
        device=spec.device,
    )


def leftovers(spec: RunSpec) -> str:
    """One sentence on the settings of a spec that the form cannot show."""
    limits = [name.replace("_", " ") for name in spec.to_json()["budget"] if name != "seconds"]
    left = [f"the limit of {name}" for name in limits]
    if len(spec.stages) > 1:
        left.append("every algorithm but the first")
    return f"This page leaves out {' and '.join(left)} of the link." if left else ""


def register(app: dash.Dash, run_service) -> None:
    """Connect the address bar."""

    app.callback(
        Output(ids.INSTANCE, "options"),
        Output(ids.INSTANCE, "value"),
        Output(ids.ALGORITHM, "value"),
        Output(ids.PERMALINK, "data"),
        Output(ids.SEED, "value"),
        Output(ids.SECONDS, "value"),
        Output(ids.SECONDS_SLIDER, "value"),
        Output(ids.DEVICE, "value"),
        Output(ids.RUN, "data"),
        Output(ids.START_NOTE, "children"),
        Input(ids.URL, "search"),
        State(ids.RUN, "data"),
        State(ids.INSTANCE, "options"),
        running=keep_disabled(ids.START),
        prevent_initial_call=False,
    )(in_thread(read, run_service))
