"""Figures computed for the findings on the results of Utne and Hansen (2023)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, copy_rate, find_entry, load_result, pace
from papers.findings.paper_figures import Lookup, PaperFigures

FIGURES = PaperFigures("utne-hansen")
_PAPER, _published, _ours = FIGURES.paper, FIGURES.published, FIGURES.ours
#: Bytes that ``calculated`` reads per move, and bytes per distance.
_MOVE, _DISTANCE = 16, 4
#: Optimum of swiss42.
_OPTIMUM = 1273

CONSTANTS = {
    "optimum": _OPTIMUM,
    "move_bytes": _MOVE,
    # number of moves in a scan of n cities
    "moves": Lookup(lambda n: (int(n) - 1) * (int(n) - 2) // 2),
    # GB/s that ``calculated`` reads
    "read": Lookup(lambda n: _MOVE * pace("calculated", int(n))),
}


def _list_rows(name: str) -> list[str]:
    return [*load_result(f"{_PAPER.id}/{name}").measured.rows]


def _count_scans() -> dict[str, object]:
    ours, theirs = _list_rows("figure-7"), _PAPER.entry("figure-7").figures()
    return {
        "climbs": len(ours), "end": ours[-1], "length": _ours("figure-7", ours[-1], "length"),
        "their_climbs": len(theirs), "last": [*theirs][-1],
        "optimal": next(row for row in theirs if theirs[row]["length"] == _OPTIMUM),
    }  # fmt: skip


def _compare_minimum_weights() -> dict[str, float]:
    columns = ("best length", "best length, no minimum weight")
    theirs, free = (min(_ours("figure-8", row, column) for row in _list_rows("figure-8")) for column in columns)
    return {"theirs": theirs, "free": free}


def _compare_last_draws() -> dict[str, object]:
    end = _list_rows("figure-9")[-1]
    return {"end": end, "length": _ours("figure-9", end, "length"), "theirs": _published("figure-9", end, "length")}


def _compare_accuracy(name: str, table: str, cities: int, share: int) -> dict[str, object]:
    lengths, optimal, on = "lowest length", "accuracy", FIGURES.machine(name)
    counts = [*_PAPER.entry(table).figures()]
    theirs = next((row for row in counts if _published(table, row, optimal) == 100), "")
    ours = next((row for row in counts if _ours(name, row, optimal) == 100), "")
    result = (
        f"The paper is optimal from {theirs} climbers on and TourScope from {ours}, the median of five seeds ({on})"
        if theirs
        else f"After {counts[-1]} climbers the paper is at {_published(table, counts[-1], lengths):,.0f} and TourScope "
        f"at {_ours(name, counts[-1], lengths):,.0f}, the median of five seeds ({on}), both above the optimum"
    )
    return {"result": result, "cities": cities, "share": share}


def _compare_times() -> dict[str, object]:
    ours, other = "calculated", "O'Neil et al."
    gains, codes = (
        [find("table-2", "original", count) / find("table-2", code, count) for code in ("hundred-cities", ours)]
        for find, count in ((_ours, "200,000"), (_find_authors_figure, "100,000"))
    )
    return {
        "ratio": _ours("table-2", other, "1,000") / _ours("table-2", ours, "1,000"),
        "many": _ours("table-2", ours, "100,000") / _ours("table-2", other, "100,000"),
        "theirs": _published("table-2", ours, "100,000") / _published("table-2", other, "100,000"),
        "gains": gains,
        "codes": codes,
    }


def _find_authors_figure(name: str, row: str, column: str) -> float:
    code = _PAPER.entry(name).authors_code
    value = code.figures.figure(row, column) if code else None
    assert value is not None
    return value


def _compare_small_times() -> dict[str, object]:
    finds = (_published, _ours)
    return {
        "gains": [find("table-3", "O'Neil et al.", "1,000") / find("table-3", "calculated", "1,000") for find in finds]
    }


def _compare_bandwidth(name: str, instance: str, n: int) -> dict[str, object]:
    rate = _ours(name, "1,000", instance)
    megabytes = _DISTANCE * n * n / 1e6
    return {
        "instance": instance, "cities": n, "megabytes": megabytes, "rate": rate, "share": 100 * rate / copy_rate(),
    }  # fmt: skip


def _find_fastest_instance(name: str) -> dict[str, object]:
    largest = _list_rows(name)[-1]
    rates = {column: _ours(name, largest, column) for column in load_result(f"{_PAPER.id}/{name}").measured.columns}
    fastest = max(rates, key=rates.__getitem__)
    return {"largest": largest, "fastest": fastest, "fastest_rate": rates[fastest], "small_rate": rates["swiss42"]}


def _compare_scans(name: str) -> dict[str, object]:
    rates = {row: _ours(name, row, "throughput") for row in _list_rows(name)}
    fastest = max(rates, key=rates.__getitem__)
    # until local optima
    run = find_entry(TWO_OPT, "finish", name="calculated", instance="kroA100")
    return {"fastest": fastest, "fastest_rate": rates[fastest], "whole": run["scans"] / run["climbers"]}


def _list_gaps() -> dict[str, str]:
    small, large = (
        f"{row} {_ours('section-8-4', row, '2-opt'):.2f} % with 2-opt, {_ours('section-8-4', row, 'ants'):.2f} % with "
        f"ants and {_ours('section-8-4', row, 'annealing'):.2f} % with annealing"
        for row in _list_rows("section-8-4")
    )
    return {"small": small, "large": large}


#: The instance and number of cities for each bandwidth figure. For each accuracy table, the figure, the number of
#: cities, and the percentage of the program's first 1,000 climbs that end although a move is left
#: (`tests.solvers.algorithms.two_opt.test_two_opt`).
_READ = {
    13: ("swiss42", 42), 14: ("berlin52", 52), 15: ("kroA100", 100), 16: ("kroB100", 100), 17: ("kroA200", 200),
    18: ("pr439", 439),
}  # fmt: skip
_ACCURACIES = {"berlin52": (10, 52, 25), "kroA100": (11, 100, 46), "kroA200": (12, 200, 95)}

VALUES: dict[str, Callable[[], dict]] = {
    "figure-7": _count_scans,
    "figure-8": _compare_minimum_weights,
    "figure-9": _compare_last_draws,
    **{
        each: partial(_compare_accuracy, each, f"accuracy-{instance.lower()}", cities, share)
        for instance, (number, cities, share) in _ACCURACIES.items()
        for each in (f"accuracy-{instance.lower()}", f"figure-{number}")
    },
    "table-2": _compare_times,
    "table-3": _compare_small_times,
    **{f"figure-{number}": partial(_compare_bandwidth, f"figure-{number}", *of) for number, of in _READ.items()},
    **{f"figure-{number}": partial(_find_fastest_instance, f"figure-{number}") for number in (19, 20, 21)},
    "figure-22": partial(_compare_scans, "figure-22"),
    "table-4": partial(_compare_scans, "table-4"),
    "section-8-4": _list_gaps,
}
