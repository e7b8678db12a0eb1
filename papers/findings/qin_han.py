"""On the results of Qin and Han (2022)."""

from collections.abc import Callable
from statistics import median

from papers.committed import (
    ACS,
    CORES_ACS,
    CORES_HELD_KARP,
    HELD_KARP,
    VARIANTS,
    card,
    colony,
    entry,
    layers,
    load,
    sped_up,
)

_NONE = "The figure's numbers are not in the text, so there is no ratio"
#: How the runs of Ant Colony System were made whose figures the texts have.
_OURS = "a warp an ant, deferred local updates, every city a candidate"


def _exact(n: int, code: str) -> float:
    """Milliseconds of the kernels alone: ``ours``, ``qin_han`` as a variant of ours, ``their_code``."""
    return load(VARIANTS)["held_karp_kernel"][str(n)][f"{code}_ms"]


def _two_cores(way: str, n: int, count: int) -> float:
    return median(entry(CORES_HELD_KARP, "speed-up", way=way, n=n, threads=count)["milliseconds"])


def _message_passing() -> str:
    return (
        f"{_NONE}. MPI does not pay because of what is sent, as the text says: every layer is gathered at one process "
        "and sent to all, however many share the work. Ours shares the tables in memory and sends next to nothing, "
        f"and then it does pay: on two cores 28 cities take {_two_cores('mpi', 28, 1):,.0f} ms in one process and "
        f"{_two_cores('mpi', 28, 2):,.0f} in two, {sped_up('mpi', 28):.2f} times as fast; by threads "
        f"{_two_cores('cpu', 28, 1):,.0f} and {_two_cores('cpu', 28, 2):,.0f} ms, {sped_up('cpu', 28):.2f} times. For "
        f"20 cities two are no gain, {sped_up('mpi', 20):.2f} and {sped_up('cpu', 20):.2f} times "
        f"({card(CORES_HELD_KARP)}). A speed-up says how well work is shared, not how fast it is: theirs takes 107 s "
        f"for 20 cities on one core, with maps whose keys are strings, ours {_two_cores('cpu', 20, 1):.1f} ms."
    )


def _ants_on_cores() -> str:
    def gain(by: str, n: int) -> float:
        one, two = (
            median(entry(CORES_ACS, "figure2", way=by, instance=f"uniform-{n}-1", count=count)["milliseconds"])
            for count in (1, 2)
        )
        return one / two

    return (
        f"{_NONE}. Ants hardly talk, so they share well: two cores are {gain('threads', 600):.2f} times as fast as one "
        f"by threads on 600 cities and {gain('ranks', 600):.2f} times by processes, {gain('threads', 100):.2f} and "
        f"{gain('ranks', 100):.2f} times on 100 ({card(CORES_ACS)}). That threads are ahead of processes for all sizes "
        "does not show on two cores; the text suspects barriers, critical sections and what is sent."
    )


def _devices() -> str:
    block = median(entry(ACS, "table1", way="block, racy")["milliseconds"])
    core = median(entry(HELD_KARP, "table-1", way="sequential", item=2)["milliseconds"])
    return (
        f"Claimed: a GPU is over 100 times as fast as 64 cores, 5,000 times as fast as one. Their own times give 404 "
        f"and 18,772 for Held-Karp, 126 and 5,505 for the ants. It is a statement about their codes for cores: one "
        f"core takes 107 s for the layers of 20 cities, ours {core:.1f} ms, so that a GPU with {layers(20):.2f} ms is "
        f"{core / layers(20):.0f} times as fast as one core ({card(HELD_KARP)}). Their own CUDA code takes "
        f"{_exact(20, 'their_code'):.1f} ms on an H200. An iteration of 128 ants on 2,048 cities, "
        f"computed as theirs is, takes {block:.2f} ms by ours ({card(ACS)}) and 105 ms by "
        "theirs; how many ants theirs had the text does not say."
    )


def _cities() -> str:
    return (
        f"Exponential growth it is, {layers(29) / layers(28):.2f} times from 28 to 29 cities with ours. On the same "
        f"card, kernels alone, 27 cities take {_exact(27, 'their_code'):.0f} ms by their code, "
        f"{_exact(27, 'qin_han'):.0f} ms by our variant of their mapping and {_exact(27, 'ours'):.2f} ms by ours "
        f"({card(VARIANTS)}). In theirs each thread finds its set from its number and reads states that are "
        f"scattered over memory. For 10 cities theirs is the faster, {_exact(10, 'qin_han'):.2f} and "
        f"{_exact(10, 'ours'):.2f} ms."
    )


def _memory() -> str:
    most = max(e["n"] for e in load(HELD_KARP)["cities"] if e["item"] == 2 and e["milliseconds"])
    states = entry(HELD_KARP, "cities", way="cuda", n=most, item=2)["bytes"] / 1e9
    return (
        f"27 cities are the most that their GPU's memory holds. Ours takes 2 bytes a state where lengths allow it: "
        f"{most} cities, whose states take {states:.0f} GB, take {layers(most):,.0f} ms ({card(HELD_KARP)}). Another "
        "city doubles both, on every GPU. The tour is the shortest by either."
    )


def _ants() -> str:
    lengths = {m: colony("figures5-6", ants=m)["best"][0] for m in (32, 128, 512)}
    told = ", ".join(f"{length:,} with {m}" for m, length in lengths.items())
    return (
        f"{_NONE}. Ours, one seed: {told} ants after 1,024 iterations ({_OURS}; {card(ACS)}). Slightly better with "
        "many ants is what the paper claims and what one sees, but the lengths of neighbouring numbers of ants "
        "cross, so one seed a number shows no more than that."
    )


def _ants_time() -> str:
    few, many = (median(colony("figures5-6", ants=m)["seconds"]) for m in (32, 512))
    return (
        f"{_NONE}. The work grows with the ants, the time only once they fill the GPU: where it begins to grow depends "
        f"on the GPU and on how many threads an ant has. On an H200 a warp an ant takes {few:.2f} s "
        f"with 32 ants and {many:.2f} "
        f"s with 512 ({card(ACS)}): the reason to take no more than 128 ants is gone."
    )


def _ants_cities() -> str:
    small, large = (median(colony("figure7", n=n)["seconds"]) for n in (2048, 8192))
    return (
        f"{_NONE}. A step reads a row of n trails, and there are n steps: quadratic. Ours: {small:.2f} s for 2,048 and "
        f"{large:.2f} s for 8,192 cities, {large / small:.1f} times for 4 times the cities where 16 would be "
        f"quadratic ({_OURS}; {card(ACS)}): the smaller instance does not fill the GPU. Shared memory ends theirs at "
        f"8,192 cities; ours takes 20,000 in {median(colony('figure7', n=20_000)['seconds']):.1f} s."
    )


def _two_opt(key: str) -> str:
    found = {when: median(colony("figures8-10", two_opt=when)[key]) for when in ("none", "last", "every")}
    form = "{:,.0f}" if key == "best" else "{:.2f} s"
    return ", ".join(f"{form.format(value)} with 2-opt {when}" for when, value in found.items()).replace(
        "2-opt none", "2-opt never"
    )


def _lengths() -> str:
    return (
        f"{_NONE}. The same order: {_two_opt('best')}, medians of the best lengths of five seeds after 256 iterations "
        f"({_OURS}; 2-opt with Or-opt; {card(ACS)}). Most of the gain comes from one pass at the end: 256 iterations "
        "of ants alone leave long tours."
    )


def _two_opt_time() -> str:
    return (
        f"{_NONE}. That 2-opt at the end is the balance is a matter of their 2-opt, which launches a kernel for each "
        f"change, as they say themselves. With one that ants run within a launch, a run takes "
        f"{_two_opt('seconds')} ({_OURS}; {card(ACS)}); figure 10 has what that gains."
    )


def _large() -> str:
    found = colony("figure11", two_opt="last")
    return (
        f"Theirs takes at most 8,192 cities, since an ant's cities lie in the shared memory of a block. Ours, which "
        f"takes more, needs {median(found['seconds']):.2f} s for the same 256 iterations of 128 ants with 2-opt at "
        f"the end ({_OURS}; {card(ACS)}). The instance is random and not published, so lengths cannot be compared."
    )


FINDINGS: dict[str, Callable[[], str]] = {
    "figure-1": _message_passing,
    "figure-2": _ants_on_cores,
    "table-1": _devices,
    "figure-3": _cities,
    "figure-4": _memory,
    "figure-5": _ants,
    "figure-6": _ants_time,
    "figure-7": _ants_cities,
    "figure-8": _lengths,
    "figure-9": _two_opt_time,
    "figure-10": _lengths,
    "figure-11": _large,
}
