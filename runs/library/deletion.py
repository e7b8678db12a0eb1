"""Plans a deletion: which entries go, with which files, and why others stay."""

import contextlib
from collections.abc import Sequence

from runs.library.entry import NoSuchEntry, title
from runs.library.files import BESIDE
from runs.library.index import Index
from runs.library.labels import Labels
from runs.library.trash_manifest import TrashItem
from studies.errors import StudyLocked
from studies.file.lock import StudyLock


class DeletionPlan:
    """One wish.

    Parameters
    ----------
    index : Index
        Of what there is now.
    labels : Labels
    held : contextlib.ExitStack
        Takes the locks of studies, so that nobody begins to work on one that goes.

    Attributes
    ----------
    thrown : list of TrashItem
        What goes.
    refused : dict of str to str
        By key, why an entry stays.
    """

    def __init__(self, index: Index, labels: Labels, held: contextlib.ExitStack) -> None:
        self._index, self._labels, self._held = index, labels, held
        self._going: set[str] = set()
        self.thrown: list[TrashItem] = []
        self.refused: dict[str, str] = {}

    def wish(self, keys: Sequence[str]) -> None:
        """Have entries go, races first, for their lanes go with them."""
        for key in sorted(keys, key=lambda key: not key.startswith("race:")):
            if key in self._going:
                continue
            if why := self._why_not(key):
                self.refused[key] = why
                continue
            self._going.add(key)
            lanes = [lane for lane in self._index.lanes_of(key) if self._is_last(lane)]
            self._going.update(lanes)
            self.thrown.append(self._thrown(key, lanes))

    def _why_not(self, key: str) -> str:
        if key not in self._index.rows:
            return str(NoSuchEntry())
        return self._index.deletable(key) or (self._hold(key) if key.startswith("study:") else "")

    def _is_last(self, lane: str) -> bool:
        """Whether no race keeps a lane."""
        return all(f"race:{race}" in self._going for race in self._index.races_of(lane))

    def _hold(self, key: str) -> str:
        try:
            self._held.callback(StudyLock(self._index.path(key)).close)
        except StudyLocked as error:
            return str(error)
        except OSError:
            return "The folder of this study cannot be written to."
        return ""

    def _thrown(self, key: str, lanes: Sequence[str]) -> TrashItem:
        files = []
        for each in (key, *lanes):
            path = self._index.path(each)
            beside = (path.with_name(path.name + ending) for ending in BESIDE)
            files += [(file.parent.name, file.name) for file in (path, *(one for one in beside if one.is_file()))]
        labels = {each: self._labels.of(each) for each in (key, *lanes)}
        return TrashItem(key, title(self._index.listed[key].entry), tuple(files), labels)
