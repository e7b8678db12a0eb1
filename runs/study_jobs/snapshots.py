"""Snapshots of studies: finished runs as columns, cached until the file changes."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from data.sqlite_files import read_stamp
from studies.file.reader import InstanceRow, StudyReader
from studies.spec.spec import StudySpec
from studies.stats.compare import Comparisons, compare
from studies.stats.ranks import Ranks, rank_entries
from studies.stats.references import References, find_references, gap_percent
from studies.stats.table import Table
from studies.tuning.trials import Trial

#: Maximum number of cached studies, and of cached results per study.
_MAX_STUDIES, _MAX_RESULTS = 3, 24
#: Maximum number of improvements in memory for all studies together, 32 bytes each; the newest study is always kept.
_MAX_IMPROVEMENTS = 8_000_000
#: Minimum time between reads of a changing study, in seconds and as a multiple of the time that reading takes.
_REST_SECONDS, _REST_FACTOR = 1.0, 8.0


@dataclass(frozen=True, eq=False)
class TuningState:
    """A tuning study's trials at a point in time.

    Attributes
    ----------
    trials : tuple of Trial
    references : References
        Reference lengths for the trials' gaps.
    instances : tuple of InstanceRow
        The training instances.
    importances : dict of str to float
        Importance of each parameter.
    complete : int
        Number of complete trials behind the importances.
    """

    trials: tuple[Trial, ...]
    references: References
    instances: tuple[InstanceRow, ...]
    importances: dict[str, float]
    complete: int

    @property
    def runs(self) -> int:
        """Number of ended trial runs."""
        return sum(trial.count for trial in self.trials)


@dataclass(frozen=True, eq=False)
class StudySnapshot:
    """A study's state at a point in time.

    Attributes
    ----------
    spec : StudySpec
    created : float
        Seconds since 1970.
    instances : tuple of InstanceRow
    table : Table
        Finished runs.
    references : References
        Reference lengths for the whole study.
    failed : tuple of (str, int)
        Reasons for failed runs, each with the number of runs.
    tuning : TuningState or None
        Trials, if the study is a tuning study.
    """

    spec: StudySpec
    created: float
    instances: tuple[InstanceRow, ...]
    table: Table
    references: References
    failed: tuple[tuple[str, int], ...]
    tuning: TuningState | None = None
    _results: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def once(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """Return the result of `work` for this snapshot, from a small cache by `key`.

        Two threads may compute the same result at once, so no thread waits for another.
        """
        with self._lock:
            if key in self._results:
                self._results[key] = self._results.pop(key)
                return self._results[key]
        result = work()
        with self._lock:
            self._results[key] = result
            while len(self._results) > _MAX_RESULTS:
                del self._results[next(iter(self._results))]
        return result

    @property
    def version(self) -> str:
        """A string that changes whenever a run finishes or fails."""
        trials = f"+{self.tuning.runs}" if self.tuning else ""
        return f"{self.table.runs.length.size}+{sum(count for _, count in self.failed)}{trials}"

    @property
    def ended(self) -> int:
        """Number of finished or failed runs."""
        trial_runs = self.tuning.runs if self.tuning else 0
        return self.table.runs.length.size + sum(count for _, count in self.failed) + trial_runs

    @cached_property
    def medians(self) -> tuple[np.ndarray, np.ndarray]:
        """Median gaps at the runs' ends and numbers of finished runs, both (instances, entries).

        The gap is NaN without runs, and infinite if the median run has no tour.
        """
        runs = self.table.runs
        gaps = gap_percent(runs.length, self.references.length[runs.instance])
        return self.table.medians(gaps), self.table.counts(runs)

    @cached_property
    def comparisons(self) -> tuple[Comparisons, Ranks]:
        """Comparisons of all pairs of entries on every instance, and average ranks; imports SciPy."""
        return compare(self.table), rank_entries(self.table)


class StudySnapshots:
    """Loads snapshots of studies and caches the latest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # by path: the file's stamp when it was read, the earliest time of the next read, and the snapshot
        self._cached: dict[Path, tuple[object, float, StudySnapshot]] = {}

    def load_newest(self, path: Path) -> StudySnapshot:
        """Return a study's newest snapshot, slightly outdated while the study is written.

        Raises
        ------
        studies.errors.InvalidStudy
        """
        with self._lock:  # only one of several threads reads the file
            now, current = time.monotonic(), read_stamp(path)
            cached = self._cached.pop(path, None)
            if cached is None or (cached[0] != current and now >= cached[1]):
                snapshot = read(path)
                duration = time.monotonic() - now
                cached = (current, now + max(_REST_SECONDS, _REST_FACTOR * duration), snapshot)
            self._cached[path] = cached
            while len(self._cached) > 1 and (
                len(self._cached) > _MAX_STUDIES or self._count_improvements() > _MAX_IMPROVEMENTS
            ):
                del self._cached[next(iter(self._cached))]
            return cached[2]

    def _count_improvements(self) -> int:
        return sum(snapshot.table.logs.length.size for *_, snapshot in self._cached.values())

    def forget(self, path: Path) -> None:
        """Drop a deleted study's snapshot."""
        with self._lock:
            self._cached.pop(path, None)


def read(path: Path) -> StudySnapshot:
    """Read a study's snapshot from its file.

    Raises
    ------
    studies.errors.InvalidStudy
    """
    with StudyReader(path) as reader, reader.snapshot():
        table, failed = reader.table(), tuple(reader.failures())
        references = find_references(table)
        return StudySnapshot(
            reader.spec, reader.created, reader.instances, table, references, failed, _read_tuning(reader)
        )


def _read_tuning(reader: StudyReader) -> TuningState | None:
    if reader.spec.tune is None:
        return None
    trials = reader.trials()
    return TuningState(trials, reader.trial_references(trials), reader.training, *reader.importances())
