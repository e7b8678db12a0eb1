"""The cost of a 2-opt move for each variant, and the device's limit that is nearest to this cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papers.results import MeasuredTable

#: Columns of a roofline, with their units.
COLUMNS = (
    "cities", "moves a second", "operations a byte", "operations", "of memory", "of arithmetic", "of square roots",
)  # fmt: skip
UNITS = ("", "billion moves/s", "", "billion/s", "%", "%", "%")
#: Rows that are roofs rather than variants.
MEMORY, ARITHMETIC = "memory", "arithmetic"
#: Number of cities for comparing variants, and for variants whose matrix must fit into shared memory.
CITIES, FEW_CITIES = 1000, 200
#: Rows that a thread of `strip` owns for 1,000 cities on an H200, see
#: `solvers.algorithms.two_opt.strip_launch.strip_rows`.
STRIP_ROWS = 9


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a variant's scan per move.

    Attributes
    ----------
    words : float
        32-bit words requested from any memory: distances, i and j, coordinates and edge lengths.
    operations : float
        Additions, multiplications and comparisons of distances and coordinates, not counting indices.
    roots : float
        Square roots.
    shared : bool
        Whether the words are in shared memory, so that the device's memory is not a limit.
    """

    words: float
    operations: float
    roots: float = 0
    shared: bool = False


def _compute_cost(distances: float, words: float, shared: bool = False) -> Cost:
    """Return the cost of a variant that computes its distances.

    A distance takes two differences, a product, a fused multiply-add (counted as two) and a root; the sum of the
    change is added.
    """
    return Cost(words, 5 * distances + 3, distances, shared)


_STRIP = _compute_cost(1 + 1 / STRIP_ROWS, 3 / STRIP_ROWS, shared=True)
#: On cores, a row of distances is computed once and used twice: two coordinates are read and one distance written for
#: each, then two rows and the edges' lengths are read.
_ROWS = Cost(6, 8, 1)
#: By variant: three distances and a comparison (slide 9 of O'Neil and Burtscher), five for two moves, four with the
#: loops merged (Utne and Hansen); if distances are computed, the coordinates of a column and its edge's length.
COSTS: Mapping[str, Cost] = {
    "matr_s": Cost(3, 3, shared=True), "matr_g": Cost(3, 3), "matr_g_ro": Cost(3, 3),
    "matr_s, two rows": Cost(2.5, 3, shared=True), "matr_g, two rows": Cost(2.5, 3),
    "matr_g_ro, two rows": Cost(2.5, 3),
    "original": Cost(5, 4), "hundred-cities": Cost(5, 4, shared=True), "calculated": Cost(4, 4, 1),
    "calc": _compute_cost(3, 2), "calc, two rows": _compute_cost(2.5, 1),
    "intra": _compute_cost(2, 3),
    "tile": _compute_cost(2, 3, shared=True), "tuned": _compute_cost(2, 3, shared=True),
    "strip": _STRIP, "multi-move": _STRIP,
    "sequential": _ROWS, "cpu": _ROWS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Roofs:
    """Peak rates of a device.

    Attributes
    ----------
    memory : float
        Bytes per second.
    operations : float
        Operations per second.
    roots : float
        Square roots per second; 0 if unknown.
    """

    memory: float
    operations: float
    roots: float = 0


def build_roofline(
    roofs: Roofs, rates: Mapping[str, tuple[int, list[float]]], notes: Mapping[str, str]
) -> MeasuredTable:
    """Return the points of variants below the roofs of a device.

    Parameters
    ----------
    roofs : Roofs
    rates : mapping of str to (int, list of float)
        Cities, and samples of moves per second, by variant.
    notes : mapping of str to str
        Origin of the roofs.
    """
    ridge = roofs.operations / roofs.memory
    rows: dict[str, tuple[list[float], ...]] = {
        MEMORY: ([], [], [ridge], [roofs.operations / 1e9], [], [], []),
        ARITHMETIC: ([], [], [ridge], [roofs.operations / 1e9], [], [], []),
    }
    all_notes = {**notes, MEMORY: f"{roofs.memory / 1e9:,.0f} GB/s. {notes.get(MEMORY, '')}".strip()}
    for name, (n, samples) in rates.items():
        cost = COSTS[name]
        memory = [] if cost.shared else [100 * sample * 4 * cost.words / roofs.memory for sample in samples]
        arithmetic = [100 * sample * cost.operations / roofs.operations for sample in samples]
        roots = [100 * sample * cost.roots / roofs.roots for sample in samples] if roofs.roots and cost.roots else []
        operations = [sample * cost.operations / 1e9 for sample in samples]
        intensity = cost.operations / (4 * cost.words)
        moves = [sample / 1e9 for sample in samples]
        rows[name] = ([float(n)], moves, [intensity], operations, memory, arithmetic, roots)
        all_notes[name] = _describe_limit({MEMORY: memory, ARITHMETIC: arithmetic, "square roots": roots}, cost)
    return MeasuredTable("Variant", COLUMNS, UNITS, rows, {}, all_notes)


def _describe_limit(shares: Mapping[str, list[float]], cost: Cost) -> str:
    """Describe the cost of a move and the nearest limit."""
    peak_shares = {name: max(samples) for name, samples in shares.items() if samples}
    bytes_requested, operations, roots = f"{4 * cost.words:.3g}", f"{cost.operations:.3g}", f"{cost.roots:.3g}"
    sentences = [
        f"A move requests {bytes_requested} bytes of shared memory."
        if cost.shared
        else f"A move requests {bytes_requested} bytes.",
        f"It takes {operations} operations and {roots} square roots."
        if cost.roots > 1
        else f"It takes {operations} operations and one square root."
        if cost.roots
        else f"It takes {operations} operations.",
    ]
    if peak_shares.get(MEMORY, 0) > 100:
        sentences.append(f"Caches deliver {peak_shares.pop(MEMORY) / 100:.1f} times the memory's rate.")
    nearest = max(peak_shares, key=lambda name: peak_shares[name])
    sentences.append(f"The nearest limit is {nearest}: the variant reaches {peak_shares[nearest]:.0f} % of it.")
    return " ".join(sentences)


def locate_points(measured: MeasuredTable) -> dict[str, tuple[float, float]]:
    """Return each row's operations per byte and billions of operations per second, and the ridge of the roofs."""
    result: dict[str, tuple[Any, Any]] = {
        row: (measured.figure(row, "operations a byte"), measured.figure(row, "operations")) for row in measured.rows
    }
    return {row: (x, y) for row, (x, y) in result.items() if x and y}
