"""Findings on the results of Uchida, Ito and Nakano (2012)."""

from collections.abc import Callable

from papers.committed import ANTS, cite, hundred_iterations_time, load_result, phase_time
from papers.findings.paper_figures import PaperFigures

_FIGURES = PaperFigures("uchida", "GPU")
_PAPER, _published, _ours, _on = _FIGURES.paper, _FIGURES.published, _FIGURES.ours, _FIGURES.machine


def _describe_trials() -> str:
    first, within_5, within_32, within_64 = (
        _ours("figure-8", trials, "cities decided") for trials in ("1", "5", "32", "64")
    )
    return (
        f"In TourScope, the first trial decides {first:.1f} % of the cities, five trials decide {within_5:.1f} % and "
        f"32 trials decide {within_32:.1f} % ({_on('figure-8')}). The first and the last share are as published, and "
        f"the share within five trials is lower. After 64 trials, the maximum, {100 - within_64:.1f} % are left. The "
        "shares depend on the trails at that iteration, which differ between runs."
    )


def _describe_switch() -> str:
    table = load_result(f"{_PAPER.id}/figure-9").measured
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
        "The text says that the paper's time falls until about 85 % of the cities are visited. TourScope takes the "
        f"least time, {times[switch, trials]:.2f} ms, with {trials.split()[0]} trials and a switch at {switch} %. With "
        f"a switch at 85 % it takes {times['85', trials]:.2f} ms ({_on('figure-9')}). Numbers of trials for which "
        f"TourScope's time only rises with the switch: {', '.join(rising) or 'none'}. A trial that fails costs a "
        "scattered read, and compressing the list of cities costs work of the whole block. An earlier switch pays "
        "off, so compressing has become the cheaper of the two."
    )


def _describe_selections() -> str:
    listing = ", ".join(f"{name} {_ours('table-i', name):.2f} ms" for name in _PAPER.entry("table-i").figures())
    gain = _published("table-i", "without-compression") / _published("table-i", "hybrid")
    return (
        f"The paper claims that trials halve the time: in its table, the hybrid is {gain:.1f} times as fast as no "
        f"compression. TourScope does not show this on a current GPU: {listing} ({_on('table-i')}). Trials save reads "
        "of all cities. Where caches hold the whole matrix, as here, these reads cost little, so trials save little. "
        "What helps is one warp per ant that takes the nearest cities first: "
        f"{phase_time('warp, nearest-first', 'pr1002', 'construction'):.2f} ms ({cite(ANTS)})."
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
        f"TourScope runs the same algorithm {gains[0]:.0f}, {gains[1]:.0f} and {gains[2]:.0f} times as fast as "
        f"published for d198, pcb442 and pr1002 ({_on('table-ii')}). Small instances do not fill the GPU. Up to 1,002 "
        f"cities, the published speed-up grows {core / gpu:.1f}-fold, and n³ grows {cube:.0f}-fold. The time of the "
        f"paper's GPU grows only {gpu:.0f}-fold, as if small instances did not fill it, a factor of {cube / gpu:.1f}. "
        f"The time of its core grows {core:.0f}-fold, as if its matrices no longer fitted its caches, a factor of "
        f"{core / cube:.1f}. For 2,392 cities the speed-up falls, because the paper's prefix sums take 4,096 numbers. "
        "A core that also draws by trials would be a fairer rival: TourScope's core here reads every city at each "
        "step, and the paper's takes prefix sums as well."
    )


def _describe_update() -> str:
    ours, theirs = _ours("table-iii", "pr1002"), _published("table-iii", "pr1002")
    share = 100 * theirs / (theirs + _published("table-ii", "pr1002"))
    return (
        f"TourScope takes {1e3 * ours:.0f} µs for pr1002, {theirs / ours:.0f} times as fast as published "
        f"({_on('table-iii')}). It has the paper's two kernels, which add to the trails and then make them symmetric. "
        "But it adds integers in shared memory, so that no order of threads changes a trail, and a kernel before that "
        "lists successors, which the paper's construction does. The second kernel also computes the fitness, which is "
        "another phase on TourScope's core, so TourScope's speed-up compares unlike work. The published speed-up over "
        f"one core is the largest in the paper and says the least: on the paper's GPU, the update is {share:.1f} % of "
        "an iteration."
    )


def _describe_hundred_iterations() -> str:
    ours, theirs = _ours("table-iv", "pr1002"), _published("table-iv", "pr1002")
    lowest, highest = (_published("table-iv", row, "CPU") / _published("table-iv", row) for row in ("d198", "pr1002"))
    return (
        f"TourScope takes {ours:.0f} ms for pr1002, where the paper took {theirs / 1e3:.2f} s. That is "
        f"{theirs / ours:.0f} times as fast, on a current GPU ({_on('table-iv')}). With one warp per ant it takes "
        f"{hundred_iterations_time('warp, nearest-first', 'pr1002'):.0f} ms ({cite(ANTS)}). All seven speed-ups in the "
        "paper's table are below those of its own times: it has 7.52 for d198 and 43.47 for pr1002, where the times "
        f"give {lowest:.2f} and {highest:.2f}. A speed-up over one core says as much about that core, and how it "
        "draws, as about the GPU."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "figure-8": _describe_trials,
    "figure-9": _describe_switch,
    "table-i": _describe_selections,
    "table-ii": _describe_construction,
    "table-iii": _describe_update,
    "table-iv": _describe_hundred_iterations,
}
