"""Compares two checkouts of this program: ``python -m benchmarks.checkouts OLD NEW [--repeats N]``.

Each has its own process, and they make the same runs in turn, so that a machine that slows down affects both. Ratios
are ratios of medians. `RUNS` defines the runs.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from benchmarks.machine import find_commit
from benchmarks.parts import describe_hardware
from benchmarks.saving import save

#: Name, instance, algorithm, parameters and limits of each run, on the first GPU.
RUNS: tuple[tuple[str, str, str, dict[str, Any], dict[str, float]], ...] = (
    ("strip", "pr1002", "two-opt", {"variant": "strip", "climbers": 1_000_000}, {"seconds": 2}),
    ("multi-move", "pr1002", "two-opt", {"variant": "multi-move", "climbers": 1_000_000}, {"seconds": 2}),
    ("annealing", "pr1002", "simulated-annealing", {"variant": "warp", "chains": 2000}, {"seconds": 2}),
    ("ant-system", "pr1002", "ant-system", {"variant": "warp", "iterations": 100_000}, {"seconds": 2}),
    ("max-min", "pr1002", "max-min-ant-system", {"variant": "warp", "iterations": 100_000}, {"seconds": 2}),
    ("acs", "pr1002", "ant-colony-system", {"variant": "warp", "iterations": 100_000}, {"seconds": 2}),
    ("held-karp", "uniform:33:1", "held-karp", {"variant": "cuda"}, {}),
    ("lin-kernighan", "uniform:10000:1", "lin-kernighan", {"tours": 0, "rounds": 1_000_000}, {"seconds": 2}),
)
#: The program that a checkout runs: it solves what each line of the standard input describes, and prints the speed.
_WORKER = """
import json, sys, tourscope as ts
by_name = {each.name: each for each in ts.Algorithm.__subclasses__()}
for line in sys.stdin:
    instance, algorithm, params, limits = json.loads(line)
    result = ts.solve(instance, by_name[algorithm](**params), device="cuda", **limits)
    print(result.evaluations / result.seconds, flush=True)
"""


class Checkout:
    """A process that runs one checkout, keeps its kernels, and is idle between runs."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORKER], cwd=folder, env=make_environment(), text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip

    def measure(self, *run: Any) -> float:
        """Return the evaluations per second of a run: instance, algorithm, parameters and limits.

        Raises
        ------
        SystemExit
            If the process has ended; its error was printed.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(run), file=self._process.stdin, flush=True)
        if not (line := self._process.stdout.readline()):
            raise SystemExit(f"The run failed: {run}")
        return float(line)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def make_environment() -> dict[str, str]:
    """Return the environment for commands in another checkout, with its own folder of compiled kernels.

    This process set the variable to its own folder when it imported kernels.
    """
    return {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}


def main() -> int:
    """Measure, print a table, and write the raw samples."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkouts", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each in either checkout (default 5)")
    parser.add_argument("--only", nargs="+", choices=[name for name, *_ in RUNS], help="these alone (default all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw samples there")
    arguments = parser.parse_args()
    folders = {"old": arguments.old, "new": arguments.new}
    results: dict[str, Any] = {
        "machine": describe_hardware("cuda"),
        "commits": {which: find_commit(folder) for which, folder in folders.items()},
        "evaluations_per_second": {},
    }  # fmt: skip
    print(f"{'':14} {'old':>12} {'new':>12} {'new / old':>10}   evaluations per second, medians")
    with ExitStack() as stack:
        checkouts = {which: stack.enter_context(closing(Checkout(folder))) for which, folder in folders.items()}
        for name, *run in RUNS:
            if arguments.only and name not in arguments.only:
                continue
            samples: dict[str, list[float]] = {"old": [], "new": []}
            for turn in range(arguments.repeats + 1):
                for which, checkout in checkouts.items():
                    pace = checkout.measure(*run)
                    if turn:  # the first run of each compiles
                        samples[which].append(pace)
            old, new = (statistics.median(samples[which]) for which in ("old", "new"))
            print(f"{name:14} {old:12.4g} {new:12.4g} {new / old:10.3f}", flush=True)
            results["evaluations_per_second"][name] = samples
            save(results, arguments.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
