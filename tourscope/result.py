"""The result of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The best tour of a run, with details of the run.

    Attributes
    ----------
    tour : ndarray, shape (n,), int32
        Cities in visiting order, from 0.
    length : int
        Exact length as defined by TSPLIB 95, measured again in 64 bits.
    optimum : int or None
        Length of the instance's best known tour; `length` if the run has proven it optimal.
    gap : float or None
        Excess of `length` over `optimum` in per cent; None if the optimum is unknown, if the tour uses missing edges,
        or if it is longer than an optimum that is not positive.
    missing_edges : int
        Number of edges in the tour that are missing in the instance.
    proven : bool
        Whether the run has proven that no tour is shorter.
    instance : str
        Name of the instance.
    iterations, evaluations : int
        Totals in the units of the algorithm.
    seconds, seconds_to_best, compile_seconds : float
        Times of the run, until its best tour, and of compilation, which the other two do not include.
    stop_reason : str
        ``completed``, ``time``, ``iterations``, ``evaluations``, ``no-improvement``, ``target``, ``cancelled``, or
        ``preparation`` (the time was up before the algorithm began).
    device : str
    threads : int
    versions : dict of str
        Versions of the software that affects the result.
    unit : str
        Unit of `length`: ``km`` or ``m`` for places on the globe, else empty.
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
