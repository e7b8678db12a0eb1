"""Summaries of runs for the menu of recent runs, ``GET runs/{id}`` and ``result.json``."""

from typing import Any

from data.gaps import gap_percent
from runs.store.reader import RunReader
from solvers import SOLVERS, find
from solvers import result as solvers_result
from solvers.core.errors import InvalidParams
from solvers.core.events import Finished
from solvers.core.solver import Solver, is_exact
from solvers.spec import RunSpec
from solvers.user_files.absent import make_absent
from solvers.worker.frames import Frame, decode, decode_instance

Summary = dict[str, Any]
#: Upper bound on a length.
_INT64_LIMIT = 1 << 63


def summarise(reader: RunReader) -> Summary:
    """Summarise a run.

    Returns
    -------
    dict
        ``id``, ``spec`` (parameters that are tours are emptied), ``state``, ``reason``, ``created``, ``adopted``
        (whether the run was imported from a file), ``instance`` ({name, n, optimum, proven}), ``algorithm`` and
        ``title`` (of the last stage, whose climbers the run has), ``recorded`` (climbs), ``length`` and ``gap_percent``
        (None while unknown), ``proven`` (whether the run has proven that no tour is shorter).
    """
    meta = reader.meta()
    SOLVERS.tolerate(stage["algorithm"] for stage in meta.spec["stages"])
    instance = decode(reader.instance()).values
    algorithm = _find_algorithm(meta.spec)
    best = find_best_tour(reader)
    length = _read_length(best) if best else None
    return {
        "id": meta.id,
        "spec": {**meta.spec, "stages": [_remove_tours(stage) for stage in meta.spec["stages"]]},
        "state": meta.state,
        "reason": meta.reason,
        "adopted": meta.adopted,
        "created": meta.created,
        "instance": {name: instance[name] for name in ("name", "n", "optimum", "proven")},
        "algorithm": algorithm,
        "title": find_solver(algorithm).title,
        "recorded": reader.count_recorded_climbs(),
        "length": length,
        "gap_percent": None if length is None else _compute_gap(length, instance),
        "proven": has_proof(reader) and not _is_refuted(length, instance["optimum"]),
    }


def format_animation_title(summary: Summary, *notes: str) -> str:
    """Return the title of a run's animation: instance, algorithm, details and seed."""
    seed = RunSpec.from_json(summary["spec"]).seed
    return " \u00b7 ".join(
        (summary["instance"]["name"], find_solver(summary["algorithm"]).title, *notes, f"seed {seed}")
    )


def _compute_gap(length: int, instance: dict[str, Any]) -> float | None:
    """Return a tour's gap; None if no optimum is known or the tour uses missing edges."""
    if 0 < instance.get("missing_weight", 0) <= length:
        return None
    return gap_percent(length, instance["optimum"])


def make_recent_row(summary: Summary) -> dict[str, Any]:
    """Return a row of the menu of recent runs."""
    names = ("id", "created", "algorithm", "title", "state", "length", "gap_percent", "proven")
    row = {name: summary[name] for name in names}
    return {**row, "instance": summary["instance"]["name"], "n": summary["instance"]["n"]}


def find_best_tour(reader: RunReader) -> Frame | None:
    """Return the ``finished`` frame, or the shortest ``tour`` frame; both have ``order`` and ``length``."""
    finished = reader.last("finished")
    if finished:
        return decode(finished)
    return min(map(decode, reader.read_frames("tour")), key=lambda tour: tour.values["length"], default=None)


def has_proof(reader: RunReader) -> bool:
    """Return whether an exact solver has proven its tour optimal, by its last layer or tree event.

    Such events prove nothing in a run of another algorithm.
    """
    if not is_exact(find_solver(reader.meta().spec["stages"][-1]["algorithm"])):
        return False
    frames = (reader.last(kind) for kind in ("front", "tree"))
    return any(bool(decode(raw).values["proven"]) for raw in frames if raw is not None)


def build_result(reader: RunReader) -> dict[str, Any]:
    """Return the run's result as JSON, as on the command line; partial if the run has not ended."""
    summary = summarise(reader)
    spec = RunSpec.from_json(reader.meta().spec)
    stage, raw = spec.stages[-1], reader.last("finished")
    if raw is None:
        partial = {name: summary[name] for name in ("algorithm", "length", "gap_percent", "proven")}
        instance = {"instance": summary["instance"]["name"], "n": summary["instance"]["n"]}
        return {**instance, **partial, "params": stage.params, "seed": spec.seed, "stop_reason": summary["state"]}
    end = decode(raw)
    values: dict[str, Any] = {name: value for name, value in end.values.items() if name != "at"} | end.arrays
    params = find(stage.algorithm).params.from_mapping(stage.params)
    solved = decode_instance(decode(reader.instance()))
    return solvers_result.build_result(spec, solved, params, Finished(**values), summary["proven"])


def _find_algorithm(spec: dict[str, Any]) -> str:
    """Return the last stage's algorithm name.

    Raises
    ------
    ValueError
        If a stage has no algorithm.
    """
    names = [stage["algorithm"] for stage in spec["stages"]]
    if not all(isinstance(name, str) for name in names):
        raise ValueError("an algorithm has no name")
    return names[-1]


def _read_length(tour: Frame) -> int:
    """Return the length stored in a frame.

    Raises
    ------
    ValueError
        If the length is invalid.
    """
    length = tour.values.get("length")
    if not isinstance(length, int) or not -_INT64_LIMIT <= length < _INT64_LIMIT:
        raise ValueError("the length of a tour is invalid")
    return length


def has_climber(reader: RunReader, climber: int) -> bool:
    """Return whether the run has finished this climber, by its table of climbers."""
    raw = reader.last("rows")
    return raw is not None and 0 <= climber <= int(decode(raw).arrays["climber"].max(initial=-1))


def _remove_tours(stage: dict[str, Any]) -> dict[str, Any]:
    """Remove tours from a stage: each takes megabytes, and many summaries are held in memory."""
    params = {name: [] if isinstance(value, list) else value for name, value in stage["params"].items()}
    return {**stage, "params": params}


def _is_refuted(length: int | None, optimum: int | None) -> bool:
    """Return whether a tour cannot be optimal, whatever an imported file claims."""
    return length is None or (optimum is not None and optimum < length)


def find_solver(algorithm: str) -> Solver:
    """Return the solver of this name, or a substitute if this release lacks it."""
    try:
        return find(algorithm)
    except InvalidParams:
        return make_absent(algorithm)
