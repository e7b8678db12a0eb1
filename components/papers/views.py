"""Views of a throughput chart: as measured, as bytes per second and their share, and as speed-up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from components.figures.canvas import Figure
from components.figures.papers import entry_figure
from components.papers.sources import Source
from components.shell.texts import papers as text
from components.types import JsonObject
from papers.committed import copy_rate
from papers.model import Drawing, Entry
from papers.results import MeasuredTable
from papers.roofline import COSTS

#: Unit of throughput.
_RATE = "billion moves/s"


def views_to_json(entry: Entry, sources: Sequence[Source]) -> list[JsonObject]:
    """Return a label and figure per view, the first as measured; empty unless the chart shows throughput.

    Speed-ups are ratios of medians to a variant of the same source and row.
    """
    ours = [source for source in sources if isinstance(source.figures, MeasuredTable)]
    if entry.drawing.kind != "lines" or not ours or any(set(source.figures.units) != {_RATE} for source in ours):
        return []
    figures = [(text("view.measured"), entry_figure(entry, sources)), *_views(entry, ours)]
    return [{"label": label, "figure": figure} for label, figure in figures]


def _views(entry: Entry, ours: Sequence[Source]) -> Iterator[tuple[str, Figure]]:
    byte_counts = {name: 4 * cost.words for name, cost in COSTS.items() if not cost.shared and not cost.roots}
    byte_counts["calculated"] = 4 * COSTS["calculated"].words
    read = [_change_medians(source, lambda of, row, name: of * byte_counts[name], [*byte_counts]) for source in ours]
    if figure := _draw(entry, read, text("view.axis.bytes")):
        yield text("view.bytes"), figure
    h200 = [source for source in read if source.label == "H200"]
    shares = [_change_medians(source, lambda of, row, name: 100 * of / copy_rate(), [*byte_counts]) for source in h200]
    if figure := _draw(entry, shares, text("view.axis.share")):
        yield text("view.share"), figure
    for against in dict.fromkeys(name for source in ours for name in source.figures.columns):
        against_it = [_compute_speed_up(source, against) for source in ours]
        if len(ours[0].figures.columns) > 1 and (figure := _draw(entry, against_it, text("view.axis.times"))):
            yield text("view.times", variant=against), figure


def _draw(entry: Entry, sources: Sequence[Source], title: str) -> Figure | None:
    drawing = Drawing("lines", entry.drawing.x, title, entry.drawing.log)
    return entry_figure(replace(entry, drawing=drawing), sources)


def _compute_speed_up(source: Source, against: str) -> Source:
    figures = source.figures

    def times(of: float, row: str, name: str) -> float:
        other = figures.figure(row, against)
        return of / other if other else 0.0

    return _change_medians(source, times, [*figures.columns])


def _change_medians(source: Source, value: Callable[[float, str, str], float], names: Sequence[str]) -> Source:
    """Convert a source's medians by `value`, without columns not in `names` and values of 0."""
    figures = source.figures
    columns = tuple(name for name in figures.columns if name in names)
    rows = {}
    for row in figures.rows:
        cells = [value(of, row, name) if (of := figures.figure(row, name)) else 0.0 for name in columns]
        rows[row] = tuple([cell] if cell else [] for cell in cells)
    return replace(source, figures=MeasuredTable(figures.head, columns, ("",) * len(columns), rows))
