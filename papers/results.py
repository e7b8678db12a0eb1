"""What was measured of entries: as files, those that come with the program and those of this machine."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, stdev
from typing import Any, Self

#: Results of an H200, which come with the program.
SHIPPED = Path(__file__).parent / "measured"
#: What a GPU's name has before and behind that of its model.
_MAKER, _MEMORY = re.compile(r"^(NVIDIA )?(GeForce )?"), re.compile(r" \d+ ?GB\b.*")
#: What a CPU's name has beside its model: marks, and its cores or its clock.
_MARKS, _CLOCK = re.compile(r"\((?:R|TM)\)|\b(?:Processor|CPU)\b"), re.compile(r" (?:\d+-Core|@).*")
#: Rows and columns that cores have computed.
_CORES = re.compile(r"(?:cpu|sequential)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measured:
    """Our figures of an entry.

    Attributes
    ----------
    head : str
        What the rows are.
    columns, units : tuple of str
        As `papers.model.Table`.
    rows : mapping of str to tuple of list of float
        The raw samples of each column; an empty list where nothing was measured.
    refused : mapping of str to str
        By ``"row, column"``: why there is no figure, in one sentence.
    notes : mapping of str to str
        By row or column: what to know of its figures, in one sentence.
    tour : mapping
        A tour that was found: ``x``, ``y``, ``order`` and ``length``; empty for all other entries.
    """

    head: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: Mapping[str, tuple[list[float], ...]]
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    tour: Mapping[str, Any] = field(default_factory=dict)

    def figure(self, row: str, column: str) -> float | None:
        """The median of a row and column; None if nothing was measured."""
        samples = dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column)
        return median(samples) if samples else None

    def spread(self, row: str, column: str) -> float | None:
        """The standard deviation of the samples of a row and column; None of fewer than two."""
        samples = dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column) or ()
        return stdev(samples) if len(samples) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """The figures as a JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read `to_json` back."""
        rows = {row: tuple(samples) for row, samples in value["rows"].items()}
        columns, units = tuple(value["columns"]), tuple(value["units"])
        more = {key: value.get(key, {}) for key in ("refused", "notes", "tour")}
        return cls(value["head"], columns, units, rows, **more)


@dataclass(frozen=True, slots=True)
class Result:
    """A measurement of an entry.

    Attributes
    ----------
    entry : str
        Its address.
    measured : Measured
    device : str
        ``cuda`` or ``cpu``.
    quick : bool
        Whether it was measured in the short form, which is too coarse to be quoted.
    seconds : float
        How long it took.
    machine : mapping
        As `benchmarks.machine.describe`, with the GPU under ``device``.
    """

    entry: str
    measured: Measured
    device: str
    quick: bool
    seconds: float
    machine: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read `to_json` back."""
        return cls(**{**value, "measured": Measured.from_json(value["measured"])})


def short_gpu_name(gpu: str) -> str:
    """A GPU's name as a table has room for: ``H100`` for ``NVIDIA H100 80GB HBM3``."""
    return _MEMORY.sub("", _MAKER.sub("", gpu))


def short_cpu_name(cpu: str) -> str:
    """A CPU's name as a legend has room for: ``Intel Xeon`` for ``Intel(R) Xeon(R) Processor``."""
    return " ".join(_CLOCK.sub("", _MARKS.sub("", cpu)).split())


def is_of_cores(name: str) -> bool:
    """Whether a row or a column is of cores, also where the others are of a GPU."""
    return bool(_CORES.match(name))


def save(result: Result, folder: Path) -> Path:
    """Write a result to the folder, in place of an earlier one of the same entry and device; returns the file."""
    path = folder / f"{result.entry.replace('/', '--')}--{result.device}.json"
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(result.to_json(), separators=(",", ":")) + "\n")
    partial.replace(path)
    return path


def load(entry: str, folder: Path) -> dict[str, Result]:
    """The results of an entry in a folder, by device; a file that cannot be read is left out."""
    found = {}
    for device in ("cuda", "cpu"):
        path = folder / f"{entry.replace('/', '--')}--{device}.json"
        try:
            found[device] = Result.from_json(json.loads(path.read_text()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue
    return found
