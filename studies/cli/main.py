"""``python -m solvers study``: starts, resumes, shows and exports a study."""

import errno
import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from sqlite3 import Error as SqliteError
from tempfile import TemporaryDirectory
from typing import Any, Self

from commands.arguments import USAGE_ERRORS
from commands.interrupt import on_ctrl_c
from commands.report import print_warnings
from data.command_line import exit_on_broken_pipe
from solvers.core.devices import cpu_threads, cuda_devices
from solvers.core.errors import DeviceUnavailable
from solvers.presets.preset_file import write
from solvers.worker.ray.options import ClusterOptions, ClusterRefused
from studies.cli.arguments import EXPORTS, StudyCommand, parse_command
from studies.errors import InvalidStudy, MissingPackage, StudyLocked
from studies.file.reader import SUFFIX, StudyReader
from studies.file.writer import StudyFile
from studies.pool.dispatch import build_claims
from studies.pool.pool import Pool
from studies.pool.process import WORKER, NoWorker, StartProcess, start_interpreter
from studies.report.climbers import convert_climbers, format_climbers
from studies.report.summary import study_to_json
from studies.report.terminal import format_report
from studies.spec.matrix import prepare_entries
from studies.tuning.best_preset import make_best_preset
from studies.tuning.packages import check

#: Number of redraws per second.
_REFRESH_RATE = 4


class StudyBar:
    """Shows the progress of a study and the time left, on standard error if that is a terminal.

    Parameters
    ----------
    pool : Pool
    """

    def __init__(self, pool: Pool) -> None:
        self._pool, self._stack = pool, ExitStack()
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            time_left = TextColumn("{task.fields[left]}")
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), time_left)
            console, total = Console(stderr=True), self._pool.progress().total
            self._bar = Progress(*columns, console=console, transient=True, refresh_per_second=_REFRESH_RATE)
            self._stack.enter_context(self._bar)
            self._task = self._bar.add_task("runs", total=total, left="")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def show(self) -> None:
        """Show the current progress of the pool."""
        if self._bar is not None:
            progress = self._pool.progress()
            description = f"{progress.failed:,} failed" if progress.failed else "runs"
            self._bar.update(
                self._task,
                completed=progress.done,
                description=description,
                left=format_time_left(progress.seconds_left),
            )


def format_time_left(seconds: float | None) -> str:
    """Format the time left, such as ``about 3 min left``; empty if unknown."""
    if seconds is None:
        return ""
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {name} left"
    return f"about {seconds:.0f} s left"


_USER_ERRORS = (*USAGE_ERRORS, InvalidStudy, StudyLocked, MissingPackage, ClusterRefused)
#: Error numbers that the system reports for a read-only folder.
_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
#: Seconds between updates of the progress bar.
_UPDATE_SECONDS = 0.25


@exit_on_broken_pipe
def main(arguments: Sequence[str]) -> int:
    """Execute a command line that begins with ``study``.

    Returns
    -------
    int
        0 on success; 1 if runs or the machine failed; 2 after an invalid argument, reported in one sentence on standard
        error; 130 after Ctrl-C, with the results so far printed and saved.
    """
    try:
        command = parse_command(arguments)
        print_warnings(*command.instances)
        exporters = {kind: importlib.import_module(f"studies.export.{kind}") for kind in command.exports}
        if "parquet" in exporters:
            exporters["parquet"].check()
        with TemporaryDirectory() as temporary:
            path = command.path or Path(temporary) / f"climbers{SUFFIX}"
            state = _run_study(command, path)
            with StudyReader(path) as reader:
                for kind, target in command.exports.items():
                    exporters[kind].export(reader, target)
                value, text = (
                    (convert_climbers, format_climbers) if command.climbers else (study_to_json, format_report)
                )
                lines = [f"Wrote {target}: {EXPORTS[kind]}." for kind, target in command.exports.items()]
                saved = [f"The study is {path}."] if command.path else []
                print(
                    json.dumps(value(reader), indent=2) if command.json else "\n".join([text(reader), *lines, *saved])
                )
                failed = reader.counts()["failed"]
                if command.preset is not None:
                    write(command.preset, make_best_preset(reader, command.preset.stem))
    except _USER_ERRORS as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Ended by Ctrl-C; the same command resumes it.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise
    except NoWorker as error:
        print(error, file=sys.stderr)
        return 1
    except (OSError, SqliteError) as error:
        print(f"The study could not be written: {error}", file=sys.stderr)
        return 1
    return 130 if state == "cancelled" else int(failed > 0)


def _run_study(command: StudyCommand, path: Path) -> str:
    """Run the study's remaining runs; return its final state."""
    if command.show or (command.spec is None and _is_done(path)):
        return "finished"
    with _provide_workers(command) as (cores, gpus, start):
        return _run_with(command, path, cores, gpus, start)


def _run_with(command: StudyCommand, path: Path, cores: int, gpus: int, start: StartProcess) -> str:
    if command.spec is not None:
        # Checked first: a study that cannot run here creates no file.
        check(command.spec)
        build_claims(prepare_entries(command.spec), command.spec.threads, cores, gpus)
    try:
        file = StudyFile(path, command.spec, instances=command.instances)
    except (StudyLocked, OSError) as error:
        if not _can_be_shown(command, error):
            raise
        print(f"{_describe_refusal(error)} It is only shown.", file=sys.stderr)
        return "finished"
    with file:
        if command.spec is not None and command.spec.title not in ("", file.spec.title):
            file.rename(command.spec.title)
        pool = Pool(file, cores, gpus, start=start)
        if sys.stderr.isatty() and command.path:
            print(f"{path}: if stopped, the same command resumes it", file=sys.stderr)
        with on_ctrl_c(pool.cancel), StudyBar(pool) as bar:
            pool.start()
            while not pool.wait(_UPDATE_SECONDS):
                bar.show()
        return pool.join().state


@contextmanager
def _provide_workers(command: StudyCommand) -> Iterator[tuple[int, int, StartProcess]]:
    """Context manager: give the runs cores, GPUs and a function that starts workers, here or on a cluster."""
    if not command.cluster:
        yield command.cores or cpu_threads(), _count_gpus(), start_interpreter
        return
    from solvers.worker.ray.connection import Cluster

    with closing(Cluster(ClusterOptions(command.cluster))) as cluster:
        nodes = [node for node in cluster.nodes() if node.alive]
        cores = command.cores or sum(node.cores for node in nodes)
        yield max(1, cores), sum(node.gpus for node in nodes), partial(cluster.start, WORKER)


def _is_done(path: Path) -> bool:
    """Return whether all runs are finished, so that a read-only folder suffices to show the study."""
    with StudyReader(path) as reader:
        counts = reader.counts()
    return counts["finished"] == sum(counts.values())


def _can_be_shown(command: StudyCommand, error: Exception) -> bool:
    """Return whether a study can be shown although it cannot be resumed, as when it is locked or read-only."""
    blocked = isinstance(error, StudyLocked) or getattr(error, "errno", None) in _READ_ONLY
    return blocked and command.spec is None


def _describe_refusal(error: StudyLocked | OSError) -> str:
    return str(error) if isinstance(error, StudyLocked) else f"It cannot be resumed here: {error.strerror}."


def _count_gpus() -> int:
    """Return the number of GPUs."""
    try:
        return len(cuda_devices())
    except DeviceUnavailable:
        return 0
