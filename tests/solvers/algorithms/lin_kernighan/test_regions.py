"""A tour that is kicked in many regions in parallel."""

import numpy as np
import pytest

from data.generators import clustered, uniform
from data.paths import with_path
from data.tsplib.normal_form import assemble
from solvers.algorithms.lin_kernighan import load as loads
from solvers.algorithms.lin_kernighan import regions_cpu, schedule
from solvers.algorithms.lin_kernighan.candidates_cpu import add_distances, merge_lists
from solvers.algorithms.lin_kernighan.kernels.regions_cpu import SHARES
from solvers.algorithms.lin_kernighan.kernels.spatial_cpu import box_levels, fill_boxes, find_beside
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.paths_cpu import ClosedPath, find_round_trip
from solvers.algorithms.lin_kernighan.regions_cpu import RegionSearch, divide
from solvers.core.events import Tour
from solvers.kernels.distance_rows_cpu import EUC_2D
from solvers.parallel.thread_team import ThreadTeam
from tests.plain_kernels import interpret
from tests.solver_runs import collect_events, make_spec
from tests.solvers.algorithms.lin_kernighan.test_merged import make_search, run_rounds
from tests.solvers.algorithms.lin_kernighan.test_path_search import ENDS

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, params=["interpreted", pytest.param("compiled", marks=pytest.mark.long)])
def kernels(request, monkeypatch):
    """Those of regions, which take three seconds to compile; those within a region are compiled anyway."""
    for name in ("cut_out", "join_cycles", "list_far", "list_starts", "put_back") * (request.param == "interpreted"):
        monkeypatch.setattr(regions_cpu, name, interpret(getattr(regions_cpu, name)))


def make_regions(cities, order, length, seed, params, target, team, schedule):
    return RegionSearch(cities, order, length, seed, params, target, team, begins_by_prices=True)


@pytest.mark.parametrize("make", [uniform, clustered])
def test_threads_change_no_round_and_each_tour_has_its_length(make, monkeypatch):
    monkeypatch.setattr(regions_cpu, "_REGION", 60)
    instance = make(500, 3)
    one, *others = (
        run_rounds(*make_search(instance, threads, kind=make_regions), instance, 8) for threads in (1, 2, 3)
    )
    assert others == [one, one]
    lengths = [length for length, *_ in one]
    assert lengths[-1] < lengths[0]
    assert run_rounds(*make_search(instance, 1, seed=2, kind=make_regions), instance, 8) != one


@pytest.mark.parametrize("shorter", [True, False])
def test_a_search_begins_with_the_shorter_greedy_tour(monkeypatch, shorter):
    instance = clustered(500, 3)
    search, _ = make_search(instance, 1, kind=make_regions)
    length = search.length
    if not shorter:
        monkeypatch.setattr(regions_cpu, "build_varied_greedy_tour", lambda *_: np.arange(500, dtype=np.int32))
    for _ in search._begin_by_prices():
        pass
    assert (search.length < length) == shorter
    assert search.length == round_trip(search)
    assert search.candidates[0].near.shape == (500, 5)


def test_prices_come_after_the_report_of_the_start_tour():
    search, _ = make_search(uniform(500, 3), 1, kind=make_regions)
    assert search.end_round().length == search.length
    while not search.round_over:
        search.advance(1)
    assert search.candidates[1] is not None


def round_trip(search):
    order = search.order
    return measure(search.cities, np.stack([np.roll(order, 1), np.roll(order, -1)], axis=1)[np.argsort(order)])


@pytest.mark.parametrize("ends", [(None, None), *ENDS.values()], ids=["round trip", *ENDS])
def test_runs_report_tours_that_were_kicked_in_regions_and_then_crossed(ends, monkeypatch):
    monkeypatch.setattr(schedule, "LARGE", 400)
    monkeypatch.setattr(schedule, "_KICKS", (0.0, 0.0))  # so that the first tour is the shortest
    monkeypatch.setattr(regions_cpu, "_REGION", 60)
    instance = with_path(uniform(500, 3), *ends)
    events = collect_events(instance, make_spec("lin-kernighan", 1, variant="cpu", tours=4, rounds=24))
    tours = [event for event in events if isinstance(event, Tour)]  # `run` has measured each
    assert len(tours) > 3
    assert tours[-1].length < tours[2].length


def test_no_region_changes_the_edges_of_a_path_s_extra_city(monkeypatch):
    monkeypatch.setattr(regions_cpu, "_REGION", 60)
    base, params, team = uniform(500, 3), LinKernighanParams(), ThreadTeam(1)
    # Ends beside the point of the extra city, so that all three are in one region.
    centre = np.square(base.coordinates - base.coordinates.mean(axis=0)).sum(axis=1)
    path = with_path(base, *np.argsort(centre)[:2].tolist())
    pairs = ClosedPath(path, find_round_trip(path), params, team)
    length = pairs.length(pairs.start) - pairs.offset
    search = RegionSearch(pairs.cities, pairs.pair(pairs.start), length, 1, params, None, team, begins_by_prices=True)
    for _ in range(3):
        while not search.round_over:
            search.advance(1 << 40)
        assert pairs.length(pairs.unpair(search.end_round().order)) == search.length + pairs.offset
        search.start_round()


def test_a_round_of_one_kick_also_shortens_long_edges():
    search, _ = make_search(clustered(2000, 3), 1, kind=make_regions, kicks=1)
    counts = []
    for _ in range(3):  # two descents, and kicks
        while not search.round_over:
            search.advance(1 << 40)
        counts.append(len(search._list_long_edges()))
        search.start_round()
    assert counts[1] > 0
    assert counts[2] == 0


@pytest.mark.parametrize("division", [0, 1])
def test_both_ends_of_a_long_edge_are_in_one_region(division):
    search, _ = make_search(uniform(500, 3), 1, kind=make_regions)
    parts = divide(search.cities.points, 8, np.random.default_rng(1), ThreadTeam(2))
    region = search._region
    for number, part in enumerate(parts):
        region[part] = number
    before, order = region.copy(), search.order
    edges = np.stack([order, np.roll(order, -1)], axis=1)[[3, 100, 200, 499]]
    search._unite_long_edges(parts, search.cities.points, edges, division)
    assert (region[edges[:, 0]] == region[edges[:, 1]]).all()
    assert (region != before).any()
    assert sorted(np.concatenate(parts)) == list(range(500))
    assert all((region[part] == number).all() for number, part in enumerate(parts))


def test_cities_beside_a_segment_are_those_that_measuring_all_finds():
    rng = np.random.default_rng(5)
    points = rng.integers(0, 60, (300, 2)).astype(np.float64)  # some coincide
    levels, found = box_levels(300), np.empty(300, np.int32)
    boxes = np.empty((levels[-1], 4))
    interpret(fill_boxes)(points, levels, boxes)
    drawn = [(*rng.integers(0, 300, 2), width) for width in (1.0, 4.5, 20.0, 99.0)]
    for start, end, width in [(0, 0, 7.0), (3, 8, 0.0), *drawn]:
        along = points[end] - points[start]
        share = np.clip((points - points[start]) @ along / max(along @ along, 1e-300), 0.0, 1.0)
        far = np.hypot(*(points - points[start] - share[:, None] * along).T)
        count = interpret(find_beside)(points, levels, boxes, start, end, width, found)
        assert sorted(found[:count]) == np.flatnonzero(far <= width).tolist()


def test_kernels_that_apply_results_are_loaded_within_their_arrays(monkeypatch):
    for name in ("find_regions", "join_cycles", "list_paths", "put_back", "rename_cities"):
        monkeypatch.setattr(loads, name, interpret(getattr(loads, name)))
    calls = loads._Calls(uniform(500, 3), LinKernighanParams(), loads.make_cpu_search)
    with np.errstate(all="raise"):
        calls._results()


def test_regions_cover_all_points_once():
    parts = divide(np.random.default_rng(1).random((1000, 2)), 8, np.random.default_rng(2), ThreadTeam(2))
    assert sorted(np.concatenate(parts)) == list(range(1000))
    assert min(part.size for part in parts) > 50


def test_most_kicks_start_at_long_edges():
    line = np.arange(40, dtype=np.float64) + 100.0 * (np.arange(40) >= 20)
    near = np.argsort(np.abs(line[:, None] - line), axis=1, kind="stable")[:, 1:4].astype(np.int32)
    cities = add_distances(EUC_2D, np.empty((0, 0), np.int32), np.stack([line, line], axis=1), near)
    ends = np.zeros(40, np.int8)
    ends[:2] = 1
    starts = np.empty((1 + SHARES) * 40, np.int32)
    size = regions_cpu.list_starts(cities, ends, np.uint64(5), starts)
    times = np.bincount(starts[:size], minlength=40)
    assert (times[[19, 20]] > 30).all()
    assert times[39] > 30  # the last edge leads back to the first city
    assert (np.delete(times, [19, 20, 39]) <= SHARES // 2 + 1).all()


def test_ends_of_long_edges_become_candidates_of_each_other():
    """Forty distant clusters, in which no city has a candidate in another cluster."""
    cluster = np.arange(400) // 10
    points = np.random.default_rng(6).integers(0, 1000, (400, 2)) + 50_000.0 * np.stack([cluster % 8, cluster // 8], 1)
    search, _ = make_search(
        assemble("clusters", "EUC_2D", "inline", coordinates=points), 1, kind=make_regions, quadrants=0
    )
    own = np.rint(search.cities.points / 50_000)
    assert not (own[search.cities.near] != own[:, None]).any()
    while search.descending:
        search.advance(1 << 40)
    for _ in range(2):  # kicks at edges as long as the map fill the first round
        search.start_round()
        while not search.round_over:
            search.advance(1 << 40)
        search.end_round()
    assert (own[search.cities.near] != own[:, None]).any()
    assert (np.diff(search.cities.near_distance, axis=1) >= 0).all()


def test_candidate_lists_are_merged_without_duplicates():
    near, others = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.int32), np.array([[2, 9], [10, 11]], np.int32)
    assert merge_lists(near, others, 2).tolist() == [[1, 2, 9, 3], [5, 6, 10, 11]]


def test_cycles_are_joined_with_the_correct_change_of_length():
    instance = uniform(60, 4)
    search, _ = make_search(instance, 1, kind=make_regions)
    cities, links = search.cities, np.empty((60, 2), np.int32)
    for first in range(0, 60, 12):
        cycle = np.arange(first, first + 12)
        links[cycle] = np.stack([np.roll(cycle, 1), np.roll(cycle, -1)], axis=1)
    before = measure(cities, links)
    change, count = regions_cpu.join_cycles(cities, links, np.empty(60, np.int32), np.zeros(60, np.bool_))
    assert count == 5
    assert measure(cities, links) - before == change
    seen, here, last = [0], links[0, 0], 0
    while here != 0:
        seen.append(here)
        here, last = links[here, 0] if links[here, 0] != last else links[here, 1], here
    assert sorted(seen) == list(range(60))


def measure(cities, links):
    away = np.hypot(*(cities.points[links] - cities.points[:, None]).transpose(2, 0, 1))
    return int(np.rint(away).sum()) // 2
