"""Where figures of an entry come from: the paper, the machine whose results come with the program, this machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from components.shell.numbers import seconds
from components.shell.texts import papers as text
from papers.model import Entry, Table
from papers.results import Measured, Result, model_of


@dataclass(frozen=True, slots=True)
class Source:
    """Figures of an entry from one place.

    Attributes
    ----------
    label : str
        As in a table and a legend: ``Paper``, ``H200``, ``CPU``, ``Here``.
    figures : Table or Measured
    result : Result or None
        None for the paper.
    """

    label: str
    figures: Table | Measured
    result: Result | None = None

    @property
    def details(self) -> str:
        """The machine, the date and what else a reader needs to judge the figures, in a sentence; empty for a paper."""
        if self.result is None:
            return ""
        machine = self.result.machine
        known = {"source": self.label, "machine": machine_name(self.result), "date": str(machine.get("date", ""))}
        known["seconds"] = seconds(self.result.seconds)
        if not self.result.seconds:  # of several measurements at once
            return text("source.committed", **{name: known[name] for name in ("source", "machine", "date")})
        return text("source.quick" if self.result.quick else "source.full", **known)


def sources_of(entry: Entry, shipped: Mapping[str, Result], own: Mapping[str, Result]) -> list[Source]:
    """All that have figures of an entry.

    Parameters
    ----------
    entry : Entry
    shipped, own : mapping of str to Result
        What was measured, by device: with the program, and on this machine.
    """
    found = [Source(text("source.paper"), entry.published)] if entry.published else []
    found += [Source(_shipped_label(result), result.measured, result) for result in shipped.values()]
    return found + [Source(_own_label(result, len(own) > 1), result.measured, result) for result in own.values()]


def reference_of(shipped: Mapping[str, Result], own: Mapping[str, Result]) -> Result | None:
    """The result that says whether an entry falls short: on a GPU before cores, never of the short form."""
    every = [results[device] for results in (shipped, own) for device in ("cuda", "cpu") if device in results]
    return next((result for result in every if not result.quick), None)


def machine_name(result: Result) -> str:
    """What was measured on: the GPU, or the CPU and its threads."""
    gpu = result.machine.get("device")
    if result.device == "cuda" and isinstance(gpu, Mapping):
        driver = str(gpu.get("driver", "")).split(" ")[-1]  # its version, where Linux tells more
        name = str(gpu.get("name", ""))
        return text("source.gpu", name=name, driver=driver) if driver else name
    return text("source.cpu", name=str(result.machine.get("cpu", "")), count=_threads(result.machine))


def _threads(machine: Mapping[str, Any]) -> int:
    threads = machine.get("threads")
    return threads if isinstance(threads, int) else 1


def _shipped_label(result: Result) -> str:
    gpu = result.machine.get("device")
    if result.device == "cuda" and isinstance(gpu, Mapping):
        return model_of(str(gpu.get("name", "")))
    return text("source.cores")


def _own_label(result: Result, several: bool) -> str:
    label = text(f"source.here.{result.device if several else 'any'}")
    return text("source.coarse", source=label) if result.quick else label


def columns_of(sources: Sequence[Source]) -> dict[str, str]:
    """The columns that any source has, and their units, those of the first source first."""
    found: dict[str, str] = {}
    for source in sources:
        for column, unit in zip(source.figures.columns, source.figures.units, strict=True):
            found.setdefault(column, unit)
    return found


def rows_of(sources: Sequence[Source]) -> list[str]:
    """The rows that any source has, in the order of one that has all, else those of the first source first."""
    found = dict.fromkeys(row for source in sources for row in source.figures.rows)
    whole = (source.figures.rows for source in sources if len(source.figures.rows) == len(found))
    return list(next(whole, found))
