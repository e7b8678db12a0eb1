"""Comparison of runs on the library page: a chart, and a table by instance."""

import sqlite3
from typing import NamedTuple

import numpy as np
from dash import ClientsideFunction, Dash, Input, NoUpdate, Output, dcc, html, no_update

from components.figures.canvas import CONFIG, Figure
from components.figures.studies import empty_figure
from components.library import ids
from components.library.comparison_chart import ComparedRun, RunCurve, draw, format_result, read_curve
from components.library.query import parse_texts
from components.shell.callbacks import in_thread, outputs
from components.shell.controls import button, hyphenate_names, switch
from components.shell.numbers import format_integer, format_seconds
from components.shell.texts import library as text
from components.study.curves import chart, legend
from components.study.entries import series_style
from components.study.ids import sentence_id
from components.study.tables import TableJson, build_table
from components.types import ItemJson, Json
from runs.language import per_language
from runs.library.service import Entry, Library, NoSuchEntry, make_title
from runs.service import RunService
from runs.store.open_run import NoSuchRun
from runs.translation import translate_part

#: Maximum number of runs in a comparison, and of lines in its chart.
MAX_RUNS = 12
_HEADS = per_language(lambda: (
    text("column.instance"), text("comparison.run"), text("column.length"), text("column.gap"), text("comparison.best"),
    text("comparison.end"), text("comparison.seed"),
))  # fmt: skip


class Shown(NamedTuple):
    """The panel's contents."""

    figure: Figure | NoUpdate = no_update
    description: str | NoUpdate = no_update
    legend: list[html.Span] | NoUpdate = no_update
    table: TableJson | NoUpdate = no_update


def panel() -> html.Section:
    """Return the panel, which `assets/library/list.js` shows during a comparison."""
    log = switch(ids.CHART_LOG, text("chart.log"))
    graph = dcc.Graph(id=ids.CHART, figure=empty_figure(), config=CONFIG)
    close = button("library-comparison-close", text("comparison.back"), "back", text=text("comparison.back"))
    return html.Section(
        [
            html.Div([close, html.H2(text("comparison.title"))], className="chart-head"),
            html.Div(id=ids.LEGEND, className="studies-legend"),
            chart(ids.CHART, text("chart.title"), [log], graph=[graph]),
            html.Div(id="library-compared", className="studies-table"),
            dcc.Store(id=ids.COMPARED_DATA),
        ],
        id="library-comparison",
        className="library-comparison studies",
        hidden=True,
        **hyphenate_names(aria_label=text("comparison.label")),
    )


def show(library: Library, run_service: RunService, request: Json, log: Json, shade: Json) -> Shown:
    """Compare the requested runs."""
    keys = parse_texts(request.get("keys"), MAX_RUNS) if isinstance(request, dict) else ()
    if not keys:
        return Shown()
    runs, missing_count = read_runs(library, run_service, keys)
    figure, description = draw(runs, bool(log), shade == "dark")
    if missing_count:
        description += f" {text('comparison.missing', count=missing_count, all=len(keys))}"
    return Shown(figure, description, legend([run.style for run in runs]), build_instance_table(runs))


def read_runs(library: Library, run_service: RunService, keys: tuple[str, ...]) -> tuple[list[ComparedRun], int]:
    """Read the runs with these keys; also return how many were unreadable."""
    readable = []
    for key in keys:
        try:
            entry = library.get(key)
            if entry.kind == "run" and (summary := run_service.summary(entry.id)):
                readable.append((entry, read_curve(run_service.path(entry.id)), summary["spec"].get("seed", 0)))
        except (NoSuchEntry, NoSuchRun, OSError, ValueError, sqlite3.Error):
            continue
    entries: list[ItemJson] = [
        {"label": _find_title(entry), "stages": [{"algorithm": entry.algorithms[0]}]} for entry, _, _ in readable
    ]
    runs = [ComparedRun(*each, style) for each, style in zip(readable, series_style(entries), strict=True)]
    return runs, len(keys) - len(runs)


def build_instance_table(runs: list[ComparedRun]) -> TableJson:
    """Return the table of instances by name, each with its shortest tour first."""
    order = sorted(runs, key=lambda each: (each.curve.instance.casefold(), each.curve.sha256, _find_last(each.curve)))
    rows = []
    for entry, run, seed, style in order:
        has_tour = run.seconds.size > 0
        best = format_integer(int(run.length[-1])) if has_tour else ""
        gap = format_result(run, True) if run.optimum is not None else text("comparison.unsolved")
        after = format_seconds(float(run.seconds[-1])) if has_tour else ""
        end = format_seconds(run.end)
        rows.append([run.instance, f"{style['letter']} {_find_title(entry)}", best, gap, after, end, str(seed)])
    return build_table(text("comparison.table"), _HEADS(), rows)


def _find_title(entry: Entry) -> str:
    return entry.name or translate_part(make_title(entry))


def _find_last(run: RunCurve) -> float:
    return float(run.length[-1]) if run.length.size else np.inf


def register(app: Dash, library: Library, run_service: RunService) -> None:
    """Update the comparison when runs are requested."""

    app.callback(
        Output(ids.CHART, "figure"),
        *outputs("children", sentence_id(ids.CHART), ids.LEGEND),
        Output(ids.COMPARED_DATA, "data"),
        Input(ids.COMPARE, "data"),
        Input(ids.CHART_LOG, "value"),
        Input(ids.SHADE, "data"),
    )(in_thread(show, library, run_service))

    data = Input(ids.COMPARED_DATA, "data")
    app.clientside_callback(ClientsideFunction("library", "table"), data, prevent_initial_call=False)
