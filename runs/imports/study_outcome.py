"""A run of an untrusted study, rebuilt from checked values; its tour is measured again."""

from typing import Any

import numpy as np
import orjson

from data.distances import tour_length
from data.instance import Instance
from runs.imports.lengths import max_tour_length
from solvers.core.events import Finished
from solvers.result import build_result
from solvers.run import Prepared
from solvers.spec import RunSpec
from studies.file.checks import parse_result, parse_tour, reduce_to_line
from studies.pool.run_log import ROW, WITHIN, decode_logs
from studies.stats.logs import AXES

#: Fields that a run's result has in addition to the fields of `solvers.result.build_result`.
_EXTRA = ("iterations", "seconds_to_best", "threads")
#: Fields of a result that are copied unchanged.
_COPIED = (
    *_EXTRA, "length", "evaluations", "seconds", "compile_seconds", "stop_reason", "device",
)  # fmt: skip
#: Fields of a run's measurements, checked by `studies.file.checks.parse_result`.
_MEASURED = ("variant", "joules", "memory", "no_energy")
#: Limits on the number of packages whose versions are stored, and on the length of a name or a version.
_MAX_VERSIONS, _MAX_VERSION_LENGTH = 32, 80
#: Upper bound on a run's seconds: a few centuries.
_MAX_SECONDS = 1e10


def rebuild_outcome(
    run: RunSpec, entry: Prepared, instance: Instance, row: tuple[Any, Any, Any]
) -> tuple[bytes, bytes, bytes]:
    """Rebuild a finished run's result, tour and log from the study file's values.

    Parameters
    ----------
    run : RunSpec
    entry : Prepared
        The solver and parameters of the run.
    instance : Instance
    row : tuple
        Result, tour and log as read from the untrusted file: any values.

    Raises
    ------
    ValueError, TypeError
        If the values are invalid or inconsistent.
    """
    fields, log = parse_result(row[0]), _read_log(row[2])
    order = parse_tour(row[1], instance.n)
    if tour_length(instance, order) != fields["length"]:
        raise ValueError("the length of a tour is not that of its run.")
    if log.size and (log["length"][-1] != fields["length"] or any(log[axis][-1] > fields[axis] for axis in AXES)):
        raise ValueError("the end of a log is not that of its run.")
    params = entry.stages[-1][1]
    if log.size and log["length"].max() > max_tour_length(instance):
        raise ValueError("a length in a log exceeds that of any tour.")
    copied = {name: fields[name] for name in _COPIED}
    end = Finished(order=order, **copied, versions=_check_versions(fields["versions"]))
    values = build_result(run, instance, params, end)
    extra = {name: fields[name] for name in _EXTRA} | _read_climbs(fields) | _read_measured(fields)
    return orjson.dumps({**values, **extra}), order.tobytes(), log.tobytes()


def _read_climbs(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a result's number of climbers near the optimum, if any; see `studies.pool.run_log.Climbs`."""
    if "climbs" not in fields:
        return {}
    within = fields["climbs"]["within"]
    if len(within) != len(WITHIN) or any(type(count) is not int for count in within):
        raise ValueError("the counts of climbers are invalid.")
    if sorted(within) != within or within[0] < 0 or within[-1] > fields["iterations"]:
        raise ValueError("the counts of climbers are out of range.")
    return {"climbs": {"variant": reduce_to_line(fields["climbs"]["variant"]), "within": within}}


def _read_measured(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a run's additional measurements, which earlier releases lack."""
    if "measured" not in fields:
        return {}
    return {"measured": {name: fields["measured"][name] for name in _MEASURED if name in fields["measured"]}}


def _read_log(blob: Any) -> np.ndarray:
    """Return a log's rows, (k,) `ROW`; lengths must not rise and times must not fall."""
    decode_logs([blob])
    return np.frombuffer(blob, ROW)


def _check_versions(versions: dict[str, Any]) -> dict[str, str]:
    texts = [*versions, *versions.values()]
    valid = all(isinstance(text, str) and len(text) <= _MAX_VERSION_LENGTH and text.isprintable() for text in texts)
    if not valid or len(versions) > _MAX_VERSIONS:
        raise ValueError("the versions of a run are invalid.")
    return versions


def check_number(value: Any, name: str) -> float:
    """Check that a value is a non-negative number of seconds; errors name the value.

    Raises
    ------
    ValueError
    """
    if not isinstance(value, int | float) or not 0 <= value <= _MAX_SECONDS:
        raise ValueError(f"{name} is invalid.")
    return float(value)
