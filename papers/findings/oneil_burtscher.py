"""Findings on the results of O'Neil and Burtscher (2015)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, VARIANTS, card, figure, load, measured_on, pace, result

#: Reason why the chart's own figures are missing here.
_NONE = "The slide's figures are in its chart alone, so there is no ratio"


def _rows(variant: str, rows: str) -> float:
    """Return the moves per second on kroA100 in billions, scanning one row of moves or two."""
    return load(VARIANTS)["two_opt_rows"][f"{variant}, {rows} row{'s' if rows == 'two' else ''}, kroA100"][
        "billion_moves_per_second"
    ]


def _rate(entry: str, cities: str, column: str = "") -> float:
    """Return the moves per second of an entry's variant, in billions."""
    return figure(f"oneil-burtscher/{entry}", cities, column or entry.replace("-", "_"))


def _on(entry: str) -> str:
    return measured_on(f"oneil-burtscher/{entry}")


def _describe_shared_matrix() -> str:
    return (
        f"{_NONE}. 110 cities are the most because a matrix of 4 n² bytes must fit 48 KB, the shared memory of a block "
        "of that GPU: 4 · 110² = 48,400 bytes do, those of 111 do not. It is the GPU, not the method: in the 227 KB of "
        f"a Hopper it takes 241. For 100 cities ours evaluates {_rate('matr-s', '100'):,.0f} billion moves a second as "
        f"the slides have it ({_on('matr-s')}); two rows of moves at once make {_rows('matr_s', 'two'):,} of "
        f"{_rows('matr_s', 'one'):,} ({card(VARIANTS)})."
    )


def _describe_global_matrix(entry: str) -> str:
    gain = _rate("matr-g-ro", "100") / _rate("matr-g", "100")
    matrix = f" It is not nearly as good as matr_s, which makes {_rate('matr-s', '100'):,.0f}."
    beside = matrix if entry == "matr-g-ro" else ""
    return (
        f"{_NONE}. Ours falls once the nearest cache does not hold the matrix, as the slides say of matr_g_ro: "
        f"{_rate(entry, '100'):,.0f} billion moves a second for 100 cities, {_rate(entry, '439'):,.0f} for 439, "
        f"{_rate(entry, '4,000'):,.0f} for 4,000 ({_on(entry)}). The read-only path no longer helps: for 100 cities it "
        f"is {gain:.2f} times as fast as plain reads, since caches of today serve both alike; a Kepler cached no plain "
        f"reads of global memory nearby.{beside}"
    )


def _describe_computed_distances() -> str:
    return (
        f"{_NONE}. From 439 cities on the rate does not depend on their number, as it should where nothing grows with "
        f"n²: {_rate('calc', '439'):,.0f} billion moves a second, {_rate('calc', '1,000'):,.0f} for 1,000 and "
        f"{_rate('calc', '4,000'):,.0f} for 4,000. For 100 it is {_rate('calc', '100'):,.0f} ({_on('calc')}): the "
        "fewer cities, the shorter are the rows of moves, and the more often one is begun. The slides end at about "
        "4,000 cities, by the local memory of a thread; ours by the time that one thread takes for a scan."
    )


def _describe_blocks(entry: str, remark: Callable[[], str]) -> str:
    rates = {other.replace("-", "_"): _rate(other, "1,000") for other in ("matr-g", "matr-g-ro", "calc")}
    best = max(rates, key=rates.__getitem__)
    return (
        f"{_NONE}. Claimed for the whole idea: up to 3 times as fast as earlier GPU codes. Ours: "
        f"{_rate(entry, '100'):,.0f} billion moves a second for 100 cities and {_rate(entry, '1,000'):,.0f} for 1,000 "
        f"({_on(entry)}), there {_rate(entry, '1,000') / rates[best]:.1f} times as fast as the best of the slides' own "
        f"with a climber a thread, {best}; calc that scans two rows at once makes {pace('calc, two rows', 1000):,.0f} "
        f"({card(TWO_OPT)}). {remark()}"
    )


def _compare_tiles() -> str:
    gain = 100 * (_rate("tile", "1,000") / _rate("intra", "1,000") - 1)
    return f"Beside intra tiles gain {gain:.0f} % there: caches of today hold what intra reads as well."


def _describe_tuned() -> str:
    tuned, strip, thread = _rate("tuned", "1,000"), pace("strip", 1000), pace("calc, two rows", 1000)
    slower = [n for n in result("oneil-burtscher/tile").measured.rows if _rate("tile", n) > _rate("tuned", n)]
    comparison = (
        f"At {', '.join(slower)} cities tile was faster ({_on('tile')}), but the two can only be compared on one GPU"
        if slower
        else f"It was faster than tile at all sizes ({_on('tile')}), but the two can only be compared on one GPU"
    )
    return (
        f"{_NONE}. Claimed for the whole idea: up to 3 times as fast as earlier GPU codes. Ours: "
        f"{_rate('tuned', '100'):,.0f} billion moves a second for 100 cities and {tuned:,.0f} for 1,000 "
        f"({_on('tuned')}). {comparison}. How much is gained over the slides cannot be said. For 1,000 cities the best "
        f"with a climber a thread, which scans two rows at once, makes {thread:,.0f}, and strip, which gives "
        f"blocks other moves, {strip:,.0f} ({card(TWO_OPT)}): tuned makes {tuned / thread:.1f} times as many as the "
        f"one, strip {strip / tuned:.1f} times as many as tuned."
    )


def _describe_cores() -> str:
    gpu, cores = ({n: _rate("gpu-cpu", n, column) for n in ("100", "18,512")} for column in ("tuned", "cpu"))
    return (
        f"{_NONE}. Up to 8 times as fast as 20 cores is a claim about one GPU and two processors of its time; both "
        f"have changed since, and not alike. Ours on a GPU: {gpu['100']:,.0f} billion moves a second for 100 cities "
        f"and {gpu['18,512']:,.0f} for 18,512; on the 16 cores beside it {cores['100']:.1f} and "
        f"{cores['18,512']:.1f}, {gpu['100'] / cores['100']:.0f} and {gpu['18,512'] / cores['18,512']:.0f} times fewer "
        f"({_on('gpu-cpu')}). Cores evaluate every move, as the slides do; a code for cores that "
        "skips moves which cannot improve would be compared by the time of a climb instead."
    )


def _describe_first_solution() -> str:
    rows = ("kroA100", "kroA200")
    calc, tile, matrix = ([_rate("first-solution", row, name) for row in rows] for name in ("calc", "tile", "matr_s"))
    rule, large = (_rate("first-solution", "pr1002", name) for name in ("tuned, rule", "tile"))
    return (
        "Claimed: a faster time to the first solution, without figures. We see the same: a single climb of kroA100 "
        f"ends after {tile[0]:.2f} ms where a block shares it (tile) and after {calc[0]:.1f} ms where a thread makes "
        f"it alone (calc), {calc[0] / tile[0]:.0f} times as long; of kroA200 {tile[1]:.2f} and {calc[1]:.0f} ms, "
        f"{calc[1] / tile[1]:.0f} times ({_on('first-solution')}). By matr_s, a thread too, they take "
        f"{matrix[0]:.1f} and {matrix[1]:.0f} ms, {matrix[0] / tile[0]:.0f} and {matrix[1] / tile[1]:.0f} times as "
        "long. The rule of slide 38 is for a full GPU: for one climb of pr1002 its smaller blocks take "
        f"{rule:.0f} ms, those of tile {large:.0f} ms."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "matr-s": _describe_shared_matrix,
    "matr-g": partial(_describe_global_matrix, "matr-g"),
    "matr-g-ro": partial(_describe_global_matrix, "matr-g-ro"),
    "calc": _describe_computed_distances,
    "intra": partial(
        _describe_blocks, "intra", lambda: "Threads of a block share a tour, so that few climbers fill a GPU."
    ),
    "tile": partial(_describe_blocks, "tile", _compare_tiles),
    "tuned": _describe_tuned,
    "gpu-cpu": _describe_cores,
    "first-solution": _describe_first_solution,
}
