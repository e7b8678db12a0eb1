"""A study's curve charts (anytime curves, reached targets), and helpers for all its charts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from dash import ClientsideFunction, Dash, Input, NoUpdate, Output, dcc, html, no_update
from dash.development.base_component import Component

from components.algorithm.several import badge
from components.figures.canvas import Figure
from components.figures.studies import Curve, curves_figure, empty_figure
from components.shell import facts
from components.shell.callbacks import choose, in_thread, inputs, outputs, states
from components.shell.controls import LOG_STEPS, choices, filter_row, hyphenate_names, named_select, segments, switch
from components.shell.errors import REFUSALS
from components.shell.numbers import NONE, THIN, format_integer, format_measure, format_seconds, format_si
from components.shell.texts import study as text
from components.study import ids
from components.study.address import find_open_study
from components.study.ids import sentence_id, store
from components.study.matrix import ALL, entry_styles, format_gap
from components.types import Json, Option
from runs.language import per_language
from runs.study_jobs.service import StudyService
from runs.study_jobs.snapshots import StudySnapshot
from studies.report.cautions import describe_coverage, describe_devices, describe_grid, describe_references
from studies.stats.anytime import compute_anytime
from studies.stats.axes import Grid, NotComparable, find_unit, make_grid
from studies.stats.logs import AXES
from studies.stats.table import Table
from studies.stats.targets import GAPS, compute_ecdf, count_failed_runs

_MEASURES = per_language(lambda: {"gap_percent": text("curves.gap"), "length": text("curves.length")})
#: Number of points of a drawn curve; a chart is about 500 pixels wide.
_POINTS = 240
_TARGETS = per_language(
    lambda: {
        "all": text("targets.all"),
        "1": text("targets.within-1"),
        "0.1": text("targets.within-01"),
        "0": text("targets.reference"),
    }
)


class CurveCharts(NamedTuple):
    """The contents of both curve charts."""

    axes: list[Option] | NoUpdate = no_update
    axis_note: str | NoUpdate = no_update
    legend: list[html.Span] | NoUpdate = no_update
    choices: list[Option] | NoUpdate = no_update
    anytime: Figure | NoUpdate = no_update
    anytime_description: str | NoUpdate = no_update
    ecdf: Figure | NoUpdate = no_update
    ecdf_description: str | NoUpdate = no_update


def chart(
    component_id: str,
    title: str,
    controls: Sequence[Component] = (),
    explained: str = "",
    graph: Sequence[Component] = (),
    title_id: str = "",
) -> html.Section:
    """Return a chart with head, description and CSV button; by default a `plot`, else `graph`."""
    saves = [
        html.Button(
            kind.upper(), type="button", className="save", **hyphenate_names(data_chart=component_id, data_save=kind)
        )
        for kind in ("csv", "png", "svg")
    ]
    head_id = hyphenate_names(id=title_id) if title_id else {}
    description_id = sentence_id(component_id)
    return html.Section(
        [
            html.Div(
                [
                    html.H2(title, title=explained, className="minor", **head_id),
                    *controls,
                    html.Div(saves, className="saves"),
                ],
                className="chart-head",
            ),
            html.Div(
                graph or plot(component_id),
                className="chart",
                role="img",
                **hyphenate_names(aria_label=title, aria_describedby=description_id),
            ),
            html.P(id=description_id, className="note", **hyphenate_names(aria_live="off")),
        ],
        className="studies-chart",
        **hyphenate_names(**({"aria_labelledby": title_id} if title_id else {"aria_label": title})),
    )


def plot(component_id: str) -> list:
    """Return the element in which `assets/study/plots.js` draws a chart once visible, and the chart's store.

    Dash's own graph would load Plotly, 4.8 MB of script, before everything else, and draw an empty chart first.
    """
    return [html.Div(id=component_id, className="studies-plot"), dcc.Store(id=store(component_id))]


def plot_outputs(component_id: str) -> list[Output]:
    """Return a callback's outputs for a `plot` chart: figure and description."""
    return [Output(store(component_id), "data"), Output(sentence_id(component_id), "children")]


def connect_scripts(app: Dash, function: str, *component_ids: str) -> None:
    """Let a script show a chart's or table's store whenever it changes."""
    for component_id in component_ids:
        app.clientside_callback(
            ClientsideFunction("study", function), Input(store(component_id), "data"), prevent_initial_call=False
        )


def bar() -> html.Div:
    """Return all charts' settings: instance, axis, and the legend of entries' letters."""
    axes = segments(ids.AXIS, text("charts.over"), axis_options(None), "seconds")
    return html.Div(
        [
            filter_row(text("charts.of"), ids.CHOSEN, {ALL: text("charts.all")}),
            html.Div([html.Span(text("charts.over"), className="field-label"), axes], className="filter"),
            html.Div(id=ids.LEGEND, className="studies-legend"),
            html.Div(id=ids.AXIS_NOTE, className="note"),
        ],
        className="filters",
    )


def panels() -> list[html.Section]:
    """Return both curve charts."""
    measure = segments(ids.MEASURE, text("curves.measure"), _MEASURES(), "gap_percent", "tight")
    measures = [measure, switch(ids.LOG, text("curves.log"))]
    target = named_select(ids.TARGET, text("targets.label"), choices(_TARGETS()), "all")
    return [
        chart(ids.ANYTIME, text("curves.title"), measures, text("curves.help")),
        chart(ids.ECDF, text("targets.title"), target, text("targets.help")),
    ]


def axis_options(table: Table | None) -> list[Option]:
    """Return the options for the axis; units that the entries do not share are disabled."""
    options: list[Option] = []
    for axis in AXES:
        label, disabled = text(f"axis.{axis}"), False
        try:
            if table is not None and axis != "seconds":
                label = facts.translate_plural(find_unit(table, axis))
        except NotComparable:
            disabled = True
        options.append({"value": axis, "label": facts.capitalise(label), "disabled": disabled})
    return options


def choose_axis(table: Table, axis: Json) -> tuple[str, str]:
    """Return the chosen axis, or seconds if it is unusable, and why any axes are unusable."""
    reasons: dict[str, str] = {}
    for each in AXES:
        try:
            find_unit(table, each)
        except NotComparable as error:
            reasons[each] = facts.localise(str(error))
    usable = [each for each in AXES if each not in reasons]
    return str(axis) if axis in usable else "seconds", " ".join(dict.fromkeys(reasons.values()))


def select_runs(snapshot: StudySnapshot, chosen: Json) -> Table:
    """Return the chosen instance's runs, or all runs."""
    number = find_instance(snapshot, chosen)
    if number is None:
        return snapshot.table
    return snapshot.once(("part", number), lambda: snapshot.table.take(snapshot.table.runs.instance == number))


def find_instance(snapshot: StudySnapshot, chosen: Json) -> int | None:
    """Return the chosen instance's number; None for all instances, or if this study lacks the chosen one."""
    numbers = [str(number) for number in range(len(snapshot.instances))]
    return numbers.index(chosen) if isinstance(chosen, str) and chosen in numbers else None


def build_grid(snapshot: StudySnapshot, table: Table, axis: str) -> Grid:
    """Return the grid for these runs' curves; all curves on an axis share it."""
    return snapshot.once(("grid", id(table), axis), lambda: (table, make_grid(table, axis, _POINTS)))[1]


def compute_slider_budget(table: Table, axis: str, position: Json) -> float:
    """Return the budget at a slider position, logarithmic from the first improvement to the longest run.

    The budget is unlimited at the slider's end.
    """
    improved, ends = getattr(table.logs, axis), getattr(table.runs, axis)
    try:
        share = float(str(position)) / LOG_STEPS  # a slider sends its position as text
    except ValueError:
        return np.inf
    if not 0 <= share < 1 or not (improved > 0).any():
        return np.inf
    low, high = float(improved[improved > 0].min()), float(ends.max())
    exact = low * (high / low) ** share
    return max(1.0, float(round(exact))) if axis != "seconds" else exact


def format_amount(value: float, axis: str) -> str:
    """Format a value on an axis with its unit."""
    if axis != "seconds":
        return format_integer(value) if value < 1e6 else format_si(value)
    return format_seconds(value)


def format_length(length: float) -> str:
    """Format a length or median as a whole number; a dash if missing."""
    return format_integer(float(length)) if np.isfinite(length) else NONE


def draw(
    studies: StudyService, shown: Json, chosen: Json, axis: Json, measure: Json, log: Json, target: Json, shade: Json
) -> CurveCharts:
    """Draw both curve charts with the current settings."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None:
        charts = CurveCharts(
            anytime=empty_figure(), anytime_description=refused, ecdf=empty_figure(), ecdf_description=""
        )
        return charts if refused else CurveCharts()
    table, styles, dark = select_runs(snapshot, chosen), entry_styles(snapshot), shade == "dark"
    axis, note = choose_axis(snapshot.table, axis)
    choices = [Option(value=ALL, label=text("charts.all"))]
    choices += [Option(value=str(k), label=instance.name) for k, instance in enumerate(snapshot.instances)]
    common = (axis_options(snapshot.table), note, legend(styles), choices)
    if not table.runs.length.size:
        return CurveCharts(*common, empty_figure(), text("charts.none"), empty_figure(), "")
    return CurveCharts(
        *common,
        *_draw_anytime(snapshot, table, axis, measure, bool(log), styles, dark),
        *_draw_ecdf(snapshot, table, axis, target, styles, dark),
    )


def read_snapshot(studies: StudyService, shown: Json) -> tuple[StudySnapshot | None, str]:
    """Read the current study, or say why not: its file may be deleted or replaced at any time."""
    study = find_open_study(shown)
    try:
        return (studies.snapshot(study), "") if study else (None, "")
    except REFUSALS as refusal:
        return None, facts.localise(str(refusal))


def legend(styles: list[dict[str, str]]) -> list[html.Span]:
    """Return the legend: each entry's letter and name."""
    return [html.Span([badge(style), style["title"]]) for style in styles]


def _draw_anytime(
    snapshot: StudySnapshot, table: Table, axis: str, measure: Json, log: bool, styles: list, dark: bool
) -> tuple[Figure, str]:
    valid = choose(measure, _MEASURES(), "gap_percent")
    refused, grid = "", build_grid(snapshot, table, axis)
    try:
        result = compute_anytime(table, snapshot.references, axis, valid, grid=grid)
    except NotComparable as error:
        refused, result = facts.localise(str(error)), compute_anytime(table, snapshot.references, axis, grid=grid)
    gaps = result.measure == "gap_percent"
    curves = [Curve(styles[band.entry], band.median, band.lower, band.upper) for band in result.bands]
    units = {snapshot.instances[code].unit for code in np.unique(table.runs.instance)}
    length = facts.label_length(text("axis.length"), units.pop() if len(units) == 1 else "")
    titles = (facts.translate_plural(result.grid.unit), text("axis.gap") if gaps else length)
    suffix = f"{THIN}%" if gaps else ""
    figure = curves_figure(result.grid.x, curves, titles, log=log and gaps, suffix=suffix, dark=dark)
    ends = []
    for band in result.bands:
        last = format_gap(band.median[-1]) if gaps else format_length(band.median[-1])
        ends.append(f"{styles[band.entry]['letter']} {last}")
    sentences = [
        text("curves.ends", medians=", ".join(ends)),
        refused,
        describe_steps(result.grid),
        facts.localise(describe_coverage(table)),
        facts.localise(describe_references(table, snapshot.references)),
        facts.localise(describe_devices(table)),
    ]
    return figure, " ".join(sentence for sentence in sentences if sentence)


def describe_steps(grid: Grid) -> str:
    """Return a note if curves are drawn at only some points, and where to find all."""
    note = facts.localise(describe_grid(grid))
    return f"{note} {text('curves.every-step')}" if note else ""


def _draw_ecdf(
    snapshot: StudySnapshot, table: Table, axis: str, target: Json, styles: list, dark: bool
) -> tuple[Figure, str]:
    within = choose(target, _TARGETS(), "all")
    gaps = GAPS if within == "all" else (float(within),)
    result = compute_ecdf(table, snapshot.references, axis, gaps, grid=build_grid(snapshot, table, axis))
    curves = [Curve(styles[curve.entry], curve.share) for curve in result.curves]
    title = text("axis.share-of-runs" if len(gaps) == 1 else "axis.share-of-targets")
    figure = curves_figure(
        result.grid.x, curves, (facts.translate_plural(result.grid.unit), title), share=True, dark=dark
    )
    ends = [
        f"{styles[curve.entry]['letter']} {format_measure(100 * curve.share[-1])}{THIN}%" for curve in result.curves
    ]
    lost = sum(count_failed_runs(table, curve.entry) for curve in result.curves)
    description = text("targets.ends", shares=", ".join(ends))
    return figure, f"{description} {text('targets.failed', count=lost)}" if lost else description


def register(app: Dash, studies: StudyService) -> None:
    """Update the charts when results or settings change."""

    app.callback(
        Output(ids.AXIS, "options"),
        *outputs("children", ids.AXIS_NOTE, ids.LEGEND),
        Output(ids.CHOSEN, "options"),
        *plot_outputs(ids.ANYTIME),
        *plot_outputs(ids.ECDF),
        Input(ids.SHOWN, "data"),
        *inputs("value", ids.CHOSEN, ids.AXIS, ids.MEASURE, ids.LOG, ids.TARGET),
        Input(ids.SHADE, "data"),
    )(in_thread(draw, studies))

    connect_scripts(app, "plot", ids.ECDF, ids.SPREAD, ids.SWEEP, ids.RATES, ids.ACCURACY)
    app.clientside_callback(
        ClientsideFunction("study", "first"),
        Output(ids.LATER, "data"),
        Input(store(ids.ANYTIME), "data"),
        *states("data", ids.SHOWN, ids.LATER),
    )
