"""Files of cases for CUDA, each run in a process of its own: in Numba's simulator, or on a card where there is one.

The simulator is chosen for a whole process, before Numba is imported: so those files are not collected with the others.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvers.devices import probe


def run_cases(name: str, simulated: bool) -> None:
    """Run the cases of ``{name}_cases.py``, wherever it is here; skips where a card is wanted and there is none."""
    card = next(device for device in probe() if device.kind == "cuda")
    if not (simulated or card.available):
        pytest.skip(card.reason)
    cases = next(Path(__file__).parent.rglob(f"{name}_cases.py"))
    turns = ["-p", "tests.solvers.turns"] * simulated
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *turns, str(cases)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": str(int(simulated))},
        capture_output=True,
        text=True,
        timeout=600,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
