"""A study's worker: ``python -m studies.pool.worker`` exchanges frames by standard input and output.

It executes many runs one after another, so Numba is imported, CUDA started, and each kernel compiled or loaded only
once. After an unexpected error, including any CUDA error, it reports that it cannot be used again, and its parent kills
it: after some CUDA errors (700, 702, 719) the driver answers every call of the process with the same error.
"""

import queue
import sys
import time
from collections.abc import Iterator

import numpy as np

from data.instance import Instance
from solvers.core.events import Finished, shows_proof
from solvers.result import build_result
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.worker.frames import Frame
from solvers.worker.worker_io import USER_ERRORS, FrameWriter, import_numba, lower_priority, start_reading
from studies.file.instances import parse_instance
from studies.file.writer import Outcome
from studies.pool.measurements import Measurements
from studies.pool.run_log import Climbs, Improvements


def compute_outcome(spec: RunSpec, instance: Instance) -> Outcome:
    """Run a spec to its end in this process and return the outcome.

    Raises
    ------
    InvalidParams, DeviceUnavailable, InstanceTooLarge, RunFailed
        As `solvers.run.prepare` and `solvers.run.run`.
    """
    prepared, improvements, climbs, proven, end = prepare(spec), Improvements(), Climbs(instance.optimum), False, None
    measurements = Measurements()
    for event in run(prepared, instance, pictures=False):
        improvements.take(event)
        climbs.take(event)
        measurements.take(event)
        proven |= shows_proof(event)
        end = event
    assert isinstance(end, Finished)
    values = build_result(spec, instance, prepared.stages[-1][1], end, proven)
    values |= {"iterations": end.iterations, "seconds_to_best": end.seconds_to_best, "threads": end.threads}
    values |= climbs.as_result() | measurements.as_result()
    return Outcome(values, end.order.astype("<i4").tobytes(), improvements.rows(end).tobytes())


def serve(requests: queue.SimpleQueue[Frame], answers: FrameWriter) -> None:
    """Answer requests: the spec, ``sha256``, and a new instance's ``text``."""
    instances: dict[str, Instance] = {}
    while True:
        request = requests.get()
        sha256, text = request.values["sha256"], request.arrays["text"].tobytes()
        try:
            if text:
                instances[sha256] = parse_instance(text)
            began = time.perf_counter()
            run_outcome = compute_outcome(RunSpec.from_json(request.values["spec"]), instances[sha256])
            seconds = time.perf_counter() - began - run_outcome.result["compile_seconds"]
        except USER_ERRORS as error:
            answers.send("refused", sentence=str(error))
        except Exception as error:  # noqa: BLE001 - reported in one sentence; the parent must not reuse this worker
            sys.excepthook(type(error), error, error.__traceback__)
            sys.stderr.flush()
            answers.send("spoilt", sentence=f"The solver stopped by a fault: {type(error).__name__}.")
        else:
            blobs = {"tour": np.frombuffer(run_outcome.tour, np.uint8), "log": np.frombuffer(run_outcome.log, np.uint8)}
            answers.send("done", blobs, result=run_outcome.result, took=seconds)


def main() -> None:
    """Serve until the input ends."""
    requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()

    def take(frames: Iterator[Frame]) -> None:
        for frame in frames:
            requests.put(frame)

    answers = start_reading(take)
    import_numba()
    answers.send("ready")
    serve(requests, answers)


if __name__ == "__main__":
    lower_priority()
    main()
