"""For all tests: the patience for drawn values, kernels as if stored, and a GPU only for the tests that use one."""

import asyncio
import gc
import inspect
import os
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# As in the program's processes, and before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from solvers.core import stop
from solvers.core.devices import probe
from solvers.worker import kernel_loading

# Another process may have the core just then.
settings.register_profile("patient", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
# It would parse every module of the project, in each process, to draw the constants in it now and then.
providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disables garbage collection while tests are collected, and excludes them from later collections."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the longest test first: otherwise, at the end, all processes but one would wait for it."""
    items.sort(key=lambda item: item.path.name != "test_cuda_files.py")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Hide the GPUs from tests that use CPUs only: their runs and processes would otherwise choose a GPU.

    What a run reports shall not depend on whether an earlier test compiled its kernels.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_loading, "is_stored", lambda kernel: True)
        if not (is_for_gpu(item) or item.get_closest_marker("browser")):
            patch.setenv("CUDA_VISIBLE_DEVICES", "")
        return (yield)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that needs a GPU on machines without one."""
    if item.get_closest_marker("gpu"):
        card = next(device for device in probe() if device.kind == "cuda")
        if not card.available:
            pytest.skip(card.reason)


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(test := pyfuncitem.obj):
        return None
    asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}))
    return True


def is_for_gpu(item: pytest.Item) -> bool:
    """Whether a test needs a GPU or is a CUDA case, which runs only if its file is named."""
    return item.get_closest_marker("gpu") is not None or item.path.name.endswith("_cuda_cases.py")


@pytest.fixture
def processor_clock(monkeypatch):
    """Lets the clocks of runs in this process count the seconds of its processor: those that other work takes are none.

    A run that its clock cuts has then come as far as on a machine that it has to itself.
    """
    monkeypatch.setattr(stop, "time", SimpleNamespace(perf_counter=time.process_time))
