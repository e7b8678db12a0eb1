"""Colonies of ants on CUDA, and their kernels: in Numba's simulator, and on a card where there is one."""

import pytest

from tests.solvers.simulated import run_cases

FILES = pytest.mark.parametrize("name", ["ant_cuda", "ants_two_opt_cuda", "colony_cuda"])


@FILES
@pytest.mark.slow
def test_in_the_simulator(name):
    run_cases(name, simulated=True)


@FILES
@pytest.mark.gpu
def test_the_same_on_a_card(name):
    run_cases(name, simulated=False)
