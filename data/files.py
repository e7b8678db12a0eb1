"""Files of instances, read and written whole."""

import os
import tempfile
from pathlib import Path

from data.errors import InvalidInstance


def read_bytes(path: Path, limit: int) -> bytes:
    """A file's bytes, one more than the limit at most: enough for the reader to refuse it.

    Raises
    ------
    InvalidInstance
        ``UNREADABLE``.
    """
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise InvalidInstance("UNREADABLE", f"The file cannot be read: {error.strerror}.") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, in a folder that is made if need be, so that nobody ever sees a part of it.

    Raises
    ------
    OSError
        When the folder or the disk does not take it; nothing is left then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, suffix=".part", delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
        except BaseException:
            part.close()
            os.unlink(part.name)
            raise
    os.replace(part.name, path)
