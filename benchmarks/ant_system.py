"""Ant System and MAX-MIN Ant System on a CUDA device or on this machine's cores, beside papers and peers.

Each part prints as it goes, and its tables in Markdown at its end.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from benchmarks.ant_colonies import Plan
from benchmarks.ant_tables import tables
from benchmarks.machine import describe
from benchmarks.published_ants import INSTANCES
from solvers.devices import cuda_devices
from solvers.errors import DeviceUnavailable

#: What can be measured on a card, in this order; on a CPU there is one part.
PARTS = ("iterations", "runs", "trials", "switch", "quality", "max-min")
#: Instances of the part `quality`, whose runs are long, and of the CPU.
_SHORT = INSTANCES[:-1]


def add_options(parser: ArgumentParser) -> None:
    """Options beside those of every benchmark; `repeats` are seeds, and iterations on a CPU."""
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--part", choices=PARTS, action="append", help="of what is measured on a card (default all)")
    parser.add_argument("--instances", help="names with commas between (default those of the papers)")
    parser.add_argument(
        "--markdown", type=Path, nargs="+", metavar="FILE", help="measure nothing, print the tables of such results"
    )


def main(
    repeats: int, output: Path | None, device: str, part: list[str] | None, instances: str | None,
    markdown: list[Path] | None,
) -> int:  # fmt: skip
    """Measure, print, and write the raw samples to `output`."""
    if markdown:
        print(tables({part: found for file in markdown for part, found in json.loads(file.read_text()).items()}))
        return 0
    found: dict[str, Any] = {"machine": describe(), "command": " ".join(["python -m benchmarks", *sys.argv[1:]])}
    if device == "cuda":
        from benchmarks.device import describe_device

        try:
            cuda_devices()
        except DeviceUnavailable as refusal:
            raise SystemExit(f"{refusal} Or take --device cpu.") from None
        found["machine"]["device"] = describe_device()
        print(", ".join(str(found["machine"]["device"][key]) for key in ("name", "driver")))
    given = tuple(instances.split(",")) if instances else None
    for name in part or PARTS if device == "cuda" else ("cpu",):
        result = measure(name, given, repeats)
        print("\n" + tables({name: result}), flush=True)
        found[name] = result
        if output:
            output.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def measure(part: str, instances: tuple[str, ...] | None, repeats: int) -> Any:
    """The results of one part, on the instances given or on its own."""
    if part == "cpu":
        from benchmarks import ant_system_cpu

        return ant_system_cpu.measure(Plan(instances or ant_system_cpu.INSTANCES, repeats=repeats))
    from benchmarks import ant_system_gpu as gpu
    from benchmarks import ant_trials_gpu as trying

    measures = {
        "iterations": gpu.measure_iterations, "runs": gpu.measure_runs, "quality": gpu.measure_quality,
        "max-min": gpu.measure_max_min, "trials": trying.measure_trials, "switch": trying.measure_switch,
    }  # fmt: skip
    return measures[part](Plan(instances or (_SHORT if part == "quality" else INSTANCES), repeats=repeats))
