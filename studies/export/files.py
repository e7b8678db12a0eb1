"""Files written whole, for whoever the folder is for."""

import os
import secrets
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees a part of it; who may read it, the umask says, as of any file.

    `data.files.write_whole` is for files that are the owner's alone.

    Raises
    ------
    OSError
        When the folder or the disk does not take it; nothing is left then.
    """
    part = path.with_name(f"{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
