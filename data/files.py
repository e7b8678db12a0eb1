"""Reads files with a size limit, and writes them atomically."""

import os
import secrets
from pathlib import Path

from data.errors import InvalidInstance

#: Mode of a file that everybody can read and write, subject to the umask.
EVERYBODY = 0o666


def read_bytes(path: Path, limit: int) -> bytes:
    """Read at most one byte more than the limit, so that callers can refuse larger files.

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
    """Write a file atomically, so that readers never see an incomplete one; create its folder if needed.

    Parameters
    ----------
    path : Path
    content : bytes
    mode : int
        Permissions, reduced by the umask; by default only the owner's.

    Raises
    ------
    OSError
        If the file cannot be written; nothing is left behind.
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
