"""Permissions on a shared server: an item's owner and the host may change it."""

import logging
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from data.sqlite_files import open_store
from runs.visitors import current_visitor

_log = logging.getLogger(__name__)
_SCHEMA = "CREATE TABLE IF NOT EXISTS owners (key TEXT PRIMARY KEY, owner TEXT NOT NULL)"


class NotOwner(RuntimeError):
    """The item belongs to another visitor.

    Parameters
    ----------
    kind : str
        Kind of item, such as ``run``.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(f"This {kind} is another visitor's: only they and the host of this server may change it.")


class HostOnly(RuntimeError):
    """Only the host may do this."""

    def __init__(self) -> None:
        super().__init__("Only the host of this server may do that.")


class Owners:
    """Owners of runs, races, studies and measurements, by library key.

    The owners are stored in a file of the data folder, never in run files, which people download. Entries without an
    owner, such as those from before the server was shared, belong to the host.

    Parameters
    ----------
    path : Path
        The file. A damaged file is renamed, and all of its entries then belong to the host.
    shared : bool
        Whether others use the server. If not, nothing is recorded and everything is permitted.
    """

    def __init__(self, path: Path, shared: bool) -> None:
        self._shared, self._lock = shared, threading.Lock()
        self._owners: dict[str, str] = {}
        self._file: sqlite3.Connection | None = None
        if shared or path.exists():
            self._file, self._owners = open_store(
                path, _SCHEMA, lambda file: dict(file.execute("SELECT * FROM owners"))
            )

    def claim(self, keys: Iterable[str], owner: str) -> None:
        """Record new entries' owner; do nothing if `owner` is empty."""
        if not (self._shared and owner):
            return
        new = dict.fromkeys(keys, owner)
        with self._lock:
            self._owners |= new
            self._write("INSERT OR REPLACE INTO owners VALUES (?, ?)", list(new.items()))

    def copy(self, key: str, other: str) -> None:
        """Make the owner of `key` the owner of `other` too."""
        self.claim([other], self._owners.get(key, ""))

    def owner(self, key: str) -> str:
        """Return the owner's id; empty if none."""
        return self._owners.get(key, "")

    def may_change(self, key: str) -> bool:
        """Return whether the current visitor may change an entry."""
        return self.is_owner(self._owners.get(key, ""))

    def is_owner(self, owner: str) -> bool:
        """Return whether the current visitor may change entries of `owner`."""
        current = current_visitor()
        return not self._shared or current.host or (bool(current.id) and owner == current.id)

    def require(self, key: str) -> None:
        """Raise an error unless the current visitor may change the entry.

        Raises
        ------
        NotOwner
        """
        if not self.may_change(key):
            raise NotOwner(key.partition(":")[0])

    def require_host(self) -> None:
        """Raise an error unless the current visitor is the host of a shared server.

        Raises
        ------
        HostOnly
        """
        if self._shared and not current_visitor().host:
            raise HostOnly

    def list_keys(self, owner: str) -> list[str]:
        """Return the keys of an owner's entries."""
        with self._lock:
            return [key for key, other in self._owners.items() if other == owner]

    def drop(self, keys: Iterable[str]) -> None:
        """Remove the owners of permanently deleted entries."""
        with self._lock:
            removed = [(key,) for key in keys if self._owners.pop(key, None)]
            self._write("DELETE FROM owners WHERE key = ?", removed)

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def _write(self, statement: str, rows: Sequence[tuple[str, ...]]) -> None:
        """Write rows; if that fails, as on a full disk, they stay in memory."""
        if not (self._file and rows):
            return
        try:
            with self._file:
                self._file.executemany(statement, rows)
        except sqlite3.Error as error:
            _log.warning("The owners of runs could not be saved: %s", error)
