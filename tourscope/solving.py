"""Runs: `solve` waits for the result, `run` gives the events as they come."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from tourscope import events
from tourscope.algorithm import Algorithm
from tourscope.caller import Caller, give_back, take
from tourscope.errors import Interrupted, error_of
from tourscope.frames import Frame
from tourscope.kept import Kept
from tourscope.result import Result

#: Below this extent of all cities, distances rounded to whole numbers say little.
_LEAST_EXTENT = 100.0
_KINDS: dict[str, Any] = {
    name.lower(): kind
    for name, kind in vars(events).items()
    if isinstance(kind, type) and issubclass(kind, events.Event)
}


def run(
    instance: str | os.PathLike[str] | np.ndarray | Sequence[Sequence[float]],
    algorithm: Algorithm | Sequence[Algorithm],
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    evaluations: int | None = None,
    without_improvement: int | None = None,
    target: int | None = None,
    seed: int = 1,
    device: str = "auto",
    distances: str = "EUC_2D",
    pictures: bool = False,
) -> Run:
    """Start a run in a process of the program, and iterate over its events.

    Parameters
    ----------
    instance : str, path or array
        A name of `instances`, ``uniform:N:SEED`` and the like; a path (not a str) of a TSPLIB file; coordinates,
        shape (n, 2); or whole-numbered distances from row to column, shape (n, n), which may be directed. An array of
        two rows and two columns is coordinates.
    algorithm : Algorithm or sequence of Algorithm
        Several run one after the other, each from the best tour of the one before.
    seconds, iterations, evaluations, without_improvement, target : number, optional
        Limits, of which the first that is reached ends the run: time, iterations and evaluations in the units of the
        algorithm, iterations since the last improvement, a length. Without any, the algorithm ends by itself.
    seed : int
        The same seed gives the same run.
    device : {"auto", "cpu", "cuda"}
    distances : {"EUC_2D", "CEIL_2D", "GEO", "ATT"}
        How coordinates are measured; TSPLIB 95 rounds all of them to whole numbers.
    pictures : bool
        Whether events include the pictures of colonies and populations: `events.Field`, `events.Ants` and the like.

    Returns
    -------
    Run
        Iterate over it for the events of `tourscope.events`, the last of which is `events.Finished`.

    Raises
    ------
    InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
        From the iteration.
    Interrupted
        If Ctrl+C ends the run: from the iteration, or at the end of the ``with`` block.

    Examples
    --------
    >>> import tourscope as ts
    >>> with ts.run("berlin52", ts.TwoOpt(climbers=50)) as run:
    ...     lengths = [event.length for event in run if isinstance(event, ts.events.Tour)]
    >>> lengths == sorted(lengths, reverse=True)
    True
    >>> run.result.length == lengths[-1]
    True
    """
    limits = {
        "seconds": seconds, "iterations": iterations, "evaluations": evaluations,
        "without_improvement": without_improvement, "target": target,
    }  # fmt: skip
    stages = [algorithm] if isinstance(algorithm, Algorithm) else list(algorithm)
    spec = {
        "stages": [stage.to_json() for stage in stages],
        "seed": seed,
        "budget": {name: limit for name, limit in limits.items() if limit is not None},
        "device": device,
    }
    values, arrays = _instance(instance, distances)
    return Run({**values, "spec": spec, "pictures": pictures}, arrays, Kept())


def solve(
    instance: str | os.PathLike[str] | np.ndarray | Sequence[Sequence[float]],
    algorithm: Algorithm | Sequence[Algorithm],
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    evaluations: int | None = None,
    without_improvement: int | None = None,
    target: int | None = None,
    seed: int = 1,
    device: str = "auto",
    distances: str = "EUC_2D",
) -> Result:
    """Run an algorithm on an instance, and wait for the result.

    Parameters
    ----------
    instance, algorithm, seconds, iterations, evaluations, without_improvement, target, seed, device, distances
        As of `run`.

    Returns
    -------
    Result

    Raises
    ------
    InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
        With the sentence that the program says.
    Interrupted
        If Ctrl+C ends the run; it has the result so far.

    Examples
    --------
    >>> import tourscope as ts
    >>> result = ts.solve("kroA100", ts.TwoOpt(climbers=100), seed=1)
    >>> result.optimum, len(result.tour), result.stop_reason
    (21282, 100, 'completed')

    Coordinates, and the shortest tour, proven:

    >>> square = ts.solve([[0, 0], [0, 300], [400, 300], [400, 0]], ts.HeldKarp())
    >>> square.length, square.proven
    (1400, True)

    Distances, by two algorithms, the second from the tour of the first:

    >>> table = [[0, 3, 4, 2], [3, 0, 2, 5], [4, 2, 0, 6], [2, 5, 6, 0]]
    >>> ts.solve(table, [ts.NearestNeighbour(), ts.TwoOpt(climbers=1)]).length
    13

    >>> ts.solve("kroA1OO", ts.Greedy())
    Traceback (most recent call last):
    tourscope.errors.InvalidInstance: Unknown instance "kroA1OO"; did you mean kroA100?
    """
    going = run(
        instance, algorithm, seconds=seconds, iterations=iterations, evaluations=evaluations,
        without_improvement=without_improvement, target=target, seed=seed, device=device, distances=distances,
    )  # fmt: skip
    going._kept = None  # nobody can ask for them
    with going:
        for _ in going:
            continue
    assert going.result is not None
    return going.result


class Run(Iterator[events.Event]):
    """A run in progress: an iterator over its events.

    Leaving a ``with`` block, `close`, or Ctrl+C while it waits for an event, cancels it. The program waits where events
    are not asked for, while the run's clock goes on.

    Attributes
    ----------
    result : Result or None
        The result, once the run has ended with a tour.
    """

    def __init__(self, values: dict[str, Any], arrays: dict[str, np.ndarray], kept: Kept | None = None) -> None:
        self.result: Result | None = None
        self._spec, self._kept = values["spec"], kept
        self._instance: dict[str, Any] = {}
        self._proven = False
        self._caller: Caller | None = take()
        self._caller.send("solve", values, arrays)

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> events.Event:
        try:
            while self._caller:
                event = self._take(self._caller.frame())
                if event is not None:
                    return event
        except KeyboardInterrupt:
            self.close()
            raise Interrupted(self.result) from None
        raise StopIteration

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if kind is KeyboardInterrupt:  # while the caller was at work on an event
            raise Interrupted(self.result) from None

    def __del__(self) -> None:
        if caller := getattr(self, "_caller", None):
            caller.end()

    def cancel(self) -> None:
        """Ask the run to end; its last events and its result still come."""
        if self._caller:
            self._caller.send("cancel", {})

    def close(self) -> None:
        """Cancel the run and wait until it has ended; does nothing if it has. `result` is then what it had found."""
        if caller := self._caller:
            try:
                self.cancel()
                while self._caller:
                    self._take(self._caller.frame())
            except BaseException as error:
                caller.end()
                self._caller = None
                if isinstance(error, KeyboardInterrupt):  # again: it took too long
                    raise

    def _take(self, frame: Frame) -> events.Event | None:
        """Take a frame: returns its event, None if it has none, and raises the error that it has."""
        if self._kept:
            self._kept.add(frame)
        if frame.kind == "over":
            assert self._caller is not None
            give_back(self._caller)
            self._caller = None
        elif frame.kind == "instance":
            self._instance = frame.values
        elif frame.kind in ("refused", "failed"):
            self._drain()
            raise error_of(frame.values.get("error", "RunFailed"), frame.values["sentence"])
        elif kind := _KINDS.get(frame.kind):
            known = {**frame.values, **frame.arrays}
            event = kind(**{each.name: known[each.name] for each in dataclasses.fields(kind) if each.name in known})
            self._note(event)
            return event
        return None

    def _drain(self) -> None:
        while self._caller:
            frame = self._caller.frame()
            if frame.kind == "over":
                self._take(frame)

    def _note(self, event: events.Event) -> None:
        if isinstance(event, events.Front):
            self._proven |= event.proven
        elif isinstance(event, events.Finished):
            self.result = _result(event, self._instance, self._proven)


def _result(end: events.Finished, instance: dict[str, Any], proven: bool) -> Result:
    missing = end.length // instance["missing_weight"] if instance["missing"] else 0
    optimum = instance["optimum"]
    return Result(
        tour=end.order,
        length=end.length,
        optimum=optimum,
        gap=None if missing else _gap(end.length, optimum),
        missing_edges=missing,
        proven=proven,
        instance=instance["name"],
        iterations=end.iterations,
        evaluations=end.evaluations,
        seconds=end.seconds,
        seconds_to_best=end.seconds_to_best,
        compile_seconds=end.compile_seconds,
        stop_reason=end.stop_reason,
        device=end.device,
        threads=end.threads,
        versions=end.versions,
    )


def _gap(length: int, optimum: int | None) -> float | None:
    """The gap in percent, which nothing above an optimum of at most 0 has: as `data.gaps.gap_percent` has it."""
    if length == optimum:
        return 0.0
    return None if optimum is None or optimum <= 0 else 100.0 * (length - optimum) / optimum


def _instance(given: Any, distances: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a call says of its instance: values and arrays."""
    if isinstance(given, str):
        return {"name": given}, {}
    if isinstance(given, os.PathLike):
        return {"file": str(Path(given).absolute())}, {}
    array = np.array(given, np.float64)
    if array.ndim == 2 and array.shape[1] == 2:
        if array.size and 0 < np.ptp(array, axis=0).max() < _LEAST_EXTENT and distances in ("EUC_2D", "CEIL_2D"):
            sentence = "Distances are rounded to whole numbers: scale coordinates up that are this close together."
            warnings.warn(sentence, stacklevel=3)
        return {"distances": distances}, {"coordinates": array}
    return {}, {"weights": array}
