"""Varies a parameter: an entry becomes several, one per value."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from data.suggest import describe_unknown
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.spec import Stage
from solvers.spec import parse_value as parse_value  # the value to vary, as the user typed it
from studies.spec.spec import Entry


def vary(entries: Sequence[Entry], name: str, values: Sequence[Any]) -> tuple[Entry, ...]:
    """Repeat each entry that has the parameter once per value; leave the other entries unchanged.

    Parameters
    ----------
    entries : sequence of Entry
    name : str
        Name of the parameter. All stages that have it get the value.
    values : sequence
        JSON values; `studies.spec.matrix.prepare_entries` checks their ranges.

    Raises
    ------
    InvalidParams
        If no entry has the parameter, or an algorithm is unknown.
    """
    has_param = [any(_find_current_name(stage, name) for stage in entry.stages) for entry in entries]
    if not any(has_param):
        stages = [stage for entry in entries for stage in entry.stages]
        names = dict.fromkeys(param.name for stage in stages for param in find(stage.algorithm).params.schema())
        raise InvalidParams(
            "over", name, "a parameter of one of the algorithms", describe_unknown("parameter", name, names)
        )
    result: list[Entry] = []
    for entry, matches in zip(entries, has_param, strict=True):
        result += [_replace_value(entry, name, value) for value in values] if matches else [entry]
    return tuple(result)


def _find_current_name(stage: Stage, name: str) -> str | None:
    """Return the current name of an algorithm's parameter; None if it has none of this name."""
    schema = find(stage.algorithm).params.schema()
    return next((param.name for param in schema if name in (param.name, *param.former)), None)


def _replace_value(entry: Entry, name: str, value: Any) -> Entry:
    stages = [
        replace(stage, params={**stage.params, current: value})
        if (current := _find_current_name(stage, name))
        else stage
        for stage in entry.stages
    ]
    return Entry(f"{entry.label} {name}={value if isinstance(value, str) else json.dumps(value)}", tuple(stages))
