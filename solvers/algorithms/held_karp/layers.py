"""The interface of Held-Karp's layers on any device, and the progress they report."""

from dataclasses import dataclass
from typing import Protocol


class LayerPlan(Protocol):
    """The sizes of a problem's layers; see `solvers.algorithms.held_karp.plan.Plan` for the attributes."""

    @property
    def n(self) -> int: ...
    @property
    def inner_count(self) -> int: ...
    @property
    def outer_count(self) -> int: ...
    @property
    def item(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def all_transitions(self) -> int: ...
    def resize(self, n: int) -> "LayerPlan": ...
    def subsets(self, layer: int) -> int: ...
    def states(self, layer: int) -> int: ...
    def transitions(self, layer: int) -> int: ...
    def bytes(self, layer: int) -> int: ...


@dataclass(frozen=True, slots=True)
class Ends:
    """What a layer stores of a path, or of a tour made of two paths that meet.

    Attributes
    ----------
    length : int
    outer, inner : int
        The path's outer and inner cities, as bits.
    last : int
        The path's last city, numbered as in layers: outer cities from 0, then the inner ones. In the last layer, the
        city where the two paths meet, which is in neither set.
    """

    length: int
    outer: int
    inner: int
    last: int


@dataclass(frozen=True, slots=True)
class Path:
    """A layer's shortest path and its cities; in the last layer, the shortest tour.

    Attributes
    ----------
    length : int
    cities : tuple of int
        The cities from city 0 on, numbered as in the instance.
    """

    length: int
    cities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LayerProgress:
    """Progress after a slice of work.

    Attributes
    ----------
    layer : int
        The number of outer cities in the layer's sets.
    share : float
        The share of the layer that is finished; 1 if it is complete.
    best : Ends, Path or None
        For a complete layer, the shortest path through this many outer cities and all inner ones or, in the last layer,
        the shortest tour. Otherwise None.
    """

    layer: int
    share: float
    best: Ends | Path | None

    def is_last(self, plan: LayerPlan) -> bool:
        """Return whether the last layer is complete, so that `best` is the shortest tour."""
        return self.layer == plan.layers - 1 and self.best is not None


class LayerTable(Protocol):
    """The states of the layers, computed one layer after another."""

    def advance(self) -> LayerProgress:
        """Work for at most 100 ms; how the work is divided does not affect the result."""
        ...

    def close(self) -> None:
        """Free memory and threads."""
        ...
