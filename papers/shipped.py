"""Results shipped with the program: of each entry, and of this program's charts from ``benchmarks/results``."""

from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from typing import Any

from papers import results
from papers.catalogue import find
from papers.committed import TWO_OPT, load
from papers.results import MeasuredTable, Result
from papers.roofline import ARITHMETIC, CITIES, COSTS, FEW_CITIES, MEMORY, Roofs, build_roofline
from solvers.gpu.peaks import Peaks


def load_shipped(name: str) -> dict[str, Result]:
    """Return the shipped results of an entry, by device."""
    by_device = results.load(name, results.SHIPPED)
    result = _FROM_BENCHMARKS.get(name)
    if result is None or "cuda" in by_device:
        return by_device
    return {"cuda": Result(name, result(), "cuda", False, 0.0, load(TWO_OPT)["machine"]), **by_device}


def _build_table(name: str, part: str, key: str, head: str) -> MeasuredTable:
    """Return the throughput of a chart's variants, by a key of each entry."""
    variants = find(name)[1].recipe.arguments["variants"]
    samples: dict[int, dict[str, list[float]]] = {}
    refusals = {}
    for entry in load(TWO_OPT)[part]:
        if entry["name"] in variants and entry.get("instance") and key in entry:
            row = samples.setdefault(entry[key], {})
            row[entry["name"]] = [each / 1e9 for each in entry.get("moves_per_second", ())]
            if "refused" in entry:
                refusals[f"{entry[key]:,}, {entry['name']}"] = str(entry["refused"])
    rows = {f"{at:,}": tuple(row.get(name, []) for name in variants) for at, row in samples.items()}
    return MeasuredTable(head, variants, ("billion moves/s",) * len(variants), rows, refusals)


def _build_roofline() -> MeasuredTable:
    measurements = load(TWO_OPT)
    device, copy_rate = measurements["machine"]["device"], median(measurements["limits"]["copy_bytes_per_second"])
    clock, capability = int(1e3 * device["clock_mhz"]), tuple(map(int, device["compute_capability"].split(".")))
    peaks = Peaks.from_attributes(device["multiprocessors"], clock, capability, 0, 0)
    roofs = Roofs(copy_rate, peaks.float32, peaks.roots)
    rates: dict[str, tuple[int, list[float]]] = {}
    for entry in measurements["throughput"]:
        cities = FEW_CITIES if entry["name"] in ("matr_s, two rows", "hundred-cities") else CITIES
        if entry["name"] in COSTS and entry["n"] == cities and entry.get("moves_per_second"):
            rates[entry["name"]] = (cities, entry["moves_per_second"])
    notes = {
        MEMORY: "From a copy within it.",
        ARITHMETIC: "From the clock and the arithmetic units; a fused operation counts as two.",
    }
    return build_roofline(roofs, rates, notes)


_FROM_BENCHMARKS: Mapping[str, Callable[[], Any]] = {
    "speed/two-opt-cities": partial(_build_table, "speed/two-opt-cities", "throughput", "n", "Cities"),
    "speed/two-opt-climbers": partial(_build_table, "speed/two-opt-climbers", "climbers", "climbers", "Climbers"),
    "speed/roofline": _build_roofline,
}
