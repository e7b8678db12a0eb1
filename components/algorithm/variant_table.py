"""The table of an algorithm's variants: memory, limits, key idea and speed."""

import json
import statistics
from functools import cache
from pathlib import Path

from dash import Dash, Input, State, dcc, html, no_update

from components.algorithm.devices import known_devices
from components.algorithm.variants import cite_source, has_table, make_machine
from components.shell import ids
from components.shell.callbacks import outputs
from components.shell.controls import button, hyphenate_names, region
from components.shell.facts import capitalise, localise
from components.shell.numbers import format_integer, format_measure
from components.shell.texts import common as text
from components.types import Json, Property
from runs.language import per_language
from solvers import SOLVERS
from solvers.core.solver import Solver, Variant
from solvers.gpu.limits import Limits

#: Folder of benchmark results; a table without its file has no figures.
_RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
#: Numbers of cities for which there are figures.
SIZES = (100, 200, 1000, 2000, 4000)
#: Descriptions of a variant's options, by the suffix of their names in the figures.
_SWITCHES = per_language(lambda: {"exact": text("variants.exact"), "two rows": text("variants.two-rows")})
_HEADS = per_language(lambda: tuple(text(f"variants.head.{name}") for name in ("variant", "idea", "source", "memory")))


@cache
def read_figures(path: Path) -> dict[tuple[str, int], float]:
    """Read measured medians in 10**9 moves per second, by name and cities; empty without a file."""
    if not path.is_file():
        return {}
    entries = json.loads(path.read_text(encoding="utf-8"))["throughput"]
    return {
        (entry["name"], entry["n"]): statistics.median(entry["moves_per_second"]) / 1e9
        for entry in entries
        if entry.get("moves_per_second")
    }


def dialog() -> html.Dialog:
    """Return the closed, empty dialog, which `assets/common/variants/variants.js` opens and fills.

    The tables of all algorithms would be more components than the rest of a page.
    """
    close = button("variants-close", text("sheet.close"), "close", style="quiet round")
    return html.Dialog(
        [
            html.Div([html.H2(text("variants.title"), id=ids.VARIANTS_TITLE), close], className="sheet-head"),
            html.Div(id=ids.VARIANTS_TABLE, className="sheet-body"),
            dcc.Store(id=ids.VARIANTS_ALGORITHM),
        ],
        id="variants",
        className="sheet variants-dialog",
        **hyphenate_names(aria_labelledby=ids.VARIANTS_TITLE),
    )


def register(app: Dash) -> None:
    """Fill the dialog with the current algorithm's table."""

    @app.callback(
        *outputs("children", ids.VARIANTS_TITLE, ids.VARIANTS_TABLE),
        Input(ids.VARIANTS_ALGORITHM, "data"),
        State(ids.STATUS, "data"),
    )
    def compare(algorithm: Json, status: Json) -> tuple[Property, Property]:
        for solver in SOLVERS:
            if solver.name == algorithm and has_table(solver):
                return text("variants.title-of", algorithm=localise(solver.title)), build_table(solver, status)
        return no_update, no_update


def build_table(solver: Solver, status: Json = None) -> list[html.P | html.Div]:
    """Return the table of variants, and a line above it that names the GPU whose limits apply.

    Parameters
    ----------
    solver : Solver
    status : dict, optional
        Result of `RunService.status`, for the GPU of this machine.
    """
    measured = read_figures(_RESULTS / solver.throughput) if solver.throughput else {}
    scroll = region("variants-table", text("variants.title"), _table(solver, measured, make_machine(status).limits))
    sentences = [localise(solver.comparison)]
    if _is_limited(solver, make_machine(status).limits):
        sentences.append(_describe_limits(status))
    if measured:
        sentences.append(text("variants.measured"))
    return [html.P(" ".join(sentences), className="note", **hyphenate_names(data_algorithm=solver.name)), scroll]


def _describe_limits(status: Json) -> str:
    shared = make_machine(status).limits.shared_kib
    if not make_machine(status).gpus:
        return text("variants.limits.any", shared=shared)
    return text("variants.limits.gpu", gpu=(known_devices(status) or {})["cuda"]["name"], shared=shared)


def _is_limited(solver: Solver, limits: Limits) -> bool:
    return any(variant.max_cities(limits) is not None for variant in solver.variants)


def group_variants(solver: Solver) -> dict[str, list[Variant]]:
    """Group the variants by authors, in the order of the solver's table."""
    by_authors: dict[str, list[Variant]] = {}
    for variant in solver.variants:
        authors = text("variants.no-gpu")
        if variant.source and variant.device != "cpu":
            authors = cite_source(variant)[0]
        by_authors.setdefault(authors, []).append(variant)
    return by_authors


def _table(solver: Solver, measured: dict[tuple[str, int], float], limits: Limits) -> html.Table:
    sizes = SIZES if measured else ()
    limited = _is_limited(solver, limits)
    heads = [html.Th(head, scope="col") for head in _HEADS()]
    numbers = [*([text("variants.head.most")] if limited else []), *(text("variants.cities", n=n) for n in sizes)]
    heads += [html.Th(head, scope="col", className="number-cell") for head in numbers]
    bodies = []
    for authors, variants in group_variants(solver).items():
        title = html.Tr(html.Th(authors, colSpan=len(heads), scope="rowgroup"), className="variants-source")
        rows = [row for variant in variants for row in _rows(variant, limits if limited else None, sizes, measured)]
        bodies.append(html.Tbody([title, *rows]))
    return html.Table([html.Thead(html.Tr(heads)), *bodies], className="limited" if limited else "")


def _max_cities(variant: Variant, limits: Limits) -> list[str | html.Div]:
    """Return a variant's maximum number of cities and the reason; empty if only memory limits it."""
    limit, reason = variant.max_cities(limits), variant.limit_reason(limits)
    if limit is None:
        return []
    return (
        [format_integer(limit), html.Div(capitalise(localise(reason)) + ".", className="note")]
        if reason
        else [format_integer(limit)]
    )


def _rows(
    variant: Variant, limits: Limits | None, sizes: tuple[int, ...], measured: dict[tuple[str, int], float]
) -> list[html.Tr]:
    """Return a variant's own row and, if its options were measured, a row for them."""
    texts = (localise(variant.key_idea or variant.note), cite_source(variant)[1], localise(variant.memory))
    limit = [_max_cities(variant, limits)] if limits else []
    rows = [_row(variant.name, texts, limit, sizes, measured, localise(variant.note))]
    for switch, cell in _SWITCHES().items():
        name = f"{variant.name}, {switch}"
        if any(variant == name for variant, _ in measured):
            rows.append(_row(name, (cell, "", ""), [[]], sizes, measured))
    return rows


def _row(
    name: str,
    texts: tuple[str, ...],
    limit: list[list[str | html.Div]],
    sizes: tuple[int, ...],
    measured: dict[tuple[str, int], float],
    note: str = "",
) -> html.Tr:
    cells = [*map(html.Td, texts), *(html.Td(cell, className="number-cell") for cell in limit)]
    highest = max(measured.values(), default=1.0)
    return html.Tr(
        [
            html.Th(name, scope="row", title=note),
            *cells,
            *(_build_figure_cell(measured.get((name, n)), highest) for n in sizes),
        ]
    )


def _build_figure_cell(giga: float | None, highest: float) -> html.Td:
    """Return a figure over its bar; empty without a figure."""
    if giga is None:
        return html.Td("")
    style = {"width": f"{100 * giga / highest:.1f}%"}
    number = format_integer(giga) if giga >= 100 else format_measure(giga)
    return html.Td([number, html.Div(className="variants-bar", style=style)], className="number-cell")
