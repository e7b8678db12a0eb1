"""Taking strangers' files in: child processes alone read them, and nothing is kept of one that is refused."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from data.errors import InvalidInstance
from runs.imports import sandbox
from solvers.errors import RunFailed

#: Bytes of a run file that is taken.
MAX_RUN_BYTES = 256 << 20


class Refused(InvalidInstance):
    """The file is no sound run, race or study file."""

    def __init__(self, sentence: str) -> None:
        super().__init__("RUN_FILE", sentence[:200])


def adopt(source: Path, run: str, target: Path) -> None:
    """Have a run file checked and copied into the new run file `target`.

    Parameters
    ----------
    source : Path
        The upload, alone in a folder of the same file system as `target`; the caller removes the folder.
    run : str
        The id that the run gets here.
    target : Path

    Raises
    ------
    Refused
    """
    _copied("run", "runs.imports.run", source, target, run)


def adopt_study(source: Path, target: Path) -> None:
    """Have a study file checked and copied into the new study file `target`; nothing of it is run.

    Parameters
    ----------
    source : Path
        The upload, alone in a folder of the same file system as `target`; the caller removes the folder.
    target : Path

    Raises
    ------
    Refused
    """
    _copied("study", "runs.imports.study", source, target)


def _copied(what: str, module: str, source: Path, target: Path, *more: str) -> None:
    """Have a child copy a file, and move what it made to its place."""
    made = source.with_name("adopted")
    try:
        refusal = sandbox.run(module, str(source), str(made), *more)
    except sandbox.Overrun:
        refusal = f"This {what} file cannot be taken: it is damaged, or too large to be checked here."
    if refusal is not None:
        raise Refused(refusal)
    os.replace(made, target)


@contextmanager
def reading(what: str, incoming: Path, files: dict[str, bytes], **given: Any) -> Iterator[Path]:
    """Have a small file read by a child, and look at what it made of it.

    Parameters
    ----------
    what : str
        One of `runs.imports.file.READERS`.
    incoming : Path
        Folder for what is not checked yet.
    files : dict of str to bytes
        The ``upload``, and what else the reader wants.
    **given : JSON values
        The reader's other arguments.

    Yields
    ------
    Path
        The folder with the files and what was made; it goes when the context ends.

    Raises
    ------
    InvalidInstance
    RunFailed
        If the file could not be kept.
    """
    with tempfile.TemporaryDirectory(dir=incoming) as name:
        folder = Path(name)
        try:
            for title, raw in {**files, "given": json.dumps(given).encode()}.items():
                (folder / title).write_bytes(raw)
        except OSError as error:
            raise RunFailed("The file could not be kept; is the disk full?") from error
        _read(what, folder)
        yield folder


def _read(what: str, folder: Path) -> None:
    try:
        refusal = sandbox.run("runs.imports.file", what, str(folder))
    except sandbox.Overrun:
        raise InvalidInstance("LIMIT", "The file takes too much time or memory to read: send a smaller one.") from None
    if refusal is not None:
        raise InvalidInstance(**json.loads(refusal))
