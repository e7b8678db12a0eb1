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
    machine="an H200, and this machine on request",
    claim="Moves that each variant of 2-opt evaluates per second, the energy of a tour, and the nearest limit.",
    entries=(
        Entry(
            id="two-opt-cities",
            place="Chart 1, 2-opt",
            title="Throughput of 2-opt over the number of cities",
            headline="Variants that read a matrix are limited by the memory that holds it; others hardly depend on n.",
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
            headline="With a block per climber, a thousandth of the climbers fills a GPU.",
            recipe=Recipe(
                "Moves of complete climbs of kroA100 per second until all climbers have reached local optima; "
                "medians of five runs, compilation excluded.",
                "speed:over_climbers", ("cuda",), {"variants": OVER_CLIMBERS},
            ),
            drawing=Drawing("lines", "climbers", _RATE, "xy"),
        ),
        Entry(
            id="two-opt-threads",
            place="Chart 3, 2-opt",
            title="Throughput of 2-opt over the number of threads, kroA200",
            headline="Climbers are independent, so threads on separate cores hardly disturb each other.",
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
            headline="A tour costs the energy that the GPU draws meanwhile, so the fastest variant is the cheapest.",
            recipe=Recipe(
                "Joules per climb, as reported by the GPU's driver (NVML) while 100,000 climbs repeat for a second "
                "or more; medians of five.",
                "speed:energy", ("cuda",), {"variants": OVER_CLIMBERS},
            ),
            drawing=Drawing("bars", "", "energy of a climb (mJ)"),
        ),
        Entry(
            id="roofline",
            place="Chart 5, 2-opt",
            title="Roofline: operations a second over operations a byte",
            headline="Below the slope, memory is the limit; below the flat roof, arithmetic; points above the slope "
            "use caches.",
            recipe=Recipe(
                "Throughput of each variant on 1,000 cities (matr_s and hundred-cities: 200), multiplied by the "
                "operations and bytes per move of its scan. A GPU's roofs come from its clock, multiprocessors and "
                "memory; those of cores from a loop of fused multiply-adds and the sum of an array larger than the "
                "caches.",
                "roofline:measure",
            ),
            drawing=Drawing("roofline", "operations a byte", "operations (billions/s)", "xy"),
        ),
    ),
)  # fmt: skip
