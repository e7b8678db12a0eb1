"""The caller's own solvers, registered for the duration of a run."""

from typing import Any

from solvers import SOLVERS
from solvers.core.errors import RunFailed
from solvers.user_files.describe import describe_files
from solvers.user_files.loading import FaultySolver
from solvers.user_files.solver_file import SolverFile
from solvers.user_files.watching import join


class OwnSolvers:
    """The solver files that this process had loaded at the last call."""

    def __init__(self) -> None:
        self._fingerprints: dict[str, str] = {}

    def translate_stages(self, stages_in: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], bool]:
        """Translate a call's stages for a spec; also return whether workers must restart to load solver files.

        Raises
        ------
        RunFailed
            If a file cannot be used; the sentence names it.
        """
        names = list(dict.fromkeys(SolverFile(stage["file"]).name for stage in stages_in if "file" in stage))
        files_by_name = {file.name: file for file in SOLVERS.files}
        new = not files_by_name.keys() >= set(names)
        try:
            if new:
                # files of earlier calls are removed, since another file may define a solver of the same name
                SOLVERS.files.clear()
                self._fingerprints = {name: SolverFile(name).fingerprint() for name in names}
                join(names)
                files_by_name = {file.name: file for file in SOLVERS.files}
            for name in names:
                self._refresh(files_by_name[name])
        except FaultySolver as fault:
            if new:  # workers do not know solvers that were added since they started
                SOLVERS.files.clear()
            raise RunFailed(str(fault)) from fault
        return [self._translate_stage(stage, files_by_name) for stage in stages_in], new

    def _refresh(self, file: SolverFile) -> None:
        """Describe a file again if it has changed."""
        if (now := file.fingerprint()) == self._fingerprints[file.name]:
            return
        (answer,) = describe_files([file.name])
        if "fault" in answer:
            raise FaultySolver(answer["fault"])
        file.declare(answer["declared"])
        self._fingerprints[file.name] = now

    @staticmethod
    def _translate_stage(stage: dict[str, Any], files: dict[str, SolverFile]) -> dict[str, Any]:
        if "file" not in stage:
            return stage
        return {"algorithm": files[SolverFile(stage["file"]).name].solver.name, "params": stage["params"]}
