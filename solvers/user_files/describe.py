"""Loads users' files in a separate process: ``python -m solvers.user_files.describe ANSWER FILE ...``.

The process writes each file's declarations or fault as JSON to the file ANSWER, since users' files may print. So a
server never imports Numba because of a file, keeps no old version of it, and survives if the file ends the process.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from data.files import write_whole
from solvers.user_files.declarations import describe_solver
from solvers.user_files.loading import FaultySolver
from solvers.user_files.solver_file import VARIABLE, SolverFile
from solvers.worker.process import child_environment

#: Maximum number of seconds that a file's import may take.
_MAX_SECONDS = 60


def describe_files(names: Sequence[str]) -> list[dict[str, Any]]:
    """Load files in another process, and return their declarations or faults.

    Returns
    -------
    list of dict
        For each file ``declared`` (see `solvers.user_files.declarations`) or ``fault``, a sentence.
    """
    environment = child_environment({VARIABLE: "[]"})
    names_of_files = " and ".join(SolverFile(name).path.name for name in names)
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer"
        command = [sys.executable, "-m", "solvers.user_files.describe", str(answer), *names]
        try:
            done = subprocess.run(command, **environment, stdout=subprocess.DEVNULL, timeout=_MAX_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return [{"fault": f"{names_of_files}: the import has not ended after {_MAX_SECONDS} seconds."}] * len(names)
        if answer.is_file():
            return json.loads(answer.read_bytes())
    return [{"fault": f"{names_of_files}: the import has ended the process, with status {done.returncode}."}] * len(
        names
    )


def _describe_file(name: str) -> dict[str, Any]:
    try:
        return {"declared": describe_solver(SolverFile(name).real())}
    except FaultySolver as fault:
        return {"fault": str(fault)}


def main() -> None:
    """Load the files and write their declarations, even if the files print."""
    answer = [_describe_file(name) for name in sys.argv[2:]]
    write_whole(Path(sys.argv[1]), json.dumps(answer).encode())
    os._exit(0)  # this also ends all threads that the files have started


if __name__ == "__main__":
    main()
