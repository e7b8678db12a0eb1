"""Energy measured by a fake GPU driver, and peak rates from a device's attributes."""

import sys
from types import SimpleNamespace

import pytest

from solvers.gpu.energy import EnergyMeter, EnergyUnknown, make_energy_counter
from solvers.gpu.peaks import Peaks


class NVMLError(Exception):
    """The exception of the driver package."""


@pytest.fixture
def driver(monkeypatch):
    """A driver whose GPU consumes one joule between two readings."""
    answer = {"millijoules": 0.0}

    def consumption(device):
        if device != "GPU-1":
            raise NVMLError("Not Supported")
        answer["millijoules"] += 1000
        return answer["millijoules"]

    package = SimpleNamespace(
        NVMLError=NVMLError, nvmlInit=lambda: None, nvmlDeviceGetHandleByUUID=lambda uuid: uuid,
        nvmlDeviceGetTotalEnergyConsumption=consumption,
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "pynvml", package)


def test_energy_is_counted_in_joules(driver):
    counter = make_energy_counter("GPU-1")
    before = counter()
    assert counter() - before == 1.0


def test_meter_reports_the_energy_since_its_creation(driver, monkeypatch):
    monkeypatch.setattr(EnergyMeter, "_find_counter", staticmethod(lambda device: make_energy_counter("GPU-1")))
    meter = EnergyMeter("cuda")
    assert meter.joules() is None
    assert "less than a second" in meter.reason
    monkeypatch.setattr("solvers.gpu.energy.MIN_SECONDS", 0.0)
    meter = EnergyMeter("cuda")
    assert (meter.joules(), meter.reason) == (1.0, "")


def test_driver_without_energy_says_so(driver):
    with pytest.raises(EnergyUnknown, match="Not Supported"):
        make_energy_counter("GPU-old")


def test_missing_package_and_cpu_are_reasons(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)
    with pytest.raises(EnergyUnknown, match="nvidia-ml-py is not installed"):
        make_energy_counter("GPU-1")
    meter = EnergyMeter("cpu")
    assert meter.joules() is None
    assert "CPU" in meter.reason


def test_peaks_follow_from_attributes():
    """An H200: 132 multiprocessors at 1.98 GHz; 6,144 bits at 3.201 GHz are 4.9 TB/s."""
    peaks = Peaks.from_attributes(132, 1_980_000, (9, 0), 3_201_000, 6144)
    assert peaks.memory == pytest.approx(4.917e12, rel=1e-3)
    assert peaks.roots == pytest.approx(4.18176e12)
    assert peaks.float32 == pytest.approx(66.9e12, rel=1e-3)
    assert Peaks.from_attributes(40, 1_590_000, (7, 5), 0, 256).memory == 0
    assert Peaks.from_attributes(40, 1_590_000, (7, 5), 0, 256).float32 == 2 * 64 * 40 * 1.59e9
