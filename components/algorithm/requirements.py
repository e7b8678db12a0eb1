"""The memory that the form's run would need and what is available, shown before Start is pressed."""

from typing import Any, NamedTuple

import dash
from dash import ClientsideFunction, Input, Output, State

from components.algorithm.devices import known_devices, missing
from components.algorithm.variants import AUTO, memory_of, place_of, unavailable_reason
from components.instances.references import reference_of
from components.shell import ids
from components.shell.callbacks import in_thread
from components.shell.facts import thinned
from data.errors import InvalidInstance
from solvers import find
from solvers.errors import InvalidParams

_STYLE = "note"


class Note(NamedTuple):
    """A sentence, and its class for the style sheet."""

    sentence: str = ""
    style: str = _STYLE


def note(run_service, algorithm: Any, instance: Any, device: Any, status: Any, variant: Any = AUTO) -> Note:
    """What a run of the variant that would be used needs, or why no variant can run.

    Free memory is read now; a variant that the algorithm does not have, as while its form is loading, is ignored.
    """
    try:
        solver, loaded = find(algorithm), run_service.instance(reference_of(instance))
    except (InvalidParams, InvalidInstance):
        return Note()
    if known_devices(status) is None:
        return Note()
    place = place_of(run_service, status, device, instance)
    chosen = [each for each in solver.variants if each.name == variant] or solver.variants
    fitting = [each for each in chosen if place.device in ("auto", each.device)]
    available = [each for each in fitting if not missing(solver, each.device, status)]
    candidates = sorted(available, key=lambda each: each.device != "cuda")  # a GPU is used where there is one
    refusals = [unavailable_reason(solver, each, place) for each in candidates]
    runnable = [each for each, refusal in zip(candidates, refusals, strict=True) if not refusal]
    if runnable:
        return Note(thinned(solver.needs(loaded, runnable[0].device, memory_of(status, runnable[0]))))
    return Note(thinned(refusals[0]), style=f"{_STYLE} refusal") if candidates else Note()


def register(app: dash.Dash, run_service) -> None:
    """Update the note with the form, with the devices, and with the runs that allocate or free memory."""
    app.clientside_callback(
        ClientsideFunction("form", "chosenVariant"),
        Output(ids.VARIANT, "data"),
        Input(ids.parameter(dash.ALL), "value"),
        State(ids.parameter(dash.ALL), "id"),
        State(ids.VARIANT, "data"),
        prevent_initial_call=False,
    )

    app.callback(
        Output(ids.NEEDS, "children"),
        Output(ids.NEEDS, "className"),
        Input(ids.ALGORITHM, "value"),
        Input(ids.INSTANCE, "value"),
        Input(ids.DEVICE, "value"),
        Input(ids.STATUS, "data"),
        Input(ids.VARIANT, "data"),
        prevent_initial_call=False,
    )(in_thread(note, run_service))
