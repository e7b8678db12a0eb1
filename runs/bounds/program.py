"""Worker program that computes one lower bound: reads an instance frame, writes ``bound`` frames.

Each ``bound`` frame has the whole progress so far; the last one says whether the ascent is complete. An ``ascent``
frame with some steps of the proof precedes it. If the bound cannot be computed, the program writes one ``refused``
frame with a sentence.
"""

import os
import queue
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic, process_time

from data.collection.bounds import KnownBound, Row, thin
from data.instance import Instance
from runs.bounds.board import BoundState
from runs.bounds.record import AscentRecord, add_first_steps
from solvers.worker.frames import Frame, decode_instance
from solvers.worker.worker_io import USER_ERRORS, FrameWriter, import_numba, limit, lower_priority, start_reading

#: Seconds of processor time after which the best bound so far is the result.
SECONDS = 60.0
#: Memory limit of the computation in bytes, beyond what the process uses at its start.
MEMORY = 3 << 30
#: Minimum time in seconds between two frames.
EVERY = 0.1
#: Hard limit on processor time in seconds, enforced by the system: longer than the kernels' compilation and one slice.
_BACKSTOP = 300
#: Sentence shown if a bound needs more memory.
TOO_LARGE = "The bound of these cities needs more memory than the server gives it."


def compute_progress(
    instance: Instance, seconds: float, record: AscentRecord | None = None, device: str = "cpu"
) -> Iterator[KnownBound]:
    """Yield the bound's progress after each slice; the last value is the result.

    Parameters
    ----------
    instance : Instance
    seconds : float
        Processor time after which the ascent ends, once something is proven.
    record : AscentRecord, optional
        Receives the result.
    device : str
        ``cpu`` or ``cuda``.
    """
    from solvers.bounds.lower_bound import compute_lower_bounds

    rows: tuple[Row, ...] = ()
    began, spent, trees = process_time(), 0.0, 0
    for bound in compute_lower_bounds(instance, device=device):
        spent = process_time() - began
        if bound is not None:
            trees = max(trees, bound.iterations)
            if not rows or bound.length > rows[-1][2]:
                rows = thin((*rows, (spent, bound.iterations, bound.length)))
                if record:
                    record.result = bound
        yield KnownBound(rows, spent, trees)
        if rows and spent >= seconds:
            return
    yield KnownBound(rows, spent, trees, ended=True)


def compute(
    instance: Instance, writer: FrameWriter, seconds: float = SECONDS, on_loaded: Callable[[], None] | None = None
) -> None:
    """Compute the bound and write its frames; call `on_loaded` once kernels and GPU driver are loaded."""
    from solvers.bounds.load import choose_device, load

    try:
        device = choose_device(instance)
        load(instance, device)
        if on_loaded:
            on_loaded()
        bound, due = KnownBound(), 0.0
        record = None if instance.directed else AscentRecord(instance.n)
        for bound in compute_progress(instance, seconds, record, device):
            if monotonic() >= due:
                due = monotonic() + EVERY
                writer.write(_encode_bound(bound))
        if record and bound.rows:
            add_first_steps(record, instance, device)
            writer.write(record.frame())
        writer.write(_encode_bound(bound))
    except USER_ERRORS as error:
        writer.send("refused", sentence=str(error))
    except MemoryError:
        writer.send("refused", sentence=TOO_LARGE)


def _encode_bound(bound: KnownBound) -> bytes:
    return BoundState("computing", bound).frame(str)


def main() -> None:
    """Compute the bound of the instance in the first frame, then exit."""
    instances: queue.SimpleQueue[Instance] = queue.SimpleQueue()

    def take(frames: Iterator[Frame]) -> None:
        for frame in frames:
            instances.put(decode_instance(frame))

    writer = start_reading(take)
    import_numba()
    # A GPU's driver reserves more addresses than the limit allows, so the limit applies on top of what is in use.
    compute(instances.get(), writer, on_loaded=partial(limit, MEMORY, _BACKSTOP))
    os._exit(0)  # the reading thread would wait for more input


if __name__ == "__main__":
    lower_priority()
    main()
