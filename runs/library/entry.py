"""Values of the library: entries, pages of entries, and errors."""

from typing import NamedTuple

from studies.spec.title import describe

#: The state of an entry whose file cannot be read.
UNREADABLE = "unreadable"


class NoSuchEntry(LookupError):
    """The library has no such entry, or the trash has no such deletion."""

    def __init__(self, sentence: str = "There is no such entry in the library.") -> None:
        super().__init__(sentence)


class BadName(ValueError):
    """A name or tag is invalid; the message is a sentence."""


class Entry(NamedTuple):
    """A run, race or study in the library.

    Attributes
    ----------
    key : str
        ``run:``, ``race:`` or ``study:`` and the id.
    kind, id : str
    name : str
        The user's name for the entry, the title in a study's spec, or the name of an unreadable file; if it is empty,
        `make_title` makes a title.
    tags : tuple of str
    created : float
        Seconds since 1970.
    state : str
        For a run, one of `runs.store.run_file.STATES`. For a race, ``running``, ``paused``, ``finished``, or the end
        state of a lane that did not finish. For a study, `runs.study_jobs.service.StudyStatus.state`. `UNREADABLE` if
        the file is damaged.
    instances : tuple of str
        Names.
    n : int
        Number of cities of the largest instance, 0 if unknown.
    algorithms, titles : tuple of str
        For the run, each lane, or each entry of the study: the algorithm of its first stage, which decides its
        colour, and its title.
    uses : tuple of str
        Names of all its algorithms, without duplicates, for filters and facets.
    length, gap_percent : int or None, float or None
        Best length and gap of the run or of the race's lanes.
    proven, optimum_proven : bool
        Whether a run has proven that no tour is shorter; whether gaps are measured from a proven optimum rather than
        from the best known length.
    seconds : float or None
        Time on the run's clock; for a race, on the clock of its longest lane.
    runs, total : int
        1 and 1 for a run; the number of lanes for a race; the numbers of finished runs and of all runs for a study.
    bytes : int
        Size of its files, including those of a race's lanes.
    race : str or None
        Id of the race if the run is a lane.
    race_title : str
        Title of that race; empty for none.
    seed, requested : int or None
        Seed of a run, and the number of climbers or iterations set for its last algorithm.
    deletion_refusal : str
        Why the entry cannot be deleted, in one sentence; empty if it can be.
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
    deletion_refusal: str
    seed: int | None = None
    requested: int | None = None


class Page(NamedTuple):
    """A page of search results.

    Attributes
    ----------
    entries : tuple of Entry
    total : int
        Number of entries on all pages.
    facets : dict
        Number of entries for each value of ``kind``, ``algorithm``, ``instance``, ``tag`` and ``state``, among all
        entries that match the text, regardless of other filters.
    pending : int
        Number of new or changed files that have not been read yet.
    """

    entries: tuple[Entry, ...]
    total: int
    facets: dict[str, dict[str, int]]
    pending: int = 0


class DeletionResult(NamedTuple):
    """The result of a deletion: a token to undo it, the deleted keys, and why other entries were kept, by key."""

    token: str
    keys: tuple[str, ...]
    refused: dict[str, str]


class Deletion(NamedTuple):
    """A deletion that can be undone: token, time (seconds since 1970), entries' titles and keys, bytes."""

    token: str
    deleted_at: float
    names: tuple[str, ...]
    keys: tuple[str, ...]
    bytes: int


def make_title(entry: Entry) -> str:
    """Return an entry's name, or a default title such as ``2-opt on berlin52``."""
    if entry.name:
        return entry.name
    if entry.kind == "study" and entry.titles and entry.instances:
        seeds = entry.total // (len(entry.titles) * len(entry.instances))
        return describe(entry.titles, entry.uses, entry.instances, seeds)
    return format_default_title(entry.kind, entry.titles, entry.instances)


def format_default_title(kind: str, titles: tuple[str, ...], instances: tuple[str, ...]) -> str:
    """Return an unnamed run's or race's title; a race lists all lanes, so that titles differ."""
    if not titles:
        return kind.capitalize()
    return f"{', '.join(titles)} on {', '.join(instances) or 'an unknown instance'}"
