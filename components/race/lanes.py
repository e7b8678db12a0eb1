"""A race's lanes in the setup, each with its algorithm, colour and buttons."""

from collections.abc import Sequence
from functools import reduce
from typing import TypeGuard, cast

from dash import Dash, html

from components.algorithm import several
from components.algorithm.devices import LABELS
from components.race import ids
from components.shell import palette
from components.shell.facts import lower_label
from components.shell.texts import common
from components.shell.texts import race as text
from components.types import ItemJson, Json, StageJson
from runs.races.spec import MAX_LANES, MIN_LANES
from runs.translation import translate
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.core.solver import Solver
from studies.spec.open_ended import max_iterations

LETTERS = "ABCD"


def lane(*algorithms: str, device: str = "auto") -> ItemJson:
    """Return a lane: algorithms in sequence, the last of which runs until the time limit."""
    stages: list[StageJson] = [{"algorithm": name, "params": {}} for name in algorithms]
    stages[-1]["params"] = max_iterations(find(algorithms[-1]))
    return {"stages": stages, "device": device}


#: The lanes with which the page starts.
DEFAULT = [
    lane("two-opt"), lane("ant-system"), lane("simulated-annealing"), lane("nearest-neighbour", "two-opt"),
]  # fmt: skip


def describe_lanes(lanes: Sequence[ItemJson]) -> list[dict[str, str]]:
    """Return each lane's properties for scripts and panels.

    Returns
    -------
    list of dict
        ``letter``, ``title``, ``facts``, ``colour`` (variable of the style sheet), ``dash`` (of Plotly), and
        ``iteration`` and ``evaluation`` (units, empty if the stages have different ones).
    """
    styles = palette.choose_styles([lane["stages"][0]["algorithm"] for lane in lanes])
    return [
        {
            "letter": LETTERS[k],
            "title": title(item),
            "facts": describe_settings(item),
            **styles[k],
            "iteration": _find_unit(item, "iteration_unit"),
            "evaluation": _find_unit(item, "evaluation_unit"),
        }
        for k, item in enumerate(lanes)
    ]


def series_style(lanes: Sequence[ItemJson], dark: bool = False) -> list[tuple[str, str]]:
    """Return each lane's name and colour, for a picture in the light or dark theme."""
    names = (f"{view['letter']} {view['title']}" for view in describe_lanes(lanes))
    algorithms = palette.choose_apart([lane["stages"][0]["algorithm"] for lane in lanes])
    return [(name, palette.find_shade(algorithm, dark)) for name, algorithm in zip(names, algorithms, strict=True)]


def title(lane: ItemJson) -> str:
    """Return a lane's algorithms in order, as in "Nearest neighbour, then 2-opt"."""
    names = [translate(_find_solver(stage).title).partition(",")[0] for stage in lane["stages"]]
    return reduce(lambda first, then: common("start-tour.then", first=first, then=then), names)


def describe_settings(lane: ItemJson, without: str = "") -> str:
    """Return what sets a lane apart: its device, and the parameters that differ from their defaults.

    The number of iterations is included, even if it is the default, if it may end the lane before the time limit. The
    parameter `without` is left out.
    """
    parts = []
    for number, stage in enumerate(lane["stages"], 1):
        # The last stage runs until the time limit, so its number of iterations is irrelevant.
        open_ended = max_iterations(_find_solver(stage)) if number == len(lane["stages"]) else {}
        for param in _find_solver(stage).params.schema():
            value = stage["params"].get(param.name, param.default)
            if value != open_ended.get(param.name, param.default) and param.name != without:
                parts.append(_describe_setting(lower_label(translate(param.label)), value))
    if lane["device"] != "auto":
        parts.append(LABELS()[lane["device"]])
    return " · ".join(parts)


def _describe_setting(name: str, value: Json) -> str:
    if isinstance(value, bool):
        return text("lanes.fact.on" if value else "lanes.fact.off", name=name)
    if isinstance(value, list | tuple):
        return text("lanes.fact.cities", name=name, count=len(value))
    return text("lanes.fact", name=name, value=value if isinstance(value, int) else str(value))


def _find_unit(lane: ItemJson, unit_name: str) -> str:
    units = {getattr(_find_solver(stage), unit_name) for stage in lane["stages"]}
    return units.pop() if len(units) == 1 else ""


def _find_solver(stage: StageJson) -> Solver:
    return find(stage["algorithm"])


def cards(lanes: Sequence[ItemJson]) -> list[html.Li]:
    """Return the lanes as a list, with their buttons."""
    return [_card(k, view, len(lanes)) for k, view in enumerate(describe_lanes(lanes))]


def _card(number: int, view: dict[str, str], count: int) -> html.Li:
    content = [html.B(view["title"]), html.Small(view["facts"])]
    return several.card(SEVERAL, number, view, content, text("lanes.change"), count)


def panel() -> html.Div:
    """Return the list, and the button to add a lane."""
    return several.panel(SEVERAL, text("lanes.label"), text("lanes.add"), cards(DEFAULT))


def is_valid(lanes: Json) -> TypeGuard[list[ItemJson]]:
    """Return whether a page's value is a list of lanes with existing algorithms."""
    try:
        return isinstance(lanes, list) and len(describe_lanes(cast(list[ItemJson], lanes))) == len(lanes)
    except (InvalidParams, TypeError, KeyError, IndexError, AttributeError):
        return False


SEVERAL = several.ItemList("lane", ids.LANES, MIN_LANES, MAX_LANES, is_valid)


def register(app: Dash) -> None:
    """Update the list when the lanes change."""
    several.register_list(app, SEVERAL, cards, ids.VIEWS, describe_lanes)
