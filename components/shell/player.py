"""The buttons that the players of a run and of a race share."""

from dash import html

from components.shell.controls import attributes, button


def steps(button_ids: tuple[str, str, str, str, str], what: str, step: str) -> html.Div:
    """The buttons: to the start of `what`, a `step` back, play, a step forward, to the end."""
    home, back, play, forward, end = button_ids
    return html.Div(
        [
            button(home, f"To the start of the {what} (Home)", "home"),
            button(back, f"{step} back (Left arrow)", "back"),
            button(play, "Play or pause (Space)", "play", style="primary"),
            button(forward, f"{step} forward (Right arrow)", "forward"),
            button(end, f"To the end of the {what} (End)", "end"),
        ],
        className="steps",
    )


def live(component_id: str, title: str) -> html.Button:
    """The switch that follows a run or race live."""
    return html.Button(
        [html.I(className="dot"), "live"], id=component_id, type="button", className="button quiet live",
        title=title, **attributes(aria_pressed="false"),
    )  # fmt: skip


def player(parts: list, component_id: str) -> html.Div:
    """The player, which has these parts."""
    return html.Div(parts, id=component_id, className="player", role="group", **attributes(aria_label="Player"))
