"""A study's worker: ``python -m studies.pool.worker`` exchanges frames by standard input and output.

It executes many runs one after another, so Numba is imported, CUDA started, and each kernel compiled or loaded only
once. After an unexpected error, including any CUDA error, it reports that it cannot be used again, and its parent kills
it: after some CUDA errors (700, 702, 719) the driver answers every call of the process with the same error.
"""

import queue
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from data.instance import Instance
from solvers import find
from solvers.core.events import Event, Finished, Started, shows_proof
from solvers.gpu.energy import EnergyMeter
from solvers.gpu.peaks import Peaks
from solvers.result import build_result
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.worker.frames import Frame
from solvers.worker.worker_io import USER_ERRORS, FrameWriter, import_numba, lower_priority, start_reading
from studies.file.instances import parse_instance
from studies.file.writer import Outcome
from studies.pool.run_log import Climbs, Improvements


class Measurements:
    """Reduces a run's events to its result's field ``measured``.

    The energy is that of the whole GPU from the start of the last stage to the end of the run.
    """

    def __init__(self) -> None:
        self._variant, self._device = "", "cpu"
        self._meter: EnergyMeter | None = None
        self._joules: float | None = None

    def take(self, event: Event) -> None:
        """Start measuring at a stage's start, and stop at the run's end."""
        if isinstance(event, Started):
            self._variant = event.variant
            variants = {variant.name: variant.device for variant in find(event.algorithm).variants}
            self._device = variants.get(event.variant, "cpu")
            self._meter = EnergyMeter(self._device)
        elif isinstance(event, Finished) and self._meter is not None:
            self._joules = self._meter.joules()

    def as_result(self) -> dict[str, Any]:
        """Return the measurements as a result's field ``measured``."""
        values: dict[str, Any] = {"variant": self._variant, "joules": self._joules, "memory": self._find_bandwidth()}
        return {"measured": values | {"no_energy": self._meter.reason if self._meter else ""}}

    def _find_bandwidth(self) -> float | None:
        """Return the GPU's peak memory bandwidth in bytes per second; None on the CPU, or if unknown."""
        from solvers.kernels.device_cuda import SIMULATED

        return None if self._device != "cuda" or SIMULATED else Peaks.from_device().memory or None


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
