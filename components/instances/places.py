"""The dialog's section for real places: a region, and how many of its cities.

`assets/instances/places.js` draws their map.
"""

import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Dash, html

from components.shell import ids
from components.shell.callbacks import inputs
from components.shell.controls import button, hyphenate_names, labelled_row, live_note, number_input
from components.shell.facts import capitalise
from components.shell.texts import instances as text
from data.limits import MAX_CITIES
from data.places.regions import CONTINENTS, WORLD, make_slug, regions
from runs.translation import translate

DEFAULT_CITIES = 100


def panel() -> html.Div:
    """Return the region, the number of cities, their map, and the button to use them."""
    n = number_input(ids.PLACES_N, DEFAULT_CITIES, min=1, max=MAX_CITIES)
    region = dbc.Select(id=ids.PLACES_REGION, options=_options(), value=WORLD)
    return html.Div(
        [
            html.H3(text("places.title")),
            html.Canvas(className="thumbnail"),
            live_note("places-note", text("places.what")),
            labelled_row(text("places.region"), ids.PLACES_REGION, region, "field-row"),
            labelled_row(text("places.n"), ids.PLACES_N, html.Div([n], className="amount"), "field-row"),
            button("places-use", text("places.use"), "check", text=text("places.use"), style="primary"),
        ],
        id="places",
        className="generator",
        **hyphenate_names(data_what=text("places.what")),
    )


def _options() -> list[dict[str, str]]:
    """Return the regions as options: the world, continents, and countries sorted by name in the page's language."""
    options = [{"label": capitalise(translate(region.name)), "value": key} for key, region in regions().items()]
    first = 1 + len(CONTINENTS)
    return options[:first] + sorted(options[first:], key=lambda option: make_slug(option["label"]))


def register(app: Dash) -> None:
    """Connect the fields to the scripts."""
    app.clientside_callback(
        ClientsideFunction("instances", "places"),
        *inputs("value", ids.PLACES_REGION, ids.PLACES_N),
    )
