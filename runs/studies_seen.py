"""Studies as they were last read: their finished runs as columns, kept until something is written to them."""

import threading
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from runs.studies_files import stamp
from studies.budgets import spreads
from studies.compare import Comparisons, compare
from studies.ranks import Ranks, rank_entries
from studies.reader import InstanceRow, StudyReader
from studies.references import References, references
from studies.spec import StudySpec
from studies.table import Table

#: Studies that are kept in memory.
_KEPT = 3
#: A study that is written to is read again after so many seconds, and so many times what that takes.
_REST_SECONDS, _REST_TIMES = 1.0, 8.0


@dataclass(frozen=True, eq=False)
class Seen:
    """A study at one moment.

    Attributes
    ----------
    spec : StudySpec
    created : float
        Seconds since 1970.
    instances : tuple of InstanceRow
    table : Table
        Its finished runs.
    held : References
        Of the whole study.
    failed : tuple of (str, int)
        Why runs failed, and how many for this reason.
    """

    spec: StudySpec
    created: float
    instances: tuple[InstanceRow, ...]
    table: Table
    held: References
    failed: tuple[tuple[str, int], ...]

    @property
    def version(self) -> str:
        """Another one whenever something has come to an end."""
        return f"{self.table.runs.length.size}+{sum(count for _, count in self.failed)}"

    @cached_property
    def medians(self) -> tuple[np.ndarray, np.ndarray]:
        """Median gap at the runs' ends and number of finished runs, both of shape (instances, entries).

        The gap is NaN where there are no runs, and infinite where the median run has no tour.
        """
        shape = (len(self.instances), len(self.spec.entries))
        median, runs = np.full(shape, np.nan), np.zeros(shape, np.int64)
        for spread in spreads(self.table, self.held):
            median[spread.instance, spread.entry] = np.median(spread.gap_percent)
            runs[spread.instance, spread.entry] = spread.seed.size
        return median, runs

    @cached_property
    def compared(self) -> tuple[Comparisons, Ranks]:
        """Every two entries on every instance, and the average ranks; SciPy is imported the first time."""
        return compare(self.table), rank_entries(self.table)


class StudySights:
    """Reads studies, and remembers the last few."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: dict[Path, tuple[object, float, Seen]] = {}  # what it was read at, when it may be read again

    def of(self, path: Path) -> Seen:
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
            while len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
            return kept[2]


def read(path: Path) -> Seen:
    """Read a study.

    Raises
    ------
    studies.errors.InvalidStudy
    """
    with StudyReader(path) as reader, reader.snapshot():
        table = reader.table()
        reasons: dict[str, int] = {}
        for row in reader.cells():
            if row.state == "failed":
                reasons[row.sentence] = reasons.get(row.sentence, 0) + 1
        return Seen(reader.spec, reader.created, reader.instances, table, references(table), tuple(reasons.items()))
