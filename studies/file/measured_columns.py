"""Turns a study file's measurements into columns; earlier releases recorded only some."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers import find
from solvers.algorithms.two_opt.variant import TwoOptVariant
from studies.spec.spec import Entry, StudySpec
from studies.stats.measured import RunMeasurements


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
