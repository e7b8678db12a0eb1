"""Taking strangers' files in: child processes alone read them, and nothing is kept of one that is refused."""

import json
import os
import tempfile
from pathlib import Path

from data import library
from data.errors import InvalidInstance
from data.instance import Instance
from data.normal_form import one_line
from runs import child
from runs.frames import decode, instance_of

#: Bytes of a run file that is taken.
MAX_RUN_BYTES = 256 << 20
RUN_SECONDS = 40.0
INSTANCE_SECONDS = 10.0


class Refused(InvalidInstance):
    """The file is no sound run file."""

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
    made = source.with_name("adopted")
    try:
        refusal = child.run("runs.adopt", str(source), str(made), run, wall_seconds=RUN_SECONDS)
    except child.Overrun:
        refusal = "This run file cannot be taken: it is damaged, or too large to be checked here."
    if refusal is not None:
        raise Refused(refusal)
    os.replace(made, target)


def adopt_instance(raw: bytes, filename: str, incoming: Path, instances: Path) -> Instance:
    """Have a ``.tsp`` or ``.tsp.gz`` file read and kept.

    Parameters
    ----------
    raw : bytes
        The upload.
    filename : str
        Names what names itself nothing.
    incoming : Path
        Folder for what is not checked yet, of the same file system as `instances`.
    instances : Path
        Where instances are kept.

    Returns
    -------
    Instance
        With what is known of its optimum.

    Raises
    ------
    InvalidInstance
    """
    with tempfile.TemporaryDirectory(dir=incoming) as folder:
        upload, kept = Path(folder) / "upload", Path(folder) / "kept"
        upload.write_bytes(raw)
        _read(upload, kept, one_line(filename.split(".")[0], 64))
        instance = instance_of(decode((kept / "frame").read_bytes()))
        name = f"{instance.sha256}.tsp"
        if not (instances / name).is_file():
            os.replace(kept / name, instances / name)
    return library.attach_optimum(instance)


def _read(upload: Path, kept: Path, name: str) -> None:
    try:
        # the name as JSON is ASCII: an argument holds no other characters for certain
        given = str(upload), str(kept), json.dumps(name)
        refusal = child.run("runs.adopt_instance", *given, wall_seconds=INSTANCE_SECONDS)
    except child.Overrun:
        raise InvalidInstance("LIMIT", "The file takes too much time or memory to read: send a smaller one.") from None
    if refusal is not None:
        raise InvalidInstance(**json.loads(refusal))
