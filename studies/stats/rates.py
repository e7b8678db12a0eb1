"""Time and throughput of runs, over the cities of instances, over threads, or over a parameter that entries vary."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studies.spec.spec import Entry
from studies.stats.axes import NotComparable, unit
from studies.stats.measured import Measured
from studies.stats.quantiles import quantiles
from studies.stats.sweep import Sweep, find_sweeps
from studies.stats.table import Table

#: What can be drawn, in the order in which it is offered.
QUANTITIES = ("rate", "iteration", "seconds", "bandwidth", "share", "speed-up", "joules")
#: What is counted that ends in a tour each.
_TOURS = ("tour", "climber", "chain", "search", "sample", "start", "hub")
#: What x is besides a parameter.
CITIES, THREADS = "cities", "threads"


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line of the chart.

    Attributes
    ----------
    entries : tuple of int
        The entry of each point.
    x, lower, median, upper : ndarray, shape (p,), float64
        Quartiles of the runs of a point, by ascending x.
    """

    entries: tuple[int, ...]
    x: np.ndarray
    lower: np.ndarray
    median: np.ndarray
    upper: np.ndarray


def list_axes(table: Table, entries: Sequence[Entry]) -> list[str]:
    """List the possible x axes: cities, threads if runs differ in them, and each parameter that varies."""
    measured = _measured_runs(table)
    threads = [THREADS] if np.unique(measured.threads).size > 1 else []
    return [CITIES, *threads, *(sweep.name for sweep in find_sweeps(tuple(entries)))]


def values(table: Table, quantity: str, against: int = 0) -> np.ndarray:
    """A quantity of each run, shape (r,); NaN where it is not known.

    Parameters
    ----------
    table : Table
    quantity : str
        One of `QUANTITIES`: evaluations a second, milliseconds of an iteration, seconds of a run, bytes a second that
        2-opt reads, their share of what the GPU's memory gives in per cent, times as many evaluations a second as the
        entry `against` in the median on the same instance, and joules a tour.
    against : int
        An entry.

    Raises
    ------
    NotComparable
        If entries count different things.
    ValueError
        If there is no such quantity.
    """
    runs, measured = table.runs, _measured_runs(table)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = _finite(runs.evaluations / runs.seconds)
        if quantity == "rate":
            unit(table, "evaluations")
            return rate
        if quantity == "iteration":
            unit(table, "iterations")
            return _finite(1e3 * runs.seconds / runs.iterations)
        if quantity == "seconds":
            return runs.seconds
        if quantity == "bandwidth":
            return rate * measured.move_bytes
        if quantity == "share":
            return 100 * rate * measured.move_bytes / measured.memory
        if quantity == "speed-up":
            unit(table, "evaluations")
            return rate / _reference(table, rate, against)
        if quantity == "joules":
            return measured.joules / _tours(table)
    raise ValueError(f"There is no quantity {quantity!r:.40}.")


def build_lines(table: Table, entries: Sequence[Entry], over: str, of_run: np.ndarray) -> list[Line]:
    """The lines of a quantity: one for each entry over cities and threads, else one for each set of entries.

    Parameters
    ----------
    table : Table
    entries : sequence of Entry
    over : str
        One of `list_axes`.
    of_run : ndarray, shape (r,)
        See `values`.
    """
    measured, runs = _measured_runs(table), table.runs
    if over in (CITIES, THREADS):
        x = (measured.cities if over == CITIES else measured.threads).astype(np.float64)
        groups = [[(at, entry, (runs.entry == entry) & (x == at)) for at in np.unique(x[runs.entry == entry])]
                  for entry in np.unique(runs.entry).tolist()]  # fmt: skip
    else:
        sweep = next((each for each in find_sweeps(tuple(entries)) if each.name == over), Sweep(over, ()))
        groups = [[(at, entry, runs.entry == entry) for at, entry in line] for line in sweep.lines]
    lines = []
    for points in groups:
        known = [(at, entry, of_run[which]) for at, entry, which in points if np.isfinite(of_run[which]).any()]
        if known:
            quartiles = np.array([quantiles(found[np.isfinite(found)]) for _, _, found in known]).T
            x_of = np.array([at for at, _, _ in known])
            lines.append(Line(tuple(entry for _, entry, _ in known), x_of, *quartiles))
    return lines


def _measured_runs(table: Table) -> Measured:
    if table.measured is None:
        raise NotComparable("This table does not have what its runs measured.")
    return table.measured


def _finite(of_run: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(of_run) & (of_run > 0), of_run, np.nan)


def _reference(table: Table, rate: np.ndarray, against: int) -> np.ndarray:
    """The median rate of an entry on the instance of each run."""
    found = np.full(len(table.instances.names), np.nan)
    for instance in range(found.size):
        known = rate[(table.runs.instance == instance) & (table.runs.entry == against)]
        if np.isfinite(known).any():
            found[instance] = np.nanmedian(known)
    return found[table.runs.instance]


def _tours(table: Table) -> np.ndarray:
    """Tours that each run made."""
    runs, entries = table.runs, table.entries
    counts = np.full(runs.entry.size, np.nan)
    for entry in np.unique(runs.entry).tolist():
        which = runs.entry == entry
        if entries.iteration_units[entry] in _TOURS:
            counts[which] = runs.iterations[which]
        elif entries.evaluation_units[entry] == "tour":
            counts[which] = runs.evaluations[which]
    return np.where(counts > 0, counts, np.nan)
