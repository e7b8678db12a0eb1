"""Every way to run 2-opt beside the others: what it keeps where, how far it goes, what it teaches, how fast it was."""

import json
import statistics
from functools import cache
from pathlib import Path
from typing import Any

from dash import html

from components import ids, words
from components.controls import attributes, button
from components.variants import paper
from solvers import find
from solvers.solver import Variant
from solvers.two_opt_rows import Row

#: What `python -m benchmarks two-opt-gpu` wrote on that card; without it the table has no figures.
FIGURES = Path(__file__).resolve().parents[1] / "benchmarks" / "results" / "two_opt_h200.json"
#: Cities for which figures are shown.
SIZES = (100, 200, 1000, 2000, 4000)
#: Bytes of shared memory of a block on that card.
_SHARED = 227 << 10
_HEADS = ("Way", "What it teaches", "Where it is from", "Memory", "Cities, at most")
_SAYS = (
    "The same climbs, computed in many ways: every way but multi-move makes the same moves from the same tours, as far "
    "as its distances agree."
)
_MEASURED = "Right: thousand million moves looked at in a second on one NVIDIA H200 full of climbers, for n cities."
_EXACT = "The same on TSPLIB's own distances, which the switch Exact distances asks for."


@cache
def figures(path: Path = FIGURES) -> dict[tuple[str, int], float]:
    """Medians of what was measured, in 10**9 moves a second, by name and cities; empty where there is no file."""
    if not path.is_file():
        return {}
    entries = json.loads(path.read_text(encoding="utf-8"))["throughput"]
    return {
        (entry["name"], entry["n"]): statistics.median(entry["moves_per_second"]) / 1e9
        for entry in entries
        if entry.get("moves_per_second")
    }


def dialog() -> html.Dialog:
    """The dialog, closed."""
    measured = figures()
    close = button(ids.WAYS_CLOSE, "Close (Esc)", "close", style="quiet round")
    scroll = html.Div(
        _table(measured), className="ways-table", tabIndex=0, role="region", **attributes(aria_label="The ways")
    )
    says = html.P(f"{_SAYS} {_MEASURED}" if measured else _SAYS, className="note")
    return html.Dialog(
        [
            html.Div([html.H2("The ways to run 2-opt"), close], className="sheet-head"),
            html.Div([says, scroll], className="sheet-body"),
        ],
        id=ids.WAYS,
        className="sheet ways-dialog",
        **attributes(aria_label="The ways to run 2-opt"),
    )


def groups() -> dict[str, list[Variant]]:
    """The ways by whose they are, in the order of the solver's table."""
    found: dict[str, list[Variant]] = {}
    for variant in find("two-opt").variants:
        whose = paper(variant)[0] if isinstance(variant, Row) else "Without a graphics card"
        found.setdefault(whose, []).append(variant)
    return found


def _table(measured: dict[tuple[str, int], float]) -> html.Table:
    sizes = SIZES if measured else ()
    heads = [html.Th(head, scope="col", className="number-cell" if head == _HEADS[-1] else "") for head in _HEADS]
    heads += [html.Th(f"n = {words.grouped(n)}", scope="col", className="number-cell") for n in sizes]
    bodies = []
    for whose, variants in groups().items():
        title = html.Tr(html.Th(whose, colSpan=len(heads), scope="rowgroup"), className="ways-whose")
        rows = [row for variant in variants for row in _rows(variant, sizes, measured)]
        bodies.append(html.Tbody([title, *rows]))
    return html.Table([html.Thead(html.Tr(heads)), *bodies])


def _rows(variant: Variant, sizes: tuple[int, ...], measured: dict[tuple[str, int], float]) -> list[html.Tr]:
    """The rows of a way: one, and one more for the figures on exact distances where it has that switch."""
    if not isinstance(variant, Row):
        return [_row(variant.name, (variant.note, "", "", ""), sizes, measured)]
    facts = (variant.lesson, paper(variant)[1], variant.memory, words.grouped(variant.largest_n(_SHARED)))
    rows = [_row(variant.name, facts, sizes, measured, variant.note)]
    if variant.switch and measured:
        rows.append(_row(f"{variant.name}, exact", (_EXACT, "", "", ""), sizes, measured))
    return rows


def _row(
    name: str, facts: tuple[str, ...], sizes: tuple[int, ...], measured: dict[tuple[str, int], float], note: str = ""
) -> html.Tr:
    *told, most = facts
    cells = [*map(html.Td, told), html.Td(most, className="number-cell")]
    top = max(measured.values(), default=1.0)
    return html.Tr(
        [html.Th(name, scope="row", title=note), *cells, *(_figure(measured.get((name, n)), top) for n in sizes)]
    )


def _figure(giga: float | None, top: float) -> html.Td:
    """A figure over its bar; nothing where there is none."""
    if giga is None:
        return html.Td("")
    shown: dict[str, Any] = {"width": f"{100 * giga / top:.1f}%"}
    text = words.grouped(round(giga)) if giga >= 100 else f"{giga:.3g}"
    return html.Td([text, html.Div(className="ways-bar", style=shown)], className="number-cell")
