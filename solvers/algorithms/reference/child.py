"""The process that runs a package's solver: it reads an instance and calls, and writes a line per call.

Run as ``python -m solvers.algorithms.reference.child`` by `solvers.algorithms.reference.calls`.
"""

import ctypes
import importlib
import json
import os
import signal
import sys
from contextlib import suppress
from time import perf_counter
from typing import IO, Any

import numpy as np

from data.distances import coordinate_matrix
from solvers import find
from solvers.algorithms.reference.solver import ReferenceSolver

#: Option of Linux's prctl for the signal that a process gets when its parent ends.
_PARENT_DEATH_SIGNAL = 1


def main() -> None:
    """Answer calls until the input ends."""
    _end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # because packages print to the standard output
    try:
        _serve(sys.stdin.buffer, answers)
    except Exception as error:  # noqa: BLE001 (the run reports whatever a package raises)
        _write(answers, {"error": _sentence(error)})


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    about = json.loads(requests.readline())
    solver = find(about["algorithm"])
    assert isinstance(solver, ReferenceSolver)
    array, value = (_array(requests, *description) for description in about["arrays"])
    distances = array if about["kind"] == "EXPLICIT" else coordinate_matrix(about["kind"], array)
    divisor = solver.package.divisor(max(int(distances.max()), -int(distances.min())))
    distances = np.ascontiguousarray(distances[value][:, value])
    if divisor > 1:
        distances = np.rint(distances / divisor).astype(np.int32)
    importlib.import_module(solver.package.module)
    _write(answers, {"divisor": divisor})
    for line in requests:
        request, start_time = json.loads(line), perf_counter()
        order = [int(city) for city in solver.call(distances, request["seconds"], request["seed"], about["threads"])]
        _write(answers, {"order": order, "seconds": perf_counter() - start_time})


def _array(pipe: IO[bytes], dtype: str, shape: list[int]) -> np.ndarray:
    size = np.dtype(dtype).itemsize * int(np.prod(shape))
    return np.frombuffer(pipe.read(size), dtype).reshape(shape)


def _write(pipe: IO[bytes], values: dict[str, Any]) -> None:
    pipe.write(json.dumps(values).encode() + b"\n")
    pipe.flush()


def _sentence(error: Exception) -> str:
    """Return an exception as one sentence."""
    message = " ".join(str(error).split())[:300] or type(error).__name__
    return message if message.endswith(".") else message + "."


def _end_with_parent() -> None:
    """Let Linux kill this process with its parent, as a busy package does not notice that its input has ended."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__main__":
    main()
