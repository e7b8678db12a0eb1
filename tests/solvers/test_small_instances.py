"""All proofs and bounds of few cities agree with all orders of them, whatever the signs and sizes of the distances."""

import subprocess

import pytest

from solvers.mpi import launcher
from tests.solvers.mpi.mpi_started import ROOT
from tests.solvers.small_instances import CITIES, KINDS, check, instances

#: An instance of each kind with each number of cities.
EACH = len(KINDS) * len(CITIES)
#: Instances in all, and those of a test.
ALL, PART = 20_000, 1000


def test_an_instance_of_each_kind_and_size():
    answered = check(instances(range(EACH)))
    assert all(answered[f"kind: {kind}"] == len(CITIES) for kind in KINDS)
    symmetric = sum(not instance.directed for _, instance in instances(range(EACH)))
    assert answered["held-karp cpu"] == answered["held-karp sequential"] == EACH
    assert answered["branch-and-cut cpu"] == symmetric
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
    words = launcher.command(2, ["-m", "tests.solvers.small_instances", "0", str(EACH), "--mpi"])
    with launcher.folder() as folder:
        environment = launcher.environment(launcher.variables(folder))
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert all(
        f"held-karp {name}, process {rank} of 2" in done.stdout for name in ("mpi", "qin-han-mpi") for rank in (0, 1)
    )
