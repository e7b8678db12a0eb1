"""A. Uchida, Y. Ito and K. Nakano (2012): Ant System with four ways to select the next city, on a GTX 580."""

from papers.model import Drawing, Entry, Likeness, Paper, Recipe, Table

_INSTANCES = ("d198", "a280", "lin318", "pcb442", "rat783", "pr1002", "pr2392")
_UNITS = ("ms", "ms", "x")
_COLUMNS = ("CPU", "GPU", "speed-up")
_FETCHED = "pr2392 is only measured if it was downloaded, since it is not bundled."
_MEDIANS = "the same; medians, while the paper does not define its times"
_CONSTRUCTION = (
    "medians after a few iterations; the paper does not define its times, which seem to be means of 100; TourScope's "
    "times exclude the fitness and prefix sums that the paper's section on construction includes"
)
_ROUNDED = "distances are TSPLIB's integers, the paper's are not rounded"
_CORE = "on a core, TourScope reads every city at each step; the paper only says that its CPU code computes prefix sums"
_AS = "alpha 1, beta 2, rho 0.5 and as many ants as cities"


def _instance_table(*rows: tuple[float, float, float]) -> Table:
    return Table("Instance", _COLUMNS, _UNITS, dict(zip(_INSTANCES, rows, strict=True)))


PAPER = Paper(
    id="uchida",
    authors="Akihiro Uchida, Yasuaki Ito, Koji Nakano",
    year=2012,
    title="An Efficient GPU Implementation of Ant Colony Optimization for the Traveling Salesman Problem",
    venue="International Conference on Networking and Computing",
    machine="GeForce GTX 580; CPU figures: one core of a Core i7 860",
    claim="Ant System on a GPU is up to 43.47 times as fast as on one core, by trials that rarely read all cities.",
    entries=(
        Entry(
            id="figure-8",
            place="Figure 8, section V.A",
            title="How many trials it takes to select the next city, on pr1002 after 100 iterations",
            headline="Half of the cities take one trial, 84 % at most five, about 90 % at most 32.",
            published=Table(
                "Trials", ("cities decided",), ("%",), {"1": (50,), "5": (84,), "32": (90,)},
            ),
            recipe=Recipe(
                f"One iteration of stochastic trials after 100 of them, with {_AS}: the share of all selections that "
                "were decided within so many trials; medians of five runs.",
                "ants:trials", ("cuda",),
            ),
            drawing=Drawing("lines", "trials", "cities decided (%)"),
            likeness=Likeness(
                "the share of all ants' choices, while the paper seems to count one ant",
                f"the same, but with at most 64 trials, after iterations with integer deposits; {_ROUNDED}",
            ),
        ),
        Entry(
            id="figure-9",
            place="Figure 9, section V.A",
            title="Construction over the share of cities visited at which the hybrid switches, on pr1002",
            headline="It is fastest if it switches once 85 % of the cities are visited.",
            recipe=Recipe(
                f"Construction of all tours by the hybrid after 100 iterations, with {_AS}, over the switch and the "
                "number of trials; medians of ten launches, compilation excluded.",
                "ants:switch", ("cuda",),
            ),
            drawing=Drawing("lines", "cities visited at the switch (%)", "construction (ms)"),
            likeness=Likeness(
                _MEDIANS,
                "four trials at once, after iterations with integer deposits, and 1 to 32 trials after 100 "
                f"iterations, since the paper gives neither; {_ROUNDED}",
            ),
            note="At 0 % there are no trials, whatever their number, so it is measured once, in the first column.",
        ),
        Entry(
            id="table-i",
            place="Table I, section V.A",
            title="Construction by the four selections, on pr1002",
            headline="Trials halve the time, and the hybrid takes another tenth off.",
            published=Table(
                "Selection", ("GPU",), ("ms",),
                {
                    "without-compression": (235.43,), "with-compression": (217.94,), "stochastic-trial": (96.37,),
                    "hybrid": (86.43,),
                },
            ),
            recipe=Recipe(
                f"Construction of all tours in one iteration, with {_AS}, one trial after the other, by the variant "
                "block on a GPU and sequential on a core; medians, compilation excluded.",
                "ants:selections",
            ),
            drawing=Drawing("bars", "", "construction (ms)", "y"),
            likeness=Likeness(_CONSTRUCTION, f"the same; {_ROUNDED}"),
        ),
        Entry(
            id="table-ii",
            place="Table II, section V.A",
            title="Construction, by instance",
            headline="7.69 to 43.79 times as fast as one core.",
            published=_instance_table(
                (19.84, 2.58, 7.69), (47.05, 4.95, 9.50), (95.15, 8.86, 10.74), (180.61, 11.35, 15.92),
                (1215.31, 56.38, 21.56), (3784.43, 86.43, 43.79), (58452.20, 2078.98, 28.12),
            ),
            recipe=Recipe(
                f"Construction of all tours in one iteration by the hybrid, one trial after the other, with {_AS}: "
                "variant block on a GPU, sequential on one core; medians, compilation excluded.",
                "ants:construction",
            ),
            drawing=Drawing("lines", "cities", "construction (ms)", "xy"),
            likeness=Likeness(_CONSTRUCTION, f"the same; {_CORE}; {_ROUNDED}"),
            note="The paper only says of its CPU code that it computes prefix sums; TourScope reads every city at "
            f"every step. {_FETCHED}",
        ),
        Entry(
            id="table-iii",
            place="Table III, section V.B",
            title="Update of the pheromone, by instance",
            headline="22.92 to 67.08 times as fast as one core.",
            published=_instance_table(
                (0.963, 0.036, 26.64), (1.384, 0.060, 22.92), (2.797, 0.070, 39.88), (4.692, 0.113, 41.43),
                (16.770, 0.320, 52.37), (34.877, 0.520, 67.08), (222.762, 5.411, 41.17),
            ),
            recipe=Recipe(
                f"Evaporation and deposits of all ants in one iteration by the paper's two kernels (deposit rows), "
                f"after one that lists successors, with {_AS}; medians, compilation excluded.",
                "ants:update",
            ),
            drawing=Drawing("lines", "cities", "update (ms)", "xy"),
            likeness=Likeness(
                "more than the paper's: a third kernel lists successors, which its construction makes, and "
                "symmetrising computes the fitness too, which our core does in another phase, so that the speed-up "
                "compares unlike work",
                f"the same, but deposits are integers instead of floats; {_ROUNDED}",
            ),
            note=_FETCHED,
        ),
        Entry(
            id="table-iv",
            place="Table IV, section V.C",
            title="Whole runs of 100 iterations, by instance",
            headline="7.52 to 43.47 times as fast as one core; pr1002 in 8.71 s.",
            published=_instance_table(
                (2080.72, 263.91, 7.52), (4844.59, 505.51, 9.31), (9797.03, 897.29, 10.61), (18534.37, 1153.95, 15.66),
                (123220.58, 5673.15, 21.43), (381949.72, 8706.32, 43.47), (5867605.87, 208478.18, 28.04),
            ),
            recipe=Recipe(
                "The set-up and 100 iterations by the hybrid, one trial after the other, and deposit rows, with "
                f"{_AS}; reporting is included, compilation is not. On a core, 100 times the median iteration.",
                "ants:hundred_iterations",
            ),
            drawing=Drawing("lines", "cities", "100 iterations (ms)", "xy"),
            likeness=Likeness(
                f"{_MEDIANS}; TourScope's time includes reporting, and on a core is 100 times an iteration without the "
                "set-up that the paper includes",
                f"the same; {_CORE}; {_ROUNDED}",
            ),
            note=_FETCHED,
        ),
    ),
)  # fmt: skip
