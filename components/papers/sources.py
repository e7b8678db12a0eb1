"""Where figures of an entry come from: paper, authors' code, results that come with the program, this machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from components.shell.numbers import seconds
from components.shell.texts import papers as text
from papers.model import AuthorsCode, Entry, Table, in_order
from papers.results import Measured, Result, is_of_cores, short_cpu_name, short_gpu_name
from runs.translation import translate


@dataclass(frozen=True, slots=True)
class Source:
    """The figures of an entry from one source, such as a device.

    Attributes
    ----------
    label : str
        As in a table and a legend: ``Paper``, ``Authors' code``, ``H200``, ``CPU``, ``Here``.
    figures : Table or Measured
    result : Result or None
        None unless the figures are ours.
    code : AuthorsCode or None
        None for all but that.
    """

    label: str
    figures: Table | Measured
    result: Result | None = None
    code: AuthorsCode | None = None

    def series_name(self, series: str) -> str:
        """What a series of this source is called: its name, and what measured it, which of cores is their CPU."""
        cpu = self._cores(series)
        return text("chart.series", series=translate(series), source=cpu or self.label)

    def _cores(self, series: str) -> str:
        """The CPU that computed a series of a GPU's result; empty for series that the GPU computed."""
        if self.result is None or self.result.device != "cuda" or not is_of_cores(series):
            return ""
        return short_cpu_name(str(self.result.machine.get("cpu", "")))

    @property
    def details(self) -> str:
        """The machine, the date and other conditions of the figures, in a sentence; empty for a paper."""
        if self.code:
            of = {"code": translate(self.code.name), "machine": self.code.machine, "date": self.code.date}
            return text("source.authors", source=self.label, **of)
        if self.result is None:
            return ""
        machine = self.result.machine
        known = {"source": self.label, "machine": machine_name(self.result), "date": str(machine.get("date", ""))}
        known["seconds"] = seconds(self.result.seconds)
        if any(self._cores(series) for series in (*self.figures.columns, *self.figures.rows)):
            known["machine"] = text("source.both", gpu=known["machine"], cpu=_cpu_name(machine))
        if not self.result.seconds:  # of several measurements at once
            return text("source.committed", **{name: known[name] for name in ("source", "machine", "date")})
        return text("source.quick" if self.result.quick else "source.full", **known)


def list_sources(entry: Entry, shipped: Mapping[str, Result], own: Mapping[str, Result]) -> list[Source]:
    """All that have figures of an entry.

    Parameters
    ----------
    entry : Entry
    shipped, own : mapping of str to Result
        What was measured, by device: with the program, and on this machine.
    """
    found = [Source(text("source.paper"), entry.published)] if entry.published else []
    if entry.authors:
        found.append(Source(text("source.code"), entry.authors.figures, code=entry.authors))
    found += [Source(_shipped_label(result), result.measured, result) for result in shipped.values()]
    return found + [Source(_own_label(result, len(own) > 1), result.measured, result) for result in own.values()]


def choose_reference(shipped: Mapping[str, Result], own: Mapping[str, Result]) -> Result | None:
    """The result that says whether an entry falls short: on a GPU before cores, never of the short form."""
    every = [results[device] for results in (shipped, own) for device in ("cuda", "cpu") if device in results]
    return next((result for result in every if not result.quick), None)


def machine_name(result: Result) -> str:
    """The hardware of a measurement: the GPU, or the CPU and its threads."""
    gpu = result.machine.get("device")
    if result.device == "cuda" and isinstance(gpu, Mapping):
        driver = str(gpu.get("driver", "")).split(" ")[-1]  # its version, where Linux tells more
        name = str(gpu.get("name", ""))
        return text("source.gpu", name=name, driver=driver) if driver else name
    return _cpu_name(result.machine)


def _cpu_name(machine: Mapping[str, Any]) -> str:
    return text("source.cpu", name=str(machine.get("cpu", "")), count=_threads(machine))


def _threads(machine: Mapping[str, Any]) -> int:
    threads = machine.get("threads")
    return threads if isinstance(threads, int) else 1


def _shipped_label(result: Result) -> str:
    gpu = result.machine.get("device")
    if result.device == "cuda" and isinstance(gpu, Mapping):
        return short_gpu_name(str(gpu.get("name", "")))
    return text("source.cores")


def _own_label(result: Result, several: bool) -> str:
    label = text(f"source.here.{result.device if several else 'any'}")
    return text("source.coarse", source=label) if result.quick else label


def merge_columns(sources: Sequence[Source]) -> dict[str, str]:
    """The columns that any source has, and their units, those of the first source first."""
    found: dict[str, str] = {}
    for source in sources:
        for column, unit in zip(source.figures.columns, source.figures.units, strict=True):
            found.setdefault(column, unit)
    return found


def merge_rows(sources: Sequence[Source]) -> list[str]:
    """The rows that any source has: numbers by their size, else those of the first source first."""
    return in_order(row for source in sources for row in source.figures.rows)
