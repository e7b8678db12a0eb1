"""The plan of a run: the variant of each algorithm that ``auto`` chooses, by instance and machine."""

from collections import Counter

import numpy as np
import pytest

from components.watch.launch import launch
from data.collection import resolve
from data.generators import directed, uniform
from data.instance import Instance
from data.limits import MAX_MATRIX
from data.tsplib.normal_form import assemble
from runs.service import RunService
from solvers import SOLVERS, find, plan
from solvers.core.devices import Device
from solvers.core.machine import Machine
from solvers.core.params import Params
from solvers.gpu.limits import H200, MINIMUM
from solvers.plan import plan_stage
from solvers.run import run
from tests.runs.scripted import ScriptedEngine
from tests.solver_runs import make_spec
from tests.tables import each_row

CPU = Device("cpu", "A CPU", threads=2, memory=1 << 34)
LARGE = Device("cuda", "NVIDIA H200", memory=150_000_000_000, compute_capability="9.0", limits=H200)
SMALL = Device("cuda", "A small GPU", memory=1 << 31, compute_capability="7.5", limits=MINIMUM)
MACHINES = {"cores": Machine([CPU]), "H200": Machine([CPU, LARGE]), "small": Machine([CPU, SMALL])}
#: For each machine a variant of each of `INSTANCES`; where one line stands for all machines, they agree. "-": refused.
CORES, ALONE = "cpu cpu cpu cpu cpu cpu cpu -", "sequential " * 7 + "-"
KICKS = "cuda " * 7 + "cpu"
WARP, EVERY = "warp " * 7 + "cpu", "sequential " * 8
CLIMBS = "calculated strip strip calculated calculated calculated calculated cpu"
SOLVED = "cpu cpu cpu cpu cpu cpu cpu cpu"
EXPECTED = {
    "two-opt": {"cores": SOLVED, "H200": CLIMBS, "small": CLIMBS},
    "lin-kernighan": SOLVED,
    "lin-kernighan gpus=all": {"cores": SOLVED, "H200": KICKS, "small": KICKS},
    "simulated-annealing": {"cores": SOLVED, "H200": WARP, "small": WARP},
    "ant-system": {"cores": SOLVED, "H200": WARP, "small": SOLVED},
    "max-min-ant-system": {"cores": SOLVED, "H200": WARP, "small": SOLVED},
    "max-min-ant-system local_search=3-opt": SOLVED,
    "ant-colony-system": {"cores": SOLVED, "H200": WARP, "small": SOLVED},
    "ant-colony-system local_search=3-opt": SOLVED,
    "ant-colony-system local_update=racy": {"cores": SOLVED, "H200": WARP, "small": SOLVED},
    "held-karp": {"cores": SOLVED, "H200": "cuda cpu cpu cuda cpu cpu cpu cpu", "small": SOLVED},
    **dict.fromkeys(("tabu-search", "genetic-algorithm", "particle-swarm", "artificial-bee-colony"), SOLVED),
    "fast-tsp": CORES,
    "branch-and-cut": SOLVED,
    **dict.fromkeys(("greedy", "nearest-neighbour", "random", "elkai", "or-tools", "pyvrp", "given"), EVERY),
    **dict.fromkeys(("farthest-insertion", "nearest-insertion", "cheapest-insertion", "savings"), EVERY),
    **dict.fromkeys(("christofides", "space-filling-curve"), ALONE),
}


#: Algorithms that read distances on the globe from a matrix.
MEASURE = (
    "two-opt", "lin-kernighan", "simulated-annealing", "tabu-search", "greedy", "nearest-neighbour",
    "farthest-insertion", "nearest-insertion", "cheapest-insertion", "savings",
)  # fmt: skip


def explicit_instance(n):
    """Random symmetric weights, without the hash, which takes seconds."""
    weights = np.random.default_rng(n).integers(1, 1000, (n, n), np.int32)
    return Instance(f"explicit-{n}", "EXPLICIT", n, None, np.minimum(weights, weights.T), np.zeros((n, 2)))


@pytest.fixture(scope="module")
def instances():
    places = np.random.default_rng(1).uniform(10, 60, (48, 2)).round(2)
    geo = assemble("geo", "GEO", "inline", coordinates=places)
    planar, weights = [uniform(n, 1) for n in (15, 100, 2000)], [explicit_instance(n) for n in (25, 100, 1500)]
    return [*planar, *weights, geo, directed(12, 2)]


def chosen_variant(solver, params, instance, machine):
    """The variant of a run."""
    stage = plan_stage(solver, solver.params.from_mapping(params), "auto", instance, machine)
    return "-" if "directed" in str(stage.refusal) else stage.variant.name  # a package may be missing


@each_row(("n", "variant"), [(8000, "cpu"), (8001, "cuda"), (60_000, "cuda")])
def test_lin_kernighan_takes_a_gpu_for_many_cities(n, variant):
    assert chosen_variant(find("lin-kernighan"), {}, uniform(n, 1), MACHINES["H200"]) == variant
    assert chosen_variant(find("lin-kernighan"), {"tours": 0}, uniform(n, 1), MACHINES["H200"]) == "cuda"
    assert chosen_variant(find("lin-kernighan"), {}, uniform(n, 1), MACHINES["cores"]) == "cpu"


@each_row("machine", MACHINES)
def test_variant_for_each_machine(machine, instances):
    assert {name.partition(" ")[0] for name in EXPECTED} == {solver.name for solver in SOLVERS}
    for name, rows in EXPECTED.items():
        algorithm, *arguments = name.split()
        params = dict(value.split("=") for value in arguments)
        expected = (rows if isinstance(rows, str) else rows[machine]).split()
        found = [chosen_variant(find(algorithm), params, each, MACHINES[machine]) for each in instances]
        assert found == expected, name


def test_start_loads_checks_and_chooses_once(tmp_path, monkeypatch):
    counts = Counter()

    def counted(owner, name):
        real = getattr(owner, name)

        def call(*arguments, **named):
            counts[name] += 1
            return real(*arguments, **named)

        monkeypatch.setattr(owner, name, call)

    counted(resolve, "resolve")
    counted(Params, "__post_init__")
    counted(plan, "select_variants")
    counted(plan, "plan_stage")
    engine = ScriptedEngine()
    service = RunService(tmp_path, lambda: engine)
    try:
        assert launch(service, "berlin52", "two-opt", {"climbers": 3}, 1, 10, "auto").run
    finally:
        service.close()
    once = {"__post_init__": 1, "plan_stage": 1}
    assert counts == once | {"resolve": 1, "select_variants": 2}, "in the server"
    counts.clear()
    assert next(run(plan.prepare(make_spec("two-opt")), uniform(9, 1)))
    assert counts == once | {"select_variants": 2}, "in the worker"


@each_row(
    ("params", "n", "variant"),
    [({"selection": "hybrid"}, 100, "block"), ({"selection": "i-roulette", "variant": "warp"}, 100, "")],
)
def test_a_gpu_gets_a_variant_that_supports_the_selection(params, n, variant):
    solver = find("ant-system")
    stage = plan_stage(solver, solver.params(**params), "auto", uniform(n, 1), MACHINES["H200"])
    assert (stage.variant.name == variant) if variant else ("needs the variant block" in str(stage.refusal))


@each_row(
    ("algorithm", "n", "device", "variant"),
    [
        ("simulated-annealing", 20_000, "auto", "cpu"),  # more than the shared memory of a block of the small GPU holds
        ("simulated-annealing", 20_000, "cuda", "warp"),
        ("simulated-annealing", 5_000, "auto", "warp"),
    ],
)
def test_auto_skips_a_gpu_that_is_too_small(algorithm, n, device, variant):
    solver = find(algorithm)
    stage = plan_stage(solver, solver.params(), device, uniform(n, 1), MACHINES["small"])
    assert (stage.variant.name, stage.refusal is None) == (variant, device != "cuda")


def test_unknown_machine_refuses_only_the_impossible():
    unknown, solver = Machine(()), find("two-opt")
    asked = plan_stage(solver, solver.params(variant="strip"), "auto", uniform(100, 1), unknown)
    assert (asked.variant.name, asked.refusal) == ("strip", None)
    assert plan_stage(solver, solver.params(), "auto", uniform(100, 1), unknown).variant.name == "cpu"
    symmetric = find("christofides")
    assert plan_stage(symmetric, symmetric.params(), "auto", directed(12, 2), unknown).refusal is not None
    alone = plan_stage(solver, solver.params(variant="strip"), "auto", uniform(100, 1), MACHINES["cores"])
    assert str(alone.refusal) == "two-opt needs a CUDA GPU, and there is none here."


def test_the_plan_refuses_globes_whose_matrix_would_be_too_large():
    far = Instance("globe", "GEO", MAX_MATRIX + 1, np.zeros((MAX_MATRIX + 1, 2)), None, np.zeros((0, 2)))
    stages = [plan_stage(solver, solver.params(), "cpu", far, MACHINES["cores"]) for solver in map(find, MEASURE)]
    assert all("with GEO distances at most 20,000 can run" in str(stage.refusal) for stage in stages)
    free = find("space-filling-curve")
    assert plan_stage(free, free.params(), "cpu", far, MACHINES["cores"]).refusal is None
