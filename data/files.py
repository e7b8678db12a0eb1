"""Files of instances, read and written whole."""

import os
import secrets
from pathlib import Path

from data.errors import InvalidInstance

#: Mode of a file that everybody may read, subject to the umask.
EVERYBODY = 0o666


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


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file, in a folder that is made if need be, so that a reader never sees a part of it.

    Parameters
    ----------
    path : Path
    content : bytes
    mode : int
        Permissions, reduced by the umask: by default only the owner's.

    Raises
    ------
    OSError
        When the folder or the disk does not take it; nothing is left then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
