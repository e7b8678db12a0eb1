"""Lists of instances and algorithms."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tourscope import algorithm_classes
from tourscope.algorithm import Algorithm
from tourscope.caller import acquire, release


@dataclass(frozen=True, slots=True)
class InstanceCard:
    """An entry of the instance list.

    Attributes
    ----------
    name : str
        Name for `solve` and `run`.
    n : int
        Number of cities.
    kind : str
        Edge weight type of TSPLIB 95.
    optimum : int or None
        Length of the best known tour.
    proven : bool
        Whether the optimum is proven.
    directed : bool
        Whether distances depend on the direction.
    source : str
        ``bundled``, or ``folder`` for the user's own folder.
    comment : str
    """

    name: str
    n: int
    kind: str
    optimum: int | None
    proven: bool
    directed: bool
    source: str
    comment: str


def instances() -> list[InstanceCard]:
    """Return the bundled instances and those in the user's folder.

    Examples
    --------
    >>> import tourscope as ts
    >>> [card.n for card in ts.instances() if card.name == "berlin52"]
    [52]
    """
    caller = acquire()
    caller.send("instances", {})
    answer = caller.frame()
    caller.frame()
    release(caller)
    names = [field.name for field in fields(InstanceCard)]
    return [InstanceCard(**{name: card[name] for name in names}) for card in answer.values["cards"]]


def algorithms() -> dict[str, type[Algorithm]]:
    """Return the algorithms by their command-line names.

    Examples
    --------
    >>> import tourscope as ts
    >>> ts.algorithms()["two-opt"]
    <class 'tourscope.algorithm_classes.TwoOpt'>
    """
    return {cls.name: cls for cls in (getattr(algorithm_classes, name) for name in algorithm_classes.__all__)}
