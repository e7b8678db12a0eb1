"""A race's result, for the sentence below its animation."""

from typing import NamedTuple

from data.instance import Instance


class LaneEnd(NamedTuple):
    """A lane's best length (None without a tour), and when it was reached: seconds on the lane's own clock."""

    length: int | None
    at: float


class NoTour(LookupError):
    """There is no tour to draw."""

    def __init__(self) -> None:
        super().__init__("No lane has a tour yet.")


class RaceEnd(NamedTuple):
    """The result of a race, or of a comparison of finished runs.

    Attributes
    ----------
    lanes : tuple of LaneEnd
    instance : Instance
    is_complete : bool
        Whether every lane ran to completion.
    one_seed : bool
        Whether all lanes have the same seed, as in a race.
    """

    lanes: tuple[LaneEnd, ...]
    instance: Instance
    is_complete: bool
    one_seed: bool
