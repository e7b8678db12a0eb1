"""What recipes on CUDA must do, in Numba's simulator; not collected with the other tests: see `test_recipes`."""

import numpy as np
import pytest

from benchmarks.ants import pace
from benchmarks.ants.ant_system import gpu, trials_gpu
from papers.catalogue import find
from tests.papers.small import check, few, names, shrink

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")


#: Entries by their recipe: those of one differ in their arguments alone, and so the first of them is a smoke case.
FIRST = {find(name)[1].recipe.function: name for name in reversed(names("cuda"))}.values()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.smoke] * (name in FIRST)) for name in names("cuda")]
)
def test_a_recipe_measures_what_the_paper_has(monkeypatch, name):
    shrink(monkeypatch)
    for changed, value in {"load": few, "TRIALS": (1, 2), "SWITCHES": (50.0, 100.0), "_SAMPLES": 2}.items():
        monkeypatch.setattr(trials_gpu, changed, value)
    monkeypatch.setattr(gpu, "_PHASE_SAMPLES", 2)
    clocked = pace._clocked
    # The simulator's clock stands, or answers -1.
    monkeypatch.setattr(pace, "_clocked", lambda *given: np.ones_like(clocked(*given)))
    check(name, "cuda")
