"""The first run of an algorithm on a machine, from command to result: with an empty cache, then with a full one.

Each repetition has new folders for cache and data. Seconds are wall-clock time, and processor time of the process and
its children; then wall-clock time until the first tour, with another empty cache. A checkout in which ``tourscope
kernels build`` was called uses those kernels; with ``NUMBA_CPU_NAME`` set, it compiles kernels like any other.
"""

import os
import resource
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.machine import describe_machine
from benchmarks.saving import save

#: Instance and algorithm of each run.
RUNS = ("pr1002 lin-kernighan", "kroA100 ant-system", "gr17 held-karp", "kroA100 two-opt")
_ROOT = Path(__file__).resolve().parents[1]
#: Ends a run at its first tour. Arguments: the instance, the algorithm and the limit in seconds.
_FIRST_TOUR = """
import sys, tourscope as ts
by_name = {each.name: each for each in ts.Algorithm.__subclasses__()}
with ts.run(sys.argv[1], by_name[sys.argv[2]](), seconds=float(sys.argv[3])) as run:
    next(event for event in run if isinstance(event, ts.events.Tour))
"""


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument(
        "--run", action="append", metavar="'INSTANCE ALGORITHM'", help=f"default: {', '.join(RUNS)}; repeatable"
    )
    parser.add_argument("--program", metavar="FILE", help="an installed tourscope, instead of this checkout")
    parser.add_argument("--first-tour", action="store_true", help="only until the first tour")
    parser.add_argument("--seconds", type=float, default=1.0, help="the limit of a run (default %(default)s)")


def main(
    repeats: int, output: Path | None, run: list[str] | None, program: str | None, first_tour: bool, seconds: float
) -> int:
    """Measure, print, and write the raw samples to `output`."""
    command = [program] if program else [sys.executable, "-m", "tourscope"]
    interpreter = str(Path(program).with_name("python")) if program else sys.executable
    samples: dict[str, dict[str, list[float]]] = {}
    states = () if first_tour else ("cold", "warm")
    columns = [*(f"{state} {kind}" for kind in ("clock", "processor") for state in states), "first tour"]
    print(f"{'':<32}" + "".join(f"{name:>16}" for name in columns))
    for words in run or RUNS:
        by_start: dict[str, list[float]] = {}
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as folder:
                for state in states:
                    clock, processor = time_command(
                        [*command, "run", *words.split(), "--time", str(seconds)], Path(folder)
                    )
                    by_start.setdefault(f"{state} clock", []).append(clock)
                    by_start.setdefault(f"{state} processor", []).append(processor)
            with tempfile.TemporaryDirectory() as folder:
                clock, _ = time_command([interpreter, "-c", _FIRST_TOUR, *words.split(), str(seconds)], Path(folder))
                by_start.setdefault("first tour", []).append(clock)
        samples[words] = by_start
        print(f"{words:<32}" + "".join(f"{median(by_start[name]):>16.1f}" for name in columns), flush=True)
    save({"machine": describe_machine(), "samples": samples}, output)
    return 0


def time_command(command: list[str], folder: Path) -> tuple[float, float]:
    """Return the wall-clock and processor seconds of a command with its cache and data in a folder.

    Raises
    ------
    subprocess.CalledProcessError
        If the command fails.
    """
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_CACHE")}
    variables |= {"TOURSCOPE_CACHE": str(folder / "cache"), "TOURSCOPE_HOME": str(folder / "home")}
    before, start_time = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, cwd=_ROOT, env=variables, check=True, capture_output=True)
    clock, after = perf_counter() - start_time, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
