"""A study's worker: ``python -m studies.pool.worker``, messages on its standard input and output.

It runs many specs in turn, one after the other: Numba is imported and CUDA started once, and each kernel is compiled or
loaded once. After what nobody foresaw, any error of CUDA among it, it says that it is spoilt, and is ended by whoever
asked: after some of these errors (700, 702, 719) the driver answers every call of the process with the same one.
"""

import importlib
import os
import queue
import sys
import threading
import time
from typing import IO, Any

from data.collection.optima import attach_optimum
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_BYTES
from data.tsplib import instances as tsplib_instances
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.events import Finished, Front
from solvers.result import result
from solvers.run import prepare, run
from solvers.spec import RunSpec
from studies.file.writer import Outcome
from studies.pool.messages import read, write
from studies.pool.run_log import Climbs, Improvements

_TOLD = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)
_Message = tuple[dict[str, Any], bytes]


def outcome(spec: RunSpec, instance: Instance) -> Outcome:
    """Run a spec to its end, in this process.

    Raises
    ------
    InvalidParams, DeviceUnavailable, InstanceTooLarge, RunFailed
        As `solvers.run.prepare` and `solvers.run.run`.
    """
    prepared, improvements, climbs, proven, end = prepare(spec), Improvements(), Climbs(instance.optimum), False, None
    for event in run(prepared, instance, pictures=False):
        improvements.take(event)
        climbs.take(event)
        proven |= isinstance(event, Front) and event.proven
        end = event
    assert isinstance(end, Finished)
    told = result(spec, instance, prepared.stages[-1][1], end, proven)
    told |= {"iterations": end.iterations, "seconds_to_best": end.seconds_to_best, "threads": end.threads}
    told |= climbs.told()
    return Outcome(told, end.order.astype("<i4").tobytes(), improvements.rows(end).tobytes())


def instance_of(text: bytes) -> Instance:
    """The instance that a study file holds, with what is known of its tours."""
    return attach_optimum(tsplib_instances.read(text, "uploaded", 2 * MAX_BYTES))


class RequestReader:
    """Reads messages in a thread of its own; the end of the input ends the process, whatever it is at."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.messages: queue.Queue[_Message] = queue.Queue()
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def _read(self) -> None:
        try:
            while (message := read(self._stream)) is not None:
                self.messages.put(message)
        finally:
            os._exit(0)  # nobody waits for an answer any more; kernels may be in the way of a gentler end


def serve(inbox: RequestReader, output: IO[bytes]) -> None:
    """Answer one message after the other: ``{sha256, spec}``, with the instance's text where it is a new one."""
    instances: dict[str, Instance] = {}
    while True:
        asked, text = inbox.messages.get()
        try:
            if text:
                instances[asked["sha256"]] = instance_of(text)
            began = time.perf_counter()
            done = outcome(RunSpec.from_json(asked["spec"]), instances[asked["sha256"]])
            took = time.perf_counter() - began - done.result["compile_seconds"]
        except _TOLD as error:
            write(output, {"failed": str(error), "spoilt": False})
        except Exception as error:  # noqa: BLE001 - told in one sentence; whoever asked must not trust us any more
            sys.excepthook(type(error), error, error.__traceback__)
            sys.stderr.flush()
            write(output, {"failed": f"The solver stopped by a fault: {type(error).__name__}.", "spoilt": True})
        else:
            write(output, {"result": done.result, "took": took, "tour": len(done.tour)}, done.tour + done.log)


def main() -> None:
    """Serve until the input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # no print of any library gets between the messages
    if hasattr(os, "nice"):
        os.nice(10)
    inbox = RequestReader(os.fdopen(os.dup(0), "rb"))
    importlib.import_module("solvers.kernels")  # says where Numba keeps its cache, and so comes first
    importlib.import_module("numba")
    write(output, {"ready": True})
    serve(inbox, output)


if __name__ == "__main__":
    main()
