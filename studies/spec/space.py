"""The search space of a tuning: parameters and their ranges, as declared in `params.py`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from data.suggest import unknown
from solvers import find
from solvers.errors import InvalidParams
from solvers.params import Param
from solvers.solver import Solver
from solvers.spec import parse_value
from studies.spec.ranges import Range
from studies.spec.spec import StudySpec

#: Parameters for where and how a run is computed, which do not affect its result.
WHERE = ("variant", "gpus", "ranks")


def tunable(solver: Solver) -> tuple[Param, ...]:
    """Parameters that a tuning can vary, without those for the device or the budget."""
    counted = solver.iterations_param()
    left_out = {*WHERE, *([] if counted is None else [counted.name])}
    return tuple(
        each for each in solver.params.schema() if each.name not in left_out and not each.gpu and _has_values(each)
    )


def _has_values(declared: Param) -> bool:
    """Whether a parameter has more than one value."""
    return declared.kind == "bool" or len(declared.choices) > 1 or (declared.low or 0) < (declared.high or 0)


def is_tuned_by_default(declared: Param) -> bool:
    """Whether a tuning varies a parameter by default."""
    return not declared.advanced if declared.tune is None else declared.tune is not False


def default_range(declared: Param) -> Range:
    """Default range of a parameter; see `solvers.params.param`."""
    if declared.kind == "bool":
        return Range(declared.name, choices=(False, True))
    if declared.kind == "choice":
        return Range(declared.name, choices=declared.choices)
    assert declared.low is not None
    assert declared.high is not None
    part = declared.tune if isinstance(declared.tune, tuple) else (declared.low, declared.high)
    integer, log = declared.kind == "int", declared.scale == "log"
    step = None if log or (integer and declared.step == 1) else declared.step
    if step is not None and step > part[1] - part[0]:
        step = None
    return Range(declared.name, *part, step=step, log=log, integer=integer)


def search_space(algorithm: str, names: Iterable[str] = ()) -> tuple[Range, ...]:
    """Ranges of the named parameters of an algorithm; by default of those that matter.

    Raises
    ------
    InvalidParams
        If a named parameter cannot vary, or the algorithm has none that can.
    """
    declared = declarations(algorithm)
    wanted = list(names) or [name for name, each in declared.items() if is_tuned_by_default(each)] or list(declared)
    return tuple(default_range(_known(declared, name)) for name in wanted)


def declarations(algorithm: str) -> dict[str, Param]:
    """Parameters of an algorithm that can vary, by name.

    Raises
    ------
    InvalidParams
        If there are none.
    """
    declared = {each.name: each for each in tunable(find(algorithm))}
    if not declared:
        raise InvalidParams("tune", algorithm, "an algorithm with parameters that change its tours")
    return declared


def _known(declared: Mapping[str, Param], name: str) -> Param:
    if name not in declared:
        raise InvalidParams("vary", name, "a parameter that can vary", unknown("parameter", name, declared))
    return declared[name]


def within(declared: Param, low: Any, high: Any) -> Range:
    """Range of a parameter with other limits.

    Raises
    ------
    InvalidParams
        If the limits exceed those of the parameter.
    """
    ends = declared.check(low), declared.check(high)
    assert isinstance(ends[0], int | float)
    assert isinstance(ends[1], int | float)
    range_ = replace(default_range(declared), low=ends[0], high=ends[1])
    if range_.step is not None and range_.step > ends[1] - ends[0]:
        range_ = replace(range_, step=None)
    return Range.from_json(declared.name, range_.to_json())


def parse_range(declared: Param, text: str) -> Range:
    """Parse the range of a parameter: ``1..5``, ``a|b``, or nothing for the default.

    Raises
    ------
    InvalidParams
        If it is not a range, or exceeds the parameter's limits.
    """
    low, dots, high = text.partition("..")
    if not text.strip():
        return default_range(declared)
    if dots:
        return within(declared, parse_value(low.strip()), parse_value(high.strip()))
    choices = [parse_value(each.strip()) for each in text.split("|")]
    for each in choices:
        declared.check(each)
    return Range.from_json(declared.name, {"choices": choices})


def range_text(each: Range) -> str:
    """Format a range as users type it."""
    if each.choices:
        return "|".join(choice if isinstance(choice, str) else json.dumps(choice) for choice in each.choices)
    return f"{each.low:.15g}..{each.high:.15g}"


def check_space(spec: StudySpec) -> None:
    """Check that the parameters of a tuning can vary, within the limits of their algorithm.

    Raises
    ------
    InvalidParams
    """
    if spec.tune is None:
        return
    declared = declarations(spec.entries[0].stages[-1].algorithm)
    for each in spec.tune.vary:
        param = _known(declared, each.name)
        for value in each.choices or (each.low, each.high):
            param.check(value)
        if param.kind == "int" and not each.integer:
            raise InvalidParams(each.name, each.to_json(), "a range with 'integer': true")


def as_set(spec: StudySpec) -> dict[str, Any]:
    """Values of the varying parameters in a tuning's entry, or their defaults."""
    assert spec.tune is not None
    last = spec.entries[0].stages[-1]
    params = find(last.algorithm).params.from_mapping(last.params)
    return {each.name: getattr(params, each.name) for each in spec.tune.vary}
