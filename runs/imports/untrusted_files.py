"""Imports untrusted files through sandbox processes; refused files leave nothing behind."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from data.errors import InvalidInstance
from runs.imports import sandbox
from runs.store.home import DataFolderGone
from solvers.core.errors import RunFailed

#: First bytes of run and study files (SQLite) and race files (zip). No process starts for other files: it would take
#: 0.4 s of processor time, whoever sends the file.
_SIGNATURES = (b"SQLite format 3\0", b"PK\3\4")


class InvalidUpload(InvalidInstance):
    """The file is not a valid run, race or study file."""

    def __init__(self, sentence: str) -> None:
        super().__init__("RUN_FILE", sentence[:200])


def adopt(source: Path, run: str, target: Path) -> None:
    """Check a run file in a sandbox process, and copy it to the new run file `target`.

    Parameters
    ----------
    source : Path
        The upload, alone in a folder of the same file system as `target`; the caller removes the folder.
    run : str
        The new id of the run.
    target : Path

    Raises
    ------
    InvalidUpload
    """
    _import("run", "runs.imports.run", source, target, run)


def adopt_study(source: Path, target: Path) -> None:
    """Check a study file in a sandbox process, and copy it to the new study file `target`; no run starts.

    Parameters
    ----------
    source : Path
        The upload, alone in a folder of the same file system as `target`; the caller removes the folder.
    target : Path

    Raises
    ------
    InvalidUpload
    """
    _import("study", "runs.imports.study", source, target)


def _import(kind: str, module: str, source: Path, target: Path, *arguments: str) -> None:
    """Let a sandbox process copy a file, and move its output to `target`."""
    output = source.with_name("adopted")
    check(kind, module, source, str(output), *arguments)
    os.replace(output, target)


def check(kind: str, module: str, source: Path, *arguments: str) -> None:
    """Run a program that checks a file, in a sandbox process.

    Raises
    ------
    InvalidUpload
    """
    with source.open("rb") as file:
        if not file.read(16).startswith(_SIGNATURES):
            raise InvalidUpload(f"This {kind} file cannot be imported: {sandbox.DAMAGED}")
    try:
        refusal = sandbox.run(module, str(source), *arguments)
    except sandbox.Overrun:
        refusal = f"This {kind} file cannot be imported: it is damaged, or too large to be checked here."
    if refusal is not None:
        raise InvalidUpload(refusal)


@contextmanager
def upload_folder(incoming: Path) -> Iterator[Path]:
    """Create a folder for an upload, removed when the context ends.

    Raises
    ------
    DataFolderGone
    """
    try:
        folder = tempfile.TemporaryDirectory(dir=incoming)
    except FileNotFoundError:
        raise DataFolderGone from None
    with folder as name:
        yield Path(name)


@contextmanager
def read_upload(reader: str, incoming: Path, files: Mapping[str, bytes | Path], **arguments: Any) -> Iterator[Path]:
    """Read a small file in a sandbox process, and give access to its output.

    Parameters
    ----------
    reader : str
        One of `runs.imports.file.READERS`.
    incoming : Path
        Folder for unchecked files.
    files : mapping of str to bytes or Path
        The ``upload``, and other files that the reader needs; a path's file is moved.
    **arguments : JSON values
        The reader's other arguments.

    Yields
    ------
    Path
        The folder with the files and the output; it is removed when the context ends.

    Raises
    ------
    InvalidInstance
    DataFolderGone
    RunFailed
        If the file could not be saved.
    """
    with upload_folder(incoming) as folder:
        try:
            for title, raw in {**files, "given": json.dumps(arguments).encode()}.items():
                os.replace(raw, folder / title) if isinstance(raw, Path) else (folder / title).write_bytes(raw)
        except OSError as error:
            raise RunFailed("The file could not be saved; is the disk full?") from error
        _read(reader, folder)
        yield folder


def _read(reader: str, folder: Path) -> None:
    try:
        refusal = sandbox.run("runs.imports.file", reader, str(folder))
    except sandbox.Overrun:
        raise InvalidInstance("LIMIT", "The file takes too much time or memory to read: send a smaller one.") from None
    if refusal is not None:
        raise InvalidInstance(**json.loads(refusal))
