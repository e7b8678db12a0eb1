"""Times and throughputs of runs against cities, threads or a varied parameter."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studies.spec.spec import Entry
from studies.stats.axes import NotComparable, find_unit
from studies.stats.measured import RunMeasurements
from studies.stats.quantiles import compute_quantiles
from studies.stats.sweep import Sweep, find_sweeps
from studies.stats.table import Table

#: Quantities of the chart, in the order of the menu.
QUANTITIES = ("rate", "iteration", "seconds", "bandwidth", "share", "speed-up", "joules")
#: Units of evaluations, each of which ends with a tour.
_TOURS = ("tour", "climber", "chain", "search", "sample", "start", "hub")
#: X axes other than a parameter.
CITIES, THREADS = "cities", "threads"


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line in the chart.

    Attributes
    ----------
    entries : tuple of int
        Entry of each point.
    x, lower, median, upper : ndarray, shape (p,), float64
        Quartiles of the runs at each point, by ascending x.
    """

    entries: tuple[int, ...]
    x: np.ndarray
    lower: np.ndarray
    median: np.ndarray
    upper: np.ndarray


def list_axes(table: Table, entries: Sequence[Entry]) -> list[str]:
    """Return the possible x axes: cities, threads if they differ, and each varied parameter."""
    measured = _select_measured(table)
    threads = [THREADS] if np.unique(measured.threads).size > 1 else []
    return [CITIES, *threads, *(sweep.name for sweep in find_sweeps(tuple(entries)))]


def compute_values(table: Table, quantity: str, against: int = 0) -> np.ndarray:
    """Return a quantity's value for each run, (r,); NaN where unknown.

    Parameters
    ----------
    table : Table
    quantity : str
        One of `QUANTITIES`: evaluations per second, milliseconds per iteration, seconds per run, bytes per second read
        by 2-opt, their share of the GPU's peak bandwidth in per cent, speed-up in evaluations per second over the
        median of the entry `against` on the same instance, and joules per tour.
    against : int
        Entry to compare with.

    Raises
    ------
    NotComparable
        If the entries have different units.
    ValueError
        If there is no such quantity.
    """
    runs, measured = table.runs, _select_measured(table)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = _mask_non_positive(runs.evaluations / runs.seconds)
        if quantity == "rate":
            find_unit(table, "evaluations")
            return rate
        if quantity == "iteration":
            find_unit(table, "iterations")
            return _mask_non_positive(1e3 * runs.seconds / runs.iterations)
        if quantity == "seconds":
            return runs.seconds
        if quantity == "bandwidth":
            return rate * measured.move_bytes
        if quantity == "share":
            return 100 * rate * measured.move_bytes / measured.memory
        if quantity == "speed-up":
            find_unit(table, "evaluations")
            return rate / _find_reference_rates(table, rate, against)
        if quantity == "joules":
            return measured.joules / _count_tours(table)
    raise ValueError(f"There is no quantity {quantity!r:.40}.")


def build_lines(table: Table, entries: Sequence[Entry], x_axis: str, values_by_run: np.ndarray) -> list[Line]:
    """Build a quantity's lines: over cities or threads, one per entry; over a parameter, one per set of entries.

    Parameters
    ----------
    table : Table
    entries : sequence of Entry
    x_axis : str
        One of `list_axes`.
    values_by_run : ndarray, shape (r,)
        See `compute_values`.
    """
    measured, runs = _select_measured(table), table.runs
    if x_axis in (CITIES, THREADS):
        x = (measured.cities if x_axis == CITIES else measured.threads).astype(np.float64)
        groups = [[(at, entry, (runs.entry == entry) & (x == at)) for at in np.unique(x[runs.entry == entry])]
                  for entry in np.unique(runs.entry).tolist()]  # fmt: skip
    else:
        sweep = next((sweep for sweep in find_sweeps(tuple(entries)) if sweep.name == x_axis), Sweep(x_axis, ()))
        groups = [[(at, entry, runs.entry == entry) for at, entry in line] for line in sweep.lines]
    lines = []
    for points in groups:
        points_with_values = [
            (at, entry, values_by_run[rows]) for at, entry, rows in points if np.isfinite(values_by_run[rows]).any()
        ]
        if points_with_values:
            quartiles = np.array(
                [compute_quantiles(values[np.isfinite(values)]) for _, _, values in points_with_values]
            ).T
            find_x = np.array([at for at, _, _ in points_with_values])
            lines.append(Line(tuple(entry for _, entry, _ in points_with_values), find_x, *quartiles))
    return lines


def _select_measured(table: Table) -> RunMeasurements:
    if table.measured is None:
        raise NotComparable("This table does not have what its runs measured.")
    return table.measured


def _mask_non_positive(values_by_run: np.ndarray) -> np.ndarray:
    """Return a copy with NaN for values that are not positive or not finite."""
    return np.where(np.isfinite(values_by_run) & (values_by_run > 0), values_by_run, np.nan)


def _find_reference_rates(table: Table, rate: np.ndarray, against: int) -> np.ndarray:
    """Return an entry's median rate on each run's instance."""
    result = np.full(len(table.instances.names), np.nan)
    for instance in range(result.size):
        rates = rate[(table.runs.instance == instance) & (table.runs.entry == against)]
        if np.isfinite(rates).any():
            result[instance] = np.nanmedian(rates)
    return result[table.runs.instance]


def _count_tours(table: Table) -> np.ndarray:
    """Return how many tours each run made."""
    runs, entries = table.runs, table.entries
    counts = np.full(runs.entry.size, np.nan)
    for entry in np.unique(runs.entry).tolist():
        rows = runs.entry == entry
        if entries.iteration_units[entry] in _TOURS:
            counts[rows] = runs.iterations[rows]
        elif entries.evaluation_units[entry] == "tour":
            counts[rows] = runs.evaluations[rows]
    return np.where(counts > 0, counts, np.nan)
