"""The run service: everything that the page can ask of the server about runs, without the web framework."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from data.errors import InvalidInstance
from data.instance import Instance
from data.sqlite_files import stamp
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
from runs.store.summary import Summary, recent_row, summarise
from runs.stream.channel import Channel
from runs.stream.collector import END_MISSING
from runs.visitors import visitor
from solvers import find
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams
from solvers.machine import Machine
from solvers.plan import Plan, may_use_gpu, plan, prepare
from solvers.presets.preset_file import FOLDER
from solvers.spec import RunSpec, Stage
from solvers.worker.frames import decode, decode_instance
from solvers.worker.process import Process


class RunIsLane(RuntimeError):
    """The run is a lane of a race: only the race may pause and resume it."""

    def __init__(self) -> None:
        super().__init__("This run is a lane of a race: open the race to pause or resume it.")


class RunService(ImportService):
    """Starts runs, passes commands on, reads recorded runs, and imports files.

    Parameters
    ----------
    folder : Path
        The data folder.
    engine : callable
        Returns the `Engine`; called once the folder is locked.
    max_runs : int, optional
        Runs at a time, a race counting as one; as many as the engine has places for by default. Others wait.
    shared : bool
        Whether others use the server, who then may change only what is theirs.
    limits : Limits
        Of what is kept.

    Raises
    ------
    HomeTaken
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
        #: What the lecturer shows; None on a server that is not shared.
        self.lecture = Lecture(self._publish_status) if shared else None
        for run in self._home.newest():
            recover(self._home.new_path(run))
        self._summaries: dict[str, tuple[Any, Summary]] = {}  # and the stamps of their files
        self._summing = threading.Lock()
        self._proof_listeners: list[Callable[[int], None]] = []
        #: Number of deletions so far: on a change, viewers check whether the runs they watch still exist.
        self.deletions = 0
        self._engine = engine()
        self.status_changes = Channel()
        self.computations = Computations(self.incoming, lambda module: self._engine.local_process(module))
        self._active = ActiveRuns(
            self._home, self._engine, max_runs, self._publish_status, self._keep_proof, self._pass_on
        )
        self._engine.listen(self._engine_changed)
        self.bounds = BoundService(
            self._home.bounds,
            lambda module, environment: self._engine.process(module, environment),
            lambda: self._active.racing,
            self._keep_proof,
        )

    def start(self, spec: RunSpec, owner: str = "") -> str:
        """Start a run and return its id; it waits if too many are active.

        Parameters
        ----------
        spec : RunSpec
        owner : str
            Who starts it; empty for no particular owner.

        Raises
        ------
        InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
            With one sentence for the user.
        """
        return self._start(self._planned(spec, self.instance(spec.instance)), owner)

    def _planned(self, spec: RunSpec, instance: Instance) -> Plan:
        """The plan of a run that can be, as far as this server knows."""
        # what other runs have taken it waits for
        machine = Machine.reported(self._engine.status()["devices"] or (), self._active.memory_taken)
        planned = plan(prepare(spec), instance, machine)
        planned.check()
        return planned

    def _start(self, planned: Plan, owner: str) -> str:
        self.check_room(owner)
        run = self._active.start(planned, owner)
        self.owners.claim([f"run:{run}"], owner)
        return run

    def check_room(self, owner: str) -> None:
        """Refuse a new run if the disk, or its owner's share, is full.

        Raises
        ------
        NoRoom
        """
        self._limits.check(self._home, () if visitor().host else self.owners.list_keys(owner))

    def anticipate(self, spec: RunSpec) -> None:
        """Have a worker prepared for a run that is likely to be started next, where that saves the run time.

        On a GPU of this machine its kernels are compiled and loaded, and the worker has a context there; on CPUs all of
        that is there, but of `large` solvers. A spec that cannot be run is ignored.
        """
        gpus = Machine.reported(self._engine.status()["devices"] or ()).gpus
        with contextlib.suppress(InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge):
            large = any(find(stage.algorithm).large for stage in spec.stages)
            if not (large or (gpus and may_use_gpu(spec))):
                return
            planned = self._planned(spec, self.instance(spec.instance))
            if large or planned.uses_gpu:
                self._engine.anticipate(spec, planned.instance)

    def start_lanes(self, specs: Sequence[RunSpec], owner: str = "") -> list[str]:
        """Start the runs of a race, all of them paused, and return their ids; a race counts as one run.

        Raises
        ------
        As `start`; then none of them has started.
        """
        instance = self.instance(specs[0].instance)
        plans = [plan(prepare(spec), instance, Machine(())) for spec in specs]
        for planned in plans:  # a lane that only this machine refuses fails alone
            if isinstance(planned.refusal, DeviceUnavailable):
                raise planned.refusal
        self.check_room(owner)
        lanes = self._active.start_lanes(plans, owner)
        self.owners.claim([f"run:{lane}" for lane in lanes], owner)
        return lanes

    def adopt_run(self, source: Path, owner: str = "") -> str:
        """As `ImportService.adopt_run`; the run is that of `owner`.

        Raises
        ------
        runs.imports.launch.Refused
        NoRoom
        """
        self.check_room(owner)
        run = super().adopt_run(source)
        self.owners.claim([f"run:{run}"], owner)
        return run

    def active_run(self, run: str) -> ActiveRun | None:
        """The state of a run that has a worker or waits for one; None if it is over."""
        return self._active.get(run)

    def active_runs(self) -> tuple[str, ...]:
        """The runs that have a worker or wait for one."""
        return self._active.ids()

    def bound(self, run: str) -> str:
        """Have the bound of a run's instance computed, unless it is known; see `BoundService.ask`.

        Raises
        ------
        NoSuchRun, DeviceUnavailable
        """
        with self.reading(run) as reader:
            instance = reader.instance()
        return self.bounds.ask(instance, run, visitor().id)

    def board(self, run: str, sha256: str) -> Board:
        """The bound of the instance with this hash; a tour of the run of equal length is stored as optimal."""
        board = self.bounds.board(sha256)
        board.runs.add(run)
        if board.newest.state == "done":
            self._keep_proof(run, sha256)
        return board

    def _keep_proof(self, run: str, sha256: str) -> None:
        bound = self.bounds.known(sha256)
        with contextlib.suppress(NoSuchRun), self.reading(run) as reader:
            if (n := save_run_proof(reader, self._home.proofs, bound)) is not None:
                self._summaries.clear()
                for listener in self._proof_listeners:
                    listener(n)

    def listen_to_proofs(self, listener: Callable[[int], None]) -> None:
        """Call `listener` with the number of cities of each instance whose optimum is proven from now on."""
        self._proof_listeners.append(listener)

    def reference_to(self, run: str) -> dict[str, Any]:
        """A reference by which this server finds the instance of a run; see `ImportService.kept_reference`.

        Raises
        ------
        NoSuchRun
        """
        with self.reading(run) as reader:
            reference = reader.meta().spec["instance"]
        return self.kept_reference(reference, self.run_instance(run))

    def command(self, run: str, command: str) -> None:
        """Send a run ``pause``, ``resume``, ``step`` or ``cancel``; does nothing if it is over.

        Raises
        ------
        NoSuchRun
        NotYours
        RunIsLane
            If it is one and the command is not ``cancel``.
        """
        self._require(run)
        self.owners.require(f"run:{run}")
        if self._active.is_lane(run) and command != "cancel":
            raise RunIsLane
        self.send_command(run, command)

    def send_command(self, run: str, command: str) -> None:
        """As `command`, but also for lanes of races and for any visitor; used by the race's scheduler."""
        if command not in COMMANDS:
            raise ValueError(f"{command!r} is not one of {', '.join(COMMANDS)}")
        self._require(run)
        self._active.command(run, command)

    def _require(self, run: str) -> None:
        """Raise unless the run exists; an active run counts even if its file was deleted, so that it can be ended."""
        if self._active.get(run) is None:
            self.path(run)

    def channel(self, run: str) -> Channel:
        """The newest data of a run, active or over.

        Raises
        ------
        NoSuchRun
        """
        if channel := self._active.channel(run):
            return channel
        with self.reading(run) as reader:
            meta = reader.meta()
            return Channel(_state_without_worker((meta.state, meta.reason)), reader.last_seq())

    def path(self, run: str) -> Path:
        """The run's file.

        Raises
        ------
        NoSuchRun
        """
        path = self._home.path(run)
        if path is None:
            raise NoSuchRun
        return path

    def opening(self, run: str) -> tuple[Meta, bytes]:
        """The run's first row, and the frame of its instance."""
        with self.reading(run) as reader:
            return reader.meta(), reader.instance()

    def log(self, run: str, after: int, limit: int) -> tuple[list[tuple[int, float, bytes]], list[int]]:
        """Events of a run after `after`, and the iterations whose fields arrived by the last of them.

        See `RunReader.log` and `RunReader.field_iterations`.
        """
        with self.reading(run) as reader:
            rows = reader.log(after, limit)
            return rows, reader.field_iterations(after, rows[-1][0]) if rows else []

    def summary(self, run: str) -> Summary | None:
        """A run in a few values (see `runs.store.summary.summarise`), or None if there is no run of that id.

        Raises
        ------
        UnreadableRun
        """
        path = self._home.path(run)
        if path is None:  # it may have been deleted
            self._summaries.pop(run, None)
            return None
        version = stamp(path)
        with self._summing:  # once for all who ask at a time
            known = self._summaries.get(run)
            if known is None or known[0] != version:
                with self.reading(run) as reader:
                    known = self._summaries[run] = version, summarise(reader)
        summary = dict(known[1])
        if active := self._active.channel(run):
            summary["state"], summary["reason"] = active.state  # as the stream says it: the file may be behind
        else:
            summary["state"], summary["reason"] = _state_without_worker((summary["state"], summary["reason"]))
        return summary

    def existing_summary(self, run: str) -> Summary:
        """The summary of an existing run; see `summary`.

        Raises
        ------
        NoSuchRun
        """
        summary = self.summary(run)
        if summary is None:
            raise NoSuchRun
        return summary

    def recent(self, limit: int = 20) -> list[dict[str, Any]]:
        """The most recently written runs, newest first, as rows of the menu; see `runs.store.summary.recent_row`."""
        summaries = [self._readable(run) for run in self._home.newest()[:limit]]
        rows = [recent_row(summary) for summary in summaries if summary]
        return sorted(rows, key=lambda row: row["created"], reverse=True)

    def _readable(self, run: str) -> Summary | None:
        """A run's summary, None if its file is damaged."""
        try:
            return self.summary(run)
        except NoSuchRun:
            return None

    @contextlib.contextmanager
    def reading(self, run: str) -> Iterator[RunReader]:
        """Context manager: an open reader of a run's file.

        Raises
        ------
        NoSuchRun
        UnreadableRun
            Whatever is wrong with its contents.
        """
        with open_run(self.path(run)) as reader:
            yield reader

    def _engine_changed(self) -> None:
        self._active.count_places()
        self._publish_status()

    def _pass_on(self, run: str, other: str) -> None:
        """The second attempt at a run is whose the first was."""
        self.owners.copy(f"run:{run}", f"run:{other}")

    def note_deletion(self) -> None:
        """Notify viewers that files of runs were deleted."""
        self.deletions += 1
        place = self.lecture and self.lecture.newest
        if self.lecture and place and place.run and not self._home.path(place.run):
            self.lecture.stop()
        self._publish_status()

    def replay(self, run: str, climber: int, wanted: Callable[[], bool]) -> bytes:
        """The frames of a climb that is computed again, which takes at least as long as the climb took.

        Raises
        ------
        NoSuchRun
        RunFailed
            Also if nobody wants it any more.
        """
        with self.reading(run) as reader:
            spec, instance = reader.meta().spec, decode_instance(decode(reader.instance()))
        return b"".join(self._engine.replay(RunSpec.from_json(spec), instance, climber, wanted))

    def run_instance(self, run: str) -> Instance:
        """The instance of a run, from its file."""
        with self.reading(run) as reader:
            return decode_instance(decode(reader.instance()))

    def adopt_tour(
        self,
        raw: bytes,
        filename: str,
        reference: dict[str, Any],
        warnings: list[str] | None = None,
        owner: str = "",
    ) -> str:
        """Import an uploaded tour, start the run that shows it, and return the run's id.

        Parameters
        ----------
        raw : bytes
            A TSPLIB tour or a plain list of city numbers (`data.tables.plain_tour`), also as ``.gz``.
        filename : str
            Ignored: the content decides what the file is.
        reference : dict
            Names the instance of the tour.
        warnings : list of str, optional
            Warnings are appended to it.
        owner : str
            As `start`.

        Raises
        ------
        InvalidInstance
        DeviceUnavailable, RunFailed
            As `start`.
        """
        instance = self.instance(reference)
        order = self._read_tour(raw, instance, [] if warnings is None else warnings)
        spec = RunSpec(dict(reference), (Stage("given", {"tour": order}),))
        return self._start(self._planned(spec, instance), owner)

    def process(self, module: str, environment: Mapping[str, str]) -> Process:
        """Start a worker whose program is ``main()`` of `module`; see `runs.engine.protocol.Engine.process`."""
        return self._engine.process(module, environment)

    @property
    def cores(self) -> int:
        """Cores that the runs of a study may use together."""
        return self._engine.cores()

    @property
    def started(self) -> int:
        """Number of runs that began here so far, lanes of races among them."""
        return self._active.started

    def status(self) -> Status:
        """The engine's report (see `runs.engine.protocol`), and how many ``runs`` are active and ``waiting``."""
        return {**self._engine.status(), "runs": self._active.going, "waiting": self._active.waiting}

    def _publish_status(self) -> None:
        """Notify every viewer that the status may have changed."""
        self.status_changes.publish(self.status_changes.state)

    def close(self) -> None:
        """Stop every run, which is marked ``interrupted``, and unlock the folder."""
        self.computations.close()
        self.bounds.close()
        self._active.close(self._engine.close)
        self.owners.close()
        self._home.close()


def _state_without_worker(state: tuple[str, str]) -> tuple[str, str]:
    """The state of a run that has no worker: interrupted if its file lacks the end, as after a full disk."""
    return state if state[0] in FINAL else ("interrupted", END_MISSING)
