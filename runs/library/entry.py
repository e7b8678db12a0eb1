"""What the library tells of one run, race or study; pages of them; and what it refuses."""

from typing import NamedTuple

KINDS = ("run", "race", "study")
#: The state of an entry whose file cannot be read.
UNREADABLE = "unreadable"
#: Names that a title spells out.
_SPELT = 3


class NoSuchEntry(LookupError):
    """The library has no entry of that key, or the trash no longer what a token stands for."""

    def __init__(self, sentence: str = "There is no such entry in the library.") -> None:
        super().__init__(sentence)


class BadName(ValueError):
    """A name or a tag that an entry cannot have, in one sentence."""


class Entry(NamedTuple):
    """One line of the library.

    Attributes
    ----------
    key : str
        ``run:``, ``race:`` or ``study:`` and the id.
    kind, id : str
    name : str
        What somebody called it, or the title that its study's spec has, or the name of a file that cannot be read;
        empty without any: then `title` makes one.
    tags : tuple of str
    created : float
        Seconds since 1970.
    state : str
        Of a run one of `runs.store.run_file.STATES`, of a race ``running``, ``paused`` or ``over``, of a study as
        `runs.study_jobs.service.StudyStatus` has it; `UNREADABLE` if its file is damaged.
    instances : tuple of str
        Names; n is the number of cities of the largest, 0 if unknown.
    n : int
    algorithms, titles : tuple of str
        Of the run, of each lane or of each entry of the study: the name of its first stage, which its colour goes by,
        and what it is called.
    uses : tuple of str
        The names of all algorithms in it, each once: what filters and facets go by.
    length, gap_percent : int or None, float or None
        The best of a run or of a race's lanes.
    proven, optimum_proven : bool
        Whether a run of it has proven that no tour is shorter, and whether the length that gaps are told by is known
        to be that of a shortest tour, not of the best that anybody has found.
    seconds : float or None
        On the run's clock; of a race, on that of its longest lane.
    runs, total : int
        1 and 1; lanes; finished runs of a study, and all.
    bytes : int
        Of its files, those of a race's lanes included.
    race : str or None
        The id of the race of which a run is a lane.
    deletable : str
        Empty, or why it cannot be deleted, in one sentence.
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
    deletable: str


class Page(NamedTuple):
    """Some of the entries that were found.

    Attributes
    ----------
    entries : tuple of Entry
    total : int
        How many there are of them on all pages.
    facets : dict
        By ``kind``, ``algorithm``, ``instance``, ``tag`` and ``state``: value and number of entries, of all that the
        text matches, whatever else was asked for.
    pending : int
        Files that are still to be read for the first time, or again; 0 if all is known.
    """

    entries: tuple[Entry, ...]
    total: int
    facets: dict[str, dict[str, int]]
    pending: int = 0


class Deleted(NamedTuple):
    """What became of a wish to delete: the token that brings back what went, its keys, and why others stayed."""

    token: str
    keys: tuple[str, ...]
    refused: dict[str, str]


class Trashed(NamedTuple):
    """What can still be brought back: its token, when it was deleted (seconds since 1970), titles, keys and bytes."""

    token: str
    when: float
    names: tuple[str, ...]
    keys: tuple[str, ...]
    bytes: int


def title(entry: Entry) -> str:
    """What an entry is called: its name, or ``2-opt on berlin52``."""
    if entry.name:
        return entry.name
    return title_of(entry.kind, entry.titles, entry.instances)


def title_of(kind: str, titles: tuple[str, ...], instances: tuple[str, ...]) -> str:
    """What a run, race or study without a name is called, by the facts."""
    what = _listed(titles, "algorithms")
    return f"{what} on {_listed(instances, 'instances') or 'an unknown instance'}" if what else kind.capitalize()


def _listed(names: tuple[str, ...], what: str) -> str:
    """Some names in words, or how many there are."""
    different = list(dict.fromkeys(names))
    return f"{len(different)} {what}" if len(different) > _SPELT else ", ".join(different)
