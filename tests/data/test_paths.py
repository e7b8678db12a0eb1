"""Paths from a city, to a city or between two: their distances, their files, and refusals."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from data.collection.resolve import load
from data.collection.uploads import adopt, load_upload
from data.collection.uploads import write as write_upload
from data.distance_kinds import scale
from data.distances import distance_matrix, edge_lengths, maximum_distance, tour_length
from data.errors import InvalidInstance
from data.generators import uniform
from data.instance import Instance
from data.paths import ANY, complete_order, find_city, open_order, parse_edges, with_fixed_edges, with_path
from data.tsplib.instances import format_tour, read, read_checked, read_tour, write
from data.tsplib.normal_form import assemble
from exports.itinerary.files import ROUTE_FILES
from exports.itinerary.stops import list_stops
from solvers.worker.frames import decode, decode_instance, encode_instance_frame
from tests.matrices import from_weights
from tests.tables import each_row

ENDS = [(2, None), (None, 4), (2, 4)]


def places(n: int) -> Instance:
    """Some places on the globe, with names."""
    points = np.random.default_rng(n).uniform(-40, 40, (n, 2)).round(3)
    names = tuple(f"place {k}" for k in range(n))
    return assemble("places", "HAVERSINE_KM", "inline", coordinates=points, names=names)


def table(n: int) -> Instance:
    """A directed instance that has only distances."""
    return assemble(
        "t", "EXPLICIT", "inline", weights=np.random.default_rng(n).integers(1, 99, (n, n)).astype(np.int32)
    )


@each_row("ends", ENDS)
@each_row("make", [places, table, lambda n: uniform(n, 1)])
def test_tour_length_equals_path_length(make, ends):
    base = make(7)
    path = with_path(base, *ends)
    matrix, order = distance_matrix(base), open_order(path, np.array([3, 0, 2, 6, 1, 4, 5]))
    assert [order[0], order[-1]] == [
        end if end is not None else order[at] for end, at in zip(ends, (0, -1), strict=True)
    ]
    assert tour_length(path, order) == matrix[order[:-1], order[1:]].sum()
    saved = np.ones((7, 7), bool)
    saved[:, [end for end in ends[:1] if end is not None]] = False
    saved[[end for end in ends[1:] if end is not None]] = False
    assert np.array_equal(path.weights[saved], matrix[saved])
    assert (path.unit, path.names, path.missing) == (base.unit, base.names, 0)
    if None not in ends:
        closing = path.weights[~saved & ~np.eye(7, dtype=bool)]
        assert (np.sort(closing)[0], np.sort(closing)[1] > matrix.max()) == (0, True)


@each_row("ends", ENDS)
@each_row("make", [places, table, lambda n: replace(uniform(n, 1), node_ids=np.arange(10, 10 + n))])
def test_files_and_frames_contain_the_ends(make, ends, tmp_path):
    path = with_path(make(6), *ends)
    path.names and adopt(write_upload(path, tmp_path / "written"), tmp_path)
    ways = [read(write(path).encode(), "uploaded"), read_checked(write(path).encode())]
    ways += [decode_instance(decode(encode_instance_frame(path)))]
    ways += [load_upload(tmp_path, path.sha256)] if path.names else []
    for again in ways:
        assert (again.start, again.end, again.sha256, again.directed) == (*ends, path.sha256, True)
        assert (again.missing, again.missing_weight) == (path.missing, path.missing_weight)
        assert np.array_equal(again.weights, path.weights)
    assert len({with_path(make(6), *each).sha256 for each in ENDS} | {make(6).sha256}) == 4


@each_row("ends", [*ENDS, (ANY, ANY)])
@each_row("make", [places, lambda n: uniform(n, 1), lambda n: replace(uniform(n, 1), kind="ATT")])
def test_a_path_of_many_cities_has_no_matrix_and_the_same_distances(make, ends, monkeypatch):
    with_matrix = with_path(make(7), *ends)
    monkeypatch.setattr("data.paths.MAX_EXPLICIT", 5)
    path = with_path(make(7), *ends)
    assert path.weights is None
    assert path.sha256 == with_matrix.sha256
    assert np.array_equal(distance_matrix(path), with_matrix.weights)
    a, b = np.indices(with_matrix.weights.shape)
    assert np.array_equal(edge_lengths(path, a, b), with_matrix.weights)
    again = decode_instance(decode(encode_instance_frame(path)))
    assert np.array_equal(distance_matrix(again), with_matrix.weights)
    assert maximum_distance(make(7)) >= distance_matrix(make(7)).max()


@settings(max_examples=40, deadline=None)
@given(
    arrays.arrays(np.int32, (5, 5), elements=st.integers(-20, 20)), st.permutations(range(5)), st.permutations(range(5))
)
def test_path_is_shorter_than_the_round_trip(weights, cities, order):
    """Even if distances are negative: moving the end behind all other cities shortens the tour."""
    path = with_path(from_weights(weights), cities[0], cities[1])
    tour, opened = np.array(order), open_order(path, np.array(order))
    turned = np.roll(tour, -order.index(cities[0]))
    assert np.array_equal(opened, turned) or tour_length(path, opened) < tour_length(path, tour)


def test_edges_are_pairs_of_cities():
    assert parse_edges(" Rome, Milan; 3 ,4;") == [("Rome", "Milan"), ("3", "4")]
    assert parse_edges("") == []
    for text in ("Rome", "a, b, c", "a, ; b, c"):
        with pytest.raises(InvalidInstance, match="pairs of cities"):
            parse_edges(text)


def test_middle_end_comes_last():
    path = with_path(uniform(9, 3), 1, 5)
    order = np.array([0, 5, 3, 1, 2, 8, 7, 4, 6])
    assert open_order(path, order).tolist() == [1, 2, 8, 7, 4, 6, 0, 3, 5]
    assert tour_length(path, open_order(path, order)) < tour_length(path, order)


@each_row("make", [places, table])
def test_path_with_free_ends_has_one_hidden_city(make):
    base = make(7)
    path = with_path(base, ANY, ANY)
    order = np.array([3, 7, 2, 6, 0, 1, 4, 5])
    assert open_order(path, order).tolist() == [2, 6, 0, 1, 4, 5, 3]
    matrix, shown = distance_matrix(base), open_order(path, order)
    assert tour_length(path, order) == matrix[shown[:-1], shown[1:]].sum()
    again = read(write(path).encode(), "uploaded")
    assert (again.n, again.city_count, again.start, again.sha256) == (8, 7, 7, path.sha256)
    assert np.array_equal(again.weights, path.weights)
    assert [stop.number - 1 for stop in list_stops(path, order)] == shown.tolist()
    assert list_stops(path, order)[-1].leg == 0
    assert f"DIMENSION: {base.n}\n" in format_tour(path, order, 1)
    assert read_tour(format_tour(path, order, 1).encode(), path).tolist() == [*shown, 7]
    assert with_path(base, ANY, 2).sha256 == with_path(base, None, 2).sha256
    with pytest.raises(InvalidInstance, match="Unknown city"):
        find_city(path, "8")


def test_fixed_edge_is_in_every_tour_without_missing_ones():
    base = table(5)
    symmetric = from_weights(base.weights + base.weights.T)
    either, one = with_fixed_edges(symmetric, [(3, 1)]), with_fixed_edges(base, [(3, 1)])
    order = np.array([0, 3, 1, 2, 4])
    assert complete_order(either, order).tolist() == [0, 3, 5, 1, 2, 4]
    assert complete_order(either, order[::-1]).tolist() == [4, 2, 1, 5, 3, 0]
    assert complete_order(either, np.arange(5)).tolist() == [0, 1, 2, 3, 4, 5]
    assert tour_length(either, complete_order(either, order)) == tour_length(symmetric, order)
    assert either.missing_in(tour_length(either, complete_order(either, np.arange(5))))
    assert tour_length(one, order) == tour_length(base, order)
    assert one.missing_in(tour_length(one, order[::-1]))
    assert (either.n, either.city_count, one.n) == (6, 5, 5)


@each_row(
    ("make", "edges", "sentence"),
    [
        (table, [(0, 1), (0, 2)], "meet"),
        (lambda n: uniform(n, 1), [(0, 1), (2, 0), (0, 3)], "meet"),
        (table, [(0, 1), (1, 2), (2, 0)], "close"),
        (table, [(2, 2)], "itself"),
        (lambda n: uniform(n, 1), [(0, 1), (2, 2)], "itself"),
        (lambda n: replace(uniform(n, 1), n=5000), [(0, 1)], "at most"),
    ],
)
def test_impossible_fixed_edges_are_refused(make, edges, sentence):
    with pytest.raises(InvalidInstance, match=sentence):
        with_fixed_edges(make(6), edges)


@each_row(
    ("make", "edges", "ends"),
    [
        (table, [(0, 1)], (1, None)),
        (table, [(1, 0)], (ANY, 1)),
        (table, [(1, 2), (2, 3)], (1, 3)),
        (uniform, [(1, 2), (2, 3)], (3, 1)),
        (uniform, [(0, 1), (1, 2)], (1, None)),
        (uniform, [(0, 1), (1, 2)], (ANY, 1)),
        (uniform, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)], (ANY, ANY)),
    ],
)
def test_fixed_edges_that_no_path_has_are_refused(make, edges, ends):
    base = with_fixed_edges(table(6) if make is table else uniform(6, 1), edges)
    with pytest.raises(InvalidInstance, match="No path with this start and end"):
        with_path(base, *ends)


def test_fixed_edges_may_make_the_whole_path():
    whole = [(0, 1), (1, 2), (2, 3)]
    for base in (table(4), uniform(4, 1)):
        assert with_path(with_fixed_edges(base, whole), 0, 3).is_path


def test_path_is_named_by_its_ends():
    names = [with_path(places(3), *ends).name for ends in ((0, None), (None, 2), ("1", "place 2"))]
    assert names == ["places (place 0 → …)", "places (… → place 2)", "places (place 0 → place 2)"]
    path = with_path(uniform(5, 1), 1, None)
    assert path.name == "uniform-5-1 (2 → …)" == read(write(path).encode(), "folder").name


def test_known_optimum_belongs_to_round_trips():
    path = with_path(load("ftv33"), 0, None)
    assert (path.optimum, path.proven, path.optimal_tour) == (None, False, None)
    assert with_path(load("ftv33"), None, None).optimum == 1286


def test_city_is_a_name_a_number_or_an_index():
    numbered = replace(places(4), node_ids=np.array([7, 8, 9, 3]), names=("Ulm", "Bonn", "Ulm", "5"))
    assert [find_city(numbered, city) for city in ("Bonn", "9", "5", 0)] == [1, 2, 3, 0]
    assert find_city(places(4), "4") == 3
    for city, sentence in (
        ("Ulm", "2 cities are called Ulm"),
        ("Bon", "did you mean Bonn"),
        ("4", "city"),
        (4, "none of"),
    ):
        with pytest.raises(InvalidInstance, match=sentence):
            find_city(numbered, city)


def test_path_with_other_distances_is_the_same_path():
    path = with_path(uniform(6, 2), 1, 3)
    again = scale(path, 10.0)
    assert (again.start, again.end, again.name) == (1, 3, f"{path.name} x 10")
    assert again.weights[0, 2] > 9 * path.weights[0, 2]
    with pytest.raises(InvalidInstance, match="path already"):
        with_path(path, 2, None)


def test_invalid_path_is_refused():
    negative = from_weights(-distance_matrix(uniform(5, 1)))
    long = from_weights(np.array([[0, 2**31 - 1, 1], [2**31 - 1, 0, 1], [1, 1, 0]]))
    for base, ends, sentence in (
        (uniform(5, 1), (1, 1), "one city"),
        (with_fixed_edges(from_weights(distance_matrix(uniform(5, 1))), [(0, 1)]), (1, 1), "one city"),
        (long, (1, 2), "scale"),
        (replace(uniform(5, 1), n=20_001), (1, None), "at most 20,000"),
        (replace(table(5), n=5_001), (1, None), "at most 5,000"),
    ):
        with pytest.raises(InvalidInstance, match=sentence):
            with_path(base, *ends)
    with pytest.raises(InvalidInstance, match="scale"):
        with_fixed_edges(negative, [(0, 1)])
    with pytest.raises(InvalidInstance, match="already"):
        with_fixed_edges(with_path(uniform(5, 1), 1, None), [(0, 2)])
    with pytest.raises(ValueError, match="path"):
        decode_instance(decode(encode_instance_frame(replace(uniform(5, 1), start=5))))


@each_row("ends", ENDS)
def test_routes_of_a_path_do_not_return(ends):
    path = with_path(places(6), *ends)
    order = open_order(path, np.array([3, 0, 2, 1, 4, 5]))
    length = tour_length(path, order)
    found = list_stops(path, np.roll(order, 2))
    assert [stop.number - 1 for stop in found] == order.tolist()
    assert (found[-1].leg, found[-1].before) == (0, length)
    gpx, csv = (ROUTE_FILES[kind](path, order, length).decode("utf-8-sig") for kind in ("gpx", "csv"))
    assert gpx.count("<rtept") == 6
    assert len(csv.splitlines()) == 7
    assert '"coordinates":[[' in ROUTE_FILES["geojson"](path, order, length).decode()
