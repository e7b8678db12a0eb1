"""Storage limits: free disk space to leave, and how much a visitor of a shared server may own."""

import shutil
from collections.abc import Collection
from dataclasses import dataclass

from runs.store.home import Home
from solvers.errors import DeviceUnavailable

#: Bytes that the disk must have left for a new run, by default.
LEAST_FREE = 500_000_000


class NoRoom(DeviceUnavailable):
    """The disk is nearly full, or a visitor owns too much."""


@dataclass(frozen=True)
class Limits:
    """Storage limits; None means no limit.

    Attributes
    ----------
    free : int or None
        Bytes that the disk must have left for a new run.
    runs, bytes : int or None
        What one visitor may own: runs, those of races among them, and the bytes of their files.
    """

    free: int | None = None
    runs: int | None = None
    bytes: int | None = None

    def check(self, home: Home, owned: Collection[str]) -> None:
        """Refuse a new run where there is no room for it.

        Parameters
        ----------
        home : Home
        owned : collection of str
            Keys of what its owner has already; empty for the host.

        Raises
        ------
        NoRoom, DataFolderGone
        """
        home.check()
        if self.free is not None and (free := shutil.disk_usage(home.folder).free) < self.free:
            raise NoRoom(
                f"The disk of this server has only {free // 1_000_000} MB left, and {self.free // 1_000_000} MB must "
                "stay free: delete runs on the Library page and empty what was recently deleted."
            )
        if self.runs is None and self.bytes is None:
            return
        sizes = [size for key in owned if (size := _size(home, key)) is not None]
        if self.runs is not None and len(sizes) >= self.runs:
            raise NoRoom(f"You have {len(sizes)} runs here, as many as a visitor may: delete some on the Library page.")
        if self.bytes is not None and sum(sizes) >= self.bytes:
            raise NoRoom(
                f"Your runs take {sum(sizes) // 1_000_000} MB here, and a visitor has {self.bytes // 1_000_000} MB: "
                "delete some on the Library page."
            )


#: Everything may be kept.
UNLIMITED = Limits()


def _size(home: Home, key: str) -> int | None:
    """The bytes of a run's file; None if it is no run, or is gone."""
    kind, _, run = key.partition(":")
    try:
        return home.new_path(run).stat().st_size if kind == "run" else None
    except OSError:
        return None
