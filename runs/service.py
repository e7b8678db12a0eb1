"""The run service: the pages' interface to runs, independent of the web framework."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from data.errors import InvalidInstance
from data.instance import Instance
from data.sqlite_files import read_stamp
from runs.active_runs import ActiveRun, ActiveRuns
from runs.bounds.board import Board
from runs.bounds.service import BoundService
from runs.computing.computations import Computations
from runs.engine.protocol import COMMANDS, Engine, Status
from runs.imports.service import ImportService
from runs.lecture import Lecture
from runs.limits import UNLIMITED, Limits
from runs.owners import Owners
from runs.presets import Presets
from runs.store.home import Home
from runs.store.open_run import NoSuchRun, open_run
from runs.store.proof import save_run_proof
from runs.store.reader import Meta, RunReader
from runs.store.recovery import recover
from runs.store.run_file import FINAL
from runs.store.summary import Summary, make_recent_row, summarise
from runs.stream.channel import Channel
from runs.stream.collector import END_MISSING
from runs.visitors import current_visitor
from solvers import find
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams
from solvers.core.machine import Machine
from solvers.plan import Plan, may_use_gpu, plan, prepare
from solvers.presets.preset_file import FOLDER
from solvers.spec import RunSpec, Stage
from solvers.worker.frames import decode, decode_instance
from solvers.worker.process import Process

#: Maximum number of runs whose instance hashes are cached.
_CACHED_HASHES = 1000


class RunIsLane(RuntimeError):
    """The run is a lane, which only its race may pause and resume."""

    def __init__(self) -> None:
        super().__init__("This run is a lane of a race: open the race to pause or resume it.")


class RunService(ImportService):
    """Starts runs, passes on commands, reads recorded runs, and imports files.

    Parameters
    ----------
    folder : Path
        The data folder.
    engine : callable
        Returns the `Engine`; called once the folder is locked.
    max_runs : int, optional
        Maximum number of runs at a time, a race counting as one; by default the engine's number of places. Further runs
        wait.
    shared : bool
        Whether others use the server; each visitor may then only change their own entries.
    limits : Limits
        Storage limits.

    Attributes
    ----------
    home : Home
    engine : Engine

    Raises
    ------
    HomeInUse
        If another server uses the folder.
    """

    def __init__(
        self, folder: Path, engine: Callable[[], Engine], max_runs: int | None = None, shared: bool = False,
        limits: Limits = UNLIMITED,
    ) -> None:  # fmt: skip
        super().__init__(Home(folder))
        self.owners = Owners(folder / "owners.sqlite", shared)
        self.presets = Presets(folder / FOLDER, self.owners)
        self._limits = limits
        #: The lecture of a shared server; None on others.
        self.lecture = Lecture(folder / "question.sqlite", self._publish_status) if shared else None
        for run in self.home.newest():
            recover(self.home.new_path(run))
        self._summaries: dict[str, tuple[Any, Summary]] = {}  # with the stamps of their files
        self._summary_lock, self._hash_lock = threading.Lock(), threading.Lock()
        self._cached_hash = lru_cache(_CACHED_HASHES)(self._read_instance_hash)
        self._proof_listeners: list[Callable[[int], None]] = []
        #: Number of deletions so far; when it changes, viewers check whether their runs still exist.
        self.deletions = 0
        self.engine = engine()
        self.status_changes = Channel()
        self.computations = Computations(self.home.incoming, lambda module: self.engine.start_local_process(module))
        self._active = ActiveRuns(
            self.home, self.engine, max_runs, self._publish_status, self._save_proof, self._copy_owner
        )
        self.engine.listen(self._on_engine_change)
        self.bounds = BoundService(
            self.home.bounds,
            lambda module, environment: self.engine.start_process(module, environment),
            lambda: self._active.racing,
            self._save_proof,
        )

    def start(self, spec: RunSpec, owner: str = "") -> str:
        """Start a run and return its id; it waits if too many are active.

        Parameters
        ----------
        spec : RunSpec
        owner : str
            The visitor who starts the run; empty for none.

        Raises
        ------
        InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
            With one sentence for the user.
        """
        return self._start(self._plan_run(spec, self.instance(spec.instance)), owner)

    def _plan_run(self, spec: RunSpec, instance: Instance) -> Plan:
        """Plan a run; raise an error if this server knows that it cannot run."""
        # if other runs take the memory, the run only waits
        machine = Machine.from_report(self.engine.status()["devices"] or (), self._active.claimed_memory)
        run_plan = plan(prepare(spec), instance, machine)
        run_plan.check()
        return run_plan

    def _start(self, run_plan: Plan, owner: str) -> str:
        self.check_storage(owner)
        run = self._active.start(run_plan, owner)
        self.owners.claim([f"run:{run}"], owner)
        return run

    def check_storage(self, owner: str) -> None:
        """Refuse a new run if the disk or its owner's quota is full.

        Raises
        ------
        StorageFull
        """
        self._limits.check(self.home, () if current_visitor().host else self.owners.list_keys(owner))

    def anticipate(self, spec: RunSpec) -> None:
        """Prepare a worker for the run that is likely to start next.

        For a run on a GPU of this machine, the kernels are compiled and loaded, and the worker gets a GPU context. CPU
        kernels are loaded already, except those of `large` solvers. A spec that cannot run is ignored.
        """
        gpus = Machine.from_report(self.engine.status()["devices"] or ()).gpus
        with contextlib.suppress(InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge):
            large = any(find(stage.algorithm).large for stage in spec.stages)
            if not (large or (gpus and may_use_gpu(spec))):
                return
            run_plan = self._plan_run(spec, self.instance(spec.instance))
            if large or run_plan.uses_gpu:
                self.engine.anticipate(spec, run_plan.instance)

    def start_lanes(self, specs: Sequence[RunSpec], owner: str = "") -> list[str]:
        """Start a race's runs paused and return their ids; a race counts as one run.

        Raises
        ------
        As `start`; no lane has started in that case.
        """
        instance = self.instance(specs[0].instance)
        plans = [plan(prepare(spec), instance, Machine(())) for spec in specs]
        for run_plan in plans:  # a lane that only this machine refuses fails alone
            if isinstance(run_plan.refusal, DeviceUnavailable):
                raise run_plan.refusal
        self.check_storage(owner)
        lanes = self._active.start_lanes(plans, owner)
        self.owners.claim([f"run:{lane}" for lane in lanes], owner)
        return lanes

    def adopt_run(self, source: Path, owner: str = "") -> str:
        """Like `ImportService.adopt_run`, with `owner` as the run's owner.

        Raises
        ------
        runs.imports.untrusted_files.InvalidUpload
        StorageFull
        """
        self.check_storage(owner)
        run = super().adopt_run(source)
        self.owners.claim([f"run:{run}"], owner)
        return run

    def active_run(self, run: str) -> ActiveRun | None:
        """Return the state of a run with a worker or in the queue; None if it has ended."""
        return self._active.get(run)

    def active_runs(self) -> tuple[str, ...]:
        """Return the ids of runs with a worker or in the queue."""
        return self._active.ids()

    def request_bound(self, run: str) -> str:
        """Request the bound of a run's instance unless it is known; see `BoundService.request`.

        Raises
        ------
        NoSuchRun, DeviceUnavailable
        """
        self.path(run)
        with self._hash_lock:  # read once for all concurrent requests
            sha256 = self._cached_hash(run)
        return self.bounds.request(sha256, partial(self._read_instance, run), run, current_visitor().id)

    def _read_instance_hash(self, run: str) -> str:
        sha256: str = decode(self._read_instance(run)).values["sha256"]
        return sha256

    def _read_instance(self, run: str) -> bytes:
        with self.open_reader(run) as reader:
            return reader.instance()

    def board(self, run: str, sha256: str) -> Board:
        """Return the board of an instance's bound; if the run's tour is as short as the bound, store it as optimal."""
        board = self.bounds.board(sha256)
        board.runs.add(run)
        if board.newest.state == "done":
            self._save_proof(run, sha256)
        return board

    def _save_proof(self, run: str, sha256: str) -> None:
        bound = self.bounds.find_length(sha256)
        with contextlib.suppress(NoSuchRun), self.open_reader(run) as reader:
            if (n := save_run_proof(reader, self.home.proofs, bound)) is not None:
                self._summaries.clear()
                for listener in self._proof_listeners:
                    listener(n)

    def listen_to_proofs(self, listener: Callable[[int], None]) -> None:
        """Call `listener` with the number of cities whenever an optimum is proven."""
        self._proof_listeners.append(listener)

    def reference_to(self, run: str) -> dict[str, Any]:
        """Return a reference by which this server finds a run's instance; see `ImportService.find_reference`.

        Raises
        ------
        NoSuchRun
        """
        with self.open_reader(run) as reader:
            reference = reader.meta().spec["instance"]
        return self.find_reference(reference, self.run_instance(run))

    def command(self, run: str, command: str) -> None:
        """Send a run ``pause``, ``resume``, ``step`` or ``cancel``; do nothing if it has ended.

        Raises
        ------
        NoSuchRun
        NotOwner
        RunIsLane
            If the run is a lane and the command is not ``cancel``.
        """
        self._require(run)
        self.owners.require(f"run:{run}")
        if self._active.is_lane(run) and command != "cancel":
            raise RunIsLane
        self.send_command(run, command)

    def send_command(self, run: str, command: str) -> None:
        """Like `command`, but also for lanes and for any visitor; for the race's scheduler."""
        if command not in COMMANDS:
            raise ValueError(f"{command!r} is not one of {', '.join(COMMANDS)}")
        self._require(run)
        self._active.command(run, command)

    def _require(self, run: str) -> None:
        """Raise an error unless the run exists; an active run counts even without a file, so that it can be ended."""
        if self._active.get(run) is None:
            self.path(run)

    def channel(self, run: str) -> Channel:
        """Return the channel with a run's newest data, active or ended.

        Raises
        ------
        NoSuchRun
        """
        if channel := self._active.channel(run):
            return channel
        with self.open_reader(run) as reader:
            meta = reader.meta()
            return Channel(_find_final_state((meta.state, meta.reason)), reader.last_seq())

    def path(self, run: str) -> Path:
        """Return the path of the run's file.

        Raises
        ------
        NoSuchRun
        """
        path = self.home.path(run)
        if path is None:
            raise NoSuchRun
        return path

    def opening(self, run: str) -> tuple[Meta, bytes]:
        """Return a run's first row and its instance's frame."""
        with self.open_reader(run) as reader:
            return reader.meta(), reader.instance()

    def log(self, run: str, after: int, limit: int) -> tuple[list[tuple[int, float, bytes]], list[int]]:
        """Return a run's events after event `after`, and the iterations of fields up to the last event returned.

        See `RunReader.log` and `RunReader.field_iterations`.
        """
        with self.open_reader(run) as reader:
            rows = reader.log(after, limit)
            return rows, reader.field_iterations(after, rows[-1][0]) if rows else []

    def summary(self, run: str) -> Summary | None:
        """Return a run's summary (see `runs.store.summary.summarise`), or None if there is no such run.

        Raises
        ------
        UnreadableRun
        """
        path = self.home.path(run)
        if path is None:
            return None
        version = read_stamp(path)
        with self._summary_lock:  # once for all concurrent requests
            cached = self._summaries.get(run)
            if cached is None or cached[0] != version:
                with self.open_reader(run) as reader:
                    cached = self._summaries[run] = version, summarise(reader)
        summary = dict(cached[1])
        if active := self._active.channel(run):
            summary["state"], summary["reason"] = active.state  # the state in the stream, since the file may lag behind
        else:
            summary["state"], summary["reason"] = _find_final_state((summary["state"], summary["reason"]))
        return summary

    def existing_summary(self, run: str) -> Summary:
        """Return an existing run's summary; see `summary`.

        Raises
        ------
        NoSuchRun
        """
        summary = self.summary(run)
        if summary is None:
            raise NoSuchRun
        return summary

    def recent(self, limit: int = 20) -> list[dict[str, Any]]:
        """Return menu rows for the most recently written runs, newest first.

        See `runs.store.summary.make_recent_row`.
        """
        summaries = [self._try_summary(run) for run in self.home.newest()[:limit]]
        rows = [make_recent_row(summary) for summary in summaries if summary]
        return sorted(rows, key=lambda row: row["created"], reverse=True)

    def _try_summary(self, run: str) -> Summary | None:
        """Return a run's summary; None if its file is damaged or gone."""
        try:
            return self.summary(run)
        except NoSuchRun:
            return None

    @contextlib.contextmanager
    def open_reader(self, run: str) -> Iterator[RunReader]:
        """Context manager: an open reader of a run's file.

        Raises
        ------
        NoSuchRun
        UnreadableRun
            For any error in its contents.
        """
        with open_run(self.path(run)) as reader:
            yield reader

    def _on_engine_change(self) -> None:
        self._active.count_places()
        self._publish_status()

    def _copy_owner(self, run: str, other: str) -> None:
        """Give a run's second attempt the same owner as the first."""
        self.owners.copy(f"run:{run}", f"run:{other}")

    def notify_deletion(self) -> None:
        """Notify viewers that runs' files were deleted."""
        self.deletions += 1
        self._summaries.clear()
        place = self.lecture and self.lecture.newest
        if self.lecture and place and place.run and not self.home.path(place.run):
            self.lecture.stop()
        self._publish_status()

    def replay(self, run: str, climber: int, is_wanted: Callable[[], bool]) -> bytes:
        """Recompute a climb and return its frames, which takes at least as long as the climb did.

        Raises
        ------
        NoSuchRun
        RunFailed
            Also if the climb is no longer wanted.
        """
        with self.open_reader(run) as reader:
            spec, instance = reader.meta().spec, decode_instance(decode(reader.instance()))
        return b"".join(self.engine.replay(RunSpec.from_json(spec), instance, climber, is_wanted))

    def run_instance(self, run: str) -> Instance:
        """Read a run's instance from its file."""
        return decode_instance(decode(self._read_instance(run)))

    def adopt_tour(
        self,
        raw: bytes,
        filename: str,
        reference: dict[str, Any],
        warnings: list[str] | None = None,
        owner: str = "",
    ) -> str:
        """Import an uploaded tour, start a run that shows it, and return the run's id.

        Parameters
        ----------
        raw : bytes
            A TSPLIB tour or a plain list of city numbers (`data.tables.plain_tour`), plain or as ``.gz``.
        filename : str
            Ignored: the content decides what the file is.
        reference : dict
            Reference to the instance of the tour.
        warnings : list of str, optional
            Warnings are appended to it.
        owner : str
            As in `start`.

        Raises
        ------
        InvalidInstance
        DeviceUnavailable, RunFailed
            As in `start`.
        """
        instance = self.instance(reference)
        order = self._read_tour(raw, instance, [] if warnings is None else warnings)
        spec = RunSpec(dict(reference), (Stage("given", {"tour": order}),))
        return self._start(self._plan_run(spec, instance), owner)

    def start_process(self, module: str, environment: Mapping[str, str]) -> Process:
        """Start a worker program, ``main()`` of `module`; see `runs.engine.protocol.Engine.start_process`."""
        return self.engine.start_process(module, environment)

    @property
    def cores(self) -> int:
        """Number of cores that a study's runs may use together."""
        return self.engine.cores()

    @property
    def started(self) -> int:
        """Number of runs started here so far, including race lanes."""
        return self._active.started

    def status(self) -> Status:
        """Return the engine's status (see `runs.engine.protocol`), and how many ``runs`` are active and ``waiting``."""
        return {**self.engine.status(), "runs": self._active.active_count, "waiting": self._active.waiting}

    def _publish_status(self) -> None:
        """Notify every viewer that the status may have changed."""
        self.status_changes.publish(self.status_changes.state)

    def close(self) -> None:
        """Stop every run, mark it ``interrupted``, and unlock the folder."""
        self.computations.close()
        self.bounds.close()
        self._active.close(self.engine.close)
        self.owners.close()
        if self.lecture:
            self.lecture.question.close()
        self.home.close()


def _find_final_state(state: tuple[str, str]) -> tuple[str, str]:
    """Return the state of a run without a worker: interrupted if its file has no end."""
    return state if state[0] in FINAL else ("interrupted", END_MISSING)
