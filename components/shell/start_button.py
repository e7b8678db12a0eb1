"""Keeps Start disabled until the form is filled from the address, so that Start never uses old values."""

from dash import ClientsideFunction, Dash, Input, Output, html

from components.shell import ids
from components.shell.controls import hyphenate_names, icon
from components.shell.texts import common as text


def start_button(label: str, style: str) -> html.Button:
    """Return the button, disabled until `release` enables it."""
    return html.Button(
        [icon("play"), html.Span(text("form.start"))], id=ids.START, type="button",
        className=f"button start {style}", title=text("form.start-key", label=label), disabled=True,
        **hyphenate_names(aria_label=label, aria_keyshortcuts="Control+Enter"),
    )  # fmt: skip


def panel_switch() -> html.Div:
    """Return the buttons that switch a phone between settings and stage (`assets/common/settings_links.js`)."""
    places = ("to-settings", text("ways.settings")), ("to-stage", text("ways.stage"))
    links = [html.Button(words, id=place, type="button", className=f"link {place}") for place, words in places]
    return html.Div(links, className="ways")


def keep_disabled() -> list[tuple[Output, bool, bool]]:
    """Return `running` for a callback that fills the form: it disables the button, which `release` enables."""
    return [(Output(ids.START, "disabled"), True, True)]


def release(app: Dash, *filled: tuple[str, str]) -> None:
    """Enable the button once the form is filled or filling has failed.

    This runs in the browser: in Dash, a callback waits for all others that may change its inputs, whether they succeed
    or fail.

    Parameters
    ----------
    app : dash.Dash
    *filled : tuple of str and str
        A component and property changed by each callback that fills the form.
    """
    app.clientside_callback(
        ClientsideFunction("form", "holdStart"),
        Output(ids.START, "disabled"),
        Input(ids.URL, "search"),
        Input(ids.ADDRESS, "data"),
        *(Input(*output) for output in filled),
        prevent_initial_call=False,
    )
