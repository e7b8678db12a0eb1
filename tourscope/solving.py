"""Runs: `solve` waits for the result, `run` yields the events as they come."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from tourscope import events
from tourscope.algorithm import Algorithm
from tourscope.caller import Caller, acquire, release
from tourscope.errors import InstanceWarning, Interrupted, InvalidParams, make_error
from tourscope.frames import Frame
from tourscope.result import Result

#: Bytes beyond which frames of climbs and pictures are dropped.
_MAX_BYTES = 64 << 20
#: Large events that are not required to show a run.
_BULK = frozenset({"moves", "edges", "choices", "deposits", "steps", "field", "ants", "tabu", "individuals"})


class FrameLog:
    """The frames of a run, in order."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self._size = 0

    def add(self, frame: Frame) -> None:
        """Store a frame; frames of climbs and pictures only while they fit."""
        if frame.kind in _BULK and self._size + len(frame.raw) > _MAX_BYTES:
            return
        self.frames.append(frame.raw)
        self._size += len(frame.raw)


#: As in `data/instance.py`, which this package cannot import.
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
    fixed: Iterable[tuple[str | int, str | int]] = (),
    pictures: bool = False,
) -> Run:
    """Start a run in a process of the program, and iterate over its events.

    Parameters
    ----------
    instance : str, path or array
        A name of `instances`, ``uniform:N:SEED`` and the like; the path of a TSPLIB file; coordinates, shape (n, 2); or
        whole-numbered distances from row to column, shape (n, n), which may be directed. A `str` that is both a name
        and a path counts as the name.
    algorithm : Algorithm or sequence of Algorithm
        Several algorithms run in sequence, each from the best tour of the one before.
    seconds, iterations, evaluations, without_improvement, target : number, optional
        Limits; the first one reached ends the run: time, iterations and evaluations in the units of the algorithm,
        iterations since the last improvement, a length. Without limits, the algorithm ends by itself.
    seed : int
        Seed; the same seed gives the same run.
    device : {"auto", "cpu", "cuda"}
    threads : int
        Maximum number of threads on cores; 0 for the number of cores.
    distances : {"EUC_2D", "CEIL_2D", "ATT", "GEO", "HAVERSINE_KM", "HAVERSINE_M", "degrees", "EXPLICIT"}, optional
        Distance function, rounded to whole numbers: for coordinates in the plane by the formulas of TSPLIB 95, or for
        latitude and longitude. ``GEO`` reads the latter as degrees.minutes (52.30 is half a degree beyond 52, as in
        TSPLIB's files), the others as decimal degrees (52.5), in kilometres or metres on the ground; ``degrees``
        chooses a unit that is fine enough. With ``EXPLICIT`` an array contains the distances themselves. By default a
        file specifies its distances, an array of two columns uses ``EUC_2D``, and a square one contains distances; an
        ambiguous array of two or three rows is refused.
    scale : float
        Factor for coordinates before measuring: 1000 for the unit square. For places in kilometres, 1000 gives metres.
    start, end : str or int, optional
        A path instead of a round trip: its first city, its last city, or both; an end that is not given, or ``"any"``,
        is arbitrary. A city is given by its name or its number in the file, as a `str`, or by its index from 0.
        `Result.tour` goes from the start to the end.
    fixed : iterable of (city, city), optional
        Edges that the tour must use, with cities as for `start`; in a directed instance from the first to the second.
    pictures : bool
        Whether events include pictures of colonies and populations: `events.Field`, `events.Ants` and the like.

    Returns
    -------
    Run
        Iterate over it to get the events of `tourscope.events`, the last of which is `events.Finished`.

    Warns
    -----
    InstanceWarning
        During the iteration, if something about the instance looks wrong.

    Raises
    ------
    InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
        During the iteration.
    Interrupted
        If Ctrl+C ends the run: during the iteration, or at the end of the ``with`` block.

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
    values, arrays = _describe_instance(instance, distances)
    call = {
        "distances": distances,
        "scale": scale,
        "start": start,
        "end": end,
        "fixed": _list_fixed_pairs(fixed),
        **values,
    }
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
    fixed: Iterable[tuple[str | int, str | int]] = (),
) -> Result:
    """Run an algorithm on an instance, and wait for the result.

    Parameters
    ----------
    instance, algorithm, seconds, iterations, evaluations, without_improvement, target, seed, device, threads,
    distances, scale, start, end, fixed
        As for `run`.

    Returns
    -------
    Result

    Warns
    -----
    InstanceWarning
        If something about the instance looks wrong.

    Raises
    ------
    InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
        If parameters or instance are invalid, the device is unavailable, or the run fails.
    Interrupted
        If Ctrl+C ends the run; contains the result so far.

    Examples
    --------
    >>> import tourscope as ts
    >>> result = ts.solve("kroA100", ts.TwoOpt(climbers=100), seed=1)
    >>> result.optimum, len(result.tour), result.stop_reason
    (21282, 100, 'completed')

    Coordinates, with a proven shortest tour:

    >>> square = ts.solve([[0, 0], [0, 300], [400, 300], [400, 0]], ts.HeldKarp())
    >>> square.length, square.proven
    (1400, True)

    Distances, and two algorithms, the second from the tour of the first:

    >>> table = [[0, 3, 4, 2], [3, 0, 2, 5], [4, 2, 0, 6], [2, 5, 6, 0]]
    >>> ts.solve(table, [ts.NearestNeighbour(), ts.TwoOpt(climbers=1)]).length
    13

    The shortest path from the first city to the last:

    >>> ts.solve([[0, 0], [0, 300], [400, 300], [400, 0]], ts.HeldKarp(), start=0, end=3).length
    1000

    >>> ts.solve("kroA1OO", ts.Greedy())
    Traceback (most recent call last):
    tourscope.errors.InvalidInstance: Unknown instance "kroA1OO"; did you mean kroA100?
    """
    running = run(
        instance, algorithm, seconds=seconds, iterations=iterations, evaluations=evaluations,
        without_improvement=without_improvement, target=target, seed=seed, device=device, threads=threads,
        distances=distances, scale=scale, start=start, end=end, fixed=fixed,
    )  # fmt: skip
    running._frame_log = None  # a result cannot be viewed
    with running:
        for _ in running:
            continue
    assert running.result is not None
    return running.result


class Run(Iterator[events.Event]):
    """A run in progress: an iterator over its events.

    The run is cancelled on leaving a ``with`` block, by `close`, or by Ctrl+C while waiting for an event. If events are
    not read, the program waits while the run's clock continues.

    Attributes
    ----------
    result : Result or None
        The result, once the run has ended with a tour.
    """

    def __init__(self, values: dict[str, Any], arrays: dict[str, np.ndarray], log: FrameLog | None = None) -> None:
        self.result: Result | None = None
        self._spec, self._frame_log = values["spec"], log
        self._describe_instance: dict[str, Any] = {}
        self._proven = False
        self._preparing = PreparationNotice()
        self._caller: Caller | None = acquire()
        self._caller.send("solve", values, arrays)

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> events.Event:
        try:
            while self._caller:
                event = self._process_frame(self._caller.frame(self._preparing.wait))
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
        if kind is KeyboardInterrupt:  # while the caller was processing an event
            raise Interrupted(self.result) from None

    def __del__(self) -> None:
        if caller := getattr(self, "_caller", None):
            caller.end()

    def cancel(self) -> None:
        """Ask the run to end; its last events and its result will still come."""
        if self._caller:
            self._caller.send("cancel", {})

    def close(self) -> None:
        """Cancel the run and wait until it has ended; `result` is then the best so far."""
        if caller := self._caller:
            try:
                self.cancel()
                while self._caller:
                    self._process_frame(self._caller.frame())
            except BaseException as error:
                caller.end()
                self._caller = None
                if isinstance(error, KeyboardInterrupt):  # Ctrl+C again, since cancelling took too long
                    raise

    def _process_frame(self, frame: Frame) -> events.Event | None:
        """Process a frame: return its event, or None, or raise its error."""
        if self._frame_log:
            self._frame_log.add(frame)
        if frame.kind == "over":
            assert self._caller is not None
            release(self._caller)
            self._caller = None
        elif frame.kind == "instance":
            self._describe_instance = frame.values
            for sentence in frame.values["warnings"]:
                _warn(sentence)
        elif frame.kind in ("refused", "failed"):
            self._drain()
            raise make_error(frame.values.get("error", "RunFailed"), frame.values["sentence"])
        elif kind := _KINDS.get(frame.kind):
            values = {**frame.values, **frame.arrays}
            event = kind(
                **{field.name: values[field.name] for field in dataclasses.fields(kind) if field.name in values}
            )
            self._track_result(event)
            return event
        return None

    def _drain(self) -> None:
        while self._caller:
            frame = self._caller.frame()
            if frame.kind == "over":
                self._process_frame(frame)

    def _track_result(self, event: events.Event) -> None:
        self._proven |= events.shows_proof(event)
        self._preparing.update(event)
        if isinstance(event, events.Finished):
            self.result = _make_result(event, self._describe_instance, self._proven)


def _make_result(end: events.Finished, instance: dict[str, Any], proven: bool) -> Result:
    missing = end.length // instance["missing_weight"] if instance["missing"] else 0
    optimum = end.length if proven and not missing else instance["optimum"]
    return Result(
        tour=end.order[end.order < instance["n"] - instance.get("added", 0)],
        length=end.length,
        optimum=optimum,
        gap=None if missing else _compute_gap(end.length, optimum),
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


def _compute_gap(length: int, optimum: int | None) -> float | None:
    """Return the gap in percent, or None in the same cases as `data.gaps.gap_percent`."""
    if length == optimum:
        return 0.0
    return None if optimum is None or optimum <= 0 else 100.0 * (length - optimum) / optimum


def _warn(sentence: str) -> None:
    """Warn about the instance, with the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, InstanceWarning, stacklevel=level)


def _list_fixed_pairs(edges: Iterable[tuple[str | int, str | int]]) -> list[list[str | int]]:
    """Return the cities of fixed edges, by name or index."""
    pairs = [[city if isinstance(city, str) else int(city) for city in edge] for edge in edges]
    if any(len(pair) != 2 for pair in pairs):
        raise InvalidParams("Fixed edges are pairs of cities, such as [(0, 1), (4, 2)].")
    return pairs


def _describe_instance(source: Any, distances: str | None) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the values and arrays of a call that describe its instance."""
    if isinstance(source, str | os.PathLike):
        file = {"file": str(Path(source).expanduser().absolute())}
        return {"name": source, **file} if isinstance(source, str) else file, {}
    return {"distances": distances}, {"array": np.array(source, np.float64)}


#: Seconds until the notice appears.
PATIENCE = 2.0


class PreparationNotice:
    """The notice while a run is prepared: a line that counts seconds on a terminal, a single line elsewhere."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._is_printed = False

    def update(self, event: events.Event) -> None:
        """Process an event: a run is being prepared from `Compiling` to the next event of another kind."""
        if not isinstance(event, events.Compiling):
            self._end()
        elif self._began is None:
            self._began = time.monotonic()

    def wait(self) -> None:
        """Update the notice while waiting for an event."""
        if self._began is None or (seconds := time.monotonic() - self._began) < PATIENCE:
            return
        sentence = "The run is being prepared: kernels that are new to this machine are compiled once"
        if sys.stderr.isatty():
            print(f"\r{sentence}: {seconds:.0f} s", end="", file=sys.stderr, flush=True)
        elif not self._is_printed:
            print(f"{sentence}.", file=sys.stderr, flush=True)
        self._is_printed = True

    def _end(self) -> None:
        if self._is_printed and self._began is not None and sys.stderr.isatty():
            print(file=sys.stderr)
        self._began = None
