"""How an entry is to be measured."""

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
        Samples of each figure.
    quick : bool
        Whether the short form is wanted: small instances and few samples, seconds in place of minutes.
    known : dict
        What other entries have measured with the same command: see `once`.
    """

    device: str
    repeats: int = 5
    quick: bool = False
    known: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, key: Hashable, measure: Callable[[], Any]) -> Any:
        """What ``measure`` returns; where several entries are of the same runs, those are made once a command."""
        key = (self.device, self.repeats, self.quick, key)
        if key not in self.known:
            self.known[key] = measure()
        return self.known[key]

    @property
    def samples(self) -> int:
        """Samples of a figure that takes long: one in the short form."""
        return 1 if self.quick else self.repeats
