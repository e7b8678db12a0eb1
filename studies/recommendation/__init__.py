"""Recommends an algorithm for an instance, based on measured runs.

``python -m studies.recommendation.measuring`` measures `table.json`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

#: The measured runs: ``runs`` has the gaps in percent of each algorithm by instance and time limit, ``proofs`` the
#: seconds until each algorithm proved the optimum.
TABLE = Path(__file__).with_name("table.json")

#: Numbers of cities count as equal if their logarithms differ by less than this.
ALIKE = 0.1


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The recommended algorithm and the measurement behind it.

    Attributes
    ----------
    algorithm : str
    n : int
        Number of cities of the measured instances.
    seconds : float
        Time limit of the measured runs; for a proof, the seconds that the proof took.
    proves : bool
        Whether the algorithm proves that its tour is the shortest.
    gap : float
        Median gap to the best known length in percent.
    instances : int
        Number of measured instances.
    second : str
        The algorithm with the next smallest gap; empty if no other was measured.
    second_gap : float
        The second algorithm's median gap in percent.
    """

    algorithm: str
    n: int
    seconds: float
    proves: bool = False
    gap: float = 0.0
    instances: int = 1
    second: str = ""
    second_gap: float = 0.0


def recommend(
    n: int, directed: bool, seconds: float, proof: bool, table: Mapping[str, Any] | None = None
) -> Recommendation:
    """Recommend an algorithm, based on the measured instances closest in size.

    Parameters
    ----------
    n : int
        Number of cities.
    directed : bool
        Whether distances depend on the direction.
    seconds : float
        The time limit.
    proof : bool
        Whether the tour should be proven optimal. If no algorithm has proven that many cities within the limit, the
        shortest tour decides.
    table : mapping, optional
        Measurements with the form of `TABLE`, which is the default.
    """
    measured = read_table() if table is None else table
    proven = _find_fastest_proof([row for row in measured["proofs"] if row["directed"] == directed], n, seconds)
    if proof and proven:
        return proven
    rows = [row for row in measured["runs"] if row["directed"] == directed]
    limits = sorted({row["seconds"] for row in rows})
    limit = max((limit for limit in limits if limit <= seconds), default=limits[0])
    rows = [row for row in rows if row["seconds"] == limit]
    nearest = min((row["n"] for row in rows), key=lambda size: abs(math.log(size / n)))
    return _find_shortest([row for row in rows if abs(math.log(row["n"] / nearest)) < ALIKE])


@cache
def read_table() -> dict[str, Any]:
    """Read the measurements; see `TABLE`."""
    return json.loads(TABLE.read_text())


def _find_fastest_proof(rows: Sequence[Mapping[str, Any]], n: int, seconds: float) -> Recommendation | None:
    larger = [row for row in rows if row["n"] >= n]
    size = min((row["n"] for row in larger), default=None)
    slowest: dict[str, float] = {}
    for row in larger:
        for name in row["seconds"] if row["n"] == size else ():
            slowest[name] = max(slowest.get(name, 0.0), row["seconds"][name])
    count = sum(row["n"] == size for row in larger)
    proving = {name: took for name, took in slowest.items() if took <= seconds}
    if not proving or size is None:
        return None
    name = min(proving, key=lambda each: proving[each])
    return Recommendation(name, size, proving[name], proves=True, instances=count)


def _find_shortest(rows: Sequence[Mapping[str, Any]]) -> Recommendation:
    names = set.intersection(*(set(row["gaps"]) for row in rows))
    gaps = {name: median(row["gaps"][name] for row in rows) for name in names}
    first, *others = sorted(gaps, key=lambda name: (gaps[name], name != "lin-kernighan", name))
    second = others[0] if others else ""
    row = rows[0]
    return Recommendation(
        first, row["n"], row["seconds"], gap=gaps[first], instances=len(rows), second=second,
        second_gap=gaps.get(second, 0.0),
    )  # fmt: skip
