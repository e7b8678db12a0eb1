"""Findings on the results of O'Neil and Burtscher (2015)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, VARIANTS, cite, cite_entry, figure, load, load_result, pace

#: Reason why the chart's own figures are missing here.
_NONE = "The slide gives its figures in a chart alone, so there is no ratio"


def _rows(variant: str, rows: str) -> float:
    """Return the moves per second on kroA100 in billions, scanning one row of moves or two."""
    return load(VARIANTS)["two_opt_rows"][f"{variant}, {rows} row{'s' if rows == 'two' else ''}, kroA100"][
        "billion_moves_per_second"
    ]


def _rate(entry: str, cities: str, column: str = "") -> float:
    """Return the moves per second of an entry's variant, in billions."""
    return figure(f"oneil-burtscher/{entry}", cities, column or entry.replace("-", "_"))


def _on(entry: str) -> str:
    """Return the hardware and date of this program's shipped result."""
    return cite_entry(f"oneil-burtscher/{entry}")


def _describe_shared_matrix() -> str:
    return (
        f"{_NONE}. The limit is 110 cities because a matrix of 4 n² bytes must fit 48 KB, the shared memory of a block "
        "on that GPU: 4 · 110² = 48,400 bytes fit, those of 111 cities do not. The GPU sets this limit, not the "
        "method: the 227 KB of a Hopper GPU hold 241 cities. For 100 cities, TourScope evaluates "
        f"{_rate('matr-s', '100'):,.0f} billion moves a second when it scans one row of moves at a time, as the slides "
        f"do ({_on('matr-s')}). Scanning two rows at once raises the rate from {_rows('matr_s', 'one'):,} to "
        f"{_rows('matr_s', 'two'):,} ({cite(VARIANTS)})."
    )


def _describe_global_matrix(entry: str) -> str:
    gain = _rate("matr-g-ro", "100") / _rate("matr-g", "100")
    matrix = f" The variant matr_s is much faster, at {_rate('matr-s', '100'):,.0f}."
    beside = matrix if entry == "matr-g-ro" else ""
    return (
        f"{_NONE}. TourScope slows down once the nearest cache no longer holds the matrix, as the slides say of "
        f"matr_g_ro: {_rate(entry, '100'):,.0f} billion moves a second for 100 cities, {_rate(entry, '439'):,.0f} for "
        f"439 and {_rate(entry, '4,000'):,.0f} for 4,000 ({_on(entry)}). The read-only path no longer helps: for 100 "
        f"cities it is {gain:.2f} times as fast as plain reads, because current caches serve both alike. A Kepler GPU "
        f"did not keep plain reads of global memory in its nearest cache.{beside}"
    )


def _describe_computed_distances() -> str:
    return (
        f"{_NONE}. From 439 cities on, the rate does not depend on the number of cities, as expected where nothing "
        f"grows with n²: {_rate('calc', '439'):,.0f} billion moves a second for 439 cities, "
        f"{_rate('calc', '1,000'):,.0f} for 1,000 and {_rate('calc', '4,000'):,.0f} for 4,000. For 100 cities it is "
        f"{_rate('calc', '100'):,.0f} ({_on('calc')}): with fewer cities the rows of moves are shorter, and a thread "
        "begins a new row more often. The slides end at about 4,000 cities because of the local memory of a thread. "
        "TourScope ends there because of the time that one thread takes for a scan."
    )


def _describe_blocks(entry: str, remark: Callable[[], str]) -> str:
    rates = {other.replace("-", "_"): _rate(other, "1,000") for other in ("matr-g", "matr-g-ro", "calc")}
    best = max(rates, key=rates.__getitem__)
    return (
        f"{_NONE}. The slides claim that the whole idea is up to 3 times as fast as earlier GPU codes. TourScope "
        f"evaluates {_rate(entry, '100'):,.0f} billion moves a second for 100 cities and {_rate(entry, '1,000'):,.0f} "
        f"for 1,000 ({_on(entry)}). For 1,000 cities that is {_rate(entry, '1,000') / rates[best]:.1f} times as fast "
        f"as {best}, the best variant in the slides with one thread per climber. When calc scans two rows at once, it "
        f"reaches {pace('calc, two rows', 1000):,.0f} ({cite(TWO_OPT)}). {remark()}"
    )


def _compare_tiles() -> str:
    gain = 100 * (_rate("tile", "1,000") / _rate("intra", "1,000") - 1)
    return f"For 1,000 cities, tiles gain {gain:.0f} % over intra, because current caches also hold what intra reads."


def _describe_tuned() -> str:
    tuned, strip, thread = _rate("tuned", "1,000"), pace("strip", 1000), pace("calc, two rows", 1000)
    slower = [n for n in load_result("oneil-burtscher/tile").measured.rows if _rate("tile", n) > _rate("tuned", n)]
    comparison = (
        f"At {', '.join(slower)} cities tile was faster ({_on('tile')}), but the two can only be compared on one GPU"
        if slower
        else f"It was faster than tile at all sizes ({_on('tile')}), but the two can only be compared on one GPU"
    )
    return (
        f"{_NONE}. The slides claim that the whole idea is up to 3 times as fast as earlier GPU codes. TourScope "
        f"evaluates {_rate('tuned', '100'):,.0f} billion moves a second for 100 cities and {tuned:,.0f} for 1,000 "
        f"({_on('tuned')}). {comparison}. The gain over the slides cannot be stated. For 1,000 cities, the best "
        f"variant with one thread per climber scans two rows at once and evaluates {thread:,.0f}. The variant strip, "
        f"which gives its blocks other moves, evaluates {strip:,.0f} ({cite(TWO_OPT)}). So tuned is "
        f"{tuned / thread:.1f} times as fast as the former, and strip is {strip / tuned:.1f} times as fast as tuned."
    )


def _describe_cores() -> str:
    gpu, cores = ({n: _rate("gpu-cpu", n, column) for n in ("100", "18,512")} for column in ("tuned", "cpu"))
    return (
        f"{_NONE}. The claim of up to 8 times the speed of 20 cores is about one GPU and two processors of its time. "
        f"Both have changed since, and not alike. On a GPU, TourScope evaluates {gpu['100']:,.0f} billion moves a "
        f"second for 100 cities and {gpu['18,512']:,.0f} for 18,512. On the 16 cores beside that GPU it evaluates "
        f"{cores['100']:.1f} and {cores['18,512']:.1f}, so the GPU is {gpu['100'] / cores['100']:.0f} and "
        f"{gpu['18,512'] / cores['18,512']:.0f} times as fast ({_on('gpu-cpu')}). The cores evaluate every move, as in "
        "the slides. A CPU code that skips moves which cannot improve the tour would have to be compared by the time "
        "of a climb instead."
    )


def _describe_first_solution() -> str:
    rows = ("kroA100", "kroA200")
    calc, tile, matrix = ([_rate("first-solution", row, name) for row in rows] for name in ("calc", "tile", "matr_s"))
    rule, large = (_rate("first-solution", "pr1002", name) for name in ("tuned, rule", "tile"))
    return (
        "The slides claim a faster time to the first solution, without figures. TourScope shows the same. A single "
        f"climb of kroA100 takes {tile[0]:.2f} ms when a block shares it (tile) and {calc[0]:.1f} ms when one thread "
        f"makes it alone (calc), {calc[0] / tile[0]:.0f} times as long. On kroA200 the times are {tile[1]:.2f} and "
        f"{calc[1]:.0f} ms, a factor of {calc[1] / tile[1]:.0f} ({_on('first-solution')}). With matr_s, which also "
        f"uses one thread, the two climbs take {matrix[0]:.1f} and {matrix[1]:.0f} ms, {matrix[0] / tile[0]:.0f} and "
        f"{matrix[1] / tile[1]:.0f} times as long as with tile. The rule of slide 38 is for a full GPU: for one climb "
        f"of pr1002, its smaller blocks take {rule:.0f} ms and those of tile {large:.0f} ms."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "matr-s": _describe_shared_matrix,
    "matr-g": partial(_describe_global_matrix, "matr-g"),
    "matr-g-ro": partial(_describe_global_matrix, "matr-g-ro"),
    "calc": _describe_computed_distances,
    "intra": partial(
        _describe_blocks, "intra", lambda: "The threads of a block share a tour, so a few climbers fill a GPU."
    ),
    "tile": partial(_describe_blocks, "tile", _compare_tiles),
    "tuned": _describe_tuned,
    "gpu-cpu": _describe_cores,
    "first-solution": _describe_first_solution,
}
