"""A GPU that cannot run a kernel is refused in a sentence if requested, and skipped by ``auto``."""

import pytest

import solvers.core.machine
from solvers.algorithms.ants.acs.variants import CUDA_VARIANTS as ACS
from solvers.algorithms.ants.ant_system.variants import CUDA_VARIANTS as ANT_SYSTEM
from solvers.algorithms.ants.max_min.variants import CUDA_VARIANTS as MAX_MIN
from solvers.core.devices import Device
from solvers.core.errors import DeviceUnavailable
from solvers.core.events import Started
from solvers.gpu.capability import EVERY_GPU, too_old_reason
from tests.solver_runs import collect_events, make_spec, planar
from tests.tables import each_row

COLONIES = ("ant-system", "max-min-ant-system", "ant-colony-system")
REFUSED = [
    (algorithm, row.name)
    for algorithm, rows in zip(COLONIES, (ANT_SYSTEM, MAX_MIN, ACS), strict=True)
    for row in rows
    if row.capability > EVERY_GPU
]


@each_row(("found", "old"), [("7.5", True), ("8.0", False), ("8.6", False), ("12.0", False), ("", False)])
def test_capabilities_are_compared_as_numbers(found, old):
    sentence = too_old_reason("this", (8, 0), Device("cuda", "Card", compute_capability=found))
    assert bool(sentence) == old
    if old:
        assert sentence == "this needs a GPU of compute capability 8.0, Card has 7.5; use the CPU."


@pytest.fixture
def turing_gpu(monkeypatch):
    monkeypatch.setattr(
        solvers.core.machine, "cuda_devices", lambda: (Device("cuda", "Turing", compute_capability="7.5"),)
    )


@each_row(("algorithm", "variant"), REFUSED)
@pytest.mark.usefixtures("turing_gpu")
def test_too_old_gpu_for_a_colony_is_refused(algorithm, variant):
    spec = make_spec(algorithm, variant=variant, iterations=1, ants=4)
    with pytest.raises(DeviceUnavailable, match=rf"{algorithm}/{variant} needs .* capability 8\.0, Turing has 7\.5"):
        collect_events(planar("EUC_2D", 12, 1000, 4), spec)


@each_row("algorithm", COLONIES)
@pytest.mark.usefixtures("turing_gpu")
def test_auto_takes_the_cores_instead(algorithm):
    events = collect_events(planar("EUC_2D", 12, 1000, 4), make_spec(algorithm, iterations=1, ants=4))
    assert next(event for event in events if isinstance(event, Started)).variant == "cpu"
