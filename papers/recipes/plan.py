"""The options for measuring an entry."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Plan:
    """The options of a recipe.

    Attributes
    ----------
    device : str
        ``cuda`` or ``cpu``.
    repeats : int
        Number of samples of each figure.
    quick : bool
        Whether to measure the short form: small instances and few samples, which take seconds instead of minutes.
    known : dict
        Measurements of other entries by the same command; see `once`.
    """

    device: str
    repeats: int = 5
    quick: bool = False
    known: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, key: Hashable, measure: Callable[[], Any]) -> Any:
        """Return the result of ``measure``, which is called once per command for all entries with the same runs."""
        key = (self.device, self.repeats, self.quick, key)
        if key not in self.known:
            self.known[key] = measure()
        return self.known[key]

    @property
    def samples(self) -> int:
        """Number of samples for a figure that takes long: one in the short form."""
        return 1 if self.quick else self.repeats
