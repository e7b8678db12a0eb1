"""Simulated annealing on CUDA matches the CPU draw by draw, however the work is cut.

Not collected with the other tests: see `simulated.run_cases`.
"""

import itertools
import math
import threading
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from numba import cuda as numba_cuda

from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import uniform
from solvers import find
from solvers.algorithms.annealing import chains_cuda, cpu
from solvers.algorithms.annealing import cuda as annealing_cuda
from solvers.algorithms.annealing.chains_cuda import GpuChains
from solvers.algorithms.annealing.cpu import make_chain_workers
from solvers.algorithms.annealing.kernels import acceptance, acceptance_cuda
from solvers.algorithms.annealing.kernels.chain_cpu import LEVEL, MOVES
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.reporter import ChainReporter
from solvers.algorithms.annealing.schedules import SCHEDULES
from solvers.algorithms.annealing.variants import CUDA_VARIANTS
from solvers.algorithms.two_opt.cpu import climb_in_parallel
from solvers.core.devices import Device, cuda_devices
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Progress, Rows, Started, Tour
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels.device_cuda import SIMULATED, cuda
from tests.solver_runs import KINDS, check_replays, collect_climbs, collect_events, fit_instance, make_spec, planar
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
NAME = "simulated-annealing"
CARD = pytest.mark.skipif(SIMULATED, reason="takes too long without a card")
#: A chain that is over soon.
SHORT = {"chains": 3, "moves_per_city": 2, "neighbours": 3, "final_temperature_ratio": 0.5}
CITIES = 11 if SIMULATED else 80
EACH = cases(KINDS, ("fractions", "explicit").__contains__)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Let chains stagnate for a shorter time when each draw takes a millisecond."""
    if SIMULATED:
        monkeypatch.setattr(cpu, "_QUENCH_DRAWS", 1)


def make_cities(kind):
    return fit_instance(find("held-karp"), KINDS[kind](), CITIES)


def run_solver(instance, variant="warp", seed=1, budget=None, **params):
    return collect_events(instance, make_spec(NAME, seed, budget, variant=variant, **(SHORT | params)))


def summarise_run(events):
    """A run's record of its chains: length, moves and draws of each, new bests, and the first chain's path."""
    rows = [np.stack([e.length, e.moves, e.evaluations]).T for e in events if isinstance(e, Rows)]
    bests = [(e.climber, e.length, e.order.tolist()) for e in events if isinstance(e, Tour)]
    inside = [np.stack([e.evaluations, e.best, e.current]).T for e in events if isinstance(e, Progress)]
    first = collect_climbs(events)[0]
    ends = [np.concatenate(each).tolist() for each in (rows, inside)]
    return ends, first.length, first.moves, first.steps, bests, events[-1].length


@pytest.mark.parametrize("kind", EACH)
def test_every_chain_equals_the_cpus(kind):
    instance = make_cities(kind)
    more = {} if SIMULATED else {"chains": 70, "moves_per_city": 30, "neighbours": 8}
    assert summarise_run(run_solver(instance, **more)) == summarise_run(run_solver(instance, "cpu", **more))


@pytest.mark.parametrize(
    "params", [{"far_move_rate": 0.5}, {"far_move_rate": 1.0}, {"temperature": 50.0}, {"acceptance": 0.9}], ids=str
)
def test_every_draw_mode_equals_the_cpus(params):
    instance = make_cities("grid")
    assert summarise_run(run_solver(instance, seed=7, **params)) == summarise_run(
        run_solver(instance, "cpu", seed=7, **params)
    )


@pytest.mark.parametrize(
    ("schedule", "cool_after", "finish"),
    cases(
        itertools.product(SCHEDULES, ("draw", "moves-per-city"), ("none", "best", "2-opt")),
        lambda case: case[1:] == ("moves-per-city", "2-opt"),
    ),
)
def test_every_schedule_and_finish_equals_the_cpus(schedule, cool_after, finish):
    instance = make_cities("grid")
    params = {"schedule": schedule, "cool_after": cool_after, "finish": finish, "far_move_rate": 0.3}
    for first in ("acceptance", "edges-cubed"):
        asked = {**params, "first_temperature": first, "acceptance": 0.5, "cooling": 0.8}
        assert summarise_run(run_solver(instance, seed=3, **asked)) == summarise_run(
            run_solver(instance, "cpu", seed=3, **asked)
        )


def run_rounds(instance, seed=1, **params):
    """A run of wei-wu-yu, and the events of the CPU's chains with the same rounds."""
    params = SHORT | {"variant": "wei-wu-yu", "proposals": 5 if SIMULATED else 96} | params
    events = collect_events(instance, make_spec(NAME, seed, **params))
    job = Job(instance, AnnealingParams(**params), seed, "cpu", Budget().start())
    reporter = ChainReporter(job, job.params.chains, job.params.levels)
    return events, list(reporter.report_all(climb_in_parallel([*make_chain_workers(job, 1)], job.params.chains, None)))


def essence(events):
    """`summarise_run` without the run's end."""
    bests = [(e.climber, e.length, e.order.tolist()) for e in events if isinstance(e, Tour)]
    rows = [np.stack([e.length, e.moves, e.evaluations]).T for e in events if isinstance(e, Rows)]
    first = collect_climbs(events)[0]
    return bests, np.concatenate(rows).tolist(), first.moves, first.steps


@pytest.mark.parametrize("kind", EACH)
def test_every_round_equals_the_cpus(kind):
    instance = make_cities(kind)
    more = {} if SIMULATED else {"chains": 70, "moves_per_city": 30, "neighbours": 8}
    on_gpu, on_cpu = run_rounds(instance, **more)
    assert essence(on_gpu) == essence(on_cpu)
    assert on_gpu[-1].length == tour_length(instance, on_gpu[-1].order)
    check_tour(instance.n, on_gpu[-1].order)


@pytest.mark.parametrize("finish", ["none", "best"])
@pytest.mark.parametrize("params", [{"far_move_rate": 1.0}, {"cool_after": "draw"}, {"temperature": 50.0}], ids=str)
def test_rounds_of_every_kind_equal_the_cpus(params, finish):
    on_gpu, on_cpu = run_rounds(make_cities("grid"), seed=7, finish=finish, **params)
    assert essence(on_gpu) == essence(on_cpu)


def test_slices_do_not_matter_to_rounds(monkeypatch):
    expected, _ = run_rounds(make_cities("grid"), chains=2)
    monkeypatch.setattr(chains_cuda, "_INITIAL_WORK", 1)
    monkeypatch.setattr(chains_cuda, "FIRST_LAUNCH_SECONDS", 0.0)
    monkeypatch.setattr(chains_cuda, "LAUNCH_SECONDS", 1e-9)
    monkeypatch.setattr(chains_cuda, "_MAX_MOVES", 3)
    again, _ = run_rounds(make_cities("grid"), chains=2)
    assert essence(again) == essence(expected)


@CARD
@pytest.mark.parametrize("name", ["kroA200", "att532", "pr1002", "ali535"])
def test_long_chains_equal_the_cpus(name):
    params = {"chains": 4, "moves_per_city": 40, "neighbours": 10, "final_temperature_ratio": 0.05}
    assert summarise_run(run_solver(load(name), **params)) == summarise_run(run_solver(load(name), "cpu", **params))


@pytest.mark.parametrize("work", [1, 150])
def test_slices_do_not_matter(work, monkeypatch):
    instance, params = make_cities("grid"), {"chains": 2}
    expected = summarise_run(run_solver(instance, **params))
    monkeypatch.setattr(chains_cuda, "_INITIAL_WORK", work)
    monkeypatch.setattr(chains_cuda, "FIRST_LAUNCH_SECONDS", 0.0)
    monkeypatch.setattr(chains_cuda, "LAUNCH_SECONDS", 1e-9 if work == 1 else 0.001)
    assert summarise_run(run_solver(instance, **params)) == expected


def test_a_full_log_does_not_matter(monkeypatch):
    instance, params = make_cities("grid"), {"chains": 2}
    expected = summarise_run(run_solver(instance, **params))
    monkeypatch.setattr(chains_cuda, "_MAX_MOVES", 3)
    monkeypatch.setattr(chains_cuda, "_MAX_ROWS", 2)
    assert summarise_run(run_solver(instance, **params)) == expected


def test_more_chains_than_slots(monkeypatch):
    instance, params = make_cities("explicit"), {"chains": 5 if SIMULATED else 3000}
    expected = summarise_run(run_solver(instance, **params))
    monkeypatch.setattr(chains_cuda, "_MAX_SLOTS", 2 if SIMULATED else 500)
    assert summarise_run(run_solver(instance, **params)) == expected


def test_any_chain_can_be_replayed():
    check_replays(make_cities("grid"), make_spec(NAME, 1, None, variant="warp", **SHORT))


@pytest.mark.parametrize("n", range(1, 8))
def test_few_cities(n):
    instance = uniform(n, 3)
    events = run_solver(instance)
    check_tour(n, events[-1].order)
    assert summarise_run(events) == summarise_run(run_solver(instance, "cpu"))


@pytest.mark.parametrize("budget", [{"iterations": 2}, {"evaluations": 50}, {"evaluations": 700}], ids=str)
def test_budget_cuts_at_the_same_place_as_on_the_cpu(budget):
    instance = make_cities("grid")
    events, expected = run_solver(instance, budget=budget), run_solver(instance, "sequential", budget=budget)
    assert events[-1].length == expected[-1].length
    assert events[-1].iterations == expected[-1].iterations


def test_run_cut_by_time_has_the_best_tour_of_all_chains():
    instance = load("berlin52") if SIMULATED else load("pr1002")
    events = run_solver(
        instance, budget={"seconds": 0.4}, chains=4 if SIMULATED else 400, moves_per_city=100_000, neighbours=8
    )
    end = events[-1]
    assert end.stop_reason == "time"
    assert end.iterations == 0
    assert end.length == tour_length(instance, end.order)
    first = min(int(event.best.min()) for event in events if isinstance(event, Progress) and event.best.size)
    assert end.length <= first
    assert end.evaluations > 4


def test_previous_stages_tour_is_the_start():
    instance = make_cities("att")
    stages = [{"algorithm": "nearest-neighbour", "params": {}}]
    runs = []
    for variant in ("warp", "cpu"):
        spec = make_spec(NAME, 2, None, variant=variant, temperature=1.0, **SHORT)
        runs.append(summarise_run(collect_events(instance, replace(spec, stages=(*_stages(stages), *spec.stages)))))
    assert runs[0] == runs[1]


def _stages(stages):
    return make_spec(stages[0]["algorithm"]).stages


def test_oversized_run_is_refused():
    job = Job(planar("EUC_2D", 40, 1000, 1), AnnealingParams(), 1, "cuda", Budget().start())
    row, (lane,) = CUDA_VARIANTS[0], make_chain_workers(job, 1)
    with pytest.raises(InstanceTooLarge, match="at most"):
        GpuChains(replace(job, instance=uniform(60_000, 1)), row, lane, 1, None)


def test_run_names_its_device():
    (started,) = (event for event in run_solver(make_cities("grid")) if isinstance(event, Started))
    assert started.variant == "warp"


@pytest.mark.smoke
@pytest.mark.skipif(not SIMULATED and len(cuda_devices()) < 2, reason="needs two cards")
@pytest.mark.parametrize("chains", [1, 3])
def test_chains_split_across_gpus_are_the_same(chains, monkeypatch):
    instance = make_cities("grid")
    one = run_solver(instance, chains=chains)
    monkeypatch.setattr(annealing_cuda, "cuda_devices", lambda: (Device("cuda", "Card"),) * 2)
    launch, alone = GpuChains.launch, threading.Lock() if SIMULATED else nullcontext()

    def launch_alone(card):
        with alone:  # the simulator runs one kernel at a time
            return launch(card)

    monkeypatch.setattr(GpuChains, "launch", launch_alone)
    shared = run_solver(instance, chains=chains, gpus="all")
    assert summarise_run(shared) == summarise_run(one)
    assert shared[-1].length == one[-1].length
    assert shared[-1].evaluations == one[-1].evaluations


def test_launch_reports_only_the_moves_of_the_first_chain():
    job = Job(make_cities("grid"), AnnealingParams(**SHORT), 1, "cuda", Budget().start())
    card = GpuChains(job, CUDA_VARIANTS[0], make_chain_workers(job, 1)[0], 3, None)
    created_items, cold = 0, []
    while card.is_busy:
        launched = card.launch()
        created_items += launched.first.i.size if launched.first else 0
        cold += launched.finished
    assert sorted(each.climber for each in cold) == [0, 1, 2]
    assert created_items == next(int(each.state[MOVES]) for each in cold if each.climber == 0) > 0
    assert all(each.state[LEVEL] > job.params.levels for each in cold)


@cuda.jit(fastmath=True)
def decide(bits, delta, temperature, chance, accepted):
    k = cuda.grid(1)
    if k < bits.size:
        inverse = np.float32(1.0 / temperature[k])
        chance[k] = acceptance_cuda.boltzmann(acceptance_cuda.divide(float(delta[k]), temperature[k]))
        accepted[k] = acceptance_cuda.accepts(bits[k], delta[k], temperature[k], inverse)


@pytest.mark.smoke
def test_gpu_accepts_like_the_cpu():
    draw, size = np.random.default_rng(5), 300 if SIMULATED else 2_000_000
    delta = np.ceil(10.0 ** draw.uniform(0, 6, size)).astype(np.int32)
    x = np.minimum(36.9, draw.exponential(2.0, size))
    temperature = delta / np.maximum(x, 1e-6)
    exact = np.array([acceptance.boltzmann(d / t) for d, t in zip(delta.tolist(), temperature.tolist(), strict=True)])
    # Half of the draws lie as near to the chance as a draw of 53 bits can, or within one part in a thousand.
    near = exact * (1 + draw.choice([0.0, 1e-15, -1e-15, 1e-5, -1e-5, 1e-3, -1e-3], size))
    uniform_53 = (np.where(draw.random(size) < 0.5, near, draw.random(size)) * 2.0**53).astype(np.uint64)
    bits = np.minimum(uniform_53, np.uint64(2**53 - 1)) << np.uint64(11)
    chance, accepted = numba_cuda.to_device(np.zeros(size)), numba_cuda.to_device(np.zeros(size, np.bool_))
    threads = 32
    decide[-(-size // threads), threads](*map(numba_cuda.to_device, (bits, delta, temperature)), chance, accepted)
    assert np.array_equal(chance.copy_to_host(), exact)
    expected = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53 < exact
    assert np.array_equal(accepted.copy_to_host(), expected)
    assert 0.2 < expected.mean() < 0.9
    assert math.isclose(exact.min(), math.exp(-36.9), rel_tol=1) or exact.min() < 1e-10
