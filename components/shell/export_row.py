"""The row of buttons that save what a page shows; they are disabled until there is something to save."""

from collections.abc import Sequence

import dash
from dash import ClientsideFunction, Input, Output, html

from components.shell.texts import common

#: A button's id, its text and its title.
Kind = tuple[str, str, str]


def row(kinds: Sequence[Kind]) -> html.Div:
    """The buttons, disabled."""
    buttons = [
        html.Button(text, id=button_id, type="button", title=title, disabled=True, className="save")
        for button_id, text, title in kinds
    ]
    title = html.Span(common("save.label"), className="field-label")
    return html.Div([title, html.Div(buttons, className="saves")], className="save-row")


def register(app: dash.Dash, kinds: Sequence[Kind], scripts: str, wait: str, store: str) -> None:
    """Connect the buttons.

    Parameters
    ----------
    app : dash.Dash
    kinds : sequence of Kind
    scripts : str
        The page's namespace of entry points: its `wait` returns which buttons are disabled, its ``save`` saves.
    wait, store : str
        Name of that entry point, and id of the store that it takes.
    """
    button_ids = [button_id for button_id, _, _ in kinds]
    app.clientside_callback(
        ClientsideFunction(scripts, wait),
        *(Output(button_id, "disabled") for button_id in button_ids),
        Input(store, "data"),
        prevent_initial_call=False,
    )
    app.clientside_callback(
        ClientsideFunction(scripts, "save"), *(Input(button_id, "n_clicks") for button_id in button_ids)
    )
