"""Downloads of a run: pictures, the tour, the numbers, the run itself."""

import dash
from dash import html

from components.shell import export_row, ids

KINDS = (
    (ids.SAVE_PNG, "PNG", "The current picture as PNG"),
    (ids.SAVE_SVG, "SVG", "The current picture as SVG"),
    (ids.SAVE_GIF, "GIF", "The climb that is shown, as an animation"),
    (ids.SAVE_TOUR, ".tour", "The best tour as a TSPLIB file"),
    (ids.SAVE_CSV, "CSV", "The table of climbers"),
    (ids.SAVE_JSON, "JSON", "The result with everything needed to run it again"),
    (ids.SAVE_RUN, "Run file", "The whole run, which opens again by upload"),
)


def panel() -> html.Div:
    """The buttons, disabled until there is a run."""
    return export_row.row(KINDS)


def register(app: dash.Dash) -> None:
    """Connect the buttons, and disable them until there is a run."""
    export_row.register(app, KINDS, "watch", "waitForRun", ids.RUN)
