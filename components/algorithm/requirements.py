"""The memory that the form's run would need and what is available, shown before Start is pressed."""

from typing import Any, NamedTuple

import dash
from dash import ClientsideFunction, Input, Output, State

from components.algorithm.devices import known_devices, missing
from components.algorithm.variants import AUTO, memory_of, place_of, unavailable_reason
from components.instances.references import reference_of
from components.shell import ids
from components.shell.callbacks import in_thread
from components.shell.text import thinned
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
        solver, known = find(algorithm), run_service.instance(reference_of(instance))
    except (InvalidParams, InvalidInstance):
        return Note()
    if known_devices(status) is None:
        return Note()
    place = place_of(run_service, status, device, instance)
    chosen = [row for row in solver.variants if row.name == variant] or solver.variants
    fitting = [row for row in chosen if place.device in ("auto", row.device)]
    here = [row for row in fitting if not missing(solver, row.device, status)]
    rows = sorted(here, key=lambda row: row.device != "cuda")  # a GPU is used where there is one
    refusals = [unavailable_reason(solver, row, place) for row in rows]
    able = [row for row, refusal in zip(rows, refusals, strict=True) if not refusal]
    if able:
        return Note(thinned(solver.needs(known, able[0].device, memory_of(status, able[0]))))
    return Note(thinned(refusals[0]), f"{_STYLE} refusal") if rows else Note()


def register(app: dash.Dash, run_service) -> None:
    """Update the note with the form, with the devices, and with the runs that allocate or free memory."""
    app.clientside_callback(
        ClientsideFunction("tourscope", "chosenVariant"),
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
