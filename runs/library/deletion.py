"""Plans a deletion: entries, their files, and why others are kept."""

import contextlib
from collections.abc import Sequence

from runs.library.entry import NoSuchEntry, make_title
from runs.library.files import SQLITE_SUFFIXES
from runs.library.index import Index
from runs.library.labels import Labels
from runs.library.trash_manifest import TrashItem
from runs.owners import NotOwner, Owners
from studies.errors import StudyLocked
from studies.file.lock import StudyLock


class DeletionPlan:
    """The plan of a deletion.

    Parameters
    ----------
    index : Index
        The current entries.
    labels : Labels
    owners : Owners
    locks : contextlib.ExitStack
        Receives the locks of studies, so that no process starts a deleted study.

    Attributes
    ----------
    items : list of TrashItem
        The entries to delete.
    refused : dict of str to str
        Reason why an entry is not deleted, by key.
    """

    def __init__(self, index: Index, labels: Labels, owners: Owners, locks: contextlib.ExitStack) -> None:
        self._index, self._labels, self._owners, self._locks = index, labels, owners, locks
        self._deleting: set[str] = set()
        self.items: list[TrashItem] = []
        self.refused: dict[str, str] = {}

    def add(self, keys: Sequence[str]) -> None:
        """Add entries to the plan: races first, since their lanes are deleted with them."""
        for key in sorted(keys, key=lambda key: not key.startswith("race:")):
            if key in self._deleting:
                continue
            if reason := self._find_refusal(key):
                self.refused[key] = reason
                continue
            self._deleting.add(key)
            lanes = [lane for lane in self._index.find_lanes(key) if self._is_last(lane)]
            self._deleting.update(lanes)
            self.items.append(self._make_item(key, lanes))

    def _find_refusal(self, key: str) -> str:
        if key not in self._index.rows:
            return str(NoSuchEntry())
        if not self._owners.may_change(key):
            return str(NotOwner(key.partition(":")[0]))
        return self._index.find_deletion_refusal(key) or (self._lock(key) if key.startswith("study:") else "")

    def _is_last(self, lane: str) -> bool:
        """Return whether all races with this lane are being deleted."""
        return all(f"race:{race}" in self._deleting for race in self._index.find_races(lane))

    def _lock(self, key: str) -> str:
        try:
            self._locks.callback(StudyLock(self._index.path(key)).close)
        except StudyLocked as error:
            return str(error)
        except OSError:
            return "The folder of this study cannot be written to."
        return ""

    def _make_item(self, key: str, lanes: Sequence[str]) -> TrashItem:
        files = []
        for each in (key, *lanes):
            path = self._index.path(each)
            companions = (path.with_name(path.name + suffix) for suffix in SQLITE_SUFFIXES)
            files += [
                (file.parent.name, file.name)
                for file in (path, *(companion for companion in companions if companion.is_file()))
            ]
        labels = {each: self._labels.find(each) for each in (key, *lanes)}
        return TrashItem(key, make_title(self._index.listed[key].entry), tuple(files), labels)
