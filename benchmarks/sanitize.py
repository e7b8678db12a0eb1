"""``python -m benchmarks.sanitize``: every CUDA kernel under NVIDIA's compute-sanitizer, with few cities.

It needs a GPU and the tool. A missing tool is a failure, and so is a planted fault that goes unnoticed, since a check
that cannot fail is useless. The exit code is 0 if all kernels are clean and both faults were caught. Kernels for
several GPUs run with all parts on one.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benchmarks.sanitized import list_subjects
from benchmarks.saving import save

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
#: Planted faults, each with the tool that must detect it.
PLANTED = {"out-of-bounds": "memcheck", "race": "racecheck"}
_FAULT = 86
#: Number of lines of a tool's output to show.
_LINES = 24


def plant_fault(fault: str) -> None:
    """Run a kernel with a deliberate fault."""
    import numpy as np
    from numba import int32

    from solvers.kernels.device_cuda import cuda

    @cuda.jit
    def out_of_bounds(values):
        # Far enough past the array to lie outside the rounded-up allocation.
        values[cuda.threadIdx.x + (1 << 20)] = 1

    @cuda.jit
    def race(values):
        shared = cuda.shared.array(64, int32)
        shared[cuda.threadIdx.x] = cuda.threadIdx.x
        values[cuda.threadIdx.x] = shared[63 - cuda.threadIdx.x]

    kernel = {"out-of-bounds": out_of_bounds, "race": race}[fault]
    kernel[1, 64](cuda.to_device(np.zeros(64, np.int32)))
    cuda.synchronize()


def run_sanitizer(tool: str, *arguments: str) -> tuple[int, str]:
    """Run this module under a tool of the sanitizer: return its exit code, `_FAULT` for a finding, and its output.

    Without a tool, the module just runs.
    """
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(_FAULT)] if tool else []
    child = [sys.executable, "-m", "benchmarks.sanitize", *arguments]
    done = subprocess.run([*command, *child], check=False, capture_output=True, text=True)
    output = [line for line in done.stdout.splitlines() if line.startswith("=====")]
    output = output or (done.stderr.splitlines()[-_LINES:] if done.returncode else [])
    return done.returncode, "\n".join(output[:_LINES])


def check_all(only: Sequence[str], jobs: int, record: Path | None) -> int:
    """Plant the faults, then check every subject whose name contains one of `only` with every tool, `jobs` at a time.

    Each subject runs without a tool first, which compiles its kernels once. Findings are written to `record`.
    """
    if shutil.which("compute-sanitizer") is None:
        print("compute-sanitizer is not on the path: install the CUDA toolkit.", file=sys.stderr)
        return 1
    names = [name for name in list_subjects() if any(pattern in name for pattern in only)]
    results: dict[str, dict[str, str]] = {name: {} for name in names}
    report: dict[str, Any] = {**(_describe_machine() if record else {}), "planted": {}, "subjects": results}
    with ThreadPoolExecutor(jobs) as pool:
        planted = {pool.submit(run_sanitizer, tool, "--plant", fault): fault for fault, tool in PLANTED.items()}
        for future in as_completed(planted):
            fault = planted[future]
            report["planted"][fault] = "caught" if future.result()[0] == _FAULT else "NOT CAUGHT"
            print(f"{PLANTED[fault]:9}  planted {fault:15} {report['planted'][fault]}", flush=True)
        plain_runs = {pool.submit(run_sanitizer, "", "--subject", name): (name, "") for name in names}
        checked: dict[Any, tuple[str, str]] = {}
        for future in as_completed(plain_runs):
            name, _ = plain_runs[future]
            if code := future.result()[0]:
                results[name]["alone"] = f"exit code {code}"
                print(f"{'alone':9}  {name:23} exit code {code}\n{future.result()[1]}", flush=True)
            checked |= {pool.submit(run_sanitizer, tool, "--subject", name): (name, tool) for tool in TOOLS}
        for future in as_completed(checked):
            name, tool = checked[future]
            code, output = future.result()
            results[name][tool] = "clean" if code == 0 else f"exit code {code}"
            print(f"{tool:9}  {name:23} {results[name][tool]}", flush=True)
            if code:
                print(output, flush=True)
            save(report, record)
    clean = all(set(tools) == set(TOOLS) and set(tools.values()) == {"clean"} for tools in results.values())
    return 0 if clean and set(report["planted"].values()) == {"caught"} else 1


def _describe_machine() -> dict[str, Any]:
    """Describe the machine and the tool."""
    from benchmarks.device import describe_device
    from benchmarks.machine import describe_machine

    version = subprocess.run(["compute-sanitizer", "--version"], check=False, capture_output=True, text=True).stdout
    return {"machine": {**describe_machine(), "device": describe_device()}, "tool": version.strip().splitlines()[-1:]}


def main() -> int:
    """Run all checks or, in the child process, the code to check."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sanitize", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], metavar="TEXT", help="check what has one of these in it")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="run so many at a time (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there")
    parser.add_argument("--subject", help=argparse.SUPPRESS)
    parser.add_argument("--plant", choices=PLANTED, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.subject:
        list_subjects()[options.subject]()
    elif options.plant:
        plant_fault(options.plant)
    else:
        return check_all(options.only, options.jobs, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
