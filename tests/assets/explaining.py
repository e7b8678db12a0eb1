"""Runs the page's explanations for every step of recorded climbs; helpers for their oracles."""

import re
from typing import Any

import numpy as np

from components.shell.numbers import format_integer
from data.instance import Instance
from runs.store.climb import build_climb_frame
from solvers.core.events import Edges, Event, Explanation, Moves
from solvers.worker.frames import encode_event_frame, encode_instance_frame
from tests.assets.node import evaluate

#: The modules that explain a run's steps are those that the page loads.
MODULES = (
    "assets/common/frames.js",
    "assets/common/map/map.js",
    "assets/watch/climbs/climb.js",
    "assets/watch/run.js",
    "assets/watch/explain/registry.js",
)
#: Raised digits, as powers of ten are written.
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")
_EXPLAINED = """async (module, instance, climb, spec, variant) => {
  const map = module.makeMap(module.frames.decode(instance));
  const known = module.decodeClimb(module.frames.decode(climb));
  Object.assign(module.run, { spec, started: { variant }, instance: { n: map.n } });
  const explain = module.findExplainer("moves", spec.stages.at(-1).algorithm);
  const told = [];
  const tell = async (view, drawn) => {
    known.seek(drawn);
    told.push(await explain({ view: { climber: known.climber, walk: "moves", ...view }, map, climb: known }));
  };
  for (let position = 0; position <= known.count; position += 1) {
    await tell({ position, resting: false }, position);
    if (position) await tell({ position, resting: false }, position - 1);
  }
  await tell({ position: known.count, resting: true }, known.count);
  return told;
}"""


_OF_TOURS = """async (module, instance, frames, spec, unit) => {
  const { climbs, decodeClimb, run, findExplainer } = module;
  const map = module.makeMap(module.frames.decode(instance));
  const all = frames.map((frame) => decodeClimb(module.frames.decode(frame)));
  run.units = () => ({ iteration: unit, first: 1 });
  climbs.peek = () => undefined;
  climbs.find = async (climber) => all[climber] || null;
  const explain = findExplainer("edges", spec.stages.at(-1).algorithm);
  const tell = (climb, position, resting) =>
    explain({ view: { climber: climb.climber, walk: "edges", position, resting }, map, climb });
  const told = [];
  for (const climb of all) {
    const steps = [];
    for (let position = 0; position <= climb.count; position += 1) steps.push(await tell(climb, position, false));
    told.push([...steps, await tell(climb, climb.count, true)]);
  }
  return told;
}"""


def explained_tours(
    instance: Instance, events: list[Event], spec: dict[str, Any], unit: str
) -> list[list[dict[str, Any]]]:
    """Explanations of the best tours of all iterations: of the start, of each edge, and of the end.

    Parameters
    ----------
    instance : Instance
    events : list of Event
        Of the run.
    spec : dict
        JSON of the run's spec.
    unit : str
        What the algorithm calls an iteration.
    """
    pieces: dict[int, list[bytes]] = {}
    for event in events:
        if isinstance(event, Explanation | Edges):
            pieces.setdefault(event.climber, []).append(encode_event_frame(event, 0.0))
    climbs = [build_climb_frame(climber, frames) for climber, frames in sorted(pieces.items())]
    modules = (*MODULES, "assets/watch/climbs/climbs.js", "assets/watch/explain/generations.js")
    return evaluate(modules, _OF_TOURS, encode_instance_frame(instance), climbs, spec, unit)


_OF_POPULATIONS = """(module, row, unit, algorithm) => {
  const { run, findExplainer, emit } = module;
  run.units = () => ({ iteration: unit, first: 1 });
  emit("population", { arrays: row });
  const view = { climber: row.iteration[0] - 1, walk: "iteration", position: -1 };
  return findExplainer("iteration", algorithm)({ view, map: null, climb: null });
}"""


def explained_population(row: dict[str, Any], unit: str, algorithm: str) -> dict[str, Any]:
    """The explanation of a population after an iteration, by the row of its `Population` event."""
    modules = (*MODULES, "assets/common/events.js", "assets/watch/explain/generations.js")
    return evaluate(modules, _OF_POPULATIONS, row, unit, algorithm)


def explain_climb(
    explainer: str, instance: Instance, events: list[Event], spec: dict[str, Any], variant: str, climber: int = 0
) -> list[dict[str, Any]]:
    """Explanations of a climb: of its start, of each move after and before it is drawn, and of its end.

    Parameters
    ----------
    explainer : str
        Module in ``assets/watch/explain/``.
    instance : Instance
    events : list of Event
        Of the run.
    spec : dict
        JSON of the run's spec.
    variant : str
    climber : int
    """
    frames = [
        encode_event_frame(event, 0.0) for event in events if isinstance(event, Moves) and climber in event.climber
    ]
    climb = build_climb_frame(climber, frames)
    assert climb is not None
    modules = (*MODULES, f"assets/watch/explain/{explainer}")
    return evaluate(modules, _EXPLAINED, encode_instance_frame(instance), climb, spec, variant)


def numbers(sentence: str) -> list[float]:
    """All numbers in a sentence, with digit groups joined and powers of ten multiplied out."""
    plain = sentence.replace("\u202f", "").replace("\u2212", "-").translate(_RAISED)
    return [float(found.replace("\u00b710", "e")) for found in re.findall(r"-?\d+(?:\.\d+)?(?:\u00b710-?\d+)?", plain)]


def tour_after(order: np.ndarray, i: int, j: int) -> np.ndarray:
    """The tour after a move, computed in the simplest way."""
    return np.concatenate([order[: i + 1], order[i + 1 : j + 1][::-1], order[j + 1 :]])


def tour_edges(order: np.ndarray) -> set[tuple[int, int]]:
    """The directed edges of a tour."""
    return set(zip(order.tolist(), np.roll(order, -1).tolist(), strict=True))


def check_insertion(sentence: str, gone: set[tuple[int, int]], come: set[tuple[int, int]], delta: int) -> None:
    """Check a sentence about an insertion, by the edges that left the tour and those that entered."""
    start = next(word for word in ("Cities ", "City ") if word in sentence)
    places, rest = sentence.split(start, 1)[1].split(": ", 1)
    *path, a, b, c, d = (int(number) - 1 for number in numbers(places))
    if gone:
        assert gone == {(a, path[0]), (path[-1], b), (c, d)}
        assert come == {(a, b), (c, path[0]), (path[-1], d)}
    change = f"{format_integer(abs(delta))} {'longer' if delta > 0 else 'shorter'}" if delta else "the same length"
    assert rest.startswith(f"{change}.")
