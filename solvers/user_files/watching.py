"""Users' files in a server: registers them, and reads each again after a change."""

import logging
import threading
from collections.abc import Sequence

from solvers import SOLVERS
from solvers.user_files.describe import describe_files
from solvers.user_files.loading import FaultySolver
from solvers.user_files.solver_file import SolverFile, pass_to_children

#: Seconds between two checks of the files.
INTERVAL = 0.5
_log = logging.getLogger("tourscope.solver")


def join(names: Sequence[str]) -> None:
    """Register files for this process and its children, without importing them here.

    Raises
    ------
    FaultySolver
        If a file cannot be used.
    """
    files = [SolverFile(name).name for name in names]
    for name, answer in zip(files, describe_files(files) if files else (), strict=True):
        if "fault" in answer:
            raise FaultySolver(answer["fault"])
        SOLVERS.join(SolverFile(name, answer["declared"]))
    pass_to_children(SOLVERS.files)


class Watcher:
    """Updates the declarations of registered files after each change, in a thread of its own.

    Only the forms on pages need this, since new workers load the current file. A faulty file keeps its previous
    declarations, and its fault is logged.
    """

    def __init__(self) -> None:
        self._closed = threading.Event()
        self._seen = {file.name: file.fingerprint() for file in SOLVERS.files}
        threading.Thread(target=self._watch, name="solver-files", daemon=True).start()

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()

    def _watch(self) -> None:
        while not self._closed.wait(INTERVAL):
            for file in SOLVERS.files:
                if (now := file.fingerprint()) != self._seen[file.name]:
                    self._seen[file.name] = now
                    self._look(file)

    @staticmethod
    def _look(file: SolverFile) -> None:
        (answer,) = describe_files([file.name])
        if fault := answer.get("fault"):
            _log.warning("%s", fault)
            return
        name = answer["declared"]["name"]
        if any(solver.name == name for solver in SOLVERS if solver is not file.solver):
            _log.warning("%s: the name %s is taken by another solver; change it.", file.path.name, name)
            return
        file.declare(answer["declared"])
        _log.info("%s has changed, and is loaded anew.", file.path.name)
