"""Findings on the results of Bitner (2025)."""

from collections.abc import Callable

from papers.bitner import PAPER
from papers.committed import figure, measured_on


def _published(table: str, row: str, instance: str) -> float:
    return PAPER.entry(table).figures()[row][instance]


def _ours(entry: str, row: str, column: str) -> float:
    return figure(f"{PAPER.id}/{entry}", row, column)


def _on(entry: str) -> str:
    return measured_on(f"{PAPER.id}/{entry}")


def _describe_iterations() -> str:
    theirs = _published("table-1", "worker", "pr1002") / _published("table-1", "queen", "pr1002")
    worker, queen, small, graph = (
        _ours("table-1", *case)
        for case in (("worker", "pr1002"), ("queen", "pr1002"), ("worker, graph", "d198"), ("queen, graph", "d198"))
    )
    kernels = _ours("table-1", "queen", "d198")
    return (
        f"By its table queens take half the time on pr1002, {theirs:.2f} times as fast as workers, and about as much "
        f"on small instances. Ours: {worker / queen:.2f} times on pr1002 ({worker:.1f} and {queen:.2f} ms), and as "
        f"graphs already {small / graph:.1f} times on d198 ({_on('table-1')}): the more threads a GPU has, the more "
        "of them an ant of one thread leaves idle. A graph saves the gaps between launches: little beside 100 ms, but "
        f"{100 - 100 * graph / kernels:.0f} % of a queen on d198, {kernels:.3f} ms kernel by kernel and {graph:.3f} "
        "ms as a graph. The published spreads of d198, 0.58 to 0.90 ms, are larger than all differences in its "
        "column."
    )


def _describe_kernels() -> str:
    queen = {
        kernel: _ours("table-2", kernel, "pr1002") for kernel in ("choice", "construction, queen", "update", "best")
    }
    theirs = {kernel: _published("table-2", kernel, "pr1002") for kernel in queen}
    ours, published = (100 * counts["construction, queen"] / sum(counts.values()) for counts in (queen, theirs))
    return (
        f"The same: the construction takes {ours:.0f} % of an iteration of queens on pr1002 ({_on('table-2')}), by its "
        f"table {published:.0f} %. To find the best tour seems bound by launches rather than by work: its published "
        "time hardly differs by instance, 0.56 to 0.62 ms. Ours has its parts as launches of one graph, and finds its "
        f"best tour in {1e3 * queen['best']:.0f} µs."
    )


def _describe_deposits() -> str:
    variants = ("float-atomic", "fixed-point", "rows", "histogram")
    times = {variant: 1e3 * _ours("deposits", variant, "pr1002") for variant in variants}
    fastest = min(times, key=times.__getitem__)
    low, high = (_published("table-2", "update", instance) for instance in ("d198", "pr1002"))
    return (
        "Claimed: of three ways, atomic additions are the fastest. The report has times of these alone: by its table "
        f"of kernels an update takes {low:.2f} to {high:.2f} ms. Of ours on pr1002 {fastest} is the fastest: "
        f"atomic additions of floats take {times['float-atomic']:.0f} µs, of whole numbers "
        f"{times['fixed-point']:.0f} µs, and row by row, where a block gathers what ants left in its row, "
        f"{times['rows']:.0f} µs; a histogram as he describes it, where a block sorts its row and adds once for each "
        f"edge, takes {times['histogram']:.0f} µs ({_on('deposits')}). Whole numbers make the sum the same in any "
        "order, so that a seed gives a run. His scatter to gather reads all tours for each edge, which nobody would "
        "wait for; ours looks up where every ant went from a city."
    )


def _describe_quality() -> str:
    gaps = {variant: _ours("figure-1", "pcb442", variant) for variant in ("worker", "queen")}
    return (
        f"The figure's numbers are not in the text, so there is no ratio. The same: on pcb442 the median of five seeds "
        f"is {gaps['worker']:.1f} % above the optimum by workers and {gaps['queen']:.1f} % by queens "
        f"({_on('figure-1')}). Both draw by the same probabilities and differ in what computes them. Neither is close: "
        "plain Ant System needs local search or another rule of deposits for that."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "table-1": _describe_iterations,
    "table-2": _describe_kernels,
    "deposits": _describe_deposits,
    "figure-1": _describe_quality,
}
