"""Sequential 2-opt, ants and annealing: figures 7 to 9 of Utne and Hansen (2023), section 7.3."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from data.collection.resolve import load
from papers.recipes.plan import Plan
from papers.results import MeasuredTable
from papers.runs import INSTANCE, make_spec
from solvers.core.events import Progress, Rows
from solvers.run import prepare, run

#: The paper gives the lengths of ants and annealing after every tenth iteration.
_INTERVAL = 10


#: A column besides figure 8's: the same ants without a minimum weight.
_OTHER = {"ant-system": ("best length, no minimum weight", {"least_weight": 0.0})}


def measure_convergence(plan: Plan, algorithm: str) -> MeasuredTable:
    """Return the lengths over the iterations of a run, starting with its first tour.

    An iteration is a scan of the neighbourhood, counted over all climbs; an iteration of all ants, with the length of
    its best; or a tour drawn by annealing.
    """
    if algorithm == "two-opt":
        return MeasuredTable("Iterations", ("length",), ("",), {f"{k:,}": ([length],) for k, length in _run_climbs()})
    columns, measured = ["length", "best length"], dict[int, tuple[float, ...]](_run_lengths(algorithm))
    if algorithm in _OTHER:
        column, overrides = _OTHER[algorithm]
        columns.append(column)
        other_rows = dict(_run_lengths(algorithm, overrides))
        measured = {k: (*lengths, other_rows[k][1]) for k, lengths in measured.items()}
    iterations = {k for k in measured if k % _INTERVAL == 0 or k in (min(measured), max(measured))}
    rows = {f"{k:,}": tuple([length] for length in measured[k]) for k in sorted(iterations)}
    return MeasuredTable("Iterations", tuple(columns), ("",) * len(columns), rows)


def _run_climbs() -> Iterator[tuple[int, float]]:
    """Yield the number of scans so far, including the final one of each climb, with the shortest length so far."""
    events = run(prepare(make_spec("two-opt")), load(INSTANCE), pictures=False)
    rows = [event for event in events if isinstance(event, Rows)]
    order = np.argsort(np.concatenate([row.climber for row in rows]))
    scans = np.cumsum(np.concatenate([row.moves for row in rows])[order] + 1)
    best = np.minimum.accumulate(np.concatenate([row.length for row in rows])[order])
    yield from zip(scans.tolist(), best.astype(float).tolist(), strict=True)


def _run_lengths(algorithm: str, overrides: Mapping[str, Any] = {}) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield the iterations of a run, with the current length and the best so far.

    Annealing reports a best tour once it has measured it, which may be long after it was found.
    """
    instance, shortest, run_spec = load(INSTANCE), inf, make_spec(algorithm)
    (stage,) = run_spec.stages
    run_spec = replace(run_spec, stages=(replace(stage, params={**stage.params, **overrides}),))
    for event in run(prepare(run_spec), instance, pictures=False):
        if isinstance(event, Progress):
            count = event.iteration if algorithm == "ant-system" else event.evaluations
            for k, length, best in zip(count, event.current, event.best, strict=True):
                shortest = min(shortest, float(length), float(best))
                yield int(k), (float(length), shortest)
