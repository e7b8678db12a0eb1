"""``python -m benchmarks.sanitize``: every 2-opt kernel under NVIDIA's compute-sanitizer, at small n.

It needs a card and the tool. A missing tool is a failure, and so is a planted fault that goes unnoticed: a check that
cannot fail is none. The exit code is 0 if all kernels are clean and both faults were caught.
"""

import argparse
import shutil
import subprocess
import sys

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
#: What is planted, and the tool that must see it.
PLANTED = {"out-of-bounds": "memcheck", "race": "racecheck"}
_FAULT = 86
_CITIES, _CLIMBERS = 24, 8


def climb(name: str) -> None:
    """Run a few climbers of a row, on distances from coordinates."""
    from data.generators import uniform
    from solvers.climbs_cuda import climbs_of
    from solvers.strip_rows import ROWS

    (row,) = [row for row in ROWS if row.name == name]
    climbs = climbs_of(uniform(_CITIES, 1), row, 1, None, _CLIMBERS, recorded=0)
    climbs.differing_pairs()
    finished = sum(batch.length.size for batch in climbs.batches())
    if finished != _CLIMBERS:
        raise SystemExit(f"{name}: {finished} of {_CLIMBERS} climbers came to their end")


def plant(fault: str) -> None:
    """Run a kernel that is wrong on purpose."""
    import numpy as np
    from numba import int32

    from solvers.kernels.device_cuda import cuda

    @cuda.jit
    def out_of_bounds(values):
        # Far enough behind the array not to fall into what the allocation was rounded up to.
        values[cuda.threadIdx.x + (1 << 20)] = 1

    @cuda.jit
    def race(values):
        shared = cuda.shared.array(64, int32)
        shared[cuda.threadIdx.x] = cuda.threadIdx.x
        values[cuda.threadIdx.x] = shared[63 - cuda.threadIdx.x]

    kernel = {"out-of-bounds": out_of_bounds, "race": race}[fault]
    kernel[1, 64](cuda.to_device(np.zeros(64, np.int32)))
    cuda.synchronize()


def sanitized(tool: str, *arguments: str) -> int:
    """Exit code of this module under a tool of the sanitizer: `_FAULT` where the tool found something."""
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(_FAULT)]
    child = [sys.executable, "-m", "benchmarks.sanitize", *arguments]
    return subprocess.run([*command, *child], check=False, stdout=subprocess.DEVNULL).returncode


def check_all() -> int:
    """Plant the faults, then check every row with every tool."""
    from solvers.strip_rows import ROWS

    if shutil.which("compute-sanitizer") is None:
        print("compute-sanitizer is not on the path: install the CUDA toolkit.", file=sys.stderr)
        return 1
    wrong = 0
    for fault, tool in PLANTED.items():
        caught = sanitized(tool, "--plant", fault) == _FAULT
        print(f"{tool:9}  planted {fault:15} {'caught' if caught else 'NOT CAUGHT'}")
        wrong += not caught
    for row in ROWS:
        for tool in TOOLS:
            code = sanitized(tool, "--row", row.name)
            print(f"{tool:9}  {row.name:23} {'clean' if code == 0 else f'exit code {code}'}")
            wrong += code != 0
    return min(wrong, 1)


def main() -> int:
    """Check all, or be what is checked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sanitize", description=__doc__)
    parser.add_argument("--row", help=argparse.SUPPRESS)
    parser.add_argument("--plant", choices=PLANTED, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.row:
        climb(given.row)
    elif given.plant:
        plant(given.plant)
    else:
        return check_all()
    return 0


if __name__ == "__main__":
    sys.exit(main())
