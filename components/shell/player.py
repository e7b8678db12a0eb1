"""Player buttons shared by runs and races."""

from dash import html

from components.shell.controls import button, hyphenate_names
from components.shell.texts import common as text


def steps(button_ids: tuple[str, str, str, str, str], what: str, step: str) -> html.Div:
    """Return the player's buttons: to the start of `what`, one `step` back, play, one `step` forward, to the end."""
    home, back, play, forward, end = button_ids
    return html.Div(
        [
            button(home, text("player.home", what=what), "home"),
            button(back, text("player.back", step=step), "back"),
            button(play, text("player.play"), "play"),
            button(forward, text("player.forward", step=step), "forward"),
            button(end, text("player.end", what=what), "end"),
        ],
        className="steps",
    )


def live_button(component_id: str, title: str) -> html.Button:
    """Return the switch to follow a run or race live."""
    name = html.Span(text("player.live"), id=f"{component_id}-name")
    return html.Button(
        [html.I(className="dot"), name], id=component_id, type="button", className="button quiet live",
        title=title, **hyphenate_names(aria_pressed="false"),
    )  # fmt: skip


def player(parts: list, component_id: str) -> html.Div:
    """Return the player made of these parts."""
    leave = button("present-leave", text("present.leave"), "close", style="quiet present-leave")
    label = hyphenate_names(aria_label=text("player.label"))
    return html.Div([*parts, leave], id=component_id, className="player", role="group", **label)
