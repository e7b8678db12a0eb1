"""Medians of committed results, for the texts of entries and the table of ``docs/gpu.md``.

The text of an entry contains figures of that entry's own result (`figure`, `cite_entry`), which is shown beside it.
Other figures are from ``benchmarks/results``, and are cited with their GPU and date (`cite`).
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from papers import results

#: Results measured by ``python -m benchmarks``.
RESULTS = Path(__file__).parent.parent / "benchmarks" / "results"
#: Results of entries, measured by ``python -m papers measure``.
MEASURED = results.SHIPPED
TWO_OPT, ANTS, ACS, HELD_KARP = "two_opt_h200.json", "ant_system_h200.json", "acs_h200.json", "held_karp_h200.json"
#: Results of the papers' variants, measured by hand, and results on CPUs.
VARIANTS, CORES_HELD_KARP = "paper_variants_h200.json", "held_karp_cpu.json"


@cache
def load(file: str) -> dict[str, Any]:
    """Load all results of a file."""
    return json.loads((RESULTS / file).read_text())


def find_entry(file: str, part: str, **criteria: Any) -> Mapping[str, Any]:
    """Find the only entry with these values in a part of the results."""
    (match,) = (entry for entry in load(file)[part] if all(entry.get(key) == value for key, value in criteria.items()))
    return match


def cite(file: str) -> str:
    """Return the GPU, or else CPU, and date of the results: ``H200, 2026-11-21``."""
    return _describe_machine(load(file)["machine"])


def _describe_machine(machine: Mapping[str, Any]) -> str:
    device = machine.get("device", machine.get("cpu", ""))
    name = device["name"] if isinstance(device, Mapping) else device
    return f"{results.shorten_gpu_name(name).replace('(R)', '')}, {machine['date']}"


@cache
def load_result(name: str) -> results.Result:
    """Return the shipped result of an entry: on a GPU, if it was measured on one."""
    by_device = results.load(name, MEASURED)
    return by_device["cuda"] if "cuda" in by_device else by_device["cpu"]


def cite_entry(name: str) -> str:
    """Return the hardware and date of the shipped result, such as ``H200, 2026-11-24``."""
    return _describe_machine(load_result(name).machine)


def figure(name: str, row: str, column: str) -> float:
    """Return a figure of the shipped result.

    Raises
    ------
    KeyError
        If there is no such figure.
    """
    value = load_result(name).measured.figure(row, column)
    if value is None:
        raise KeyError(f"{name}: {row}, {column}")
    return value


def pace(name: str, n: int) -> float:
    """Return the 2-opt moves per second of a variant on a fully loaded GPU, in billions."""
    return median(find_entry(TWO_OPT, "throughput", name=name, n=n)["moves_per_second"]) / 1e9


def copy_rate() -> float:
    """Return the rate of a copy within the GPU's memory in gigabytes per second, counting bytes read and written."""
    return median(load(TWO_OPT)["limits"]["copy_bytes_per_second"]) / 1e9


def climb_time(name: str, climbers: int) -> float:
    """Return the time in milliseconds until this many climbers of kroA100 reach local optima."""
    return 1e3 * median(find_entry(TWO_OPT, "climbers", name=name, climbers=climbers)["seconds"])


def phase_time(variant: str, instance: str, key: str) -> float:
    """Return the milliseconds of an iteration's ``construction`` or ``update``, or of all: ``milliseconds``."""
    return median(find_entry(ANTS, "iterations", way=variant, instance=instance, graph=True)[key])


def hundred_iterations_time(variant: str, instance: str) -> float:
    """Return the time of the set-up and 100 iterations of ants, in milliseconds."""
    run = find_entry(ANTS, "runs", way=variant, instance=instance)
    return 1e3 * median(a + b for a, b in zip(run["set_up_seconds"], run["seconds"], strict=True))


def layers_time(n: int, variant: str = "cuda", item: int = 2) -> float:
    """Return the time of all layers of Held-Karp on a GPU, in milliseconds."""
    return median(find_entry(HELD_KARP, "cities", way=variant, n=n, item=item)["milliseconds"])


def core_speed_up(variant: str, n: int) -> float:
    """Return the speed-up of Held-Karp on two cores over one."""
    one, two = (
        find_entry(CORES_HELD_KARP, "speed-up", way=variant, n=n, threads=count)["milliseconds"] for count in (1, 2)
    )
    return median(one) / median(two)


def find_colony(part: str, **criteria: Any) -> Mapping[str, Any]:
    """Return a GPU run of Ant Colony System: ``warp`` with deferred updates, where every city is a candidate."""
    return find_entry(ACS, part, way="warp, deferred", **criteria)
