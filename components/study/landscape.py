"""The landscape of tours, computed on request: distance against gap, and a random walk."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from dash import Dash, Input, NoUpdate, Output, html, no_update

from components.figures.canvas import Figure
from components.figures.landscape import POINTS, distance_figure, walk_figure
from components.figures.studies import empty_figure
from components.shell import facts
from components.shell.callbacks import in_thread, inputs
from components.shell.controls import switch
from components.shell.errors import REFUSALS
from components.shell.numbers import THIN, format_fixed
from components.shell.texts import study as text
from components.study import ids
from components.study.address import find_open_study
from components.study.curves import chart, connect_scripts, find_instance, plot_outputs, read_snapshot
from components.study.matrix import entry_styles
from components.types import Json
from data.instance import Instance
from runs.study_jobs.service import StudyService
from runs.study_jobs.snapshots import StudySnapshot
from studies.stats.landscape import (
    Autocorrelation,
    Distances,
    compute_autocorrelation,
    count_steps,
    has_walk,
    measure_distances,
    random_walk,
)

#: Maximum number of cities for a random walk, whose steps reverse segments of a tour.
_MAX_CITIES = 20_000
_ON, _OFF = "studies-asked", "studies-asked off"


class View(NamedTuple):
    """The contents of both charts."""

    distance: Figure | NoUpdate = no_update
    distance_description: str | NoUpdate = no_update
    walk: Figure | NoUpdate = no_update
    walk_description: str | NoUpdate = no_update
    style: str | NoUpdate = no_update


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """Results so far on an instance's landscape.

    Attributes
    ----------
    instance : Instance
    entry : ndarray, shape (r,), int64
        Entry of each tour.
    distances : Distances or None
        None without a tour.
    walk : Autocorrelation or None
        None without a walk.
    """

    instance: Instance
    entry: np.ndarray
    distances: Distances | None
    walk: Autocorrelation | None


def panel() -> html.Div:
    """Return both charts, and the switch that requests them."""
    controls = [switch(ids.LANDSCAPE_ON, text("landscape.show"), value=False)]
    charts = [
        chart(ids.DISTANCE, text("landscape.distance"), controls, text("landscape.distance.help")),
        chart(ids.WALK, text("landscape.walk"), explained=text("landscape.walk.help")),
    ]
    return html.Div(html.Div(charts, className="studies-charts"), id=ids.LANDSCAPE_PANEL, className=_OFF)


def draw(studies: StudyService, shown: Json, chosen: Json, requested: Json, shade: Json) -> View:
    """Draw both charts for the chosen instance, or the first; empty until requested."""
    study, (snapshot, refused) = find_open_study(shown), read_snapshot(studies, shown)
    if study is None or snapshot is None:
        return View(empty_figure(), refused, empty_figure(), "", _OFF) if refused else View()
    if not requested:
        return View(empty_figure(), text("landscape.off"), empty_figure(), "", _OFF)
    number = find_instance(snapshot, chosen) or 0
    try:
        landscape = _compute_landscape(studies, snapshot, study, number)
    except REFUSALS as refusal:
        return View(empty_figure(), facts.localise(str(refusal)), empty_figure(), "", _ON)
    dark = shade == "dark"
    first = len(snapshot.instances) > 1 and find_instance(snapshot, chosen) is None
    name = snapshot.instances[number].name
    return View(*_draw_gaps(snapshot, landscape, name, first, dark), *_draw_walk(landscape, dark), _ON)


def _compute_landscape(studies: StudyService, snapshot: StudySnapshot, study: str, number: int) -> Landscape:
    """Return an instance's landscape from its runs' best tours, and a random walk with seed 1."""

    def compute() -> Landscape:
        with studies.reader(study) as reader:
            instance = reader.instance(number)
            of_cell = {row.cell.number: row.cell.entry for row in reader.cells()}
            cells, orders = [], []
            for cell, order in reader.tours(number):
                cells.append(cell)
                orders.append(order)
        entry = np.array([of_cell[cell] for cell in cells], np.int64)
        measured = measure_distances(instance, orders) if orders else None
        walk = None
        if has_walk(instance) and instance.n <= _MAX_CITIES:
            walk = compute_autocorrelation(random_walk(instance, count_steps(instance.n), 1), instance.n)
        return Landscape(instance, entry, measured, walk)

    return snapshot.once(("landscape", number), compute)


def _draw_gaps(snapshot: StudySnapshot, landscape: Landscape, name: str, first: bool, dark: bool) -> tuple[Figure, str]:
    measured, instance = landscape.distances, landscape.instance
    if measured is None:
        return empty_figure(), text("charts.none")
    styles, points = entry_styles(snapshot), []
    each = max(1, POINTS // max(1, len(np.unique(landscape.entry))))
    values = 100.0 * (measured.length - measured.reference) / measured.reference
    for entry in np.unique(landscape.entry).tolist():
        rows = np.flatnonzero(landscape.entry == entry)[:each]
        points.append((styles[entry], measured.distance[rows].astype(np.float64), values[rows]))
    reference = "shortest" if not measured.known else "optimal" if instance.proven else "best-known"
    titles = text(f"landscape.axis.from-{reference}"), text(f"landscape.axis.gap-{reference}")
    counts = {"tours": len(measured.length), "n": instance.n}
    least, most = int(measured.distance.min()), int(measured.distance.max())
    sentences = [text(f"landscape.far.{reference}", instance=name, least=least, most=most, **counts)]
    # For each entry alone: one correlation of all tours would also show which entry is better.
    correlations = {
        entry: measured.take(landscape.entry == entry).correlation for entry in np.unique(landscape.entry).tolist()
    }
    defined = [f"{styles[entry]['letter']} {format_fixed(r, 2)}" for entry, r in correlations.items() if np.isfinite(r)]
    if defined:
        sentences.append(text("landscape.correlation", entries=", ".join(defined)))
    else:
        sentences.append(text("landscape.correlation.none"))
    if first:
        sentences.append(text("backbone.first"))
    return distance_figure(points, titles, f"{THIN}%", dark), " ".join(sentences)


def _draw_walk(landscape: Landscape, dark: bool) -> tuple[Figure, str]:
    walk, n = landscape.walk, landscape.instance.n
    if walk is None:
        if landscape.instance.directed:
            return empty_figure(), text("landscape.no-walk.directed")
        return empty_figure(), text("landscape.no-walk.size")
    if not np.isfinite(walk.length):
        return walk_figure(walk, dark), text("landscape.walk.none", steps=walk.steps)
    return walk_figure(walk, dark), text("landscape.walk.says", steps=walk.steps, length=round(walk.length), n=n)


def register(app: Dash, studies: StudyService) -> None:
    """Update the charts when results or settings change."""
    app.callback(
        *plot_outputs(ids.DISTANCE),
        *plot_outputs(ids.WALK),
        Output(ids.LANDSCAPE_PANEL, "className"),
        Input(ids.LATER, "data"),
        *inputs("value", ids.CHOSEN, ids.LANDSCAPE_ON),
        Input(ids.SHADE, "data"),
    )(in_thread(draw, studies))
    connect_scripts(app, "plot", ids.DISTANCE, ids.WALK)
