"""Storage limits: minimum free disk space, and each visitor's quota on a shared server."""

import shutil
from collections.abc import Collection
from dataclasses import dataclass

from runs.store.home import Home
from solvers.core.errors import DeviceUnavailable


class StorageFull(DeviceUnavailable):
    """The disk is nearly full, or a visitor's quota is used up."""


@dataclass(frozen=True)
class Limits:
    """Storage limits; None means no limit.

    Attributes
    ----------
    free : int or None
        Free disk space in bytes required for a new run.
    runs, bytes : int or None
        Quota of one visitor: number of runs, including lanes of races, and bytes of their files.
    """

    free: int | None = None
    runs: int | None = None
    bytes: int | None = None

    def check(self, home: Home, owned_keys: Collection[str]) -> None:
        """Refuse a new run if storage limits are reached.

        Parameters
        ----------
        home : Home
        owned_keys : collection of str
            Keys of the owner's existing entries; empty for the host.

        Raises
        ------
        StorageFull, DataFolderGone
        """
        home.check()
        if self.free is not None and (free := shutil.disk_usage(home.folder).free) < self.free:
            raise StorageFull(
                f"The disk of this server has only {free // 1_000_000} MB left, and {self.free // 1_000_000} MB must "
                "stay free: delete runs on the Library page and empty what was recently deleted."
            )
        if self.runs is None and self.bytes is None:
            return
        sizes = [size for key in owned_keys if (size := _measure_file(home, key)) is not None]
        if self.runs is not None and len(sizes) >= self.runs:
            raise StorageFull(
                f"You have {len(sizes)} runs here, as many as a visitor may: delete some on the Library page."
            )
        if self.bytes is not None and sum(sizes) >= self.bytes:
            raise StorageFull(
                f"Your runs use {sum(sizes) // 1_000_000} MB here, and a visitor has {self.bytes // 1_000_000} MB: "
                "delete some on the Library page."
            )


#: No limits.
UNLIMITED = Limits()


def _measure_file(home: Home, key: str) -> int | None:
    """Return the size of a run's file in bytes; None if it is gone or not a run."""
    kind, _, run = key.partition(":")
    try:
        return home.new_path(run).stat().st_size if kind == "run" else None
    except OSError:
        return None
