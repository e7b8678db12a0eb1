"""Figures computed for the findings on the results of Qin and Han (2022)."""

from collections.abc import Callable, Iterable
from functools import partial
from statistics import median

from papers.committed import (
    CORES_HELD_KARP,
    HELD_KARP,
    VARIANTS,
    find_colony,
    find_entry,
    layers_time,
    load,
    load_result,
)
from papers.findings.paper_figures import Lookup, PaperFigures

FIGURES = PaperFigures("qin-han")
_PAPER, _published, _ours = FIGURES.paper, FIGURES.published, FIGURES.ours
#: Strategies of 2-opt: without it, once at the end, in every iteration.
_STRATEGIES = ("none", "last", "every")
#: Rows of table 1.
_EXACT, _ANTS = "Held-Karp, 20 cities", "Ant Colony System, 2048 cities, an iteration"

CONSTANTS = {
    "none": "The numbers behind the figure are not in the text, so there is no ratio",
    # how the variants in the columns qin-han and ours work
    "ways": "the paper's variant has a block per ant, TourScope's own a warp per ant and candidate lists",
    # milliseconds of the paper's own CUDA code
    "code": Lookup(lambda n: load(VARIANTS)["held_karp_kernel"][n]["their_code_ms"]),
}


def _compare_workers() -> dict[str, float]:
    core = _ours("table-1", _EXACT, "CPU, 1 thread")
    one, two = (
        median(find_entry(CORES_HELD_KARP, "speed-up", way="mpi", n=28, threads=count)["milliseconds"])
        for count in (1, 2)
    )
    slower = _published("table-1", _EXACT, "CPU, 1 thread") / core
    return {"core": 1e3 * core, "slower": slower, "one": one, "two": two}


def _compare_ants_on_cores() -> dict[str, object]:
    work = _published("table-1", _ANTS, "CPU, 1 thread") / _ours("table-1", _ANTS, "CPU, 1 thread")
    figures, kind = _PAPER.entry("figure-2").figures()["64"], "threads"
    by64 = ", ".join(f"{figures[f'{kind}, {n} cities']}" for n in (128, 256, 512, 1024, 2048))
    return {"work": work, "by64": by64}


def _compare_devices() -> dict[str, object]:
    core, gpu, our_core, our_gpu = (
        1e3 * _ours("table-1", _EXACT, column)
        for column in ("CPU, 1 thread", "GPU", "CPU, 1 thread, ours", "GPU, ours")
    )
    table = load_result("qin-han/table-1")
    samples = table.measured.rows[_EXACT][table.measured.columns.index("GPU, ours")]
    return {
        "core": core, "gpu": gpu, "our_core": our_core, "our_gpu": our_gpu, "gain": core / gpu,
        "our_gain": our_core / our_gpu, "fastest": 1e3 * min(samples), "slowest": 1e3 * max(samples),
        "load": table.machine["load_1_minute"], "ants": 1e3 * _ours("table-1", _ANTS, "GPU"),
        "figure_3_machine": FIGURES.machine("figure-3"),
    }  # fmt: skip


def _measure_growth() -> dict[str, object]:
    return {"growth": [_ours("figure-3", "27", way) / _ours("figure-3", "26", way) for way in ("qin-han", "cuda")]}


def _find_largest() -> dict[str, float]:
    largest = max(e["n"] for e in load(HELD_KARP)["cities"] if e["item"] == 2 and e["milliseconds"])
    states = find_entry(HELD_KARP, "cities", way="cuda", n=largest, item=2)["bytes"] / 1e9
    return {"largest": largest, "states": states, "layers": layers_time(largest)}


def _list_lengths() -> dict[str, str]:
    first, last = (
        ", ".join(f"{_ours('figure-5', row, f'{m} ants'):,.0f} with {m}" for m in (32, 128, 512))
        for row in ("1", "1,024")
    )
    return {"first": first, "last": last}


def _compare_sizes() -> dict[str, float]:
    growth = _ours("figure-7", "8,192", "qin-han") / _ours("figure-7", "2,048", "qin-han")
    return {"growth": growth, "large": median(find_colony("figure7", n=20_000)["seconds"])}


def _list_strategies(figures: Iterable[str]) -> str:
    never, last, every = figures
    return f"{never} without 2-opt, {last} with 2-opt at the end and {every} with 2-opt in every iteration"


def _compare_strategies(name: str) -> dict[str, str]:
    cells = [("256", strategy) if name == "figure-8" else (strategy, "qin-han") for strategy in _STRATEGIES]
    return {"lengths": _list_strategies(f"{_ours(name, *cell):,.0f}" for cell in cells)}


def _compare_two_opt_times() -> dict[str, str]:
    theirs, fast = (
        _list_strategies(f"{_ours('figure-9', strategy, variant):.2f} s" for strategy in _STRATEGIES)
        for variant in ("qin-han", "ours")
    )
    return {"theirs": theirs, "fast": fast}


VALUES: dict[str, Callable[[], dict]] = {
    "figure-1": _compare_workers,
    "figure-2": _compare_ants_on_cores,
    "table-1": _compare_devices,
    "figure-3": _measure_growth,
    "figure-4": _find_largest,
    "figure-5": _list_lengths,
    "figure-7": _compare_sizes,
    "figure-8": partial(_compare_strategies, "figure-8"),
    "figure-9": _compare_two_opt_times,
    "figure-10": partial(_compare_strategies, "figure-10"),
}
