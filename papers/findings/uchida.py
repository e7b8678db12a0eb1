"""Findings on the results of Uchida, Ito and Nakano (2012)."""

from collections.abc import Callable

from papers.committed import ANTS, card, figure, hundred_iterations_time, measured_on, phase, result
from papers.uchida import PAPER


def _published(table: str, row: str, column: str = "GPU") -> float:
    return PAPER.entry(table).figures()[row][column]


def _ours(table: str, row: str, column: str = "GPU") -> float:
    return figure(f"{PAPER.id}/{table}", row, column)


def _on(entry: str) -> str:
    return measured_on(f"{PAPER.id}/{entry}")


def _describe_trials() -> str:
    one, five, many, most = (_ours("figure-8", trials, "cities decided") for trials in ("1", "5", "32", "64"))
    return (
        f"Ours decide {one:.1f} % by the first trial, {five:.1f} % within five and {many:.1f} % within 32 "
        f"({_on('figure-8')}): the first and the last as published, fewer within five. After 64, the most that are "
        f"made, {100 - most:.1f} % are left. The shares depend on the trails at that iteration, which differ by run."
    )


def _describe_switch() -> str:
    table = result(f"{PAPER.id}/figure-9").measured
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
    return (
        "By the text theirs falls until some 85 % of the cities are visited. Ours takes the least time, "
        f"{times[switch, trials]:.2f} ms, with {trials.split()[0]} trials and a switch at {switch} %; at 85 % it takes "
        f"{times['85', trials]:.2f} ms ({_on('figure-9')}). Numbers of trials with which ours only rises with the "
        f"switch: {', '.join(rising) or 'none'}. A trial that fails costs a scattered read, compressing the list of "
        "cities costs work of the whole block; that it pays to switch sooner says that compressing has become the "
        "cheaper of the two."
    )


def _describe_selections() -> str:
    listing = ", ".join(f"{name} {_ours('table-i', name):.2f} ms" for name in PAPER.entry("table-i").figures())
    gain = _published("table-i", "without-compression") / _published("table-i", "hybrid")
    return (
        f"Claimed: trials halve the time; by its table the hybrid is {gain:.1f} times as fast as no compression. On "
        f"a GPU of today they do not: {listing} ({_on('table-i')}). Trials save reads of all cities; where caches "
        "hold the whole matrix, as here, these cost little, and trials save little. A warp an ant, which takes "
        "cities in the order of nearness, is what helps: "
        f"{phase('warp, nearest-first', 'pr1002', 'construction'):.2f} ms ({card(ANTS)})."
    )


def _describe_construction() -> str:
    rows = ("d198", "pcb442", "pr1002")
    gains = [_published("table-ii", row) / _ours("table-ii", row) for row in rows]
    gpu, core = (
        _published("table-ii", "pr1002", variant) / _published("table-ii", "d198", variant)
        for variant in ("GPU", "CPU")
    )
    cube = (1002 / 198) ** 3
    return (
        f"The same algorithm is {gains[0]:.0f}, {gains[1]:.0f} and {gains[2]:.0f} times as fast as published, for "
        f"d198, pcb442 and pr1002 ({_on('table-ii')}): small instances do not fill the GPU. The published "
        f"speed-up grows {core / gpu:.1f}-fold up to 1,002 cities, and n³ {cube:.0f}-fold. The time of their GPU grows "
        f"only {gpu:.0f}-fold, as if small instances did not fill it, a factor of {cube / gpu:.1f}; that of the core "
        f"grows {core:.0f}-fold, as if its matrices no longer fit its caches, a factor of {core / cube:.1f}. For 2,392 "
        "it falls, since their prefix sums take 4,096 numbers. A core that draws by trials too would be a fairer "
        "rival: ours here reads every city at each step, and theirs takes prefix sums as well."
    )


def _describe_update() -> str:
    ours, theirs = _ours("table-iii", "pr1002"), _published("table-iii", "pr1002")
    share = 100 * theirs / (theirs + _published("table-ii", "pr1002"))
    return (
        f"Ours takes {1e3 * ours:.0f} µs for pr1002, {theirs / ours:.0f} times as fast as "
        f"published ({_on('table-iii')}). Ours are their two kernels, which add to the trails and then make them "
        "symmetric, but add integers in shared memory, so that no order of threads changes a trail, and a kernel "
        "before that lists successors, which their construction makes. The second also computes the fitness, on our "
        "core another phase: our speed-up compares unlike work. The published speed-up over one core is the largest of "
        f"the paper and tells least: on their GPU the update is {share:.1f} % of an iteration."
    )


def _describe_hundred_iterations() -> str:
    ours, theirs = _ours("table-iv", "pr1002"), _published("table-iv", "pr1002")
    lowest, highest = (_published("table-iv", row, "CPU") / _published("table-iv", row) for row in ("d198", "pr1002"))
    return (
        f"Ours takes {ours:.0f} ms for pr1002 where they took {theirs / 1e3:.2f} s, {theirs / ours:.0f} times as fast "
        f"on a GPU of today ({_on('table-iv')}); a warp an ant takes "
        f"{hundred_iterations_time('warp, nearest-first', 'pr1002'):.0f} ms ({card(ANTS)}). "
        "Their table's speed-ups are all seven below those of its own times: 7.52 for d198 and 43.47 for pr1002, where "
        f"the times give {lowest:.2f} and {highest:.2f}. A speed-up over one "
        "core is a property of that core, and of how it draws, as much as of the GPU."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "figure-8": _describe_trials,
    "figure-9": _describe_switch,
    "table-i": _describe_selections,
    "table-ii": _describe_construction,
    "table-iii": _describe_update,
    "table-iv": _describe_hundred_iterations,
}
