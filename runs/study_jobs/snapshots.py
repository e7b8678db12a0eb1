"""Studies as they were last read: their finished runs as columns, kept until something is written to them."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from runs.study_jobs.folders import stamp
from studies.file.reader import InstanceRow, StudyReader
from studies.spec.spec import StudySpec
from studies.stats.compare import Comparisons, compare
from studies.stats.ranks import Ranks, rank_entries
from studies.stats.references import References, gap_percent, references_of
from studies.stats.table import Table

#: Studies that are kept in memory, and numbers that are kept of each.
_KEPT, _REMEMBERED = 3, 24
#: Improvements that are kept of all studies, 32 bytes each; the one that was asked for last is kept whatever its size.
_ROWS = 8_000_000
#: A study that is written to is read again after so many seconds, and so many times what that takes.
_REST_SECONDS, _REST_TIMES = 1.0, 8.0


@dataclass(frozen=True, eq=False)
class StudySnapshot:
    """A study at one moment.

    Attributes
    ----------
    spec : StudySpec
    created : float
        Seconds since 1970.
    instances : tuple of InstanceRow
    table : Table
        Its finished runs.
    references : References
        Of the whole study.
    failed : tuple of (str, int)
        Why runs failed, and how many for this reason.
    """

    spec: StudySpec
    created: float
    instances: tuple[InstanceRow, ...]
    table: Table
    references: References
    failed: tuple[tuple[str, int], ...]
    _remembered: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def once(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """What some work on this study comes to, which is not done again as long as the last few keys are asked for.

        Two threads that ask at once may both do it: nobody waits for work that somebody else has asked for.
        """
        with self._guard:
            if key in self._remembered:
                self._remembered[key] = self._remembered.pop(key)
                return self._remembered[key]
        made = work()
        with self._guard:
            self._remembered[key] = made
            while len(self._remembered) > _REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
        return made

    @property
    def version(self) -> str:
        """Another one whenever something has come to an end."""
        return f"{self.table.runs.length.size}+{sum(count for _, count in self.failed)}"

    @cached_property
    def medians(self) -> tuple[np.ndarray, np.ndarray]:
        """Median gap at the runs' ends and number of finished runs, both of shape (instances, entries).

        The gap is NaN where there are no runs, and infinite where the median run has no tour.
        """
        runs = self.table.runs
        gaps, median = gap_percent(runs.length, self.references.length[runs.instance]), np.full(self._shape, np.nan)
        for instance, entry, rows in self.table.groups():
            median[instance, entry] = np.median(gaps[rows])
        return median, self.table.counts(runs)

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.instances), len(self.spec.entries)

    @cached_property
    def compared(self) -> tuple[Comparisons, Ranks]:
        """Every two entries on every instance, and the average ranks; SciPy is imported the first time."""
        return compare(self.table), rank_entries(self.table)


class StudySnapshots:
    """Reads studies, and remembers the last few."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: dict[
            Path, tuple[object, float, StudySnapshot]
        ] = {}  # what it was read at, when it may be read again

    def of(self, path: Path) -> StudySnapshot:
        """The study as it is, or as it was a moment ago if it is written to just now.

        Raises
        ------
        studies.errors.InvalidStudy
        """
        with self._guard:  # of several who ask at once, one reads
            now, mark = time.monotonic(), stamp(path)
            kept = self._kept.pop(path, None)
            if kept is None or (kept[0] != mark and now >= kept[1]):
                seen = read(path)
                took = time.monotonic() - now
                kept = (mark, now + max(_REST_SECONDS, _REST_TIMES * took), seen)
            self._kept[path] = kept
            while len(self._kept) > 1 and (len(self._kept) > _KEPT or self._rows() > _ROWS):
                del self._kept[next(iter(self._kept))]
            return kept[2]

    def _rows(self) -> int:
        return sum(seen.table.logs.length.size for *_, seen in self._kept.values())

    def forget(self, path: Path) -> None:
        """Keep nothing of a study that was deleted."""
        with self._guard:
            self._kept.pop(path, None)


def read(path: Path) -> StudySnapshot:
    """Read a study.

    Raises
    ------
    studies.errors.InvalidStudy
    """
    with StudyReader(path) as reader, reader.snapshot():
        table, failed = reader.table(), tuple(reader.failures())
        return StudySnapshot(reader.spec, reader.created, reader.instances, table, references_of(table), failed)
