"""Turns a study file's rows into table columns."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from solvers import find
from solvers.algorithms.two_opt.variant import TwoOptVariant
from studies.spec.matrix import are_random, list_units, prepare_entries
from studies.spec.plan import Plan
from studies.spec.spec import Entry, StudySpec
from studies.stats.measured import RunMeasurements
from studies.stats.table import Entries, Instances, Runs

#: The values of a result that become columns of the table of runs, with the columns' dtypes.
_DTYPES: dict[str, type] = {
    **dict.fromkeys(("length", "evaluations", "iterations"), np.int64),
    **dict.fromkeys(("seconds", "seconds_to_best"), np.float64),
    **dict.fromkeys(("stop_reason", "device"), np.str_),
}
#: Further values for columns; see `build_measured`.
_FIELDS = (*_DTYPES, "proven", "threads", "measured", "climbs")


def select_fields(result: dict[str, Any]) -> dict[str, Any]:
    """Select the values that columns need, a fifth of a result, since a study may have 100,000 runs."""
    return {name: result[name] for name in _FIELDS if name in result}


def build_runs(places: np.ndarray, results: Sequence[dict[str, Any]]) -> Runs:
    """Build the columns of the finished runs.

    Parameters
    ----------
    places : ndarray, shape (3, r), int64
        Instance, entry and seed of each run.
    results : sequence of dict
        See `studies.file.checks.parse_result`.
    """

    instance, entry, seed = places
    columns: dict[str, np.ndarray] = {
        name: np.array([result[name] for result in results], dtype) for name, dtype in _DTYPES.items()
    }
    return Runs(instance=instance, entry=entry, seed=seed, **columns)


def build_instances(
    names: tuple[str, ...], optima: Sequence[int | None], proven: Sequence[bool], runs: Runs, proofs: np.ndarray
) -> Instances:
    """Build the columns of the instances; a run's proven length becomes the optimum.

    Parameters
    ----------
    names, optima, proven : sequence
        Data on each instance known before the runs.
    runs : Runs
    proofs : ndarray, shape (r,), bool
        Runs that have proven their length optimal.
    """
    optimum, is_proven = np.array([length or 0 for length in optima], np.int64), np.array(proven, bool)
    newly = proofs & (runs.length > 0) & ~is_proven[runs.instance]
    optimum[runs.instance[newly]] = runs.length[newly]
    is_proven[runs.instance[newly]] = True
    return Instances(names, optimum, is_proven)


def build_entries(spec: StudySpec) -> Entries:
    """Build the columns of the entries from their algorithms' declarations."""
    entries = prepare_entries(spec)
    entry_units = list_units(entries)
    return Entries(
        tuple(entry.label for entry in spec.entries),
        tuple(unit["evaluations"] for unit in entry_units),
        tuple(unit["iterations"] for unit in entry_units),
        are_random(entries),
    )


def build_plan(spec: StudySpec, failed: Iterable[tuple[int, int, int]]) -> Plan:
    """Return the numbers of planned and failed runs; `failed` has instance, entry and count.

    Raises
    ------
    ValueError
        If the study has no such instance or entry.
    """
    shape = (len(spec.instances), len(spec.entries))
    counts = np.zeros(shape, np.int64)
    for instance, entry, count in failed:
        if not (0 <= instance < shape[0] and 0 <= entry < shape[1]):
            raise ValueError("A run is of an instance or an entry that the study does not have.")
        counts[instance, entry] = count
    return Plan(np.full(shape, spec.seeds.count), counts, spec.budget)


def build_measured(
    spec: StudySpec, cities: Sequence[int], places: np.ndarray, results: Sequence[dict[str, Any]]
) -> RunMeasurements:
    """Build the columns of finished runs.

    Parameters
    ----------
    spec : StudySpec
    cities : sequence of int
        Number of cities of each instance.
    places : ndarray, shape (3, r), int64
        Instance, entry and seed of each run.
    results : sequence of dict
        See `studies.file.checks.parse_result`.
    """
    measured = [result.get("measured", {}) for result in results]
    variants = [(entry, _find_variant(result)) for entry, result in zip(places[1].tolist(), results, strict=True)]
    move_bytes = {
        (entry, variant): _find_bytes_per_move(spec.entries[entry], variant) for entry, variant in set(variants)
    }
    return RunMeasurements(
        np.array(cities, np.int64)[places[0]],
        np.array([result["threads"] for result in results], np.int64),
        np.array([move_bytes[variant] for variant in variants], np.float64),
        _to_column(measured, "memory"),
        _to_column(measured, "joules"),
        tuple(dict.fromkeys(values["no_energy"] for values in measured if values.get("no_energy"))),
    )


def _to_column(measured: Sequence[dict[str, Any]], name: str) -> np.ndarray:
    return np.array([np.nan if values.get(name) is None else values[name] for values in measured], np.float64)


def _find_variant(result: dict[str, Any]) -> str:
    """Return a run's variant; earlier releases recorded it only with climbers."""
    climbs = result.get("climbs")
    earlier = climbs.get("variant", "") if isinstance(climbs, dict) else ""
    return str(result.get("measured", {}).get("variant") or earlier)


def _find_bytes_per_move(entry: Entry, name: str) -> float:
    """Return a 2-opt entry's bytes per move; NaN for other entries, and if distances are computed."""
    stage = entry.stages[0]
    if len(entry.stages) != 1:
        return np.nan
    for variant in find(stage.algorithm).variants:
        if variant.name == name and isinstance(variant, TwoOptVariant):
            return variant.resolve(str(stage.params.get("scan_rows", "one"))).move_bytes or np.nan
    return np.nan
