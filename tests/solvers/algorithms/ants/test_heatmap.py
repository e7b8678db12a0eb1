"""Pictures of trails, against plain Python."""

import math

import numpy as np
import pytest

from data.collection.resolve import load
from data.generators import uniform
from solvers.algorithms.ants.heatmap import BLOCKS, EDGES, HeatmapRenderer, compute_field
from solvers.algorithms.ants.sparse_trails import SparseTrails
from tests import naive
from tests.solvers.algorithms.ants.dense_trails import dense
from tests.tables import each_row


def random_trails(n, seed, values=None):
    """Symmetric trails, 0 on the diagonal: few different values, or spread over seven powers of ten."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(values, (n, n)) if values else 10.0 ** rng.uniform(-7, 0, (n, n))
    upper = np.triu(drawn.astype(np.float32), 1)
    return np.ascontiguousarray(upper + upper.T)


@each_row("n", [1, 2, 5, 256, 257, 300])
def test_heatmap_is_the_logarithm_of_block_means(n):
    trails, order = random_trails(n, n), np.random.default_rng(1).permutation(n).astype(np.int32)
    picture = compute_field(3, trails, order)
    b = min(n, BLOCKS)
    assert picture.heat.shape == (b, b)
    assert picture.heat.dtype == np.uint8
    assert 0 < picture.low <= picture.high
    rows = trails.tolist()
    blocks = [order[k * n // b : (k + 1) * n // b].tolist() for k in range(b)]
    for k in range(0, b, 1 + b // 20):
        for m in range(b):
            mean = naive.block_mean(rows, blocks[k], blocks[m])
            assert (picture.heat[k, m] == 0) or mean >= picture.low * (1 - 1e-9)
            if mean >= picture.low * (1 + 1e-9) and n > 2:
                share = math.log(mean / picture.low) / math.log(picture.high / picture.low)
                assert abs(picture.heat[k, m] - 255 * share) <= 0.5 + 1e-6
    assert (picture.heat == picture.heat.T).all()


@each_row(
    ("n", "values"),
    [(70, None), (100, None), (100, [0.5, 0.25]), (100, [0.5, 0.25, 0.25, 0.25]), (90, [0.5]), (2, None), (1, None)],
)
def test_edges_are_the_strongest(n, values):
    trails = random_trails(n, 7, values)
    picture = compute_field(0, trails, np.arange(n, dtype=np.int32))
    every = sorted((-float(trails[i, j]), i, j) for i in range(n) for j in range(i + 1, n))[:EDGES]
    assert picture.edges.tolist() == [[i, j] for _, i, j in every]
    assert picture.trail.tolist() == [-trail for trail, _, _ in every]


def test_scale_ends_at_a_millionth_of_the_strongest():
    trails = random_trails(60, 2)
    assert compute_field(0, trails, np.arange(60, dtype=np.int32)).low == float(trails.max()) * 1e-6
    narrow = random_trails(60, 2, [0.5, 0.25, 0.75])
    picture = compute_field(0, narrow, np.arange(60, dtype=np.int32))
    assert (picture.low, picture.high) == (0.25, 0.75)


def test_equal_trails_are_as_strong_as_the_strongest():
    trails = np.full((5, 5), 0.3, np.float32)
    np.fill_diagonal(trails, 0.0)
    picture = compute_field(0, trails, np.arange(5, dtype=np.int32))
    assert picture.low == picture.high == float(np.float32(0.3))
    assert (picture.heat == 255 * (1 - np.eye(5))).all()


def test_cities_follow_the_optimal_tour_if_known():
    berlin, any_cities = load("berlin52"), uniform(52, 1)
    best = np.roll(np.arange(52, dtype=np.int32), 7)
    for instance, best_order, expected in (
        (berlin, best, berlin.optimal_tour),
        (any_cities, best, best),
        (any_cities, None, np.arange(52)),
    ):
        with HeatmapRenderer(instance) as sketcher:
            sketcher.draw(1, random_trails(52, 1), best_order)
            (picture,) = sketcher.wait_for_all()
        assert picture.order.tolist() == expected.tolist()
        assert picture.order.dtype == np.int32


def test_pictures_arrive_in_order_without_loss():
    with HeatmapRenderer(uniform(100, 1)) as sketcher:
        answer = []
        for iteration in range(30):
            sketcher.draw(iteration, random_trails(100, iteration), None)
            answer += sketcher.take_finished()
        answer += sketcher.wait_for_all()
    assert [picture.iteration for picture in answer] == list(range(30))
    assert answer[5].trail[0] == random_trails(100, 5).max()


def few_trails(n, k, usual=0.5):
    """The usual trail everywhere except on k edges, some of which have it too."""
    rng = np.random.default_rng(n)
    i, j = np.triu_indices(n, 1)
    chosen = rng.permutation(i.size)[:k]
    ends = np.stack((i[chosen], j[chosen]), axis=1).astype(np.int32)
    ends[::2] = ends[::2, ::-1]
    trail = (usual * rng.choice([1.0, 1.5, 3.0, 40.0], chosen.size)).astype(np.float32)
    return SparseTrails(n, usual, ends, trail)


@each_row(("n", "k"), [(1, 0), (2, 0), (2, 1), (5, 10), (40, 30), (300, 900), (600, 5000)])
def test_sparse_trails_have_the_picture_of_their_matrix(n, k):
    trails, order = few_trails(n, k), np.random.default_rng(1).permutation(n).astype(np.int32)
    few, whole = compute_field(2, trails, order), compute_field(2, dense(trails), order)
    above = (whole.trail > 0.5).sum()
    assert few.edges.tolist() == whole.edges[:above].tolist()
    assert few.trail.tolist() == whole.trail[:above].tolist()
    if n > 1:
        assert (few.low, few.high) == pytest.approx((whole.low, whole.high))
        assert np.abs(few.heat.astype(int) - whole.heat).max() <= 1
