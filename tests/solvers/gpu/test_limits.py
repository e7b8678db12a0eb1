"""A GPU's resources: read from the driver, sent as JSON to the page, and the launches that fit them."""

import json
import sys
from dataclasses import asdict
from types import ModuleType, SimpleNamespace

import pytest

from solvers.core import devices
from solvers.core.errors import DeviceUnavailable
from solvers.core.machine import Machine
from solvers.gpu.limits import BOUNDLESS, H200, MINIMUM, SIMULATOR, UNKNOWN, Limits, count_resident_blocks
from tests.tables import each_row

#: What the driver of an A40 answers, by its names of the attributes.
ANSWERS = {
    "COMPUTE_CAPABILITY_MAJOR": 8, "COMPUTE_CAPABILITY_MINOR": 6, "MULTIPROCESSOR_COUNT": 84,
    "MAX_THREADS_PER_MULTIPROCESSOR": 1536, "MAX_BLOCKS_PER_MULTIPROCESSOR": 16,
    "MAX_REGISTERS_PER_MULTIPROCESSOR": 65_536, "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": 102_400,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 101_376,
}  # fmt: skip
A40 = Limits(84, 1536, 16, 65_536, 102_400, 101_376)


@pytest.fixture
def driver(monkeypatch):
    found = SimpleNamespace(
        CUdevice_attribute=SimpleNamespace(**{f"CU_DEVICE_ATTRIBUTE_{name}": name for name in ANSWERS}),
        cuInit=lambda flags: (0,), cuDeviceGetCount=lambda: (0, 1), cuDeviceGet=lambda index: (0, index),
        cuDeviceGetName=lambda length, device: (0, b"NVIDIA A40\0\0"), cuDeviceTotalMem=lambda device: (0, 48 << 30),
        cuDeviceGetAttribute=lambda which, device: (0, ANSWERS[which]),
    )  # fmt: skip
    bindings = ModuleType("cuda.bindings")
    vars(bindings)["driver"] = found
    monkeypatch.setitem(sys.modules, "cuda", ModuleType("cuda"))
    monkeypatch.setitem(sys.modules, "cuda.bindings", bindings)
    monkeypatch.setattr(devices, "find_spec", lambda name: name)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")


def test_gpu_is_reported_with_its_sizes(driver):
    (gpu,) = devices.cuda_devices()
    assert (gpu.name, gpu.compute_capability, gpu.limits) == ("NVIDIA A40", "8.6", A40)
    assert Machine().limits == A40
    assert devices.probe()[0].limits == devices.probe()[-1].limits == UNKNOWN
    assert Limits.from_report(json.loads(json.dumps(asdict(gpu)))["limits"]) == A40


@pytest.mark.parametrize("hidden", ["", "-1", " ", "-1,0"])
def test_hidden_gpus_are_missing(driver, monkeypatch, hidden):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert devices.cuda_devices()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    with pytest.raises(DeviceUnavailable, match="every GPU is hidden by the variable CUDA_VISIBLE_DEVICES"):
        devices.cuda_devices()


def test_sizes_without_a_gpu_are_those_of_every_gpu(monkeypatch):
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    assert Machine().limits == MINIMUM
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    assert Machine().limits == SIMULATOR


@each_row("expected", [
    None, [], "H200", {}, asdict(UNKNOWN), asdict(A40) | {"threads": "1536"}, asdict(A40) | {"blocks": True},
    {name: value for name, value in asdict(A40).items() if name != "free"},
])  # fmt: skip
def test_invalid_gpu_report_counts_as_every_gpu(expected):
    assert Limits.from_report(expected) == MINIMUM
    assert MINIMUM.shared_kib == 48


@each_row(("shared", "threads", "registers", "blocks"), [
    (0, 32, 8, 32), (0, 1024, 32, 2), (0, 256, 72, 3), (0, 256, 65, 3), (48_400, 512, 32, 4), (230_000, 32, 8, 1),
    (232_448, 32, 8, 0), (0, 1024, 72, 0),
])  # fmt: skip
def test_scarcest_resource_limits_the_blocks(shared, threads, registers, blocks):
    assert count_resident_blocks(shared, threads, registers, H200) == blocks
    assert count_resident_blocks(shared, threads, registers, BOUNDLESS) >= blocks
