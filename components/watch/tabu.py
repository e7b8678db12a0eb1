"""The view of a tabu search: its current tour on the map with the tabu edges, and a legend."""

from dash import html

from components.shell import ids
from components.shell.controls import hyphenate_names
from components.shell.texts import watch as text


def view() -> html.Div:
    """Return the empty view, filled by `assets/watch/tabu/tabu.js`."""
    picture = hyphenate_names(role="img", aria_label=text("tabu.label"))
    return html.Div(html.Canvas(id=ids.TABU, className="map", **picture), className="view tabu-view")


def legend() -> html.Div:
    """Return the legend of the colours, and the step of the picture."""
    return html.Div(
        [
            _entry("removed", text("tabu.removed")),
            _entry("added", text("tabu.added")),
            _entry("tour", text("legend.tour")),
            html.Span(id=ids.TABU_AT),
        ],
        className="legend for-tabu",
    )


def _entry(swatch: str, name: str) -> html.Span:
    return html.Span([html.I(className=f"swatch {swatch}"), name])
