"""Where study files are: the page's own folder, and the folder in which the server was started, as of command lines."""

import base64
import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from studies.file.reader import SUFFIX


class NoSuchStudy(LookupError):
    """There is no study of that id."""

    def __init__(self) -> None:
        super().__init__("There is no such study.")


class StudyFolders:
    """Finds study files, whoever made them.

    Parameters
    ----------
    own : Path
        The folder of those that are begun on the page; made if it is not there.
    others : sequence of Path
        Folders whose study files are shown as well.
    """

    def __init__(self, own: Path, others: Sequence[Path] = ()) -> None:
        self.own = own
        own.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folders = dict.fromkeys([own.resolve(), *(each.resolve() for each in others)])

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where study files are looked for, the page's own folder first."""
        return tuple(self._folders)

    def files(self) -> list[Path]:
        """All study files."""
        return [path for folder in self._folders for path in folder.glob(f"*{SUFFIX}") if path.is_file()]

    def newest(self) -> list[Path]:
        """All study files, the one that was written last first."""
        return sorted(self.files(), key=written, reverse=True)

    def path(self, study: str) -> Path:
        """The file of an id, which may be anything that somebody sent.

        Raises
        ------
        NoSuchStudy
        """
        found = next((path for path in self.files() if id_of(path) == study), None)
        if found is None:
            raise NoSuchStudy
        return found

    def new_path(self) -> Path:
        """Where the file of a new study goes."""
        return self.own.resolve() / f"study-{secrets.token_hex(5)}{SUFFIX}"


def id_of(path: Path) -> str:
    """A study's id, 12 characters of the URL-safe alphabet: it tells nothing of where the file is."""
    return base64.urlsafe_b64encode(hashlib.sha256(os.fsencode(path)).digest()[:9]).decode()


def written(path: Path) -> float:
    """When a study was written last, seconds since 1970: its write-ahead log may be newer than its file."""
    return max(moment for moment, _ in stamp(path))


def stamp(path: Path) -> tuple[tuple[float, int], ...]:
    """What changes whenever something is written to a study: when its file and its log were, and their bytes."""
    found = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except OSError:
            found.append((0.0, 0))
        else:
            found.append((status.st_mtime, status.st_size))
    return tuple(found)
