"""Figures computed for the findings on the results of O'Neil and Burtscher (2015)."""

from collections.abc import Callable
from functools import partial

from papers.committed import VARIANTS, load, load_result, pace
from papers.findings.paper_figures import PaperFigures

FIGURES = PaperFigures("oneil-burtscher")
_rate = FIGURES.ours

CONSTANTS = {"none": "The slide gives its figures in a chart alone, so there is no ratio"}


def _compare_rows() -> dict[str, float]:
    rates = load(VARIANTS)["two_opt_rows"]
    one, two = (rates[f"matr_s, {rows}, kroA100"]["billion_moves_per_second"] for rows in ("one row", "two rows"))
    return {"one_row": one, "two_rows": two}


def _compare_reads(entry: str) -> dict[str, object]:
    matrix = f" The variant matr_s is much faster, at {_rate('matr-s', '100'):,.0f}."
    gain = _rate("matr-g-ro", "100") / _rate("matr-g", "100")
    return {"gain": gain, "beside": matrix if entry == "matr-g-ro" else ""}


def _compare_blocks(entry: str, remark: Callable[[], str]) -> dict[str, object]:
    rates = {other.replace("-", "_"): _rate(other, "1,000") for other in ("matr-g", "matr-g-ro", "calc")}
    best = max(rates, key=rates.__getitem__)
    return {"best": best, "gain": _rate(entry, "1,000") / rates[best], "remark": remark()}


def _compare_tiles() -> str:
    gain = 100 * (_rate("tile", "1,000") / _rate("intra", "1,000") - 1)
    return f"For 1,000 cities, tiles gain {gain:.0f} % over intra, because current caches also hold what intra reads."


def _compare_tuned() -> dict[str, object]:
    tuned, on = _rate("tuned", "1,000"), FIGURES.machine("tile")
    slower = [n for n in load_result("oneil-burtscher/tile").measured.rows if _rate("tile", n) > _rate("tuned", n)]
    comparison = (
        f"At {', '.join(slower)} cities tile was faster ({on}), but the two can only be compared on one GPU"
        if slower
        else f"It was faster than tile at all sizes ({on}), but the two can only be compared on one GPU"
    )
    return {
        "comparison": comparison,
        "over_thread": tuned / pace("calc, two rows", 1000),
        "strip_over": pace("strip", 1000) / tuned,
    }


def _compare_cores() -> dict[str, object]:
    return {"gains": [_rate("gpu-cpu", n, "tuned") / _rate("gpu-cpu", n, "cpu") for n in ("100", "18,512")]}


def _compare_first_climbs() -> dict[str, object]:
    calc, matrix = (
        [_rate("first-solution", row, name) / _rate("first-solution", row, "tile") for row in ("kroA100", "kroA200")]
        for name in ("calc", "matr_s")
    )
    return {"calc_over": calc, "matrix_over": matrix}


VALUES: dict[str, Callable[[], dict]] = {
    "matr-s": _compare_rows,
    "matr-g": partial(_compare_reads, "matr-g"),
    "matr-g-ro": partial(_compare_reads, "matr-g-ro"),
    "intra": partial(
        _compare_blocks, "intra", lambda: "The threads of a block share a tour, so a few climbers fill a GPU."
    ),
    "tile": partial(_compare_blocks, "tile", _compare_tiles),
    "tuned": _compare_tuned,
    "gpu-cpu": _compare_cores,
    "first-solution": _compare_first_climbs,
}
