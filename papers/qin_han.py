"""Y. Qin and D. Han (2022): Held-Karp and Ant Colony System by CUDA, OpenMP and MPI."""

from papers.model import AuthorsCode, Drawing, Entry, Likeness, Paper, Recipe, Table

_ACS = "beta 2, q0 0.9, rho 0.1 and alpha 0.1, every city a candidate, local updates by compare-and-swap"
_IN_STEP = "beta 2, q0 0.9, rho 0.1 and alpha 0.1, every city a candidate, in step"
#: How our ants compute, for entries whose columns are "theirs" and "ours".
_OURS = "TourScope's own variant uses a warp per ant (threads on a CPU), candidate lists and deferred local updates"
_OURS_TWO_OPT = f"{_OURS}, and its local search is 2-opt with Or-opt among ten neighbours"

_RECORDS = "The published figures are those of the authors' records, in github.com/dx-han/15618-parallel-tsp-solver."
#: Comparison of ours with theirs.
_SET_UP = (
    "TourScope's time includes the serial listing of the sets and insertion of the keys, which the authors' records "
    "time separately"
)
_MAPS = (
    "the same algorithm; map keys are numbers instead of strings, and distances are rounded, while the authors' CPU "
    "code uses squared distances"
)
_FLOATS = (
    "the same algorithm, but distances are rounded instead of floats, and a block handles one city and successive "
    "sets; the paper does not say which thread handles which state"
)
_ANY_CITIES = "random cities, because the work does not depend on them"
_CITIES = "the authors' input if its file is in the data folder, otherwise random cities"
_ANTS = (
    "the same; initial trails and updates follow Dorigo and Gambardella, while the authors' CUDA program starts at "
    "1, uses tau0 0.001, evaporates all trails, rewards the iteration's best ant, updates edges in one direction and "
    "skips an ant's last edge; distances are rounded, the authors' are not"
)
_ANTS_ON_CORES = (
    "the same; ants start at random cities, only the best tour so far is rewarded, distances are rounded, and trails "
    "are stored in arrays; in the authors' code, each ant starts at its own city, the iteration's best tour is "
    "rewarded, and trails are stored in maps"
)
_THEIR_TWO_OPT = (
    f"{_ANTS}; 2-opt applies the best of all moves and finally improves the best tour so far, while the authors' "
    "2-opt applies the move that a thread wrote last and improves the last iteration's best tour"
)
#: What sections 3.2.5 and 3.2.6 leave out.
_ASSUMED = f"{_THEIR_TWO_OPT}; 128 ants are assumed"
_ASSUMED_CITIES = f"{_CITIES}; 2,048 cities are assumed"
#: Parts of the authors' code that were run.
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
                "All layers of random cities by the variants qin-han-openmp and qin-han-mpi, and by TourScope's own, "
                "cpu and mpi, with 1, 8, 16, 32 and 64 workers: the speed-up over one worker, as medians of five "
                "rounds after a warm-up round. Threads take turns; processes run the rounds of all numbers of cities "
                "after one start. Starting them and allocating memory is not timed. MPI uses at most two workers per "
                "core.",
                "held_karp:speed_up", ("cpu",),
            ),
            published=Table(
                "Workers",
                tuple(f"{variant}, {n} cities" for variant in ("qin-han-openmp", "qin-han-mpi") for n in (10, 15, 20)),
                ("x",) * 6,
                {
                    "1": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
                    "8": (5.51, 7.36, 7.76, 2.77, 4.19, 4.56),
                    "16": (8.08, 13.8, 15.4, 2.92, 5.4, 5.83),
                    "32": (9.54, 25.6, 29.2, 2.66, 6.16, 7.57),
                    "64": (0.118, 6.53, 45.9, 1.72, 5.75, 7.22),
                },
            ),
            drawing=Drawing("lines", "workers", "speed-up", "x"),
            note=_RECORDS,
            likeness=Likeness(f"the same, but {_SET_UP}", _MAPS, _ANY_CITIES),
        ),
        Entry(
            id="figure-2",
            place="Figure 2, section 3.1.2",
            title="Ant Colony System: speed-up over the number of cores, by OpenMP and by MPI",
            headline="With 64 cores, speed-ups are closer together than those of Held-Karp; OpenMP is ahead of MPI.",
            recipe=Recipe(
                f"An iteration on 128 to 2,048 cities with 0.6 ants per city, {_IN_STEP}, by threads (the "
                "variant qin-han-openmp) and by processes (qin-han-mpi) with 1, 8, 16, 32 and 64 workers: the "
                "speed-up over one worker, as medians of five iterations after a warm-up iteration. MPI uses at most "
                "two workers per core.",
                "acs:speed_up", ("cpu",),
            ),
            published=Table(
                "Workers",
                tuple(f"{kind}, {n} cities" for kind in ("threads", "processes") for n in (128, 256, 512, 1024, 2048)),
                ("x",) * 10,
                {
                    "1": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
                    "8": (6.15, 7.12, 7.68, 6.85, 6.26, 6.69, 6.7, 3.65, 5.94, 5.39),
                    "16": (8.12, 12.6, 14.4, 13.7, 12.6, 10.6, 12.6, 6.7, 10.7, 10.1),
                    "32": (4.64, 14.7, 24.6, 25.3, 25.3, 15.7, 22.5, 11.9, 19.3, 18.4),
                    "64": (0.211, 12.2, 22.4, 41.3, 43.8, 16.8, 28.9, 19.3, 30.8, 36.1),
                },
            ),
            drawing=Drawing("lines", "workers", "speed-up", "x"),
            note=f"{_RECORDS} There 64 processes on 2,048 cities are labelled 32.",
            likeness=Likeness(
                "medians of five iterations instead of one run of two iterations", _ANTS_ON_CORES, _CITIES
            ),
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
                "sequential, cpu and cuda; an iteration of 1,228 ants, 60 % of the cities, on 2,048 cities with "
                f"{_ACS} (on cores in step, by qin-han-openmp), a block an ant on a GPU; {_OURS}. Medians of five "
                "samples, up to a hundred on a GPU, compilation excluded.",
                "held_karp:exact_and_ants",
            ),
            authors_code=AuthorsCode(_CODE, Table("Algorithm", ("GPU",), ("s",), {"Held-Karp, 20 cities": (0.0017,)})),
            drawing=Drawing("bars", "", "time (s)", "y"),
            note="The authors' code has 1,228 ants on CPUs, 60 % of the cities (section 3.1.2 and their records). "
            "According to the paper, the GPU has as many.",
            likeness=Likeness(
                f"Held-Karp on cores: {_SET_UP}, on a GPU: the layers alone, while the authors may have timed more; "
                "their 578 s are half of the 1,156 s that their records give for two iterations",
                f"{_ANTS}; on CPUs, ants start at random cities, while each of the authors' ants starts at its own "
                "city, their Held-Karp maps have strings as keys, and 64 threads share 16 cores",
                f"Held-Karp: {_ANY_CITIES}; ants: {_CITIES}",
            ),
        ),
        Entry(
            id="figure-3",
            place="Figure 3, section 3.2.2",
            title="Held-Karp on a GPU: time over the number of cities",
            headline="It grows exponentially.",
            recipe=Recipe(
                "All layers of 10 to 27 random cities by the variants qin-han and cuda, on a CPU by qin-han-openmp "
                "and cpu; medians of five runs, compilation excluded. A variant stops at the first number of cities "
                "that it refuses.",
                "held_karp:over_cities",
            ),
            authors_code=AuthorsCode(
                _CODE,
                Table(
                    "Cities", ("qin-han",), ("ms",),
                    {"10": (0.15,), "15": (0.31,), "20": (1.7,), "25": (94,), "27": (543,)},
                ),
            ),
            drawing=Drawing("lines", "cities", "time (ms)", "y"),
            likeness=Likeness(
                "the same; the layers alone, while the authors may have timed more", _FLOATS, _ANY_CITIES
            ),
        ),
        Entry(
            id="figure-4",
            place="Figure 4, section 3.2.2",
            title="The optimal tour of an instance of 27 cities",
            headline="The memory of the authors' GPU holds at most 27 cities.",
            recipe=Recipe(
                "Runs on 27 random cities by the variants qin-han and cuda, on a CPU by qin-han-openmp and cpu: the "
                "median of five, or of as many as start within a minute. Both tours are optimal.",
                "held_karp:tour",
            ),
            drawing=Drawing("tour"),
            likeness=Likeness(parameters=_FLOATS, instance="27 random cities, so the tour is a different one"),
        ),
        Entry(
            id="figure-5",
            place="Figure 5, section 3.2.3",
            title="Ant Colony System: best length over iterations, by the number of ants, on 2,048 cities",
            headline="It converges slightly faster with more ants.",
            recipe=Recipe(
                f"Best length after 1, 2, 4, ... 1,024 iterations with 32 to 512 ants on 2,048 cities, {_ACS}, "
                "a block an ant; five seeds.",
                "acs:convergence", ("cuda",),
            ),
            drawing=Drawing("lines", "iterations", "best length", "x"),
            likeness=Likeness(
                parameters=f"{_ANTS}; TourScope chose the numbers of ants and iterations, and no 2-opt",
                instance=_CITIES,
            ),
        ),
        Entry(
            id="figure-6",
            place="Figure 6, section 3.2.3",
            title="Ant Colony System: time of 1,024 iterations over the number of ants",
            headline="Beyond 128 ants the time grows fast.",
            recipe=Recipe(
                f"Runs of 1,024 iterations on 2,048 cities with 32 to 512 ants, {_ACS}, a block an ant; {_OURS}."
                " Medians of five seeds, compilation excluded.",
                "acs:over_ants", ("cuda",),
            ),
            drawing=Drawing("lines", "ants", "1,024 iterations (s)", "x"),
            likeness=Likeness(
                parameters=f"{_ANTS}; TourScope chose the numbers of ants, and no 2-opt", instance=_CITIES
            ),
        ),
        Entry(
            id="figure-7",
            place="Figure 7, section 3.2.4",
            title="Ant Colony System: time of 256 iterations over the number of cities",
            headline="Close to a quadratic function of the number of cities.",
            recipe=Recipe(
                f"Runs of 256 iterations of 128 ants on 256 to 8,192 cities, {_ACS}, a block an ant on a GPU; "
                f"{_OURS}. Medians of five seeds, or of as many as fit into three minutes; compilation excluded.",
                "acs:over_cities",
            ),
            drawing=Drawing("lines", "cities", "256 iterations (s)", "xy"),
            likeness=Likeness(
                parameters=f"{_ANTS}; TourScope chose the numbers of cities, and no 2-opt", instance=_CITIES
            ),
        ),
        Entry(
            id="figure-8",
            place="Figure 8, section 3.2.5",
            title="Ant Colony System: best length over iterations with 2-opt never, last and every",
            headline="2-opt shortens the tours a lot.",
            recipe=Recipe(
                f"Best length after 1, 2, 4, ... 256 iterations of 128 ants on 2,048 cities, {_ACS}, a block an "
                f"ant, with the authors' 2-opt never, at the end and in every iteration; {_OURS_TWO_OPT}. Five seeds.",
                "acs:two_opt_lengths", ("cuda",),
            ),
            drawing=Drawing("lines", "iterations", "best length", "x"),
            likeness=Likeness(parameters=f"{_ASSUMED}, and 256 iterations", instance=_ASSUMED_CITIES),
        ),
        Entry(
            id="figure-9",
            place="Figure 9, section 3.2.5",
            title="Ant Colony System: time of 256 iterations with 2-opt never, last and every",
            headline="2-opt at the end is a good balance between time and length.",
            recipe=Recipe(
                f"Runs of 256 iterations of 128 ants on 2,048 cities, {_ACS}, a block an ant, with the authors' "
                f"2-opt never, at the end and in every iteration; {_OURS_TWO_OPT}. Medians of five seeds, "
                "compilation excluded.",
                "acs:two_opt_time", ("cuda",),
            ),
            drawing=Drawing("bars", "", "256 iterations (s)"),
            likeness=Likeness(parameters=_ASSUMED, instance=_ASSUMED_CITIES),
        ),
        Entry(
            id="figure-10",
            place="Figure 10, section 3.2.5",
            title="Ant Colony System: length after 256 iterations with 2-opt never, last and every",
            headline="2-opt is very effective at reducing the total length.",
            recipe=Recipe(
                f"The best length after 256 iterations of 128 ants on 2,048 cities, {_ACS}, a block an ant, with the "
                f"authors' 2-opt never, at the end and in every iteration; {_OURS_TWO_OPT}. Five seeds.",
                "acs:two_opt_ends", ("cuda",),
            ),
            drawing=Drawing("bars", "", "best length"),
            likeness=Likeness(parameters=_ASSUMED, instance=_ASSUMED_CITIES),
        ),
        Entry(
            id="figure-11",
            place="Figure 11, section 3.2.6",
            title="A tour of 8,192 cities after 256 iterations with 2-opt at the end",
            headline="The shared memory of a block limits the authors' ants to 8,192 cities.",
            recipe=Recipe(
                f"Runs of 256 iterations of 128 ants on 8,192 cities, {_ACS}, a block an ant, with the authors' "
                f"2-opt at the end; {_OURS_TWO_OPT}. Medians of five seeds; the first tour of the authors' variant "
                "is drawn.",
                "acs:tour", ("cuda",),
            ),
            drawing=Drawing("tour"),
            likeness=Likeness(parameters=_ASSUMED, instance=_CITIES),
        ),
    ),
)  # fmt: skip
