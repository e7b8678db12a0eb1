"""Findings on the results of Utne and Hansen (2023)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, card, copy_rate, entry, figure, measured_on, pace, result
from papers.utne_hansen import PAPER

#: Bytes of a move of ``calculated``, and bytes of a distance.
_MOVE, _DISTANCE = 16, 4
#: Optimum of swiss42.
_OPTIMUM = 1273


def _moves(n: int) -> int:
    """Return the number of moves in a scan of the neighbourhood."""
    return (n - 1) * (n - 2) // 2


def _published(name: str, row: str, column: str) -> float:
    return PAPER.entry(name).figures()[row][column]


def _ours(name: str, row: str, column: str) -> float:
    return figure(f"{PAPER.id}/{name}", row, column)


#: Published figures and ours.
_BOTH = (_published, _ours)


def _on(name: str) -> str:
    return measured_on(f"{PAPER.id}/{name}")


def _rows(name: str) -> list[str]:
    return [*result(f"{PAPER.id}/{name}").measured.rows]


def _read(n: int) -> float:
    """Return the rate in gigabytes per second at which ``calculated`` reads the matrix on a fully loaded GPU."""
    return _MOVE * pace("calculated", n)


def _describe_two_opt() -> str:
    ours, theirs = _rows("figure-7"), PAPER.entry("figure-7").figures()
    climbs, end, last = len(ours), ours[-1], [*theirs][-1]
    optimal = next(row for row in theirs if theirs[row]["length"] == _OPTIMUM)
    return (
        "The text calls each 2-opt considered an iteration, but it is a scan of the neighbourhood: their first "
        f"{len(theirs)} climbs take {last}, and by their records the optimum {_OPTIMUM:,} is there after {optimal}. "
        f"Ours, {climbs} climbs from other random tours, take {end} scans and end at "
        f"{_ours('figure-7', end, 'length'):,.0f} ({_on('figure-7')}). A scan of 42 cities evaluates {_moves(42):,} "
        "moves. How soon the optimum is found is chance; which of the three methods is best holds for "
        "one run each, and their ants and annealing are held back by their programs (figures 8 and 9)."
    )


def _describe_ants() -> str:
    columns = ("best length", "best length, no minimum weight")
    theirs, free = (min(_ours("figure-8", row, column) for row in _rows("figure-8")) for column in columns)
    return (
        "Their program sets every weight below 0.0001 to 0.0001. On swiss42 no trail and distance come to more, so "
        "that all weights are equal: the ants walk at random, and what looks like stagnation is the best of ever "
        f"more random tours, at the end {_published('figure-8', '990', 'best length'):,.0f}. Ours by the same rules "
        f"ends at {theirs:,.0f} ({_on('figure-8')}). Without the minimum weight, and all else the same, it ends at "
        f"{free:,.0f}, where the optimum is {_OPTIMUM:,}: that ants are worse than 2-opt holds for this line of the "
        "program, not for ants. Trails begin at 0.01, stay from 0.0001 to 100,000 and evaporate once for each ant, "
        "as theirs. Open ours, set the minimum weight to 0 and run it again."
    )


def _describe_annealing() -> str:
    end = _rows("figure-9")[-1]
    return (
        f"We see the same: ours, one seed, is at {_ours('figure-9', end, 'length'):,.0f} after {end} draws "
        f"({_on('figure-9')}), theirs at {_published('figure-9', end, 'length'):,.0f}, where the optimum is "
        f"{_OPTIMUM:,}. It is the schedule and the program: a temperature that falls after every draw leaves 246 "
        f"draws in all, fewer than a third of one scan of {_moves(42):,} moves, and every second draw, one with i > "
        "j, changes nothing. The preset utne-hansen cools slowly instead."
    )


def _describe_accuracy(name: str, table: str, cities: int, share: int) -> str:
    lengths, optimal = "lowest length", "accuracy"
    counts = [*PAPER.entry(table).figures()]
    theirs = next((row for row in counts if _published(table, row, optimal) == 100), "")
    ours = next((row for row in counts if _ours(name, row, optimal) == 100), "")
    result = (
        f"Theirs is optimal from {theirs} climbers on, ours from {ours}, the median of five seeds ({_on(name)})"
        if theirs
        else f"After {counts[-1]} climbers theirs is at {_published(table, counts[-1], lengths):,.0f} and ours at "
        f"{_ours(name, counts[-1], lengths):,.0f}, the median of five seeds ({_on(name)}), neither at the optimum"
    )
    return (
        f"{result}. The best of so many climbs from random tours is a random number: it differs by seed, and a column "
        "that stays the same above the optimum shows luck, not a limit. Their program's reduction loses the best move "
        f"of a scan where two changes are equal. The preset utne-hansen of 2-opt climbs as their program, and gives "
        f"their lengths: of its first 1,000 climbs on these {cities} cities {share} % end where a move is left. Ours "
        "here all end at a local optimum."
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
        "Claimed: a block each is 136 / 5 = 27 times as fast for 1,000 climbers, and slower for many. Ours, climbing "
        f"as their program: for 1,000 climbers calculated takes {blocks['1,000']:.1f} ms and matr_s, which stands "
        f"beside O'Neil et al., {threads['1,000']:.1f} ms, {threads['1,000'] / blocks['1,000']:.0f} times as long; "
        f"for 100,000 calculated takes {blocks['100,000']:.0f} ms and matr_s {threads['100,000']:.0f} ms "
        f"({_on('table-2')}), so that a thread each wins by {blocks['100,000'] / threads['100,000']:.2f}, theirs by "
        f"{theirs:.2f}. Theirs are times of climbs that stop early: to local optima ours takes {whole:.0f} ms, with "
        f"blocks that are fitted to the GPU {fitted:.0f} ms. Shared memory and computed i and j are said to be "
        "1.11 and 1.03 times as fast as the original (section 7.6.3, 200,000 climbers); ours "
        f"are {gains[0]:.2f} and {gains[1]:.2f} times, their own code on an H200 {codes[0]:.2f} and {codes[1]:.2f} "
        "times, for 100,000. They report that the other code told lengths below the optimum, so that its times may "
        "not be of whole climbs; every length of ours is measured again."
    )


def _speed_up(figure: Callable[[str, str, str], float], code: str) -> float:
    """Return the speed-up of a code over ``original`` in table 2."""
    count = "100,000" if figure is _authors_figure else "200,000"
    return figure("table-2", "original", count) / figure("table-2", code, count)


def _authors_figure(name: str, row: str, column: str) -> float:
    code = PAPER.entry(name).authors_code
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
        f"The text has ratios of kroA100 alone. By this table a block each is {gains[0]:.1f} times as fast for 1,000 "
        f"climbers, ours {gains[1]:.1f} times. Computed i and j gain nothing: for 100,000 climbers the original takes "
        f"{theirs:.0f} ms and calculated {computed:.0f} ms, ours {original:.1f} and {calculated:.1f} ms. With 52 "
        f"cities a scan has {_moves(52):,} moves, few for a block of 1,024 threads, which ends each scan by a "
        f"reduction: for 50,000 climbers a thread each takes {many:.1f} ms and calculated, as their program climbs, "
        f"{block:.1f} ms. For 1,000 climbers a thread each takes {few:.1f} ms ({_on('table-3')}), "
        "hardly less: until then the GPU is not full."
    )


def _describe_bandwidth(name: str, instance: str, n: int) -> str:
    megabytes, rate, peak = _DISTANCE * n * n / 1e6, _ours(name, "1,000", instance), copy_rate()
    return (
        f"With 1,000 climbers ours, climbing as their program, reads {rate:,.0f} GB/s of {instance} ({_on(name)}), "
        f"{100 * rate / peak:.0f} % of the {peak:,.0f} GB/s that a copy within the memory reaches ({card(TWO_OPT)}); "
        "theirs are shares of the 1,555 GB/s of a data sheet. "
        f"What is counted is what the kernel asks for, {_MOVE} bytes a move, not what memory delivers: the matrix of "
        f"{n} cities has {megabytes:.2g} MB and stays in the caches, so a share above 100 % says that the memory's "
        "bandwidth is not the limit. With few climbers the GPU is not full, and the rate rises with them."
    )


def _describe_all_bandwidths(name: str) -> str:
    largest = _rows(name)[-1]
    rates = {column: _ours(name, largest, column) for column in result(f"{PAPER.id}/{name}").measured.columns}
    fastest = max(rates, key=rates.__getitem__)
    return (
        "All six matrices fit a level-2 cache, to which the report ascribes rates above the memory's: with "
        f"{largest} climbers ours reads {rates[fastest]:,.0f} GB/s of {fastest} and {rates['swiss42']:,.0f} of swiss42 "
        f"({_on(name)}), where a copy within the memory reaches {copy_rate():,.0f}. Ours seem to come from the nearest "
        f"cache: with the GPU full calculated, by fitted blocks and to local optima, reads {_read(1000):,.0f} GB/s for "
        f"1,000 cities, whose matrix fits a level-2 cache too, and {_read(4000):,.0f} for 4,000 ({card(TWO_OPT)}), "
        "since scattered reads of 4 bytes use a fraction of each line that is sent."
    )


def _describe_scans(name: str) -> str:
    scans = {row: _ours(name, row, "scans a climb") for row in ("swiss42", "pr439")}
    rates = {row: _ours(name, row, "throughput") for row in _rows(name)}
    fastest = max(rates, key=rates.__getitem__)
    theirs, (climbs, scan_count) = _published("table-4", "kroA100", "scans a climb"), _whole_scans("kroA100")
    return (
        f"As their program climbs, ours take as many scans: {scans['swiss42']:.1f} of swiss42 and "
        f"{scans['pr439']:.1f} of pr439, where theirs are rounded down. These are climbs that stop early where a tie "
        f"loses the best move: to local optima a climb of kroA100 takes {scan_count / climbs:.0f} scans in place of "
        f"{theirs:.0f} ({card(TWO_OPT)}). Most bytes a second are read of {fastest}, {rates[fastest]:,.0f} GB/s, and "
        f"{rates['swiss42']:,.0f} of swiss42 ({_on(name)}); in their table pr439 is first as well. "
        "The number of scans is not the cause: with more of them the tour's copy and the launch weigh less, but with "
        f"more cities a scan has more moves for its threads, {_moves(42):,} for swiss42 and {_moves(439):,} for pr439. "
        "On 1,000 cities calculated, by fitted blocks, to local optima and with the GPU full, reads less, "
        f"{_read(1000):,.0f} GB/s ({card(TWO_OPT)}), because its matrix is read beyond the nearest cache."
    )


def _whole_scans(instance: str) -> tuple[int, int]:
    """Return the climbers and scans of ``calculated`` until local optima."""
    run = entry(TWO_OPT, "finish", name="calculated", instance=instance)
    return run["climbers"], run["scans"]


def _describe_quality() -> str:
    rows = _rows("section-8-4")
    gaps = "; ".join(
        f"{row} {_ours('section-8-4', row, '2-opt'):.2f} % by 2-opt, {_ours('section-8-4', row, 'ants'):.2f} % by ants "
        f"and {_ours('section-8-4', row, 'annealing'):.2f} % by annealing"
        for row in rows
    )
    return (
        "The report leaves this for later, and has no figures. How far above the optimum ours are after a second, "
        f"medians of five seeds: {gaps} ({_on('section-8-4')}). Which of the three leads differs by size. Of the "
        "other algorithms that section 8.3 names, genetic algorithms, particle "
        "swarms, tabu search and artificial bee colonies are here as well; a gradient needs lengths that change "
        "smoothly with the tour, and those of tours do not, so that it does not apply."
    )


def _describe_instances() -> str:
    return "The same: the bundled files are those of TSPLIB, and each of the six optima is proven."


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
