"""J. Utne and H. N. W. Hansen (2023): 2-opt by blocks of a GPU, beside sequential 2-opt, annealing and ants."""

from papers import utne_hansen_records as records
from papers.model import AuthorsCode, Drawing, Entry, Likeness, Paper, Recipe, Table

_INSTANCES = records.INSTANCES
_PEAK = "1,555 GB/s"
#: Source of the charts' figures.
_RECORDS = "The published figures are those of the authors' records, in github.com/henni3/BA-project."
_BEST_OF_FIVE = "the median of five seeds instead of one of several that the authors tried"
_READ_BYTES = (
    "a median of five runs instead of a mean of 100; TourScope's time includes making the start tours, and its bytes "
    "are those of distances alone, 99.9 % of the authors'"
)
_READ_ONCE = (
    f"{_READ_BYTES}; numbers of climbers that occur in several figures are measured once, while the authors measured "
    "them for each figure"
)
_TEXT_SCANS = "The text has 150 and 236 scans for kroA200 and pr439, the table 147 and 264."


def _accuracy_table(rows: dict[int, tuple[int, float]]) -> Table:
    """Return the lowest lengths and accuracies by number of climbers."""
    figures: dict[str, tuple[float | None, ...]] = {f"{climbers:,}": pair for climbers, pair in rows.items()}
    return Table("Climbers", ("lowest length", "accuracy"), ("", "%"), figures)


_BERLIN52 = _accuracy_table(
    {
        1: (8401, 89.7750268), 2: (8401, 89.7750268), 5: (8118, 92.9046563), 10: (7713, 97.7829638), 20: (7542, 100),
        50: (7542, 100), 100: (7542, 100), 200: (7542, 100),
    },
)  # fmt: skip
_KROA100 = _accuracy_table(
    {
        1: (22805, 93.32164), 10: (22236, 95.70966), 100: (21601, 98.5232165), 1000: (21450, 99.2167832),
        10_000: (21292, 99.953034), 20_000: (21292, 99.953034), 50_000: (21292, 99.953034), 75_000: (21282, 100),
        100_000: (21282, 100), 125_000: (21282, 100),
    },
)  # fmt: skip
_KROA200 = _accuracy_table(
    {
        1: (46062, 63.7575442), 100: (31119, 94.3732125), 1000: (30346, 96.77717), 10_000: (30200, 97.2450331),
        50_000: (29974, 97.9782478), 100_000: (29974, 97.9782478), 500_000: (29850, 98.3852596),
        1_000_000: (29850, 98.3852596), 1_500_000: (29689, 98.9187915), 5_000_000: (29665, 98.9988202),
        10_000_000: (29665, 98.9988202),
    },
)  # fmt: skip


def _accuracy_entries(instance: str, section: str, figure: int, published: Table, headline: str) -> tuple[Entry, Entry]:
    recipe = Recipe(
        f"The shortest of the given number of climbs of {instance}, five seeds each; the paper's numbers of climbers.",
        "two_opt:accuracy", ("cuda", "cpu"), {"instance": instance},
    )  # fmt: skip
    title = f"Lowest length over the number of climbers, {instance}"
    likeness = Likeness(
        _BEST_OF_FIVE, "climbs to a local optimum, while many of the authors' climbs stop early; other random tours"
    )
    return (
        Entry(
            f"accuracy-{instance.lower()}", f"Table in section {section}", title, recipe, Drawing(), headline,
            published, likeness=likeness,
        ),
        Entry(
            f"figure-{figure}", f"Figure {figure}, section {section}", title, recipe,
            Drawing("lines", "climbers", "accuracy (%)", "x"), headline, published,
            "The chart of the table before it.", likeness=likeness,
        ),
    )  # fmt: skip


#: Results of both authors' codes, by table.
_CODES = {
    2: AuthorsCode(
        "their three kernels, and TSP_GPU 1.1 of O'Neil et al.",
        Table(
            "Code", ("100,000", "10,000", "1,000"), ("ms", "ms", "ms"),
            {
                "O'Neil et al.": (102.4, 102.0, 90.7), "original": (230.1, 23.5, 2.9),
                "hundred-cities": (205.4, 21.0, 2.6), "calculated": (225.1, 22.9, 2.7),
            },
        ),
    ),
}  # fmt: skip


def _times_entry(table: int, instance: str, columns: tuple[str, ...], rows: dict[str, tuple[float, ...]]) -> Entry:
    return Entry(
        id=f"table-{table}",
        place=f"Table {table}, section 7.6.1",
        title=f"Milliseconds until all climbers of {instance} are done",
        headline="A few climbers are faster with a block each, many with a thread each.",
        published=Table("Code", columns, ("ms",) * len(columns), dict(rows)),
        recipe=Recipe(
            f"Time from the launch until this many climbers of {instance} are done: matr_s (beside O'Neil et al.); "
            "original, hundred-cities and calculated as the authors' program climbs, then to local optima, then with "
            "blocks that are fitted to the GPU; strip and multi-move. Medians of five runs, compilation excluded.",
            "two_opt:times", ("cuda",), {"instance": instance},
        ),
        drawing=Drawing("table"),
        authors_code=_CODES.get(table),
        note="The paper's “TSP - Texas” is the code of O'Neil et al. of 2011, whose mapping TourScope's matr_s uses. "
        "The authors' climbs stop early when a tie loses the best move.",
        likeness=Likeness(
            "the launch alone, a median of five; the paper says only run time, and the program in its repository "
            "takes a mean of 100 runs, each with arrays of i and j, a reduction over all climbers and copies to the "
            "host",
            "the same for original, hundred-cities and calculated: blocks of up to 1,024 threads, tours of 16 bits, "
            "their reduction and start tours; the row of O'Neil et al. has TourScope's matr_s, from other start tours",
        ),
    )  # fmt: skip


def _bandwidth_entry(figure: int, instances: tuple[str, ...], max_climbers: int, section: str, headline: str) -> Entry:
    subject = instances[0] if len(instances) == 1 else "all six instances"
    return Entry(
        id=f"figure-{figure}",
        place=f"Figure {figure}, section {section}",
        title=f"Bytes read a second over 1 to {max_climbers:,} climbers, {subject}",
        headline=headline,
        published=Table(
            "Climbers", instances, ("GB/s",) * len(instances),
            {
                f"{climbers:,}": tuple(rates[_INSTANCES.index(name)] for name in instances)
                for climbers, rates in records.BYTES_READ[max_climbers].items()
            },
        ),
        recipe=Recipe(
            "Bytes of the matrix that the variant calculated reads, as the authors' program climbs, by the time of all "
            "climbs; medians of five runs for each number of climbers, compilation excluded.",
            "two_opt:bandwidth", ("cuda",), {"instances": instances, "most": max_climbers},
        ),
        drawing=Drawing("lines", "climbers", "throughput (GB/s)"),
        note=_RECORDS,
        likeness=Likeness(_READ_ONCE),
    )  # fmt: skip


def _convergence_entry(
    figure: int, algorithm: str, method_name: str, method: str, headline: str, column: str, lengths: dict[int, int],
    likeness: Likeness,
) -> Entry:  # fmt: skip
    return Entry(
        id=f"figure-{figure}",
        place=f"Figure {figure}, section 7.3",
        title=f"Length over iterations of sequential {method_name}, swiss42",
        headline=headline,
        published=Table("Iterations", (column,), ("",), {f"{k:,}": (length,) for k, length in lengths.items()}),
        recipe=Recipe(
            f"One run on one core: {method}.",
            "sequential:convergence", ("cpu",), {"algorithm": algorithm},
        ),
        drawing=Drawing("lines", "iterations", "length"),
        run=algorithm,
        note=_RECORDS,
        likeness=likeness,
    )  # fmt: skip


_RISES = "Throughput rises with the number of climbers."

#: Table 4, drawn in figure 22.
_SCANS = Table(
    "Instance", ("scans a climb", "throughput"), ("", "GB/s"),
    {
        "swiss42": (29, 399.94), "berlin52": (43, 596.84), "kroA100": (92, 1592.35),
        "kroB100": (92, 1584.71), "kroA200": (147, 2487.95), "pr439": (264, 2521.72),
    },
)  # fmt: skip

PAPER = Paper(
    id="utne-hansen",
    authors="Jóhann Utne, Henriette Naledi Winther Hansen",
    year=2023,
    title="Solving TSP on the GPU based on heuristic algorithms",
    venue="Report, Department of Computer Science, 10 June 2023",
    machine="NVIDIA A100 PCIe 40 GB",
    claim="For 1,000 climbers, one block of threads per climber, computing i and j, is 27 times as fast as one thread "
    "per climber, and reads up to 1.6 times as much as memory could give.",
    entries=(
        Entry(
            id="table-1",
            place="Table 1, section 7.2",
            title="The instances",
            headline="Six instances of TSPLIB, from 42 to 439 cities.",
            published=Table(
                "Instance", ("cities", "optimum"), ("", ""),
                {
                    "swiss42": (42, 1273), "berlin52": (52, 7542), "kroA100": (100, 21282), "kroB100": (100, 22141),
                    "kroA200": (200, 29368), "pr439": (439, 107217),
                },
            ),
            recipe=Recipe("The bundled files and their known optima.", "instances:table",
                          ("cpu", "cuda"), {"instances": _INSTANCES}),
            drawing=Drawing(),
            likeness=Likeness(),
        ),
        _convergence_entry(
            7, "two-opt", "2-opt",
            "the shortest length of 17 climbs from random tours, after each of them, over the scans of the "
            "neighbourhood that all climbs until then took",
            "The best solution of the three methods, after 625 iterations.", "length", records.TWO_OPT,
            Likeness(parameters="17 climbs, as many as the authors' run makes in 625 of 3,640 iterations, from other "
            "random tours"),
        ),
        _convergence_entry(
            8, "ant-system", "ants",
            "1,000 iterations of as many ants as cities with alpha 1, beta 5, rho 0.5 and Q 100, no weight below "
            "0.0001, trails from 0.0001 to 100,000 that begin at 0.01 and evaporate once for each ant; every tenth "
            "iteration's best length, and the best so far",
            "They start badly, and nothing improves after 400 iterations.", "best length", records.ANTS,
            Likeness(parameters="the same as in the authors' program, with 42 ants; the authors do not give their "
            "number"),
        ),
        _convergence_entry(
            9, "simulated-annealing", "annealing",
            "246 draws, of which those with i > j change nothing, the temperature falling after each from the cube of "
            "the number of edges; every tenth length, and the best so far",
            "It ends after 246 iterations, far from the optimum.", "length", records.ANNEALING,
            Likeness(parameters="the same as in the authors' program, from another random tour"),
        ),
        *_accuracy_entries("berlin52", "7.4.1", 10, _BERLIN52, "Optimal from 20 climbers on."),
        *_accuracy_entries("kroA100", "7.4.2", 11, _KROA100, "Optimal from 75,000 climbers on."),
        *_accuracy_entries(
            "kroA200", "7.5", 12, _KROA200, "1.01 % above the optimum after 10,000,000 climbers, never optimal."
        ),
        _times_entry(
            2, "kroA100", ("300,000", "200,000", "100,000", "50,000", "10,000", "1,000"),
            {
                "O'Neil et al.": (546, 337, 144, 144, 143, 136), "original": (1187, 792, 396, 198, 40, 5),
                "hundred-cities": (1070, 714, 357, 179, 36, 4), "calculated": (1150, 765, 382, 191, 39, 5),
            },
        ),
        _times_entry(
            3, "berlin52", ("100,000", "50,000", "10,000", "1,000"),
            {
                "O'Neil et al.": (18, 17, 17, 17), "original": (117, 59, 12, 2), "hundred-cities": (108, 54, 11, 2),
                "calculated": (118, 59, 12, 2),
            },
        ),
        _bandwidth_entry(13, ("swiss42",), 1000, "7.7.3", f"About 30 % of {_PEAK}."),
        _bandwidth_entry(14, ("berlin52",), 1000, "7.7.4", f"About 40 % of {_PEAK}."),
        _bandwidth_entry(15, ("kroA100",), 1000, "7.7.5", _RISES),
        _bandwidth_entry(16, ("kroB100",), 1000, "7.7.6", _RISES),
        _bandwidth_entry(17, ("kroA200",), 1000, "7.7.7", f"About 160 % of {_PEAK}, by the L2 cache."),
        _bandwidth_entry(18, ("pr439",), 1000, "7.7.8", f"About 160 % of {_PEAK}, by the L2 cache."),
        _bandwidth_entry(19, _INSTANCES, 1000, "7.7.9", _RISES),
        _bandwidth_entry(20, _INSTANCES, 5000, "7.7.9", _RISES),
        _bandwidth_entry(21, _INSTANCES, 10_000, "7.7.9", _RISES),
        Entry(
            id="figure-22",
            place="Figure 22, section 7.7.10",
            title="Bytes read a second over the scans that a climb takes",
            headline="The maximum is reached at about 150 scans per climb.",
            published=_SCANS,
            recipe=Recipe(
                "Mean scans of a climb and bytes of the matrix read a second by the variant calculated, as the "
                "authors' program climbs, with 1,000 climbers of each of the six instances; medians of five runs.",
                "two_opt:scans", ("cuda",), {"instances": _INSTANCES},
            ),
            drawing=Drawing("lines", "scans a climb", "throughput (GB/s)"),
            note=f"The chart of table 4, whose figures are those here. {_TEXT_SCANS}",
            likeness=Likeness(_READ_BYTES),
        ),
        Entry(
            id="table-4",
            place="Table 4, section 7.7.10",
            title="Scans a climb, and bytes read a second, with 1,000 climbers",
            headline=f"From 399.94 to 2,521.72 GB/s; the memory gives {_PEAK}.",
            published=_SCANS,
            recipe=Recipe(
                "Mean scans of a climb and bytes of the matrix read a second by the variant calculated, as the "
                "authors' program climbs, with 1,000 climbers; medians of five runs.",
                "two_opt:scans", ("cuda",), {"instances": _INSTANCES},
            ),
            drawing=Drawing(),
            note=f"{_TEXT_SCANS} The authors' climbs stop early when a tie loses the best move.",
            likeness=Likeness(_READ_BYTES),
        ),
        Entry(
            id="section-8-4",
            place="Section 8.4, further work",
            title="2-opt, ants and annealing beyond 100 cities, at equal time",
            headline="The tours of the authors' solver should be compared with those of ants and annealing on GPUs, "
            "also beyond 100 cities.",
            recipe=Recipe(
                "Gaps to the optimum of 2-opt from random tours, MAX-MIN Ant System without local search and "
                "simulated annealing after a second, compilation excluded; five seeds each.",
                "quality:at_equal_time", ("cuda", "cpu"), {"instances": ("kroA200", "pr1002")},
            ),
            drawing=Drawing("bars", "", "above the optimum (%)"),
            likeness=Likeness("chosen here: the report has no figures", "chosen here", "chosen here"),
        ),
    ),
)  # fmt: skip
