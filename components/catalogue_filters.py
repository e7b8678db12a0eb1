"""What the library's list is narrowed down by, and what comes in and has gone out."""

import dash_bootstrap_components as dbc
from dash import html

from components import catalogue_ids, catalogue_trash
from components.controls import attributes, icon
from components.uploads import drop_area
from runs.adoption import MAX_RUN_BYTES


def panel() -> html.Aside:
    """The panel; `assets/cataloguefacets.js` fills it with values and their counts."""
    lanes = dbc.Switch(id=catalogue_ids.LANES, value=False, label="Lanes of races too", class_name="overlay-switch")
    area = drop_area(catalogue_ids.UPLOAD, catalogue_ids.UPLOAD_NOTE, "run, race or study file", MAX_RUN_BYTES)
    shown = html.Details(
        [
            html.Summary([icon("filter"), html.Span("Filters and files")], className="button quiet"),
            html.Div([html.Div(id=catalogue_ids.FACETS), lanes], className="catalogue-filter-list"),
        ],
        id=catalogue_ids.FILTERS,
        open=True,
    )
    return html.Aside(
        [
            html.Div([shown, catalogue_trash.panel()], className="catalogue-scroll"),
            html.Div(area, className="menu-foot"),
        ],
        className="panel catalogue-filters",
        **attributes(aria_label="Filters and files"),
    )
