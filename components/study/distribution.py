"""Distributions at the slider's budget and, if a parameter varies, medians over its values."""

from collections.abc import Mapping
from typing import NamedTuple

import dash_bootstrap_components as dbc
import numpy as np
from dash import ClientsideFunction, Dash, Input, NoUpdate, Output, html, no_update

from components.figures.canvas import Figure
from components.figures.studies import FLOOR, POINTS, Swept, empty_figure, spread_figure, sweep_figure
from components.shell import facts
from components.shell.callbacks import in_thread, inputs
from components.shell.controls import LOG_STEPS
from components.shell.numbers import THIN, format_measure, format_value
from components.shell.texts import study as text
from components.study import ids
from components.study.curves import (
    chart,
    choose_axis,
    compute_slider_budget,
    format_amount,
    plot_outputs,
    read_snapshot,
    select_runs,
)
from components.study.matrix import entry_styles, format_gap
from components.types import Json
from runs.study_jobs.service import StudyService
from runs.translation import translate
from solvers import find
from studies.spec.spec import Entry, StudySpec
from studies.stats.quantiles import compute_quantiles
from studies.stats.references import References, gap_percent
from studies.stats.step_functions import lengths_at_budget
from studies.stats.sweep import find_sweep
from studies.stats.table import Table


class Spread(NamedTuple):
    """Distributions at a budget, and the slider's position on the axis."""

    figure: Figure | NoUpdate = no_update
    description: str | NoUpdate = no_update
    budget: str | NoUpdate = no_update
    mark: float | NoUpdate | None = no_update
    sweep: Figure | NoUpdate = no_update
    sweep_description: str | NoUpdate = no_update
    sweep_title: str | NoUpdate = no_update
    sweep_class: str | NoUpdate = no_update


def panel() -> html.Section:
    """Return the chart of distributions."""
    return chart(ids.SPREAD, text("spread.title"), explained=text("spread.help"))


def slider() -> html.Div:
    """Return the slider that sets the budget for distributions and expected times."""
    control = dbc.Input(id=ids.BUDGET, type="range", min=0, max=LOG_STEPS, step=1, value=LOG_STEPS, class_name="slider")
    label = html.Label(text("spread.budget"), htmlFor=ids.BUDGET, className="field-label")
    return html.Div([label, control, html.Output(id=ids.BUDGET_SENTENCE)], className="studies-budget")


def sweep_panel() -> html.Div:
    """Return the curve over a parameter, hidden in studies that vary none."""
    panel = chart(ids.SWEEP, text("sweep.panel"), explained=text("sweep.help"), title_id=ids.SWEEP_TITLE)
    return html.Div(panel, id=ids.SWEEP_PANEL, className="studies-sweep none")


def draw_spread(
    studies: StudyService, shown: Json, chosen: Json, axis: Json, position: Json, log: Json, shade: Json
) -> Spread:
    """Draw the distributions at a budget."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None:
        return Spread(empty_figure(), refused, "", None) if refused else Spread()
    table, styles, dark = select_runs(snapshot, chosen), entry_styles(snapshot), shade == "dark"
    if not table.runs.length.size:
        return Spread(empty_figure(), "", "", None)
    axis, _ = choose_axis(snapshot.table, axis)
    budget = compute_slider_budget(table, axis, position)
    values = compute_gaps(table, snapshot.references, axis, budget)
    boxes, medians = [], []
    for entry, gaps in values.items():
        five_numbers, finite = compute_quantiles(gaps, (0.0, 0.25, 0.5, 0.75, 1.0)), gaps[np.isfinite(gaps)]
        boxes.append((styles[entry], finite, five_numbers))
        median, without = f"{styles[entry]['letter']} {format_gap(five_numbers[2])}", gaps.size - finite.size
        medians.append(text("spread.some", median=median, count=without, all=gaps.size) if without else median)
    at = text("spread.ends") if budget == np.inf else format_amount(budget, axis)
    notes = [text("spread.medians", at=at, medians=", ".join(medians)), _thinning_note(boxes)]
    notes += [text("spread.floor", floor=f"{format_measure(FLOOR)}{THIN}%")] if log else []
    description = " ".join(note for note in notes if note)
    mark = None if budget == np.inf else budget
    figure = spread_figure(boxes, log=bool(log), dark=dark)
    sweep = draw_sweep(snapshot.spec, values, styles, at, log=bool(log), dark=dark)
    return Spread(figure, description, at, mark, *sweep)


def compute_gaps(table: Table, references: References, axis: str, budget: float) -> dict[int, np.ndarray]:
    """Return every entry's gaps at a budget by code; infinite before the first tour."""
    runs = table.runs
    gaps = gap_percent(lengths_at_budget(table, axis, budget), references.length[runs.instance])
    return {entry: gaps[table.entry_mask(entry)] for entry in np.unique(runs.entry).tolist()}


def _thinning_note(boxes: list[tuple[dict[str, str], np.ndarray, np.ndarray]]) -> str:
    """Return a note if points are left out."""
    most = max(1, POINTS // len(boxes))
    more = max(finite.size for _, finite, _ in boxes)
    if more <= most:
        return ""
    return text("spread.thinned", most=most, all=more)


def register(app: Dash, studies: StudyService) -> None:
    """Update the charts when results change or the slider moves."""

    app.callback(
        *plot_outputs(ids.SPREAD),
        Output(ids.BUDGET_SENTENCE, "children"),
        Output(ids.MARK, "data"),
        *plot_outputs(ids.SWEEP),
        Output(ids.SWEEP_TITLE, "children"),
        Output(ids.SWEEP_PANEL, "className"),
        Input(ids.LATER, "data"),
        *inputs("value", ids.CHOSEN, ids.AXIS, ids.BUDGET, ids.LOG),
        Input(ids.SHADE, "data"),
    )(in_thread(draw_spread, studies))

    app.clientside_callback(ClientsideFunction("study", "mark"), Input(ids.MARK, "data"), prevent_initial_call=False)


_HIDDEN, _VISIBLE = "studies-sweep none", "studies-sweep"
#: Maximum number of values listed in the description.
_NAMED = 8


def parameter_label(entries: tuple[Entry, ...], name: str) -> str:
    """Return a parameter's label in the form."""
    for stage in (stage for entry in entries for stage in entry.stages):
        for declared in find(stage.algorithm).params.schema():
            if declared.name == name:
                return translate(declared.label)
    return name


def draw_sweep(
    spec: StudySpec, gaps: Mapping[int, np.ndarray], styles: list[dict[str, str]], at: str, *, log: bool, dark: bool
) -> tuple[Figure, str, str, str]:
    """Return the chart, description, title and its element's classes, hidden if no parameter varies.

    Parameters
    ----------
    spec : StudySpec
    gaps : mapping of int to ndarray
        Gaps of every entry's runs, in per cent, by the entry's code.
    styles : list of dict
        Styles of the entries.
    at : str
        Budget at which the gaps are taken, in words.
    log, dark : bool
    """
    sweep = find_sweep(spec.entries)
    lines = [] if sweep is None else [line for each in sweep.lines if (line := _build_line(each, gaps, styles))]
    if sweep is None or not lines:
        return empty_figure(), "", "", _HIDDEN
    label = parameter_label(spec.entries, sweep.name)
    figure = sweep_figure(lines, facts.lower_label(label), log=log, dark=dark)
    return (
        figure,
        _describe_sweep(lines, at, len(styles)),
        text("sweep.title", parameter=facts.lower_label(label)),
        _VISIBLE,
    )


def _build_line(line: tuple[tuple[float, int], ...], gaps: Mapping[int, np.ndarray], styles: list) -> Swept | None:
    finished = [(value, entry) for value, entry in line if entry in gaps]
    if not finished:
        return None
    lower, median, upper = np.array([compute_quantiles(gaps[entry]) for _, entry in finished]).T
    letters = tuple(styles[entry]["letter"] for _, entry in finished)
    return Swept(styles[finished[0][1]], letters, np.array([value for value, _ in finished]), median, lower, upper)


def _describe_sweep(lines: list[Swept], at: str, entries: int) -> str:
    """Describe the medians, and each line's best value."""
    texts = []
    for line in lines:
        medians = zip(line.x.tolist(), line.median.tolist(), strict=True)
        pairs = [f"{format_value(value)}: {format_gap(gap)}" for value, gap in medians]
        more = [text("sweep.unnamed", count=len(pairs) - _NAMED)] if len(pairs) > _NAMED else []
        named = ", ".join([*pairs[:_NAMED], *more])
        if np.isfinite(line.median).any():
            named = text("sweep.least", medians=named, value=format_value(line.x[np.nanargmin(line.median)]))
        texts.append(named)
    others = entries - sum(line.x.size for line in lines)
    summary = text("sweep.medians", at=at, medians="; ".join(texts))
    return f"{summary} {text('sweep.others', count=others)}" if others else summary
