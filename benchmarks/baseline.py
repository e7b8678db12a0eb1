"""Compares the kernels shipped with the package with those compiled for this CPU, in turn and with the same seed.

The former are those of ``tourscope kernels build``. Figures are evaluations per second on the run's clock, which
excludes compilation; the first run of each kind is dropped.
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from statistics import median

import llvmlite.binding as llvm

from benchmarks.machine import describe
from solvers import BUILT_IN

#: Instances on which algorithms are busy for the time of a run; the first is the default.
INSTANCES = {"": "pr1002", "held-karp": "uniform:21:1", "branch-and-cut": "kroA200", "christofides": "uniform:2000:1"}
_ROOT = Path(__file__).resolve().parents[1]


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument(
        "--algorithm", action="append", choices=[solver.name for solver in BUILT_IN], help="default all"
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="the limit of a run (default %(default)s)")


def main(repeats: int, output: Path | None, algorithm: list[str] | None, seconds: float) -> int:
    """Measure, print, and write the raw samples to `output`."""
    samples: dict[str, dict[str, list[float]]] = {}
    print(f"{'evaluations a second':<26}{'package':>14}{'this CPU':>14}{'ratio':>8}")
    for name in algorithm or [solver.name for solver in BUILT_IN if solver.kernel_cities]:
        by_code: dict[str, list[float]] = {"package": [], "native": []}
        for number in range(repeats + 1):
            for kind, rates in by_code.items():
                rate = take(name, seconds, native=kind == "native")
                if number:
                    rates.append(rate)
        package, native = map(median, by_code.values())
        samples[name] = by_code
        print(f"{name:<26}{package:>14,.0f}{native:>14,.0f}{package / native:>8.3f}", flush=True)
    if output:
        output.write_text(json.dumps({"machine": describe(), "samples": samples}, indent=1) + "\n", encoding="utf-8")
    return 0


def take(algorithm: str, seconds: float, native: bool) -> float:
    """Return the evaluations per second of a run.

    Raises
    ------
    subprocess.CalledProcessError
        If the run fails.
    """
    instance = INSTANCES.get(algorithm, INSTANCES[""])
    command = [sys.executable, "-m", "solvers", "run", instance, algorithm, "--time", str(seconds), "--json"]
    variables = {"NUMBA_CPU_NAME": llvm.get_host_cpu_name()} if native else {}
    done = subprocess.run(
        [*command, "--device", "cpu"], cwd=_ROOT, env=os.environ | variables, check=True, capture_output=True, text=True
    )
    result = json.loads(done.stdout)
    return result["evaluations"] / result["seconds"]
