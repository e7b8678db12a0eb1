"""What the players of a run and of a race have in common: their buttons."""

from dash import html

from components.shell.controls import attributes, button


def steps(button_ids: tuple[str, str, str, str, str], what: str, step: str) -> html.Div:
    """To the start of `what` is played, a `step` back, play, a step forward, and to the end."""
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
    """The switch that follows what goes on."""
    return html.Button(
        [html.I(className="dot"), "live"], id=component_id, type="button", className="button quiet live",
        title=title, **attributes(aria_pressed="false"),
    )  # fmt: skip


def player(parts: list, component_id: str) -> html.Div:
    """The player itself."""
    return html.Div(parts, id=component_id, className="player", role="group", **attributes(aria_label="Player"))
