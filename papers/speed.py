"""Charts in addition to the papers: time and throughput of this program's variants, and their limits."""

from papers.model import Drawing, Entry, Paper, Recipe

#: Variants of 2-opt in the throughput charts, named as in `benchmarks.two_opt.gpu.list_variants`.
VARIANTS = (
    "strip", "multi-move", "tuned", "tile", "intra", "calc, two rows", "matr_s, two rows", "matr_g, two rows",
    "original", "hundred-cities", "calculated",
)  # fmt: skip
OVER_CLIMBERS = ("strip", "multi-move", "tuned", "calculated", "matr_s, two rows", "matr_g, two rows")
_RATE = "throughput (billions of moves/s)"

PAPER = Paper(
    id="speed",
    authors="TourScope",
    year=2026,
    title="Time, throughput and limits",
    venue="Measured by this program",
    machine="an H200, and this machine by one press",
    claim="How many moves each variant of 2-opt evaluates a second, what a tour costs, and which limit is the nearest.",
    entries=(
        Entry(
            id="two-opt-cities",
            place="Chart 1, 2-opt",
            title="Throughput of 2-opt over the number of cities",
            headline="A variant that reads a matrix is limited by where the matrix lies, others hardly by n.",
            recipe=Recipe(
                "Billions of moves evaluated a second on the first n cities of d18512 (100, 200 and 439: kroA100, "
                "kroA200, pr439) with as many climbers as fill the GPU; on a CPU by the variant cpu. Medians of five "
                "launches, compilation excluded.",
                "two_opt:throughput", ("cuda", "cpu"), {"variants": VARIANTS},
            ),
            drawing=Drawing("lines", "cities", _RATE, "xy"),
        ),
        Entry(
            id="two-opt-climbers",
            place="Chart 2, 2-opt",
            title="Throughput of 2-opt over the number of climbers, kroA100",
            headline="A block a climber fills a GPU with a thousandth of the climbers that a thread each needs.",
            recipe=Recipe(
                "Moves of whole climbs of kroA100 over the time until all climbers are local optima; medians of five "
                "runs, compilation excluded.",
                "speed:over_climbers", ("cuda",), {"variants": OVER_CLIMBERS},
            ),
            drawing=Drawing("lines", "climbers", _RATE, "xy"),
        ),
        Entry(
            id="two-opt-threads",
            place="Chart 3, 2-opt",
            title="Throughput of 2-opt over the number of threads, kroA200",
            headline="Climbers are independent, so threads on cores of their own hardly disturb each other.",
            recipe=Recipe(
                "Billions of moves evaluated a second by the variant cpu with 1, 2, 4, ... threads as far as there are "
                "cores, each for two seconds; medians of five runs.",
                "speed:over_threads", ("cpu",),
            ),
            drawing=Drawing("lines", "threads", _RATE, "xy"),
        ),
        Entry(
            id="energy",
            place="Chart 4, 2-opt",
            title="Energy of a climb of kroA100, by variant",
            headline="A tour costs what the GPU draws while it is made: the fastest variant is the cheapest.",
            recipe=Recipe(
                "Joules that the GPU takes, by its driver (NVML), while 100,000 climbs go on again and again for a "
                "second or more, over the climbs; medians of five.",
                "speed:energy", ("cuda",), {"variants": OVER_CLIMBERS},
            ),
            drawing=Drawing("bars", "", "energy of a climb (mJ)"),
        ),
        Entry(
            id="roofline",
            place="Chart 5, 2-opt",
            title="Roofline: operations a second over operations a byte",
            headline="Below the slope memory is the limit, below the flat roof arithmetic; above the slope are caches.",
            recipe=Recipe(
                "Throughput of each variant on 1,000 cities (matr_s and hundred-cities: 200), times the operations and "
                "bytes of a move that its scan has. The roofs of a GPU by its clock, multiprocessors and memory, those "
                "of cores by a loop of fused multiply-adds and by summing an array that no cache holds.",
                "roofline:measure",
            ),
            drawing=Drawing("roofline", "operations a byte", "operations (billions/s)", "xy"),
        ),
    ),
)  # fmt: skip
