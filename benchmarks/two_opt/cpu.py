"""2-opt on this machine's cores: compares `sequential` with the same loop in C, and `cpu` with `sequential`.

All of them make the same climbs, which is checked. They take turns, so that a machine that slows down affects all;
ratios are medians of the ratios of consecutive samples. Compilation is not counted.
"""

import ctypes
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.machine import describe_machine
from benchmarks.runs import run_to_end
from benchmarks.saving import save
from data.collection.resolve import load
from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.two_opt.params import TwoOptParams
from solvers.core.solver import Job
from solvers.core.stop import Budget

#: Instances, with numbers of climbs that take a few tenths of a second.
INSTANCES = {"kroA100": 600, "kroA200": 120, "pr439": 20, "pr1002": 4}
FLAGS = ("-O3", "-march=native")
#: Flags with which gcc also vectorises the root: the toughest yardstick, shown for comparison.
MORE_FLAGS = (*FLAGS, "-fno-math-errno")
#: More climbers than can finish.
_PLENTY = 1_000_000_000
_SOURCE = Path(__file__).with_name("two_opt.c")


class CompiledLoop:
    """The loop in C, built with the given flags."""

    def __init__(self, folder: Path, flags: tuple[str, ...]) -> None:
        library = folder / f"two_opt_{len(flags)}.so"
        subprocess.run(["gcc", *flags, "-shared", "-fPIC", "-o", library, _SOURCE, "-lm"], check=True)
        self._call = ctypes.CDLL(str(library)).two_opt
        self._call.restype = ctypes.c_int64

    def pace(self, instance: Instance, matrix: np.ndarray | None, climbers: int) -> tuple[float, int]:
        """Return the moves per second over some climbs, by matrix or by coordinates, and the best length."""
        assert instance.coordinates is not None
        x, y = (np.ascontiguousarray(column, np.int32) for column in instance.coordinates.T)
        lengths = np.empty(climbers, np.int64)
        arrays = [_get_pointer(array) for array in (matrix, x, y)]
        start_time = time.perf_counter()
        moves = self._call(instance.n, *arrays, ctypes.c_uint64(1), climbers, _get_pointer(lengths))
        return moves / (time.perf_counter() - start_time), int(lengths.min())


def _get_pointer(array: np.ndarray | None) -> ctypes.c_void_p | None:
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def measure_solver_pace(instance: Instance, variant: str, climbers: int) -> tuple[float, int]:
    """Return the moves per second of a complete run of ours, including events, and the best length."""
    end = run_to_end(instance, "two-opt", {"climbers": climbers, "variant": variant})
    return end.evaluations / end.seconds, end.length


def measure_cores_pace(instance: Instance, threads: int, seconds: float, seed: int = 1) -> float:
    """Return the moves per second of several threads together, each with its own climbs, which may be cut short.

    A run counts only moves of completed climbs and of its first climb. With thousands of cities a climb takes longer
    than a run should, so only one thread would count.

    Parameters
    ----------
    instance : Instance
    threads : int
    seconds : float
        Time limit, after which moves do not count.
    seed : int
    """
    from solvers.algorithms.two_opt.cpu import climb_in_parallel, make_workers

    workers = make_workers(Job(instance, TwoOptParams(), seed, "cpu", Budget().start()), threads)
    ended, running, start_time = 0, dict[int, int](), time.perf_counter()
    with closing(climb_in_parallel(workers, _PLENTY, None)) as slices:
        for each in slices:
            for climber in range(each.first, each.first + each.length.size):
                running.pop(climber, None)
            ended += int(each.evaluations.sum())
            if each.is_running:
                running[each.first + each.length.size] = each.current_evaluations
            if (elapsed := time.perf_counter() - start_time) >= seconds:
                break
    return (ended + sum(running.values())) / elapsed


def list_rivals(instance: Instance, climbers: int, folder: Path) -> dict[str, Callable[[], tuple[float, int]]]:
    """Return the functions to measure in turn, by name."""
    plain, more, matrix = CompiledLoop(folder, FLAGS), CompiledLoop(folder, MORE_FLAGS), distance_matrix(instance)
    return {
        "c_matrix": lambda: plain.pace(instance, matrix, climbers),
        "c_coordinates": lambda: plain.pace(instance, None, climbers),
        "c_no_math_errno": lambda: more.pace(instance, None, climbers),
        "sequential": lambda: measure_solver_pace(instance, "sequential", climbers),
        "cpu": lambda: measure_solver_pace(instance, "cpu", climbers),
    }


def measure(instance: Instance, climbers: int, repeats: int, folder: Path) -> dict[str, list[float]]:
    """Return the samples of moves per second, by rival."""
    measured: dict[str, list[float]] = {}
    turns = list_rivals(instance, climbers, folder)
    for turn in turns.values():
        turn()
    for _ in range(repeats):
        results = {name: turn() for name, turn in turns.items()}
        if len({length for _, length in results.values()}) != 1:
            raise SystemExit(f"The rivals found different tours on {instance.name}: {results}.")
        for name, (pace, _) in results.items():
            measured.setdefault(name, []).append(pace)
    return measured


def _compute_ratio(numerators: list[float], denominators: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(numerators, denominators, strict=True))


def main(repeats: int, output: Path | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    machine = describe_machine()
    print(f"{machine['cpu']}, {machine['threads']} threads; gcc {' '.join(FLAGS)}; million moves a second")
    print(f"{'':10}{'C':>9}{'sequential':>12}{'ratio':>7}{'C, vector root':>16}{'ratio':>7}{'cpu':>9}{'speed-up':>10}")
    samples = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, climbers in INSTANCES.items():
            results = samples[name] = measure(load(name), climbers, repeats, Path(folder))
            fastest = [max(pair) for pair in zip(results["c_matrix"], results["c_coordinates"], strict=True)]
            ours, more, cpu = results["sequential"], results["c_no_math_errno"], results["cpu"]
            mega = [statistics.median(values) / 1e6 for values in (fastest, ours, more, cpu)]
            print(
                f"{name:10}{mega[0]:9,.0f}{mega[1]:12,.0f}{_compute_ratio(ours, fastest):7.2f}"
                f"{mega[2]:16,.0f}{_compute_ratio(ours, more):7.2f}{mega[3]:9,.0f}{_compute_ratio(cpu, ours):10.2f}"
            )
    if output:
        gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        found_on = {**machine, "gcc": gcc, "flags": FLAGS, "more_flags": MORE_FLAGS}
        save({"machine": found_on, "climbers": INSTANCES, "samples": samples}, output)
    return 0
