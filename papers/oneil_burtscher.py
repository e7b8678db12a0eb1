"""M. A. O'Neil and M. Burtscher (2015): seven ways to run 2-opt on a GPU, as throughput over the number of cities."""

from papers.model import AuthorsCode, Drawing, Entry, Likeness, Paper, Recipe, Table

_METHOD = (
    "Billions of moves evaluated a second on kroA100, kroA200 and pr439 and, for 1,000 cities and more, on the first n "
    "cities of d18512, or random ones if it was not downloaded, with as many climbers as fill the GPU; medians of five "
    "launches, compilation excluded."
)
#: Their instances are the first n cities of d18512.
_INSTANCE = (
    "other cities: kroA100, kroA200 and pr439 up to 439 cities; larger instances are random if d18512 was not "
    "downloaded, which the results do not show"
)
_RULE = "tuned chooses its threads by a trial, not by the rule of slide 38 (block_threads rule)"
_THREADS = "the same mapping, with tours in global memory in place of local memory"
_ROUNDED = "distances are rounded to integers, unlike in the slides"
#: Differences of parameters, by variant; those of matr are `_THREADS`.
_PARAMETERS = {
    "calc": f"{_THREADS}; {_ROUNDED}", "intra": f"the same, but {_ROUNDED}", "tile": f"the same, but {_ROUNDED}",
    "tuned": f"{_RULE}; {_ROUNDED}",
}  # fmt: skip
_QUANTITY = "the same, but a budget of scans ends each launch, while the authors' climbs continue to a local minimum"
#: The seven variants of the slides, with the page's names and the slides' descriptions.
_WAYS = {
    "matr_s": "Every distance is read from shared memory, which limits it to 110 cities, and reads cause bank "
    "conflicts.",
    "matr_g": "It is not limited by shared memory, but scatters reads over a matrix larger than the L1 cache.",
    "matr_g_ro": "Nearly as fast as matr_s until the matrix exceeds the read-only cache and the L2 cache.",
    "calc": "Distances are recomputed instead of read, so memory grows linearly with n.",
    "intra": "One tour per block instead of per thread: less memory per block, but a reduction for each move.",
    "tile": "Most accesses go to shared memory, without conflicts, and its size does not limit the instance.",
    "tuned": "Like tile, with the number of threads that uses the GPU best.",
}


#: Results of their code with a fully loaded GPU, by variant.
_CODES = {
    "matr_s": AuthorsCode("TSP_GPU 1.1, kroA100", Table("Cities", ("matr_s",), ("billion moves/s",), {"100": (501,)})),
    "tuned": AuthorsCode(
        "TSP_GPU 2.2 and 2.3, the faster of the two",
        Table(
            "Cities", ("tuned",), ("billion moves/s",),
            {"100": (639,), "200": (733,), "439": (705,), "1,000": (795,), "2,000": (837,)},
        ),
        date="2026-11-22",
    ),
}  # fmt: skip


def _throughput_entry(variant: str, headline: str) -> Entry:
    return Entry(
        id=variant.replace("_", "-"),
        place=f"Slide “Throughput: {variant}”",
        title=f"Throughput of {variant} over the number of cities",
        headline=headline,
        recipe=Recipe(
            _METHOD,
            "two_opt:throughput",
            ("cuda",),
            {"variants": ("tuned", "tuned, rule") if variant == "tuned" else (variant,)},
        ),
        drawing=Drawing("lines", "cities", "throughput (billions of moves/s)", "x"),
        authors_code=_CODES.get(variant),
        likeness=Likeness(
            _QUANTITY,
            _PARAMETERS.get(variant, _THREADS),
            _INSTANCE,
        ),
    )


PAPER = Paper(
    id="oneil-burtscher",
    authors="Molly A. O'Neil, Martin Burtscher",
    year=2015,
    title="Rethinking the Parallelization of Random-Restart Hill Climbing: A Case Study in Optimizing a 2-Opt TSP "
    "Solver for GPU Execution",
    venue="Slides, Texas State University",
    machine="Tesla K40 (15 multiprocessors); CPU: two Xeons with 10 cores each",
    claim="Threads of a block that share a climber, with tiles in shared memory, are up to 3 times as fast as earlier "
    "GPU codes and up to 8 times as fast as 20 cores.",
    entries=(
        *(_throughput_entry(variant, headline) for variant, headline in _WAYS.items()),
        Entry(
            id="gpu-cpu",
            place="Slide “Throughput: GPU vs. CPU”",
            title="Throughput of tuned on a GPU beside OpenMP on 20 cores",
            headline="Up to 8 times as fast as OpenMP on 20 cores.",
            recipe=Recipe(
                f"{_METHOD} Beside it the variant cpu on all cores, evaluating every move of the same tours, "
                "for a second, five times.",
                "two_opt:throughput", ("cuda", "cpu"), {"variants": ("tuned", "cpu")},
            ),
            drawing=Drawing("lines", "cities", "throughput (billions of moves/s)", "xy"),
            likeness=Likeness(
                _QUANTITY,
                f"{_PARAMETERS['tuned']}; 16 cores by Numba's threads in place of 20 by OpenMP",
                _INSTANCE,
            ),
        ),
        Entry(
            id="first-solution",
            place="Slide “Conclusions”",
            title="Time until the first climb has ended",
            headline="Threads that share a climb reach a first solution sooner.",
            recipe=Recipe(
                "Time from the launch until a single climb from a random tour has ended, a climber a thread (matr_s, "
                "calc) and a climber a block (intra, tile, tuned by its rule); medians of five runs, compilation "
                "excluded.",
                "two_opt:first_solution", ("cuda",),
                {
                    "variants": ("matr_s", "calc", "intra", "tile", "tuned, rule"),
                    "instances": ("kroA100", "kroA200", "pr439", "pr1002"),
                },
            ),
            drawing=Drawing("lines", "cities", "first climb (ms)", "xy"),
            likeness=Likeness("chosen here: the slides have no figures", "chosen here", "chosen here"),
        ),
    ),
)  # fmt: skip
