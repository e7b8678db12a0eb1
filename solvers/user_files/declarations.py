"""Converts what a solver declares to JSON for another process, and finds faults in it."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, asdict, fields, is_dataclass, make_dataclass
from typing import Any

from solvers.core.errors import InvalidParams
from solvers.core.params import RESERVED, Param, Params, param
from solvers.core.solver import Preset, Solver, Variant

_TEXTS = ("name", "title", "family", "summary", "iteration_unit", "evaluation_unit", "step_unit")
_VALUES = (*_TEXTS, "source", "counted_from", "chance", "listed", "exact", "makes_start", "comparison")
_STEP_UNITS = ("move", "edge", "step")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
#: Fields of a `Param` that are derived from other fields.
_DERIVED = ("name", "kind")


def find_faults(solver: Solver) -> Iterator[str]:
    """Yield the faults in a solver's declarations."""
    kind = type(solver).__name__
    for name in _TEXTS:
        value = getattr(solver, name, None)
        if not isinstance(value, str) or not value.strip():
            yield f"{kind}.{name} is {value!r:.80}, but must be a text."
    if isinstance(getattr(solver, "name", None), str) and solver.name and not _KEBAB.fullmatch(solver.name):
        yield f"{kind}.name is {solver.name!r:.80}, but must be of small letters, digits and hyphens, as my-solver."
    if isinstance(getattr(solver, "step_unit", None), str) and solver.step_unit not in _STEP_UNITS:
        yield f"{kind}.step_unit is {solver.step_unit!r:.80}, but must be one of {', '.join(_STEP_UNITS)}."
    if "solve" not in {name for base in type(solver).__mro__[:-1] if base is not Solver for name in vars(base)}:
        yield f"{kind} has no method solve."
    variants = getattr(solver, "variants", None)
    if not isinstance(variants, tuple) or not variants or not all(isinstance(variant, Variant) for variant in variants):
        yield f"{kind}.variants must be a tuple with at least one Variant."
    yield from _find_params_faults(kind, getattr(solver, "params", None))


def _find_params_faults(kind: str, params: Any) -> Iterator[str]:
    if not isinstance(params, type) or not issubclass(params, Params):
        yield f"{kind}.params must be a class derived from Params."
        return
    names = [name for base in params.__mro__ for name in inspect.get_annotations(base)]
    loose = [name for name, value in vars(params).items() if isinstance(value, Field)]
    if loose or not is_dataclass(params) or set(names) - {field.name for field in fields(params)}:
        yield f"{params.__name__} must have @dataclass(frozen=True) above it."
        return
    for field in fields(params):
        if field.default is MISSING or not field.metadata:
            yield f"{params.__name__}.{field.name} must be declared by param(...)."
        elif (fault := _find_param_fault(field)) is not None:
            yield f"{params.__name__}.{field.name} {fault}."
        elif field.name in RESERVED:
            yield f"{params.__name__}.{field.name} has a name that every run has already; choose another one."


def _find_param_fault(field: Field) -> str | None:
    try:
        declared = Param.from_field(field)
    except KeyError:
        return "must have a number, a text, true or false as its default"
    if declared.kind in ("int", "float") and (declared.low is None or declared.high is None):
        return "must have low and high"
    if declared.scale == "log" and not (declared.low or 0) > 0:
        return "has a logarithmic scale, so low must be more than 0"
    try:
        declared.check(declared.default)
    except InvalidParams:
        return f"has the default {declared.default!r:.80}, but must be {declared.allowed}"
    return None


def describe_solver(solver: Solver) -> dict[str, Any]:
    """Return a solver's declarations as a JSON value, which `parse_attributes` reads back."""
    values: dict[str, Any] = {name: getattr(solver, name) for name in _VALUES}
    return values | {
        "doc": inspect.getdoc(type(solver)) or "",
        "views": list(solver.views),
        "variants": [
            {field.name: getattr(variant, field.name) for field in fields(Variant)} for variant in solver.variants
        ],
        "presets": [asdict(preset) for preset in solver.presets],
        "params": [{**asdict(param), "former_choices": dict(param.former_choices)} for param in solver.params.schema()],
    }


def parse_attributes(declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a solver's class, given the JSON value from another process."""
    variants = [Variant(**{**variant, "capability": tuple(variant["capability"])}) for variant in declared["variants"]]
    return {
        **{name: declared[name] for name in (*_VALUES, "doc")},
        "views": tuple(declared["views"]),
        "variants": tuple(variants),
        "presets": tuple(Preset(**preset) for preset in declared["presets"]),
        "params": _make_params(declared["params"]),
    }


def _make_params(declared: list[dict[str, Any]]) -> type[Params]:
    solvers = []
    for value in declared:
        values: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in value.items() if name not in _DERIVED
        }
        default = values.pop("default")
        solvers.append((value["name"], type(default), param(default, **values)))
    return make_dataclass("UserParams", solvers, bases=(Params,), frozen=True)
