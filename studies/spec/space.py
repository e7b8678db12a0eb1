"""A tuning study's search space: parameters and ranges, as declared in `params.py`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from data.suggest import describe_unknown
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.core.params import Param
from solvers.core.solver import Solver
from solvers.spec import parse_value
from studies.spec.ranges import Range
from studies.spec.spec import StudySpec

#: Parameters for where and how a run is computed, which do not affect its result.
DEVICE_PARAMS = ("variant", "gpus", "ranks")


def list_tunable_params(solver: Solver) -> tuple[Param, ...]:
    """Return the parameters that a tuning study can vary, without those for device and budget."""
    iterations = solver.iterations_param()
    left_out = {*DEVICE_PARAMS, *([] if iterations is None else [iterations.name])}
    return tuple(
        param for param in solver.params.schema() if param.name not in left_out and not param.gpu and _has_values(param)
    )


def _has_values(param: Param) -> bool:
    """Return whether a parameter has more than one value."""
    return param.kind == "bool" or len(param.choices) > 1 or (param.low or 0) < (param.high or 0)


def is_tuned_by_default(param: Param) -> bool:
    """Return whether a tuning study varies a parameter by default."""
    return not param.advanced if param.tune is None else param.tune is not False


def make_default_range(param: Param) -> Range:
    """Return a parameter's default range; see `solvers.core.params.param`."""
    if param.kind == "bool":
        return Range(param.name, choices=(False, True))
    if param.kind == "choice":
        return Range(param.name, choices=param.choices)
    assert param.low is not None
    assert param.high is not None
    part = param.tune if isinstance(param.tune, tuple) else (param.low, param.high)
    integer, log = param.kind == "int", param.scale == "log"
    step = None if log or (integer and param.step == 1) else param.step
    if step is not None and step > part[1] - part[0]:
        step = None
    return Range(param.name, *part, step=step, log=log, integer=integer)


def build_search_space(algorithm: str, names: Iterable[str] = ()) -> tuple[Range, ...]:
    """Return the ranges of an algorithm's parameters, by default of those that matter.

    Raises
    ------
    InvalidParams
        If a named parameter cannot vary, or the algorithm has none that can.
    """
    params = list_declarations(algorithm)
    selected = list(names) or [name for name, param in params.items() if is_tuned_by_default(param)] or list(params)
    return tuple(make_default_range(_find_param(params, name)) for name in selected)


def list_declarations(algorithm: str) -> dict[str, Param]:
    """Return an algorithm's tunable parameters by name.

    Raises
    ------
    InvalidParams
        If the algorithm has no such parameters.
    """
    params = {param.name: param for param in list_tunable_params(find(algorithm))}
    if not params:
        raise InvalidParams("tune", algorithm, "an algorithm with parameters that change its tours")
    return params


def _find_param(params: Mapping[str, Param], name: str) -> Param:
    if name not in params:
        raise InvalidParams("vary", name, "a parameter that can vary", describe_unknown("parameter", name, params))
    return params[name]


def limit_range(param: Param, low: Any, high: Any) -> Range:
    """Return a parameter's range with other limits.

    Raises
    ------
    InvalidParams
        If the limits exceed those of the parameter.
    """
    ends = param.check(low), param.check(high)
    assert isinstance(ends[0], int | float)
    assert isinstance(ends[1], int | float)
    range_ = replace(make_default_range(param), low=ends[0], high=ends[1])
    if range_.step is not None and range_.step > ends[1] - ends[0]:
        range_ = replace(range_, step=None)
    return Range.from_json(param.name, range_.to_json())


def parse_range(param: Param, text: str) -> Range:
    """Parse a parameter's range: ``1..5``, ``a|b``, or nothing for the default.

    Raises
    ------
    InvalidParams
        If the text is not a range, or exceeds the parameter's limits.
    """
    low, dots, high = text.partition("..")
    if not text.strip():
        return make_default_range(param)
    if dots:
        return limit_range(param, parse_value(low.strip()), parse_value(high.strip()))
    choices = [parse_value(choice.strip()) for choice in text.split("|")]
    for choice in choices:
        param.check(choice)
    return Range.from_json(param.name, {"choices": choices})


def format_range(each: Range) -> str:
    """Format a range as users type it."""
    if each.choices:
        return "|".join(choice if isinstance(choice, str) else json.dumps(choice) for choice in each.choices)
    return f"{each.low:.15g}..{each.high:.15g}"


def check_space(spec: StudySpec) -> None:
    """Check that a tuning study's parameters can vary, within their algorithm's limits.

    Raises
    ------
    InvalidParams
    """
    if spec.tune is None:
        return
    params = list_declarations(spec.entries[0].stages[-1].algorithm)
    for range_ in spec.tune.vary:
        param = _find_param(params, range_.name)
        for value in range_.choices or (range_.low, range_.high):
            param.check(value)
        if param.kind == "int" and not range_.integer:
            raise InvalidParams(range_.name, range_.to_json(), "a range with 'integer': true")


def list_initial_values(spec: StudySpec) -> dict[str, Any]:
    """Return the values of the varied parameters in a tuning study's entry, or their defaults."""
    assert spec.tune is not None
    last = spec.entries[0].stages[-1]
    params = find(last.algorithm).params.from_mapping(last.params)
    return {range_.name: getattr(params, range_.name) for range_ in spec.tune.vary}
