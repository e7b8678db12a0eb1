"""Finished runs of a study as columns; every statistic is a pure function of these columns."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from studies.spec.plan import Plan
from studies.stats.logs import AXES, Logs
from studies.stats.measured import RunMeasurements

_PER_RUN = ("instance", "entry", "seed", "length", *AXES, "seconds_to_best", "stop_reason", "device")


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """The study's instances; codes are indices into these columns.

    Attributes
    ----------
    names : tuple of str
    optimum : ndarray, shape (i,), int64
        Length of the best known tour; 0 if unknown.
    proven : ndarray, shape (i,), bool
        Whether `optimum` is proven; otherwise it is only the best known length.
    """

    names: tuple[str, ...]
    optimum: np.ndarray
    proven: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The compared algorithms or settings; codes are indices into these tuples.

    Attributes
    ----------
    labels : tuple of str
    evaluation_units, iteration_units : tuple of str
        Units in the singular ("move"), as declared by the solver; empty if stages have different units.
    random : tuple of bool
        Whether the algorithms are random; empty if unknown, which counts as true. If not, all runs on an instance are
        the same.
    """

    labels: tuple[str, ...]
    evaluation_units: tuple[str, ...]
    iteration_units: tuple[str, ...]
    random: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Finished runs, one row each, in any order.

    Attributes
    ----------
    instance, entry : ndarray, shape (r,), int64
        Codes: indices into `Instances` and `Entries`.
    seed : ndarray, shape (r,), int64
    length : ndarray, shape (r,), int64
        Length of the best tour; 0 if none was found.
    seconds, seconds_to_best : ndarray, shape (r,), float64
        Times on the run's clock, without compilation: of the whole run, and until its best tour.
    evaluations, iterations : ndarray, shape (r,), int64
        Totals of the run, in the units declared by its algorithm.
    stop_reason, device : ndarray, shape (r,), str
    """

    instance: np.ndarray
    entry: np.ndarray
    seed: np.ndarray
    length: np.ndarray
    seconds: np.ndarray
    seconds_to_best: np.ndarray
    evaluations: np.ndarray
    iterations: np.ndarray
    stop_reason: np.ndarray
    device: np.ndarray

    def take(self, rows: np.ndarray) -> Self:
        """Select runs in the order of `rows`."""
        return type(self)(**{name: getattr(self, name)[rows] for name in _PER_RUN})


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Finished runs and their logs, row by row.

    `plan` has the planned and failed runs, `measured` additional measurements; None if unknown.

    Raises
    ------
    ValueError
        If columns are of different lengths, a code is out of range, a log does not end with its run's length, or a
        log exceeds its run's total on an axis.
    """

    instances: Instances
    entries: Entries
    runs: Runs
    logs: Logs
    plan: Plan | None = None
    measured: RunMeasurements | None = None

    def __post_init__(self) -> None:
        runs, logs = self.runs, self.logs
        if any(getattr(runs, name).size != runs.length.size for name in _PER_RUN):
            raise ValueError("The columns of the runs are of different lengths.")
        if logs.offsets.size != runs.length.size + 1:
            raise ValueError("There is not a log for every run.")
        for codes, names in ((runs.instance, self.instances.names), (runs.entry, self.entries.labels)):
            if codes.size and not 0 <= codes.min() <= codes.max() < len(names):
                raise ValueError("A run is of an instance or an entry that the study does not have.")
        has_tour = np.diff(logs.offsets) > 0
        last = logs.offsets[1:][has_tour] - 1
        if (logs.length[last] != runs.length[has_tour]).any() or runs.length[~has_tour].any():
            raise ValueError("A run's length is not the last of its log.")
        for axis in AXES:
            if (getattr(logs, axis)[last] > getattr(runs, axis)[has_tour]).any():
                raise ValueError(f"A log has more {axis} than its run.")

    def take(self, selection: np.ndarray) -> Self:
        """Select runs by mask or indices; codes stay the same."""
        rows = np.flatnonzero(selection) if selection.dtype == bool else selection
        runs = self.runs.take(rows)
        plan = None if self.plan is None else self.plan.select(self.counts(self.runs), self.counts(runs))
        measured = None if self.measured is None else self.measured.take(rows)
        return type(self)(self.instances, self.entries, runs, self.logs.take(rows), plan, measured)

    def counts(self, runs: Runs) -> np.ndarray:
        """Return how many of these runs each instance and entry has, (i, e) int64."""
        counts = np.zeros((len(self.instances.names), len(self.entries.labels)), np.int64)
        np.add.at(counts, (runs.instance, runs.entry), 1)
        return counts

    def medians(self, values: np.ndarray) -> np.ndarray:
        """Return a value's median over the runs of each instance and entry, (i, e); NaN without runs."""
        medians = np.full((len(self.instances.names), len(self.entries.labels)), np.nan)
        for instance, entry, rows in self.groups():
            medians[instance, entry] = np.median(values[rows])
        return medians

    def entry_mask(self, entry: int) -> np.ndarray:
        """Return a mask of an entry's runs, (r,) bool."""
        return self.runs.entry == entry

    def groups(self) -> list[tuple[int, int, np.ndarray]]:
        """Return instance, entry and run indices of all pairs with runs, in order; runs are sorted by seed."""
        runs = self.runs
        order = np.lexsort((runs.length, runs.seed, runs.entry, runs.instance))
        codes = np.stack([runs.instance, runs.entry], axis=1)[order]
        starts = np.flatnonzero((np.diff(codes, axis=0) != 0).any(axis=1)) + 1
        parts = np.split(order, starts) if order.size else []
        return [(int(runs.instance[rows[0]]), int(runs.entry[rows[0]]), rows) for rows in parts]
