"""The library's values: an entry for each run, race or study, pages of entries, and errors."""

from typing import NamedTuple

from studies.spec.title import describe

KINDS = ("run", "race", "study")
#: The state of an entry whose file cannot be read.
UNREADABLE = "unreadable"


class NoSuchEntry(LookupError):
    """The library has no entry of that key, or the trash no deletion of that token."""

    def __init__(self, sentence: str = "There is no such entry in the library.") -> None:
        super().__init__(sentence)


class BadName(ValueError):
    """An invalid name or tag; the message is one sentence."""


class Entry(NamedTuple):
    """A run, race or study in the library.

    Attributes
    ----------
    key : str
        ``run:``, ``race:`` or ``study:`` and the id.
    kind, id : str
    name : str
        The user's name for it, or the title in its study's spec, or the name of a file that cannot be read; empty
        if there is none of these: then `title` makes one.
    tags : tuple of str
    created : float
        Seconds since 1970.
    state : str
        Of a run one of `runs.store.run_file.STATES`, of a race ``running`` or ``paused``, and when it is
        over ``finished``, or how its lanes ended if one did not finish, of a study
        `runs.study_jobs.service.StudyStatus.state`; `UNREADABLE` if its file is damaged.
    instances : tuple of str
        Names.
    n : int
        Number of cities of the largest instance, 0 if unknown.
    algorithms, titles : tuple of str
        For the run, each lane, or each entry of the study: the algorithm of its first stage, which decides its
        colour, and its title.
    uses : tuple of str
        The names of all its algorithms, each once; for filters and facets.
    length, gap_percent : int or None, float or None
        The best length and gap of the run or of the race's lanes.
    proven, optimum_proven : bool
        Whether a run has proven that no tour is shorter; whether gaps are measured from a proven optimum rather than
        from the best known length.
    seconds : float or None
        On the run's clock; of a race, on the clock of its longest lane.
    runs, total : int
        Of a run 1 and 1; of a race its lanes; of a study its finished runs and all runs.
    bytes : int
        Size of its files, including those of a race's lanes.
    race : str or None
        The id of the race that the run is a lane of.
    race_title : str
        What that race is called; empty without one.
    seed, asked : int or None
        Of a run: its seed, and how many climbers, iterations, ... its last algorithm was asked for.
    deletable : str
        Why it cannot be deleted, in one sentence; empty if it can.
    """

    key: str
    kind: str
    id: str
    name: str
    tags: tuple[str, ...]
    created: float
    state: str
    instances: tuple[str, ...]
    n: int
    algorithms: tuple[str, ...]
    titles: tuple[str, ...]
    uses: tuple[str, ...]
    length: int | None
    gap_percent: float | None
    proven: bool
    optimum_proven: bool
    seconds: float | None
    runs: int
    total: int
    bytes: int
    race: str | None
    race_title: str
    deletable: str
    seed: int | None = None
    asked: int | None = None


class Page(NamedTuple):
    """One page of a search's results.

    Attributes
    ----------
    entries : tuple of Entry
    total : int
        Number of entries on all pages.
    facets : dict
        By ``kind``, ``algorithm``, ``instance``, ``tag`` and ``state``: number of entries for each value, among all
        that match the text, regardless of the other filters.
    pending : int
        Number of new or changed files that have not been read yet.
    """

    entries: tuple[Entry, ...]
    total: int
    facets: dict[str, dict[str, int]]
    pending: int = 0


class Deleted(NamedTuple):
    """Result of a deletion: the token that restores it, the deleted keys, and by key why others were not deleted."""

    token: str
    keys: tuple[str, ...]
    refused: dict[str, str]


class Trashed(NamedTuple):
    """A deletion that can be undone: token, time (seconds since 1970), titles and keys of its entries, bytes."""

    token: str
    when: float
    names: tuple[str, ...]
    keys: tuple[str, ...]
    bytes: int


def title(entry: Entry) -> str:
    """Title of an entry: its name, or for instance ``2-opt on berlin52``."""
    if entry.name:
        return entry.name
    if entry.kind == "study" and entry.titles and entry.instances:
        seeds = entry.total // (len(entry.titles) * len(entry.instances))
        return describe(entry.titles, entry.uses, entry.instances, seeds)
    return default_title(entry.kind, entry.titles, entry.instances)


def default_title(kind: str, titles: tuple[str, ...], instances: tuple[str, ...]) -> str:
    """Title of a run or race without a name: all of a race's lanes, so that other lanes are another title."""
    if not titles:
        return kind.capitalize()
    return f"{', '.join(titles)} on {', '.join(instances) or 'an unknown instance'}"
