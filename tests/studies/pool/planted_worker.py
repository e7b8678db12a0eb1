"""A study's worker with planted faults, by the seed of the run; the folder of its marks is its argument."""

import os
import sys
import time
from pathlib import Path

from solvers.core.errors import InstanceTooLarge
from studies.pool import worker

_outcome = worker.outcome


def first(name: str) -> bool:
    """Whether nobody has come here before."""
    try:
        (Path(sys.argv[1]) / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def outcome(spec, instance):
    """Like the worker's own, except for seeds 2 to 6."""
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
    worker.outcome = outcome
    worker.main()
