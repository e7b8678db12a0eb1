"""Findings on the results of Bitner (2025)."""

from collections.abc import Callable

from papers.catalogue import load_paper
from papers.committed import cite_entry, figure

_PAPER = load_paper("bitner")


def _published(table: str, row: str, instance: str) -> float:
    """Return a figure of the paper."""
    return _PAPER.entry(table).figures()[row][instance]


def _ours(entry: str, row: str, column: str) -> float:
    """Return a figure of this program's shipped result."""
    return figure(f"{_PAPER.id}/{entry}", row, column)


def _on(entry: str) -> str:
    """Return the hardware and date of this program's shipped result."""
    return cite_entry(f"{_PAPER.id}/{entry}")


def _describe_iterations() -> str:
    theirs = _published("table-1", "worker", "pr1002") / _published("table-1", "queen", "pr1002")
    worker, queen, small, graph = (
        _ours("table-1", *case)
        for case in (("worker", "pr1002"), ("queen", "pr1002"), ("worker, graph", "d198"), ("queen, graph", "d198"))
    )
    kernels = _ours("table-1", "queen", "d198")
    return (
        f"In the paper's table, queens take half as long as workers on pr1002, {theirs:.2f} times as fast, and about "
        f"as long on small instances. In TourScope, queens are {worker / queen:.2f} times as fast on pr1002 "
        f"({worker:.1f} and {queen:.2f} ms). As graphs they are {small / graph:.1f} times as fast on d198 already "
        f"({_on('table-1')}). The more threads a GPU has, the more of them sit idle when an ant has only one thread. A "
        "graph removes the gaps between kernel launches. That matters little beside 100 ms, but it saves "
        f"{100 - 100 * graph / kernels:.0f} % of a queen's iteration on d198: {kernels:.3f} ms kernel by kernel and "
        f"{graph:.3f} ms as a graph. The published standard deviations for d198, 0.58 to 0.90 ms, are larger than all "
        "differences in its column."
    )


def _describe_kernels() -> str:
    queen = {
        kernel: _ours("table-2", kernel, "pr1002") for kernel in ("choice", "construction, queen", "update", "best")
    }
    theirs = {kernel: _published("table-2", kernel, "pr1002") for kernel in queen}
    ours, published = (100 * counts["construction, queen"] / sum(counts.values()) for counts in (queen, theirs))
    return (
        f"TourScope shows the same: the construction takes {ours:.0f} % of an iteration of queens on pr1002 "
        f"({_on('table-2')}), and {published:.0f} % in the paper's table. Launches rather than work seem to limit the "
        "search for the best tour: its published time hardly differs between instances, 0.56 to 0.62 ms. TourScope "
        f"launches the parts of this search as one graph and finds the best tour in {1e3 * queen['best']:.0f} µs."
    )


def _describe_deposits() -> str:
    variants = ("float-atomic", "fixed-point", "rows", "histogram")
    times = {variant: 1e3 * _ours("deposits", variant, "pr1002") for variant in variants}
    fastest = min(times, key=times.__getitem__)
    low, high = (_published("table-2", "update", instance) for instance in ("d198", "pr1002"))
    return (
        "The paper claims that atomic additions are the fastest of three ways. It gives times for atomic additions "
        f"alone: in its table of kernels, an update takes {low:.2f} to {high:.2f} ms. On pr1002, {fastest} is the "
        f"fastest way in TourScope. Atomic additions take {times['float-atomic']:.0f} µs with floats and "
        f"{times['fixed-point']:.0f} µs with integers. The row-by-row way, where a block gathers the deposits of its "
        f"row, takes {times['rows']:.0f} µs. A histogram as the paper describes it, where a block sorts its row and "
        f"adds once for each edge, takes {times['histogram']:.0f} µs ({_on('deposits')}). Integers make the sum the "
        "same in any order, so a seed determines the run. The paper's scatter to gather reads all tours for each "
        "edge, which nobody would wait for. TourScope looks up where every ant went from a city."
    )


def _describe_quality() -> str:
    gaps = {variant: _ours("figure-1", "pcb442", variant) for variant in ("worker", "queen")}
    return (
        "The numbers behind the figure are not in the text, so there is no ratio. TourScope shows the same: on "
        f"pcb442, the median of five seeds is {gaps['worker']:.1f} % above the optimum with workers and "
        f"{gaps['queen']:.1f} % with queens ({_on('figure-1')}). Both draw with the same probabilities and differ only "
        "in which threads compute them. Neither is close to the optimum: plain Ant System needs local search or "
        "another deposit rule for that."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "table-1": _describe_iterations,
    "table-2": _describe_kernels,
    "deposits": _describe_deposits,
    "figure-1": _describe_quality,
}
