"""The trial that chooses the threads of `tuned`: the tried numbers, its duration, and the remembered result."""

import math
from types import SimpleNamespace

import pytest

from solvers.algorithms.two_opt.launch_sizes import tuned_threads
from solvers.algorithms.two_opt.trial import list_candidates, make_question, measure_threads, size_class, time_scan
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS
from solvers.core.errors import InstanceTooLarge
from solvers.gpu.calibration import MAX_SCAN_CITIES
from solvers.gpu.limits import H200, Limits
from tests.tables import each_row

(TUNED,) = [variant for variant in CUDA_VARIANTS if variant.tried]
DEVICE = SimpleNamespace(name=b"NVIDIA H200", compute_capability=(9, 0))
SMALL = Limits(28, 1536, 16, 65_536, 102_400, 101_376)


class FakeClimbs:
    """Climbs whose scan takes `scan` seconds on a full device; the first launch takes another second."""

    def __init__(self, scan: float, slots: int = 1000) -> None:
        self.fit, self.budgets, self.closed = SimpleNamespace(slots=slots), [], False
        self._scan = scan

    def launch(self, budget: int) -> float:
        self.budgets.append(budget)
        return self._scan * budget + (len(self.budgets) == 1)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path))


def find_question(n=439, device=DEVICE, limits=H200):
    return make_question(TUNED, "EUC_2D", n, device, limits)


def test_only_tuned_is_measured():
    assert TUNED.name == "tuned"


def test_fastest_is_chosen_and_not_measured_again():
    tried = []

    def create_climbs(threads):
        tried.append(threads)
        return FakeClimbs(1e-4 * abs(threads - 250))

    assert measure_threads(find_question(), create_climbs) == 256
    assert tried == find_question()["candidates"]
    assert measure_threads(find_question(), create_climbs) == measure_threads(find_question(440), create_climbs) == 256
    assert tried == find_question()["candidates"]
    measure_threads(find_question(device=SimpleNamespace(name="Another", compute_capability=(8, 6))), create_climbs)
    assert tried == find_question()["candidates"] * 2


def test_time_per_scan_of_one_climber_counts():
    """Twice as many climbers in the same time are twice as fast."""
    slots = {64: 2000, 128: 4000}
    times = {threads: time_scan(lambda t: FakeClimbs(1e-3, slots[t]), threads) for threads in slots}
    assert times[64] == pytest.approx(1e-3 / 2000)
    assert times[128] == pytest.approx(times[64] / 2)


@each_row(("scan", "budgets"), [(0.02, [1, 1]), (1e-3, [1, 1, *[3] * 5]), (1e-7, [1, 1, *[64] * 5])])
def test_measurement_takes_milliseconds(scan, budgets):
    climbs = FakeClimbs(scan)
    time_scan(lambda _: climbs, 64)
    assert climbs.budgets == budgets
    assert climbs.closed


def test_oversized_block_is_not_chosen():
    def create_climbs(threads):
        if threads != 512:
            raise InstanceTooLarge("too large")
        return FakeClimbs(1.0)

    assert time_scan(create_climbs, 64) == math.inf
    assert measure_threads(find_question(1000), create_climbs) == 512


@each_row("limits", [H200, SMALL])
@each_row("n", [5, 20, 52, 100, 439, 1002, 5000, MAX_SCAN_CITIES])
def test_candidates_are_whole_warps_including_the_papers_rule(n, limits):
    sizes = list_candidates(TUNED, n, limits)
    assert tuned_threads(n, limits) in sizes
    assert all(size % 32 == 0 and 32 <= size <= 1024 for size in sizes)
    assert list(sizes) == sorted(set(sizes))
    assert len(sizes) <= 6
    assert all(TUNED.shared_bytes(n, size, limits) + 1024 <= limits.shared_per_block for size in sizes)


def test_block_that_outlasts_a_launch_is_not_measured():
    assert list_candidates(TUNED, MAX_SCAN_CITIES, H200) == tuple(sorted({tuned_threads(MAX_SCAN_CITIES, H200), 1024}))
    assert 64 in list_candidates(TUNED, 1000, H200)
    assert 64 not in list_candidates(TUNED, 10_000, H200)


def test_sizes_of_a_class_are_similar():
    classes = {n: size_class(n) for n in range(1, 20_001)}
    assert all(n <= classes[n] <= 1.25 * n + 1 for n in classes)
    assert all(size_class(each) == each for each in classes.values())
    assert len(set(classes.values())) < 60
    assert classes[100] == 112


def test_cache_key_contains_all_influences():
    ways = [find_question(), find_question(1000), make_question(TUNED, "CEIL_2D", 439, DEVICE, H200),
            find_question(device=SimpleNamespace(name=b"NVIDIA H200", compute_capability=(9, 1))),
            find_question(device=SimpleNamespace(name="Other", compute_capability=(9, 0)))]  # fmt: skip
    assert len({repr(each) for each in ways}) == len(ways)
    assert find_question(439) == find_question(440)
