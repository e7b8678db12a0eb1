"""Small building blocks shared by panels."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import dash_bootstrap_components as dbc
from dash import dcc, html
from dash.development.base_component import Component

from components.shell import ids
from components.shell.texts import common
from components.types import Children, Json, Option, PatternId
from runs.translation import translate
from solvers.core.params import Param

#: Number of positions of a logarithmic slider.
LOG_STEPS = 200


def hyphenate_names(**values: Any) -> dict[str, Any]:
    """Return attributes with hyphens in their names: ``aria_label`` becomes ``aria-label``."""
    return {name.replace("_", "-"): value for name, value in values.items()}


def icon(name: str) -> html.Span:
    """Return an icon of the style sheet, in the colour of the text around it."""
    return html.Span(className=f"icon icon-{name}", **hyphenate_names(aria_hidden="true"))


def dom_id(component_id: str | PatternId) -> str:
    """Return an id as in the browser, for a label's `htmlFor`."""
    if isinstance(component_id, str):
        return component_id
    return "{" + ",".join(f'"{key}":"{component_id[key]}"' for key in sorted(component_id)) + "}"


def button(component_id: str, label: str, icon_name: str, *, text: str = "", style: str = "quiet") -> html.Button:
    """Return a button with an icon, and with text beside it if given.

    `label` is the tooltip. It is also the name for screen readers, unless the visible text differs, so that sighted
    users and users of screen readers or voice control call the button the same.
    """
    content = [icon(icon_name), html.Span(text)] if text else icon(icon_name)
    name = hyphenate_names(aria_label=label) if label.lower().startswith(text.lower()) else {}
    return html.Button(content, id=component_id, type="button", className=f"button {style}", title=label, **name)


def plain_button(component_id: str | PatternId, content: Children, style: str = "", **more: Any) -> html.Button:
    """Return a button without an icon of its own; `more` are attributes, as in `hyphenate_names`."""
    names = hyphenate_names(**more)
    return html.Button(content, id=component_id, type="button", className=f"button {style}".strip(), **names)


def card(style: str, label: str, *parts: Component, **more: Any) -> html.Section:
    """Return a panel of the page with a label for screen readers; `more` are attributes, as in `hyphenate_names`."""
    return html.Section([*parts], className=f"panel {style}", **hyphenate_names(aria_label=label, **more))


def region(style: str, label: str, content: Children, **more: Any) -> html.Div:
    """Return a part of the page that can be scrolled, even by keyboard; `more` are attributes."""
    names = hyphenate_names(aria_label=label)
    return html.Div(content, className=style, tabIndex=0, role="region", **names, **more)


def menu(component_id: str | PatternId, options: Sequence[Option], value: str | list[str], **more: Any) -> html.Div:
    """Return a Dash menu in an element that has the menu's height before the script is loaded."""
    lists = {"clearable": False, "optionHeight": 36, **more}
    style = "menu-place several" if more.get("multi") else "menu-place"
    return html.Div(dcc.Dropdown(id=component_id, options=options, value=value, **lists), className=style)


def live_note(component_id: str | PatternId, text: str = "", style: str = "") -> html.Div:
    """Return a line that screen readers read aloud when it changes."""
    return html.Div(text, id=component_id, className=f"note {style}".strip(), **hyphenate_names(aria_live="polite"))


def compute_slider_position(param: Param, value: float | None) -> float:
    """Return a value's slider position: the value, or 0 to `LOG_STEPS` on a logarithmic scale.

    Values out of range are clipped.
    """
    low, high = float(param.low or 0), float(param.high or 1)
    clamped = min(max(float(value if value is not None else high), low), high)
    if param.scale != "log":
        return clamped
    return LOG_STEPS * math.log(clamped / low) / math.log(high / low)


def ranged_field(
    param: Param,
    value: float | None,
    number_id: str | PatternId,
    slider_id: str = "",
    unit: str = "",
    placeholder: str = "",
) -> html.Div:
    """Return a number field with a slider below, which `assets/common/form.js` keeps in sync."""
    log = param.scale == "log"
    slider_id = slider_id or f"slider-{param.name}"
    number = number_input(number_id, value, placeholder)
    slider = dbc.Input(
        id=slider_id,
        type="range",
        min=0 if log else param.low,
        max=LOG_STEPS if log else param.high,
        step="any" if log else (param.step or "any"),
        value=compute_slider_position(param, value),
        class_name="slider",
        tabindex="-1",  # a single tab stop: arrow keys in the number field have the same effect as on the slider
    )
    amount = html.Div([number, html.Span(unit, className="unit")] if unit else number, className="amount")
    scale = {f"data_{name}": str(getattr(param, name)) for name in ("low", "high", "step", "scale", "kind")}
    return html.Div(
        [
            html.Div([field_label(param, number_id), amount], className="field-head"),
            unseen_label(common("form.slider", label=translate(param.label)), slider_id),
            slider,
            *_explain_zero(param),
        ],
        className="field ranged",
        **hyphenate_names(**scale),
    )


def _explain_zero(param: Param) -> list[html.Div]:
    """Return the meaning of a default of 0, taken from the end of the explanation."""
    meaning = re.search(r"; 0:? (.*?)\.?$", translate(param.help))
    return [html.Div(f"0: {meaning[1]}", className="note")] if meaning and param.default == 0 else []


def number_input(component_id: str | PatternId, value: float | None, placeholder: str = "", **more: int) -> dbc.Input:
    """Return a number field; it accepts any number, which the server checks."""
    look = {"step": "any", "class_name": "number", "placeholder": placeholder}
    return dbc.Input(id=component_id, type="number", value=value, **look, **more)


def field_label(param: Param, control_id: str | PatternId) -> html.Label:
    """Return a parameter's label: name, symbol and explanation."""
    symbol = (
        [html.Span(param.symbol, className="symbol", **hyphenate_names(aria_hidden="true"))] if param.symbol else []
    )
    return html.Label(
        [translate(param.label), *symbol],
        htmlFor=dom_id(control_id),
        title=translate(param.help),
        className="field-label",
    )


def choices(labels: Mapping[str, str]) -> list[Option]:
    """Return a menu's options, given labels by value."""
    return [{"value": value, "label": label} for value, label in labels.items()]


def segments(
    component_id: str, label: str, options: Mapping[str, str] | Sequence[Option], value: str, style: str = ""
) -> html.Div:
    """Return radio buttons side by side; `options` is Dash's list, or labels by value.

    Screen readers read `label`. The options share a name, so they are a single tab stop with arrow keys.
    """
    option_list = choices(options) if isinstance(options, Mapping) else options
    radios = dbc.RadioItems(
        id=component_id, name=component_id, options=option_list, value=value, inline=True,
        class_name=f"segments {style}".strip(),
    )  # fmt: skip
    return html.Div(radios, className="choice", role="radiogroup", **hyphenate_names(aria_label=label))


def switch(component_id: str, label: str, value: bool = True, style: str = "") -> dbc.Switch:
    """Return a labelled switch."""
    return dbc.Switch(id=component_id, value=value, label=label, class_name=f"overlay-switch {style}".strip())


def labelled_row(
    text: str,
    control_id: str,
    control: Component,
    style: str = "field field-row",
    title: str | None = None,
    **more: Any,
) -> html.Div:
    """Return a row of a label with tooltip `title` and its control; `more` are the row's attributes."""
    explained = {} if title is None else hyphenate_names(title=title)
    label = html.Label(text, htmlFor=control_id, className="field-label", **explained)
    return html.Div([label, control], className=style, **more)


def filter_row(text: str, component_id: str, labels: Mapping[str, str]) -> html.Div:
    """Return a labelled menu in a row of filters, with the first option, if any, selected."""
    select = dbc.Select(id=component_id, options=choices(labels), value=next(iter(labels), None))
    return labelled_row(text, component_id, select, "filter")


def device_row(options: Mapping[str, str] | Sequence[Option]) -> html.Div:
    """Return the row for choosing a device; `options` as in `segments`."""
    return html.Div(
        [
            html.Span(common("device.label"), className="field-label"),
            segments(ids.DEVICE, common("device.label"), options, "auto"),
        ],
        className="field-row",
    )


def seed_row(value: int, what: str) -> html.Div:
    """Return the row for the seed of a `what`, with a button to draw a new one."""
    seed = html.Div(
        [number_input(ids.SEED, value), button(ids.SEED_DICE, common("seed.another"), "dice")], className="amount"
    )
    return labelled_row(common("seed.label"), ids.SEED, seed, title=common("seed.title", what=what))


def run_line(*more: Component) -> html.Div:
    """Return a run's progress in words and as a bar."""
    bar = html.Progress(id="run-progress", value="0", max="1", **hyphenate_names(aria_label=common("run.progress")))
    return html.Div([live_note("run-state"), bar, *more], className="run-line")


def unseen_label(text: str, component_id: str) -> html.Label:
    """Return a label for screen readers only, for controls that have visible text beside them."""
    return html.Label(text, htmlFor=component_id, className="visually-hidden")


def parameter_field(param: Param, value: Json) -> html.Div:
    """Return the control for a declared parameter of any kind."""
    control_id = ids.parameter(param.name)
    if param.kind == "bool":
        return html.Div([field_label(param, control_id), _switch(control_id, value)], className="field field-row")
    if param.kind == "choice":
        options = choices({choice: choice_label(choice) for choice in param.choices})
        select = dbc.Select(id=control_id, options=options, value=value)
        return html.Div([field_label(param, control_id), select], className="field field-row")
    return ranged_field(param, value if isinstance(value, int | float) else None, control_id)


def choice_label(choice: str) -> str:
    """Return the label of a parameter's choice; choices of users' own solvers are shown unchanged."""
    try:
        return common(f"choice.is-{choice.replace('+', '-and-')}")
    except KeyError:
        return choice


def _switch(control_id: str | PatternId, value: Json) -> dbc.Switch:
    return dbc.Switch(id=control_id, value=bool(value))


def named_select(component_id: str, label: str, options: list[Option], value: str) -> list:
    """Return a menu whose label is for screen readers only."""
    return [unseen_label(label, component_id), dbc.Select(id=component_id, options=options, value=value)]
