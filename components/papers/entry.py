"""Papers and entries as JSON, from which `assets/papers/entry.js` builds elements."""

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import asdict

from components.figures.papers import entry_figure
from components.papers.cards import format_venue
from components.papers.sources import Source, choose_reference, list_sources
from components.papers.table import describe_shortfall, table_to_json
from components.papers.views import views_to_json
from components.shell.facts import localise
from components.shell.texts import papers as text
from components.types import JsonObject
from papers import runs as run
from papers.catalogue import ALL_PAPERS, PAPERS, NoSuchEntry, format_command, name_entry
from papers.comparison import compute_ratios
from papers.findings import compose_finding
from papers.model import Entry, Paper
from papers.results import Result
from papers.shipped import load_shipped as shipped_results
from runs.paper_jobs.service import CannotMeasure, PaperJobs
from runs.translation import translate


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
