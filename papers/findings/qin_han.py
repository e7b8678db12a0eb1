"""Findings on the results of Qin and Han (2022)."""

from collections.abc import Callable, Iterable
from functools import partial
from statistics import median

from papers.committed import (
    ACS,
    CORES_HELD_KARP,
    HELD_KARP,
    VARIANTS,
    cite,
    core_speed_up,
    find_colony,
    find_entry,
    layers_time,
    load,
    load_result,
)
from papers.findings.paper_figures import PaperFigures

_FIGURES = PaperFigures("qin-han")
_PAPER, _published, _ours, _on = _FIGURES.paper, _FIGURES.published, _FIGURES.ours, _FIGURES.machine
_NONE = "The numbers behind the figure are not in the text, so there is no ratio"
#: How the variants of the columns qin-han and ours work.
_WAYS = "the paper's variant has a block per ant, TourScope's own a warp per ant and candidate lists"
#: Strategies of 2-opt.
_STRATEGIES = ("none", "last", "every")
#: Columns of figure 1.
_SHARED = ("qin-han-openmp", "qin-han-mpi", "cpu", "mpi")
#: Rows of table 1.
_EXACT, _ANTS = "Held-Karp, 20 cities", "Ant Colony System, 2048 cities, an iteration"


def _code(n: int) -> float:
    """Return the kernel time of the authors' own code, in milliseconds."""
    return load(VARIANTS)["held_karp_kernel"][str(n)]["their_code_ms"]


def _core_time(variant: str, n: int, count: int) -> float:
    """Return the milliseconds of Held-Karp on this many cores."""
    return median(find_entry(CORES_HELD_KARP, "speed-up", way=variant, n=n, threads=count)["milliseconds"])


def _describe_message_passing() -> str:
    threads, processes, cpu, mpi = (
        [_ours("figure-1", "8", f"{variant}, {n} cities") for n in (10, 15, 20)] for variant in _SHARED
    )
    their_threads, their_processes = (
        [_published("figure-1", "8", f"{variant}, {n} cities") for n in (10, 15, 20)] for variant in _SHARED[:2]
    )
    theirs = [_published("figure-1", count, "qin-han-openmp, 20 cities") for count in ("16", "64")]
    by16, core = _ours("figure-1", "16", "qin-han-openmp, 20 cities"), _ours("table-1", _EXACT, "CPU, 1 thread")
    one, two = (_core_time("mpi", 28, count) for count in (1, 2))
    return (
        "TourScope does not confirm that threads gain nearly in proportion to their number. For 20 cities with "
        f"OpenMP, 16 and 64 cores are {theirs[0]:.1f} and {theirs[1]:.1f} times as fast as one in the paper's records. "
        f"With the same algorithm, TourScope is {by16:.1f} times as fast with 16 threads ({_on('figure-1')}), one for "
        f"each core of the machine. For 10, 15 and 20 cities, 8 threads are {their_threads[0]:.2f}, "
        f"{their_threads[1]:.2f} and {their_threads[2]:.2f} times as fast as one in the paper's records, and "
        f"{threads[0]:.2f}, {threads[1]:.1f} and {threads[2]:.1f} times in TourScope. With 8 processes the factors are "
        f"{their_processes[0]:.2f}, {their_processes[1]:.2f} and {their_processes[2]:.2f} in the records, and "
        f"{processes[0]:.2f}, {processes[1]:.1f} and {processes[2]:.1f} in TourScope. Two things differ, and the cost "
        "of each was not measured. First, TourScope's time includes listing the sets and inserting the keys, which "
        "one worker does. The paper's records time that part separately, 2.4 s beside 107.9 s. Second, the paper used "
        "another CPU and strings as keys: one of its cores takes "
        f"{_published('table-1', _EXACT, 'CPU, 1 thread') / core:.0f} times as long as the {1e3 * core:,.0f} ms of "
        "TourScope, which leaves more to share. MPI does not pay off because of the data that it sends, as the text "
        "says: every layer is gathered in one process and sent to all, however many share the work. TourScope's own "
        "MPI variant shares the tables in memory and sends next to nothing, but 20 cities are too little work to "
        f"share: 8 workers are {cpu[2]:.1f} times as fast as one with threads and {mpi[2]:.1f} times with MPI. For 28 "
        f"cities on two cores, MPI pays off: it takes {one:,.0f} ms with one process and {two:,.0f} ms with two, "
        f"{core_speed_up('mpi', 28):.2f} times as fast ({cite(CORES_HELD_KARP)})."
    )


def _describe_ants_on_cores() -> str:
    kinds, counts = ("threads", "processes"), ("8", "16")
    few, many, theirs = (
        [[find("figure-2", count, f"{kind}, {n} cities") for count in counts] for kind in kinds]
        for find, n in ((_ours, 128), (_ours, 2048), (_published, 2048))
    )
    work = _published("table-1", _ANTS, "CPU, 1 thread") / _ours("table-1", _ANTS, "CPU, 1 thread")
    by64 = ", ".join(f"{_published('figure-2', '64', f'{kinds[0]}, {n} cities')}" for n in (128, 256, 512, 1024, 2048))
    return (
        "TourScope does not confirm that ants gain nearly in proportion to the number of workers. On 2,048 cities, 8 "
        f"and 16 threads are {many[0][0]:.1f} and {many[0][1]:.1f} times as fast as one in TourScope, and "
        f"{theirs[0][0]:.1f} and {theirs[0][1]:.1f} times in the paper's records. As many processes are "
        f"{many[1][0]:.1f} and {many[1][1]:.1f} times as fast in TourScope, and {theirs[1][0]:.1f} and "
        f"{theirs[1][1]:.1f} times in the records. On 128 cities, TourScope is {few[0][0]:.1f} and {few[0][1]:.1f} "
        f"times as fast with threads, and {few[1][0]:.1f} and {few[1][1]:.1f} times with processes "
        f"({_on('figure-2')}). TourScope waits, locks, gathers and broadcasts as often as the paper's code. But one "
        f"core of the paper's machine, another CPU, takes {work:.0f} times as long for an iteration, so it has that "
        "much more work to share. The costs that the text names, barriers, critical sections and messages, therefore "
        f"weigh more in TourScope. In the paper's records, 64 threads are {by64} times as fast as one, from 128 to "
        "2,048 cities, which is not close to proportional. OpenMP is ahead of MPI from 512 cities on."
    )


def _describe_devices() -> str:
    core, gpu, our_core, our_gpu = (
        _ours("table-1", _EXACT, column) for column in ("CPU, 1 thread", "GPU", "CPU, 1 thread, ours", "GPU, ours")
    )
    table = load_result(f"{_PAPER.id}/table-1")
    samples = [1e3 * row for row in table.measured.rows[_EXACT][table.measured.columns.index("GPU, ours")]]
    less = [_ours("figure-3", "20", variant) for variant in ("qin-han", "cuda")]
    return (
        "The paper claims that a GPU is over 100 times as fast as 64 cores and 5,000 times as fast as one. Its own "
        "times give 404 and 18,772 for Held-Karp, and 126 and 5,505 for the ants. This is a statement about the "
        f"paper's CPU code. For the layers of 20 cities, one core takes 107 s with that code, {1e3 * core:,.0f} ms "
        f"with the same algorithm in TourScope and {1e3 * our_core:.1f} ms with TourScope's own variant. A GPU takes "
        f"{1e3 * gpu:.2f} and {1e3 * our_gpu:.2f} ms with these two, so it is {core / gpu:,.0f} and "
        f"{our_core / our_gpu:.0f} times as fast as one core ({_on('table-1')}). Launches on a busy host seem to "
        f"dominate both GPU times: five samples of TourScope's own variant range from {min(samples):.2f} to "
        f"{max(samples):.2f} ms at a load of {table.machine['load_1_minute']:.1f}, and figure 3 has {less[0]:.2f} and "
        f"{less[1]:.2f} ms ({_on('figure-3')}). The paper's CUDA code takes {_code(20):.1f} ms on such a GPU "
        f"({cite(VARIANTS)}). The comment on figure 3 says what differs. An iteration of 1,228 ants on 2,048 cities, "
        f"computed as in the paper, takes {1e3 * _ours('table-1', _ANTS, 'GPU'):.1f} ms in TourScope, and 105 ms in "
        "the paper on an RTX 2080."
    )


def _describe_cities() -> str:
    times = {n: [_ours("figure-3", n, variant) for variant in ("qin-han", "cuda")] for n in ("10", "26", "27")}
    theirs, ours = (after / before for before, after in zip(times["26"], times["27"], strict=True))
    return (
        f"The growth is exponential. In TourScope, 27 cities take {theirs:.2f} times as long as 26 with the paper's "
        f"mapping and {ours:.2f} times with TourScope's own, {times['27'][0]:.0f} and {times['27'][1]:.2f} ms "
        f"({_on('figure-3')}). The kernels of the paper's own code alone take {_code(27):.0f} ms ({cite(VARIANTS)}). "
        "In that code, each thread finds its set from its number and reads states that are scattered over memory. "
        "TourScope's version of the mapping does so as well, but it assigns the states to threads in its own way: a "
        "block has one city and successive sets, blocks of the same sets are adjacent, and binomials and a city's "
        "distances are in shared memory. How much each of these saves was not measured. For 10 cities the paper's "
        f"mapping is faster, {times['10'][0]:.2f} against {times['10'][1]:.2f} ms."
    )


def _describe_memory() -> str:
    largest = max(e["n"] for e in load(HELD_KARP)["cities"] if e["item"] == 2 and e["milliseconds"])
    states = find_entry(HELD_KARP, "cities", way="cuda", n=largest, item=2)["bytes"] / 1e9
    theirs, ours = (_ours("figure-4", variant, "time") for variant in ("qin-han", "cuda"))
    return (
        "The memory of the paper's GPU holds at most 27 cities. Both of TourScope's variants find a shortest tour. "
        f"The paper's mapping takes {theirs:.0f} ms and TourScope's own {ours:.0f} ms, including everything that is "
        f"reported of the run ({_on('figure-4')}). TourScope's own takes 2 bytes per state where the lengths allow it: "
        f"{largest} cities, whose states take {states:.0f} GB, take {layers_time(largest):,.0f} ms "
        f"({cite(HELD_KARP)}). Each further city about doubles memory and time, on every GPU."
    )


def _describe_ants() -> str:
    first, last = (
        ", ".join(f"{_ours('figure-5', row, f'{m} ants'):,.0f} with {m}" for m in (32, 128, 512))
        for row in ("1", "1,024")
    )
    return (
        f"{_NONE}. In TourScope, more ants begin better and end worse. The medians of five seeds are {first} ants "
        f"after the first iteration, and {last} ants after 1,024 ({_on('figure-5')}). More ants make more draws for "
        "the first tours. But every ant takes pheromone from the edges that it walks, so with more ants less of it "
        "guides the next one. The paper's ants, also on 2,048 cities, converge slightly faster if there are more of "
        "them."
    )


def _describe_ants_time() -> str:
    theirs, ours = ([_ours("figure-6", m, variant) for m in ("32", "512")] for variant in ("qin-han", "ours"))
    return (
        f"{_NONE}. The work grows with the number of ants, but the time grows only once they fill the GPU. Where that "
        "begins depends on the GPU and on the number of threads per ant. With 32 ants, 1,024 iterations take "
        f"{theirs[0]:.1f} s with the paper's variant and {ours[0]:.2f} s with TourScope's own. With 512 ants they take "
        f"{theirs[1]:.1f} and {ours[1]:.2f} s ({_WAYS}; {_on('figure-6')}). So the reason to take no more than 128 "
        "ants is gone."
    )


def _describe_ants_cities() -> str:
    theirs, ours = ([_ours("figure-7", n, variant) for n in ("2,048", "8,192")] for variant in ("qin-han", "ours"))
    return (
        f"{_NONE}. The work is quadratic: a step reads a row of n trails, and there are n steps. The paper's variant "
        f"takes {theirs[0]:.2f} s for 2,048 cities and {theirs[1]:.2f} s for 8,192. That is "
        f"{theirs[1] / theirs[0]:.1f} times as long for 4 times the cities, where quadratic growth would give 16. "
        f"TourScope's own variant takes {ours[0]:.2f} and {ours[1]:.2f} s ({_WAYS}; {_on('figure-7')}). The growth is "
        "slower because the smaller instance does not fill the GPU. Shared memory limits the paper's variant to 8,192 "
        f"cities. TourScope's own takes {median(find_colony('figure7', n=20_000)['seconds']):.1f} s for 20,000 cities "
        f"with every city a candidate ({cite(ACS)})."
    )


def _list_strategies(figures: Iterable[str]) -> str:
    never, last, every = figures
    return f"{never} without 2-opt, {last} with 2-opt at the end and {every} with 2-opt in every iteration"


def _describe_lengths(name: str) -> str:
    cells = [("256", strategy) if name == "figure-8" else (strategy, "qin-han") for strategy in _STRATEGIES]
    lengths = _list_strategies(f"{_ours(name, *cell):,.0f}" for cell in cells)
    return (
        f"{_NONE}. TourScope shows the same order. With the paper's variant, the best lengths after 256 iterations are "
        f"{lengths}, medians of five seeds ({_on(name)}). TourScope's own variant, whose local search is 2-opt with "
        "Or-opt, keeps that order. Most of the gain comes from one pass at the end: 256 iterations of ants alone "
        "leave long tours."
    )


def _describe_two_opt_time() -> str:
    theirs, ours = (
        _list_strategies(f"{_ours('figure-9', strategy, variant):.2f} s" for strategy in _STRATEGIES)
        for variant in ("qin-han", "ours")
    )
    return (
        f"{_NONE}. TourScope shows the same, for the reason that the paper gives: each change takes two launches, and "
        f"the first of them looks at all pairs of edges again. A run of the paper's variant takes {theirs}. The cause "
        "is the paper's 2-opt. TourScope's own makes all changes of all ants within one launch, and its run takes "
        f"{ours} ({_WAYS}; {_on('figure-9')}). Figure 10 shows what that gains."
    )


def _describe_large() -> str:
    theirs, ours = (_ours("figure-11", variant, "time") for variant in ("qin-han", "ours"))
    return (
        "The paper's variant takes at most 8,192 cities, because an ant's cities lie in the shared memory of a block. "
        f"For 256 iterations of 128 ants with 2-opt at the end, it takes {theirs:.1f} s. TourScope's own variant takes "
        f"{ours:.1f} s and accepts more cities ({_WAYS}; {_on('figure-11')}). The paper's input is public, and "
        "TourScope uses it if its file is in the data folder. The text does not give the length of the paper's tour."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "figure-1": _describe_message_passing,
    "figure-2": _describe_ants_on_cores,
    "table-1": _describe_devices,
    "figure-3": _describe_cities,
    "figure-4": _describe_memory,
    "figure-5": _describe_ants,
    "figure-6": _describe_ants_time,
    "figure-7": _describe_ants_cities,
    "figure-8": partial(_describe_lengths, "figure-8"),
    "figure-9": _describe_two_opt_time,
    "figure-10": partial(_describe_lengths, "figure-10"),
    "figure-11": _describe_large,
}
