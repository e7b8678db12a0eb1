"""Finds study files in the server's folder, and in its working directory, where the command line saves them."""

import base64
import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from data.sqlite_files import read_stamp
from runs.study_jobs.errors import NoSuchStudy
from studies.file.reader import SUFFIX


class StudyFolders:
    """Finds study files in several folders.

    Parameters
    ----------
    own : Path
        Folder of studies started on the page; created with the first one.
    others : sequence of Path
        Other folders with study files.
    """

    def __init__(self, own: Path, others: Sequence[Path] = ()) -> None:
        self.own = own
        self._folders = dict.fromkeys([own.resolve(), *(other.resolve() for other in others)])

    @property
    def folders(self) -> tuple[Path, ...]:
        """Folders with study files, the page's own first."""
        return tuple(self._folders)

    def files(self) -> list[Path]:
        """Return all study files."""
        return [path for folder in self._folders for path in folder.glob(f"*{SUFFIX}") if path.is_file()]

    def newest(self) -> list[Path]:
        """Return all study files, most recently written first."""
        return sorted(self.files(), key=find_last_write, reverse=True)

    def path(self, study: str) -> Path:
        """Return the path of a study's file; the id is untrusted.

        Raises
        ------
        NoSuchStudy
        """
        for path in self.files():
            if make_study_id(path) == study:
                return path
        raise NoSuchStudy

    def new_path(self) -> Path:
        """Return the path of a new study's file.

        Raises
        ------
        OSError
            If the folder cannot be created.
        """
        self.own.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.own.resolve() / f"study-{secrets.token_hex(5)}{SUFFIX}"


def make_study_id(path: Path) -> str:
    """Return a study's id: 12 URL-safe characters, a hash that does not reveal the path."""
    return base64.urlsafe_b64encode(hashlib.sha256(os.fsencode(path)).digest()[:9]).decode()


def find_last_write(path: Path) -> float:
    """Return a study's last write in seconds since 1970; its write-ahead log may be newer than the file."""
    return max(moment for moment, _ in read_stamp(path)) / 1e9
