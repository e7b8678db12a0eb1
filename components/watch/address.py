"""The address bar: fills the form, and opens the run in the query."""

from urllib.parse import parse_qsl, urlencode

from dash import Output

from components.algorithm.setup import OUTPUTS, SECONDS, fill_instance, fill_limits
from components.instances import DEFAULT
from components.shell import ids
from components.shell.address import AddressBar, Filled
from components.shell.texts import watch as text
from components.types import Json, JsonObject
from data.suggest import describe_unknown
from runs.service import RunService
from runs.store.summary import Summary
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.spec import RESERVED, RunSpec
from solvers.user_files.absent import AbsentSolver


def open_run(run_service: RunService, query: dict[str, str], options: Json) -> Filled | None:
    """Open an address's run with its form; None if this server lacks it."""
    run = query["run"]
    summary = run_service.summary(run)
    if summary is None:
        return None
    spec = read_spec(summary)
    try:
        form = fill(run_service, spec, options)
    except InvalidParams as refusal:  # a user's solver has changed since the run; the run can still be shown
        form = fill_instance(spec.instance, run_service.instance(spec.instance), options)
        form |= fill_settings(spec) | {"note": str(refusal)}
    absent = [solver for stage in spec.stages if isinstance(solver := find(stage.algorithm), AbsentSolver)]
    if absent:
        form |= fill_settings(spec) | {"note": absent[0].sentence()}
    return form | {"run": {"run": run}}


def fill_run(run_service: RunService, search: str, options: Json) -> Filled:
    """Fill the form with an address's run.

    Raises
    ------
    InvalidParams, InvalidInstance, DeviceUnavailable
    ValueError
        If the run only shows a tour, which an address cannot contain.
    """
    spec = RunSpec.from_query(complete_query(search))
    form = fill(run_service, spec, options)
    if "algorithm" not in form:
        raise ValueError(text("address.no-tour"))
    return form | {"note": describe_omissions(spec)}


def complete_query(search: str) -> str:
    """Complete the query of a short link, such as ``?instance=kroA200``, with the form's defaults.

    Raises
    ------
    InvalidParams
        If a short link has an unknown field.
    """
    query = dict(parse_qsl(search.lstrip("?"), max_num_fields=64))
    if "stages" in query or {"algorithm", "instance"} <= query.keys():
        return search
    if "seconds" in query:
        query.setdefault("budget.seconds", query.pop("seconds"))
    query = {"instance": DEFAULT, "algorithm": SOLVERS[0].name, **query}
    schema = find(query["algorithm"]).params.schema()
    params = {name for declared in schema for name in (declared.name, *declared.former)}
    for name, value in query.items():
        if name not in params and name not in RESERVED and not name.startswith("budget."):
            fields = ("instance", "algorithm", "seconds", "seed", "device", *(declared.name for declared in schema))
            raise InvalidParams(name, value, "left out", describe_unknown("field", name, fields))
    if not any(name.startswith("budget.") for name in query):
        query["budget.seconds"] = f"{SECONDS().default:g}"
    return urlencode(query)


def read_spec(summary: Summary) -> RunSpec:
    """Return the spec in a run's summary."""
    spec = summary["spec"]
    return spec if isinstance(spec, RunSpec) else RunSpec.from_json(spec)


def fill(run_service: RunService, spec: RunSpec, options: Json) -> Filled:
    """Return the form's values for a spec, with its first algorithm that the menu has.

    Raises
    ------
    InvalidParams, InvalidInstance
        If an algorithm or instance does not exist, or a parameter is out of range.
    """
    for stage in spec.stages:
        find(stage.algorithm).params.from_mapping(stage.params)
    listed_stage = next((stage for stage in spec.stages if find(stage.algorithm).listed), None)
    chosen = fill_instance(spec.instance, run_service.instance(spec.instance), options)
    if listed_stage is None:  # an uploaded tour leaves the form unchanged
        return chosen
    permalink: JsonObject = {"algorithm": listed_stage.algorithm, "params": listed_stage.params}
    return chosen | fill_settings(spec) | {"algorithm": listed_stage.algorithm, "permalink": permalink}


def fill_settings(spec: RunSpec) -> Filled:
    """Return the settings common to all runs: seed, time budget, device and threads."""
    limits = fill_limits(spec.seed, spec.budget.seconds)
    return limits | {"device": spec.device, "threads": spec.threads or None}


def describe_omissions(spec: RunSpec) -> str:
    """Describe the parts of a spec that the form cannot show, one sentence each."""
    limits = ", ".join(name.replace("_", " ") for name in spec.to_json()["budget"] if name != "seconds")
    sentences = [text("address.limits", limits=limits)] if limits else []
    if len(spec.stages) > 1:
        sentences.append(text("address.stages"))
    return " ".join(sentences)


_OUTPUTS = OUTPUTS | {
    "algorithm": Output(ids.ALGORITHM, "value"),
    "permalink": Output(ids.PERMALINK, "data"),
    "device": Output(ids.DEVICE, "value"),
    "threads": Output(ids.THREADS, "value"),
    "run": Output(ids.RUN, "data"),
}
BAR = AddressBar("run", ids.RUN, _OUTPUTS, lambda query: query.get("run") or None, open_run, fill_run)
