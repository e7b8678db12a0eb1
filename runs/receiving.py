"""Receiving a file as the body of a request, piece by piece, without ever holding it in memory."""

import asyncio
import tempfile
from pathlib import Path

from fastapi import Request

from runs.adoption import MAX_RUN_BYTES
from runs.desk import Desk
from solvers.errors import RunFailed


class TooLarge(ValueError):
    """The file is larger than what is taken."""

    def __init__(self) -> None:
        super().__init__(f"The file is larger than {MAX_RUN_BYTES >> 20} MiB.")


async def receive_run(request: Request, desk: Desk) -> str:
    """Take the run file that is the body of `request`, and return the id that it gets here.

    Raises
    ------
    TooLarge
    runs.adoption.Refused
    RunFailed
        If it could not be kept.
    """
    with tempfile.TemporaryDirectory(dir=desk.incoming) as folder:
        upload = Path(folder) / "upload"
        try:
            await _write(request, upload)
            return await asyncio.to_thread(desk.adopt_run, upload)
        except OSError as error:
            raise RunFailed("The file could not be kept; is the disk full?") from error


async def _write(request: Request, path: Path) -> None:
    size = 0
    with path.open("wb") as file:
        async for part in request.stream():
            size += len(part)
            if size > MAX_RUN_BYTES:
                raise TooLarge
            await asyncio.to_thread(file.write, part)
