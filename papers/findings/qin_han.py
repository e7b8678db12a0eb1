"""Findings on the results of Qin and Han (2022)."""

from collections.abc import Callable
from functools import partial
from statistics import median

from papers.committed import (
    ACS,
    CORES_HELD_KARP,
    HELD_KARP,
    VARIANTS,
    card,
    colony,
    core_speed_up,
    entry,
    figure,
    layers,
    load,
    measured_on,
    result,
)
from papers.qin_han import PAPER

_NONE = "The figure's numbers are not in the text, so there is no ratio"
#: How both variants work, for tables whose columns are named after them.
_WAYS = "theirs a block an ant, ours a warp an ant with candidate lists"
#: Names of the 2-opt strategies.
_WHEN = {"none": "never", "last": "last", "every": "every"}
#: Columns of figure 1.
_SHARED = ("qin-han-openmp", "qin-han-mpi", "cpu", "mpi")
#: Rows of table 1.
_EXACT, _ANTS = "Held-Karp, 20 cities", "Ant Colony System, 2048 cities, an iteration"


def _ours(name: str, row: str, column: str) -> float:
    return figure(f"{PAPER.id}/{name}", row, column)


def _on(name: str) -> str:
    return measured_on(f"{PAPER.id}/{name}")


def _code(n: int) -> float:
    """Return the kernel time of the authors' own code, in milliseconds."""
    return load(VARIANTS)["held_karp_kernel"][str(n)]["their_code_ms"]


def _two_cores(variant: str, n: int, count: int) -> float:
    return median(entry(CORES_HELD_KARP, "speed-up", way=variant, n=n, threads=count)["milliseconds"])


def _published(name: str, row: str, column: str) -> float:
    return PAPER.entry(name).figures()[row][column]


def _describe_message_passing() -> str:
    threads, processes, cpu, mpi = (
        [_ours("figure-1", "8", f"{variant}, {n} cities") for n in (10, 15, 20)] for variant in _SHARED
    )
    their_threads, their_processes = (
        [_published("figure-1", "8", f"{variant}, {n} cities") for n in (10, 15, 20)] for variant in _SHARED[:2]
    )
    theirs = [_published("figure-1", count, "qin-han-openmp, 20 cities") for count in ("16", "64")]
    by16, core = _ours("figure-1", "16", "qin-han-openmp, 20 cities"), _ours("table-1", _EXACT, "CPU, 1 thread")
    one, two = (_two_cores("mpi", 28, count) for count in (1, 2))
    return (
        f"That threads gain nearly in proportion we do not see: by their records 16 and 64 cores are {theirs[0]:.1f} "
        f"and {theirs[1]:.1f} times as fast as one for 20 cities by OpenMP, ours by the same algorithm {by16:.1f} "
        f"times with 16 ({_on('figure-1')}), all that the machine has. For 10, 15 and 20 cities 8 threads are "
        f"{their_threads[0]:.2f}, {their_threads[1]:.2f} and {their_threads[2]:.2f} times as fast as one by their "
        f"records and {threads[0]:.2f}, {threads[1]:.1f} and {threads[2]:.1f} by ours, 8 processes "
        f"{their_processes[0]:.2f}, {their_processes[1]:.2f} and {their_processes[2]:.2f}, by ours "
        f"{processes[0]:.2f}, {processes[1]:.1f} and {processes[2]:.1f}. Two things differ, and what each costs is not "
        "measured. Our time includes listing the sets and inserting the keys, which one worker does; their records "
        "time that apart, 2.4 s beside 107.9 s. And on another CPU, with strings as keys, one core of theirs takes "
        f"{_published('table-1', _EXACT, 'CPU, 1 thread') / core:.0f} times as long as the {1e3 * core:,.0f} ms of "
        "ours, which leaves more to share. MPI does not pay because of what is sent, as the text says: every layer is "
        "gathered at one process and sent to all, however many share the work. Ours shares the tables in memory and "
        f"sends next to nothing, but 20 cities are too little to share: 8 workers are {cpu[2]:.1f} times as fast by "
        f"threads and {mpi[2]:.1f} times by MPI. For 28 cities on two cores MPI pays, {one:,.0f} ms in one process and "
        f"{two:,.0f} in two, {core_speed_up('mpi', 28):.2f} times as fast ({card(CORES_HELD_KARP)})."
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
        "That ants gain nearly in proportion we do not see. On 2,048 cities 8 and 16 threads of ours are "
        f"{many[0][0]:.1f} and {many[0][1]:.1f} times as fast as one, as many processes {many[1][0]:.1f} and "
        f"{many[1][1]:.1f} times, by their records {theirs[0][0]:.1f} and {theirs[0][1]:.1f}, {theirs[1][0]:.1f} and "
        f"{theirs[1][1]:.1f} times; on 128 cities ours are {few[0][0]:.1f} and {few[0][1]:.1f}, {few[1][0]:.1f} and "
        f"{few[1][1]:.1f} times as fast ({_on('figure-2')}). Ours wait, lock, gather and broadcast as often as theirs, "
        f"but one core of theirs, another CPU, takes {work:.0f} times as long for an iteration, so that they have so "
        "much more work to share: the costs that the text names, barriers, critical sections and messages, weigh more "
        f"in ours. By their records 64 threads are {by64} times as fast as one, from 128 to 2,048 cities, which is not "
        "close, and OpenMP is ahead of MPI from 512 cities on."
    )


def _describe_devices() -> str:
    core, gpu, our_core, our_gpu = (
        _ours("table-1", _EXACT, column) for column in ("CPU, 1 thread", "GPU", "CPU, 1 thread, ours", "GPU, ours")
    )
    table = result(f"{PAPER.id}/table-1")
    samples = [1e3 * row for row in table.measured.rows[_EXACT][table.measured.columns.index("GPU, ours")]]
    less = [_ours("figure-3", "20", variant) for variant in ("qin-han", "cuda")]
    return (
        f"Claimed: a GPU is over 100 times as fast as 64 cores, 5,000 times as fast as one. Their own times give 404 "
        f"and 18,772 for Held-Karp, 126 and 5,505 for the ants. It is a statement about their codes for cores: one "
        f"core takes 107 s for the layers of 20 cities by their code, {1e3 * core:,.0f} ms by ours of the same "
        f"algorithm and {1e3 * our_core:.1f} ms by our own, so that a GPU with {1e3 * gpu:.2f} and "
        f"{1e3 * our_gpu:.2f} ms is {core / gpu:,.0f} and {our_core / our_gpu:.0f} times as fast as one core "
        f"({_on('table-1')}). Launches on a busy host seem to dominate both times: five samples of ours range from "
        f"{min(samples):.2f} to {max(samples):.2f} ms at a load of {table.machine['load_1_minute']:.1f}, and figure 3 "
        f"has {less[0]:.2f} and {less[1]:.2f} ms ({_on('figure-3')}). Their CUDA code takes {_code(20):.1f} ms on such "
        f"a GPU ({card(VARIANTS)}); figure 3 says what differs. An iteration of 1,228 ants on 2,048 cities, "
        f"computed as theirs is, takes {1e3 * _ours('table-1', _ANTS, 'GPU'):.1f} ms by ours, and 105 ms by theirs on "
        "an RTX 2080."
    )


def _describe_cities() -> str:
    times = {n: [_ours("figure-3", n, variant) for variant in ("qin-han", "cuda")] for n in ("10", "26", "27")}
    theirs, ours = (after / before for before, after in zip(times["26"], times["27"], strict=True))
    return (
        f"Exponential growth it is: 27 cities take {theirs:.2f} times as long as 26 by our variant of their mapping "
        f"and {ours:.2f} times by ours, {times['27'][0]:.0f} and {times['27'][1]:.2f} ms ({_on('figure-3')}). By "
        f"their own code the kernels alone take {_code(27):.0f} ms ({card(VARIANTS)}). In it each thread finds its set "
        "from its number and reads states that are scattered over memory. Our variant does so as well, but which "
        "thread has which state is ours: a block has one city and successive sets, blocks of the same sets are "
        "adjacent, and binomials and a city's distances are in shared memory. What each of that saves is not measured. "
        f"For 10 cities their mapping is the faster, {times['10'][0]:.2f} and {times['10'][1]:.2f} ms."
    )


def _describe_memory() -> str:
    largest = max(e["n"] for e in load(HELD_KARP)["cities"] if e["item"] == 2 and e["milliseconds"])
    states = entry(HELD_KARP, "cities", way="cuda", n=largest, item=2)["bytes"] / 1e9
    theirs, ours = (_ours("figure-4", variant, "time") for variant in ("qin-han", "cuda"))
    return (
        "27 cities are the most that their GPU's memory holds. Either finds a shortest tour, their mapping in "
        f"{theirs:.0f} ms, ours in {ours:.0f} ms, all that is told of the run among it ({_on('figure-4')}). Ours takes "
        f"2 bytes a state where lengths allow it: {largest} cities, whose states take {states:.0f} GB, take "
        f"{layers(largest):,.0f} ms ({card(HELD_KARP)}). Another city about doubles memory and time, on every GPU."
    )


def _describe_ants() -> str:
    first, last = (
        ", ".join(f"{_ours('figure-5', row, f'{m} ants'):,.0f} with {m}" for m in (32, 128, 512))
        for row in ("1", "1,024")
    )
    return (
        f"{_NONE}. Here more ants begin better and end worse, in the medians of five seeds: {first} ants after the "
        f"first iteration, {last} after 1,024 ({_on('figure-5')}). More ants are more draws for the first tours; but "
        "every ant takes pheromone from the edges that it walks, so the more there are, the less of it guides the "
        "next. The paper's, on an input of 2,048 cities as well, converges slightly faster with more ants."
    )


def _describe_ants_time() -> str:
    theirs, ours = ([_ours("figure-6", m, variant) for m in ("32", "512")] for variant in ("qin-han", "ours"))
    return (
        f"{_NONE}. The work grows with the ants, the time only once they fill the GPU: where it begins to grow depends "
        f"on the GPU and on how many threads an ant has. With 32 ants 1,024 iterations take {theirs[0]:.1f} s as "
        f"theirs and {ours[0]:.2f} s as ours, with 512 they take {theirs[1]:.1f} and {ours[1]:.2f} s "
        f"({_WAYS}; {_on('figure-6')}): the reason to take no more than 128 ants is gone."
    )


def _describe_ants_cities() -> str:
    theirs, ours = ([_ours("figure-7", n, variant) for n in ("2,048", "8,192")] for variant in ("qin-han", "ours"))
    return (
        f"{_NONE}. A step reads a row of n trails, and there are n steps: quadratic. For 2,048 and 8,192 cities it is "
        f"{theirs[0]:.2f} and {theirs[1]:.2f} s as theirs, {theirs[1] / theirs[0]:.1f} times for 4 times the cities "
        f"where 16 would be quadratic, and {ours[0]:.2f} and {ours[1]:.2f} s as ours ({_WAYS}; {_on('figure-7')}): the "
        "smaller instance does not fill the GPU. Shared memory ends theirs at 8,192 cities; ours takes 20,000 in "
        f"{median(colony('figure7', n=20_000)['seconds']):.1f} s with every city a candidate ({card(ACS)})."
    )


def _describe_lengths(name: str) -> str:
    by_strategy = {
        "figure-8": {strategy: _ours("figure-8", "256", strategy) for strategy in ("none", "last", "every")},
        "figure-10": {strategy: _ours("figure-10", strategy, "qin-han") for strategy in ("none", "last", "every")},
    }[name]
    lengths = ", ".join(f"{length:,.0f} with 2-opt {_WHEN[strategy]}" for strategy, length in by_strategy.items())
    return (
        f"{_NONE}. The same order: as theirs {lengths}, medians of the best lengths of five seeds after 256 iterations "
        f"({_on(name)}); ours, whose local search is 2-opt with Or-opt, keep that order. Most of the gain comes from "
        "one pass at the end: 256 iterations of ants alone leave long tours."
    )


def _describe_two_opt_time() -> str:
    theirs, ours = (
        ", ".join(f"{_ours('figure-9', strategy, variant):.2f} s with 2-opt {word}" for strategy, word in _WHEN.items())
        for variant in ("qin-han", "ours")
    )
    return (
        f"{_NONE}. We see the same, and their reason for it: each change takes two launches, of which the first looks "
        f"at all pairs of edges again. A run takes {theirs} as theirs. It is a matter of their 2-opt: with ours, which "
        f"makes all changes of all ants within a launch, it takes {ours} ({_WAYS}; {_on('figure-9')}); figure 10 has "
        "what that gains."
    )


def _describe_large() -> str:
    theirs, ours = (_ours("figure-11", variant, "time") for variant in ("qin-han", "ours"))
    return (
        "Theirs takes at most 8,192 cities, since an ant's cities lie in the shared memory of a block. 256 "
        f"iterations of 128 ants with 2-opt at the end take {theirs:.1f} s as theirs and {ours:.1f} s as ours, which "
        f"takes more cities too ({_WAYS}; {_on('figure-11')}). Their input is public, and taken where its file is in "
        "the data folder; the length of their tour the text does not say."
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
