"""Runs: `solve` waits for the result, `run` gives the events as they come."""

from __future__ import annotations

import dataclasses
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from tourscope import events
from tourscope.algorithm import Algorithm
from tourscope.caller import Caller, give_back, take
from tourscope.errors import InstanceWarning, Interrupted, InvalidParams, make_error
from tourscope.frame_log import FrameLog
from tourscope.frames import Frame
from tourscope.preparing import Preparing
from tourscope.result import Result

#: As `data/instance.py` has them, which this package cannot import.
_UNITS = {"GEO": "km", "HAVERSINE_KM": "km", "HAVERSINE_M": "m"}
_PACKAGE = f"{Path(__file__).parent}{os.sep}"
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
    threads: int = 0,
    distances: str | None = None,
    scale: float | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
    pictures: bool = False,
) -> Run:
    """Start a run in a process of the program, and iterate over its events.

    Parameters
    ----------
    instance : str, path or array
        A name of `instances`, ``uniform:N:SEED`` and the like; the path of a TSPLIB file; coordinates, shape (n, 2);
        or whole-numbered distances from row to column, shape (n, n), which may be directed. A `str` that is both a name
        and a path is the name.
    algorithm : Algorithm or sequence of Algorithm
        Several run one after the other, each from the best tour of the one before.
    seconds, iterations, evaluations, without_improvement, target : number, optional
        Limits, of which the first that is reached ends the run: time, iterations and evaluations in the units of the
        algorithm, iterations since the last improvement, a length. Without any, the algorithm ends by itself.
    seed : int
        The same seed gives the same run.
    device : {"auto", "cpu", "cuda"}
    threads : int
        Most threads on cores; 0 for as many as there are cores.
    distances : {"EUC_2D", "CEIL_2D", "ATT", "GEO", "HAVERSINE_KM", "HAVERSINE_M", "degrees", "EXPLICIT"}, optional
        How coordinates are measured, in whole numbers: plane ones by the formulas of TSPLIB 95, or latitude and
        longitude. ``GEO`` takes these as degrees.minutes (52.30 is half a degree beyond 52, as in TSPLIB's files), the
        others as decimal degrees (52.5 is), in kilometres or metres on the ground; ``degrees`` chooses the unit that is
        fine enough. With ``EXPLICIT`` an array has the distances themselves. By default a file is measured as it says,
        an array of two columns by ``EUC_2D``, and a square one has distances; an array of two or three rows that may be
        either is refused.
    scale : float
        What coordinates are multiplied by before they are measured: 1000 for the unit square. Places in kilometres
        are measured in metres by 1000.
    start, end : str or int, optional
        A path instead of a round trip: the city where it begins, the one where it ends, or both; one that is not given,
        or ``"any"``, may be any. A city is its name, the number in its file, as a `str`, or its index from 0.
        `Result.tour` goes from the start to the end.
    pictures : bool
        Whether events include the pictures of colonies and populations: `events.Field`, `events.Ants` and the like.

    Returns
    -------
    Run
        Iterate over it to get the events of `tourscope.events`, the last of which is `events.Finished`.

    Warns
    -----
    InstanceWarning
        From the iteration, about doubts in the instance.

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
    stages = list(algorithm) if isinstance(algorithm, Iterable) and not isinstance(algorithm, str) else [algorithm]
    for stage in stages:
        if not isinstance(stage, Algorithm):
            raise InvalidParams(f"An algorithm is an object such as ts.TwoOpt(), not {stage!r:.80}.")
    spec = {
        "stages": [stage.to_json() for stage in stages],
        "seed": seed,
        "budget": {name: limit for name, limit in limits.items() if limit is not None},
        "device": device,
        "threads": threads,
    }
    values, arrays = _instance(instance, distances)
    call = {"distances": distances, "scale": scale, "start": start, "end": end, **values}
    return Run({**call, "spec": spec, "pictures": pictures}, arrays, FrameLog())


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
    threads: int = 0,
    distances: str | None = None,
    scale: float | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
) -> Result:
    """Run an algorithm on an instance, and wait for the result.

    Parameters
    ----------
    instance, algorithm, seconds, iterations, evaluations, without_improvement, target, seed, device, threads,
    distances, scale, start, end
        As of `run`.

    Returns
    -------
    Result

    Warns
    -----
    InstanceWarning
        About doubts in the instance.

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

    The shortest path from the first city to the last one:

    >>> ts.solve([[0, 0], [0, 300], [400, 300], [400, 0]], ts.HeldKarp(), start=0, end=3).length
    1000

    >>> ts.solve("kroA1OO", ts.Greedy())
    Traceback (most recent call last):
    tourscope.errors.InvalidInstance: Unknown instance "kroA1OO"; did you mean kroA100?
    """
    going = run(
        instance, algorithm, seconds=seconds, iterations=iterations, evaluations=evaluations,
        without_improvement=without_improvement, target=target, seed=seed, device=device, threads=threads,
        distances=distances, scale=scale, start=start, end=end,
    )  # fmt: skip
    going._kept = None  # nobody can ask for them
    with going:
        for _ in going:
            continue
    assert going.result is not None
    return going.result


class Run(Iterator[events.Event]):
    """A run in progress: an iterator over its events.

    Leaving a ``with`` block, `close`, or Ctrl+C while it waits for an event, cancels it. If events are not read, the
    program waits while the run's clock continues.

    Attributes
    ----------
    result : Result or None
        The result, once the run has ended with a tour.
    """

    def __init__(self, values: dict[str, Any], arrays: dict[str, np.ndarray], log: FrameLog | None = None) -> None:
        self.result: Result | None = None
        self._spec, self._kept = values["spec"], log
        self._instance: dict[str, Any] = {}
        self._proven = False
        self._preparing = Preparing()
        self._caller: Caller | None = take()
        self._caller.send("solve", values, arrays)

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> events.Event:
        try:
            while self._caller:
                event = self._take(self._caller.frame(self._preparing.wait))
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
        """Cancel the run and wait until it has ended; does nothing if it has. `result` is then the best so far."""
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
        """Take a frame: returns its event, or None, or raises the error it holds."""
        if self._kept:
            self._kept.add(frame)
        if frame.kind == "over":
            assert self._caller is not None
            give_back(self._caller)
            self._caller = None
        elif frame.kind == "instance":
            self._instance = frame.values
            for sentence in frame.values["warnings"]:
                _warn(sentence)
        elif frame.kind in ("refused", "failed"):
            self._drain()
            raise make_error(frame.values.get("error", "RunFailed"), frame.values["sentence"])
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
        self._proven |= events.shows_proof(event)
        self._preparing.take(event)
        if isinstance(event, events.Finished):
            self.result = _result(event, self._instance, self._proven)


def _result(end: events.Finished, instance: dict[str, Any], proven: bool) -> Result:
    missing = end.length // instance["missing_weight"] if instance["missing"] else 0
    optimum = end.length if proven and not missing else instance["optimum"]
    return Result(
        tour=end.order[end.order < instance["n"] - instance.get("added", 0)],
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
        unit=_UNITS.get(instance["edge_weight_type"], ""),
    )


def _gap(length: int, optimum: int | None) -> float | None:
    """The gap in percent, which nothing above an optimum of at most 0 has: as `data.gaps.gap_percent` has it."""
    if length == optimum:
        return 0.0
    return None if optimum is None or optimum <= 0 else 100.0 * (length - optimum) / optimum


def _warn(sentence: str) -> None:
    """Warn of the instance, at the line that has called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, InstanceWarning, stacklevel=level)


def _instance(source: Any, distances: str | None) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The values and arrays of a call that describe its instance."""
    if isinstance(source, str | os.PathLike):
        file = {"file": str(Path(source).expanduser().absolute())}
        return {"name": source, **file} if isinstance(source, str) else file, {}
    return {"distances": distances}, {"array": np.array(source, np.float64)}
