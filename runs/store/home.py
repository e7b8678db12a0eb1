"""A server's data folder: run files, stored uploads, and a lock against a second server."""

import contextlib
import os
import re
import shutil
from pathlib import Path

from data.home.version import check_version, mark_version
from data.lock import open_locked
from runs.store.run_file import SUFFIX, UNFINISHED
from solvers.core.errors import DeviceUnavailable

#: Subfolder for optima proven here (`data.collection.proofs`).
PROOFS = "proofs"
#: Subfolder for bounds proven here (`data.collection.bounds`).
BOUNDS = "bounds"
#: Pattern of the ids of runs and races.
ID = re.compile(r"[A-Za-z0-9_-]{12}")


class HomeInUse(RuntimeError):
    """Another server uses the data folder."""


class DataFolderGone(DeviceUnavailable):
    """The data folder was deleted or removed while the server was running."""

    def __init__(self) -> None:
        super().__init__("The data folder of this server is gone: restart the server.")


class Home:
    """A data folder, locked while this object is open.

    Parameters
    ----------
    folder : Path
        The folder, created if it does not exist.

    Raises
    ------
    HomeInUse
        If another server uses the folder.
    HomeRefused
        If a newer release has written to the folder.
    """

    def __init__(self, folder: Path) -> None:
        check_version(folder)
        self.folder = folder
        self.runs = folder / "runs"
        self.instances = folder / "instances"
        self.races = folder / "races"
        self.incoming = folder / "incoming"
        self.proofs = folder / PROOFS
        self.bounds = folder / BOUNDS
        for path in (folder, self.runs, self.instances, self.races, self.incoming):
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = self._take_lock()
        mark_version(folder)
        for leftover in self.incoming.iterdir():  # left behind by a killed server
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        for unfinished in self.runs.glob(f"*{SUFFIX}{UNFINISHED}*"):
            unfinished.unlink()

    def _take_lock(self) -> int:
        descriptor = open_locked(self.folder / "lock")
        if descriptor is None:
            raise HomeInUse(
                f"Another TourScope uses the folder {self.folder}; stop it, or choose another one with --home."
            )
        return descriptor

    def close(self) -> None:
        """Release the lock."""
        os.close(self._lock)

    def check(self) -> None:
        """Check that the folder still exists.

        Raises
        ------
        DataFolderGone
        """
        if not self.incoming.is_dir():
            raise DataFolderGone

    def path(self, run: str) -> Path | None:
        """Return the path of a run's file, None if there is no such run; `run` is untrusted."""
        path = self.new_path(run) if ID.fullmatch(run) else None
        return path if path and path.is_file() else None

    def new_path(self, run: str) -> Path:
        """Return the path of a new run's file."""
        return self.runs / f"{run}{SUFFIX}"

    def newest(self) -> list[str]:
        """Return all runs' ids, most recently written first."""
        written_at = {}
        for path in self.runs.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError):  # deleted in the meantime, or a dangling link
                if ID.fullmatch(path.stem) and path.is_file():
                    written_at[path.stem] = path.stat().st_mtime
        return sorted(written_at, key=written_at.__getitem__, reverse=True)
