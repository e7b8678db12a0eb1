"""All proofs and bounds for few cities agree with brute force, for distances of all signs and sizes."""

import itertools
import subprocess

import pytest

from data.distances import tour_length
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.mpi import launcher
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage
from tests.solver_runs import OURS, small_params
from tests.solvers.mpi.mpi_started import ROOT
from tests.solvers.small_instances import CITIES, KINDS, check, draw, instances, shortest

pytestmark = pytest.mark.slow

#: An instance of each kind with each number of cities.
EACH = len(KINDS) * len(CITIES)
#: Kinds with lengths that are not above 0.
SIGNED = (
    "negative",
    "both signs",
    "equal, negative",
    "zero",
    "doubled",
    "shortest 0",
    "both signs, directed",
    "missing",
    "path",
    "path, missing",
)
#: Instances in all, and those of a test.
ALL, PART = 20_000, 1000


@pytest.mark.long
def test_instances_of_each_kind_and_size():
    answered = check(instances(range(EACH)))
    assert all(answered[f"kind: {kind}"] == len(CITIES) for kind in KINDS)
    symmetric = sum(not instance.directed for _, instance in instances(range(EACH)))
    assert answered["held-karp cpu"] == answered["held-karp sequential"] == EACH
    assert answered["branch-and-cut cpu"] > symmetric * 3 // 4
    assert answered["held-karp qin-han-sequential"] == answered["held-karp qin-han-openmp"] > symmetric * 2 // 3
    assert answered["bound on cpu"] > EACH * 3 // 4


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(0, ALL, PART))
def test_twenty_thousand_instances(first):
    assert check(instances(range(first, first + PART)))["held-karp cpu"] == PART


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(bool(launcher.unavailable_reason()), reason=launcher.unavailable_reason() or "MPI is there")
def test_processes_agree_too():
    words = launcher.format_command(2, ["-m", "tests.solvers.small_instances", "0", str(EACH), "--mpi"])
    with launcher.create_folder() as folder:
        environment = launcher.make_environment(launcher.make_variables(folder))
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert all(
        f"held-karp {name}, process {rank} of 2" in done.stdout for name in ("mpi", "qin-han-mpi") for rank in (0, 1)
    )


@pytest.mark.parametrize("solver", [solver for solver in OURS if solver.listed], ids=lambda solver: solver.name)
def test_no_algorithm_finds_a_tour_below_the_shortest(solver):
    spec = RunSpec({"name": "test"}, (Stage(solver.name, small_params(solver, 5)),), device="cpu")
    found = 0
    for kind, n in itertools.product(SIGNED, (3, 6)):
        instance = draw(kind, n, 1)
        try:
            *_, end = run(prepare(spec), instance)
        except (DeviceUnavailable, InstanceTooLarge):
            continue
        assert end.length == tour_length(instance, end.order) >= shortest(instance.weights)
        found += 1
    assert found >= len(SIGNED)
