"""Findings on the results of Utne and Hansen (2023)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, cite, copy_rate, find_entry, load_result, pace
from papers.findings.paper_figures import PaperFigures

_FIGURES = PaperFigures("utne-hansen")
_PAPER, _published, _ours, _on = _FIGURES.paper, _FIGURES.published, _FIGURES.ours, _FIGURES.machine
#: Published figures and ours.
_BOTH = (_published, _ours)
#: Bytes of a move of ``calculated``, and bytes of a distance.
_MOVE, _DISTANCE = 16, 4
#: Optimum of swiss42.
_OPTIMUM = 1273


def _moves(n: int) -> int:
    """Return the number of moves in a scan of the neighbourhood."""
    return (n - 1) * (n - 2) // 2


def _rows(name: str) -> list[str]:
    return [*load_result(f"{_PAPER.id}/{name}").measured.rows]


def _read(n: int) -> float:
    """Return the rate in gigabytes per second at which ``calculated`` reads the matrix on a fully loaded GPU."""
    return _MOVE * pace("calculated", n)


def _describe_two_opt() -> str:
    ours, theirs = _rows("figure-7"), _PAPER.entry("figure-7").figures()
    climbs, end, last = len(ours), ours[-1], [*theirs][-1]
    optimal = next(row for row in theirs if theirs[row]["length"] == _OPTIMUM)
    return (
        "The text calls each 2-opt move considered an iteration, but it is a scan of the neighbourhood. The paper's "
        f"first {len(theirs)} climbs take {last} scans, and its records reach the optimum {_OPTIMUM:,} after "
        f"{optimal}. TourScope's {climbs} climbs from other random tours take {end} scans and end at "
        f"{_ours('figure-7', end, 'length'):,.0f} ({_on('figure-7')}). A scan of 42 cities evaluates {_moves(42):,} "
        "moves. How soon a climb finds the optimum is chance. The ranking of the three methods rests on one run each, "
        "and the paper's program holds back its ants and annealing (figures 8 and 9)."
    )


def _describe_ants() -> str:
    columns = ("best length", "best length, no minimum weight")
    theirs, free = (min(_ours("figure-8", row, column) for row in _rows("figure-8")) for column in columns)
    return (
        "The paper's program sets every weight below 0.0001 to 0.0001. On swiss42, trail and distance never give a "
        "greater weight, so all weights are equal and the ants walk at random. What looks like stagnation is the best "
        f"of ever more random tours, {_published('figure-8', '990', 'best length'):,.0f} at the end. TourScope with "
        f"the same rules ends at {theirs:,.0f} ({_on('figure-8')}). Without the minimum weight, and with all else the "
        f"same, it ends at {free:,.0f}; the optimum is {_OPTIMUM:,}. So this line of the program makes the ants worse "
        "than 2-opt, not the method. As in the paper, trails begin at 0.01, stay between 0.0001 and 100,000 and "
        "evaporate once for each ant. Open TourScope's run, set the minimum weight to 0 and run it again."
    )


def _describe_annealing() -> str:
    end = _rows("figure-9")[-1]
    return (
        f"TourScope shows the same. With one seed it is at {_ours('figure-9', end, 'length'):,.0f} after {end} draws "
        f"({_on('figure-9')}), and the paper is at {_published('figure-9', end, 'length'):,.0f}; the optimum is "
        f"{_OPTIMUM:,}. The schedule and the program are the cause. The temperature falls after every draw, which "
        f"leaves 246 draws in all, fewer than a third of one scan of {_moves(42):,} moves. Every second draw, one with "
        "i > j, changes nothing. The preset utne-hansen cools slowly instead."
    )


def _describe_accuracy(name: str, table: str, cities: int, share: int) -> str:
    lengths, optimal = "lowest length", "accuracy"
    counts = [*_PAPER.entry(table).figures()]
    theirs = next((row for row in counts if _published(table, row, optimal) == 100), "")
    ours = next((row for row in counts if _ours(name, row, optimal) == 100), "")
    result = (
        f"The paper is optimal from {theirs} climbers on and TourScope from {ours}, the median of five seeds "
        f"({_on(name)})"
        if theirs
        else f"After {counts[-1]} climbers the paper is at {_published(table, counts[-1], lengths):,.0f} and TourScope "
        f"at {_ours(name, counts[-1], lengths):,.0f}, the median of five seeds ({_on(name)}), both above the optimum"
    )
    return (
        f"{result}. The best of so many climbs from random tours is a random number and differs by seed. A column that "
        "stays the same above the optimum shows luck, not a limit. The reduction in the paper's program loses the "
        "best move of a scan when two changes are equal. TourScope's preset utne-hansen of 2-opt climbs like that "
        f"program and gives the paper's lengths: of its first 1,000 climbs on these {cities} cities, {share} % end "
        "although a move is left. The climbs that TourScope shows here all end at a local optimum."
    )


def _describe_times() -> str:
    blocks, threads = (
        {count: _ours("table-2", code, count) for count in ("1,000", "100,000")}
        for code in ("calculated", "O'Neil et al.")
    )
    theirs = _published("table-2", "calculated", "100,000") / _published("table-2", "O'Neil et al.", "100,000")
    whole, fitted = (_ours("table-2", f"calculated, {form}", "100,000") for form in ("local optima", "ours"))
    gains = [_speed_up(_ours, code) for code in ("hundred-cities", "calculated")]
    codes = [_speed_up(_authors_figure, code) for code in ("hundred-cities", "calculated")]
    return (
        "The paper claims that one block per climber is 136 / 5 = 27 times as fast for 1,000 climbers, and slower for "
        "many. TourScope climbs like the paper's program here. For 1,000 climbers, calculated takes "
        f"{blocks['1,000']:.1f} ms and matr_s, which stands for O'Neil et al., takes {threads['1,000']:.1f} ms, "
        f"{threads['1,000'] / blocks['1,000']:.0f} times as long. For 100,000 climbers, calculated takes "
        f"{blocks['100,000']:.0f} ms and matr_s {threads['100,000']:.0f} ms ({_on('table-2')}). One thread per climber "
        f"wins there by a factor of {blocks['100,000'] / threads['100,000']:.2f}, and by {theirs:.2f} in the paper. "
        f"The paper's times are those of climbs that stop early. To local optima, TourScope takes {whole:.0f} ms, and "
        f"{fitted:.0f} ms with blocks that are fitted to the GPU. For shared memory and computed i and j, the paper "
        "gives speed-ups of 1.11 and 1.03 over the original (section 7.6.3, 200,000 climbers). TourScope reaches "
        f"{gains[0]:.2f} and {gains[1]:.2f}. The paper's own code on an H200 reaches {codes[0]:.2f} and {codes[1]:.2f} "
        "for 100,000 climbers. The paper reports that the other code returned lengths below the optimum, so its times "
        "may not be those of whole climbs. TourScope measures the length of every tour again."
    )


def _speed_up(figure: Callable[[str, str, str], float], code: str) -> float:
    """Return the speed-up of a code over ``original`` in table 2."""
    count = "100,000" if figure is _authors_figure else "200,000"
    return figure("table-2", "original", count) / figure("table-2", code, count)


def _authors_figure(name: str, row: str, column: str) -> float:
    code = _PAPER.entry(name).authors_code
    value = code.figures.figure(row, column) if code else None
    assert value is not None
    return value


def _describe_small_times() -> str:
    few, many = (_ours("table-3", "O'Neil et al.", count) for count in ("1,000", "50,000"))
    block = _ours("table-3", "calculated", "50,000")
    gains = [find("table-3", "O'Neil et al.", "1,000") / find("table-3", "calculated", "1,000") for find in _BOTH]
    (theirs, computed), (original, calculated) = (
        [find("table-3", code, "100,000") for code in ("original", "calculated")] for find in _BOTH
    )
    return (
        f"The text gives ratios for kroA100 alone. In the paper's table, one block per climber is {gains[0]:.1f} times "
        f"as fast for 1,000 climbers, and {gains[1]:.1f} times in TourScope. Computing i and j gains nothing: for "
        f"100,000 climbers, original and calculated take {theirs:.0f} and {computed:.0f} ms in the paper, and "
        f"{original:.1f} and {calculated:.1f} ms in TourScope. With 52 cities a scan has {_moves(52):,} moves. These "
        "are few for a block of 1,024 threads, which ends each scan with a reduction. For 50,000 climbers, one thread "
        f"per climber takes {many:.1f} ms, and calculated, climbing like the paper's program, takes {block:.1f} ms. "
        f"For 1,000 climbers, one thread per climber takes {few:.1f} ms ({_on('table-3')}), hardly less: the GPU is "
        "not full until then."
    )


def _describe_bandwidth(name: str, instance: str, n: int) -> str:
    megabytes, rate, peak = _DISTANCE * n * n / 1e6, _ours(name, "1,000", instance), copy_rate()
    return (
        f"On {instance}, TourScope reads {rate:,.0f} GB/s with 1,000 climbers that climb like the paper's program "
        f"({_on(name)}). That is {100 * rate / peak:.0f} % of the {peak:,.0f} GB/s that a copy within the memory "
        f"reaches ({cite(TWO_OPT)}). The paper's shares are those of the 1,555 GB/s of a data sheet. The rate counts "
        f"what the kernel requests, {_MOVE} bytes per move, not what memory delivers. The matrix of {n} cities has "
        f"{megabytes:.2g} MB and stays in the caches, so a share above 100 % means that the memory's bandwidth is not "
        "the limit. With few climbers the GPU is not full, and the rate rises with their number."
    )


def _describe_all_bandwidths(name: str) -> str:
    largest = _rows(name)[-1]
    rates = {column: _ours(name, largest, column) for column in load_result(f"{_PAPER.id}/{name}").measured.columns}
    fastest = max(rates, key=rates.__getitem__)
    return (
        "All six matrices fit a level-2 cache, and the paper ascribes rates above the memory's to that cache. With "
        f"{largest} climbers, TourScope reads {rates[fastest]:,.0f} GB/s on {fastest} and {rates['swiss42']:,.0f} on "
        f"swiss42 ({_on(name)}). A copy within the memory reaches {copy_rate():,.0f}. TourScope's rates seem to come "
        "from the nearest cache. With fitted blocks, climbs to local optima and a full GPU, calculated reads "
        f"{_read(1000):,.0f} GB/s for 1,000 cities, whose matrix also fits a level-2 cache, and {_read(4000):,.0f} for "
        f"4,000 ({cite(TWO_OPT)}). Scattered reads of 4 bytes use only a fraction of each line that is sent."
    )


def _describe_scans(name: str) -> str:
    scans = {row: _ours(name, row, "scans a climb") for row in ("swiss42", "pr439")}
    rates = {row: _ours(name, row, "throughput") for row in _rows(name)}
    fastest = max(rates, key=rates.__getitem__)
    theirs, (climbs, scan_count) = _published("table-4", "kroA100", "scans a climb"), _whole_scans("kroA100")
    return (
        f"Climbing like the paper's program, TourScope takes as many scans: {scans['swiss42']:.1f} on swiss42 and "
        f"{scans['pr439']:.1f} on pr439; the paper rounds down. These climbs stop early where a tie loses the best "
        f"move. To a local optimum, a climb of kroA100 takes {scan_count / climbs:.0f} scans instead of {theirs:.0f} "
        f"({cite(TWO_OPT)}). The rate is highest on {fastest}, {rates[fastest]:,.0f} GB/s, and {rates['swiss42']:,.0f} "
        f"on swiss42 ({_on(name)}). In the paper's table pr439 comes first as well. The number of scans is not the "
        "cause. With more scans, the copy of the tour and the launch weigh less. But with more cities, a scan has "
        f"more moves for its threads, {_moves(42):,} for swiss42 and {_moves(439):,} for pr439. On 1,000 cities, "
        f"calculated reads less, {_read(1000):,.0f} GB/s, with fitted blocks, climbs to local optima and a full GPU "
        f"({cite(TWO_OPT)}), because it reads its matrix from beyond the nearest cache."
    )


def _whole_scans(instance: str) -> tuple[int, int]:
    """Return the climbers and scans of ``calculated`` until local optima."""
    run = find_entry(TWO_OPT, "finish", name="calculated", instance=instance)
    return run["climbers"], run["scans"]


def _describe_quality() -> str:
    small, large = (
        f"{row} {_ours('section-8-4', row, '2-opt'):.2f} % with 2-opt, {_ours('section-8-4', row, 'ants'):.2f} % with "
        f"ants and {_ours('section-8-4', row, 'annealing'):.2f} % with annealing"
        for row in _rows("section-8-4")
    )
    return (
        "The paper leaves this for later and has no figures. TourScope's medians of five seeds after one second are "
        f"this far above the optimum: {small}; {large} ({_on('section-8-4')}). Which of the three leads depends on the "
        "size. Section 8.3 names other algorithms, of which TourScope also has genetic algorithms, particle swarms, "
        "tabu search and artificial bee colonies. A gradient does not apply: it needs lengths that change smoothly "
        "with the tour, and tour lengths do not."
    )


def _describe_instances() -> str:
    return "TourScope bundles the same files of TSPLIB, and each of the six optima is proven."


#: Instance and number of cities of each bandwidth figure. For each accuracy table: figure, number of cities, and
#: the percentage of the program's first 1,000 climbs that end although a move is left
#: (`tests.solvers.algorithms.two_opt.test_two_opt`).
_READ = {
    13: ("swiss42", 42), 14: ("berlin52", 52), 15: ("kroA100", 100), 16: ("kroB100", 100), 17: ("kroA200", 200),
    18: ("pr439", 439),
}  # fmt: skip
_ACCURACIES = {"berlin52": (10, 52, 25), "kroA100": (11, 100, 46), "kroA200": (12, 200, 95)}

FINDINGS: dict[str, Callable[[], str]] = {
    "table-1": _describe_instances,
    "figure-7": _describe_two_opt,
    "figure-8": _describe_ants,
    "figure-9": _describe_annealing,
    **{
        each: partial(_describe_accuracy, each, f"accuracy-{instance.lower()}", cities, share)
        for instance, (number, cities, share) in _ACCURACIES.items()
        for each in (f"accuracy-{instance.lower()}", f"figure-{number}")
    },
    "table-2": _describe_times,
    "table-3": _describe_small_times,
    **{f"figure-{number}": partial(_describe_bandwidth, f"figure-{number}", *of) for number, of in _READ.items()},
    **{f"figure-{number}": partial(_describe_all_bandwidths, f"figure-{number}") for number in (19, 20, 21)},
    "figure-22": partial(_describe_scans, "figure-22"),
    "table-4": partial(_describe_scans, "table-4"),
    "section-8-4": _describe_quality,
}
