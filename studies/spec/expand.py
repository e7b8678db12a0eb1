"""One algorithm over the values of a parameter: an entry becomes several, one per value."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from data import plain_json
from solvers import find
from solvers.errors import InvalidParams
from solvers.spec import Stage
from studies.spec.spec import Entry


def over(entries: Sequence[Entry], name: str, values: Sequence[Any]) -> tuple[Entry, ...]:
    """Each entry that has the parameter, once with each of the values; other entries unchanged.

    Parameters
    ----------
    entries : sequence of Entry
    name : str
        Name of the parameter. All stages that have it get the value.
    values : sequence
        JSON values; `studies.spec.matrix.prepared` checks their ranges.

    Raises
    ------
    InvalidParams
        If no entry has the parameter, or an algorithm is unknown.
    """
    many: list[Entry] = []
    for entry in entries:
        if any(_has(stage, name) for stage in entry.stages):
            many += [_with(entry, name, value) for value in values]
        else:
            many.append(entry)
    if len(many) == len(entries) and not any(_has(stage, name) for entry in entries for stage in entry.stages):
        raise InvalidParams("over", name, "a parameter of one of the algorithms")
    return tuple(many)


def value_of(text: str) -> Any:
    """A parameter's value as typed by a user: parsed as JSON if it is that, else the text itself."""
    try:
        return plain_json.loads(text)
    except ValueError:
        return text


def _has(stage: Stage, name: str) -> bool:
    return _today(stage, name) is not None


def _today(stage: Stage, name: str) -> str | None:
    """The current name of the algorithm's parameter of that name; None if it has none."""
    schema = find(stage.algorithm).params.schema()
    return next((declared.name for declared in schema if name in (declared.name, *declared.former)), None)


def _with(entry: Entry, name: str, value: Any) -> Entry:
    stages = [
        replace(stage, params={**stage.params, today: value}) if (today := _today(stage, name)) else stage
        for stage in entry.stages
    ]
    return Entry(f"{entry.label} {name}={value if isinstance(value, str) else json.dumps(value)}", tuple(stages))
