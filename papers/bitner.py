"""S. Bitner (2025): worker and queen ants of Ant System, kernel by kernel and as CUDA graphs, on a Titan V."""

from papers.model import Drawing, Entry, Likeness, Paper, Recipe, Table

_INSTANCES = ("d198", "a280", "lin318", "pcb442", "rat783", "pr1002")
#: Comparison of parameters that his report omits.
_OTHER_PARAMS = (
    "the same; alpha 1, beta 2, rho 0.5 and the minimum trail are chosen here, since the report does not give them; "
    "a worker finds its city by bisection, the author's city by city, and only the author's queen draws with a margin"
)
_UNITS = ("ms",) * len(_INSTANCES)

PAPER = Paper(
    id="bitner",
    authors="Stanisław Bitner",
    year=2025,
    title="ACOTSP",
    venue="Report, 25 April 2025",
    machine="NVIDIA Titan V",
    claim="Queens, a block of threads an ant, pay for large instances; one graph of launches saves little.",
    entries=(
        Entry(
            id="table-1",
            place="Table 1, Performance",
            title="An iteration of worker and queen ants, with and without a CUDA graph",
            headline="Queens take half the time of workers on pr1002, and about as much on small instances.",
            published=Table(
                "Code", _INSTANCES, _UNITS,
                {
                    "worker": (2.36, 4.74, 5.47, 11.59, 37.73, 102.62),
                    "worker, graph": (2.33, 4.69, 5.42, 11.53, 37.71, 101.51),
                    "queen": (2.55, 4.76, 5.41, 11.18, 32.97, 54.78),
                    "queen, graph": (2.51, 4.71, 5.37, 11.08, 31.94, 52.73),
                },
                {
                    "worker": (0.69, 0.42, 0.18, 0.86, 0.30, 1.86),
                    "worker, graph": (0.90, 0.43, 0.19, 0.79, 0.31, 1.63),
                    "queen": (0.82, 0.14, 0.93, 0.90, 0.97, 0.27),
                    "queen, graph": (0.58, 0.51, 0.31, 0.41, 0.94, 0.14),
                },
            ),
            recipe=Recipe(
                "An iteration of as many ants as cities by the variants worker and queen with the deposits of the "
                "preset bitner-scaled, launched kernel by kernel and as one graph; medians of up to 100 iterations, "
                "compilation excluded.",
                "ants:iterations", ("cuda",),
            ),
            drawing=Drawing("lines", "cities", "iteration (ms)", "xy"),
            note="The paper gives means and standard deviations of 1,000 runs, TourScope gives medians.",
            likeness=Likeness("a median of up to 100 iterations instead of a mean of 1,000", _OTHER_PARAMS),
        ),
        Entry(
            id="table-2",
            place="Table 2, Performance",
            title="Each kernel of an iteration",
            headline="Tour construction takes most of the time, and nearly all of it on pr1002.",
            published=Table(
                "Kernel", _INSTANCES, _UNITS,
                {
                    "choice": (0.13, 0.18, 0.17, 0.27, 0.62, 0.97),
                    "construction, worker": (2.29, 4.67, 5.39, 11.49, 37.56, 102.38),
                    "construction, queen": (2.48, 4.68, 5.33, 11.87, 32.80, 54.54),
                    "update": (0.16, 0.19, 0.21, 0.27, 0.63, 0.97),
                    "best": (0.58, 0.57, 0.60, 0.56, 0.62, 0.62),
                },
                {
                    "choice": (0.39, 0.43, 0.34, 0.40, 0.17, 0.23),
                    "construction, worker": (0.68, 0.42, 0.18, 0.84, 0.30, 1.84),
                    "construction, queen": (0.28, 0.37, 0.25, 0.27, 0.47, 0.27),
                    "update": (0.25, 0.28, 0.28, 0.28, 0.38, 0.39),
                    "best": (0.24, 0.19, 0.18, 0.20, 0.26, 0.25),
                },
            ),
            recipe=Recipe(
                "Each phase of an iteration with the deposits of the preset bitner-scaled, launched again and again on "
                "the same tours: a summary of the trails (choice), construction, update of the pheromone and of the "
                "choice information, lengths and the best tour; medians, compilation excluded.",
                "ants:kernels", ("cuda",),
            ),
            drawing=Drawing("bars", "", "kernel (ms)", "y"),
            likeness=Likeness(
                "a median of 20 launches instead of a mean of 1,000 runs; TourScope's update also computes the "
                "choice information, so that choice is only a summary, and its best includes the tour lengths, which "
                "the author's update computes",
                _OTHER_PARAMS,
            ),
        ),
        Entry(
            id="deposits",
            place="Section “Pheromone update”",
            title="Pheromone update, by method of deposit",
            headline="Atomic additions are the fastest of three ways; scatter to gather and a histogram cost more.",
            recipe=Recipe(
                "Evaporation and deposits of all queens in one iteration by atomic additions (float-atomic), by whole "
                "numbers (fixed-point), row by row (rows, a block a row, which gathers) and by a sorted histogram of "
                "each row (histogram); medians, compilation excluded.",
                "ants:deposits", ("cuda",),
            ),
            drawing=Drawing("lines", "cities", "update (ms)", "xy"),
            likeness=Likeness(
                "the same comparison; the report gives only the times of atomic additions, in its table of kernels",
                "histogram is the author's, with integers and prefix sums; rows looks up each ant's next city, while "
                "the author's scatter to gather reads all tours for each edge",
            ),
        ),
        Entry(
            id="figure-1",
            place="Figure 1, Results",
            title="Tour lengths of workers and queens after 1,000 iterations",
            headline="Both end at very similar lengths.",
            recipe=Recipe(
                "The best length after 1,000 iterations of as many ants as cities by worker and queen with the "
                "deposits of the preset bitner-scaled, five seeds each.",
                "ants:quality", ("cuda",),
            ),
            drawing=Drawing("bars", "", "above the optimum (%)"),
            likeness=Likeness("the median of five seeds instead of the mean of five runs", _OTHER_PARAMS),
        ),
    ),
)  # fmt: skip
