"""The interface that computes Held-Karp's layers, on any device, and the progress that it reports."""

from dataclasses import dataclass
from typing import Protocol

from solvers.held_karp.plan import Plan


@dataclass(frozen=True, slots=True)
class Ends:
    """The data that a layer keeps of a path, or of a tour where two paths meet.

    Attributes
    ----------
    length : int
    outer, inner : int
        The outer and the inner cities of the path, as bits.
    last : int
        The last city of the path, numbered as layers do: outer cities from 0, then the inner ones. In the last layer
        the city outside the sets in which the two paths meet.
    """

    length: int
    outer: int
    inner: int
    last: int


@dataclass(frozen=True, slots=True)
class LayerProgress:
    """Progress after a slice of work.

    Attributes
    ----------
    layer : int
        The layer's number: the number of outer cities in its sets.
    share : float
        The finished fraction of the layer: 1 when it is complete.
    best : Ends or None
        When the layer is complete: the shortest path through so many outer cities and all inner ones; in the last
        layer the shortest tour. None before.
    """

    layer: int
    share: float
    best: Ends | None

    def is_last(self, plan: Plan) -> bool:
        """Whether the last layer is complete, and `best` is the shortest tour."""
        return self.layer == plan.layers - 1 and self.best is not None


class LayerTable(Protocol):
    """The states of the layers, computed one layer after the other."""

    def advance(self) -> LayerProgress:
        """Work for at most 100 ms. How the work is divided does not change the result."""
        ...

    def close(self) -> None:
        """Free memory and threads."""
        ...
