"""The lanes of a race in the setup: what each runs, in words and in its colour; more of them, fewer, others."""

from collections.abc import Sequence
from typing import Any

import dash
from dash import ALL, Input, Output, State, ctx, html, no_update

from components.algorithm.devices import LABELS
from components.race import ids
from components.shell import palette
from components.shell import text as shell_text
from components.shell.controls import attributes, icon
from runs.races.spec import FEWEST, MOST
from solvers import find
from solvers.errors import InvalidParams
from solvers.solver import Solver
from studies.spec.open_ended import most

LETTERS = "ABCD"

LaneJson = dict[str, Any]  #: ``{"stages": [{"algorithm", "params"}, ...], "device"}``


def lane(*algorithms: str, device: str = "auto") -> LaneJson:
    """A lane of algorithms one after the other, the last of which goes on until the time is up."""
    stages: list[dict[str, Any]] = [{"algorithm": name, "params": {}} for name in algorithms]
    stages[-1]["params"] = most(find(algorithms[-1]))
    return {"stages": stages, "device": device}


#: What a first visitor finds.
DEFAULT = [
    lane("two-opt"), lane("ant-system"), lane("simulated-annealing"), lane("nearest-neighbour", "two-opt"),
]  # fmt: skip


def views(lanes: Sequence[LaneJson]) -> list[dict[str, Any]]:
    """What scripts and panels show of each lane.

    Returns
    -------
    list of dict
        ``letter``, ``title``, ``facts``, ``colour`` (the style sheet's variable), ``dash`` (Plotly's), and
        ``iteration`` and ``evaluation``: what it counts, empty where its stages count different things.
    """
    leading = [each["stages"][0]["algorithm"] for each in lanes]
    dashes = palette.dashes(leading)
    return [
        {
            "letter": LETTERS[k],
            "title": title(each),
            "facts": facts(each),
            "colour": palette.variable(leading[k]),
            "dash": dashes[k],
            "iteration": _unit(each, "iteration_unit"),
            "evaluation": _unit(each, "evaluation_unit"),
        }
        for k, each in enumerate(lanes)
    ]


def series_style(lanes: Sequence[LaneJson]) -> list[tuple[str, str]]:
    """The name and the colour of each lane, for a picture on white."""
    names = (f"{view['letter']}  {view['title']}" for view in views(lanes))
    return [(name, palette.shade(each["stages"][0]["algorithm"])) for name, each in zip(names, lanes, strict=True)]


def title(lane: LaneJson) -> str:
    """The lane's algorithms in their order: Nearest neighbour, then 2-opt."""
    names = [_solver(stage).title.partition(",")[0] for stage in lane["stages"]]
    return ", then ".join(names)


def facts(lane: LaneJson, without: str = "") -> str:
    """What tells the lane from others of its algorithm: parameters that are not at their defaults, and its device.

    A count of iterations at which it ends before the clock does is told, the default as well; the parameter `without`
    is not.
    """
    said = []
    for number, stage in enumerate(lane["stages"], 1):
        # The last one goes on until the clock ends it: then the number tells nothing.
        usual = most(_solver(stage)) if number == len(lane["stages"]) else {}
        for param in _solver(stage).params.schema():
            value = stage["params"].get(param.name, param.default)
            if value != usual.get(param.name, param.default) and param.name != without:
                said.append(f"{param.label.lower()} {_text(value)}")
    if lane["device"] != "auto":
        said.append(LABELS[lane["device"]])
    return " · ".join(said)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return f"of {shell_text.cities(len(value))}"
    return shell_text.grouped(value) if isinstance(value, int) else str(value)


def _unit(lane: LaneJson, which: str) -> str:
    units = {getattr(_solver(stage), which) for stage in lane["stages"]}
    return units.pop() if len(units) == 1 else ""


def _solver(stage: dict[str, Any]) -> Solver:
    return find(stage["algorithm"])


def cards(lanes: Sequence[LaneJson]) -> list[html.Li]:
    """The lanes as a list, each with what can be done to it."""
    return [_card(k, view, len(lanes)) for k, view in enumerate(views(lanes))]


def _card(number: int, view: dict[str, Any], count: int) -> html.Li:
    name = f"lane {view['letter']}, {view['title']}"
    said = [html.B(view["title"]), html.Small(view["facts"])]
    return html.Li(
        [
            badge(view),
            html.Button(said, id=ids.lane("edit", number), type="button", className="lane-name", title="Change it"),
            _do("clone", number, f"Duplicate {name}", "copy", disabled=count >= MOST),
            _do("remove", number, f"Remove {name}", "close", disabled=count <= FEWEST),
        ],
        className="lane-card",
    )


def badge(view: dict[str, Any]) -> html.Span:
    """The lane's letter in its colour."""
    return html.Span(view["letter"], className="lane-badge", style={"--lane": f"var(--{view['colour']})"})


def _do(what: str, number: int, label: str, picture: str, disabled: bool) -> html.Button:
    return html.Button(
        icon(picture), id=ids.lane(what, number), type="button", className="button quiet", title=label,
        disabled=disabled, **attributes(aria_label=label),
    )  # fmt: skip


def panel() -> html.Div:
    """The list, and the way to one more lane."""
    head = html.Div([html.Span("Lanes", className="field-label"), _add()], className="field-head")
    return html.Div(
        [head, html.Ul(cards(DEFAULT), id=ids.LANE_LIST, className="lane-list")], className="field lanes-field"
    )


def _add() -> html.Button:
    full = len(DEFAULT) >= MOST
    return html.Button("Add a lane", id=ids.ADD, type="button", className="button quiet", disabled=full)


def without(lanes: Any, number: int) -> list[LaneJson]:
    """The lanes but for one; not fewer than a race has."""
    kept = [each for k, each in enumerate(lanes) if k != number]
    return kept if len(kept) >= FEWEST else lanes


def number_of(pressed: Any, lanes: Any, name: str = "lane") -> int | None:
    """The number of the lane whose button was pressed; None of a button that was merely made, or of no lane.

    `name` is what the ids of such buttons call it.
    """
    text = pressed.get(name) if isinstance(pressed, dict) else None
    known = [str(k) for k in range(len(lanes))] if isinstance(lanes, list) else []
    return known.index(text) if text in known else None


def known(lanes: Any) -> bool:
    """Whether what came from a page can be lanes whose algorithms exist."""
    try:
        return isinstance(lanes, list) and len(views(lanes)) == len(lanes)
    except (InvalidParams, TypeError, KeyError, IndexError, AttributeError):
        return False


def register(app: dash.Dash) -> None:
    """Connect the list with the lanes that it shows."""

    @app.callback(
        Output(ids.LANE_LIST, "children"),
        Output(ids.ADD, "disabled"),
        Output(ids.VIEWS, "data"),
        Input(ids.LANES, "data"),
    )
    def show(lanes):
        return (cards(lanes), len(lanes) >= MOST, views(lanes)) if known(lanes) else (no_update,) * 3

    @app.callback(
        Output(ids.LANES, "data", allow_duplicate=True),
        Input(ids.lane("remove", ALL), "n_clicks"),
        State(ids.LANES, "data"),
    )
    def remove(clicks, lanes):
        number = number_of(ctx.triggered_id, lanes)
        return without(lanes, number) if any(clicks) and number is not None else no_update
