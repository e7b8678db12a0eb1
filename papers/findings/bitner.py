"""Figures computed for the findings on the results of Bitner (2025)."""

from papers.findings.paper_figures import PaperFigures

FIGURES = PaperFigures("bitner")
_published, _ours = FIGURES.published, FIGURES.ours


def _compare_iterations() -> dict[str, float]:
    kernels, graph = (_ours("table-1", row, "d198") for row in ("queen", "queen, graph"))
    return {
        "theirs": _published("table-1", "worker", "pr1002") / _published("table-1", "queen", "pr1002"),
        "gain": _ours("table-1", "worker", "pr1002") / _ours("table-1", "queen", "pr1002"),
        "graphs": _ours("table-1", "worker, graph", "d198") / graph,
        "saved": 100 - 100 * graph / kernels,
    }


def _share_kernels() -> dict[str, float]:
    kernels = ("choice", "construction, queen", "update", "best")
    ours, theirs = (
        100 * find("table-2", kernels[1], "pr1002") / sum(find("table-2", kernel, "pr1002") for kernel in kernels)
        for find in (_ours, _published)
    )
    return {"our_share": ours, "their_share": theirs, "best": 1e3 * _ours("table-2", "best", "pr1002")}


def _rank_deposits() -> dict[str, object]:
    variants = ("float-atomic", "fixed-point", "rows", "histogram")
    times = {variant: 1e3 * _ours("deposits", variant, "pr1002") for variant in variants}
    return {"times": times, "fastest": min(times, key=times.__getitem__)}


VALUES = {"table-1": _compare_iterations, "table-2": _share_kernels, "deposits": _rank_deposits}
