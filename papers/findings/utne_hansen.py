"""On the results of Utne and Hansen (2023)."""

from collections.abc import Callable
from functools import partial

from papers.committed import TWO_OPT, VARIANTS, card, climbed, copied, entry, load, pace, shortest
from papers.utne_hansen import PAPER

_NAMES = {100: "kroA100", 200: "kroA200", 439: "pr439"}
#: Bytes of a move of ``calculated``, and of a distance.
_MOVE, _DISTANCE = 16, 4


def _moves(n: int) -> int:
    """Moves of a scan of the neighbourhood."""
    return (n - 1) * (n - 2) // 2


def _published(name: str, row: str, column: str) -> float:
    return PAPER.entry(name).figures()[row][column]


def _read(n: int) -> float:
    """Gigabytes of the matrix that ``calculated`` reads a second with the GPU full."""
    return _MOVE * pace("calculated", n)


def _two_opt() -> str:
    scans = _published("table-4", "swiss42", "scans a climb")
    return (
        f"A scan of 42 cities evaluates {_moves(42):,} moves, so 625 moves looked at are less than one full scan, and "
        f"a climb ends only after a scan that finds nothing. By table 4 of the same report a climb of swiss42 takes "
        f"{scans:.0f} scans, which are {scans * _moves(42):,.0f} moves. What the axis counts the text does not say; "
        "ours counts every move that was evaluated. Which of the three is best holds for one run each and these "
        "parameters, not for the methods."
    )


def _ants() -> str:
    return (
        "The parameters are theirs. That nothing improves after 400 of 1,000 iterations is what stagnation looks like: "
        "all ants deposit, nothing bounds the trails, and beta 5 favours the nearest cities. One run with one seed "
        "says little of when it happens: open ours, or run it with other seeds."
    )


def _annealing() -> str:
    found = load(VARIANTS)["annealing_figure_9"]["swiss42"]
    theirs, climb, ours = (
        found[name]["median"]
        for name in ("annealing as in figure 9", "first 2-opt optimum", "one chain of the defaults")
    )
    return (
        f"We see the same, and more of it: with their schedule the median length is {theirs:,} where the optimum is "
        f"1,273 and a single 2-opt climb ends at {climb:,}. It is the schedule: a temperature that falls after every "
        f"draw leaves 246 draws in all, fewer than a third of one scan of {_moves(42):,} moves. One chain of our "
        f"defaults, which cools slowly, ends at {ours:,} in the median ({card(VARIANTS)})."
    )


def _accuracy(instance: str, theirs: str, cities: int) -> str:
    counts = {"kroA100": (10_000, 100_000), "kroA200": (10_000,)}.get(instance, ())
    seen = []
    for count in counts:
        known = (
            shortest(instance, count)
            if (instance, count) != ("kroA100", 10_000)
            else entry(TWO_OPT, "climbers", name="strip", instance=instance, climbers=count)["best"]
        )
        published = _published(theirs, f"{count:,}", "lowest length")
        seen.append(f"{known:,} after {count:,} climbers (published: {published:,.0f})")
    ours = f"With one seed ours is {' and '.join(seen)}, {card(TWO_OPT)}. " if seen else ""
    return (
        f"{ours}The best of so many climbs from random tours is a random number: it differs by seed, and a column "
        f"that stays the same over many rows shows luck, not a limit. The share of climbs that end at the optimum "
        f"falls with the number of cities, here {cities}, which is why restarts alone stop helping. Each climb makes "
        "the best move of every scan, theirs as ours: only the random tours at the beginning differ."
    )


def _times() -> str:
    few, many = climbed("calculated", 1000), climbed("calculated", 100_000)
    thread = 1e3 * _by_hand("matr_s, one row, kroA100")["seconds_100000_climbers"]
    theirs = _published("table-2", "calculated", "100,000") / _published("table-2", "O'Neil et al.", "100,000")
    return (
        f"Claimed: a block each is 136 / 5 = 27 times as fast for 1,000 climbers, and slower for many. Ours: "
        f"calculated takes {few:.1f} ms for 1,000 climbers, matr_s with two rows at once "
        f"{climbed('matr_s, two rows', 1000):.1f} ms ({card(TWO_OPT)}), {climbed('matr_s, two rows', 1000) / few:.1f} "
        f"times as long; for 100,000, calculated takes {many:.0f} ms and matr_s as its slides have it {thread:.0f} ms "
        f"({card(VARIANTS)}), so that a thread each still wins, by {many / thread:.2f} in place of {theirs:.2f}. Few "
        "climbers of a thread each leave most of a GPU idle, many fill it and then need no synchronization. They "
        "report that the other code told lengths below the optimum, so that its times may not be of whole climbs; "
        "every length of ours is measured again."
    )


def _by_hand(name: str) -> dict[str, float]:
    """A 2-opt variant that scans one row of moves or two, as measured by hand."""
    return load(VARIANTS)["two_opt_rows"][name]


def _small_times() -> str:
    return (
        "The text of table 2 holds here too. With 52 cities a scan has "
        f"{_moves(52):,} moves, few for a block of 1,024 threads, which ends each scan by a reduction: so a thread "
        "each wins from 50,000 climbers on, and matr_s takes hardly longer for 50,000 climbers than for 1,000, since "
        "until then the GPU is not full."
    )


def _bandwidth(n: int) -> str:
    megabytes = _DISTANCE * n * n / 1e6
    known = n if n in _NAMES else None
    ours = (
        f"With the GPU full ours reads {_read(known):,.0f} GB/s of {_NAMES[known]}, where a copy within its memory "
        f"reaches {copied():,.0f} GB/s ({card(TWO_OPT)}). "
        if known
        else ""
    )
    return (
        f"{ours}What is counted is what the kernel asks for, {_MOVE} bytes a move, not what memory delivers: the "
        f"matrix of {n} cities has {megabytes:.2g} MB and stays in the caches, so a share above 100 % says that the "
        "memory's bandwidth is not the limit. With few climbers the GPU is not full, and the rate rises with them."
    )


def _all_bandwidths() -> str:
    return (
        f"All six matrices fit a level-2 cache, and rates above the memory's come from there. Where the matrix no "
        f"longer fits, the rate falls: ours from {_read(200):,.0f} GB/s for 200 cities to {_read(1000):,.0f} for "
        f"1,000 and {_read(4000):,.0f} for 4,000, less than the {copied():,.0f} GB/s of a copy "
        f"({card(TWO_OPT)}): scattered reads of 4 bytes use a fraction of each line that memory sends."
    )


def _scans() -> str:
    return (
        "Scans a climb and bytes a second rise together since both rise with the number of cities. The number of "
        "scans is not the cause: with more of them the tour's copy and the launch weigh less, but with more cities a "
        f"scan has more moves for its threads, {_moves(42):,} for swiss42 and {_moves(439):,} for pr439. The same "
        f"variant on 1,000 cities takes more scans and reads less, {_read(1000):,.0f} GB/s after "
        f"{_read(439):,.0f} for 439 ({card(TWO_OPT)}), because its matrix is read beyond the nearest cache."
    )


def _instances() -> str:
    return "The same: the bundled files are those of TSPLIB, and each of the six optima is proven."


#: Cities of the instance of each figure of bandwidth, and figure and cities of each table of accuracy.
_CITIES = {13: 42, 14: 52, 15: 100, 16: 100, 17: 200, 18: 439}
_ACCURACIES = {"berlin52": (10, 52), "kroA100": (11, 100), "kroA200": (12, 200)}

FINDINGS: dict[str, Callable[[], str]] = {
    "table-1": _instances,
    "figure-7": _two_opt,
    "figure-8": _ants,
    "figure-9": _annealing,
    **{
        each: partial(_accuracy, instance, f"accuracy-{instance.lower()}", cities)
        for instance, (figure, cities) in _ACCURACIES.items()
        for each in (f"accuracy-{instance.lower()}", f"figure-{figure}")
    },
    "table-2": _times,
    "table-3": _small_times,
    **{f"figure-{figure}": partial(_bandwidth, n) for figure, n in _CITIES.items()},
    **{f"figure-{figure}": _all_bandwidths for figure in (19, 20, 21)},
    "figure-22": _scans,
    "table-4": _scans,
}
