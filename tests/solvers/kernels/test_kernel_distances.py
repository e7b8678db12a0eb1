"""Distances computed by kernels, against exact ones."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, typeof

from data.collection.resolve import load
from data.distances import distance_matrix
from data.tsplib.normal_form import assemble
from solvers.bounds.problem import build_problem
from solvers.core.devices import cpu_text, probe
from solvers.core.kernel_distances import build_measure, lay_identity, new_path
from solvers.kernels import distance_rows_cpu, scalar
from tests.solver_runs import KINDS
from tests.tables import each_row

_grid, _geo = njit(scalar.euc_2d_grid), njit(scalar.geo)


def matrix_rows(instance):
    """The whole matrix, row by row as the kernels read it, and its policy."""
    measure, n = build_measure(instance), instance.n
    path, place, row = new_path(measure, n), np.empty(n, np.int32), np.empty(n + 1, np.int32)
    lay_identity(measure, path, place)
    matrix = np.empty((n, n), np.int32)
    for city in range(n):
        distance_rows_cpu.fill_row(measure, path, city, 0, n, row)
        matrix[city] = row[:n]
    return matrix, measure.policy


def test_column_coordinates_have_the_compiled_type():
    instance = KINDS["fractions"]()
    columns = replace(instance, coordinates=np.asfortranarray(instance.coordinates))
    for build in (build_measure, build_problem):
        assert typeof(build(columns).points) == typeof(build(instance).points)


@each_row(
    ("kind", "policy"),
    [
        ("grid", distance_rows_cpu.GRID),
        ("fractions", distance_rows_cpu.EUC_2D),
        ("wide", distance_rows_cpu.EUC_2D),
        ("crowded", distance_rows_cpu.GRID),
        ("ceil", distance_rows_cpu.CEIL_2D),
        ("att", distance_rows_cpu.ATT),
        ("geo", distance_rows_cpu.MATRIX),
        ("explicit", distance_rows_cpu.MATRIX),
    ],
)
def test_rows_are_exact_for_every_kind(kind, policy):
    instance = KINDS[kind]()
    matrix, chosen = matrix_rows(instance)
    assert chosen == policy
    assert matrix.tolist() == distance_matrix(instance).tolist()


@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6, allow_nan=False)] * 2), min_size=2, max_size=12))
def test_rows_are_exact_for_any_coordinates(points):
    for kind in ("EUC_2D", "CEIL_2D", "ATT"):
        instance = assemble("t", kind, "inline", coordinates=np.array(points))
        assert matrix_rows(instance)[0].tolist() == distance_matrix(instance).tolist()


@njit
def wrong_on_the_grid(most):
    """The number of differences up to `most` for which the integer formula is wrong, checked with 64-bit integers."""
    wrong = 0
    for dx in range(most):
        for dy in range(dx + 1):
            r, q = np.int64(_grid(np.int32(dx), np.int32(dy))), dx * dx + dy * dy
            # r is the rounded root: (2r - 1)**2 <= 4q < (2r + 1)**2 (equality cannot be: 4q is even).
            if r < 0 or not (4 * q < (2 * r + 1) ** 2 and (r == 0 or 4 * q > (2 * r - 1) ** 2)):
                wrong += 1
    return wrong


def test_the_integer_formula_is_exact():
    assert wrong_on_the_grid(3000) == 0


@given(st.integers(0, 32_767), st.integers(0, 32_767), st.integers(-2, 2))
def test_integer_formula_is_exact_near_rounding_limits(r, dx, off):
    """Differences whose root is as close to a half as integers allow."""
    rest = r * r + r - dx * dx
    dy = math.isqrt(rest) + off if rest > 0 else abs(off)
    if dy >= 0 and dx * dx + dy * dy <= 46_340**2:
        q = dx * dx + dy * dy
        assert int(_grid(np.int32(dx), np.int32(-dy))) == (1 + math.isqrt(4 * q)) // 2


def test_the_scalar_formula_of_geo_agrees():
    instance = load("burma14")
    degrees = np.trunc(instance.coordinates)
    radians = 3.141592 * (degrees + 5.0 * (instance.coordinates - degrees) / 3.0) / 180.0
    matrix = distance_matrix(instance)
    for a in range(14):
        for b in range(a):
            assert _geo(*radians[a], *radians[b]) == matrix[a, b]


def test_machine_is_described():
    cpu, *others = probe()
    assert cpu.kind == "cpu"
    assert cpu.available
    assert cpu.threads >= 1
    *cards, mpi = others
    assert cards
    assert {device.kind for device in cards} == {"cuda"}
    assert mpi.kind == "mpi"
    assert all(device.available or device.reason.endswith(".") for device in others)
    assert cpu_text(1).endswith(", 1 thread")
