"""Files of cases for CUDA, run in a process of their own: in Numba's simulator, or on a card.

The simulator is chosen for a whole process, before Numba is imported: so those files are not collected with the others.
By hand: ``NUMBA_ENABLE_CUDASIM=1 python -m pytest -p tests.solvers.turns FILE``.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.shortened import mark_parameters


def cases(values: Iterable[Any], is_short: Callable[[Any], bool]) -> list[Any]:
    """Test parameters; those that `is_short` accepts also belong to the short tests."""
    return mark_parameters(values, pytest.mark.smoke, is_short)


def run_cases(*paths: Path, simulated: bool, mark: str = "") -> str:
    """Run the cases of some files in one process, or only those of a mark; one line for each that passed."""
    turns = ["-p", "tests.solvers.turns"] * simulated + ["--assert=plain"] * bool(mark)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            *turns,
            "-rp",
            "-m",
            mark,
            *map(str, paths),
        ],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": str(int(simulated))},
        capture_output=True,
        text=True,
        timeout=600,
        cwd=Path(__file__).resolve().parents[2],
    )
    output = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("PASSED"))
    assert done.returncode == 0, output[-4000:] + done.stderr[-1000:]
    return done.stdout
