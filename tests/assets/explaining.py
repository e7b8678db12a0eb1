"""Explanations of every step of recorded climbs, as the page's scripts give them, and what oracles need of them."""

import re
from typing import Any

import numpy as np

from data.instance import Instance
from runs.store.climb import climb_frame
from solvers.events import Event, Moves
from solvers.worker.frames import event_frame, instance_frame
from tests.assets.node import evaluate

#: The modules that explain a run's steps are those that the page loads.
MODULES = (
    "assets/common/frames.js",
    "assets/common/map/map.js",
    "assets/watch/climb.js",
    "assets/watch/run.js",
    "assets/watch/explain/registry.js",
)
_EXPLAINED = """async (module, instance, climb, spec, variant) => {
  const map = module.mapOf(module.frames.decode(instance));
  const known = module.climbOf(module.frames.decode(climb));
  Object.assign(module.run, { spec, started: { variant }, instance: { n: map.n } });
  const explain = module.explainerOf("moves", spec.stages.at(-1).algorithm);
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


def explained(
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
    frames = [event_frame(event, 0.0) for event in events if isinstance(event, Moves) and climber in event.climber]
    climb = climb_frame(climber, frames)
    assert climb is not None
    modules = (*MODULES, f"assets/watch/explain/{explainer}")
    return evaluate(modules, _EXPLAINED, instance_frame(instance), climb, spec, variant)


def numbers(sentence: str) -> list[float]:
    """All numbers of a sentence, their groups joined and signs of minus plain."""
    plain = sentence.replace("\u202f", "").replace("\u2009", "").replace("\u2212", "-")
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?", plain)]


def tour_after(order: np.ndarray, i: int, j: int) -> np.ndarray:
    """The tour after a move, in the plainest way."""
    return np.concatenate([order[: i + 1], order[i + 1 : j + 1][::-1], order[j + 1 :]])
