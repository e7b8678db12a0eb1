"""Declarations of parameters, from which forms, command lines, documents and checks are derived."""

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Any, Self

from data.limits import MAX_CITIES
from data.suggest import describe_unknown
from solvers.core.errors import InvalidParams

#: Version of the names and values of parameters in specs; older specs, links and files are translated.
VERSION = 2
#: Keys of a permalink's query that are not parameters of the algorithm.
RESERVED = ("v", "instance", "algorithm", "stages", "seed", "device", "run")
#: Possible types of a parameter's value.
Value = int | float | bool | str | tuple[int, ...]


def param(
    default: Value,
    *,
    label: str,
    help: str,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    scale: str = "linear",
    choices: tuple[str, ...] = (),
    symbol: str = "",
    gpu: bool = False,
    advanced: bool = False,
    former: tuple[str, ...] = (),
    former_choices: Mapping[str, str | Mapping[str, Value]] | None = None,
    tune: tuple[float, float] | bool | None = None,
) -> Any:
    """Declare a solver's parameter as a dataclass field.

    Parameters
    ----------
    default : int, float, bool, str or empty tuple
        The default value, whose type decides the parameter's kind. A str must be one of `choices`; a tuple is a tour,
        with cities counted from 0.
    label, help, symbol : str
        Name on the form, one sentence about the effect, and the symbol in papers (``ρ``).
    low, high, step : float, optional
        For numbers, the inclusive range and the step of the form.
    scale : {"linear", "log"}
        The slider's scale.
    choices : tuple of str
        The valid values of a str, in kebab-case except for names from papers.
    gpu : bool
        Whether the parameter applies only to GPUs: the form hides it if there is none.
    advanced : bool
        Whether the form may collapse the parameter.
    former : tuple of str
        Names in older releases, the latest first; specs, links, files and command lines may still contain these.
    former_choices : mapping of str to str or mapping, optional
        Choices of older releases that no longer exist, with what replaces each: a choice, or the values of several
        parameters. `Params.from_version_1` translates existing choices whose meaning has changed.
    tune : tuple of float or bool, optional
        The range over which a tuning study varies the parameter by default: a part of its range, the whole range
        (True), or none (False). If omitted: none for `advanced` parameters, the whole range for others.
    """
    metadata = {
        "label": label, "help": help, "low": low, "high": high, "step": step,
        "scale": scale, "choices": choices, "symbol": symbol, "gpu": gpu, "advanced": advanced,
        "former": former, "former_choices": former_choices or {}, "tune": tune,
    }  # fmt: skip
    return field(default=default, metadata=metadata)


def param_like(owner: "type[Params]", name: str, **changes: Any) -> Any:
    """Declare a parameter like that of another class, with some arguments of `param` changed."""
    declared = owner.__dataclass_fields__[name]
    return param(**{"default": declared.default, **declared.metadata, **changes})


def variant_param(names: Iterable[str], help: str) -> Any:
    """Declare the parameter that chooses an algorithm's variant."""
    return param("auto", label="Variant", help=help, choices=("auto", *names))


def gpus_param(help: str, former: tuple[str, ...] = ()) -> Any:
    """Declare the parameter for the number of GPUs: one or all."""
    return param("one", label="GPUs", help=help, choices=("one", "all"), gpu=True, former=former)


def on_all_gpus(params: "Params") -> bool:
    """Return whether a run uses all GPUs; algorithms without this parameter use one."""
    return getattr(params, "gpus", "one") == "all"


def ranks_param() -> Any:
    """Declare the parameter for the number of processes of the variant ``mpi``."""
    return param(
        0, label="Ranks", help="Processes of the variant mpi; 0 for one per core.", low=0, high=256, step=1,
        advanced=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter's declaration, for the form and the command line."""

    name: str
    kind: str  # "int", "float", "bool", "choice" or "tour"
    default: Value
    low: float | None
    high: float | None
    step: float | None
    scale: str
    choices: tuple[str, ...]
    label: str
    help: str
    symbol: str
    gpu: bool = False
    advanced: bool = False
    former: tuple[str, ...] = ()
    former_choices: Mapping[str, str | Mapping[str, Value]] = field(default_factory=dict)
    tune: tuple[float, float] | bool | None = None

    @classmethod
    def from_field(cls, declared: Field) -> Self:
        """Return the declaration of a dataclass field made by `param`."""
        default: Any = declared.default
        kind = {bool: "bool", int: "int", float: "float", str: "choice", tuple: "tour"}[type(default)]
        return cls(name=declared.name, kind=kind, default=default, **declared.metadata)

    @property
    def allowed(self) -> str:
        """Describe the valid values, for error messages."""
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        if self.kind == "bool":
            return "true or false"
        if self.kind == "tour":
            return f"a list of at most {MAX_CITIES:,} cities, counted from 0"
        noun = "a whole number" if self.kind == "int" else "a number"
        return f"{noun} from {_describe_limit(self.low)} to {_describe_limit(self.high)}"

    def current(self, value: Any) -> dict[str, Any]:
        """Return the parameters and values that `value` stands for today, if it is a former choice."""
        if not isinstance(value, str) or value not in self.former_choices:
            return {self.name: value}
        means = self.former_choices[value]
        return {self.name: means} if isinstance(means, str) else dict(means)

    def check(self, value: Any) -> Value:
        """Check a value, and return it as the parameter's own type.

        Raises
        ------
        InvalidParams
            If the value has the wrong type or is out of range.
        """
        if not self._allows(value):
            misspelt = self.kind == "choice" and isinstance(value, str)
            sentence = describe_unknown(self.name.replace("_", "-"), value, self.choices) if misspelt else ""
            raise InvalidParams(self.name, value, self.allowed, sentence)
        if self.kind == "tour":
            return tuple(value)
        return {"int": int, "float": float}[self.kind](value) if self.kind in ("int", "float") else value

    def _allows(self, value: Any) -> bool:
        if self.kind == "choice":
            return value in self.choices
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "tour":
            return _are_cities(value)
        if isinstance(value, bool) or not isinstance(value, int | float) or self.low is None or self.high is None:
            return False
        # this also rejects NaN and infinity, which are outside every range
        return self.low <= value <= self.high and (self.kind == "float" or value == int(value))


def _are_cities(value: Any) -> bool:
    """Return whether the values could be cities; the solver checks that they form a tour."""
    if not isinstance(value, list | tuple) or len(value) > MAX_CITIES:
        return False
    return all(type(city) is int and 0 <= city < MAX_CITIES for city in value)


def _describe_limit(limit: float | None) -> str:
    return f"{limit:,.0f}" if limit == round(limit or 0) else f"{limit:,g}"


@dataclass(frozen=True)
class Params:
    """Base class of all solvers' parameters, a frozen dataclass of fields made by `param`."""

    def __post_init__(self) -> None:
        for declared in self.schema():
            object.__setattr__(self, declared.name, declared.check(getattr(self, declared.name)))

    @classmethod
    @cache
    def schema(cls) -> tuple[Param, ...]:
        """Return the declarations in the order of the form."""
        return tuple(Param.from_field(declared) for declared in fields(cls))

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Create parameters from JSON values under the names of any release; missing values get their defaults.

        Raises
        ------
        InvalidParams
            If a name is unknown or a value is out of range.
        """
        values = cls.renamed(values)
        names = {declared.name for declared in fields(cls)}
        for name in values:
            if name not in names:
                allowed = "left out: this algorithm has no such parameter"
                raise InvalidParams(name, values[name], allowed, describe_unknown("parameter", name, sorted(names)))
        return cls(**values)

    @classmethod
    def renamed(cls, values: Mapping[str, Any], version: int = VERSION) -> dict[str, Any]:
        """Translate the values of a spec of a given version to current names and choices; keep unknown names.

        If a parameter's former and current name both occur, the former name remains too, as an unknown one. An explicit
        value takes precedence over a value that another parameter's former choice implies.
        """
        by_name = {name: declared for declared in cls.schema() for name in (declared.name, *declared.former)}
        current: dict[str, Any] = {}
        for name, value in values.items():
            declared = by_name.get(name)
            current[name if declared is None or declared.name in values else declared.name] = value
        if version < 2:
            current = cls.from_version_1(current)
        renamed: dict[str, Any] = {}
        for name, value in current.items():
            declared = by_name.get(name)
            means = {name: value} if declared is None or name != declared.name else declared.current(value)
            renamed |= {mean: v for mean, v in means.items() if mean == name or mean not in current}
        return renamed

    @classmethod
    def from_version_1(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Translate the values of a version 1 spec, under current names, so that results stay the same.

        A class overrides this method if a default or the meaning of a choice has changed since version 1. Invalid
        values are returned as they are.
        """
        return values

    @classmethod
    def first_named(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values under their oldest names and choices: the inverse of `renamed`.

        What is named after a spec, such as a file, keeps its name in every release if the name is made from these.
        """
        first = cls.renamed(values)
        for declared in cls.schema():
            for former in declared.former_choices:
                means = declared.current(former)
                if first.items() >= means.items():
                    first = {name: value for name, value in first.items() if name not in means}
                    first[declared.name] = former
            if declared.former and declared.name in first:
                first[declared.former[-1]] = first.pop(declared.name)
        return first
