"""Time and throughput of a study's runs, over cities, threads or a varied parameter."""

from typing import NamedTuple

import numpy as np
from dash import Dash, Input, NoUpdate, html, no_update

from components.figures.canvas import Figure
from components.figures.studies import Swept, empty_figure, rates_figure
from components.shell import facts
from components.shell.callbacks import choose, in_thread, inputs, outputs
from components.shell.controls import choices, filter_row, switch
from components.shell.numbers import THIN, format_measure, format_si, format_value
from components.shell.texts import study as text
from components.study import ids
from components.study.curves import chart, plot_outputs, read_snapshot, select_runs
from components.study.distribution import parameter_label
from components.study.matrix import entry_styles
from components.types import Json, Option
from runs.study_jobs.service import StudyService
from studies.stats.axes import NotComparable, find_unit
from studies.stats.rates import CITIES, QUANTITIES, THREADS, Line, build_lines, compute_values, list_axes
from studies.stats.table import Table

#: Factor by which a quantity is multiplied for the chart.
_SCALES = {"bandwidth": 1e-9}
#: Maximum number of points listed in the description.
_NAMED = 12


class Rates(NamedTuple):
    """The contents of the chart and its menus."""

    figure: Figure | NoUpdate = no_update
    description: str | NoUpdate = no_update
    over: list[Option] | NoUpdate = no_update
    against: list[Option] | NoUpdate = no_update


def panel() -> html.Div:
    """Return the chart and its controls."""
    # seconds first, since they apply to any study, while rates require entries with the same unit
    quantities = {name: text(f"rates.show.{name}") for name in sorted(QUANTITIES, key=lambda name: name != "seconds")}
    controls = [
        filter_row(text("rates.quantity"), ids.RATES_QUANTITY, quantities),
        filter_row(text("rates.over"), ids.RATES_OVER, {CITIES: text("rates.cities")}),
        filter_row(text("rates.against"), ids.RATES_AGAINST, {"0": "A"}),
        switch(ids.RATES_LOG_X, text("rates.log.x")),
        switch(ids.RATES_LOG_Y, text("rates.log.y")),
        html.A(
            text("rates.roofline"),
            href="../papers/?entry=speed/roofline",
            className="link",
            title=text("rates.roofline.title"),
        ),
    ]
    bar = [html.Div(controls, className="rates-choices")]
    return html.Div(chart(ids.RATES, text("rates.title"), bar, text("rates.help")), className="studies-rates")


def draw(
    studies: StudyService,
    shown: Json,
    chosen: Json,
    quantity: Json,
    x_axis: Json,
    against: Json,
    log_x: Json,
    log_y: Json,
    shade: Json,
) -> Rates:
    """Draw the chart with the current settings, or return a sentence saying why it is empty."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None:
        return Rates(empty_figure(), refused) if refused else Rates()
    table, styles, entries = select_runs(snapshot, chosen), entry_styles(snapshot), snapshot.spec.entries
    axes = list_axes(snapshot.table, entries)
    named = {CITIES: text("rates.cities"), THREADS: text("rates.threads")}
    labels = {name: named.get(name) or parameter_label(entries, name) for name in axes}
    axis_options = choices(labels)
    letters = choices({str(k): f"{style['letter']} {style['title']}" for k, style in enumerate(styles)})
    quantity, x_axis = choose(quantity, QUANTITIES, QUANTITIES[0]), choose(x_axis, axes, axes[0])
    entry = next((k for k, letter in enumerate(letters) if letter["value"] == str(against)), 0)
    try:
        of_run = _SCALES.get(quantity, 1.0) * compute_values(table, quantity, entry)
    except NotComparable as reason:
        return Rates(empty_figure(), facts.localise(str(reason)), axis_options, letters)
    lines = build_lines(table, entries, x_axis, of_run)
    if not lines:
        return Rates(empty_figure(), _explain_empty(table, quantity), axis_options, letters)
    traces = [_rate_line(line, styles) for line in lines]
    titles = (facts.lower_label(labels[x_axis]), _make_title(table, quantity, styles[entry]["letter"]))
    figure = rates_figure(traces, titles, (bool(log_x), bool(log_y)), shade == "dark")
    return Rates(figure, _describe(table, quantity, lines, styles), axis_options, letters)


def _rate_line(line: Line, styles: list[dict[str, str]]) -> Swept:
    letters = tuple(styles[entry]["letter"] for entry in line.entries)
    return Swept(styles[line.entries[0]], letters, line.x, line.median, line.lower, line.upper)


def _make_title(table: Table, quantity: str, against: str) -> str:
    """Return the y axis's title."""
    if quantity == "rate":
        return text("rates.counted.rate", units=facts.translate_plural(find_unit(table, "evaluations")))
    if quantity == "iteration":
        return text("rates.counted.iteration", unit=facts.translate_unit(find_unit(table, "iterations")))
    if quantity == "speed-up":
        return text("rates.counted.speed-up", entry=against)
    return text(f"rates.axis.{quantity}")


def _describe(table: Table, quantity: str, lines: list[Line], styles: list[dict[str, str]]) -> str:
    """Describe the medians, with cautions."""
    points = [
        f"{styles[entry]['letter']} {format_value(x)}: {_format_amount(median)}"
        for line in lines
        for entry, x, median in zip(line.entries, line.x.tolist(), line.median.tolist(), strict=True)
    ]
    if len(points) > _NAMED:
        points = [*points[:_NAMED], text("sweep.unnamed", count=len(points) - _NAMED)]
    notes = [text("rates.medians", medians="; ".join(points))]
    if quantity in ("bandwidth", "share"):
        notes.append(text("rates.bytes"))
        memory = table.measured.memory[np.isfinite(table.measured.memory)] if table.measured else np.empty(0)
        peaks = [f"{format_measure(peak)}{THIN}GB/s" for peak in np.unique(memory / 1e9).tolist()]
        notes += [text("rates.memory", peaks=", ".join(peaks))] if peaks else []
    if quantity == "joules":
        notes.append(text("rates.energy"))
    return " ".join(notes)


def _format_amount(value: float) -> str:
    return format_si(value) if value >= 1e4 else format_measure(value)


def _explain_empty(table: Table, quantity: str) -> str:
    """Explain why the chart is empty."""
    if not table.runs.length.size:
        return text("charts.none")
    if quantity == "joules" and table.measured is not None and table.measured.no_energy:
        return " ".join(table.measured.no_energy)
    return text(f"rates.none.{quantity}" if quantity in ("bandwidth", "share", "joules") else "rates.none")


def register(app: Dash, studies: StudyService) -> None:
    """Update the chart when results or settings change."""
    app.callback(
        *plot_outputs(ids.RATES),
        *outputs("options", ids.RATES_OVER, ids.RATES_AGAINST),
        Input(ids.LATER, "data"),
        *inputs(
            "value", ids.CHOSEN, ids.RATES_QUANTITY, ids.RATES_OVER, ids.RATES_AGAINST, ids.RATES_LOG_X, ids.RATES_LOG_Y
        ),
        Input(ids.SHADE, "data"),
    )(in_thread(draw, studies))
