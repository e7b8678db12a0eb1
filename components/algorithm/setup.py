"""The setup of a run, a race or a study: its limits, Start, and commands to what was started."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from dash import Dash, Input, Output, State, ctx, html
from dash.development.base_component import Component

from components.instances.picker import options_for
from components.instances.references import menu_value
from components.shell import ids
from components.shell.address import Filled
from components.shell.callbacks import inputs
from components.shell.controls import button, card, compute_slider_position, ranged_field, seed_row
from components.shell.errors import REFUSALS, describe_refusal
from components.shell.start_button import start_button
from components.shell.texts import watch as text
from components.types import Json, JsonObject
from data.instance import Instance
from runs.bounded_pool import CONTROLS
from runs.language import per_language
from solvers.core.params import Param

DEFAULT_SEED = 1
#: The time budget.
SECONDS = per_language(lambda: Param(
    name="seconds", kind="float", default=10.0, low=1.0, high=600.0, step=1.0, scale="log", choices=(),
    symbol="", label=text("setup.seconds"), help=text("setup.seconds.help"),
))  # fmt: skip
COMMANDS = {ids.PAUSE: "pause", ids.RESUME: "resume", ids.STEP: "step", ids.CANCEL: "cancel"}
#: Picture and style of each command's button.
_LOOKS = {
    ids.PAUSE: ("pause", "when-running"), ids.RESUME: ("play", "primary when-paused"),
    ids.STEP: ("step", "when-paused"), ids.CANCEL: ("stop", "danger when-active"),
}  # fmt: skip
#: Outputs that an address changes on Watch and Race; those of `fill_instance` and `fill_limits`.
OUTPUTS = {
    "options": Output(ids.INSTANCE, "options"),
    "instance": Output(ids.INSTANCE, "value"),
    "seed": Output(ids.SEED, "value"),
    "seconds": Output(ids.SECONDS, "value"),
    "seconds_slider": Output(ids.SECONDS_SLIDER, "value"),
    "note": Output(ids.START_NOTE, "children"),
}


def panel(label: str, settings: Sequence[Component], launch: Sequence[Component]) -> html.Section:
    """Return the card: its fields, and below them Start."""
    return card("setup", label, html.Div([*settings], className="settings"), html.Div([*launch], className="launch"))


def limits(seconds: float, what: str, placeholder: str = "") -> list[html.Div]:
    """Return the fields of the time budget and the seed of `what`."""
    budget = ranged_field(SECONDS(), seconds, ids.SECONDS, ids.SECONDS_SLIDER, unit="s", placeholder=placeholder)
    return [budget, seed_row(DEFAULT_SEED, what)]


def commands(read: Callable[..., str], *button_ids: str) -> html.Div:
    """Return Start and the buttons of commands; `read` reads the page's texts."""
    buttons = [start_button(read("setup.start"), "primary when-idle")]
    for button_id in button_ids:
        (picture, look), name = _LOOKS[button_id], COMMANDS[button_id]
        title, label = read(f"setup.{name}.title"), read(f"setup.{name}")
        buttons.append(button(button_id, title, picture, text=label, style=look))
    return html.Div(buttons, className="commands")


def send_command(service: Any, shown: str | None, pressed: Json) -> str | None:
    """Send a button's command to the shown run or race; return why it was refused, or None if nothing was sent."""
    if shown is None or not isinstance(pressed, str) or pressed not in COMMANDS:
        return None
    try:
        service.command(shown, COMMANDS[pressed])
    except REFUSALS as refusal:
        return describe_refusal(refusal)
    return ""


def register(
    app: Dash, service: object, store: str, send: Callable, button_ids: tuple[str, ...], *others: Output
) -> None:
    """Connect the dice, and the commands' buttons: `send` returns `others` and the note beside Start."""

    @app.callback(
        *others,
        Output(ids.START_NOTE, "children", allow_duplicate=True),
        *inputs("n_clicks", *button_ids),
        State(store, "data"),
    )
    async def command(*arguments: Json) -> Any:
        return await CONTROLS.run(send, service, arguments[-1], ctx.triggered_id)

    @app.callback(Output(ids.SEED, "value", allow_duplicate=True), Input(ids.SEED_DICE, "n_clicks"))
    def dice(_: Json) -> int:
        return random.randrange(1_000_000)


def fill_instance(reference: JsonObject, instance: Instance, options: Json) -> Filled:
    """Return the chosen instance's values, without a note."""
    return {"options": options_for(options, reference, instance), "instance": menu_value(reference), "note": ""}


def fill_limits(seed: int, seconds: float | None) -> Filled:
    """Return the values of seed and time budget."""
    return {"seed": seed, "seconds": seconds, "seconds_slider": compute_slider_position(SECONDS(), seconds)}
