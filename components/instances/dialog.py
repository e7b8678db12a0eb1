"""The dialog for choosing an instance: pictures of all instances, random cities and uploads.

`assets/instances/dialog.js` fills it.
"""

import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Dash, Input, Output, html
from dash.development.base_component import Component

from components.instances import places
from components.shell import facts, ids
from components.shell.callbacks import inputs
from components.shell.controls import (
    button,
    filter_row,
    hyphenate_names,
    labelled_row,
    live_note,
    number_input,
    segments,
    unseen_label,
)
from components.shell.texts import instances as text
from components.shell.upload_area import drop_area
from data.limits import MAX_BYTES, MAX_EXPLICIT, MAX_PAGE_CITIES
from runs.language import per_language

#: Ranges of sizes to choose from: minimum and maximum number of cities, as read by the scripts.
SIZES = per_language(
    lambda: {
        "1-50": text("filter.size.1-50"),
        "51-200": text("filter.size.51-200"),
        "201-1000": text("filter.size.201-1000", most=1000),
        "1001-": text("filter.size.1001-", least=1000),
    }
)
SOURCES = per_language(
    lambda: {
        source: text(f"filter.source.{source}") for source in ("bundled", "folder", "uploaded", "generated", "places")
    }
)
#: Classes of random instances, with their descriptions.
CLASSES = per_language(
    lambda: {
        "uniform": text("generator.uniform.what"),
        "clustered": text("generator.clustered.what"),
        "directed": text("generator.directed.what", most=MAX_EXPLICIT),
    }
)
DEFAULT_CITIES = 200
MAX_SEED = 2**53 - 1


def dialog() -> html.Dialog:
    """Return the closed dialog."""
    return html.Dialog(
        [_head(), _parts(), html.Div([_instance_list(), _aside()], className="instances-body")],
        id="instances",
        className="sheet instances",
        **hyphenate_names(aria_label=text("dialog.title")),
    )


def _head() -> html.Div:
    search = dbc.Input(
        id=ids.INSTANCES_SEARCH,
        type="text",
        placeholder=text("filter.search"),
        class_name="search",
        autocomplete="off",
    )
    hidden = unseen_label(text("filter.search"), ids.INSTANCES_SEARCH)
    close = button("instances-close", text("dialog.close"), "close", style="quiet round")
    count = live_note("instances-count")
    return html.Div([html.H2(text("dialog.title")), hidden, search, count, close], className="sheet-head")


def _parts() -> html.Div:
    """Return the switch between the parts on a narrow screen; a wide screen shows all parts."""
    parts = {"list": text("part.list"), "own": text("part.own")}
    return segments("instances-part", text("part.label"), parts, "list")


def _instance_list() -> html.Div:
    anything = {"any": text("filter.any")}
    filters = [
        filter_row(text("filter.cities"), ids.INSTANCES_SIZE, anything | SIZES()),
        filter_row(text("filter.distances"), ids.INSTANCES_KIND, anything | facts.MEASURES()),
        filter_row(text("filter.source"), ids.INSTANCES_SOURCE, anything | SOURCES()),
        filter_row(text("filter.sort"), ids.INSTANCES_SORT, {key: text(f"filter.sort.{key}") for key in ("n", "name")}),
    ]
    label = hyphenate_names(aria_label=text("dialog.title"))
    cards = html.Div(id="instances-cards", className="cards", role="listbox", **label)
    return html.Div([html.Div(filters, className="filters"), cards], className="instances-list")


def _aside() -> html.Div:
    return html.Div([_generator(), places.panel(), _picture(), _upload()], className="instances-own")


def _generator() -> html.Div:
    kinds = {name: text(f"generator.{name}") for name in CLASSES()}
    kind = segments(ids.GENERATOR_CLASS, text("generator.title"), kinds, "uniform")
    n = number_input(ids.GENERATOR_N, DEFAULT_CITIES, min=1, max=MAX_PAGE_CITIES)
    seed = number_input(ids.GENERATOR_SEED, 1, min=0, max=MAX_SEED)
    dice = button(ids.GENERATOR_DICE, text("generator.dice"), "dice")
    return html.Div(
        [
            html.Div([html.H3(text("generator.title")), kind], className="field-head"),
            html.Canvas(className="thumbnail"),
            live_note("generator-note", CLASSES()["uniform"]),
            _row(text("generator.n"), ids.GENERATOR_N, n),
            _row(text("generator.seed"), ids.GENERATOR_SEED, seed, dice),
            button("generator-use", text("generator.use"), "check", text=text("generator.use"), style="primary"),
        ],
        id="generator",
        className="generator",
        **hyphenate_names(**{f"data_{name}": what for name, what in CLASSES().items()}),
    )


def _row(label: str, control_id: str, *controls: Component) -> html.Div:
    return labelled_row(label, control_id, html.Div(controls, className="amount"), "field-row")


def _picture() -> html.Div:
    """Return the button that opens the dialog of pictures, built by `assets/picture/dialog.js`."""
    opener = button("picture-open", text("picture.open.title"), "grid", text=text("picture.open"))
    return html.Div(
        [html.H3(text("picture.title")), html.Div(text("picture.what"), className="note"), opener], className="own-file"
    )


def _upload() -> html.Div:
    area = drop_area("instances-upload", ids.INSTANCES_UPLOAD_NOTE, text("upload.file"), MAX_BYTES, can_paste=True)
    explanation = html.Div(text("upload.what"), className="note")
    return html.Div([html.H3(text("upload.title")), explanation, *area], className="own-file")


def register(app: Dash) -> None:
    """Connect the fields to the scripts."""
    app.clientside_callback(
        ClientsideFunction("instances", "filter"),
        *inputs("value", ids.INSTANCES_SEARCH, ids.INSTANCES_SIZE, ids.INSTANCES_KIND),
        *inputs("value", ids.INSTANCES_SOURCE, ids.INSTANCES_SORT),
    )
    app.clientside_callback(
        ClientsideFunction("instances", "generate"),
        *inputs("value", ids.GENERATOR_CLASS, ids.GENERATOR_N, ids.GENERATOR_SEED),
    )
    app.clientside_callback(
        ClientsideFunction("instances", "rollSeed"),
        Output(ids.GENERATOR_SEED, "value"),
        Input(ids.GENERATOR_DICE, "n_clicks"),
    )
    places.register(app)
