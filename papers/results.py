"""Results of entries as files: the ones shipped with the program, and this machine's own."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, stdev
from typing import Any, Self

#: Results of an H200, shipped with the program.
SHIPPED = Path(__file__).parent / "measured"
#: Parts of a GPU's name before and after its model.
_MAKER, _MEMORY = re.compile(r"^(NVIDIA )?(GeForce )?"), re.compile(r" \d+ ?GB\b.*")
#: Parts of a CPU's name other than its model: trademarks, and cores or clock.
_MARKS, _CLOCK = re.compile(r"\((?:R|TM)\)|\b(?:Processor|CPU)\b"), re.compile(r" (?:\d+-Core|@).*")
#: Rows and columns computed on cores.
_CORES = re.compile(r"(?:cpu|sequential)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """Our figures of an entry.

    Attributes
    ----------
    head : str
        Heading of the rows.
    columns, units : tuple of str
        As in `papers.model.Table`.
    rows : mapping of str to tuple of list of float
        Raw samples of each column; an empty list if nothing was measured.
    refused : mapping of str to str
        Reason for a missing figure, in one sentence, by ``"row, column"``.
    notes : mapping of str to str
        Note on the figures of a row or column, in one sentence.
    tour : mapping
        A tour: ``x``, ``y``, ``order`` and ``length``; empty for other entries.
    """

    head: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: Mapping[str, tuple[list[float], ...]]
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    tour: Mapping[str, Any] = field(default_factory=dict)

    def figure(self, row: str, column: str) -> float | None:
        """Return the median of a row and column; None if nothing was measured."""
        samples = dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column)
        return median(samples) if samples else None

    def spread(self, row: str, column: str) -> float | None:
        """Return the standard deviation of the samples in a row and column; None for fewer than two."""
        samples = dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column) or ()
        return stdev(samples) if len(samples) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Parse the result of `to_json`."""
        rows = {row: tuple(samples) for row, samples in value["rows"].items()}
        columns, units = tuple(value["columns"]), tuple(value["units"])
        optional = {key: value.get(key, {}) for key in ("refused", "notes", "tour")}
        return cls(value["head"], columns, units, rows, **optional)


@dataclass(frozen=True, slots=True)
class Result:
    """A measurement of an entry.

    Attributes
    ----------
    entry : str
        Name of the entry.
    measured : MeasuredTable
    device : str
        ``cuda`` or ``cpu``.
    quick : bool
        Whether this is the short form, which is too coarse to quote.
    seconds : float
        Duration of the measurement.
    machine : mapping
        Result of `benchmarks.machine.describe_machine`, with the GPU under ``device``.
    """

    entry: str
    measured: MeasuredTable
    device: str
    quick: bool
    seconds: float
    machine: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the result as a JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Parse the result of `to_json`."""
        return cls(**{**value, "measured": MeasuredTable.from_json(value["measured"])})


def shorten_gpu_name(gpu: str) -> str:
    """Shorten a GPU's name for a table: ``H100`` for ``NVIDIA H100 80GB HBM3``."""
    return _MEMORY.sub("", _MAKER.sub("", gpu))


def shorten_cpu_name(cpu: str) -> str:
    """Shorten a CPU's name for a legend: ``Intel Xeon`` for ``Intel(R) Xeon(R) Processor``."""
    return " ".join(_CLOCK.sub("", _MARKS.sub("", cpu)).split())


def is_cpu_result(name: str) -> bool:
    """Return whether a row or column was computed on cores, even if others are a GPU's."""
    return bool(_CORES.match(name))


def save(result: Result, folder: Path) -> Path:
    """Write a result to the folder, replacing an earlier one of the same entry and device; return the file."""
    path = folder / f"{result.entry.replace('/', '--')}--{result.device}.json"
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(result.to_json(), separators=(",", ":")) + "\n")
    partial.replace(path)
    return path


def load(entry: str, folder: Path) -> dict[str, Result]:
    """Return the results of an entry in a folder, by device; unreadable files are left out."""
    by_device = {}
    for device in ("cuda", "cpu"):
        path = folder / f"{entry.replace('/', '--')}--{device}.json"
        try:
            by_device[device] = Result.from_json(json.loads(path.read_text()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue
    return by_device
