"""Shows before Start how much memory a run needs, how much there is, and how long it takes."""

import contextlib
from typing import NamedTuple

from dash import ALL, ClientsideFunction, Dash, Input, Output, State

from components.algorithm.devices import known_devices
from components.algorithm.spec import build_spec
from components.algorithm.variants import AUTO, make_machine
from components.instances.references import parse_reference
from components.shell import ids
from components.shell.callbacks import inputs
from components.shell.facts import format_city_count, localise, translate_unit
from components.shell.numbers import format_short, format_span
from components.shell.texts import common as text
from components.types import Json, JsonObject
from data.errors import InvalidInstance
from runs.bounded_pool import run_in_thread
from runs.service import RunService
from solvers import SOLVERS, find
from solvers.core.errors import DeviceUnavailable, InvalidParams
from solvers.core.params import Params
from solvers.core.solver import Solver
from solvers.plan import StagePlan, plan_stage
from solvers.spec import DEVICES

_STYLE = "note"
#: Acceptable wait in seconds for a first row, in a run without a time budget.
_PATIENCE = 60.0
#: Maximum number of other algorithms to suggest.
_MAX_OTHERS = 2


class Note(NamedTuple):
    """A sentence, and its class for the style sheet."""

    sentence: str = ""
    style: str = _STYLE

    @property
    def is_refusal(self) -> bool:
        """Whether the sentence says that no variant can run."""
        return self.style.endswith("refusal")


def make_note(
    run_service: RunService,
    algorithm: Json,
    instance: Json,
    device: Json,
    status: Json,
    variant: Json = AUTO,
    values: Json = None,
    seconds: Json = None,
) -> Note:
    """Return the memory and duration of the form's run, or why no variant can run it.

    Each call measures the free memory. An unknown variant, as while another algorithm's form is loading, is ignored.

    Parameters
    ----------
    run_service : runs.service.RunService
    algorithm, instance, device, variant : str
        Values of the form.
    status : dict
        Result of `RunService.status`, as sent by the page.
    values : dict, optional
        Parameters of the form; missing or invalid values get their defaults.
    seconds : float, optional
        The time budget; None for no limit.
    """
    if known_devices(status) is None:
        return Note()
    try:
        solver, loaded = find(algorithm), run_service.instance(parse_reference(instance))
        params = _parse_params(solver, {**(values if isinstance(values, dict) else {}), "variant": variant})
        place = device if device in DEVICES else AUTO
        stage = plan_stage(solver, params, place, loaded, make_machine(status))
    except (InvalidParams, InvalidInstance, DeviceUnavailable):
        return Note()
    if stage.refusal:
        return Note(localise(str(stage.refusal)), style=f"{_STYLE} refusal")
    if needs := stage.needs():
        return Note(localise(needs))
    sentence = warn_if_slow(stage, seconds)
    return Note(sentence, style=f"{_STYLE} slow") if sentence else Note()


def anticipate(run_service: RunService, algorithm: Json, instance: Json, device: Json, values: JsonObject) -> None:
    """Prepare a worker for the form's run if it uses a GPU; ignore an incomplete form."""
    with contextlib.suppress(InvalidParams, InvalidInstance):
        run_service.anticipate(build_spec(instance, algorithm, values, 1, None, device))


def warn_if_slow(stage: StagePlan, seconds: Json) -> str:
    """Return a warning that names faster algorithms if a CPU run's first row comes late; otherwise empty."""
    limit = seconds if isinstance(seconds, int | float) and seconds > 0 else None
    patience = _PATIENCE if limit is None else limit
    expected = stage.first_row_seconds()
    if expected <= patience:
        return ""
    others = [localise(solver.title) for solver in find_faster(stage, patience) if solver.name != stage.solver.name][
        :_MAX_OTHERS
    ]
    values = {
        "cities": format_city_count(stage.instance.n), "unit": translate_unit(stage.solver.iteration_unit),
        "time": approximate_time(expected),
    }  # fmt: skip
    sentence = (
        text("needs.slow", **values)
        if limit is None
        else text("needs.slow.budget", budget=approximate_time(limit), **values)
    )
    if not others:
        return text("needs.instead.none", said=sentence)
    instead = others[0] if len(others) == 1 else text("needs.either", first=others[0], second=others[1])
    return text("needs.instead", said=sentence, others=instead)


def find_faster(stage: StagePlan, seconds: float) -> list[Solver]:
    """Return the listed algorithms whose defaults give a first row within this many seconds on a CPU.

    Algorithms without an estimate (`Solver.first_row_seconds`) are left out.
    """
    solvers = []
    for solver in SOLVERS:
        if solver.listed and any(variant.device == "cpu" for variant in solver.variants):
            other = plan_stage(solver, solver.params(), "cpu", stage.instance, stage.machine)
            if not other.refusal and 0 < other.first_row_seconds() <= seconds:
                solvers.append(solver)
    return solvers


def approximate_time(seconds: float) -> str:
    """Format an approximate time, such as 15 s, 73 min or 5.6 days."""
    rough = float(f"{seconds:.2g}")
    if rough < 120:
        return text("needs.seconds", seconds=format_short(rough))
    return text("needs.minutes", minutes=round(seconds / 60)) if seconds < 7200 else format_span(rough)


def _parse_params(solver: Solver, values: JsonObject) -> Params:
    """Return a form's parameters, or the defaults if they are invalid."""
    names = {param.name for param in solver.params.schema()}
    own_values = {name: value for name, value in values.items() if name in names}
    if own_values.get("variant") not in [variant.name for variant in solver.variants]:
        own_values.pop("variant", None)
    try:
        return solver.params.from_mapping(own_values)
    except InvalidParams:
        return solver.params.from_mapping({})


def register(app: Dash, run_service: RunService) -> None:
    """Update the note when the form, the devices or the runs that use memory change."""
    app.clientside_callback(
        ClientsideFunction("form", "weigh"),
        Input(ids.parameter(ALL), "value"),
        State(ids.parameter(ALL), "id"),
        prevent_initial_call=False,
    )

    @app.callback(
        Output(ids.NEEDS, "children"),
        Output(ids.NEEDS, "className"),
        *inputs("value", ids.ALGORITHM, ids.INSTANCE, ids.DEVICE),
        *inputs("data", ids.STATUS, ids.WEIGHED),
        Input(ids.SECONDS, "value"),
        prevent_initial_call=False,
    )
    async def update(algorithm: Json, instance: Json, device: Json, status: Json, weighed: Json, seconds: Json) -> Note:
        values = weighed if isinstance(weighed, dict) else {}
        form = algorithm, instance, device, status, values.get("variant") or AUTO, values, seconds
        sentence = await run_in_thread(make_note, run_service, *form)
        if not sentence.is_refusal:
            await run_in_thread(anticipate, run_service, algorithm, instance, device, values)
        return sentence
