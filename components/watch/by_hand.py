"""Drawing a tour by hand: the panel below the map, the tour's run, and the run it competes with."""

import numpy as np
from dash import html

from components.shell import ids
from components.shell.controls import hyphenate_names, plain_button
from components.shell.errors import REFUSALS, describe_refusal
from components.shell.texts import watch as text
from components.types import Json, JsonObject
from components.watch.launch import LaunchResult, make_address
from data.distances import check_tour
from runs.service import RunService
from runs.visitors import current_visitor
from runs.web.faults import INVALID
from solvers.algorithms.construction.given import GivenParams
from solvers.spec import VERSION, RunSpec

#: The algorithms of each kind of run: the tour alone, 2-opt alone, and 2-opt from the tour.
_STAGES = {"tour": ("given",), "race": ("two-opt",), "improve": ("given", "two-opt")}
_SECONDS = 10.0
#: Instances that can be drawn by hand, offered if the chosen one cannot.
SMALLER = ("burma14", "bayg29", "berlin52")


def opener() -> html.Button:
    """Return the button to start drawing."""
    return plain_button("hand-open", text("hand.open"), "quiet", title=text("hand.title"))


def panel() -> html.Div:
    """Return the drawing so far and the race's result, with buttons; filled by scripts."""
    smaller = [
        html.Button(name, type="button", className="button quiet", **hyphenate_names(data_instance=name))
        for name in SMALLER
    ]
    row = [
        html.Div(smaller, id="hand-smaller", className="hand-smaller"),
        plain_button(ids.HAND_RACE, text("hand.race"), "primary for-whole"),
        plain_button("hand-improve", text("hand.improve"), "primary for-told"),
        plain_button(ids.HAND_UNDO, text("hand.undo"), "quiet for-drawing for-whole"),
        plain_button(ids.HAND_AGAIN, text("hand.again"), "quiet for-whole for-told"),
        html.A(text("hand.compare"), id="hand-compare", href="race/", className="button quiet for-told"),
        plain_button("hand-leave", text("hand.leave"), "quiet"),
    ]
    return html.Div(
        [
            html.P(id=ids.HAND_SENTENCE, **hyphenate_names(aria_live="polite")),
            html.P(id=ids.HAND_AT, className="hand-at", **hyphenate_names(aria_live="polite")),
            html.P(id="hand-note", className="note refusal", **hyphenate_names(aria_live="polite")),
            html.Div(row, className="hand-row"),
        ],
        id="hand",
        className="hand",
        role="group",
        **hyphenate_names(aria_label=text("hand.label")),
    )


def start_by_hand(run_service: RunService, what: Json, instance: Json, tour: Json, seed: Json) -> LaunchResult:
    """Start a run of a drawn tour, or the run of 2-opt beside it, or return a sentence saying why not.

    Parameters
    ----------
    run_service : runs.service.RunService
    what : str
        ``tour``, a run of the tour itself; ``race``, a climb of 2-opt from a random tour; ``improve``, a climb of 2-opt
        from the tour. Untrusted, like all other arguments.
    instance : dict
        Reference to the instance.
    tour : list of int
        Cities in visiting order, from 0; ignored in a race.
    seed : int
    """
    if not isinstance(what, str) or what not in _STAGES:
        return LaunchResult(note=INVALID)
    try:
        spec = _make_spec(run_service, _STAGES[what], instance, tour, seed)
        run = run_service.start(spec, current_visitor().id)
    except REFUSALS as refusal:
        return LaunchResult(note=describe_refusal(refusal))
    return LaunchResult(run, make_address(spec, run))


def _make_spec(run_service: RunService, stages: tuple[str, ...], instance: Json, tour: Json, seed: Json) -> RunSpec:
    params: dict[str, JsonObject] = {"two-opt": {"climbers": 1, "variant": "sequential"}, "given": {"tour": tour}}
    fields = {"v": VERSION, "instance": instance, "seed": seed, "device": "cpu"}
    chosen = [{"algorithm": name, "params": params[name]} for name in stages]
    budget = {"seconds": _SECONDS} if "two-opt" in stages else {}
    spec = RunSpec.from_json({**fields, "stages": chosen, "budget": budget})
    if "given" in stages:
        order = GivenParams.from_mapping(params["given"]).tour
        check_tour(run_service.instance(spec.instance).n, np.array(order, np.int64))
    return spec
