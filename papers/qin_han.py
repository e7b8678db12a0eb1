"""Y. Qin and D. Han (2022): Held-Karp and Ant Colony System by CUDA, OpenMP and MPI."""

from papers.model import Drawing, Entry, Paper, Recipe, Table

_ACS = "beta 2, q0 0.9, rho 0.1, alpha 0.1, every city a candidate, a block an ant"

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
                "Time of all layers by the variants qin-han-openmp and qin-han-mpi with 1, 8, 16, 32 and 64 workers, "
                "and by ours, over that of one worker; medians of five runs.",
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
                f"An iteration with ants for 60 % of the cities, {_ACS}, by threads and by processes with 1, 8, 16, 32 "
                "and 64 workers, over that of one worker; medians.",
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
                f"All layers of 20 cities, and an iteration of 128 ants on 2,048 cities with {_ACS}; medians, "
                "compilation excluded.",
                "held_karp:both",
            ),
            drawing=Drawing("bars", "", "time (s)", "y"),
        ),
        Entry(
            id="figure-3",
            place="Figure 3, section 3.2.2",
            title="Held-Karp on a GPU: time over the number of cities",
            headline="It grows exponentially.",
            recipe=Recipe(
                "Time of all layers for 10 to 27 cities by the variants qin-han and cuda; medians of five runs, "
                "compilation excluded.",
                "held_karp:over_cities",
            ),
            drawing=Drawing("lines", "cities", "time (ms)", "y"),
        ),
        Entry(
            id="figure-4",
            place="Figure 4, section 3.2.2",
            title="The optimal tour of an instance of 27 cities",
            headline="27 cities are the most that fit the memory of their GPU.",
            recipe=Recipe("A run of Held-Karp on 27 random cities, with its tour.", "held_karp:tour"),
            drawing=Drawing("tour"),
        ),
        Entry(
            id="figure-5",
            place="Figure 5, section 3.2.3",
            title="Ant Colony System: best length over iterations, by the number of ants, on 2,048 cities",
            headline="It converges slightly faster with more ants.",
            recipe=Recipe(
                f"Best length after each of 1,024 iterations with 32 to 512 ants, {_ACS}; five seeds.",
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
                f"1,024 iterations on 2,048 cities with 32 to 512 ants, {_ACS}; medians of five runs.",
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
                f"256 iterations of 128 ants, {_ACS}, over the number of cities; medians of five runs.",
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
                f"Best length after each of 256 iterations of 128 ants on 2,048 cities, {_ACS}, with pure 2-opt "
                "never, at the end and in every iteration; five seeds.",
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
                f"256 iterations of 128 ants on 2,048 cities, {_ACS}, with pure 2-opt never, at the end and in every "
                "iteration; medians of five runs.",
                "acs:two_opt_time", ("cuda",),
            ),
            drawing=Drawing("bars", "", "256 iterations (s)", "y"),
        ),
        Entry(
            id="figure-10",
            place="Figure 10, section 3.2.5",
            title="Ant Colony System: length after 256 iterations with 2-opt never, last and every",
            headline="2-opt is very effective at reducing the total length.",
            recipe=Recipe(
                f"The best length after 256 iterations of 128 ants on 2,048 cities, {_ACS}, with pure 2-opt never, at "
                "the end and in every iteration; five seeds.",
                "acs:two_opt_lengths", ("cuda",),
            ),
            drawing=Drawing("bars", "", "best length"),
        ),
        Entry(
            id="figure-11",
            place="Figure 11, section 3.2.6",
            title="A tour of 8,192 cities after 256 iterations with 2-opt at the end",
            headline="8,192 cities are the most that their ants take, by the shared memory of a block.",
            recipe=Recipe(
                f"A run of 256 iterations of 128 ants on 8,192 random cities, {_ACS}, with pure 2-opt at the end.",
                "acs:tour", ("cuda",),
            ),
            drawing=Drawing("tour"),
        ),
    ),
)  # fmt: skip
