"""Sources of an entry's figures: paper, authors' code, shipped results, this machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from components.shell.numbers import format_seconds
from components.shell.texts import papers as text
from components.types import Json
from papers.model import AuthorsCode, Entry, Table, sort_rows
from papers.results import MeasuredTable, Result, is_cpu_result, shorten_cpu_name, shorten_gpu_name
from runs.translation import translate


@dataclass(frozen=True, slots=True)
class Source:
    """An entry's figures from one source, such as a device.

    Attributes
    ----------
    label : str
        Label in tables and legends: ``Paper``, ``Authors' code``, ``H200``, ``CPU``, ``Here``.
    figures : Table or MeasuredTable
    result : Result or None
        Our result; None for figures of others.
    code : AuthorsCode or None
        The authors' code; None for all other sources.
    """

    label: str
    figures: Table | MeasuredTable
    result: Result | None = None
    code: AuthorsCode | None = None

    def series_name(self, series: str) -> str:
        """Return the name of a series from this source, with the CPU if it was computed on cores."""
        cpu = self.cores(series)
        return text("chart.series", series=translate(series), source=cpu or self.label)

    def cores(self, series: str) -> str:
        """Return the CPU that computed a series of a GPU's result; empty if the GPU computed the series."""
        if self.result is None or self.result.device != "cuda" or not is_cpu_result(series):
            return ""
        return shorten_cpu_name(str(self.result.machine.get("cpu", "")))

    @property
    def details(self) -> str:
        """Machine, date and conditions of the figures, in a sentence; empty for a paper."""
        if self.code:
            of = {"code": translate(self.code.name), "machine": self.code.machine, "date": self.code.date}
            return text("source.authors", source=self.label, **of)
        if self.result is None:
            return ""
        machine = self.result.machine
        values = {"source": self.label, "machine": machine_name(self.result), "date": str(machine.get("date", ""))}
        values["seconds"] = format_seconds(self.result.seconds)
        if any(self.cores(series) for series in (*self.figures.columns, *self.figures.rows)):
            values["machine"] = text("source.both", gpu=values["machine"], cpu=_find_cpu_name(machine))
        if not self.result.seconds:  # for several measurements together
            return text("source.committed", **{name: values[name] for name in ("source", "machine", "date")})
        return text("source.quick" if self.result.quick else "source.full", **values)


def list_sources(entry: Entry, shipped: Mapping[str, Result], own: Mapping[str, Result]) -> list[Source]:
    """Return all sources that report results for an entry.

    Parameters
    ----------
    entry : Entry
    shipped, own : mapping of str to Result
        Results by device: those shipped with the program, and those of this machine.
    """
    sources = [Source(text("source.paper"), entry.published)] if entry.published else []
    if entry.authors_code:
        sources.append(Source(text("source.code"), entry.authors_code.figures, code=entry.authors_code))
    sources += [Source(_label_shipped(result), result.measured, result) for result in shipped.values()]
    return sources + [Source(_label_own(result, len(own) > 1), result.measured, result) for result in own.values()]


def choose_reference(shipped: Mapping[str, Result], own: Mapping[str, Result]) -> Result | None:
    """Return the result that decides whether an entry falls short: a GPU's before a CPU's, never a short form."""
    every = [results[device] for results in (shipped, own) for device in ("cuda", "cpu") if device in results]
    return next((result for result in every if not result.quick), None)


def machine_name(result: Result) -> str:
    """Return a measurement's hardware: the GPU, or the CPU and its threads."""
    gpu = result.machine.get("device")
    if result.device == "cuda" and isinstance(gpu, Mapping):
        driver = str(gpu.get("driver", "")).split(" ")[-1]  # its version, if Linux reports more details
        name = str(gpu.get("name", ""))
        return text("source.gpu", name=name, driver=driver) if driver else name
    return _find_cpu_name(result.machine)


def _find_cpu_name(machine: Mapping[str, Json]) -> str:
    return text("source.cpu", name=str(machine.get("cpu", "")), count=_count_threads(machine))


def _count_threads(machine: Mapping[str, Json]) -> int:
    threads = machine.get("threads")
    return threads if isinstance(threads, int) else 1


def _label_shipped(result: Result) -> str:
    gpu = result.machine.get("device")
    if result.device == "cuda" and isinstance(gpu, Mapping):
        return shorten_gpu_name(str(gpu.get("name", "")))
    return text("source.cores")


def _label_own(result: Result, several: bool) -> str:
    label = text(f"source.here.{result.device if several else 'any'}")
    return text("source.coarse", source=label) if result.quick else label


def merge_columns(sources: Sequence[Source]) -> dict[str, str]:
    """Return all sources' columns with units, the first source's first."""
    units: dict[str, str] = {}
    for source in sources:
        for column, unit in zip(source.figures.columns, source.figures.units, strict=True):
            units.setdefault(column, unit)
    return units


def merge_rows(sources: Sequence[Source]) -> list[str]:
    """Return all sources' rows: numbers by size, otherwise the first source's first."""
    return sort_rows(row for source in sources for row in source.figures.rows)
