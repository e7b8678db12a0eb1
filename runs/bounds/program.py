"""Worker program that computes one lower bound: reads an instance frame, writes ``bound`` frames.

Each has the whole course so far. The last one says whether the ascent came to its end; before it comes an ``ascent``
frame, some steps of how the bound was proven. What the bound cannot be computed of is one ``refused`` frame with a
sentence.
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
from solvers.worker.worker_io import USER_ERRORS, FrameWriter, begin, import_numba, limit, lower_priority

#: Seconds of processor time after which the best bound so far is the result.
SECONDS = 60.0
#: Bytes that the computation may take beyond what the process has at its start.
MEMORY = 3 << 30
#: Seconds between two frames, at least.
EVERY = 0.1
#: More processor time than compiling the kernels and one slice can take: a backstop of the system's.
_BACKSTOP = 300
#: What is said of a bound that needs more memory.
TOO_LARGE = "The bound of these cities needs more memory than the server gives it."


def courses(
    instance: Instance, seconds: float, record: AscentRecord | None = None, device: str = "cpu"
) -> Iterator[KnownBound]:
    """Yield the progress of the bound after each slice; the last value is the result.

    Parameters
    ----------
    instance : Instance
    seconds : float
        Of processor time, after which the ascent is cut as soon as something is proven.
    record : AscentRecord, optional
        Is given the result.
    device : str
        ``cpu`` or ``cuda``.
    """
    from solvers.bounds.lower_bound import lower_bounds

    rows: tuple[Row, ...] = ()
    began, spent, trees = process_time(), 0.0, 0
    for bound in lower_bounds(instance, device=device):
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
    instance: Instance, writer: FrameWriter, seconds: float = SECONDS, loaded: Callable[[], None] | None = None
) -> None:
    """Compute the bound and write the frames; `loaded` is called once the kernels are, and a GPU's driver."""
    from solvers.bounds.load import device_for, load

    try:
        device = device_for(instance)
        load(instance, device)
        if loaded:
            loaded()
        course, due = KnownBound(), 0.0
        record = None if instance.directed else AscentRecord(instance.n)
        for course in courses(instance, seconds, record, device):
            if monotonic() >= due:
                due = monotonic() + EVERY
                writer.write(_frame(course))
        if record and course.rows:
            add_first_steps(record, instance, device)
            writer.write(record.frame())
        writer.write(_frame(course))
    except USER_ERRORS as error:
        writer.send("refused", sentence=str(error))
    except MemoryError:
        writer.send("refused", sentence=TOO_LARGE)


def _frame(known: KnownBound) -> bytes:
    return BoundState("computing", known).frame(str)


def main() -> None:
    """Compute the bound of the instance whose frame comes first, and end."""
    instances: queue.SimpleQueue[Instance] = queue.SimpleQueue()

    def take(frames: Iterator[Frame]) -> None:
        for frame in frames:
            instances.put(decode_instance(frame))

    writer = begin(take)
    import_numba()
    # A GPU's driver reserves more addresses than the limit allows, and the limit counts from what there is.
    compute(instances.get(), writer, loaded=partial(limit, MEMORY, _BACKSTOP))
    os._exit(0)  # the thread that reads would wait for more


if __name__ == "__main__":
    lower_priority()
    main()
