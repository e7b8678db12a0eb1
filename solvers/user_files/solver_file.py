"""A user's file as a registered solver; an error in a run becomes one sentence."""

import hashlib
import json
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, ClassVar

from data.errors import InvalidInstance
from data.instance import Instance
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.events import Event
from solvers.core.params import Params
from solvers.core.solver import Job, Solver, Variant
from solvers.core.stop import Interrupted
from solvers.user_files.declarations import describe_solver, find_faults, parse_attributes
from solvers.user_files.loading import FaultySolver, describe_fault, load, log, split_name

if TYPE_CHECKING:
    from solvers.core.machine import Machine

#: The environment variable that names the files to workers: a JSON list of the values of ``--solver``.
VARIABLE = "TOURSCOPE_SOLVERS"
#: Errors that are not the file's fault, and are passed on.
_USER_ERRORS = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed, Interrupted)


class FileSolver(Solver):
    """The registered solver of a file; each version of the file gets a subclass with its declarations.

    The solver can run only in a worker or on the command line, where the file is loaded.
    """

    file: ClassVar["SolverFile"]
    doc: ClassVar[str]  #: the docstring of the solver's class

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Run the file's `solve`.

        Raises
        ------
        RunFailed
            If the file's code raises an error, or yields something other than an event.
        """
        real = self.file.real()
        yield from self._events(real.solve(self._job(real, job)), "solve")

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Run the file's `replay`; if it has none, there are no climbs to reproduce."""
        real = self.file.real()
        events = real.replay(self._job(real, job), climber)
        return iter(()) if events is None else self._events(events, "replay")

    def needs(self, instance: Instance, device: str, memory: int) -> str:
        real = self.file.loaded
        return real.needs(instance, device, memory) if real else ""

    def preferred(self, instance: Instance, params: Params, machine: "Machine") -> Sequence[Variant]:
        real = self.file.loaded
        return real.preferred(instance, params, machine) if real else super().preferred(instance, params, machine)

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        real = self.file.loaded
        return real.refusal(instance, params, device) if real else ""

    def versions(self) -> dict[str, str]:
        """Return a hash of the file's text, and the versions that the file's solver declares."""
        return {self.file.path.name: self.file.text_hash(), **self.file.real().versions()}

    @staticmethod
    def _job(real: Solver, job: Job) -> Job:
        if isinstance(job.params, real.params):
            return job
        return replace(job, params=real.params.from_mapping(asdict(job.params)))

    def _events(self, events: Any, method: str) -> Generator[Event, None, None]:
        path = self.file.path
        if not hasattr(events, "__next__") or not hasattr(events, "close"):
            raise RunFailed(f"{path.name}: {method} is no generator; it must yield events.")
        try:
            with closing(events):
                for event in events:
                    if not isinstance(event, Event):
                        raise RunFailed(
                            f"{path.name}: {method} yielded {event!r:.80}, which is no event.{_hint(event)}"
                        )
                    yield event
        except _USER_ERRORS:
            raise
        except Exception as error:
            log(path, error)
            raise RunFailed(describe_fault(path, error)) from error


def _hint(yielded: object) -> str:
    """Return a space and a hint at the likely mistake behind a yielded value; often empty."""
    return " Write `yield from` before the call." if isinstance(yielded, Generator) else ""


class SolverFile:
    """A file with a user's own solver.

    Parameters
    ----------
    text : str
        ``FILE`` or ``FILE:CLASS``.
    declared : mapping, optional
        The file's declarations, if another process has read them (`solvers.user_files.describe`); by default, this
        process loads the file when it is first needed.

    Attributes
    ----------
    path : Path
        The file's absolute path.
    loaded : Solver or None
        The file's own solver, if this process has loaded it.
    """

    def __init__(self, text: str, declared: Mapping[str, Any] | None = None) -> None:
        path, self.kind = split_name(text)
        self.path = path.expanduser().absolute()
        self.loaded: Solver | None = None
        self._solver: FileSolver | None = None
        self._fault = ""
        if declared is not None:
            self.declare(declared)

    @property
    def name(self) -> str:
        """The value of ``--solver`` that names the file from any working folder."""
        return f"{self.path}:{self.kind}" if self.kind else str(self.path)

    @property
    def solver(self) -> FileSolver:
        """The registered solver.

        Raises
        ------
        FaultySolver
            If the file cannot be loaded.
        """
        if self._solver is None:
            self.real()
        assert self._solver is not None
        return self._solver

    def declare(self, declared: Mapping[str, Any]) -> None:
        """Set the file's current declarations; existing references still lead to the old solver."""
        self._solver = self._make_solver(parse_attributes(declared))

    def real(self) -> Solver:
        """Return the file's own solver; each process loads it once.

        Raises
        ------
        FaultySolver
        """
        if self.loaded is None:
            if self._fault:
                raise FaultySolver(self._fault)
            try:
                self.loaded = self._load()
            except FaultySolver as fault:
                self._fault = str(fault)
                raise
            own = parse_attributes(describe_solver(self.loaded)) | {"params": self.loaded.params}
            self._solver = self._make_solver(own)
        return self.loaded

    def fault(self) -> str:
        """Return a sentence that says why the file cannot be loaded, or ""."""
        if self._solver is None and not self._fault:
            try:
                self.real()
            except FaultySolver as fault:
                return str(fault)
        return self._fault

    def fingerprint(self) -> str:
        """Return a string that changes with the file, and with files beside it that it may import."""
        try:
            with os.scandir(self.path.parent) as entries:
                seen = sorted(
                    (entry.name, entry.stat().st_mtime_ns, entry.stat().st_size)
                    for entry in entries
                    if entry.name.endswith(".py") and entry.is_file()
                )
        except OSError:
            return "unreadable"
        return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]

    def text_hash(self) -> str:
        """Return a hash of the file's text as 12 hexadecimal digits."""
        try:
            return hashlib.sha256(self.path.read_bytes()).hexdigest()[:12]
        except OSError:
            return ""

    def _load(self) -> Solver:
        solver = load(self.path, self.kind)
        if (fault := next(find_faults(solver), None)) is not None:
            raise FaultySolver(f"{self.path.name}: {fault}")
        return solver

    def _make_solver(self, own: dict[str, Any]) -> FileSolver:
        return type("UserSolver", (FileSolver,), {**own, "file": self})()


def list_inherited_files() -> list[SolverFile]:
    """Return the users' files whose names the parent process has passed on."""
    return [SolverFile(name) for name in json.loads(os.environ.get(VARIABLE, "[]"))]


def pass_to_children(files: Sequence[SolverFile]) -> None:
    """Pass the files' names on to child processes that are started later."""
    os.environ[VARIABLE] = json.dumps([file.name for file in files])
