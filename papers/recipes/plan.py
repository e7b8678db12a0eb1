"""How an entry is to be measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """What a recipe is told.

    Attributes
    ----------
    device : str
        ``cuda`` or ``cpu``.
    repeats : int
        Samples of each figure.
    quick : bool
        Whether the short form is wanted: small instances and few samples, seconds in place of minutes.
    """

    device: str
    repeats: int = 5
    quick: bool = False

    @property
    def samples(self) -> int:
        """Samples of a figure that takes long: one in the short form."""
        return 1 if self.quick else self.repeats
