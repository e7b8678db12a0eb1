"""Runs the CUDA cases: some from each file in Numba's simulator, and all on a GPU."""

from pathlib import Path

import pytest

from tests.solvers.simulated import run_cases

FILES = sorted(Path(__file__).parent.rglob("*_cuda_cases.py"))
EACH = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem.removesuffix("_cuda_cases"))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_smoke_cases_of_all_files_in_the_simulator():
    passed = run_cases(*FILES, simulated=True, mark="smoke")
    assert len(FILES) > 1
    for path in FILES:
        assert f"{path.name}::" in passed, "no case of it is marked"


@pytest.mark.long
@pytest.mark.timeout(600)
@EACH
def test_all_cases_in_the_simulator(path):
    run_cases(path, simulated=True)


@pytest.mark.gpu
@EACH
def test_all_cases_on_a_gpu(path):
    run_cases(path, simulated=False)
