"""The result of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The best tour of a run, and how it was found.

    Attributes
    ----------
    tour : ndarray, shape (n,), int32
        The cities in the order of the visit, from 0.
    length : int
        Its exact length after TSPLIB 95, measured again in 64 bits.
    optimum : int or None
        Length of the best known tour of the instance; `length` if the run has proven it.
    gap : float or None
        By how many per cent `length` exceeds `optimum`; None if that is unknown, if the tour uses missing edges, or if
        it is longer than an optimum that is not above 0.
    missing_edges : int
        How many edges of the tour are missing in the instance.
    proven : bool
        Whether the run has proven that no tour is shorter.
    instance : str
        Name of the instance.
    iterations, evaluations : int
        In the units of the algorithm.
    seconds, seconds_to_best, compile_seconds : float
        Time of the run, until its best tour, and of compilation, which is not part of it.
    stop_reason : str
        ``completed``, ``time``, ``iterations``, ``evaluations``, ``no-improvement``, ``target``, ``cancelled``, or
        ``preparation``: the time was up before the algorithm began.
    device : str
    threads : int
    versions : dict of str
        Of the software that the result depends on.
    unit : str
        That of `length`: ``km`` or ``m`` between places on the globe, else empty.
    """

    tour: np.ndarray = field(repr=False)
    length: int
    optimum: int | None
    gap: float | None
    missing_edges: int
    proven: bool
    instance: str
    iterations: int
    evaluations: int
    seconds: float
    seconds_to_best: float
    compile_seconds: float
    stop_reason: str
    device: str
    threads: int
    versions: dict[str, str] = field(repr=False)
    unit: str = ""
