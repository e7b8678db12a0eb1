"""On the results of Bitner (2025)."""

from collections.abc import Callable
from statistics import median

from papers.bitner import PAPER
from papers.committed import ANTS, card, entry, phase


def _published(table: str, row: str, instance: str) -> float:
    return PAPER.entry(table).figures()[row][instance]


def _iterations() -> str:
    theirs = _published("table-1", "worker", "pr1002") / _published("table-1", "queen", "pr1002")
    worker, queen = (phase(way, "pr1002", "milliseconds") for way in ("worker", "queen"))
    plain, graph = (phase("queen", "d198", "milliseconds", each) for each in (False, True))
    return (
        f"Claimed: queens take half the time on pr1002, {theirs:.2f} times as fast as workers, and no less on small "
        f"instances. Ours: {worker / queen:.2f} times on pr1002 ({worker:.1f} and {queen:.2f} ms), and already "
        f"{phase('worker', 'd198', 'milliseconds') / phase('queen', 'd198', 'milliseconds'):.1f} times on d198 "
        f"({card(ANTS)}): the more threads a GPU has, the more of them an ant of one thread leaves idle. A graph saves "
        f"the gaps between launches: little beside 100 ms, but of a queen on d198, {plain:.3f} ms kernel by "
        f"kernel and {graph:.3f} ms as a graph, it is a third. The published spreads of d198, 0.58 to 0.90 ms, are "
        "larger than all differences in its column."
    )


def _kernels() -> str:
    share = 100 * phase("queen", "pr1002", "construction") / phase("queen", "pr1002", "milliseconds")
    return (
        f"The same: the construction takes {share:.0f} % of an iteration of queens on pr1002 ({card(ANTS)}). What else "
        "there is seems bound by launches rather than by work: the published time of “best” is the same for all "
        "instances, 0.56 to 0.62 ms. Ours has its parts as launches of one graph, and its best tour in microseconds."
    )


def _quality() -> str:
    lengths = {way: median(entry(ANTS, "quality", way=way, instance="pcb442")["best"]) for way in ("worker", "queen")}
    return (
        f"The figure's numbers are not in the text, so there is no ratio. The same: on pcb442 the median of five seeds "
        f"is {lengths['worker']:,.0f} by workers and {lengths['queen']:,.0f} by queens, where the optimum is 50,778 "
        f"({card(ANTS)}). Both draw by the same probabilities and differ in what computes them. Neither is close: "
        "plain Ant System needs local search or another rule of deposits for that."
    )


FINDINGS: dict[str, Callable[[], str]] = {"table-1": _iterations, "table-2": _kernels, "figure-1": _quality}
