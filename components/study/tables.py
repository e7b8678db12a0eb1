"""A study's tables: expected running times, and climbers against accuracy for any stopping quantity."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from dash import ClientsideFunction, Dash, Input, NoUpdate, Output, dcc, html, no_update

from components.figures.canvas import Figure
from components.figures.studies import Curve, curves_figure, empty_figure
from components.shell import facts
from components.shell.callbacks import in_thread, inputs
from components.shell.controls import choices, hyphenate_names, named_select
from components.shell.numbers import NONE, THIN, format_fixed, format_measure
from components.shell.texts import study as text
from components.study import ids
from components.study.curves import (  # fmt: skip
    axis_options,
    build_grid,
    chart,
    choose_axis,
    compute_slider_budget,
    connect_scripts,
    describe_steps,
    find_instance,
    format_amount,
    format_length,
    plot_outputs,
    read_snapshot,
    select_runs,
)
from components.study.ids import store
from components.study.matrix import entry_styles
from components.types import Json, Option
from runs.language import per_language
from runs.study_jobs.service import StudyService
from runs.study_jobs.snapshots import StudySnapshot
from studies.report.cautions import join_names
from studies.stats.accuracy import Accuracy, MedianRange, compute_accuracies
from studies.stats.anytime import compute_anytime
from studies.stats.axes import find_unit
from studies.stats.logs import AXES
from studies.stats.running_time import GAPS, FixedTarget, compute_expected_times
from studies.stats.table import Table
from studies.stats.targets import find_first_hits

#: Maximum number of rows of a table.
_MAX_ROWS = 100
_TIMES = per_language(
    lambda: (text("table.instance"), text("table.entry"), *(f"{format_measure(gap)}{THIN}%" for gap in GAPS))
)
_RANGE = per_language(lambda: (text("table.least"), text("table.greatest")))
_ACCURACIES = per_language(
    lambda: (text("table.runs"), text("accuracy.length"), *_RANGE(), text("axis.accuracy"), *_RANGE())
)


class AccuracyView(NamedTuple):
    """The contents of climbers against accuracy."""

    figure: Figure | NoUpdate = no_update
    description: str | NoUpdate = no_update
    table: "TableJson | NoUpdate | None" = no_update
    quantities: list[Option] | NoUpdate = no_update
    quantity: str | NoUpdate = no_update
    title: str | NoUpdate = no_update


class TableJson(TypedDict):
    """The data from which `assets/common/charts/tables.js` builds a table."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    note: str


def build_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> TableJson:
    """Return a table for the scripts: two columns of text, then numbers.

    It is not made of Dash components, each of which reacts to every change of the page: a table of a thousand cells
    would take seconds.
    """
    return {"title": title, "heads": list(heads), "rows": [list(row) for row in rows], "note": note}


def place(component_id: str) -> list:
    """Return a table's element, and its store."""
    return [html.Div(id=component_id, className="studies-table"), dcc.Store(id=store(component_id))]


def panels() -> list[html.Section]:
    """Return the expected running times, and climbers against accuracy."""
    options = choices({axis: facts.capitalise(text(f"axis.{axis}")) for axis in AXES})
    quantity = named_select(ids.QUANTITY, text("accuracy.quantity"), options, "iterations")
    accuracy = chart(ids.ACCURACY, text("accuracy.title"), quantity, text("accuracy.help"), title_id=ids.ACCURACY_TITLE)
    accuracy.children.extend(place(ids.ACCURACIES))
    times = html.Section(
        [html.Div(html.H2(text("times.title"), className="minor"), className="chart-head"), *place(ids.TIMES)],
        className="studies-chart",
        **hyphenate_names(aria_label=text("times.title")),
    )
    return [times, accuracy]


def build_times(studies: StudyService, shown: Json, chosen: Json, axis: Json, position: Json) -> TableJson | None:
    """Return expected running times to within 1 %, 0.1 % and 0 % of the reference, at the slider's budget."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None or not snapshot.table.runs.length.size:
        return build_table(text("times.title"), _TIMES(), [], refused) if refused else None
    whole = select_runs(snapshot, chosen)
    axis, _ = choose_axis(snapshot.table, axis)
    budget, (table, every) = compute_slider_budget(whole, axis, position), select_first_rows(snapshot, whole)
    hits = snapshot.once(
        ("hits", id(table), axis), lambda: (table, find_first_hits(table, snapshot.references, axis, GAPS))
    )[1]
    all_targets = compute_expected_times(table, snapshot.references, axis, budget=budget, hits=hits)
    styles, rows = entry_styles(snapshot), []
    for first in range(0, min(every, _MAX_ROWS) * len(GAPS), len(GAPS)):
        targets = all_targets[first : first + len(GAPS)]
        style = styles[targets[0].entry]
        name = snapshot.instances[targets[0].instance].name
        rows.append([name, f"{style['letter']} {style['title']}", *(_format_time(target, axis) for target in targets)])
    note = [text("times.note", axis=text(f"axis.{axis}"))]
    if any(target.failed for target in all_targets):
        note.append(text("times.failed"))
    if every > _MAX_ROWS:
        note.append(text("times.cut", most=_MAX_ROWS, all=every))
    return build_table(text("times.title"), _TIMES(), rows, " ".join(note))


def select_first_rows(snapshot: StudySnapshot, whole: Table) -> tuple[Table, int]:
    """Return the runs of the first instances that fit into the table, and how many rows all have."""
    failed = 0 if whole.plan is None else whole.plan.failed
    every = (whole.counts(whole.runs) + failed > 0).sum(axis=1)
    full = np.flatnonzero(np.cumsum(every) >= _MAX_ROWS)
    if not full.size or full[0] == every.size - 1:
        return whole, int(every.sum())
    last = int(full[0])
    cached = snapshot.once(("listed", id(whole)), lambda: (whole, whole.take(whole.runs.instance <= last)))
    return cached[1], int(every.sum())


def _format_time(target: FixedTarget, axis: str) -> str:
    expected = format_amount(target.expected, axis) if np.isfinite(target.expected) else text("times.never")
    return f"{expected} ({target.successes}/{target.runs})"


def draw_accuracy(studies: StudyService, shown: Json, chosen: Json, quantity: Json, shade: Json) -> AccuracyView:
    """Return curve and table of climbers against accuracy, for all instances together or the chosen one."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None:
        return AccuracyView(empty_figure(), refused, None) if refused else AccuracyView()
    table, styles, number = select_runs(snapshot, chosen), entry_styles(snapshot), find_instance(snapshot, chosen)
    # The menu lists the available quantities, and selects the current one.
    axis, note = choose_axis(snapshot.table, quantity)
    units = facts.capitalise(facts.translate_plural(find_unit(snapshot.table, axis)))
    title = text("accuracy.title-of", units=units)
    menu = (axis_options(snapshot.table), axis if axis != quantity else no_update, title)
    if not table.runs.length.size:
        return AccuracyView(empty_figure(), text("charts.none"), None, *menu)
    table_json = _build_accuracies(snapshot, table, number, axis, units)
    known = snapshot.references.known[np.unique(table.runs.instance)]
    if not known.any():
        return AccuracyView(
            empty_figure(), f"{_describe_instances(snapshot, number)} {note}".strip(), table_json, *menu
        )
    figure, ends = _draw_curve(snapshot, table, axis, styles, shade == "dark")
    return AccuracyView(figure, f"{_describe_instances(snapshot, number)} {ends} {note}".strip(), table_json, *menu)


def _describe_instances(snapshot: StudySnapshot, number: int | None) -> str:
    """Describe the instances on which the accuracy was measured."""
    names, known = [instance.name for instance in snapshot.instances], snapshot.references.known
    unknown = [name for name, is_known in zip(names, known, strict=True) if not is_known]
    if number is not None or len(names) == 1:
        name = names[number or 0]
        return text("accuracy.unknown" if name in unknown else "accuracy.of", instance=name)
    if len(unknown) == len(names):
        return text("accuracy.unknown", instance=join_names(names))
    summary = text("accuracy.all", count=len(names))
    return f"{summary} {text('accuracy.left-out', names=join_names(unknown))}" if unknown else summary


def _build_accuracies(snapshot: StudySnapshot, table: Table, number: int | None, axis: str, units: str) -> TableJson:
    """Return the table of accuracies, with a column for instances if there are several."""
    styles, several = entry_styles(snapshot), number is None and len(snapshot.instances) > 1
    results = compute_accuracies(table, snapshot.references, axis)
    rows = [_row(result, styles[result.entry], axis) for result in results[:_MAX_ROWS]]
    heads = [text("table.entry"), facts.translate_plural(find_unit(snapshot.table, axis)), *_ACCURACIES()]
    note = text("times.cut", most=_MAX_ROWS, all=len(results)) if len(results) > _MAX_ROWS else ""
    if not several:
        name = snapshot.instances[number or 0].name
        return build_table(text("accuracy.table", units=units, instance=name), heads, rows, note)
    rows = [[snapshot.instances[result.instance].name, *row] for result, row in zip(results, rows, strict=False)]
    return build_table(text("accuracy.table-all", units=units), [text("table.instance"), *heads], rows, note)


def _draw_curve(snapshot: StudySnapshot, table: Table, axis: str, styles: list, dark: bool) -> tuple[Figure, str]:
    """Return the curve of accuracy, and the last value of each entry's medians."""
    result = compute_anytime(
        table, snapshot.references, axis, "accuracy_percent", grid=build_grid(snapshot, table, axis)
    )
    curves = [Curve(styles[band.entry], band.median, band.lower, band.upper) for band in result.bands]
    titles, suffix = (facts.translate_plural(result.grid.unit), text("axis.accuracy")), f"{THIN}%"
    ends = [f"{styles[band.entry]['letter']} {_format_accuracy(band.median[-1])}{suffix}" for band in result.bands]
    figure = curves_figure(result.grid.x, curves, titles, suffix=suffix, dark=dark)
    return figure, f"{text('curves.ends', medians=', '.join(ends))} {describe_steps(result.grid)}".strip()


def _format_accuracy(percent: float) -> str:
    return format_fixed(percent, 3) if np.isfinite(percent) else NONE


def _row(result: Accuracy, style: dict[str, str], axis: str) -> list[str]:
    lengths = [format_length(value) for value in _format_median_range(result.length)]
    percents = result.accuracy_percent
    near = [NONE] * 3 if percents is None else [_format_accuracy(value) for value in _format_median_range(percents)]
    return [f"{style['letter']} {style['title']}", format_amount(result.at, axis), str(result.runs), *lengths, *near]


def _format_median_range(values: MedianRange) -> tuple[float, float, float]:
    return values.median, values.minimum, values.maximum


def register(app: Dash, studies: StudyService) -> None:
    """Update the tables when results or settings change."""

    app.callback(
        Output(store(ids.TIMES), "data"),
        Input(ids.LATER, "data"),
        *inputs("value", ids.CHOSEN, ids.AXIS, ids.BUDGET),
    )(in_thread(build_times, studies))

    app.callback(
        *plot_outputs(ids.ACCURACY),
        Output(store(ids.ACCURACIES), "data"),
        Output(ids.QUANTITY, "options"),
        Output(ids.QUANTITY, "value"),
        Output(ids.ACCURACY_TITLE, "children"),
        Input(ids.LATER, "data"),
        *inputs("value", ids.CHOSEN, ids.QUANTITY),
        Input(ids.SHADE, "data"),
    )(in_thread(draw_accuracy, studies))

    connect_scripts(app, "table", ids.TIMES, ids.ACCURACIES, ids.RANKS, ids.COMPARED)
    app.clientside_callback(
        ClientsideFunction("study", "matrix"),
        Input(store(ids.MATRIX), "data"),
        Input(ids.CHOSEN, "value"),
        prevent_initial_call=False,
    )
