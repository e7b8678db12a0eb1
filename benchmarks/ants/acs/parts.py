"""The parts of the Ant Colony System benchmark: the table and figures of Qin and Han (2022), and additional ones.

The paper does not name its instances; ours are random uniform instances of the same sizes.
"""

from functools import partial

from benchmarks.ants.acs.variants import PAPERS, VARIANTS, WHOLE, TimedVariant, run_completely, time_iterations
from benchmarks.ants.colonies import Entries, Plan
from data.generators import uniform
from solvers.core.devices import cpu_threads

#: Numbers of cities, ants and iterations in most figures.
_CITIES, _ANTS, _ITERATIONS = 2048, 128, 256
#: Figure 2: the numbers of cities, and the ratio of ants to cities.
_FEW_CITIES, _SHARE = (100, 200, 400, 600, 800, 1000), 0.6
#: Figures 5 and 6: the numbers of ants, and of iterations.
_COLONIES, _LONG = (32, 64, 128, 256, 512, 1024), 1024
#: Numbers of cities in figure 7, and a larger one.
_SIZES = (256, 512, 1024, 2048, 4096, 8192, 20_000)
_STRATEGIES = ("none", "last", "every")


def measure_table_1(plan: Plan, device: str) -> Entries:
    """Measure table 1: an iteration of every variant."""
    for variant in VARIANTS[device]:
        yield time_iterations(plan, uniform(_CITIES, 1), variant, ants=_ANTS, two_opt="none")


def measure_figure_2(plan: Plan, device: str) -> Entries:
    """Measure figure 2: an iteration with 1, 2, 4, ... threads and processes, up to the number of cores."""
    counts = sorted({*(2**k for k in range(10) if 2**k < cpu_threads()), cpu_threads()})
    for n in _FEW_CITIES:
        for kind, variant in (("threads", TimedVariant("cpu", "deferred")), ("ranks", TimedVariant("mpi", "deferred"))):
            for count in counts:
                params = {kind: count, "ants": round(_SHARE * n), "two_opt": "none"}
                yield time_iterations(plan, uniform(n, 1), variant, **params) | {"way": kind, "count": count}


def measure_figures_5_6(plan: Plan, device: str) -> Entries:
    """Measure figures 5 and 6: long runs with increasing numbers of ants, for one seed."""
    for ants in _COLONIES:
        run = partial(run_completely, plan, uniform(_CITIES, 1), PAPERS[device], 1)
        yield run(ants=ants, iterations=_LONG, two_opt="none")


def measure_figure_7(plan: Plan, device: str) -> Entries:
    """Measure figure 7: runs on increasing numbers of cities, for one seed."""
    for n in _SIZES:
        for variant in (PAPERS[device], WHOLE[device]):
            yield run_completely(plan, uniform(n, 1), variant, 1, ants=_ANTS, iterations=_ITERATIONS, two_opt="none")


def measure_figures_8_10(plan: Plan, device: str) -> Entries:
    """Measure figures 8 to 10: the three strategies of 2-opt."""
    for variant in (PAPERS[device], WHOLE[device]):
        for two_opt in _STRATEGIES:
            run = partial(run_completely, plan, uniform(_CITIES, 1), variant, plan.repeats)
            yield run(ants=_ANTS, iterations=_ITERATIONS, two_opt=two_opt)


def measure_figure_11(plan: Plan, device: str) -> Entries:
    """Measure figure 11: the maximum number of cities of the paper's program, with local search on the final tour."""
    for variant in (PAPERS[device], WHOLE[device]):
        yield run_completely(plan, uniform(8192, 1), variant, 1, ants=_ANTS, iterations=_ITERATIONS, two_opt="last")


def measure_pace(plan: Plan, device: str) -> Entries:
    """Time an iteration with as many ants as cities, on the instances of papers and other programs."""
    for instance in plan.load_instances():
        for variant in VARIANTS[device]:
            yield time_iterations(plan, instance, variant, ants=0, two_opt="none")


def measure_quality(plan: Plan, device: str) -> Entries:
    """Yield the lengths and seconds of 100 iterations, with all tours shortened by local search."""
    for instance in plan.load_instances():
        for variant in (WHOLE[device], TimedVariant(WHOLE[device].row, "racy"), PAPERS[device]):
            yield run_completely(plan, instance, variant, plan.repeats, ants=_ANTS, iterations=100, two_opt="every")


PARTS = {
    "table1": measure_table_1, "figure2": measure_figure_2, "figures5-6": measure_figures_5_6,
    "figure7": measure_figure_7,
    "figures8-10": measure_figures_8_10, "figure11": measure_figure_11, "pace": measure_pace,
    "quality": measure_quality,
}  # fmt: skip
#: Parts that measure a machine's cores.
OF_CORES = ("figure2",)
