"""Layers of Held-Karp's states at work, on whatever device: the contract, and what is told of a layer."""

from dataclasses import dataclass
from typing import Protocol

from solvers.held_karp.plan import Plan


@dataclass(frozen=True, slots=True)
class Ends:
    """A path, or a tour where two paths meet, by what a layer knows of it.

    Attributes
    ----------
    length : int
    outer, inner : int
        The outer and the inner cities of the path, as bits.
    last : int
        The city that it ends in, counted as layers do: outer cities from 0, then the inner ones. In the last layer the
        city beyond the sets in which the two paths meet.
    """

    length: int
    outer: int
    inner: int
    last: int


@dataclass(frozen=True, slots=True)
class LayerProgress:
    """What a piece of work came to.

    Attributes
    ----------
    layer : int
        Outer cities of its sets.
    share : float
        Of the layer, how much is done: 1 where it is over.
    best : Ends or None
        Where the layer is over: the shortest path through as many outer and all inner cities; in the last layer the
        shortest tour. None before.
    """

    layer: int
    share: float
    best: Ends | None

    def is_last(self, plan: Plan) -> bool:
        """Whether the last of the layers is over, and `best` the shortest tour."""
        return self.layer == plan.layers - 1 and self.best is not None


class LayerTable(Protocol):
    """States of one layer after the other."""

    def advance(self) -> LayerProgress:
        """Work for at most 100 ms. How the work is cut changes no result."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...
