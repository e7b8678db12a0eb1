"""Values of a parameter in a tuning study: a range of numbers, or choices."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

from solvers.core.errors import InvalidParams

#: Number of significant digits of numbers drawn from a range without steps.
DIGITS = 4
#: Maximum number of choices of a parameter.
_MAX_CHOICES = 100
_FIELDS = frozenset({"low", "high", "step", "log", "integer"})


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a parameter may take.

    Attributes
    ----------
    name : str
        Name of the parameter.
    low, high : float
        Minimum and maximum, inclusive; 0 for choices.
    step : float or None
        Distance between numbers, from `low`; None for a continuous range.
    log : bool
        Whether the scale is logarithmic; if so, there is no step.
    integer : bool
    choices : tuple of str or bool
        The values if they are not numbers; else empty.
    """

    name: str
    low: float = 0
    high: float = 0
    step: float | None = None
    log: bool = False
    integer: bool = False
    choices: tuple[str | bool, ...] = ()

    @classmethod
    def from_json(cls, name: Any, value: Any) -> Self:
        """Validate a decoded JSON value: ``{"low": 1, "high": 5, "step": 0.1}`` or ``{"choices": ["a", "b"]}``.

        Raises
        ------
        InvalidParams
        """
        if not isinstance(name, str) or not isinstance(value, Mapping):
            raise InvalidParams("vary", value, "an object of ranges by the names of parameters")
        if set(value) == {"choices"}:
            return cls(name, choices=_parse_choices(name, value["choices"]))
        if not {"low", "high"} <= set(value) <= _FIELDS:
            raise InvalidParams(name, dict(value), "a range such as {'low': 1, 'high': 5}, or {'choices': [...]}")
        low, high, step = value["low"], value["high"], value.get("step")
        log, integer = value.get("log", False), value.get("integer", False)
        numbers = all(_is_number(number) for number in (low, high, *([] if step is None else [step])))
        if not numbers or not isinstance(log, bool) or not isinstance(integer, bool):
            raise InvalidParams(name, dict(value), "a range of numbers")
        if not low < high or (step is not None and not 0 < step <= high - low) or (log and not low > 0):
            raise InvalidParams(name, dict(value), "a range from a lower to a higher number, above 0 on a log scale")
        if log and step is not None:
            raise InvalidParams(name, dict(value), "without a step on a log scale")
        if integer and any(number != int(number) for number in (low, high, step or 1)):
            raise InvalidParams(name, dict(value), "a range of whole numbers")
        return cls(name, low, high, step, log, integer)

    def to_json(self) -> dict[str, Any]:
        """Return the range as JSON without its name, the inverse of `from_json`."""
        if self.choices:
            return {"choices": list(self.choices)}
        value: dict[str, Any] = {"low": self.low, "high": self.high}
        value |= {} if self.step is None else {"step": self.step}
        return value | {name: True for name in ("log", "integer") if getattr(self, name)}

    @property
    def last(self) -> float:
        """Greatest number in the range, a whole number of steps above `low`."""
        if self.step is None:
            return self.high
        return min(self.high, round(self.low + int((self.high - self.low) / self.step + 1e-9) * self.step, 12))

    def value(self, draw: Any) -> Any:
        """Convert a draw to a parameter value: an integer, or a decimal without binary noise."""
        if self.choices:
            return draw
        if self.integer:
            return int(min(self.high, max(self.low, round(draw))))
        tidy = float(f"{draw:.{DIGITS}g}") if self.step is None else round(float(draw), 12)
        return float(min(self.high, max(self.low, tidy)))

    def contains(self, value: Any) -> bool:
        """Return whether a parameter value is in the range."""
        if self.choices:
            return any(value == choice and type(value) is type(choice) for choice in self.choices)
        if not _is_number(value) or not self.low <= value <= self.last:
            return False
        steps = 0.0 if self.step is None else (value - self.low) / self.step
        return abs(steps - round(steps)) < 1e-8 and (not self.integer or value == int(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _parse_choices(name: str, value: Any) -> tuple[str | bool, ...]:
    """Validate a list of at least two distinct strings, or false and true."""
    if not isinstance(value, list) or not 2 <= len(value) <= _MAX_CHOICES:
        raise InvalidParams(name, value, f"a list of 2 to {_MAX_CHOICES} choices")
    if len({type(item) for item in value}) > 1 or not isinstance(value[0], str | bool) or len(set(value)) < len(value):
        raise InvalidParams(name, value, "a list of different choices")
    return tuple(value)
