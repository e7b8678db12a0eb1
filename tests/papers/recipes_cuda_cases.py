"""Recipes on CUDA in Numba's simulator; not collected with the other tests: see `test_recipes`."""

import numpy as np
import pytest

from benchmarks.ants import pace
from benchmarks.ants.ant_system import gpu, trials_gpu
from tests.papers.small import check, names, shrink, small_instance

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")


@pytest.mark.parametrize("name", names("cuda"))
def test_recipe_measures_the_papers_figures(monkeypatch, name):
    shrink(monkeypatch)
    for changed, value in {"load": small_instance, "TRIALS": (1, 2), "SWITCHES": (50.0, 100.0), "_SAMPLES": 2}.items():
        monkeypatch.setattr(trials_gpu, changed, value)
    monkeypatch.setattr(gpu, "_PHASE_SAMPLES", 2)
    clocked = pace._time_launches
    # The simulator's clock stands, or answers -1.
    monkeypatch.setattr(pace, "_time_launches", lambda *arguments: np.ones_like(clocked(*arguments)))
    check(name, "cuda")
