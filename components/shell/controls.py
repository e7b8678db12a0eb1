"""Small building blocks that several panels share."""

import math
from collections.abc import Mapping
from typing import Any

import dash_bootstrap_components as dbc
from dash import dcc, html

from components.shell import ids
from components.shell.texts import common
from runs.translation import translate
from solvers.params import Param

#: Positions of a slider with a logarithmic scale.
LOG_STEPS = 200


def attributes(**values: str) -> dict[str, Any]:
    """Attributes whose names have hyphens: ``aria_label`` becomes ``aria-label``."""
    return {name.replace("_", "-"): value for name, value in values.items()}


def icon(name: str) -> html.Span:
    """An icon from the style sheet, in the colour of the text around it."""
    return html.Span(className=f"icon icon-{name}", **attributes(aria_hidden="true"))


def dom_id(component_id: str | dict[str, str]) -> str:
    """The id as the browser has it, for a label's `htmlFor`."""
    if isinstance(component_id, str):
        return component_id
    return "{" + ",".join(f'"{key}":"{component_id[key]}"' for key in sorted(component_id)) + "}"


def button(component_id: str, label: str, icon_name: str, *, text: str = "", style: str = "quiet") -> html.Button:
    """A button with an icon, and with words beside it if `text` is given.

    `label` explains it. For screen readers it is the name as well, unless the words that are seen are others: who sees
    the page and who hears or speaks to it call the button the same.
    """
    content = [icon(icon_name), html.Span(text)] if text else icon(icon_name)
    name = attributes(aria_label=label) if label.lower().startswith(text.lower()) else {}
    return html.Button(content, id=component_id, type="button", className=f"button {style}", title=label, **name)


def menu(component_id: str | dict[str, str], options: list[dict[str, Any]], value: Any, **more: Any) -> html.Div:
    """A menu of Dash's, in a place that has its height before the browser has its script."""
    lists = {"clearable": False, "optionHeight": 36, "maxHeight": 420, **more}
    style = "menu-place several" if more.get("multi") else "menu-place"
    return html.Div(dcc.Dropdown(id=component_id, options=options, value=value, **lists), className=style)


def live_note(component_id: str | dict[str, str], text: str = "", style: str = "") -> html.Div:
    """A line that screen readers read aloud when it changes."""
    return html.Div(text, id=component_id, className=f"note {style}".strip(), **attributes(aria_live="polite"))


def slider_position(param: Param, value: float | None) -> float:
    """The slider's position for `value`: the value itself, or on a log scale a position from 0 to `LOG_STEPS`.

    Values out of the range are clipped to its nearer end.
    """
    low, high = float(param.low or 0), float(param.high or 1)
    inside = min(max(float(value if value is not None else high), low), high)
    if param.scale != "log":
        return inside
    return LOG_STEPS * math.log(inside / low) / math.log(high / low)


def ranged_field(
    param: Param, value: Any, number_id: Any, slider_id: str = "", unit: str = "", placeholder: str = ""
) -> html.Div:
    """A number field with a slider below it; `assets/common/form.js` keeps the two in step."""
    log = param.scale == "log"
    slider_id = slider_id or f"slider-{param.name}"
    number = number_input(number_id, value, placeholder)
    slider = dbc.Input(
        id=slider_id,
        type="range",
        min=0 if log else param.low,
        max=LOG_STEPS if log else param.high,
        step="any" if log else (param.step or "any"),
        value=slider_position(param, value),
        class_name="slider",
        tabindex="-1",  # one stop for the keyboard: arrows in the number do what they do on a slider
    )
    amount = html.Div([number, html.Span(unit, className="unit")] if unit else number, className="amount")
    scale: dict[str, Any] = {
        f"data-{name}": str(getattr(param, name)) for name in ("low", "high", "step", "scale", "kind")
    }
    return html.Div(
        [
            html.Div([field_label(param, number_id), amount], className="field-head"),
            unseen_label(common("form.slider", label=translate(param.label)), slider_id),
            slider,
        ],
        className="field ranged",
        **scale,
    )


def number_input(component_id: Any, value: Any, placeholder: str = "") -> dbc.Input:
    """A number field; it accepts any number, since the server checks it and returns a message."""
    return dbc.Input(
        id=component_id, type="number", step="any", value=value, class_name="number", placeholder=placeholder
    )


def field_label(param: Param, control_id: Any) -> html.Label:
    """Name, letter and explanation of a parameter."""
    symbol = [html.Span(param.symbol, className="symbol", **attributes(aria_hidden="true"))] if param.symbol else []
    return html.Label(
        [translate(param.label), *symbol],
        htmlFor=dom_id(control_id),
        title=translate(param.help),
        className="field-label",
    )


def choices(labels: Mapping[str, str]) -> list[dict[str, str]]:
    """The options of a choice, from labels by value."""
    return [{"value": value, "label": label} for value, label in labels.items()]


def segments(component_id: str, label: str, options: Any, value: str, style: str = "") -> html.Div:
    """A choice whose options are side by side; `options` is Dash's list of options, or labels by value.

    Screen readers read `label`. The options share a name: they are one stop for the keyboard, and arrows choose.
    """
    option_list = choices(options) if isinstance(options, dict) else options
    radios = dbc.RadioItems(
        id=component_id, name=component_id, options=option_list, value=value, inline=True,
        class_name=f"segments {style}".strip(),
    )  # fmt: skip
    return html.Div(radios, className="choice", role="radiogroup", **attributes(aria_label=label))


def switch(component_id: str, label: str, value: bool = True, style: str = "") -> dbc.Switch:
    """A switch with its label."""
    return dbc.Switch(id=component_id, value=value, label=label, class_name=f"overlay-switch {style}".strip())


def labelled(
    text: str, control_id: str, control: Any, style: str = "field field-row", title: str | None = None, **more: Any
) -> html.Div:
    """A row of a label, which `title` explains, and its control; `more` are attributes of the row."""
    explained: dict[str, Any] = {} if title is None else {"title": title}
    label = html.Label(text, htmlFor=control_id, className="field-label", **explained)
    return html.Div([label, control], className=style, **more)


def filtering(text: str, component_id: str, labels: Mapping[str, str]) -> html.Div:
    """A labelled choice in a row of filters; its first option is chosen, if it has any."""
    select = dbc.Select(id=component_id, options=choices(labels), value=next(iter(labels), None))
    return labelled(text, component_id, select, "filter")


def device_row(options: Any) -> html.Div:
    """The choice of a device, as `segments` takes its options."""
    return html.Div(
        [
            html.Span(common("device.label"), className="field-label"),
            segments(ids.DEVICE, common("device.label"), options, "auto"),
        ],
        className="field-row",
    )


def seed_row(seed_id: str, dice_id: str, value: int, what: str) -> html.Div:
    """The seed of a `what`, and the button that draws a new one."""
    seed = html.Div([number_input(seed_id, value), button(dice_id, common("seed.another"), "dice")], className="amount")
    return labelled(common("seed.label"), seed_id, seed, title=common("seed.title", what=what))


def run_line(state_id: str, progress_id: str, *more: Any) -> html.Div:
    """The progress of a run, in words and as a bar."""
    bar = html.Progress(id=progress_id, value="0", max="1", **attributes(aria_label=common("run.progress")))
    return html.Div([live_note(state_id), bar, *more], className="run-line")


def unseen_label(text: str, component_id: str) -> html.Label:
    """A label for screen readers only, where visible text already labels the control."""
    return html.Label(text, htmlFor=component_id, className="visually-hidden")


def parameter_field(param: Param, value: Any) -> html.Div:
    """The control for a declared parameter of any kind."""
    control_id = ids.parameter(param.name)
    if param.kind == "bool":
        return html.Div([field_label(param, control_id), _switch(control_id, value)], className="field field-row")
    if param.kind == "choice":
        options = choices({choice: choice for choice in param.choices})
        select = dbc.Select(id=control_id, options=options, value=value)
        return html.Div([field_label(param, control_id), select], className="field field-row")
    return ranged_field(param, value, control_id)


def _switch(control_id: Any, value: Any) -> dbc.Switch:
    return dbc.Switch(id=control_id, value=bool(value))


def named_select(component_id: str, label: str, options: list[dict[str, str]], value: str) -> list:
    """A choice whose label is for screen readers only."""
    return [unseen_label(label, component_id), dbc.Select(id=component_id, options=options, value=value)]
