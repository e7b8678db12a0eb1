"""2-opt on a CUDA device: each variant's throughput over n and over climbers, and the time for k climbers to finish.

A scan of the neighbourhood counts as (n - 1)(n - 2) / 2 moves, including the last scan, which finds nothing.
Compilation is timed separately. Figures are medians of repeats after an uncounted one; a launch is timed until the
device has finished. Instances of 100, 200 and 439 cities are kroA100, kroA200 and pr439; larger ones are the first n
cities of d18512 if it is listed (``python -m data fetch d18512``), otherwise uniform random cities.
"""

import statistics
import time
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cities import pick_cities
from benchmarks.device import compute_giga_median, compute_root_limit, describe_device, measure_bandwidth
from benchmarks.machine import describe_machine
from benchmarks.saving import save
from data.collection.resolve import load
from data.errors import InvalidInstance
from data.generators import uniform
from data.instance import Instance
from solvers.algorithms.two_opt.strip_launch import strip_rows
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.gpu.limits import Limits

#: Numbers of cities for the throughput.
SIZES = (100, 200, 439, 1000, 2000, 4000, 8000, 18512)
_NAMED = {100: "kroA100", 200: "kroA200", 439: "pr439"}
#: Instances and numbers of climbers that climb to the end.
FINISHES = (("kroA100", 100_000), ("kroA200", 10_000), ("pr439", 1000), ("pr1002", 1000))
#: Numbers of climbers on kroA100 for which throughput is measured, and the variants that are shown.
CLIMBERS = (1, 10, 100, 1000, 10_000, 100_000, 1_000_000)
OVER_CLIMBERS = ("strip", "multi-move", "tuned", "calculated", "matr_s", "matr_g", "array")
#: Target duration of a measured launch in seconds.
_LAUNCH = 0.04
#: More climbers than the measured launches can finish, and a budget larger than any climb needs.
_PLENTY, _ALL = 2_000_000, 1 << 40
#: Maximum number of cities for which variants with a climber per thread are measured.
_MAX_THREAD_CITIES = 4000
#: Seconds after which the measurement of a variant is abandoned.
_PATIENCE = 3


@dataclass(frozen=True, slots=True)
class TimedVariant:
    """A variant and how it is measured; `name` is printed."""

    name: str
    row: TwoOptVariant
    exact: bool = False


def parse_variant(name: str) -> TimedVariant:
    """Find a variant by its name, including published forms: ``calculated, program``, ``tuned, rule``."""
    base, _, form = name.partition(", ")
    row = next(row for row in CUDA_VARIANTS if row.name == base)
    published = row.resolve(published=form) if form in row.published else row.resolve(block_threads=form)
    return next((variant for variant in list_variants() if variant.name == name), TimedVariant(name, published))


def list_variants() -> list[TimedVariant]:
    """Return all variants; those with a switch in both settings."""
    results = []
    for row in CUDA_VARIANTS:
        results.append(TimedVariant(row.name, row))
        if row.switch:
            results.append(TimedVariant(f"{row.name}, exact", row, True))
        if row.two_rows is not None:
            results.append(TimedVariant(f"{row.name}, two rows", row.two_rows))
    return results


@lru_cache
def load_cities(n: int) -> Instance:
    """Return kroA100, kroA200 or pr439 for these sizes, otherwise the first n cities of d18512, or random ones."""
    if n in _NAMED:
        return load(_NAMED[n])
    try:
        return pick_cities(load("d18512"), slice(n), f"d18512[:{n}]")
    except InvalidInstance:
        return uniform(n, 1)


def count_moves(n: int) -> int:
    """Return the number of moves in a scan."""
    return (n - 1) * (n - 2) // 2


def measure_throughput(
    variant: TimedVariant, instance: Instance, repeats: int, climbers: int = _PLENTY
) -> dict[str, Any]:
    """Return the samples of moves per second with the device full of climbers, or with this number."""
    from solvers.algorithms.two_opt.climbs_cuda import Climbs

    entry: dict[str, Any] = {"name": variant.name, "instance": instance.name, "n": instance.n}
    if variant.row.per == "host":
        return entry | {"refused": "a program of the host has no single launch"}
    if variant.row.per == "thread" and instance.n > _MAX_THREAD_CITIES:
        reason = variant.row.unavailable_reason(instance.kind, instance.n, Limits.from_device())
        return entry | {"refused": reason or "a scan by one thread takes too long to be measured"}
    try:
        climbs = Climbs(instance, variant.row, 1, None, climbers, exact=variant.exact)
    except (DeviceUnavailable, InstanceTooLarge) as refusal:
        return entry | {"refused": str(refusal)}
    with closing(climbs):
        counted = _LaunchCounts(climbs, variant.row, instance.n)
        counted.launch(1)
        budget, elapsed = 1, counted.launch(1)[1]
        while elapsed < _LAUNCH / 2 and budget < 1 << 16:
            budget = max(budget + 1, int(budget * min(8.0, _LAUNCH / max(elapsed, 1e-5))))
            elapsed = counted.launch(budget)[1]
        samples = [moves / elapsed for moves, elapsed in (counted.launch(budget) for _ in range(repeats))]
        return entry | {"moves_per_second": samples, "compile_seconds": climbs.compile_seconds,
                        "threads": climbs.fit.threads, "slots": climbs.fit.slots}  # fmt: skip


class _LaunchCounts:
    """Launches of a variant, with the moves evaluated by each."""

    def __init__(self, climbs: Any, row: TwoOptVariant, n: int) -> None:
        self._climbs, self._row, self._n = climbs, row, n
        self._steps = 0

    def launch(self, budget: int) -> tuple[int, float]:
        """Return the moves and seconds of a launch with this budget."""
        before = self._count_moves()
        elapsed = self._climbs.launch(budget)
        self._steps += budget
        return self._count_moves() - before, elapsed

    def _count_moves(self) -> int:
        if self._row.per != "thread":
            return self._climbs.scans_made() * count_moves(self._n)
        # A step processes a row or two of every climber's scan, with all climbers in step: see `thread_cuda`.
        at_once = 1 if self._row.two_rows is not None else 2
        scans, rest = divmod(self._steps, -(-(self._n - 2) // at_once))
        rows = min(at_once * rest, self._n - 2)
        return self._climbs.fit.slots * (scans * count_moves(self._n) + rows * (2 * self._n - 3 - rows) // 2)


def measure_finish(
    variant: TimedVariant, instance: Instance, climbers: int, repeats: int, seed: int = 1
) -> dict[str, Any]:
    """Return the seconds until this many climbers finish in a single launch, several samples, and their results."""
    from solvers.algorithms.two_opt.climbs_cuda import make_climbs

    entry: dict[str, Any] = {"name": variant.name, "instance": instance.name, "climbers": climbers, "seed": seed}
    samples = []
    for turn in range(repeats + 1):
        try:
            climbs = make_climbs(instance, variant.row, seed, None, climbers, exact=variant.exact)
        except (DeviceUnavailable, InstanceTooLarge) as refusal:
            return entry | {"refused": str(refusal)}
        # The first round uses short launches, so that slow variants can be abandoned.
        reports, start_time = [], time.perf_counter()
        with closing(climbs.batches(_ALL) if turn else climbs.batches()) as batches:
            for batch in batches:
                reports.append(batch)
                if turn == 0 and time.perf_counter() - start_time > _PATIENCE:
                    return entry | {"refused": f"more than {_PATIENCE} s"}
        if turn:
            samples.append(sum(batch.seconds for batch in reports))
    length = np.concatenate([batch.length for batch in reports])
    scans = sum(int(batch.scans.sum()) for batch in reports)
    return entry | {"seconds": samples, "best": int(length.min()), "mean": float(length.mean()), "scans": scans,
                    "moves": sum(int(batch.moves.sum()) for batch in reports)}  # fmt: skip


def measure_sizes(repeats: int) -> list[dict[str, Any]]:
    """Measure the throughput of every variant over n, printing the results."""
    print(f"\nBillion moves per second, the device full\n{'n':18}" + "".join(f"{n:>9,}" for n in SIZES))
    results = []
    for variant in list_variants():
        row = [measure_throughput(variant, load_cities(n), repeats) for n in SIZES]
        results += row
        print(
            f"{variant.name:18}" + "".join(_format_cell(entry, "moves_per_second", 1e-9) for entry in row), flush=True
        )
    return results


def measure_roofline(results: list[dict[str, Any]], repeats: int) -> dict[str, Any]:
    """Measure the share of the peak rate of square roots that `strip` reaches, and of the bandwidth for matrices."""
    roots, copied = compute_root_limit(), measure_bandwidth(repeats)
    print(f"\n{'against the limit':18}{'n':>7}{'measured':>12}{'limit':>12}{'share':>8}")
    for entry in results:
        if "refused" in entry:
            continue
        pace, n = statistics.median(entry["moves_per_second"]), entry["n"]
        move_bytes = next(variant.row.move_bytes for variant in list_variants() if variant.name == entry["name"])
        if entry["name"] == "strip":
            rows = strip_rows(n, entry["threads"], Limits.from_device())
            limit = roots * rows / (rows + 1)
            entry["root_share"] = pace / limit
            print(f"{'strip, roots':18}{n:7,}{pace / 1e9:10,.0f} G{limit / 1e9:10,.0f} G{pace / limit:8.1%}")
        elif move_bytes and n in (100, 1000, 4000):
            rate, limit = pace * move_bytes, statistics.median(copied)
            entry["bandwidth_share"] = rate / limit
            print(f"{entry['name']:18}{n:7,}{rate / 1e9:7,.0f} GB/s{limit / 1e9:7,.0f} GB/s{rate / limit:8.1%}")
    return {"roots_per_second": roots, "copy_bytes_per_second": copied}


def measure_finishes(repeats: int) -> list[dict[str, Any]]:
    """Measure the seconds for climbers to finish, for every variant."""
    print("\nSeconds until all climbers are at their tops, and the best length\n" + " " * 18
          + "".join(f"{f'{name} {k:,}':>22}" for name, k in FINISHES))  # fmt: skip
    results = []
    for variant in list_variants():
        row = [measure_finish(variant, load(name), k, repeats) for name, k in FINISHES]
        results += row
        cells = (_format_cell(entry, "seconds", 1.0, 4, 12) + f"{entry.get('best', 0) or '-':>10}" for entry in row)
        print(f"{variant.name:18}" + "".join(cells), flush=True)
    return results


def measure_climbers(repeats: int) -> list[dict[str, Any]]:
    """Measure throughput (billions of moves per second) against the number of climbers on kroA100."""
    print(f"\nBillion moves per second, kroA100\n{'climbers':18}" + "".join(f"{k:>10,}" for k in CLIMBERS))
    results = []
    for variant in list_variants():
        if variant.name in OVER_CLIMBERS:
            row = [measure_finish(variant, load("kroA100"), k, repeats) for k in CLIMBERS]
            for entry in (each for each in row if "seconds" in each):
                entry["moves_per_second"] = [entry["scans"] * count_moves(100) / s for s in entry["seconds"]]
            results += row
            print(
                f"{variant.name:18}" + "".join(_format_cell(entry, "moves_per_second", 1e-9, 1, 10) for entry in row),
                flush=True,
            )
    return results


def _format_cell(entry: dict[str, Any], key: str, factor: float, digits: int = 0, width: int = 9) -> str:
    if key not in entry:
        return f"{'-':>{width}}"
    return f"{statistics.median(entry[key]) * factor:{width},.{digits}f}"


def main(repeats: int, output: Path | None) -> int:
    """Measure, print the medians, and write the raw samples to `output`."""
    device = describe_device()
    print(f"{device['name']}, {device['multiprocessors']} multiprocessors, {device['clock_mhz']:.0f} MHz; "
          f"{device['driver']}")  # fmt: skip
    results: dict[str, Any] = {"machine": {**describe_machine(), "device": device}}
    results["finish"] = measure_finishes(repeats)
    results["climbers"] = measure_climbers(repeats)
    results["throughput"] = measure_sizes(repeats)
    results["limits"] = measure_roofline(results["throughput"], repeats)
    compiled = [entry["compile_seconds"] for entry in results["throughput"] if "compile_seconds" in entry]
    print(f"\ncompiling or loading a kernel: {statistics.median(compiled):.2f} s in the median")
    print(f"copying on the device: {compute_giga_median(results['limits']['copy_bytes_per_second']):,.0f} GB/s")
    save(results, output)
    return 0
