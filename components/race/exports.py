"""Downloads of a race: one picture, one animation, one table, one file."""

import dash
from dash import html

from components.race import ids
from components.shell import export_row

KINDS = (
    (ids.SAVE_PNG, "PNG", "All lanes and the chart as PNG"),
    (ids.SAVE_SVG, "SVG", "All lanes and the chart as SVG"),
    (ids.SAVE_GIF, "GIF", "The whole race as an animation"),
    (ids.SAVE_CSV, "CSV", "The chart\u2019s numbers: where the length of each lane fell"),
    (ids.SAVE_FILE, "Race file", "The whole race with its runs, which opens again by upload"),
)


def panel() -> html.Div:
    """The buttons, disabled until there is a race."""
    return export_row.row(KINDS)


def register(app: dash.Dash) -> None:
    """Connect the buttons, and disable them until there is a race."""
    export_row.register(app, KINDS, "race", "wait", ids.RACE)
