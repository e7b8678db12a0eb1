"""Map of the edges shared by the best tours of a study's runs, computed on request."""

from typing import Any, NamedTuple

import dash
from dash import ClientsideFunction, Input, Output, html, no_update

from components.figures.backbone import backbone_figure
from components.figures.studies import empty_figure
from components.shell import facts
from components.shell.callbacks import in_thread
from components.shell.controls import filter_row, switch
from components.shell.errors import REFUSALS
from components.shell.texts import study as text
from components.study import ids
from components.study.address import open_study
from components.study.curves import chart, find_instance, plot, read_snapshot
from components.study.ids import store
from components.study.matrix import ALL, entry_styles
from data.instance import Instance
from runs.study_jobs.snapshots import StudySnapshot
from studies.stats.backbone import Backbone, backbone


class Agreement(NamedTuple):
    """Contents of the map."""

    figure: Any = no_update
    description: Any = no_update
    entries: Any = no_update
    style: Any = no_update


#: Classes of the panel; its map takes no space before it is requested.
_ON, _OFF = "studies-asked", "studies-asked off"


def panel() -> html.Div:
    """The map with its controls."""
    controls = [
        filter_row(text("backbone.entry"), ids.BACKBONE_ENTRY, {ALL: text("backbone.all")}),
        switch(ids.BACKBONE_ON, text("backbone.show"), value=False),
    ]
    graph = plot(ids.BACKBONE)
    section = chart(
        ids.BACKBONE, ids.BACKBONE_SAYS, text("backbone.title"), controls, text("backbone.help"), graph
    )  # fmt: skip
    return html.Div(section, id=ids.BACKBONE_PANEL, className=_OFF)


def draw(studies, shown: Any, chosen: Any, entry: Any, requested: Any, shade: Any) -> Agreement:
    """Draw the map of the chosen instance, or of the first one; empty until requested."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None:
        return Agreement(empty_figure(), refused, style=_OFF) if refused else Agreement()
    styles = entry_styles(snapshot)
    options = [{"value": ALL, "label": text("backbone.all")}]
    options += [{"value": str(k), "label": f"{each['letter']} {each['title']}"} for k, each in enumerate(styles)]
    if not requested:
        return Agreement(empty_figure(), text("backbone.off"), options, _OFF)
    number = find_instance(snapshot, chosen) or 0
    entry_mask = next((k for k in range(len(styles)) if str(k) == str(entry)), None)
    try:
        instance, found = count_edges(studies, snapshot, open_study(shown), number, entry_mask)
    except REFUSALS as refusal:
        return Agreement(empty_figure(), facts.localise(str(refusal)), options, _ON)
    if not found.tours:
        return Agreement(empty_figure(), text("charts.none"), options, _ON)
    figure = backbone_figure(instance, found, shade == "dark")
    return Agreement(figure, _sentence(snapshot, number, chosen, instance, found), options, _ON)


def count_edges(
    studies, snapshot: StudySnapshot, study: str | None, number: int, entry: int | None
) -> tuple[Instance, Backbone]:
    """Count the edges in the best tours on an instance, of one entry or of all."""

    def count() -> tuple[Instance, Backbone]:
        with studies.reader(study) as reader:
            instance = reader.instance(number)
            tours = (order for _, order in reader.tours(number, entry))
            return instance, backbone(tours, instance.n, instance.directed, instance.optimal_tour)

    return snapshot.once(("backbone", number, entry), count)


def _sentence(snapshot: StudySnapshot, number: int, chosen: Any, instance: Instance, found: Backbone) -> str:
    """Sentence with the number of edges shared by all tours, and by the optimal tour."""
    everywhere = int(found.in_all.sum())
    sentences = [
        text(
            "backbone.says", instance=snapshot.instances[number].name, tours=found.tours, all=everywhere, n=instance.n,
            different=len(found.edges),
        )
    ]  # fmt: skip
    if found.optimal is not None:
        shared = int((found.in_all & found.optimal).sum())
        sentences.append(text("backbone.optimal" if instance.proven else "backbone.best-known", shared=shared))
    if len(snapshot.instances) > 1 and find_instance(snapshot, chosen) is None:
        sentences.append(text("backbone.first"))
    return " ".join(sentences)


def register(app: dash.Dash, studies) -> None:
    """Update the map when there are new results or a setting changes."""
    app.callback(
        Output(store(ids.BACKBONE), "data"),
        Output(ids.BACKBONE_SAYS, "children"),
        Output(ids.BACKBONE_ENTRY, "options"),
        Output(ids.BACKBONE_PANEL, "className"),
        Input(ids.LATER, "data"),
        Input(ids.CHOSEN, "value"),
        Input(ids.BACKBONE_ENTRY, "value"),
        Input(ids.BACKBONE_ON, "value"),
        Input(ids.SHADE, "data"),
    )(in_thread(draw, studies))
    app.clientside_callback(
        ClientsideFunction("study", "plot"), Input(store(ids.BACKBONE), "data"), prevent_initial_call=False
    )
