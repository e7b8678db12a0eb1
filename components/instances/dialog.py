"""The dialog of instances: each with its picture, random cities, files of one's own.

`assets/instances/dialog.js` fills it.
"""

import dash
import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Input, Output, html

from components.shell import facts, ids
from components.shell.controls import attributes, button, filtering, labelled, live_note, segments, unseen_label
from components.shell.numbers import integer
from components.shell.upload_area import drop_area
from data.limits import MAX_BYTES, MAX_CITIES

#: Sizes to choose from, as the scripts read them: the least and the most cities.
SIZES = {
    "1-50": "up to 50",
    "51-200": "51 to 200",
    "201-1000": f"201 to {integer(1000)}",
    "1001-": f"more than {integer(1000)}",
}
SOURCES = {"bundled": "Bundled", "folder": "Your folder", "uploaded": "Uploaded", "generated": "Random"}
CLASSES = {
    "uniform": "Cities spread evenly over a square, a class of the DIMACS challenge.",
    "clustered": "Cities in clouds around centres, one for each 100 cities, a class of the DIMACS challenge.",
}
DEFAULT_CITIES = 200
MAX_SEED = 2**53 - 1


def dialog() -> html.Dialog:
    """The dialog, closed."""
    return html.Dialog(
        [_head(), _parts(), html.Div([_instance_list(), _aside()], className="instances-body")],
        id=ids.INSTANCES,
        className="sheet instances",
        **attributes(aria_label="Instances"),
    )


def _head() -> html.Div:
    search = dbc.Input(
        id=ids.INSTANCES_SEARCH,
        type="text",
        placeholder="Find by name or origin",
        class_name="search",
        autocomplete="off",
    )
    hidden = unseen_label("Find by name or origin", ids.INSTANCES_SEARCH)
    close = button(ids.INSTANCES_CLOSE, "Close (Esc)", "close", style="quiet round")
    count = live_note(ids.INSTANCES_COUNT)
    return html.Div([html.H2("Instances"), hidden, search, count, close], className="sheet-head")


def _parts() -> dbc.RadioItems:
    """The choice of the part that a narrow screen shows; a wide one shows everything."""
    return segments(ids.INSTANCES_PART, {"shelf": "Browse", "own": "Random, and your files"}, "shelf")


def _instance_list() -> html.Div:
    filters = [
        filtering("Cities", ids.INSTANCES_SIZE, {"any": "any", **SIZES}),
        filtering("Distances", ids.INSTANCES_KIND, {"any": "any", **facts.MEASURES}),
        filtering("From", ids.INSTANCES_SOURCE, {"any": "any", **SOURCES}),
        filtering("Sort", ids.INSTANCES_SORT, {"n": "by size", "name": "by name"}),
    ]
    cards = html.Div(id=ids.INSTANCES_CARDS, className="cards", role="listbox", **attributes(aria_label="Instances"))
    return html.Div([html.Div(filters, className="filters"), cards], className="instances-shelf")


def _aside() -> html.Div:
    return html.Div([_generator(), _upload()], className="instances-own")


def _generator() -> html.Div:
    kind = segments(ids.GENERATOR_CLASS, {word: word.capitalize() for word in CLASSES}, "uniform")
    n = dbc.Input(
        id=ids.GENERATOR_N, type="number", step="any", value=DEFAULT_CITIES, min=1, max=MAX_CITIES, class_name="number"
    )
    seed = dbc.Input(
        id=ids.GENERATOR_SEED, type="number", step="any", value=1, min=0, max=MAX_SEED, class_name="number"
    )
    dice = button(ids.GENERATOR_DICE, "Another seed", "dice")
    return html.Div(
        [
            html.Div([html.H3("Random cities"), kind], className="field-head"),
            html.Canvas(className="thumbnail"),
            live_note(ids.GENERATOR_NOTE, CLASSES["uniform"]),
            _row("Cities", ids.GENERATOR_N, n),
            _row("Seed", ids.GENERATOR_SEED, seed, dice),
            button(ids.GENERATOR_USE, "Use these cities", "check", text="Use these cities", style="primary"),
        ],
        id=ids.GENERATOR,
        className="generator",
        **attributes(data_uniform=CLASSES["uniform"], data_clustered=CLASSES["clustered"]),
    )


def _row(label: str, control_id: str, *controls) -> html.Div:
    return labelled(label, control_id, html.Div(controls, className="amount"), "field-row")


def _upload() -> html.Div:
    what = "A TSPLIB instance, a table of coordinates, or a tour of the chosen instance; .gz too."
    area = drop_area(ids.INSTANCES_UPLOAD, ids.INSTANCES_UPLOAD_NOTE, "file", MAX_BYTES)
    return html.Div([html.H3("Your file"), html.Div(what, className="note"), *area], className="own-file")


def register(app: dash.Dash) -> None:
    """Connect the fields with the scripts."""
    app.clientside_callback(
        ClientsideFunction("instances", "filter"),
        *(
            Input(field, "value")
            for field in (
                ids.INSTANCES_SEARCH,
                ids.INSTANCES_SIZE,
                ids.INSTANCES_KIND,
                ids.INSTANCES_SOURCE,
                ids.INSTANCES_SORT,
            )
        ),
        prevent_initial_call=False,
    )
    app.clientside_callback(
        ClientsideFunction("instances", "generate"),
        *(Input(field, "value") for field in (ids.GENERATOR_CLASS, ids.GENERATOR_N, ids.GENERATOR_SEED)),
        prevent_initial_call=False,
    )
    app.clientside_callback(
        ClientsideFunction("instances", "rollSeed"),
        Output(ids.GENERATOR_SEED, "value"),
        Input(ids.GENERATOR_DICE, "n_clicks"),
    )
    app.clientside_callback(
        ClientsideFunction("instances", "know"), Input(ids.INSTANCE, "options"), prevent_initial_call=False
    )
