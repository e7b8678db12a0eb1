"""What was deleted from the library: files moved aside, a folder for each deletion, until a week has passed."""

import contextlib
import logging
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from runs.library.entry import NoSuchEntry, Trashed
from runs.library.files import COARSE, mark
from runs.library.trash_manifest import FOLDERS, MANIFEST, TrashItem, read, write
from solvers.errors import RunFailed

#: Seconds for which what was deleted can be brought back.
KEPT = 7 * 86_400.0
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16}")
_GONE = "This is no longer in the trash."
_log = logging.getLogger(__name__)


class Trash:
    """The folder ``trash`` of a data folder: nothing outside of the data folder is ever touched.

    Parameters
    ----------
    home : Path
        The data folder.
    """

    def __init__(self, home: Path) -> None:
        self._home, self._folder = home, home / "trash"
        self._listed: dict[Path, tuple[tuple[int, ...], Trashed | None]] = {}  # what was listed last, with its marks

    def throw(self, entries: Sequence[TrashItem]) -> tuple[str, dict[str, str]]:
        """Move entries aside, each whole or not at all.

        Returns
        -------
        str
            The token that brings them back; empty if none went.
        dict of str to str
            By key, why an entry stayed.
        """
        token = secrets.token_urlsafe(12)
        folder, when, refused = self._folder / token, time.time(), {}
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            if not self._inside(self._folder):
                return "", dict.fromkeys((each.key for each in entries), self._outside(self._folder))
            folder.mkdir(mode=0o700)
            write(folder, when, entries)  # first, so that a server that is killed loses nothing
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise RunFailed("Nothing could be deleted; is the disk full?") from error
        try:
            for each in entries:
                if why := self._move_aside(each, folder):
                    refused[each.key] = why
        except OSError as error:
            raise RunFailed("Not all of it could be deleted; what is gone is under Recently deleted.") from error
        went = [each for each in entries if each.key not in refused]
        if refused:
            _keep(folder, when, went)
        return token if went else "", refused

    def returning(self, token: str) -> list[TrashItem]:
        """What of it `bring_back` would bring back now.

        Raises
        ------
        NoSuchEntry
            If nothing of it is there any more, or can come back.
        """
        _, entries = self._kept(token)
        folder = self._folder / token
        back = [each for each in entries if _is_there(folder, each) and not _is_there(self._home, each)]
        if not back:
            raise NoSuchEntry(_GONE)
        return back

    def bring_back(self, token: str) -> list[TrashItem]:
        """Move what a token stands for back to its place, and tell what it was.

        Raises
        ------
        NoSuchEntry
            If it is not there any more.
        RunFailed
            If files could not be moved.
        """
        when, entries = self._kept(token)
        folder = self._folder / token
        whole = {name for name in FOLDERS if self._inside(self._home / name) and self._inside(folder / name)}
        back: list[TrashItem] = []
        left: list[TrashItem] = []
        try:
            for each in entries:
                moved = whole.issuperset(name for name, _ in each.files) and self._move_back(each, folder)
                (back if moved else left).append(each)
        except OSError as error:
            raise RunFailed("Not all of it could be brought back; is the disk full?") from error
        if not back:
            raise NoSuchEntry(_GONE)
        _keep(folder, when, left)
        return back

    def _kept(self, token: str) -> tuple[float, list[TrashItem]]:
        """When that was, and what it took."""
        folder = self._folder / token
        kept = read(folder) if _TOKEN.fullmatch(token) and self._inside(folder) else None
        if kept is None:
            raise NoSuchEntry(_GONE)
        return kept

    def listed(self) -> list[Trashed]:
        """What can be brought back, the newest first."""
        found: dict[Path, tuple[tuple[int, ...], Trashed | None]] = {}
        for folder in self._folders():
            began, paths = time.time_ns(), (folder / MANIFEST, *(folder / name for name in FOLDERS))
            marks, before = tuple(mark(path) for path in paths), self._listed.get(folder)
            settled = marks if max(marks) < began - COARSE else ()
            found[folder] = before if before and before[0] == marks else (settled, _trashed(folder))
        self._listed = found
        return sorted((each for _, each in found.values() if each), key=lambda each: each.when, reverse=True)

    def empty(self, older: float = 0.0) -> int:
        """Remove for good what was deleted more than so many seconds ago; how many deletions that was."""
        count, now = 0, time.time()
        for folder in self._folders():
            kept = read(folder)
            when = kept[0] if kept else folder.stat().st_mtime
            if now - when < older:
                continue
            try:
                shutil.rmtree(folder)  # which removes links, and goes through none
                count += 1
            except OSError as error:
                _log.warning("A folder of the trash could not be removed: %s", error)
        return count

    def _folders(self) -> Iterator[Path]:
        """The folder of each deletion; links and what is not ours are left alone."""
        if not self._inside(self._folder):
            return
        with contextlib.suppress(OSError):
            for folder in sorted(self._folder.iterdir()):
                if _TOKEN.fullmatch(folder.name) and folder.is_dir() and self._inside(folder):
                    yield folder

    def _inside(self, path: Path) -> bool:
        """Whether a path of the data folder is where it says, and no link leads elsewhere."""
        return path.resolve() == self._home.resolve() / path.relative_to(self._home)

    def _outside(self, path: Path) -> str:
        return f"The folder {path.name} is a link to elsewhere: only files inside of the data folder are deleted here."

    def _move_aside(self, entry: TrashItem, folder: Path) -> str:
        """Move all of its files, or none; why not, if so."""
        moved: list[tuple[str, str]] = []
        for file in entry.files:
            if not self._inside(self._home / file[0]):
                return self._outside(self._home / file[0])
            try:
                _move(self._home, folder, file)
            except FileNotFoundError:
                if file == entry.files[0]:
                    return str(NoSuchEntry())
            except OSError as error:
                _log.warning("A file could not be deleted: %s", error)
                for back in reversed(moved):
                    _move(folder, self._home, back)
                return "Its file could not be moved; somebody may be reading it just now: try again."
            else:
                moved.append(file)
        return ""

    def _move_back(self, entry: TrashItem, folder: Path) -> bool:
        """Whether it is in its place again: its own file comes last, so that a race never is without its lanes."""
        moved = False
        for file in reversed(entry.files):
            if os.path.lexists(_at(folder, file)) and not os.path.lexists(_at(self._home, file)):
                _move(folder, self._home, file)
                moved = True
            else:
                moved = False
        return moved


def _trashed(folder: Path) -> Trashed | None:
    """What a folder can bring back; None if that is nothing."""
    kept = read(folder)
    here = [each for each in kept[1] if _is_there(folder, each)] if kept else []
    if not kept or not here:
        return None
    return Trashed(
        folder.name, kept[0], tuple(each.name for each in here), tuple(each.key for each in here), _bytes(folder)
    )


def _is_there(folder: Path, entry: TrashItem) -> bool:
    """Whether an entry's own file, or the link that it is, lies in a folder."""
    return os.path.lexists(_at(folder, entry.files[0]))


def _keep(folder: Path, when: float, left: Sequence[TrashItem]) -> None:
    """Keep a folder for what is left in it; on a full disk it says more than that, which does no harm."""
    try:
        write(folder, when, left) if left else shutil.rmtree(folder)
    except OSError as error:
        _log.warning("A folder of the trash could not be put in order: %s", error)


def _at(folder: Path, file: tuple[str, str]) -> Path:
    return folder / file[0] / file[1]


def _move(source: Path, target: Path, file: tuple[str, str]) -> None:
    """Move a file, or the link that it is."""
    _at(target, file).parent.mkdir(mode=0o700, exist_ok=True)
    os.rename(_at(source, file), _at(target, file))


def _bytes(folder: Path) -> int:
    files = (path for name in FOLDERS for path in (folder / name).glob("*"))
    return sum(path.lstat().st_size for path in files)
