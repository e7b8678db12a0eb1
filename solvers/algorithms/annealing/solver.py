"""Simulated annealing: chains of random moves that may lengthen the tour while the temperature is high."""

from collections.abc import Generator, Iterator
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.variants import CUDA_VARIANTS, EXCHANGE, MAX_REPLICAS, AnnealingVariant
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Solver, Variant
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.algorithms.annealing.cpu import ChainWorker

_KERNEL = "solvers.algorithms.annealing.kernels.anneal_cpu:advance"

#: Seconds per drawn move, for `solvers.core.solver.Solver.first_row_seconds`: a chain that drew 500 moves per city at
#: each of 59 temperatures took 3.0 s for 1,000 cities and 15.1 s for 5,000.
_MOVE_SECONDS = 1.0e-7


class SimulatedAnnealing(Solver[AnnealingParams]):
    """Simulated annealing by 2-opt moves among nearest cities."""

    name: ClassVar[str] = "simulated-annealing"
    title: ClassVar[str] = "Simulated annealing"
    family: ClassVar[str] = "local search"
    source: ClassVar[str] = (
        'S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing" (1983); V. Cerny, '
        '"Thermodynamical Approach to the Traveling Salesman Problem" (1985); with the neighbour lists of D. S. '
        'Johnson and L. A. McGeoch, "The Traveling Salesman Problem: A Case Study in Local Optimization" (1997)'
    )
    summary: ClassVar[str] = (
        "Each chain makes random exchanges of two edges, accepts longer tours while hot, and cools to a local optimum."
    )
    params: ClassVar[type[Params]] = AnnealingParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant("cpu", "cpu", _KERNEL, "Chains in parallel, one thread a core.", directed=True),
        Variant("sequential", "cpu", _KERNEL, "One chain after the other, on one thread.", directed=True),
        Variant(
            EXCHANGE,
            "cpu",
            "solvers.algorithms.annealing.kernels.exchange_cpu:exchange",
            "Ours: chains at the temperatures of a ladder, exchanged by the rule of Metropolis; all cores.",
            'K. Hukushima and K. Nemoto, "Exchange Monte Carlo Method and Application to Spin Glass Simulations" '
            "(1996); R. H. Swendsen and J.-S. Wang (1986); C. J. Geyer (1991)",
            "A tour, its positions and its best tour for each replica.",
            "Nothing cools: a tour that is stuck in the cold gets hot again, and good tours sink to the cold.",
        ),
        *CUDA_VARIANTS,
    )
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("simulated-annealing")
    iteration_unit: ClassVar[str] = "chain"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"
    needs_matrix_on_globe: ClassVar[bool] = True

    def solve(self, job: Job[AnnealingParams]) -> Generator[Event, None, None]:
        """Run the chains and report them in order; see `solvers.algorithms.annealing.reporter.ChainReporter`.

        Raises
        ------
        DeviceUnavailable
            If a GPU is requested and there is none.
        InstanceTooLarge
            See `solvers.core.kernel_distances.build_measure` and `solvers.algorithms.annealing.chains_cuda`.
        """
        yield Compiling()
        variant = job.variant
        if isinstance(variant, AnnealingVariant):
            from solvers.algorithms.annealing.cuda import solve

            yield from solve(job, variant)
            return
        start_time = perf_counter()
        from solvers.algorithms.annealing.reporter import ChainReporter, run_chains

        if variant.name == EXCHANGE:
            yield from self._exchange(job, start_time)
            return
        chains = job.params.chains
        make_reporter = partial(ChainReporter, job, chains, job.params.levels)
        yield from run_chains(job, self.name, start_time, chains, _make_workers, make_reporter)

    def _exchange(self, job: Job[AnnealingParams], start_time: float) -> Iterator[Event]:
        """Run the `replica-exchange` variant."""
        from solvers.algorithms.annealing.replica_exchange import ReplicaExchange
        from solvers.algorithms.annealing.reporter import ChainReporter

        replicas, threads = ReplicaExchange(job), min(job.params.chains, cpu_threads())
        yield Started(self.name, EXCHANGE, cpu_text(threads), threads, perf_counter() - start_time)
        reporter = ChainReporter(job, job.params.chains, job.params.periods)
        yield from reporter.report_all(replicas.slices(threads, job.stop.evaluations_left))
        if job.stop.reason is not None and replicas.is_busy:
            yield from reporter.report_best_running(*replicas.best, replicas.count_other_evaluations())

    def refusal(self, instance: Instance, params: AnnealingParams, device: str) -> str:
        """See `solvers.core.solver.Solver`."""
        if params.variant == EXCHANGE and params.chains > MAX_REPLICAS:
            return f"{EXCHANGE} takes at most {MAX_REPLICAS} chains."
        return ""

    def first_row_seconds(self, n: int, params: AnnealingParams, threads: int) -> float:
        """See `solvers.core.solver.Solver`; each thread runs its own chain."""
        if params.variant == EXCHANGE:  # all replicas finish at the same time
            draws = params.periods * params.exchange_after * n * -(-params.chains // max(1, threads))
            return _MOVE_SECONDS * draws
        return _MOVE_SECONDS * params.draws_per_temperature(n) * params.levels

    def replay(self, job: Job[AnnealingParams], climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` of one chain."""
        from solvers.algorithms.annealing.cpu import AnnealingSlice
        from solvers.algorithms.annealing.reporter import replay, select_parts

        if job.params.variant == EXCHANGE:
            from solvers.algorithms.annealing.replica_exchange import ReplicaExchange

            slices = ReplicaExchange(job).slices(cpu_threads(), None)
            yield from select_parts((each for each in slices if isinstance(each, AnnealingSlice)), job, climber)
            return
        yield from replay(_make_workers(job, 1)[0], job, climber)


def _make_workers(job: Job, threads: int) -> "list[ChainWorker]":
    """Return the workers for a job; directed instances have workers of their own."""
    if job.instance.directed:
        from solvers.algorithms.annealing.directed import make_directed_workers

        return make_directed_workers(job, threads)
    from solvers.algorithms.annealing.cpu import make_chain_workers

    return make_chain_workers(job, threads)
