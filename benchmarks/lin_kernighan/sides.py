"""Lin-Kernighan on cores alone and with a GPU, on one machine by turns: gaps at given times.

Instances are names in the list, files of TSPLIB, ``FILE.npz:NAME`` with coordinates (n, 2), or ``uniform:CITIES``; the
cities are shuffled by the seed. Seconds are on the run's clock, without loading kernels.
"""

import json
import statistics
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from benchmarks.cities import load_shuffled
from benchmarks.lin_kernighan.gpu import measure_course
from benchmarks.parts import describe_hardware
from benchmarks.saving import save
from data.instance import Instance


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--instance", nargs="+", required=True)
    parser.add_argument("--side", nargs="+", choices=("cpu", "cuda", "auto", "all"), default=["cpu", "cuda"])
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 2.0, 5.0, 20.0], help="the last is the limit")
    parser.add_argument("--first-seed", type=int, default=1)


def main(
    repeats: int, output: Path | None, instance: list[str], side: list[str], seconds: list[float], first_seed: int
) -> int:
    """Measure, print, and write the raw samples to `output` after each run."""
    results: dict[str, Any] = {"machine": describe_hardware("cpu" if side == ["cpu"] else "cuda"), "samples": []}
    for name in instance:
        for each in side:
            _measure(load_shuffled(name, 1)[0], each, 1, [0.3])  # loads kernels
        for seed in range(first_seed, first_seed + repeats):
            cities, best = load_shuffled(name, seed)
            for each in side:
                row = _measure(cities, each, seed, seconds)
                row |= {"gaps": [round(100 * (length / best - 1), 4) for length in row.pop("lengths")]}
                results["samples"].append({"instance": cities.name, "side": each, "seed": seed} | row)
                print(json.dumps(results["samples"][-1]), flush=True)
                save(results, output)
        for each in side:
            rows = [row for row in results["samples"] if (row["instance"], row["side"]) == (cities.name, each)]
            medians = [statistics.median(gaps) for gaps in zip(*(row["gaps"] for row in rows), strict=True)]
            print(f"{name:<30}{each:<6}" + "".join(f"{gap:>9.3f}" for gap in medians), flush=True)
    return 0


def _measure(instance: Instance, side: str, seed: int, seconds: list[float]) -> dict[str, Any]:
    """Return the best lengths at given seconds, with the rounds and the device."""
    params = {"rounds": 10_000_000, "gpus": "all" if side == "all" else "one"}
    return measure_course(instance, params, seed, "cuda" if side == "all" else side, seconds)
