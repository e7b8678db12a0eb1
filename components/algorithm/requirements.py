"""Shows what the form's run needs, what is available and how long it takes, before Start is pressed."""

import asyncio
import contextlib
from typing import Any, NamedTuple

import dash
from dash import ClientsideFunction, Input, Output, State

from components.algorithm.devices import known_devices, missing
from components.algorithm.spec import spec_of
from components.algorithm.variants import AUTO, divided, memory_of, place_of, unavailable_reason
from components.instances.references import menu_value, reference_of
from components.shell import ids
from components.shell.facts import cities, told, unit
from components.shell.numbers import short, span
from components.shell.texts import common as text
from data.errors import InvalidInstance
from data.instance import Instance
from solvers import find
from solvers.devices import cpu_threads
from solvers.errors import DeviceUnavailable, InvalidParams
from solvers.params import Params
from solvers.preflight import quicker
from solvers.refusal import refusal
from solvers.run import prepare
from solvers.solver import Solver, Variant
from solvers.spec import RunSpec

_STYLE = "note"
#: Seconds that nobody minds waiting for a first row, where the run has no time budget.
_PATIENCE = 60.0
#: Other algorithms that are named.
_MOST_OTHERS = 2


class Note(NamedTuple):
    """A sentence, and its class for the style sheet."""

    sentence: str = ""
    style: str = _STYLE

    @property
    def is_refusal(self) -> bool:
        """Whether no variant can run."""
        return self.style.endswith("refusal")


def note(
    run_service,
    algorithm: Any,
    instance: Any,
    device: Any,
    status: Any,
    variant: Any = AUTO,
    given: Any = None,
    seconds: Any = None,
) -> Note:
    """The needs and the duration of a run of the variant that would be used, or why no variant can run.

    Free memory is read now; a variant that the algorithm does not have, as while its form is loading, is ignored.

    Parameters
    ----------
    run_service : runs.service.RunService
    algorithm, instance, device, variant : str
        The form's values.
    status : dict
        What `RunService.status` returns, as the page has it.
    given : dict, optional
        Parameters of the form; what is missing or invalid has its default.
    seconds : float, optional
        The time budget; None for no limit.
    """
    try:
        solver, loaded = find(algorithm), run_service.instance(reference_of(instance))
    except (InvalidParams, InvalidInstance):
        return Note()
    if known_devices(status) is None:
        return Note()
    params = _params(solver, given)
    place = place_of(run_service, status, device, instance)
    chosen = [each for each in solver.variants if each.name == variant] or solver.variants
    fitting = [each for each in chosen if place.device in ("auto", each.device)]
    available = [each for each in fitting if not missing(solver, each.device, status)]
    candidates = sorted(available, key=lambda each: each.device != "cuda")  # a GPU is used where there is one
    gpus = getattr(params, "gpus", "one")
    refusals = [
        unavailable_reason(solver, each, place, gpus) or solver.refusal(loaded, params, each.device)
        for each in candidates
    ]
    runnable = [each for each, refusal in zip(candidates, refusals, strict=True) if not refusal]
    if not runnable:
        return Note(told(refusals[0]), style=f"{_STYLE} refusal") if candidates else Note()
    needs = told(_needs(solver, runnable[0], loaded, gpus, status))
    if needs or runnable[0].device != "cpu":  # nobody knows how fast another GPU is
        return Note(needs)
    threads = 1 if runnable[0].name == "sequential" else cpu_threads()
    sentence = slow(solver, loaded, params, seconds, threads)
    return Note(sentence, style=f"{_STYLE} slow") if sentence else Note()


def _needs(solver: Solver, variant: Variant, instance: Instance, gpus: str, status: Any) -> str:
    """The needs of a run by a variant, for each GPU if all of them share its tables."""
    if memories := divided(status, variant, gpus):
        return variant.needed_of_each(instance, memories)
    return solver.needs(instance, variant.device, memory_of(status, variant))


def why_not(run_service, spec: RunSpec) -> str:
    """Why the run of a spec cannot start here, in one sentence; empty if it can, as far as that is known."""
    with contextlib.suppress(InvalidParams, InvalidInstance, DeviceUnavailable):
        instance = run_service.instance(spec.instance)
        if why := refusal(spec, prepare(spec).stages, instance):  # any stage, not only the form's
            return why
    stage = spec.stages[-1]
    given = dict(stage.params)
    form = stage.algorithm, menu_value(spec.instance), spec.device, run_service.status()
    said = note(run_service, *form, given.get("variant", AUTO), given)
    return said.sentence if said.is_refusal else ""


def anticipate(run_service, algorithm: Any, instance: Any, device: Any, given: dict[str, Any]) -> None:
    """Have a worker prepared for the form's run, if a GPU would run it; a form that is not filled in is ignored."""
    with contextlib.suppress(InvalidParams, InvalidInstance):
        run_service.anticipate(spec_of(instance, algorithm, given, 1, None, device))


def slow(solver: Solver, instance: Instance, params: Params, seconds: Any, threads: int) -> str:
    """A sentence about a run on a CPU whose first row would come late, and what to choose instead; else empty."""
    limit = seconds if isinstance(seconds, int | float) and seconds > 0 else None
    patience = _PATIENCE if limit is None else limit
    expected = solver.first_row_seconds(instance.n, params, threads)
    if expected <= patience:
        return ""
    others = [told(each.title) for each in quicker(instance, patience, threads) if each.name != solver.name][
        :_MOST_OTHERS
    ]
    values = {"cities": cities(instance.n), "unit": unit(solver.iteration_unit), "time": about(expected)}
    said = text("needs.slow", **values) if limit is None else text("needs.slow.budget", budget=about(limit), **values)
    if not others:
        return text("needs.instead.none", said=said)
    instead = others[0] if len(others) == 1 else text("needs.either", first=others[0], second=others[1])
    return text("needs.instead", said=said, others=instead)


def about(seconds: float) -> str:
    """A rough time: 15 s, 73 min, 5.6 days."""
    rough = float(f"{seconds:.2g}")
    if rough < 120:
        return text("needs.seconds", seconds=short(rough))
    return text("needs.minutes", minutes=round(seconds / 60)) if seconds < 7200 else span(rough)


def _params(solver: Solver, given: Any) -> Params:
    """The parameters of a form as far as they are valid; the defaults if they are not."""
    names = {param.name for param in solver.params.schema()}
    known = {name: value for name, value in given.items() if name in names} if isinstance(given, dict) else {}
    try:
        return solver.params.from_mapping(known)
    except InvalidParams:
        return solver.params.from_mapping({})


def register(app: dash.Dash, run_service) -> None:
    """Update the note with the form, with the devices, and with the runs that allocate or free memory."""
    app.clientside_callback(
        ClientsideFunction("form", "weigh"),
        Input(ids.parameter(dash.ALL), "value"),
        State(ids.parameter(dash.ALL), "id"),
        prevent_initial_call=False,
    )

    @app.callback(
        Output(ids.NEEDS, "children"),
        Output(ids.NEEDS, "className"),
        Input(ids.ALGORITHM, "value"),
        Input(ids.INSTANCE, "value"),
        Input(ids.DEVICE, "value"),
        Input(ids.STATUS, "data"),
        Input(ids.WEIGHED, "data"),
        Input(ids.SECONDS, "value"),
        prevent_initial_call=False,
    )
    async def tell(algorithm, instance, device, status, weighed, seconds):
        given = weighed if isinstance(weighed, dict) else {}
        form = algorithm, instance, device, status, given.get("variant") or AUTO, given, seconds
        told = await asyncio.to_thread(note, run_service, *form)
        if not told.is_refusal:
            await asyncio.to_thread(anticipate, run_service, algorithm, instance, device, given)
        return told
