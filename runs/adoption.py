"""Taking an uploaded run file in, by a child process that alone opens it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from data.errors import InvalidInstance
from runs.adopt import REFUSED

WALL_SECONDS = 40.0
ROOT = Path(__file__).resolve().parent.parent
_DAMAGED = "This run file cannot be taken: it is damaged, or too large to be checked here."


class Refused(InvalidInstance):
    """The file is no sound run file."""

    def __init__(self, sentence: str) -> None:
        super().__init__("RUN_FILE", sentence[:200])


def adopt(raw: bytes, run: str, incoming: Path, target: Path) -> None:
    """Have `raw` checked and copied into the new run file `target`.

    Parameters
    ----------
    raw : bytes
        The upload.
    run : str
        The id that the run gets here.
    incoming : Path
        Folder for what is not checked yet.
    target : Path

    Raises
    ------
    Refused
    """
    with tempfile.TemporaryDirectory(dir=incoming) as folder:
        source, made = Path(folder) / "upload", Path(folder) / "adopted"
        source.write_bytes(raw)
        refusal = _child(source, made, run)
        if refusal:
            raise Refused(refusal)
        os.replace(made, target)


def _child(source: Path, made: Path, run: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "runs.adopt", str(source), str(made), run]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=WALL_SECONDS)
    except subprocess.TimeoutExpired:
        return _DAMAGED
    if done.returncode == REFUSED:
        return done.stdout.decode("utf-8", "replace")
    return _DAMAGED if done.returncode or not made.is_file() else ""
