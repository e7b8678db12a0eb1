"""The diversity of a population, against sets of edges, and the events that report it."""

import numpy as np
import pytest

from data.collection import resolve
from solvers.core.events import Individuals, Population
from solvers.core.params import Params
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.parallel.population import Generation
from solvers.reporting import populations
from solvers.reporting.populations import PopulationReporter, count_tour_edges, find_tour_neighbours, sample_by_rank
from tests.naive import tour_edges
from tests.solver_runs import return_value
from tests.tables import each_row


@each_row("work", [1, 7, 1 << 20])
@each_row("n", [1, 2, 3, 4, 5, 9, 40])
def test_diversity_is_that_of_edge_sets(n, work, monkeypatch):
    monkeypatch.setattr(populations, "_WORK", work)
    draw = np.random.default_rng(n)
    for m in (1, 2, 5, 12):
        orders = np.stack([draw.permutation(n) for _ in range(m)]).astype(np.int32)
        orders[-1] = np.roll(orders[0][::-1], 1)  # the first tour again, the other way round
        sets = [tour_edges(order.tolist()) for order in orders]
        for best in (0, m - 1):
            others = [sets[k] for k in range(m) if k != best]
            shares = [len(each & sets[best]) / len(sets[best]) for each in others if sets[best]]
            edges, shared = return_value(count_tour_edges(find_tour_neighbours(orders), best))
            assert edges == len(set().union(*sets))
            assert shared == pytest.approx(np.mean(shares) if shares else 1.0)


def population_events(total: int, lengths: np.ndarray, pictures: bool = True, last: int = 0) -> list:
    job = Job(resolve.load("burma14"), Params(), 1, "cpu", Budget().start(), pictures=pictures)
    reporter = PopulationReporter(job, total)
    orders = np.stack([np.random.default_rng(k).permutation(14) for k in range(lengths.size)]).astype(np.int32)
    generation, events = Generation(lengths, orders, orders[0], int(lengths[0]), 1, 0.0), []
    for iteration in range(1, (last or total) + 1):
        events += reporter.report(iteration, generation, iteration == last)
    return [event for event in events if isinstance(event, Population | Individuals)]


def test_every_iteration_is_a_row_and_some_have_all_lengths():
    lengths = np.array([3500, 3323, 3400])
    events = population_events(100, lengths)
    rows = [event for event in events if isinstance(event, Population)]
    assert [int(row.iteration[0]) for row in rows] == list(range(1, 101))
    assert (rows[0].best[0], rows[0].worst[0], rows[0].mean[0]) == (3323, 3500, pytest.approx(lengths.mean()))
    answer = [event for event in events if isinstance(event, Individuals)]
    assert [event.iteration for event in answer] == [*range(1, 64), *range(64, 101, 2)]
    assert answer[0].lengths.tolist() == [3323, 3400, 3500]
    assert answer[0].size == 3


def test_last_iteration_has_its_lengths_and_races_have_none():
    answer = [
        event.iteration
        for event in population_events(1000, np.array([3323]), last=99)
        if isinstance(event, Individuals)
    ]
    assert answer[-2:] == [98, 99]
    assert not [
        event for event in population_events(9, np.array([3323]), pictures=False) if isinstance(event, Individuals)
    ]


def test_run_of_very_many_iterations_is_thinned():
    rows = [event for event in population_events(20_001, np.array([3323]), last=201) if isinstance(event, Population)]
    assert [int(row.iteration[0]) for row in rows] == [*range(2, 201, 2), 201]


def test_very_many_lengths_are_sampled_evenly():
    answer = sample_by_rank(np.arange(2999)[::-1])
    assert (answer.size, answer[0], answer[-1]) == (1000, 0, 2998)
    assert set(np.diff(answer)) == {3} | ({2, 4} & set(np.diff(answer)))
