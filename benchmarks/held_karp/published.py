"""Results of Qin and Han (2022) on Held-Karp, and of their code on our GPU."""

from papers.catalogue import load_paper

_PAPER = load_paper("qin-han")
_SOURCE = f"Y. Qin and D. Han ({_PAPER.year})"
_SECONDS = _PAPER.entry("table-1").figures()["Held-Karp, 20 cities"]


def _read_table_1(machine: str, column: str) -> tuple[str, dict[int, float]]:
    return f"{machine} ({_SOURCE}, table 1)", {20: 1e3 * _SECONDS[column]}


#: Milliseconds by number of cities. The text does not give the values plotted in figure 3.
ONE_CORE = _read_table_1("one thread, EPYC 7742", "CPU, 1 thread")
MANY_CORES = _read_table_1("64 threads, EPYC 7742", "CPU, 64 threads")
RTX_2080 = _read_table_1("RTX 2080", "GPU")
#: Their CUDA code, built and run on one H200 (20 November 2026), which supports up to 30 cities.
H200 = (f"H200 (code of {_SOURCE})", {10: 0.15, 15: 0.31, 20: 1.70, 25: 94.0, 27: 543.0})
