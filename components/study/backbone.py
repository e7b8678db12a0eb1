"""A map of the edges shared by a study's best tours, computed on request."""

from typing import NamedTuple

from dash import Dash, Input, NoUpdate, Output, html, no_update

from components.figures.backbone import backbone_figure
from components.figures.canvas import Figure
from components.figures.studies import empty_figure
from components.shell import facts
from components.shell.callbacks import in_thread, inputs
from components.shell.controls import choices, filter_row, switch
from components.shell.errors import REFUSALS
from components.shell.texts import study as text
from components.study import ids
from components.study.address import find_open_study
from components.study.curves import chart, connect_scripts, find_instance, plot_outputs, read_snapshot
from components.study.matrix import ALL, entry_styles
from components.types import Json, Option
from data.instance import Instance
from runs.study_jobs.service import StudyService
from runs.study_jobs.snapshots import StudySnapshot
from studies.stats.backbone import Backbone, find_backbone


class Agreement(NamedTuple):
    """The map's contents."""

    figure: Figure | NoUpdate = no_update
    description: str | NoUpdate = no_update
    entries: list[Option] | NoUpdate = no_update
    style: str | NoUpdate = no_update


#: Classes of the panel; its map takes no space before it is requested.
_ON, _OFF = "studies-asked", "studies-asked off"


def panel() -> html.Div:
    """Return the map and its controls."""
    controls = [
        filter_row(text("backbone.entry"), ids.BACKBONE_ENTRY, {ALL: text("backbone.all")}),
        switch(ids.BACKBONE_ON, text("backbone.show"), value=False),
    ]
    section = chart(ids.BACKBONE, text("backbone.title"), controls, text("backbone.help"))
    return html.Div(section, id=ids.BACKBONE_PANEL, className=_OFF)


def draw(studies: StudyService, shown: Json, chosen: Json, entry: Json, requested: Json, shade: Json) -> Agreement:
    """Draw the map of the chosen instance, or the first; empty until requested."""
    study, (snapshot, refused) = find_open_study(shown), read_snapshot(studies, shown)
    if study is None or snapshot is None:
        return Agreement(empty_figure(), refused, style=_OFF) if refused else Agreement()
    styles = entry_styles(snapshot)
    names = {str(k): f"{style['letter']} {style['title']}" for k, style in enumerate(styles)}
    options = choices({ALL: text("backbone.all"), **names})
    if not requested:
        return Agreement(empty_figure(), text("backbone.off"), options, _OFF)
    number = find_instance(snapshot, chosen) or 0
    entry_mask = next((k for k in range(len(styles)) if str(k) == str(entry)), None)
    try:
        instance, result = count_edges(studies, snapshot, study, number, entry_mask)
    except REFUSALS as refusal:
        return Agreement(empty_figure(), facts.localise(str(refusal)), options, _ON)
    if not result.tours:
        return Agreement(empty_figure(), text("charts.none"), options, _ON)
    figure = backbone_figure(instance, result, shade == "dark")
    return Agreement(figure, _describe_agreement(snapshot, number, chosen, instance, result), options, _ON)


def count_edges(
    studies: StudyService, snapshot: StudySnapshot, study: str, number: int, entry: int | None
) -> tuple[Instance, Backbone]:
    """Count the edges in the best tours on an instance, of one entry or all."""

    def count() -> tuple[Instance, Backbone]:
        with studies.reader(study) as reader:
            instance = reader.instance(number)
            tours = (order for _, order in reader.tours(number, entry))
            return instance, find_backbone(tours, instance.n, instance.directed, instance.optimal_tour)

    return snapshot.once(("backbone", number, entry), count)


def _describe_agreement(
    snapshot: StudySnapshot, number: int, chosen: Json, instance: Instance, result: Backbone
) -> str:
    """Return the sentence that says how many edges all tours share, and how many the optimal tour has."""
    everywhere = int(result.in_all.sum())
    sentences = [
        text(
            "backbone.says", instance=snapshot.instances[number].name, tours=result.tours, all=everywhere, n=instance.n,
            different=len(result.edges),
        )
    ]  # fmt: skip
    if result.optimal is not None:
        shared = int((result.in_all & result.optimal).sum())
        sentences.append(text("backbone.optimal" if instance.proven else "backbone.best-known", shared=shared))
    if len(snapshot.instances) > 1 and find_instance(snapshot, chosen) is None:
        sentences.append(text("backbone.first"))
    return " ".join(sentences)


def register(app: Dash, studies: StudyService) -> None:
    """Register the callbacks that redraw the map when results or settings change."""
    app.callback(
        *plot_outputs(ids.BACKBONE),
        Output(ids.BACKBONE_ENTRY, "options"),
        Output(ids.BACKBONE_PANEL, "className"),
        Input(ids.LATER, "data"),
        *inputs("value", ids.CHOSEN, ids.BACKBONE_ENTRY, ids.BACKBONE_ON),
        Input(ids.SHADE, "data"),
    )(in_thread(draw, studies))
    connect_scripts(app, "plot", ids.BACKBONE)
