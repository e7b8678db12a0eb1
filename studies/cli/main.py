"""``python -m solvers study``: a study from the command line, begun, gone on with, shown and written down."""

import errno
import importlib
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Error as SqliteError
from tempfile import TemporaryDirectory

from data.errors import InvalidInstance
from solvers.cli.arguments import UsageError
from solvers.devices import cuda_devices
from solvers.errors import DeviceUnavailable, InvalidParams
from studies.cli.arguments import StudyCommand, read
from studies.cli.progress import StudyBar
from studies.errors import InvalidStudy, MissingPackage, StudyTaken
from studies.file.reader import SUFFIX, StudyReader
from studies.file.writer import StudyFile
from studies.pool.pool import Pool
from studies.pool.process import NoWorker
from studies.pool.resources import claims
from studies.report.climbers import climbers_json, climbers_text
from studies.report.summary import as_json
from studies.report.terminal import text_of
from studies.spec.matrix import prepared

_WRONG = (UsageError, InvalidParams, InvalidInstance, InvalidStudy, StudyTaken, DeviceUnavailable, MissingPackage)
#: Errors of a folder that can be read alone.
_CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)
#: Seconds between two looks at a study under way.
_LOOK = 0.25


def main(arguments: Sequence[str]) -> int:
    """Do what a command line says, the word ``study`` first.

    Returns
    -------
    int
        0; 1 if runs failed, or after a fault of the machine; 2 after a wrong argument, told in one sentence on the
        standard error; 130 after Ctrl-C, with what there is so far told and kept.
    """
    try:
        command = read(arguments)
        exporters = {kind: importlib.import_module(f"studies.export.{kind}") for kind in command.exports}
        if "parquet" in exporters:
            exporters["parquet"].check()
        with TemporaryDirectory() as passing:
            path = command.path or Path(passing) / f"climbers{SUFFIX}"
            state = _work(command, path)
            with StudyReader(path) as reader:
                for kind, target in command.exports.items():
                    exporters[kind].export(reader, target)
                value, text = (climbers_json, climbers_text) if command.climbers else (as_json, text_of)
                print(json.dumps(value(reader), indent=2) if command.json else text(reader))
                failed = reader.counts()["failed"]
    except _WRONG as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Ended by Ctrl-C; the same command resumes it.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is left must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except NoWorker as error:
        print(error, file=sys.stderr)
        return 1
    except (OSError, SqliteError) as error:
        print(f"The study could not be written: {error}", file=sys.stderr)
        return 1
    return 130 if state == "cancelled" else int(failed > 0)


def _work(command: StudyCommand, path: Path) -> str:
    """Do what is left of the study; how it ended."""
    if command.show or (command.spec is None and _is_done(path)):
        return "finished"
    cards = _cards()
    if command.spec is not None:
        # A study that cannot be here leaves no file.
        claims(prepared(command.spec), command.spec.threads, command.cores, cards)
    try:
        file = StudyFile(path, command.spec, given=command.given)
    except (StudyTaken, OSError) as error:
        if not _can_be_shown(command, error):
            raise
        print(f"{_why(error)} It is shown as it stands.", file=sys.stderr)
        return "finished"
    with file:
        if command.spec is not None and command.spec.title not in ("", file.spec.title):
            file.rename(command.spec.title)
        pool = Pool(file, command.cores, cards)
        if sys.stderr.isatty() and command.path:
            print(f"{path}: the same command resumes it after an end", file=sys.stderr)
        with _ctrl_c(pool), StudyBar(pool) as bar:
            pool.start()
            while not pool.ended(_LOOK):
                bar.show()
        return pool.join().state


def _is_done(path: Path) -> bool:
    """Whether a study has nothing left to do, so that it can be shown where it cannot be written."""
    with StudyReader(path) as reader:
        counts = reader.counts()
    return counts["finished"] == sum(counts.values())


def _can_be_shown(command: StudyCommand, error: Exception) -> bool:
    """Whether a study can be looked at that cannot be worked on: another process does, or its folder is closed."""
    closed = isinstance(error, StudyTaken) or getattr(error, "errno", None) in _CLOSED
    return closed and command.spec is None


def _why(error: StudyTaken | OSError) -> str:
    return str(error) if isinstance(error, StudyTaken) else f"It cannot be resumed here: {error.strerror}."


def _cards() -> int:
    """How many cards there are."""
    try:
        return len(cuda_devices())
    except DeviceUnavailable:
        return 0


@contextmanager
def _ctrl_c(pool: Pool) -> Iterator[None]:
    """Let Ctrl-C end the study in an orderly way."""
    before = signal.signal(signal.SIGINT, lambda *_: pool.cancel())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
