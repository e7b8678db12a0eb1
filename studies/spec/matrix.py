"""The cells of a study's matrix, one run each, in an order that covers the whole matrix early."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solvers.run import Prepared, prepare
from solvers.spec import RunSpec
from studies.spec.space import check_space
from studies.spec.spec import StudySpec


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of a study.

    Attributes
    ----------
    number : int
        Position in the order, from 0.
    instance, entry : int
        Indices in the study's lists.
    seed : int
    """

    number: int
    instance: int
    entry: int
    seed: int


def list_cells(spec: StudySpec) -> tuple[Cell, ...]:
    """Return all runs of a study by seed, then instance, then entry."""
    places = [
        (instance, entry, seed)
        for seed in spec.seeds
        for instance in range(len(spec.instances))
        for entry in range(len(spec.entries))
    ]
    return tuple(Cell(number, *place) for number, place in enumerate(places))


def make_run_spec(spec: StudySpec, cell: Cell) -> RunSpec:
    """Return the spec of a cell's run."""
    return RunSpec(spec.instances[cell.instance], spec.entries[cell.entry].stages, cell.seed, spec.budget, spec.device)


def prepare_entries(spec: StudySpec) -> tuple[Prepared, ...]:
    """Validate every entry of a study, and the ranges of a tuning study.

    Raises
    ------
    InvalidParams
        If an algorithm is unknown or a parameter is out of range.
    DeviceUnavailable
        If no variant of an algorithm runs on the requested device.
    """
    check_space(spec)
    first = spec.seeds.first
    specs = [RunSpec(spec.instances[0], entry.stages, first, spec.budget, spec.device) for entry in spec.entries]
    return tuple(prepare(spec) for spec in specs)


def list_units(entries: Sequence[Prepared]) -> list[dict[str, Any]]:
    """Return each entry's units: ``algorithm`` (names of its stages), ``iterations`` and ``evaluations``.

    If the stages of an entry count in different units, its units are empty.
    """
    result = []
    for entry in entries:
        unit_pairs = {(solver.iteration_unit, solver.evaluation_unit) for solver, _ in entry.stages}
        iteration, evaluation = unit_pairs.pop() if len(unit_pairs) == 1 else ("", "")
        name = "/".join(solver.name for solver, _ in entry.stages)
        result.append({"algorithm": name, "iterations": iteration, "evaluations": evaluation})
    return result


def are_random(entries: Sequence[Prepared]) -> tuple[bool, ...]:
    """Return whether each entry is random; otherwise every seed gives the same run."""
    return tuple(any(solver.chance for solver, _ in entry.stages) for entry in entries)
