"""Lin-Kernighan on cores alone and with a GPU, on one machine by turns: gaps at given times.

Instances are names in the list, files of TSPLIB, ``FILE.npz:NAME`` with coordinates (n, 2), or ``uniform:CITIES``; the
cities are shuffled by the seed. Seconds are on the run's clock, without loading kernels.
"""

import json
import statistics
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cities import shuffle_cities
from benchmarks.lin_kernighan.gpu import load_shuffled, measure_course
from benchmarks.parts import describe_hardware
from benchmarks.saving import save
from data.instance import Instance
from data.tsplib.instances import read
from data.tsplib.normal_form import assemble

#: Lengths of the shortest known tours: TSPLIB's optima, and the DIMACS challenge's best for E and C.
BEST_KNOWN = {
    "u1817": 57_201, "pr2392": 378_032, "fl3795": 28_772, "fnl4461": 182_566, "pla7397": 23_260_728, "rl11849": 923_288,
    "usa13509": 19_982_859, "d15112": 1_573_084, "d18512": 645_238, "pla33810": 66_048_945, "pla85900": 142_382_641,
    "E10k.0": 71_865_826, "E31k.0": 127_281_803, "E100k.0": 225_783_795, "C10k.0": 33_001_034, "C100k.0": 104_617_752,
}  # fmt: skip


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
            _measure(load_any(name, 1)[0], each, 1, [0.3])  # loads kernels
        for seed in range(first_seed, first_seed + repeats):
            cities, best = load_any(name, seed)
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


def load_any(name: str, seed: int) -> tuple[Instance, float]:
    """Load an instance with its cities shuffled, and the length to which its gaps refer."""
    file, _, key = name.partition(":")
    stem = key if file.endswith(".npz") else Path(file).stem
    if file.endswith(".npz"):
        points, kind = np.load(file)[key].astype(np.float64), "CEIL_2D" if key.startswith("pla") else "EUC_2D"
        instance = assemble(stem, kind, "inline", coordinates=points)
    elif file.endswith(".tsp"):
        instance = read(Path(file).read_bytes(), stem)
    else:
        return load_shuffled(name, seed)
    return shuffle_cities(instance, seed), BEST_KNOWN[stem]


def _measure(instance: Instance, side: str, seed: int, seconds: list[float]) -> dict[str, Any]:
    """Return the best lengths at given seconds, with the rounds and the device."""
    params = {"rounds": 10_000_000, "gpus": "all" if side == "all" else "one"}
    return measure_course(instance, params, seed, "cuda" if side == "all" else side, seconds)
