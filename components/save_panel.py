"""What can be kept of a run: pictures, the tour, the numbers, the run itself."""

import dash
from dash import Input, Output, html

from components import ids

KINDS = (
    (ids.SAVE_PNG, "PNG", "The picture as it is now, as PNG"),
    (ids.SAVE_SVG, "SVG", "The picture as it is now, as SVG"),
    (ids.SAVE_GIF, "GIF", "The climb that is shown, as an animation"),
    (ids.SAVE_TOUR, ".tour", "The best tour as a TSPLIB file"),
    (ids.SAVE_CSV, "CSV", "The table of climbers"),
    (ids.SAVE_JSON, "JSON", "The result with all that is needed to run it again"),
    (ids.SAVE_RUN, "Run file", "The whole run, which opens again by upload"),
)


def panel() -> html.Div:
    """The buttons, which wait for a run."""
    buttons = [
        html.Button(text, id=button_id, type="button", title=title, disabled=True, className="save")
        for button_id, text, title in KINDS
    ]
    title = html.Span("Save", className="field-label")
    return html.Div([title, html.Div(buttons, className="saves")], className="save-row")


def register(app: dash.Dash) -> None:
    """Connect the buttons, and let them wait for a run."""
    button_ids = [button_id for button_id, _, _ in KINDS]
    app.clientside_callback(
        dash.ClientsideFunction("tourscope", "waitForRun"),
        *(Output(button_id, "disabled") for button_id in button_ids),
        Input(ids.RUN, "data"),
    )
    app.clientside_callback(
        dash.ClientsideFunction("tourscope", "save"),
        *(Input(button_id, "n_clicks") for button_id in button_ids),
        prevent_initial_call=True,
    )
