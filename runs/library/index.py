"""The library's entries, built from files' facts, labels, and current states of runs."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from runs.library.cache import CachedFile
from runs.library.entry import UNREADABLE, Entry, format_default_title, make_title
from runs.library.facts import Facts
from runs.library.labels import Labels
from runs.races.service import RaceService
from runs.service import RunService
from runs.study_jobs.service import StudyService
from studies.file.checks import reduce_to_line

#: States of a study that is not running or waiting.
_INACTIVE = ("finished", "stopped", "broken", UNREADABLE)
#: Final states of lanes by priority: a race has the first of these that any of its lanes has.
_UNFINISHED = ("failed", "interrupted", "cancelled")
_CANCEL = "This {} is still running. Cancel it first."


class IndexedEntry(NamedTuple):
    """An entry with its case-folded title for sorting and words for searching."""

    entry: Entry
    title: str
    words: str


class Index:
    """Entries by key, rebuilt when files, labels or states change.

    Parameters
    ----------
    run_service : RunService
    races : RaceService
    studies : StudyService
    labels : Labels
    """

    def __init__(self, run_service: RunService, races: RaceService, studies: StudyService, labels: Labels) -> None:
        self._run_service, self._races, self._studies, self._labels = run_service, races, studies, labels
        self._own_folder = studies.folders[0]
        self.rows: dict[str, CachedFile] = {}
        self.listed: dict[str, IndexedEntry] = {}
        self._races_by_run: dict[str, tuple[str, ...]] = {}  # for each run, the ids of the races that it is a lane of
        self._study_keys: set[str] = set()
        self._active_keys: set[str] = set()
        self._newest: list[IndexedEntry] | None = None
        #: Whether a run, race or study is writing to files.
        self.active = False

    def update(self, changes: dict[str, CachedFile | None]) -> None:
        """Apply changes from `runs.library.scanner.LibraryScanner`, and update active entries."""
        self._apply(changes)
        active = {f"run:{run}" for run in self._run_service.active_runs()} | {
            f"race:{race}" for race in self._races.active_races()
        }
        active |= self._study_keys
        self.renew({*changes, *self._active_keys, *active})
        self._active_keys = active
        self.active = any(not key.startswith("study:") or self._is_running_study(key) for key in active)

    def renew(self, keys: Iterable[str]) -> None:
        """Rebuild entries: a race with its lanes, and a lane with its races."""
        every = set(keys)
        for key in list(every):
            every.update(f"race:{race}" for race in self.find_races(key))
            every.update(self.find_lanes(key))
        for key in every:
            row = self.rows.get(key)
            before = self.listed.pop(key, None) if row is None else self.listed.get(key)
            if row is not None:
                self.listed[key] = self._index_entry(key, row)
            if before != self.listed.get(key):
                self._newest = None

    def newest(self) -> list[IndexedEntry]:
        """Return all entries, newest first, then by key; callers must not change the list."""
        if self._newest is None:
            self._newest = sorted(self.listed.values(), key=lambda each: (-each.entry.created, each.entry.key))
        return self._newest

    def find_races(self, key: str) -> tuple[str, ...]:
        """Return the ids of the races in which a run is a lane."""
        return self._races_by_run.get(key.removeprefix("run:"), ())

    def path(self, key: str) -> Path:
        """Return the path of an entry's file."""
        return Path(self.rows[key].path)

    def find_lanes(self, key: str) -> tuple[str, ...]:
        """Return the keys of a race's existing runs."""
        row = self.rows.get(key)
        lanes = row.facts.lanes if row else ()
        return tuple(f"run:{run}" for run in lanes if f"run:{run}" in self.rows)

    def _apply(self, changes: dict[str, CachedFile | None]) -> None:
        races = False
        affected: set[str] = set()
        for key, change in changes.items():
            if key.startswith("race:"):
                races = True
                affected.update(self.find_lanes(key))
            if change is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = change
            if key.startswith("study:"):
                (self._study_keys.discard if change is None else self._study_keys.add)(key)
        if races:
            self._races_by_run = {}
            for key, row in self.rows.items():
                for run in row.facts.lanes:
                    self._races_by_run[run] = (*self._races_by_run.get(run, ()), key.removeprefix("race:"))
            self.renew(affected)

    def _index_entry(self, key: str, row: CachedFile) -> IndexedEntry:
        kind, _, name = key.partition(":")
        label, facts = self._labels.find(key), row.facts
        if kind == "race":
            facts = self._complete_race_facts(facts, self.find_lanes(key))
        race = next(iter(self.find_races(key)), None) if kind == "run" else None
        entry = Entry(
            key, kind, name, label.name or facts.name, label.tags, facts.created, self._find_state(key, facts),
            facts.instances, facts.n, facts.algorithms, facts.titles, facts.uses, facts.length, facts.gap_percent,
            facts.proven, facts.optimum_proven, facts.seconds, facts.runs, facts.total,
            row.bytes + sum(self.rows[lane].bytes for lane in self.find_lanes(key)), race,
            self._name_race(f"race:{race}") if race else "", self.find_deletion_refusal(key),
            facts.seed, facts.requested,
        )  # fmt: skip
        full_title = make_title(entry)
        words = (full_title, name, entry.state, *entry.tags, *entry.instances, *entry.uses, *entry.titles)
        return IndexedEntry(entry, full_title.casefold(), "\n".join(words).casefold())

    def _complete_race_facts(self, facts: Facts, lanes: tuple[str, ...]) -> Facts:
        """Complete a race's facts from its runs: instance, best length and longest time."""
        runs = [self.rows[lane].facts for lane in lanes]
        lengths = [(lane.length, lane.gap_percent) for lane in runs if lane.length is not None]
        best, gap = min(lengths, key=lambda pair: pair[0], default=(None, None))
        return facts._replace(
            instances=tuple(dict.fromkeys(name for lane in runs for name in lane.instances)),
            n=max((lane.n for lane in runs), default=0),
            length=best,
            gap_percent=gap,
            proven=any(lane.proven and lane.length == best for lane in runs),
            optimum_proven=any(lane.optimum_proven for lane in runs),
            seconds=max((lane.seconds for lane in runs if lane.seconds is not None), default=None),
        )

    def _find_state(self, key: str, facts: Facts) -> str:
        kind, _, name = key.partition(":")
        if kind == "run":
            active = self._run_service.active_run(name)
            return active.state if active else facts.state
        if facts.state == UNREADABLE:
            return UNREADABLE
        if kind == "study":
            return self._studies.active_state(self.path(key)) or facts.state
        state = self._races.state(name)
        if state != "over":
            return state
        lanes = {self.rows[lane].facts.state for lane in self.find_lanes(key)}
        return next((state for state in _UNFINISHED if state in lanes), facts.state)

    def find_deletion_refusal(self, key: str) -> str:
        """Return why an entry cannot be deleted; empty if it can."""
        kind, _, name = key.partition(":")
        if kind == "study":
            return self._find_study_refusal(self.path(key))
        if kind == "race":
            active = name in self._races.active_races() or any(self._is_active(lane) for lane in self.find_lanes(key))
            return _CANCEL.format("race") if active else ""
        if races := self.find_races(key):
            return f"This run is a lane of the race \u201c{self._name_race(f'race:{races[0]}')}\u201d: delete the race."
        return _CANCEL.format("run") if self._is_active(key) else ""

    def _is_running_study(self, study: str) -> bool:
        return study in self.listed and self.listed[study].entry.state not in _INACTIVE

    def _is_active(self, key: str) -> bool:
        return self._run_service.active_run(key.removeprefix("run:")) is not None

    def _find_study_refusal(self, path: Path) -> str:
        if path.parent != self._own_folder:
            return reduce_to_line(f"This study is not in the library's own folder: delete {path} yourself.")
        state = self._studies.active_state(path)
        if state == "elsewhere":
            return "Another process works on this study: wait for it, or stop it."
        return _CANCEL.format("study") if state and state != "broken" else ""

    def _name_race(self, key: str) -> str:
        facts, instances = self.rows[key].facts, [self.rows[lane].facts.instances for lane in self.find_lanes(key)]
        return self._labels.find(key).name or format_default_title(
            "race", facts.titles, instances[0] if instances else ()
        )
