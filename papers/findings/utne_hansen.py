"""On the results of Utne and Hansen (2023)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, VARIANTS, card, copied, figure, load, measured_on, pace, result
from papers.utne_hansen import PAPER

#: Bytes of a move of ``calculated``, and of a distance.
_MOVE, _DISTANCE = 16, 4
#: The optimum of swiss42.
_OPTIMUM = 1273


def _moves(n: int) -> int:
    """Moves of a scan of the neighbourhood."""
    return (n - 1) * (n - 2) // 2


def _published(name: str, row: str, column: str) -> float:
    return PAPER.entry(name).figures()[row][column]


def _ours(name: str, row: str, column: str) -> float:
    return figure(f"{PAPER.id}/{name}", row, column)


def _on(name: str) -> str:
    return measured_on(f"{PAPER.id}/{name}")


def _rows(name: str) -> list[str]:
    return [*result(f"{PAPER.id}/{name}").measured.rows]


def _read(n: int) -> float:
    """Gigabytes of the matrix that ``calculated`` reads a second with the GPU full."""
    return _MOVE * pace("calculated", n)


def _two_opt() -> str:
    scans, end = _published("table-4", "swiss42", "scans a climb"), _rows("figure-7")[-1]
    return (
        f"A scan of 42 cities evaluates {_moves(42):,} moves, so 625 moves looked at are less than one full scan, and "
        f"a climb ends only after a scan that finds nothing. By table 4 of the same report a climb of swiss42 takes "
        f"{scans:.0f} scans, which are {scans * _moves(42):,.0f} moves; ours, one climb, ends at "
        f"{_ours('figure-7', end, 'length'):,.0f} after {end} ({_on('figure-7')}). What the axis counts the text does "
        "not say; ours counts every move that was evaluated. Which of the three is best holds for one run each and "
        "these parameters, not for the methods."
    )


def _ants() -> str:
    best = {row: _ours("figure-8", row, "best length") for row in _rows("figure-8")}
    then, end = best["400"], min(best.values())
    first, last = (next(row for row, length in best.items() if length == least) for least in (then, end))
    return (
        f"The parameters are theirs. Ours, one run with one seed, has {then:,.0f} from iteration {first} on, and only "
        f"shortly before iteration {last} finds {end:,.0f} ({_on('figure-8')}), where the optimum is {_OPTIMUM:,}. "
        "That little improves is what stagnation looks like: all ants deposit, nothing bounds the trails, and beta 5 "
        "favours the nearest cities. When the last improvement comes differs by seed: open ours, or run it with others."
    )


def _annealing() -> str:
    found, end = load(VARIANTS)["annealing_figure_9"]["swiss42"], _rows("figure-9")[-1]
    theirs, climb, ours = (
        found[name]["median"]
        for name in ("annealing as in figure 9", "first 2-opt optimum", "one chain of the defaults")
    )
    return (
        f"We see the same: ours, one seed, is at {_ours('figure-9', end, 'length'):,.0f} after {end} draws "
        f"({_on('figure-9')}), where the optimum is {_OPTIMUM:,}. It is the schedule: a temperature that falls after "
        f"every draw leaves 246 draws in all, fewer than a third of one scan of {_moves(42):,} moves. Over many seeds "
        f"it ends at {theirs:,} in the median, a single 2-opt climb at {climb:,}, and one chain of our defaults, which "
        f"cools slowly, at {ours:,} ({card(VARIANTS)})."
    )


def _accuracy(name: str, table: str, cities: int) -> str:
    lengths, optimal = "lowest length", "accuracy"
    counts = [*PAPER.entry(table).figures()]
    theirs = next((row for row in counts if _published(table, row, optimal) == 100), "")
    ours = next((row for row in counts if _ours(name, row, optimal) == 100), "")
    seen = (
        f"Theirs is optimal from {theirs} climbers on, ours from {ours}, the median of five seeds ({_on(name)})"
        if theirs
        else f"After {counts[-1]} climbers theirs is at {_published(table, counts[-1], lengths):,.0f} and ours at "
        f"{_ours(name, counts[-1], lengths):,.0f}, the median of five seeds ({_on(name)}), neither at the optimum"
    )
    return (
        f"{seen}. The best of so many climbs from random tours is a random number: it differs by seed, and a column "
        f"that stays the same over many rows shows luck, not a limit. The share of climbs that end at the optimum "
        f"falls with the number of cities, here {cities}, which is why restarts alone stop helping. Each climb makes "
        "the best move of every scan, theirs as ours: only the random tours at the beginning differ."
    )


def _times() -> str:
    blocks, threads = (
        {count: _ours("table-2", code, count) for count in ("1,000", "100,000")}
        for code in ("calculated", "O'Neil et al.")
    )
    theirs = _published("table-2", "calculated", "100,000") / _published("table-2", "O'Neil et al.", "100,000")
    return (
        f"Claimed: a block each is 136 / 5 = 27 times as fast for 1,000 climbers, and slower for many. Ours: for 1,000 "
        f"climbers calculated takes {blocks['1,000']:.1f} ms and matr_s, which stands beside O'Neil et al., "
        f"{threads['1,000']:.1f} ms, {threads['1,000'] / blocks['1,000']:.0f} times as long; for 100,000 calculated "
        f"takes {blocks['100,000']:.0f} ms and matr_s {threads['100,000']:.0f} ms ({_on('table-2')}), so that a thread "
        f"each still wins, by {blocks['100,000'] / threads['100,000']:.2f} in place of {theirs:.2f}. Few "
        "climbers of a thread each leave most of a GPU idle, many fill it and then need no synchronization. They "
        "report that the other code told lengths below the optimum, so that its times may not be of whole climbs; "
        "every length of ours is measured again."
    )


def _small_times() -> str:
    few, many = (_ours("table-3", "O'Neil et al.", count) for count in ("1,000", "50,000"))
    block = _ours("table-3", "calculated", "50,000")
    return (
        "The text of table 2 holds here too. With 52 cities a scan has "
        f"{_moves(52):,} moves, few for a block of 1,024 threads, which ends each scan by a reduction: so a thread "
        f"each wins from 50,000 climbers on, where it takes {many:.1f} ms and calculated {block:.1f} ms. "
        f"For 1,000 climbers it takes {few:.1f} ms ({_on('table-3')}), hardly less: until then the GPU is not full."
    )


def _bandwidth(name: str, instance: str, n: int) -> str:
    megabytes, read, most = _DISTANCE * n * n / 1e6, _ours(name, "1,000", instance), copied()
    return (
        f"With 1,000 climbers ours reads {read:,.0f} GB/s of {instance} ({_on(name)}), {100 * read / most:.0f} % of "
        f"the {most:,.0f} GB/s that a copy within the memory reaches ({card(TWO_OPT)}). What is counted is what "
        f"the kernel asks for, {_MOVE} bytes a move, not what memory delivers: the "
        f"matrix of {n} cities has {megabytes:.2g} MB and stays in the caches, so a share above 100 % says that the "
        "memory's bandwidth is not the limit. With few climbers the GPU is not full, and the rate rises with them."
    )


def _all_bandwidths(name: str) -> str:
    most = _rows(name)[-1]
    rates = {column: _ours(name, most, column) for column in result(f"{PAPER.id}/{name}").measured.columns}
    fastest = max(rates, key=rates.__getitem__)
    return (
        f"All six matrices fit a level-2 cache, and rates above the memory's come from there: with {most} climbers "
        f"ours reads {rates[fastest]:,.0f} GB/s of {fastest} and {rates['swiss42']:,.0f} of swiss42 ({_on(name)}), "
        f"where a copy within the memory reaches {copied():,.0f}. Larger matrices leave the nearest caches: with the "
        f"GPU full ours reads {_read(1000):,.0f} GB/s for 1,000 cities and {_read(4000):,.0f} for 4,000 "
        f"({card(TWO_OPT)}), since scattered reads of 4 bytes use a fraction of each line that is sent."
    )


def _scans(name: str) -> str:
    scans = {row: _ours(name, row, "scans a climb") for row in ("swiss42", "pr439")}
    rates = {row: _ours(name, row, "throughput") for row in _rows(name)}
    fastest = max(rates, key=rates.__getitem__)
    theirs = [_published("table-4", row, "scans a climb") for row in scans]
    return (
        f"A climb of ours takes {scans['swiss42']:.0f} scans of swiss42 and {scans['pr439']:.0f} of pr439, theirs "
        f"{theirs[0]:.0f} and {theirs[1]:.0f}; why fewer, the text does not say. Most bytes a second are read of "
        f"{fastest}, {rates[fastest]:,.0f} GB/s, and {rates['pr439']:,.0f} of pr439 ({_on(name)}). The number of "
        "scans is not the cause: with more of them the tour's copy and the launch weigh less, but with more cities a "
        f"scan has more moves for its threads, {_moves(42):,} for swiss42 and {_moves(439):,} for pr439. On 1,000 "
        f"cities the same variant takes more scans and, with the GPU full, reads less, {_read(1000):,.0f} GB/s "
        f"({card(TWO_OPT)}), because its matrix is read beyond the nearest cache."
    )


def _instances() -> str:
    return "The same: the bundled files are those of TSPLIB, and each of the six optima is proven."


#: Instance and cities of each figure of bandwidth, and figure and cities of each table of accuracy.
_READ = {
    13: ("swiss42", 42), 14: ("berlin52", 52), 15: ("kroA100", 100), 16: ("kroB100", 100), 17: ("kroA200", 200),
    18: ("pr439", 439),
}  # fmt: skip
_ACCURACIES = {"berlin52": (10, 52), "kroA100": (11, 100), "kroA200": (12, 200)}

FINDINGS: dict[str, Callable[[], str]] = {
    "table-1": _instances,
    "figure-7": _two_opt,
    "figure-8": _ants,
    "figure-9": _annealing,
    **{
        each: partial(_accuracy, each, f"accuracy-{instance.lower()}", cities)
        for instance, (number, cities) in _ACCURACIES.items()
        for each in (f"accuracy-{instance.lower()}", f"figure-{number}")
    },
    "table-2": _times,
    "table-3": _small_times,
    **{f"figure-{number}": partial(_bandwidth, f"figure-{number}", *of) for number, of in _READ.items()},
    **{f"figure-{number}": partial(_all_bandwidths, f"figure-{number}") for number in (19, 20, 21)},
    "figure-22": partial(_scans, "figure-22"),
    "table-4": partial(_scans, "table-4"),
}
