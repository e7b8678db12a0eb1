"""Figures computed for the findings on the results of Uchida, Ito and Nakano (2012)."""

from papers.committed import load_result
from papers.findings.paper_figures import PaperFigures

FIGURES = PaperFigures("uchida", "GPU")
_published, _ours = FIGURES.published, FIGURES.ours


def _count_undecided() -> dict[str, float]:
    return {"left": 100 - _ours("figure-8", "64", "cities decided")}


def _find_best_switch() -> dict[str, object]:
    table = load_result("uchida/figure-9").measured
    times = {
        (row, column): time
        for row in table.rows
        for column in table.columns
        if (time := table.figure(row, column)) is not None
    }
    switch, trials = min(times, key=times.__getitem__)
    # Without trials, their number does not matter: the first row has the same time in all columns.
    at_once, *switches = table.rows
    start = times[at_once, table.columns[0]]
    curves = {column: [start, *(times[row, column] for row in switches)] for column in table.columns}
    rising = [column.split()[0] for column, curve in curves.items() if curve == sorted(curve)]
    return {
        "switch": switch, "trials": trials.split()[0], "least": times[switch, trials], "late": times["85", trials],
        "rising": ", ".join(rising) or "none",
    }  # fmt: skip


def _compare_selections() -> dict[str, object]:
    listing = ", ".join(f"{name} {_ours('table-i', name):.2f} ms" for name in FIGURES.paper.entry("table-i").figures())
    gain = _published("table-i", "without-compression") / _published("table-i", "hybrid")
    return {"gain": gain, "listing": listing}


def _compare_growth() -> dict[str, object]:
    gains = [_published("table-ii", row) / _ours("table-ii", row) for row in ("d198", "pcb442", "pr1002")]
    gpu, core = (
        _published("table-ii", "pr1002", variant) / _published("table-ii", "d198", variant)
        for variant in ("GPU", "CPU")
    )
    cube = (1002 / 198) ** 3
    return {
        "gains": gains, "speed_up": core / gpu, "cube": cube, "gpu": gpu, "gpu_factor": cube / gpu, "core": core,
        "core_factor": core / cube,
    }  # fmt: skip


def _compare_updates() -> dict[str, float]:
    ours, theirs = _ours("table-iii", "pr1002"), _published("table-iii", "pr1002")
    share = 100 * theirs / (theirs + _published("table-ii", "pr1002"))
    return {"microseconds": 1e3 * ours, "gain": theirs / ours, "share": share}


def _compare_hundred_iterations() -> dict[str, float]:
    ours, theirs = _ours("table-iv", "pr1002"), _published("table-iv", "pr1002")
    lowest, highest = (_published("table-iv", row, "CPU") / _published("table-iv", row) for row in ("d198", "pr1002"))
    return {"seconds": theirs / 1e3, "gain": theirs / ours, "lowest": lowest, "highest": highest}


VALUES = {
    "figure-8": _count_undecided,
    "figure-9": _find_best_switch,
    "table-i": _compare_selections,
    "table-ii": _compare_growth,
    "table-iii": _compare_updates,
    "table-iv": _compare_hundred_iterations,
}
