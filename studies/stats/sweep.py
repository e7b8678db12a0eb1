"""Finds entries that differ only in one parameter, which form a curve."""

import json
from dataclasses import dataclass

from studies.spec.spec import Entry, stages_to_json

#: Minimum number of values of a curve.
_MIN_VALUES = 3


@dataclass(frozen=True, slots=True)
class Sweep:
    """A parameter, and entries that differ in nothing else.

    Attributes
    ----------
    name : str
        Name of the parameter.
    lines : tuple of tuple of (float, int)
        Value of the parameter and code of the entry, by ascending value, for each set of entries that differ only in
        the parameter.
    """

    name: str
    lines: tuple[tuple[tuple[float, int], ...], ...]


def find_sweep(entries: tuple[Entry, ...]) -> Sweep | None:
    """Return the parameter that a study varies, with the longest curves; None if none has three values."""
    sweeps = [sweep for sweep in find_sweeps(entries) if any(len(line) >= _MIN_VALUES for line in sweep.lines)]
    return max(sweeps, key=lambda sweep: sum(map(len, sweep.lines)), default=None)


def find_sweeps(entries: tuple[Entry, ...]) -> list[Sweep]:
    """Find the parameters that are the only difference between two or more entries, by name."""
    sweeps = [Sweep(name, _group_entries(entries, name)) for name in sorted(_list_names(entries))]
    return [sweep for sweep in sweeps if sweep.lines]


def _list_names(entries: tuple[Entry, ...]) -> set[str]:
    return {
        name for entry in entries for stage in entry.stages for name, value in stage.params.items() if _is_number(value)
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _group_entries(entries: tuple[Entry, ...], name: str) -> tuple[tuple[tuple[float, int], ...], ...]:
    """Group entries by everything but the parameter, leaving out single ones."""
    groups: dict[str, dict[float, int]] = {}
    for code, entry in enumerate(entries):
        values = {stage.params[name] for stage in entry.stages if _is_number(stage.params.get(name))}
        if len(values) != 1:  # the entry lacks the parameter, or has two values of it
            continue
        rest = stages_to_json(entry.stages)
        for stage in rest:
            stage["params"] = {key: value for key, value in stage["params"].items() if key != name}
        groups.setdefault(json.dumps(rest, sort_keys=True), {}).setdefault(float(values.pop()), code)
    return tuple(tuple(sorted(line.items())) for line in groups.values() if len(line) > 1)
