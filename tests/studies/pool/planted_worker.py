"""A study worker with planted faults, depending on the run's seed; its argument is the folder of its marks."""

import os
import sys
import time
from pathlib import Path

from solvers.core.errors import InstanceTooLarge
from studies.pool import worker

_outcome = worker.compute_outcome


def first(name: str) -> bool:
    """Whether this is the first call."""
    try:
        (Path(sys.argv[1]) / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def outcome(spec, instance):
    """The worker's own result, except for seeds 2 to 6."""
    print("a library prints this")
    (Path(sys.argv[1]) / f"pid-{os.getpid()}").touch()
    if spec.seed == 2 and first("fault"):
        raise RuntimeError("[700] Call to cuCtxSynchronize results in CUDA_ERROR_ILLEGAL_ADDRESS")
    if spec.seed == 3:
        raise ZeroDivisionError
    if spec.seed == 4 and first("kill"):
        os.kill(os.getpid(), 9)
    if spec.seed == 5:
        raise InstanceTooLarge("It does not fit.")
    if spec.seed == 6:
        time.sleep(600)
    return _outcome(spec, instance)


if __name__ == "__main__":
    worker.compute_outcome = outcome
    worker.main()
