"""Held-Karp: the entries of Qin and Han (2022). Imports Numba only when layers are computed.

The paper does not name its instances; ours are random cities in a square. The variants ``qin-han`` and so on follow the
paper; the others are this program's own.
"""

from collections.abc import Sequence
from typing import Any

from benchmarks.ants.acs.variants import REFUSALS
from benchmarks.held_karp.in_turns import Settings, measure_in_turns
from benchmarks.held_karp.instances import SIDES, generate_square
from benchmarks.held_karp.rounds import Rounds
from benchmarks.held_karp.variants import TimedVariant
from benchmarks.runs import run_to_end
from papers.recipes import acs
from papers.recipes.instances import describe_origin
from papers.recipes.plan import Plan
from papers.recipes.tours import describe_final_tour
from papers.recipes.workers import list_worker_counts, warn_oversubscribed
from papers.results import MeasuredTable

#: Numbers of cities in figure 1, table 1, figure 3 and figure 4, and in their quick versions.
FEW, CITIES, SIZES, MAX_SIZE = (10, 15, 20), 20, (10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27), 27
QUICK = (10, 12, 14)
#: The paper's variant and ours, by device.
PAIRS = {"cuda": ("qin-han", "cuda"), "cpu": ("qin-han-openmp", "cpu")}
#: Parallel variants: the paper's with threads and with processes, and ours.
SHARED = ("qin-han-openmp", "qin-han-mpi", "cpu", "mpi")
#: Table 1: the variants on a core, with threads and on a GPU, the paper's before ours, and the numbers of threads.
_BOTH = (
    ("qin-han-sequential", 1), ("qin-han-openmp", acs.THREADS), ("qin-han", 0),
    ("sequential", 1), ("cpu", acs.THREADS), ("cuda", 0),
)  # fmt: skip


def _time_in_turns(
    plan: Plan, n: int, variants: Sequence[TimedVariant], touch_memory: bool = False, rounds: Rounds | None = None
) -> list[dict[str, Any]]:
    """Return the samples of each variant in milliseconds, taken in turns, or the reason why there are none."""
    entries = measure_in_turns(
        Settings((), plan.samples),
        generate_square(n, SIDES[0]),
        variants,
        runs=False,
        touch_memory=touch_memory,
        rounds=rounds,
    )
    return [entry | {"refused": _to_sentence(entry.get("refused", ""))} for entry in entries]


def _to_sentence(reason: str) -> str:
    """Turn the reason given by `measure_in_turns` into a sentence; for a limit it is only a clause."""
    return reason if reason.endswith(".") or not reason else f"It {reason if reason[0] == 'n' else 'takes ' + reason}."


def measure_speed_up(plan: Plan) -> MeasuredTable:
    """Measure figure 1: speed-up of several workers over one, by number of cities."""
    counts, sizes = list_worker_counts(plan), FEW[1:2] if plan.quick else FEW
    columns = [(name, n) for name in SHARED for n in sizes]
    cells: dict[tuple[str, int, int], list[float]] = {}
    refusals = {}
    settings = Settings((), plan.samples)
    rounds = Rounds([generate_square(n, SIDES[0]) for n in sizes], settings.patience, settings.repeats + 1)
    variants = [TimedVariant(name, count) for name in SHARED for count in counts]
    for n in sizes:
        timings = _time_in_turns(plan, n, variants, touch_memory=True, rounds=rounds)
        by_variant = dict(zip(((variant.row, variant.count) for variant in variants), timings, strict=True))
        for (name, count), entry in by_variant.items():
            baseline = by_variant[name, 1]["milliseconds"]
            cells[name, n, count] = [a / b for a, b in zip(baseline, entry["milliseconds"], strict=False)]
            if entry["refused"]:
                refusals[f"{count}, {name}, {n} cities"] = entry["refused"]
    rows = {f"{count}": tuple(cells[name, n, count] for name, n in columns) for count in counts}
    titles = tuple(f"{name}, {n} cities" for name, n in columns)
    notes = {f"{count}": note for count, note in warn_oversubscribed(counts).items()}
    return MeasuredTable("Workers", titles, ("x",) * len(titles), rows, refusals, notes)


def measure_exact_and_ants(plan: Plan) -> MeasuredTable:
    """Measure table 1: Held-Karp, and an iteration of Ant Colony System, on a core, with threads and on a GPU."""
    names = ["CPU, 1 thread", f"CPU, {acs.THREADS} threads", *(["GPU"] if plan.device == "cuda" else [])]
    columns = (*names, *(f"{name}, ours" for name in names))
    variants = [TimedVariant(name, count) for name, count in _BOTH if count or plan.device == "cuda"]
    exact = [
        ([each / 1e3 for each in variant["milliseconds"]], variant["refused"])
        for variant in _time_in_turns(plan, CITIES, variants)
    ]
    measured = {f"Held-Karp, {CITIES} cities": exact}
    measured[f"Ant Colony System, {acs.CITIES} cities, an iteration"] = acs.measure_iteration(plan)
    rows = {row: tuple(samples for samples, _ in cells) for row, cells in measured.items()}
    refusals = {
        f"{row}, {column}": reason
        for row, cells in measured.items()
        for column, (_, reason) in zip(columns, cells, strict=True)
        if reason
    }
    notes = {
        name: reason for reason in warn_oversubscribed([acs.THREADS]).values() for name in columns if "threads" in name
    }
    notes |= describe_origin([acs.load_qin_han_cities(acs.CITIES), generate_square(CITIES, SIDES[0])])
    return MeasuredTable("Algorithm", columns, ("s",) * len(columns), rows, refusals, notes)


def measure_over_cities(plan: Plan) -> MeasuredTable:
    """Measure figure 3: milliseconds of all layers by number of cities, for each variant up to its limit."""
    names, stopped, refusals = PAIRS[plan.device], dict[str, str](), dict[str, str]()
    rows = {}
    for n in QUICK if plan.quick else SIZES:
        remaining = [name for name in names if name not in stopped]
        by_name = dict(zip(remaining, _time_in_turns(plan, n, [TimedVariant(name) for name in remaining]), strict=True))
        stopped |= {name: entry["refused"] for name, entry in by_name.items() if entry["refused"]}
        refusals |= {f"{n}, {name}": reason for name, reason in stopped.items()}
        rows[f"{n}"] = tuple(by_name[name]["milliseconds"] if name in by_name else [] for name in names)
    return MeasuredTable("Cities", names, ("ms",) * len(names), rows, refusals)


def measure_tour(plan: Plan) -> MeasuredTable:
    """Measure figure 4: a shortest tour of many cities, as often as requested or as time allows."""
    instance = generate_square(QUICK[-1] if plan.quick else MAX_SIZE, SIDES[0])
    rows: dict[str, tuple[list[float], ...]] = {}
    refused, drawn_tour = {}, {}
    for name in PAIRS[plan.device]:
        lengths, times = list[float](), list[float]()
        while len(times) < plan.samples and sum(times) < 1e3 * acs.PATIENCE:
            try:
                end = run_to_end(instance, "held-karp", {"variant": name}, pictures=False)
            except REFUSALS as refusal:
                refused[f"{name}, length"] = str(refusal)
                break
            lengths.append(float(end.length))
            times.append(1e3 * end.seconds)
            drawn_tour = describe_final_tour(instance, end)
        rows[name] = lengths, times
    return MeasuredTable("Variant", ("length", "time"), ("", "ms"), rows, refused, tour=drawn_tour)
