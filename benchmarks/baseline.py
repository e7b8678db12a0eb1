"""Compares the kernels shipped with the package with those compiled for this CPU, in turn and with the same seed.

``tourscope kernels build`` makes the former, including those for better CPUs. Figures are evaluations per second of
processor time, from the start of a run to its end, without compilation. The first process of each kind is dropped; it
determines the number of evaluations of the others, so that both kinds compute the same. Each process makes several
runs, of which only the fastest counts, since other work slows some.
"""

import os
import subprocess
import sys
from argparse import ArgumentParser
from math import nan
from pathlib import Path
from statistics import median

import llvmlite.binding as llvm

from benchmarks.machine import describe_machine
from benchmarks.saving import save
from solvers import BUILT_IN

_MANY = "uniform:10000:1"
#: Instances on which algorithms are busy for the time of a run; the first is the default.
INSTANCES = {
    "": "pr1002", "held-karp": "uniform:21:1", "branch-and-cut": "kroA200", "christofides": "uniform:2000:1",
    "greedy": _MANY, "savings": _MANY, "space-filling-curve": "uniform:200000:1", "farthest-insertion": _MANY,
    "nearest-insertion": _MANY, "cheapest-insertion": _MANY,
}  # fmt: skip
_ROOT = Path(__file__).resolve().parents[1]
#: Prints the evaluations of a run, and the most per processor second after `Started` of all runs. Arguments: the
#: instance, the algorithm, the limit and its value.
_RUN = """
import sys
from pathlib import Path
from time import process_time
from solvers.kernels.cache import use_cache
use_cache()
from data.collection.lookup import look_up
from solvers.core.events import Finished, Started
from solvers.core.stop import Budget
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage
place, name, limit, value = sys.argv[1:]
instance, reference = look_up(place, Path(place))
budget = Budget(seconds=float(value)) if limit == "seconds" else Budget(evaluations=int(value))
spec, rates = RunSpec(reference, (Stage(name, {}),), device="cpu", budget=budget), []
for _ in range(5):
    for event in run(prepare(spec), instance, pictures=False):
        if isinstance(event, Started):
            start_time = process_time()
        if isinstance(event, Finished):
            rates.append(event.evaluations / (process_time() - start_time))
print(event.evaluations, max(rates))
"""


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument(
        "--algorithm", action="append", choices=[solver.name for solver in BUILT_IN], help="default all"
    )
    parser.add_argument("--seconds", type=float, default=0.5, help="the limit of the first run (default %(default)s)")


def main(repeats: int, output: Path | None, algorithm: list[str] | None, seconds: float) -> int:
    """Measure, print, and write the raw samples to `output`."""
    samples: dict[str, dict[str, list[float]]] = {}
    print(f"{'evaluations a processor second':<32}{'package':>14}{'this CPU':>14}{'ratio':>8}")
    for name in algorithm or [solver.name for solver in BUILT_IN if solver.kernel_cities]:
        by_code: dict[str, list[float]] = {"package": [], "native": []}
        limit = ("seconds", str(seconds))
        for number in range(repeats + 1):
            for kind, rates in by_code.items():
                evaluations, rate = measure_rate(name, limit, native=kind == "native")
                if number:
                    rates.append(rate)
            limit = ("evaluations", str(max(1, evaluations)))
        package, native = map(median, by_code.values())
        samples[name] = by_code
        print(f"{name:<32}{package:>14,.0f}{native:>14,.0f}{package / native if native else nan:>8.3f}", flush=True)
    save({"machine": describe_machine(), "samples": samples}, output)
    return 0


def measure_rate(algorithm: str, limit: tuple[str, str], native: bool) -> tuple[int, float]:
    """Return the evaluations of a run, and those per processor second.

    Raises
    ------
    subprocess.CalledProcessError
        If the run fails.
    """
    command = [sys.executable, "-c", _RUN, INSTANCES.get(algorithm, INSTANCES[""]), algorithm, *limit]
    variables = {"NUMBA_CPU_NAME": llvm.get_host_cpu_name()} if native else {}
    done = subprocess.run(command, cwd=_ROOT, env=os.environ | variables, check=True, capture_output=True, text=True)
    evaluations, rate = done.stdout.split()
    return int(evaluations), float(rate)
