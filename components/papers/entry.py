"""Papers and entries as JSON, from which `assets/papers/entry.js` builds elements."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import asdict, replace

from components.figures.canvas import Figure
from components.figures.papers import entry_figure
from components.papers.cards import format_venue
from components.papers.sources import Source, choose_reference, list_sources
from components.papers.table import describe_shortfall, table_to_json
from components.shell.facts import localise
from components.shell.texts import papers as text
from components.types import JsonObject
from papers import runs as run
from papers.catalogue import ALL_PAPERS, PAPERS, NoSuchEntry, format_command, name_entry
from papers.committed import copy_rate
from papers.comparison import compute_ratios
from papers.findings import compose_finding
from papers.model import Drawing, Entry, Paper
from papers.results import MeasuredTable, Result
from papers.roofline import COSTS
from papers.shipped import load_shipped as shipped_results
from runs.paper_jobs.service import CannotMeasure, PaperJobs
from runs.translation import translate

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


def _change_medians(source: Source, convert: Callable[[float, str, str], float], names: Sequence[str]) -> Source:
    """Convert a source's medians by `convert`, without columns not in `names` and values of 0."""
    figures = source.figures
    columns = tuple(name for name in figures.columns if name in names)
    rows = {}
    for row in figures.rows:
        cells = [convert(of, row, name) if (of := figures.figure(row, name)) else 0.0 for name in columns]
        rows[row] = tuple([cell] if cell else [] for cell in cells)
    return replace(source, figures=MeasuredTable(figures.head, columns, ("",) * len(columns), rows))


def paper_to_json(jobs: PaperJobs, name: str) -> JsonObject:
    """Return a paper (by default the first) with its entries in its own order, and how many of them fall short.

    Raises
    ------
    NoSuchEntry
    """
    paper = next((paper for paper in ALL_PAPERS if name in ("", paper.id)), None)
    if paper is None:
        raise NoSuchEntry(text("address.unknown"))
    views = [entry_to_json(jobs, paper, entry) for entry in paper.entries]
    short = sum(bool(view["short"]) for view in views)
    facts = {"authors": paper.authors, "venue": format_venue(paper), "machine": translate(paper.machine)}
    return {
        "id": paper.id,
        "title": paper.title if paper in PAPERS else translate(paper.title),
        "about": text("paper.about", **facts),
        "read": f"{text('paper.read')} {text('entry.ratios')}" if paper in PAPERS else "",
        "order": text("paper.short", count=short, all=len(views)) if short else "",
        "entries": views,
    }


def entry_to_json(jobs: PaperJobs, paper: Paper, entry: Entry) -> JsonObject:
    """Convert an entry, its figures and its results to JSON."""
    name = name_entry(paper, entry)
    shipped, own = shipped_results(name), jobs.results(name)
    sources = list_sources(entry, shipped, own)
    reference = choose_reference(shipped, own)
    return {
        "name": name,
        "id": entry.id,
        "place": translate(entry.place),
        "title": localise(entry.title),
        "headline": text("entry.headline" if paper in PAPERS else "entry.own", headline=localise(entry.headline)),
        "drawing": "" if entry.published or paper not in PAPERS else text("entry.drawing"),
        **describe_shortfall([*compute_ratios(entry, reference.measured).values()] if reference else []),
        "figure": entry_figure(entry, sources),
        "views": views_to_json(entry, sources),
        "table": table_to_json(entry, sources),
        "sources": [*filter(None, (source.details for source in sources))],
        "remarks": [sentence for source in sources for sentence in _list_remarks(source)],
        "note": localise(entry.note),
        "likeness": _describe_likeness(entry),
        "finding": localise(compose_finding(paper.id, entry.id)),
        "run": f"../?{run.make_spec(entry.run).to_query()}" if entry.run else "",
        "summary": localise(entry.recipe.summary),
        "command": format_command(paper, entry),
        "here": _find_local_state(jobs, entry, [*own.values()]),
    }


def _describe_likeness(entry: Entry) -> str:
    """Describe similarities and differences to the paper; empty for this program's own charts."""
    if entry.likeness is None:
        return ""
    return text("entry.likeness", **{name: localise(words) for name, words in asdict(entry.likeness).items()})


def _list_remarks(source: Source) -> list[str]:
    """Return why figures are missing, and remarks on others, each once with the figures concerned."""
    if source.result is None:
        return []
    cells: dict[str, list[str]] = defaultdict(list)
    for cell, reason in (*source.result.measured.refused.items(), *source.result.measured.notes.items()):
        cells[reason].append(cell)
    rows = source.figures.rows
    return [
        text("entry.remark", cells=_group_cells(where, rows), why=localise(reason)) for reason, where in cells.items()
    ]


def _group_cells(cells: Sequence[str], rows: Container[str]) -> str:
    """Group cells by column, as in CPU (d198, a280); names of whole rows or columns are unchanged."""
    columns: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        row, _, column = cell.partition(", ")
        if row in rows and column:
            columns[column].append(localise(row))
        else:
            columns[cell] = []
    return "; ".join(localise(column) + (f" ({', '.join(of)})" if of else "") for column, of in columns.items())


def _find_local_state(jobs: PaperJobs, entry: Entry, own: Sequence[Result]) -> JsonObject:
    """Return whether the entry was or can be measured on this machine, and why not."""
    try:
        jobs.device(entry)
        reason = ""
    except CannotMeasure as refusal:
        reason = translate(str(refusal))
    return {"measured": bool(own), "full": any(not result.quick for result in own), "reason": reason}
