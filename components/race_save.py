"""What can be kept of a race: one picture, one animation, one table, one file."""

import dash
from dash import html

from components import race_ids, save_row

KINDS = (
    (race_ids.SAVE_PNG, "PNG", "All lanes and the chart as they are now, as PNG"),
    (race_ids.SAVE_SVG, "SVG", "All lanes and the chart as they are now, as SVG"),
    (race_ids.SAVE_GIF, "GIF", "The whole race as an animation"),
    (race_ids.SAVE_CSV, "CSV", "The chart\u2019s numbers: where the length of each lane fell"),
    (race_ids.SAVE_FILE, "Race file", "The whole race with its runs, which opens again by upload"),
)


def panel() -> html.Div:
    """The buttons, which wait for a race."""
    return save_row.row(KINDS)


def register(app: dash.Dash) -> None:
    """Connect the buttons, and let them wait for a race."""
    save_row.register(app, KINDS, "race", "wait", race_ids.RACE)
