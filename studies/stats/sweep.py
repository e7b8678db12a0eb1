"""A study over a parameter: which entries differ in its value alone, so that they are points of one curve."""

import json
from dataclasses import dataclass

from studies.spec.spec import Entry, stages_json

#: Values that make a curve.
_LEAST = 3


@dataclass(frozen=True, slots=True)
class Sweep:
    """A parameter, and the entries that go over it.

    Attributes
    ----------
    name : str
        Of the parameter.
    lines : tuple of tuple of (float, int)
        For all entries that differ in the parameter alone: its value and the entry's code, the values rising.
    """

    name: str
    lines: tuple[tuple[tuple[float, int], ...], ...]


def sweep_of(entries: tuple[Entry, ...]) -> Sweep | None:
    """The parameter that a study is over: the one whose curves have most entries; None if none has three values."""
    found = [Sweep(name, _lines(entries, name)) for name in sorted(_names(entries))]
    found = [sweep for sweep in found if any(len(line) >= _LEAST for line in sweep.lines)]
    return max(found, key=lambda sweep: sum(map(len, sweep.lines)), default=None)


def _names(entries: tuple[Entry, ...]) -> set[str]:
    return {
        name for entry in entries for stage in entry.stages for name, value in stage.params.items() if _is_number(value)
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _lines(entries: tuple[Entry, ...], name: str) -> tuple[tuple[tuple[float, int], ...], ...]:
    """Entries by what else they are; those that are alone are no curve."""
    alike: dict[str, dict[float, int]] = {}
    for code, entry in enumerate(entries):
        values = {stage.params[name] for stage in entry.stages if _is_number(stage.params.get(name))}
        if len(values) != 1:  # lacks it, or has two of it
            continue
        rest = stages_json(entry.stages)
        for stage in rest:
            stage["params"] = {key: value for key, value in stage["params"].items() if key != name}
        alike.setdefault(json.dumps(rest, sort_keys=True), {}).setdefault(float(values.pop()), code)
    return tuple(tuple(sorted(line.items())) for line in alike.values() if len(line) > 1)
