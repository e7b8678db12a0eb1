"""The library of what was run: runs, races and studies, found, named, tagged, deleted and brought back."""

import contextlib
import threading
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from runs.library.deletion import DeletionPlan
from runs.library.entry import BadName, Deleted, Entry, NoSuchEntry, Page, Trashed, title
from runs.library.files import CatalogueFiles
from runs.library.index import Index, Listed
from runs.library.labels import Labels
from runs.library.scanner import LibraryScanner
from runs.library.search import Asked, found
from runs.library.trash import KEPT, Trash
from runs.races.service import RaceService
from runs.service import RunService
from runs.study_jobs.service import StudyService
from solvers.errors import RunFailed

__all__ = ["BadName", "Deleted", "Entry", "Library", "NoSuchEntry", "Page", "Trashed", "title"]


class Library:
    """Finds runs, races and studies, and keeps what people call them. Every method reads files: call it in a thread.

    Parameters
    ----------
    home : Path
        The data folder. It takes ``catalogue.sqlite``, a cache, ``labels.json`` and the folder ``trash``.
    run_service : RunService
    races : RaceService
    studies : StudyService
    """

    def __init__(self, home: Path, run_service: RunService, races: RaceService, studies: StudyService) -> None:
        self._run_service, self._studies = run_service, studies
        self._labels, self._trash = Labels(home / "labels.json"), Trash(home)
        self._known = LibraryScanner(CatalogueFiles(home, studies), home / "catalogue.sqlite")
        self._index = Index(run_service, races, studies, self._labels)
        self._guard, self._changing = threading.Lock(), threading.Lock()
        self._trash.empty(older=KEPT)

    def search(
        self,
        text: str = "",
        kinds: Collection[str] = (),
        algorithms: Collection[str] = (),
        instances: Collection[str] = (),
        tags: Collection[str] = (),
        states: Collection[str] = (),
        order: str = "created",
        descending: bool = True,
        lanes: bool = False,
        offset: int = 0,
        limit: int | None = 100,
    ) -> Page:
        """The entries that hold every word of the text, and of each other argument one value, if any is given.

        Parameters
        ----------
        text : str
            Words are found anywhere in titles, tags, ids, states and the names of instances and algorithms.
        kinds, algorithms, instances, tags, states : collection of str
        order : str
            One of `runs.library.search.ORDERS`; entries without that value come last.
        descending : bool
        lanes : bool
            Whether the runs of races are listed by themselves as well.
        offset, limit : int, int or None
            Which of them; None for all.

        Raises
        ------
        ValueError
            If there is no such order.
        """
        self._known.refresh(self._index.lively)
        asked = Asked(text, kinds, algorithms, instances, tags, states, order, descending, lanes)
        return found(self._take(), asked, offset, limit, self._known.pending)

    def get(self, key: str) -> Entry:
        """One entry, as it is now.

        Raises
        ------
        NoSuchEntry
        """
        self._renew([key])
        with self._guard:
            listed = self._index.listed.get(key)
        if listed is None:
            raise NoSuchEntry
        return listed.entry

    def rename(self, key: str, name: str) -> Entry:
        """Give an entry a name; an empty one takes it away.

        Raises
        ------
        NoSuchEntry
        BadName
            Of more than 120 characters, or with control characters.
        RunFailed
            If it could not be kept.
        """
        with self._changing:
            self.get(key)
            self._labels.rename(key, name)
            self._make_again([key])
        return self.get(key)

    def tag(self, keys: Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """Give entries tags and take others from them, all of it or nothing; letters' case makes no other tag.

        Raises
        ------
        NoSuchEntry
        BadName
            Not of 1 to 32 characters, with a comma or control characters, or more than 20 of an entry.
        RunFailed
            If they could not be kept.
        """
        with self._changing:
            self._renew(keys)
            if not all(key in self._index.rows for key in keys):
                raise NoSuchEntry
            self._labels.tag(keys, add, remove)
            self._make_again(keys)

    def delete(self, keys: Sequence[str]) -> Deleted:
        """Move entries into the trash; a race takes those of its lanes with it that no other race has.

        Raises
        ------
        RunFailed
            If the disk does not take it.
        """
        keys = list(dict.fromkeys(keys))
        with self._changing, contextlib.ExitStack() as held:
            self._renew(keys)
            deletion = DeletionPlan(self._index, self._labels, held)
            deletion.wish(keys)
            token, stayed = self._trash.throw(deletion.thrown) if deletion.thrown else ("", {})
            gone = {key for each in deletion.thrown if each.key not in stayed for key in each.labels}
            self._forget(gone)
        return Deleted(token, tuple(key for key in keys if key in gone), deletion.refused | stayed)

    def undo(self, token: str) -> tuple[str, ...]:
        """Bring back what was deleted, to the same place and with names and tags; the keys.

        Raises
        ------
        NoSuchEntry
            If the trash no longer has it.
        RunFailed
            If it could not be brought back.
        """
        with self._changing:
            labels = {key: label for each in self._trash.returning(token) for key, label in each.labels.items()}
            self._labels.put(labels)  # first: labels of what is not there do no harm, and lost they would be for good
            back = self._trash.bring_back(token)
            self._renew(list(labels))
            self._make_again(labels)
        return tuple(each.key for each in back)

    def trash(self) -> list[Trashed]:
        """What can still be brought back, the newest first."""
        return self._trash.listed()

    def empty_trash(self) -> int:
        """Delete for good what is in the trash; how many deletions that was."""
        with self._changing:
            return self._trash.empty()

    def rebuild(self) -> int:
        """Forget the cache, and read every file again; how many there are."""
        return self._known.rebuild()

    def close(self) -> None:
        """End what goes on in the background."""
        self._known.close()

    def _take(self) -> list[Listed]:
        """Bring the index up to what is known; all entries, the newest first."""
        with self._guard:
            self._index.take(self._known.take_changes())
            return self._index.newest()

    def _renew(self, keys: Sequence[str]) -> None:
        """Look at the files of some entries now, at all races, and at the lanes of those that are meant."""
        self._known.renew_races()
        self._known.renew(keys)
        self._take()
        lanes = [f"run:{run}" for key in keys if (row := self._index.rows.get(key)) for run in row.facts.lanes]
        if lanes:
            self._known.renew(lanes)
            self._take()

    def _make_again(self, keys: Iterable[str]) -> None:
        with self._guard:
            self._index.renew(keys)

    def _forget(self, gone: Collection[str]) -> None:
        """Let everybody know that files have gone."""
        studies = [self._index.path(key) for key in gone if key.startswith("study:")]
        self._known.forget(gone)
        with contextlib.suppress(RunFailed):  # labels of what is not there do no harm
            self._labels.drop(gone)
        self._take()
        for path in studies:
            self._studies.deleted(path)
        if gone:
            self._run_service.deleted()
