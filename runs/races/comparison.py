"""Compares finished runs on one instance as if they had raced, and lists how their conditions differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from data.instance import Instance
from runs.races.spec import MAX_LANES, MIN_LANES
from runs.service import RunService
from runs.store.open_run import NoSuchRun, UnreadableRun
from solvers.worker.frames import decode

_COMPARABLE = ("finished", "cancelled")


class NotComparable(ValueError):
    """These runs cannot be shown side by side; the message is a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Runs to show side by side.

    Attributes
    ----------
    runs : tuple of str
        Ids of the runs.
    lanes : tuple of dict
        Stages and device of each run, ``{"stages", "device"}`` as in a race. Imported tours are left out of
        the parameters.
    instance : Instance
        Instance of the first run; all have the same cities.
    reference : dict
        Reference to the instance in the first run's spec.
    seed : int
        Seed of the first run.
    seconds : float
        Duration of the longest run, on its own clock.
    budget : float or None
        Time limit in seconds of every run, if all have the same.
    unequal : tuple of str
        Conditions in which the runs differ: ``seed``, ``start``, ``budget``, ``device``, ``threads``.
    """

    runs: tuple[str, ...]
    lanes: tuple[dict[str, Any], ...]
    instance: Instance
    reference: dict[str, Any]
    seed: int
    seconds: float
    budget: float | None
    unequal: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A run to compare, read from its file."""

    spec: dict[str, Any]
    end: dict[str, Any]
    instance: Instance


def prepare_comparison(run_service: RunService, runs: Sequence[str]) -> Comparison:
    """Prepare runs for a comparison.

    Parameters
    ----------
    run_service : RunService
    runs : sequence of str
        Untrusted ids in the order of their lanes.

    Raises
    ------
    NotComparable
        If there are too few or too many, or one does not exist, has not ended, or has other cities.
    """
    if not MIN_LANES <= len(runs) <= MAX_LANES:
        raise NotComparable(f"Two to four runs can be compared; this link names {len(runs) or 'none'}.")
    if len(set(runs)) < len(runs):
        raise NotComparable("This link names the same run twice.")
    run_data = [_read(run_service, run) for run in runs]
    if not all(_have_same_distances(run_data[0].instance, each.instance) for each in run_data[1:]):
        raise NotComparable("These runs are of different instances: their cities are not the same.")
    budgets = {each.spec["budget"].get("seconds") for each in run_data}
    return Comparison(
        runs=tuple(runs),
        lanes=tuple(_to_lane(each.spec) for each in run_data),
        instance=run_data[0].instance,
        reference=run_data[0].spec["instance"],
        seed=run_data[0].spec["seed"],
        seconds=max(each.end.get("seconds", 0.0) for each in run_data),
        budget=budgets.pop() if len(budgets) == 1 else None,
        unequal=tuple(
            name
            for name, read_value in _COMPARED_VALUES.items()
            if len({repr(read_value(each)) for each in run_data}) > 1
        ),
    )


def _read(run_service: RunService, run: str) -> _Run:
    try:
        spec = _read_ended_spec(run_service, run)
        with run_service.open_reader(run) as reader:
            raw = reader.last("finished")
            return _Run(spec, dict(decode(raw).values) if raw else {}, run_service.run_instance(run))
    except UnreadableRun as error:
        raise NotComparable(str(error)) from None
    except NoSuchRun:
        raise NotComparable("One of these runs is not on this server.") from None


def _read_ended_spec(run_service: RunService, run: str) -> dict[str, Any]:
    summary = run_service.existing_summary(run)
    if run_service.active_run(run) or summary["state"] in ("running", "paused"):
        raise NotComparable("One of these runs is still running: wait for its end, or cancel it.")
    if summary["state"] not in _COMPARABLE:
        raise NotComparable("One of these runs has failed or was interrupted, so it has no result to compare.")
    return summary["spec"]


def _to_lane(spec: dict[str, Any]) -> dict[str, Any]:
    """Convert a run's stages to a lane of a race, without an imported tour, as in the summary."""
    stages = [
        {**stage, "params": {name: value for name, value in stage["params"].items() if value != []}}
        for stage in spec["stages"]
    ]
    return {"stages": stages, "device": spec["device"]}


def _have_same_distances(one: Instance, other: Instance) -> bool:
    """Return whether two instances have the same distances, regardless of names and hashes."""
    pairs = ((one.coordinates, other.coordinates), (one.weights, other.weights))
    same = all(getattr(one, name) == getattr(other, name) for name in ("kind", "n", "start", "end"))
    return same and all(_are_equal(a, b) for a, b in pairs)


def _are_equal(a: np.ndarray | None, b: np.ndarray | None) -> bool:
    return a is b if a is None or b is None else np.array_equal(a, b)


#: The conditions that must be equal in a fair race, and where a run stores them.
_COMPARED_VALUES = {
    "seed": lambda run: run.spec["seed"],
    "start": lambda run: (run.spec["seed"], run.spec["stages"][0]["algorithm"]),
    "budget": lambda run: run.spec["budget"],
    "device": lambda run: run.end.get("device"),
    "threads": lambda run: run.end.get("threads"),
}
