"""A GPU without free memory, and a kernel that reads out of bounds: F14, F15 and F39."""

import contextlib
import subprocess
import sys
import time

import pytest

from runs.engine import process
from runs.engine.process import ProcessEngine
from runs.engine.worker import GPU_MEMORY
from runs.service import RunService
from runs.store.run_file import FINAL
from tests.browser.serving import ROOT
from tests.clock import wait_until
from tests.faults.figures import is_within, store_samples
from tests.runs.conftest import two_opt_spec
from tests.solvers.user_files.mine import changed_template, empty_registry, join_and_bequeath

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.gpu, pytest.mark.timeout(1800)]

#: Takes all memory of the GPU but some MB, in pieces, says so, and keeps it until its input ends.
HOARD = """
import sys
from numba import cuda
kept = []
for size in (1 << 30, 1 << 26, 1 << 22):
    while cuda.current_context().get_memory_info()[0] > size + (64 << 20):
        kept.append(cuda.device_array(size, "uint8"))
print("full", flush=True)
sys.stdin.read()
"""
#: Writes far behind an array.
ASTRAY = """
from numba import cuda as _cuda


@_cuda.jit
def _astray(values):
    values[_cuda.grid(1) * 1_000_000_000 + 1_000_000_000_000] = 1


def _go_astray():
    _astray[64, 64](_cuda.to_device(np.zeros(8)))
    _cuda.synchronize()

"""


@pytest.fixture
def service(tmp_path, monkeypatch):
    """A service whose workers may load the test's own solver."""
    monkeypatch.setattr(process, "AVAILABLE", False)
    empty_registry(monkeypatch)
    service = RunService(tmp_path / "home", ProcessEngine, 2)
    yield service
    service.close()


def on_gpu(climbers: int = 2_000):
    params = {"climbers": climbers, "variant": "auto"}
    return two_opt_spec("kroA100", stages=[{"algorithm": "two-opt", "params": params}], device="cuda")


def await_end(service, spec) -> tuple[str, str]:
    """The end of a run after its worker has exited."""
    run = service.start(spec)
    wait_until(lambda: service.channel(run).state[0] in FINAL and run not in service.active_runs())
    return service.channel(run).state


@contextlib.contextmanager
def full_gpu():
    """Occupy all memory of the GPU in the block."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOARD], cwd=ROOT, text=True, **pipes) as hoard:
        assert hoard.stdout.readline() == "full\n"
        yield
        hoard.stdin.close()
        hoard.wait()


def test_f14_run_without_gpu_memory_fails_with_a_message_and_the_next_works(service):
    assert await_end(service, on_gpu())[0] == "finished"
    for worker in list(service.engine.idle):  # its context would have memory of its own
        worker.kill()
    wait_until(lambda: not any(worker.alive() for worker in service.engine.idle))
    with full_gpu():
        assert await_end(service, on_gpu()) == ("failed", GPU_MEMORY)
        assert await_end(service, two_opt_spec("berlin52", 20))[0] == "finished"
    began = time.monotonic()
    assert await_end(service, on_gpu())[0] == "finished"
    store_samples("F14", "seconds until the GPU has done a run again", [took := time.monotonic() - began])
    assert is_within([took], 10)


def test_f39_failed_gpu_preparation_is_repeated_later(service):
    wait_until(lambda: service.status()["spare"] != "starting")
    with full_gpu():
        service.anticipate(on_gpu())
        wait_until(lambda: not service.engine.is_busy())
        assert await_end(service, two_opt_spec("berlin52", 20))[0] == "finished"
    assert await_end(service, on_gpu())[0] == "finished"


def test_f15_crashing_kernel_ends_only_its_own_run(service, tmp_path):
    beside = service.start(two_opt_spec("berlin52", 1_000_000))
    wait_until(lambda: service.channel(beside).head is not None)
    changes = ("yield from climb.end(evaluations)", "_go_astray()"), ("\n@dataclass", f"{ASTRAY}\n@dataclass")
    join_and_bequeath(changed_template(tmp_path, *changes))
    state, reason = await_end(
        service, two_opt_spec("burma14", stages=[{"algorithm": "my-solver", "params": {"climbers": 3}}])
    )
    assert state == "failed"
    assert "mine.py" in reason
    assert "CUDA" in reason.upper()
    assert await_end(service, on_gpu())[0] == "finished"
    assert service.channel(beside).state == ("running", "")
