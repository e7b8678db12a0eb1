"""Fields common to several parts of a study's spec, with checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from data.collection.instance_reference import parse
from solvers.core.errors import InvalidParams

#: Maximum number of instances, and of seeds.
MAX_INSTANCES = 200
MAX_SEEDS = 1000


@dataclass(frozen=True, slots=True)
class Seeds:
    """Consecutive seeds: the first and their number."""

    first: int = 1
    count: int = 10

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.first + self.count))

    def overlaps(self, other: "Seeds") -> bool:
        """Return whether two ranges have a common seed."""
        return self.first < other.first + other.count and other.first < self.first + self.count


def parse_instances(name: str, value: Any) -> tuple[dict[str, Any], ...]:
    """Validate a list of distinct references to instances.

    Raises
    ------
    InvalidParams
        If the value is not such a list, or has duplicates.
    InvalidInstance
        If a reference has an unknown form.
    """
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_INSTANCES:
        raise InvalidParams(name, value, f"a list of 1 to {MAX_INSTANCES} instances")
    for k, reference in enumerate(value):
        parse(reference)
        if reference in value[:k]:
            raise InvalidParams(name, reference, "there only once")
    return tuple(dict(reference) for reference in value)


def parse_seeds(name: str, value: Any, default: Seeds) -> Seeds:
    """Validate a range of seeds, filling in missing parts from `default`.

    Raises
    ------
    InvalidParams
    """
    if not isinstance(value, Mapping) or set(value) - {"first", "count"}:
        raise InvalidParams(name, value, "an object such as {'first': 1, 'count': 10}")
    count = parse_whole_number(name, value.get("count", default.count), 1, MAX_SEEDS)
    return Seeds(parse_whole_number("seed", value.get("first", default.first), 0, 2**53 - count), count)


def parse_whole_number(name: str, value: Any, low: int, high: int) -> int:
    """Validate a whole number in a range.

    Raises
    ------
    InvalidParams
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidParams(name, value, f"a whole number from {low} to {high:,}")
    return value
