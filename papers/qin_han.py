"""Y. Qin and D. Han (2022): Held-Karp and Ant Colony System by CUDA, OpenMP and MPI."""

from papers.model import AuthorsCode, Drawing, Entry, Paper, Recipe, Table

_ACS = "beta 2, q0 0.9, rho 0.1 and alpha 0.1, every city a candidate, local updates seen at once"
#: What stands beside the paper's ants where columns are named so.
_OURS = "ours are a warp an ant (threads on a CPU) with candidate lists and deferred local updates"
_OURS_TWO_OPT = f"{_OURS}, and their local search is 2-opt with Or-opt among ten neighbours"

#: What of the authors' code was run.
_CODE = "their CUDA code, kernels alone"

PAPER = Paper(
    id="qin-han",
    authors="Yujun Qin, Dongxiao Han",
    year=2022,
    title="Parallel TSP Solvers",
    venue="15-618 final project report, Carnegie Mellon University",
    machine="GeForce RTX 2080; CPU figures: AMD EPYC 7742",
    claim="A GPU is over 100 times as fast as 64 cores, 5,000 times as fast as one; MPI does not pay for Held-Karp.",
    entries=(
        Entry(
            id="figure-1",
            place="Figure 1, section 3.1.1",
            title="Held-Karp: speed-up over the number of cores, by OpenMP and by MPI, for 10, 15 and 20 cities",
            headline="OpenMP gains with the number of cities; MPI gains much less, since layers are sent to all.",
            recipe=Recipe(
                "All layers of random cities by the variants qin-han-openmp and qin-han-mpi, and by ours, cpu and mpi, "
                "with 1, 8, 16, 32 and 64 workers: the time of one worker over theirs; medians of five rounds after "
                "one that does not count. Threads take turns; processes make the rounds of all numbers of cities after "
                "one start. Starting them and reserving memory is not counted. By MPI at most two workers a core.",
                "held_karp:speed_up", ("cpu",),
            ),
            drawing=Drawing("lines", "workers", "speed-up", "x"),
        ),
        Entry(
            id="figure-2",
            place="Figure 2, section 3.1.2",
            title="Ant Colony System: speed-up over the number of cores, by OpenMP and by MPI",
            headline="Close for all sizes; OpenMP ahead of MPI.",
            recipe=Recipe(
                f"An iteration on 100 to 1,000 random cities with ants for 60 % of them, {_ACS}, by threads and by "
                "processes with 1, 8, 16, 32 and 64 workers: the time of one worker over theirs; medians of five "
                "iterations after one that does not count. By MPI at most two workers a core.",
                "acs:speed_up", ("cpu",),
            ),
            drawing=Drawing("lines", "workers", "speed-up", "x"),
        ),
        Entry(
            id="table-1",
            place="Table 1, section 3.2.1",
            title="Both algorithms on one core, on 64 cores and on a GPU",
            headline="Over 100 times as fast as 64 cores, 5,000 times as fast as one.",
            published=Table(
                "Algorithm", ("CPU, 1 thread", "CPU, 64 threads", "GPU"), ("s", "s", "s"),
                {
                    "Held-Karp, 20 cities": (107.0, 2.3, 0.0057),
                    "Ant Colony System, 2048 cities, an iteration": (578.0, 13.2, 0.105),
                },
            ),
            recipe=Recipe(
                "All layers of 20 random cities by the variants qin-han-sequential, qin-han-openmp and qin-han, beside "
                f"sequential, cpu and cuda; an iteration of 128 ants on 2,048 random cities with {_ACS}, a block an "
                f"ant on a GPU; {_OURS}. Medians of five samples, up to a hundred on a GPU, compilation excluded.",
                "held_karp:both",
            ),
            authors=AuthorsCode(_CODE, Table("Algorithm", ("GPU",), ("s",), {"Held-Karp, 20 cities": (0.0017,)})),
            drawing=Drawing("bars", "", "time (s)", "y"),
            note="The paper does not say how many ants an iteration has; ours has 128, the number that it recommends.",
        ),
        Entry(
            id="figure-3",
            place="Figure 3, section 3.2.2",
            title="Held-Karp on a GPU: time over the number of cities",
            headline="It grows exponentially.",
            recipe=Recipe(
                "All layers of 10 to 27 random cities by the variants qin-han and cuda, on a CPU by qin-han-openmp and "
                "cpu; medians of five runs, compilation excluded. A variant that is refused a number of cities is not "
                "asked for more.",
                "held_karp:over_cities",
            ),
            authors=AuthorsCode(
                _CODE,
                Table(
                    "Cities", ("qin-han",), ("ms",),
                    {"10": (0.15,), "15": (0.31,), "20": (1.7,), "25": (94,), "27": (543,)},
                ),
            ),
            drawing=Drawing("lines", "cities", "time (ms)", "y"),
        ),
        Entry(
            id="figure-4",
            place="Figure 4, section 3.2.2",
            title="The optimal tour of an instance of 27 cities",
            headline="27 cities are the most that fit the memory of their GPU.",
            recipe=Recipe(
                "Runs on 27 random cities by the variants qin-han and cuda, on a CPU by qin-han-openmp and cpu: the "
                "median of five, or of as many as begin within a minute. The tour is the same.",
                "held_karp:tour",
            ),
            drawing=Drawing("tour"),
        ),
        Entry(
            id="figure-5",
            place="Figure 5, section 3.2.3",
            title="Ant Colony System: best length over iterations, by the number of ants, on 2,048 cities",
            headline="It converges slightly faster with more ants.",
            recipe=Recipe(
                f"Best length after 1, 2, 4, ... 1,024 iterations with 32 to 512 ants on 2,048 random cities, {_ACS}, "
                "a block an ant; five seeds.",
                "acs:convergence", ("cuda",),
            ),
            drawing=Drawing("lines", "iterations", "best length", "x"),
        ),
        Entry(
            id="figure-6",
            place="Figure 6, section 3.2.3",
            title="Ant Colony System: time of 1,024 iterations over the number of ants",
            headline="Beyond 128 ants the time grows fast.",
            recipe=Recipe(
                f"Runs of 1,024 iterations on 2,048 random cities with 32 to 512 ants, {_ACS}, a block an ant; {_OURS}."
                " Medians of five seeds, compilation excluded.",
                "acs:over_ants", ("cuda",),
            ),
            drawing=Drawing("lines", "ants", "1,024 iterations (s)", "x"),
        ),
        Entry(
            id="figure-7",
            place="Figure 7, section 3.2.4",
            title="Ant Colony System: time of 256 iterations over the number of cities",
            headline="Close to a quadratic function of the number of cities.",
            recipe=Recipe(
                f"Runs of 256 iterations of 128 ants on 256 to 8,192 random cities, {_ACS}, a block an ant on a GPU; "
                f"{_OURS}. Medians of five seeds, or of as many as take a minute; compilation excluded.",
                "acs:over_cities",
            ),
            drawing=Drawing("lines", "cities", "256 iterations (s)", "xy"),
        ),
        Entry(
            id="figure-8",
            place="Figure 8, section 3.2.5",
            title="Ant Colony System: best length over iterations with 2-opt never, last and every",
            headline="2-opt shortens the tours a lot.",
            recipe=Recipe(
                f"Best length after 1, 2, 4, ... 256 iterations of 128 ants on 2,048 random cities, {_ACS}, a block an "
                f"ant, with 2-opt alone never, at the end and in every iteration; {_OURS_TWO_OPT}. Five seeds.",
                "acs:two_opt_lengths", ("cuda",),
            ),
            drawing=Drawing("lines", "iterations", "best length", "x"),
        ),
        Entry(
            id="figure-9",
            place="Figure 9, section 3.2.5",
            title="Ant Colony System: time of 256 iterations with 2-opt never, last and every",
            headline="2-opt at the end is the balance between time and length.",
            recipe=Recipe(
                f"Runs of 256 iterations of 128 ants on 2,048 random cities, {_ACS}, a block an ant, with 2-opt alone "
                f"never, at the end and in every iteration; {_OURS_TWO_OPT}. Medians of five seeds, compilation "
                "excluded.",
                "acs:two_opt_time", ("cuda",),
            ),
            drawing=Drawing("bars", "", "256 iterations (s)"),
        ),
        Entry(
            id="figure-10",
            place="Figure 10, section 3.2.5",
            title="Ant Colony System: length after 256 iterations with 2-opt never, last and every",
            headline="2-opt is very effective at reducing the total length.",
            recipe=Recipe(
                f"The best length after 256 iterations of 128 ants on 2,048 random cities, {_ACS}, a block an ant, "
                f"with 2-opt alone never, at the end and in every iteration; {_OURS_TWO_OPT}. Five seeds.",
                "acs:two_opt_ends", ("cuda",),
            ),
            drawing=Drawing("bars", "", "best length"),
        ),
        Entry(
            id="figure-11",
            place="Figure 11, section 3.2.6",
            title="A tour of 8,192 cities after 256 iterations with 2-opt at the end",
            headline="8,192 cities are the most that their ants take, by the shared memory of a block.",
            recipe=Recipe(
                f"Runs of 256 iterations of 128 ants on 8,192 random cities, {_ACS}, a block an ant, with 2-opt alone "
                f"at the end; {_OURS_TWO_OPT}. Medians of five seeds; the paper's tour of the first is drawn.",
                "acs:tour", ("cuda",),
            ),
            drawing=Drawing("tour"),
        ),
    ),
)  # fmt: skip
