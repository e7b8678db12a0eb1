"""The library of all runs, races and studies: search, names, tags, deletion and restoration."""

import contextlib
import threading
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from runs.library.deletion import DeletionPlan
from runs.library.entry import BadName, Deletion, DeletionResult, Entry, NoSuchEntry, Page, make_title
from runs.library.files import LibraryFiles
from runs.library.index import Index, IndexedEntry
from runs.library.labels import Labels
from runs.library.scanner import LibraryScanner
from runs.library.search import Query, search_page
from runs.library.trash import RETENTION_SECONDS, Trash
from runs.races.service import RaceService
from runs.service import RunService
from runs.study_jobs.service import StudyService
from solvers.core.errors import RunFailed

__all__ = ["BadName", "Deletion", "DeletionResult", "Entry", "Library", "NoSuchEntry", "Page", "make_title"]


class Library:
    """Searches, labels, deletes and restores runs, races and studies. Call its methods in a thread, as they read files.

    Parameters
    ----------
    home : Path
        The data folder, for ``catalogue.sqlite`` (a cache), ``labels.json`` and the folder ``trash``.
    run_service : RunService
    races : RaceService
    studies : StudyService
    """

    def __init__(self, home: Path, run_service: RunService, races: RaceService, studies: StudyService) -> None:
        self._run_service, self._studies = run_service, studies
        self._labels, self._trash = Labels(home / "labels.json"), Trash(home)
        self._scanner = LibraryScanner(LibraryFiles(home, studies), home / "catalogue.sqlite")
        self._index = Index(run_service, races, studies, self._labels)
        self._lock, self._write_lock = threading.Lock(), threading.Lock()
        self._empty_trash(older=RETENTION_SECONDS)
        run_service.listen_to_proofs(self._scanner.renew_unsolved)

    def search(self, query: Query = Query()) -> Page:  # noqa: B008 - it is immutable
        """Return entries that contain every word of the text and match one value of each other filter.

        Raises
        ------
        ValueError
            If the order is unknown.
        DataFolderGone
        """
        self._run_service.home.check()
        self._scanner.refresh(self._index.active)
        return search_page(self._update_index(), query, self._scanner.pending)

    def get(self, key: str) -> Entry:
        """Return an entry in its current state.

        Raises
        ------
        NoSuchEntry
        """
        self._renew([key])
        with self._lock:
            indexed = self._index.listed.get(key)
        if indexed is None:
            raise NoSuchEntry
        return indexed.entry

    def rename(self, key: str, name: str) -> Entry:
        """Set an entry's name; an empty name removes it.

        Raises
        ------
        NoSuchEntry, NotOwner
        BadName
            If the name has more than 120 characters, or control characters.
        RunFailed
            If the name could not be saved.
        """
        with self._write_lock:
            self.get(key)
            self._run_service.owners.require(key)
            self._labels.rename(key, name)
            self._rebuild_entries([key])
        return self.get(key)

    def tag(self, keys: Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """Add and remove tags of entries atomically; tags are case-insensitive.

        Raises
        ------
        NoSuchEntry, NotOwner
        BadName
            If a tag does not have 1 to 32 characters, or has a comma or control characters, or an entry would have more
            than 20 tags.
        RunFailed
            If the tags could not be saved.
        """
        with self._write_lock:
            self._renew(keys)
            if not all(key in self._index.rows for key in keys):
                raise NoSuchEntry
            for key in keys:
                self._run_service.owners.require(key)
            self._labels.tag(keys, add, remove)
            self._rebuild_entries(keys)

    def delete(self, keys: Sequence[str]) -> DeletionResult:
        """Move entries to the trash; a race takes along those of its lanes that no other race has.

        Raises
        ------
        NotOwner
            If all entries belong to others; if only some do, the result has the reasons.
        RunFailed
            If files could not be moved.
        """
        keys = list(dict.fromkeys(keys))
        with self._write_lock, contextlib.ExitStack() as locks:
            self._renew(keys)
            existing = [key for key in keys if key in self._index.rows]
            if existing and not any(map(self.may_change, existing)):
                self._run_service.owners.require(existing[0])
            plan = DeletionPlan(self._index, self._labels, self._run_service.owners, locks)
            plan.add(keys)
            token, failed = self._trash.discard(plan.items) if plan.items else ("", {})
            deleted = {key for item in plan.items if item.key not in failed for key in item.labels}
            self._forget(deleted)
        return DeletionResult(token, tuple(key for key in keys if key in deleted), plan.refused | failed)

    def undo(self, token: str) -> tuple[str, ...]:
        """Undo a deletion: restore its entries with names and tags, and return their keys.

        Raises
        ------
        NoSuchEntry
            If the deletion is no longer in the trash.
        NotOwner
        RunFailed
            If the deletion could not be restored.
        """
        with self._write_lock:
            for item in self._trash.restorable_items(token):
                self._run_service.owners.require(item.key)
            labels = {key: label for item in self._trash.restorable_items(token) for key, label in item.labels.items()}
            self._labels.put(labels)  # labels first, since labels without an entry do no harm
            restored = self._trash.restore(token)
            self._renew(list(labels))
            self._rebuild_entries(labels)
        return tuple(each.key for each in restored)

    def trash(self) -> list[Deletion]:
        """Return the deletions that the current visitor can undo, newest first."""
        may_change = self._run_service.owners.may_change
        return [deletion for deletion in self._trash.deletions() if all(may_change(key) for key in deletion.keys)]

    def empty_trash(self) -> int:
        """Empty the trash permanently; return how many deletions it had.

        Raises
        ------
        HostOnly
        """
        self._run_service.owners.require_host()
        with self._write_lock:
            return self._empty_trash(0.0)

    def _empty_trash(self, older: float) -> int:
        deleted = self._trash.empty(older)
        for each in deleted:
            self._run_service.owners.drop(each)
        return len(deleted)

    def may_change(self, key: str) -> bool:
        """Return whether the current visitor may change an entry."""
        return self._run_service.owners.may_change(key)

    def close(self) -> None:
        """Stop the background scan."""
        self._scanner.close()

    def _update_index(self) -> list[IndexedEntry]:
        """Apply the scanner's changes to the index; return all entries, newest first."""
        with self._lock:
            self._index.update(self._scanner.take_changes())
            return self._index.newest()

    def _renew(self, keys: Sequence[str]) -> None:
        """Check some entries' files now, with all races and these entries' lanes."""
        self._scanner.renew_races()
        self._scanner.renew(keys)
        self._update_index()
        lanes = [f"run:{run}" for key in keys if (row := self._index.rows.get(key)) for run in row.facts.lanes]
        if lanes:
            self._scanner.renew(lanes)
            self._update_index()

    def _rebuild_entries(self, keys: Iterable[str]) -> None:
        with self._lock:
            self._index.renew(keys)

    def _forget(self, deleted: Collection[str]) -> None:
        """Drop all data about deleted entries and notify the run service."""
        studies = [self._index.path(key) for key in deleted if key.startswith("study:")]
        self._scanner.forget(deleted)
        with contextlib.suppress(RunFailed):  # labels without an entry do no harm
            self._labels.drop(deleted)
        self._update_index()
        for path in studies:
            self._studies.forget(path)
        if deleted:
            self._run_service.notify_deletion()
