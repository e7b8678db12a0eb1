"""The tables of a study: expected running times, and climbers against accuracy for any stopping quantity."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import dash
import numpy as np
from dash import ClientsideFunction, Input, Output, dcc, html, no_update

from components.figures.studies import Curve, curves_figure, empty_figure
from components.shell import text
from components.shell.callbacks import in_thread
from components.shell.controls import attributes, choices, named_select
from components.study import ids
from components.study.curves import (  # fmt: skip
    amount,
    budget_of,
    chart,
    grid_of,
    number_of,
    part,
    plot,
    seen_of,
    steps_in_words,
    usable_axis,
)
from components.study.ids import store
from components.study.matrix import looks_of
from runs.study_jobs.snapshots import StudySnapshot
from studies.stats.accuracy import Accuracy, MedianRange, accuracies
from studies.stats.anytime import anytime
from studies.stats.axes import NotComparable
from studies.stats.logs import AXES
from studies.stats.running_time import GAPS, FixedTarget, expected_times
from studies.stats.table import Table
from studies.stats.targets import first_hits

#: Most rows that a table shows.
_MOST = 100
_TIMES = ("Instance", "Entry", *("0 %" if gap == 0 else f"{gap:g} %" for gap in GAPS))
_ACCURACIES = ("Entry", "", "runs", "median length", "least", "greatest", "accuracy", "least", "greatest")


class Told(NamedTuple):
    """The contents of climbers against accuracy."""

    figure: Any = no_update
    says: Any = no_update
    table: Any = no_update


TableJson = dict[str, Any]  #: the data from which `assets/studiestables.js` makes a table


def table_of(title: str, heads: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> TableJson:
    """A table as the scripts draw it: its first two columns are text, the others numbers.

    It is not made of Dash components, since each of those listens to every change of the page: a table of some
    thousand cells would take seconds.
    """
    return {"title": title, "heads": list(heads), "rows": [list(row) for row in rows], "note": note}


def place(component_id: str) -> list:
    """The element of a table, and the store that holds it."""
    return [html.Div(id=component_id, className="studies-table"), dcc.Store(id=store(component_id))]


def panels() -> list[html.Section]:
    """Expected running times, and climbers against accuracy."""
    options = choices({axis: axis.capitalize() for axis in AXES})
    quantity = named_select(ids.QUANTITY, "Stopping quantity", options, "iterations")
    accuracy = chart(
        ids.ACCURACY, ids.ACCURACY_SAYS, "Climbers against accuracy", quantity,
        "How near the optimum runs are after so many climbers, or of whatever else ends a run",
        plot(ids.ACCURACY),
    )  # fmt: skip
    accuracy.children.extend(place(ids.ACCURACIES))
    times = html.Section(
        [html.Div(html.H3("Expected running time"), className="chart-head"), *place(ids.TIMES)],
        className="studies-chart",
        **attributes(aria_label="Expected running time"),
    )
    return [times, accuracy]


def times(studies, shown: Any, chosen: Any, axis: Any, position: Any) -> TableJson | None:
    """The expected running times to within 1 % and 0.1 % of the reference and to it, at the slider's budget."""
    seen, refused = seen_of(studies, shown)
    if seen is None or not seen.table.runs.length.size:
        return table_of("Expected running times", _TIMES, [], refused) if refused else None
    whole = part(seen, chosen)
    axis, _ = usable_axis(seen.table, axis)
    budget, (table, every) = budget_of(whole, axis, position), listed(seen, whole)
    hits = seen.once(("hits", id(table), axis), lambda: (table, first_hits(table, seen.references, axis, GAPS)))[1]
    found = expected_times(table, seen.references, axis, budget=budget, hits=hits)
    looks, rows = looks_of(seen), []
    for first in range(0, min(every, _MOST) * len(GAPS), len(GAPS)):
        targets = found[first : first + len(GAPS)]
        look = looks[targets[0].entry]
        name = seen.instances[targets[0].instance].name
        rows.append([name, f"{look['letter']} {look['title']}", *(_time(each, axis) for each in targets)])
    less = f" The first {_MOST} of {text.grouped(every)} rows are shown: choose an instance." if every > _MOST else ""
    lost = (
        " Runs that failed count as runs without success that used up their whole budget."
        if any(each.failed for each in found)
        else ""
    )
    note = (
        f"In {axis}, to come within so much of the optimum, or of what else gaps are measured from, if a run that ends "
        f"without it is followed by one with another seed. In brackets how many runs came there.{lost}{less}"
    )
    return table_of("Expected running times", _TIMES, rows, note)


def listed(seen: StudySnapshot, whole: Table) -> tuple[Table, int]:
    """The runs of the first instances, as many as the table has rows for, and the number of rows of all instances."""
    failed = 0 if whole.plan is None else whole.plan.failed
    every = (whole.counts(whole.runs) + failed > 0).sum(axis=1)
    places = np.flatnonzero(np.cumsum(every) >= _MOST)
    if not places.size or places[0] == every.size - 1:
        return whole, int(every.sum())
    last = int(places[0])
    kept = seen.once(("listed", id(whole)), lambda: (whole, whole.take(whole.runs.instance <= last)))
    return kept[1], int(every.sum())


def _time(target: FixedTarget, axis: str) -> str:
    reached = f"({target.successes}/{target.runs})"
    return f"{amount(target.expected, axis)} {reached}" if np.isfinite(target.expected) else f"never {reached}"


def accuracy(studies, shown: Any, chosen: Any, quantity: Any, shade: Any) -> Told:
    """The curve and the table of climbers against accuracy, for one instance: the first if none is chosen."""
    seen, refused = seen_of(studies, shown)
    if seen is None:
        return Told(empty_figure(), refused, None) if refused else Told()
    number = number_of(seen, chosen) or 0
    table, looks = part(seen, str(number)), looks_of(seen)
    if not table.runs.length.size:
        return Told(empty_figure(), "No run is finished yet.", None)
    axis, refused = usable_axis(table, quantity)
    name = seen.instances[number].name
    rows = [_row(each, looks[each.entry], axis) for each in accuracies(table, seen.references, axis)]
    listed = table_of(f"Climbers against accuracy, {name}", (*_ACCURACIES[:1], axis, *_ACCURACIES[2:]), rows[:_MOST])
    if not seen.references.known[number]:
        return Told(
            empty_figure(), f"No optimum of {name} is known, so there is no accuracy. {refused}".strip(), listed
        )
    figure, ends = _curve(seen, table, axis, looks, shade == "dark")
    return Told(figure, " ".join(each for each in (f"{name} alone.", ends, refused) if each), listed)


def _curve(seen: StudySnapshot, table: Table, axis: str, looks: list, dark: bool) -> tuple[Any, str]:
    """The curve of the accuracy, and the last values of its medians."""
    try:
        found = anytime(table, seen.references, axis, "accuracy_percent", grid=grid_of(seen, table, axis))
    except NotComparable:
        return empty_figure(), ""
    curves = [Curve(looks[band.entry], band.median, band.lower, band.upper) for band in found.bands]
    titles, suffix = (text.plural(found.grid.unit), "accuracy"), f"{text.THIN}%"
    ends = [f"{looks[band.entry]['letter']} {band.median[-1]:.3f}{suffix}" for band in found.bands]
    figure = curves_figure(found.grid.x, curves, titles, suffix=suffix, dark=dark)
    return figure, f"Medians at the end: {', '.join(ends)}. {steps_in_words(found.grid)}".strip()


def _row(told: Accuracy, look: dict[str, str], axis: str) -> list[str]:
    lengths = [text.grouped(round(value)) for value in _three(told.length)]
    near = (
        ["\u2013"] * 3 if told.accuracy_percent is None else [f"{value:.3f}" for value in _three(told.accuracy_percent)]
    )
    return [f"{look['letter']} {look['title']}", amount(told.at, axis), str(told.runs), *lengths, *near]


def _three(middle: MedianRange) -> tuple[float, float, float]:
    return middle.median, middle.least, middle.greatest


def register(app: dash.Dash, studies) -> None:
    """Fill the tables whenever there are new results, or a setting changes."""

    app.callback(
        Output(store(ids.TIMES), "data"),
        Input(ids.LATER, "data"),
        Input(ids.CHOSEN, "value"),
        Input(ids.AXIS, "value"),
        Input(ids.BUDGET, "value"),
    )(in_thread(times, studies))

    app.callback(
        Output(store(ids.ACCURACY), "data"),
        Output(ids.ACCURACY_SAYS, "children"),
        Output(store(ids.ACCURACIES), "data"),
        Input(ids.LATER, "data"),
        Input(ids.CHOSEN, "value"),
        Input(ids.QUANTITY, "value"),
        Input(ids.SHADE, "data"),
    )(in_thread(accuracy, studies))

    for table in (ids.TIMES, ids.ACCURACIES, ids.RANKS, ids.COMPARED):
        app.clientside_callback(
            ClientsideFunction("studies", "table"), Input(store(table), "data"), prevent_initial_call=False
        )
    app.clientside_callback(
        ClientsideFunction("studies", "matrix"),
        Input(store(ids.MATRIX), "data"),
        Input(ids.CHOSEN, "value"),
        prevent_initial_call=False,
    )
