"""The library's trash: a folder per deletion, kept for a week."""

import contextlib
import logging
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from runs.library.entry import Deletion, NoSuchEntry
from runs.library.files import TIMESTAMP_NS, find_last_change
from runs.library.trash_manifest import FOLDERS, MANIFEST, TrashItem, read, write
from solvers.core.errors import RunFailed

#: Seconds during which a deletion can be undone.
RETENTION_SECONDS = 7 * 86_400.0
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16}")
_NOT_IN_TRASH = "This is no longer in the trash."
_log = logging.getLogger(__name__)


class Trash:
    """The folder ``trash`` of a data folder. Nothing outside the data folder is changed.

    Parameters
    ----------
    home : Path
        The data folder.
    """

    def __init__(self, home: Path) -> None:
        self._home, self._folder = home, home / "trash"
        # each folder's modification times and deletion
        self._cached_deletions: dict[Path, tuple[tuple[int, ...], Deletion | None]] = {}

    def discard(self, entries: Sequence[TrashItem]) -> tuple[str, dict[str, str]]:
        """Move entries to the trash, each with all its files or not at all.

        Returns
        -------
        str
            The token that restores them; empty if none was moved.
        dict of str to str
            Reason why an entry was not moved, by key.
        """
        token = secrets.token_urlsafe(12)
        folder, deleted_at, reasons = self._folder / token, time.time(), {}
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            if not self._is_inside(self._folder):
                return "", dict.fromkeys((entry.key for entry in entries), self._link_refusal(self._folder))
            folder.mkdir(mode=0o700)
            write(folder, deleted_at, entries)  # before the files, so that nothing is lost if the server is killed
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise RunFailed("Nothing could be deleted; is the disk full?") from error
        try:
            for entry in entries:
                if reason := self._move_to_trash(entry, folder):
                    reasons[entry.key] = reason
        except OSError as error:
            raise RunFailed("Not everything could be deleted; what was deleted is under Recently deleted.") from error
        moved = [entry for entry in entries if entry.key not in reasons]
        if reasons:
            _update_manifest(folder, deleted_at, moved)
        return token if moved else "", reasons

    def restorable_items(self, token: str) -> list[TrashItem]:
        """Return what `restore` would restore now.

        Raises
        ------
        NoSuchEntry
            If none of them exists any more, or can be restored.
        """
        _, entries = self._read_manifest(token)
        folder = self._folder / token
        restorable = [entry for entry in entries if _has_file(folder, entry) and not _has_file(self._home, entry)]
        if not restorable:
            raise NoSuchEntry(_NOT_IN_TRASH)
        return restorable

    def restore(self, token: str) -> list[TrashItem]:
        """Restore a deletion's entries and return them.

        Raises
        ------
        NoSuchEntry
            If the deletion is no longer in the trash.
        RunFailed
            If files could not be moved.
        """
        deleted_at, entries = self._read_manifest(token)
        folder = self._folder / token
        safe = {name for name in FOLDERS if self._is_inside(self._home / name) and self._is_inside(folder / name)}
        restored: list[TrashItem] = []
        remaining: list[TrashItem] = []
        try:
            for entry in entries:
                is_restored = safe.issuperset(name for name, _ in entry.files) and self._move_back(entry, folder)
                (restored if is_restored else remaining).append(entry)
        except OSError as error:
            raise RunFailed("Not everything could be restored; is the disk full?") from error
        if not restored:
            raise NoSuchEntry(_NOT_IN_TRASH)
        _update_manifest(folder, deleted_at, remaining)
        return restored

    def _read_manifest(self, token: str) -> tuple[float, list[TrashItem]]:
        """Return a deletion's time and entries."""
        folder = self._folder / token
        manifest = read(folder) if _TOKEN.fullmatch(token) and self._is_inside(folder) else None
        if manifest is None:
            raise NoSuchEntry(_NOT_IN_TRASH)
        return manifest

    def deletions(self) -> list[Deletion]:
        """Return the deletions that can be undone, newest first."""
        checked: dict[Path, tuple[tuple[int, ...], Deletion | None]] = {}
        for folder in self._list_folders():
            start, paths = time.time_ns(), (folder / MANIFEST, *(folder / name for name in FOLDERS))
            marks, before = tuple(find_last_change(path) for path in paths), self._cached_deletions.get(folder)
            final_marks = marks if max(marks) < start - TIMESTAMP_NS else ()
            checked[folder] = before if before and before[0] == marks else (final_marks, _read_deletion(folder))
        self._cached_deletions = checked
        return sorted((each for _, each in checked.values() if each), key=lambda each: each.deleted_at, reverse=True)

    def empty(self, older: float = 0.0) -> list[tuple[str, ...]]:
        """Permanently remove deletions older than `older` seconds; return each one's keys."""
        removed: list[tuple[str, ...]] = []
        now = time.time()
        for folder in self._list_folders():
            manifest = read(folder)
            deleted_at = manifest[0] if manifest else folder.stat().st_mtime
            if now - deleted_at < older:
                continue
            try:
                shutil.rmtree(folder)  # removes links without following them
                removed.append(tuple(key for each in (manifest[1] if manifest else ()) for key in each.labels))
            except OSError as error:
                _log.warning("A folder of the trash could not be removed: %s", error)
        return removed

    def _list_folders(self) -> Iterator[Path]:
        """Yield the folders of all deletions, without links and other folders."""
        if not self._is_inside(self._folder):
            return
        with contextlib.suppress(OSError):
            for folder in sorted(self._folder.iterdir()):
                if _TOKEN.fullmatch(folder.name) and folder.is_dir() and self._is_inside(folder):
                    yield folder

    def _is_inside(self, path: Path) -> bool:
        """Return whether a path is really inside the data folder, not reached through a link."""
        return path.resolve() == self._home.resolve() / path.relative_to(self._home)

    def _link_refusal(self, path: Path) -> str:
        return f"The folder {path.name} is a link: only files inside the data folder are deleted here."

    def _move_to_trash(self, entry: TrashItem, folder: Path) -> str:
        """Move all files of an entry or none; return why not, or an empty string."""
        done: list[tuple[str, str]] = []
        for file in entry.files:
            if not self._is_inside(self._home / file[0]):
                return self._link_refusal(self._home / file[0])
            try:
                _move(self._home, folder, file)
            except FileNotFoundError:
                if file == entry.files[0]:
                    return str(NoSuchEntry())
            except OSError as error:
                _log.warning("A file could not be deleted: %s", error)
                for file_to_return in reversed(done):
                    _move(folder, self._home, file_to_return)
                return "Its file could not be moved; another program may be reading it: try again."
            else:
                done.append(file)
        return ""

    def _move_back(self, entry: TrashItem, folder: Path) -> bool:
        """Restore an entry, its own file last so that races never lack lanes; return whether its own file was moved."""
        own_file_moved = False
        for file in reversed(entry.files):
            if os.path.lexists(_find_path(folder, file)) and not os.path.lexists(_find_path(self._home, file)):
                _move(folder, self._home, file)
                own_file_moved = True
            else:
                own_file_moved = False
        return own_file_moved


def _read_deletion(folder: Path) -> Deletion | None:
    """Return the deletion in a folder; None if there is nothing to restore."""
    manifest = read(folder)
    items = [each for each in manifest[1] if _has_file(folder, each)] if manifest else []
    if not manifest or not items:
        return None
    names, keys = tuple(item.name for item in items), tuple(item.key for item in items)
    return Deletion(folder.name, manifest[0], names, keys, _count_bytes(folder))


def _has_file(folder: Path, entry: TrashItem) -> bool:
    """Return whether a folder contains an entry's own file or a link in its place."""
    return os.path.lexists(_find_path(folder, entry.files[0]))


def _update_manifest(folder: Path, deleted_at: float, remaining: Sequence[TrashItem]) -> None:
    """Reduce a folder's manifest to the remaining entries, or remove the folder; failures do no harm."""
    try:
        write(folder, deleted_at, remaining) if remaining else shutil.rmtree(folder)
    except OSError as error:
        _log.warning("A folder of the trash could not be updated: %s", error)


def _find_path(folder: Path, file: tuple[str, str]) -> Path:
    return folder / file[0] / file[1]


def _move(source: Path, target: Path, file: tuple[str, str]) -> None:
    """Move a file or the link in its place."""
    _find_path(target, file).parent.mkdir(mode=0o700, exist_ok=True)
    os.rename(_find_path(source, file), _find_path(target, file))


def _count_bytes(folder: Path) -> int:
    files = (path for name in FOLDERS for path in (folder / name).glob("*"))
    return sum(path.lstat().st_size for path in files)
