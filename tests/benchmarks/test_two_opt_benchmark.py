"""The counts of the 2-opt benchmark on cores."""

import itertools
from dataclasses import dataclass

import numpy as np

from benchmarks.two_opt import cpu, gpu
from data.collection.resolve import load
from data.generators import uniform
from solvers.algorithms.two_opt import cpu as climbing
from solvers.gpu.limits import Limits
from tests.tables import each_row


@dataclass
class Slice:
    """A worker's report of a slice, with the fields that count its pace."""

    first: int
    evaluations: list[int]
    current_evaluations: int = 0

    @property
    def is_running(self):
        return self.current_evaluations > 0

    @property
    def length(self):
        return np.zeros(len(self.evaluations))

    def __post_init__(self):
        self.evaluations = np.array(self.evaluations, np.int64)


def test_moves_of_unfinished_climbs_count_for_all_threads(monkeypatch):
    slices = [Slice(0, [], 100), Slice(1, [], 50), Slice(0, [150, 30], 10), Slice(1, [], 90), Slice(7, [], 5)]
    seconds = itertools.count(0)
    monkeypatch.setattr(climbing, "make_workers", lambda job, threads: [None] * threads)
    monkeypatch.setattr(climbing, "climb_in_parallel", lambda workers, climbers, limit: (each for each in slices))
    monkeypatch.setattr(cpu.time, "perf_counter", lambda: float(next(seconds)))
    # Climbs 0 and 1 of the first worker ended after 150 and 30 moves, 2 has made 10; the other is at 90.
    assert cpu.measure_cores_pace(load("berlin52"), 2, 4.0) == (150 + 30 + 10 + 90) / 4


@each_row(
    ("variant", "reason"),
    [("matr_s", "matr_s takes at most 241 cities"), ("calc", "a scan by one thread takes too long")],
)
def test_too_many_cities_for_shared_memory_are_refused_before_the_time(variant, reason, monkeypatch):
    monkeypatch.setattr(Limits, "from_device", classmethod(lambda cls: cls(shared_per_block=227 * 1024)))
    entry = gpu.measure_throughput(gpu.parse_variant(variant), uniform(4001, 1), 1)
    assert entry["refused"].startswith(reason)
