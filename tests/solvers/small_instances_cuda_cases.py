"""All proofs and bounds on CUDA of few cities agree with all orders of them; see `small_instances`.

Not collected with the other tests: see `simulated.run_cases`.
"""

import pytest

from solvers.kernels.device_cuda import SIMULATED
from tests.solvers.simulated import cases
from tests.solvers.small_instances import CITIES, KINDS, PROVING_ON_CUDA, check, draw

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
#: The simulator takes some tenths of a second for an instance of few cities, and many for one of nine.
SIZES, SEEDS = ((4, 5, 6), 1) if SIMULATED else (CITIES, 20)


@pytest.mark.parametrize("kind", cases(KINDS, "negative".__eq__))
def test_proofs_and_bounds_agree_with_brute_force(kind):
    drawn = [(kind, draw(kind, n, seed)) for n in SIZES for seed in range(SEEDS)]
    answered = check(drawn, PROVING_ON_CUDA, "cuda")
    assert answered[f"kind: {kind}"] == len(drawn)
    assert answered["held-karp cuda"] == sum(not instance.directed for _, instance in drawn)
