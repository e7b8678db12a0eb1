"""The cells of a study's matrix: one run each, in an order whose beginning covers the whole matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solvers.run import Prepared, prepare
from solvers.spec import RunSpec
from studies.spec.spec import StudySpec


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of a study.

    Attributes
    ----------
    number : int
        Its place in the order, from 0.
    instance, entry : int
        Which of the study's.
    seed : int
    """

    number: int
    instance: int
    entry: int
    seed: int


def cells(spec: StudySpec) -> tuple[Cell, ...]:
    """All runs of a study: those of the first seed before those of the second; instance by instance, each entry."""
    places = [
        (instance, entry, seed)
        for seed in spec.seeds
        for instance in range(len(spec.instances))
        for entry in range(len(spec.entries))
    ]
    return tuple(Cell(number, *place) for number, place in enumerate(places))


def run_spec(spec: StudySpec, cell: Cell) -> RunSpec:
    """What a cell runs."""
    return RunSpec(spec.instances[cell.instance], spec.entries[cell.entry].stages, cell.seed, spec.budget, spec.device)


def prepared(spec: StudySpec) -> tuple[Prepared, ...]:
    """Every entry of a study, its algorithms and parameters known to be good.

    Raises
    ------
    InvalidParams
        If an algorithm is unknown or a parameter is out of range.
    DeviceUnavailable
        If no variant of an algorithm runs on the device that is asked for.
    """
    first = spec.seeds.first
    specs = [RunSpec(spec.instances[0], entry.stages, first, spec.budget, spec.device) for entry in spec.entries]
    return tuple(prepare(each) for each in specs)


def units(entries: Sequence[Prepared]) -> list[dict[str, Any]]:
    """What each entry counts: ``algorithm``, and the units of ``iterations`` and ``evaluations``, of its last stage.

    An entry of several stages counts in the units of each in turn; its units are empty where these differ.
    """
    told = []
    for entry in entries:
        counted = {(solver.iteration_unit, solver.evaluation_unit) for solver, _ in entry.stages}
        iteration, evaluation = counted.pop() if len(counted) == 1 else ("", "")
        name = "/".join(solver.name for solver, _ in entry.stages)
        told.append({"algorithm": name, "iterations": iteration, "evaluations": evaluation})
    return told


def chance(entries: Sequence[Prepared]) -> tuple[bool, ...]:
    """Whether each entry draws by lot: if not, every seed is the same run."""
    return tuple(any(solver.chance for solver, _ in entry.stages) for entry in entries)
