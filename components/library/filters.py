"""The filters of the library's list, the upload area and the trash."""

from dash import html

from components.library import ids, trash
from components.shell.controls import hyphenate_names, icon, switch
from components.shell.texts import library as text
from components.shell.upload_area import drop_area
from runs.imports import MAX_RUN_BYTES


def panel() -> html.Aside:
    """Return the panel, which `assets/library/facets.js` fills with values and counts."""
    lanes = switch(ids.LANES, text("filters.lanes"), value=False)
    area = drop_area(ids.UPLOAD, ids.UPLOAD_NOTE, text("filters.files"), MAX_RUN_BYTES)
    details = html.Details(
        [
            html.Summary([icon("filter"), html.Span(text("filters.title"))], className="button quiet"),
            html.Div([html.Div(id=ids.FACETS), lanes], className="library-filter-list"),
        ],
        id=ids.FILTERS,
        open=True,
    )
    return html.Aside(
        [
            html.Div([details, trash.panel()], className="library-scroll"),
            html.Div(area, className="menu-foot"),
        ],
        className="panel library-filters",
        **hyphenate_names(aria_label=text("filters.title")),
    )
