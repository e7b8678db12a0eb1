"""What can be kept of a race: one picture, one animation, one table, one file."""

import dash
from dash import Input, Output, html

from components import race_ids

KINDS = (
    (race_ids.SAVE_PNG, "PNG", "All lanes and the chart as they are now, as PNG"),
    (race_ids.SAVE_SVG, "SVG", "All lanes and the chart as they are now, as SVG"),
    (race_ids.SAVE_GIF, "GIF", "The whole race as an animation"),
    (race_ids.SAVE_CSV, "CSV", "The chart\u2019s numbers: where the length of each lane fell"),
    (race_ids.SAVE_FILE, "Race file", "The whole race with its runs, which opens again by upload"),
)


def panel() -> html.Div:
    """The buttons, which wait for a race."""
    buttons = [
        html.Button(text, id=button_id, type="button", title=title, disabled=True, className="save")
        for button_id, text, title in KINDS
    ]
    return html.Div(
        [html.Span("Save", className="field-label"), html.Div(buttons, className="saves")], className="save-row"
    )


def register(app: dash.Dash) -> None:
    """Connect the buttons, and let them wait for a race."""
    button_ids = [button_id for button_id, _, _ in KINDS]
    app.clientside_callback(
        dash.ClientsideFunction("race", "wait"),
        *(Output(button_id, "disabled") for button_id in button_ids),
        Input(race_ids.RACE, "data"),
    )
    app.clientside_callback(
        dash.ClientsideFunction("race", "save"),
        *(Input(button_id, "n_clicks") for button_id in button_ids),
        prevent_initial_call=True,
    )
