"""Receives a file as a request body, piece by piece, without holding it in memory."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fastapi import Request

from runs.bounded_pool import IMPORTS
from runs.imports import MAX_RUN_BYTES
from runs.imports.untrusted_files import upload_folder
from solvers.core.errors import RunFailed

T = TypeVar("T")


class TooLarge(ValueError):
    """The file is larger than the limit."""

    def __init__(self) -> None:
        super().__init__(f"The file is larger than {MAX_RUN_BYTES >> 20} MiB.")


async def receive(request: Request, incoming: Path, adopt: Callable[[Path], T]) -> T:
    """Save the body of `request` to a file and return the result of `adopt`.

    Parameters
    ----------
    request : Request
    incoming : Path
        Folder for uploads that have not been checked yet.
    adopt : callable
        Called with the path of the upload, alone in a folder that is removed afterwards.

    Raises
    ------
    TooLarge
    runs.imports.untrusted_files.InvalidUpload
    runs.bounded_pool.PoolFull
    runs.store.home.DataFolderGone
    RunFailed
        If the file could not be saved.
    """
    with upload_folder(incoming) as folder:
        upload = folder / "upload"
        try:
            await _write(request, upload)
            return await IMPORTS.run(adopt, upload)
        except OSError as error:
            raise RunFailed("The file could not be saved; is the disk full?") from error


async def _write(request: Request, path: Path) -> None:
    size = 0
    with path.open("wb") as file:
        async for part in request.stream():
            size += len(part)
            if size > MAX_RUN_BYTES:
                raise TooLarge
            await asyncio.to_thread(file.write, part)
