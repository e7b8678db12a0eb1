"""Compares two checkouts of this program: ``python -m benchmarks.checkouts OLD NEW [--repeats N]``.

It runs the same command lines in each checkout, in turn, so that a machine that slows down affects both; ratios are
those of medians. `RUNS` defines the runs.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.against import own_environment
from benchmarks.device import describe_device
from benchmarks.machine import describe

#: Name, instance, algorithm and options of each run, on the first GPU.
RUNS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("strip", "pr1002", "two-opt", ("--variant", "strip", "--climbers", "1000000", "--time", "2")),
    ("multi-move", "pr1002", "two-opt", ("--variant", "multi-move", "--climbers", "1000000", "--time", "2")),
    ("annealing", "pr1002", "simulated-annealing", ("--variant", "warp", "--chains", "2000", "--time", "2")),
    ("ant-system", "pr1002", "ant-system", ("--variant", "warp", "--iterations", "100000", "--time", "2")),
    ("max-min", "pr1002", "max-min-ant-system", ("--variant", "warp", "--iterations", "100000", "--time", "2")),
    ("acs", "pr1002", "ant-colony-system", ("--variant", "warp", "--iterations", "100000", "--time", "2")),
    ("held-karp", "bayg29", "held-karp", ("--variant", "cuda")),
)  # fmt: skip


def measure(checkout: Path, instance: str, algorithm: str, options: tuple[str, ...]) -> float:
    """Return the evaluations per second of a run in a checkout."""
    command = [sys.executable, "-m", "solvers", "run", instance, algorithm, "--device", "cuda", "--json", *options]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=300, env=own_environment())
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)["evaluations_per_second"]


def main() -> int:
    """Measure, print a table, and write the raw samples."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkouts", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each in either checkout (default 5)")
    parser.add_argument("--only", nargs="+", choices=[name for name, *_ in RUNS], help="these alone (default all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw samples there")
    arguments = parser.parse_args()
    samples: dict[str, dict[str, list[float]]] = {}
    print(f"{'':12} {'old':>12} {'new':>12} {'new / old':>10}   evaluations per second, medians")
    for name, instance, algorithm, options in RUNS:
        if arguments.only and name not in arguments.only:
            continue
        results: dict[str, list[float]] = {"old": [], "new": []}
        for repeat in range(arguments.repeats + 1):
            for label, checkout in (("old", arguments.old), ("new", arguments.new)):
                pace = measure(checkout, instance, algorithm, options)
                if repeat:  # the first run of each compiles
                    results[label].append(pace)
        old, new = (statistics.median(results[label]) for label in ("old", "new"))
        print(f"{name:12} {old:12.4g} {new:12.4g} {new / old:10.3f}", flush=True)
        samples[name] = results
        if arguments.json:
            found_on = {"machine": describe(), "device": describe_device()}
            arguments.json.write_text(json.dumps({**found_on, "evaluations_per_second": samples}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
