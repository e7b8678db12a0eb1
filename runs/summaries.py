"""A run in a few values: for the menu of recent runs, for ``GET runs/{id}``, for ``result.json``."""

from typing import Any

from runs.frames import Frame, decode, instance_of
from runs.runreader import RunReader
from solvers import find, report
from solvers.errors import InvalidParams
from solvers.events import Finished
from solvers.spec import RunSpec

Summary = dict[str, Any]


def summarise(reader: RunReader) -> Summary:
    """What there is to say about a run.

    Returns
    -------
    dict
        ``id``, ``spec`` (a parameter that is a tour is emptied), ``state``, ``reason``, ``created``, ``instance``
        ({name, n, optimum, proven}), ``algorithm`` and ``title`` (of the last stage, whose climbers the run has),
        ``recorded`` (climbs), ``length`` and ``gap_percent`` (None while unknown).
    """
    meta = reader.meta()
    instance = decode(reader.instance()).values
    algorithm = meta.spec["stages"][-1]["algorithm"]
    best = best_tour(reader)
    length = best.values["length"] if best else None
    return {
        "id": meta.id,
        "spec": {**meta.spec, "stages": [_without_tours(stage) for stage in meta.spec["stages"]]},
        "state": meta.state,
        "reason": meta.reason,
        "created": meta.created,
        "instance": {name: instance[name] for name in ("name", "n", "optimum", "proven")},
        "algorithm": algorithm,
        "title": _title(algorithm),
        "recorded": reader.recorded(),
        "length": length,
        "gap_percent": None if length is None else report.gap_percent(length, instance["optimum"]),
    }


def recent_row(summary: Summary) -> dict[str, Any]:
    """One row of the menu of recent runs."""
    kept = ("id", "created", "algorithm", "title", "state", "length", "gap_percent")
    row = {name: summary[name] for name in kept}
    return {**row, "instance": summary["instance"]["name"], "n": summary["instance"]["n"]}


def best_tour(reader: RunReader) -> Frame | None:
    """The ``finished`` frame, or else the shortest ``tour`` frame: both have ``order`` and ``length``."""
    finished = reader.last("finished")
    if finished:
        return decode(finished)
    return min(map(decode, reader.each("tour")), key=lambda tour: tour.values["length"], default=None)


def result(reader: RunReader) -> dict[str, Any]:
    """The run's result as JSON, as the command line gives it; of a run without an end what is known of it."""
    summary = summarise(reader)
    spec = RunSpec.from_json(reader.meta().spec)
    stage, raw = spec.stages[-1], reader.last("finished")
    if raw is None:
        known = {name: summary[name] for name in ("algorithm", "length", "gap_percent")}
        instance = {"instance": summary["instance"]["name"], "n": summary["instance"]["n"]}
        return {**instance, **known, "params": stage.params, "seed": spec.seed, "stop_reason": summary["state"]}
    end = decode(raw)
    values: dict[str, Any] = {name: value for name, value in end.values.items() if name != "at"} | end.arrays
    params = find(stage.algorithm).params.from_mapping(stage.params)
    return report.result(spec, instance_of(decode(reader.instance())), params, Finished(**values))


def has_climber(reader: RunReader, climber: int) -> bool:
    """Whether the run has finished this climber, by the table of its rows."""
    raw = reader.last("rows")
    return raw is not None and 0 <= climber <= int(decode(raw).arrays["climber"].max(initial=-1))


def _without_tours(stage: dict[str, Any]) -> dict[str, Any]:
    """A stage for the summary, of which many are kept in memory: a tour is some megabytes of numbers."""
    params = {name: [] if isinstance(value, list) else value for name, value in stage["params"].items()}
    return {**stage, "params": params}


def _title(algorithm: str) -> str:
    try:
        return find(algorithm).title
    except InvalidParams:
        return algorithm
