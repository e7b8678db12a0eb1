"""Simulated annealing on a CUDA device and on this machine's cores: draws per second, and complete runs.

A draw is an evaluated move. Throughput is measured on the host and includes kernel launches and the copies after each.
Complete runs are timed by their own clock, which excludes compilation and includes each chain's final descent. Both
devices compute the same chains, so a seed must give the same tour length on both. The part for figure 9 of Utne and
Hansen (2023) compares their preset with the first local optimum of 2-opt and with one chain of default settings.
"""

import statistics
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.ants.tables import Entry, format_figure, format_table
from benchmarks.parts import add_part_options, measure_parts
from benchmarks.runs import run_to_end
from data.collection.resolve import load
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.solver import SimulatedAnnealing
from solvers.algorithms.annealing.variants import CUDA_VARIANTS
from solvers.core.solver import Job
from solvers.core.stop import Budget

NAME = "simulated-annealing"
#: The instance and number of chains of each throughput row; more chains than fit on a GPU keep all of it busy.
_PACED = tuple((name, chains) for name in ("kroA200", "pr1002") for chains in (10, 132, 10_000))
#: Maximum seconds of each throughput sample; number of launches before a sample, during which they grow to their full
#: length.
_SECONDS, _GROWING = 4.0, 4
#: Instance, number of chains, and draws per city and temperature of complete runs; the first row has the defaults.
_RUNS = (
    ("kroA200", 10, 500),
    ("pr1002", 10, 500),
    ("kroA200", 1000, 500),
    ("pr1002", 2000, 500),
    ("pr1002", 500, 5000),
)
#: Instances of figure 9; the paper has only the first.
_FIGURE_9 = ("swiss42", "berlin52", "kroA100")
#: Maximum number of chains for runs on cores.
_FOR_CORES = 10


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_part_options(parser, tuple(_PARTS))


def main(repeats: int, output: Path | None, device: str, part: list[str] | None) -> int:
    """Measure, print, and write the raw samples to `output`."""
    names = part or [name for name in _PARTS if device == "cuda" or name != "pace"]
    return measure_parts(names, device, output, lambda name: _PARTS[name](repeats, device), tables)


def measure_pace(repeats: int, device: str) -> Iterator[Entry]:
    """Measure the draws per second of each GPU variant, until all chains are cold or time is up."""
    from solvers.algorithms.annealing.chains_cuda import GpuChains
    from solvers.algorithms.annealing.cpu import make_chain_workers

    for variant in CUDA_VARIANTS:
        for name, chains in _PACED:
            job = Job(load(name), AnnealingParams(chains=chains, variant=variant.name), 1, "cuda", Budget().start())
            samples = []
            for _ in range(repeats):
                with closing(GpuChains(job, variant, make_chain_workers(job, 1)[0], chains, None)) as card:
                    for _ in range(_GROWING):
                        card.launch()
                    before, start_time = card.draws, perf_counter()
                    while card.is_busy and perf_counter() - start_time < _SECONDS:
                        card.launch()
                    samples.append(round((card.draws - before) / (perf_counter() - start_time) / 1e9, 4))
            yield {
                "instance": name, "way": variant.name, "chains": chains, "slots": card.slots,
                "giga_draws_a_second": samples,
            }  # fmt: skip


def measure_runs(repeats: int, device: str) -> Iterator[Entry]:
    """Yield the runs with seeds 1, 2, ..., on the GPU and, if there are few chains, on the cores."""
    for name, chains, steps in _RUNS:
        lengths: dict[str, list[int]] = {}
        for variant in ("warp", "cpu"):
            if variant == device.replace("cuda", "warp") or (chains <= _FOR_CORES and variant == "cpu"):
                ends = [_run_chains(name, variant, seed, chains, steps) for seed in range(1, repeats + 1)]
                lengths[variant] = [end.length for end in ends]
                yield {
                    "instance": name, "optimum": load(name).optimum, "way": variant, "chains": chains, "steps": steps,
                    "lengths": lengths[variant], "seconds": [round(end.seconds, 4) for end in ends],
                }  # fmt: skip
        if len({tuple(results) for results in lengths.values()}) > 1:
            raise SystemExit(f"{name}: card and cores have made different chains: {lengths}")


def _run_chains(name: str, variant: str, seed: int, chains: int, steps: int) -> Any:
    return run_to_end(load(name), NAME, {"variant": variant, "chains": chains, "moves_per_city": steps}, seed=seed)


def measure_figure_9(repeats: int, device: str) -> Iterator[Entry]:
    """Yield the final lengths for figure 9's preset, 2-opt's first local optimum, and a chain with the defaults."""
    preset = next(preset.params for preset in SimulatedAnnealing.presets if preset.name == "utne-hansen-figure-9")
    rows = (
        ("annealing as in figure 9", NAME, preset | {"variant": "warp" if device == "cuda" else "cpu"}),
        ("first 2-opt optimum", "two-opt", {"climbers": 1}),
        ("one chain of the defaults", NAME, {"chains": 1}),
    )
    for name in _FIGURE_9:
        for what, algorithm, params in rows:
            lengths = [
                run_to_end(load(name), algorithm, params, seed=seed, device=device).length
                for seed in range(1, repeats + 1)
            ]
            yield {"instance": name, "optimum": load(name).optimum, "what": what, "lengths": lengths}


_PARTS = {"pace": measure_pace, "runs": measure_runs, "figure-9": measure_figure_9}


def tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown."""
    parts = []
    if "pace" in results:
        rows = [
            [
                entry["instance"], entry.get("way", "warp"), f"{entry['chains']:,}", f"{entry['slots']:,}",
                _compute_median(entry, "giga_draws_a_second"),
            ]
            for entry in results["pace"]
        ]  # fmt: skip
        parts.append(format_table("Draws a second, 10^9", ("instance", "way", "chains", "at a time", "draws"), rows))
    if "runs" in results:
        head = ("instance", "chains", "steps", "way", "median gap, %", "least to greatest", "seconds")
        parts.append(format_table("Whole runs", head, [_format_run_row(entry) for entry in results["runs"]]))
    if "figure-9" in results:
        columns = ("instance", "what", "median", "shortest", "longest", "median gap, %")
        parts.append(
            format_table(
                "Utne and Hansen, figure 9", columns, [_format_figure_9_row(entry) for entry in results["figure-9"]]
            )
        )
    return "\n".join(parts)


def _format_figure_9_row(entry: Entry) -> list[str]:
    lengths, median = entry["lengths"], statistics.median(entry["lengths"])
    cells = [f"{length:,.0f}" for length in (median, min(lengths), max(lengths))]
    return [entry["instance"], entry["what"], *cells, f"{100 * (median / entry['optimum'] - 1):.1f}"]


def _format_run_row(entry: Entry) -> list[str]:
    gaps = [100 * (length / entry["optimum"] - 1) for length in entry["lengths"]]
    return [
        entry["instance"], f"{entry['chains']:,}", f"{entry['steps']:,}", entry["way"],
        f"{statistics.median(gaps):.2f}", f"{min(gaps):.2f} to {max(gaps):.2f}", _compute_median(entry, "seconds"),
    ]  # fmt: skip


def _compute_median(entry: Entry, key: str) -> str:
    return format_figure(statistics.median(entry[key]))
