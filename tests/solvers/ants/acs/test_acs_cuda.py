"""Ant Colony System on CUDA: in Numba's simulator, and on a card where there is one."""

import pytest

from tests.solvers.simulated import run_cases


@pytest.mark.slow
def test_in_the_simulator():
    run_cases("acs_cuda", simulated=True)


@pytest.mark.gpu
def test_the_same_on_a_card():
    run_cases("acs_cuda", simulated=False)
