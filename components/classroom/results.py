"""All visitors' results since the server started, best first."""

import re
import threading
import time
from typing import NamedTuple

from components.library.rows import algorithm_title, make_address
from components.shell import facts, numbers
from components.shell.texts import classroom as text
from components.types import Json, JsonObject
from data.csv_text import format_rows
from runs.language import LANGUAGES, use_language
from runs.library.entry import Entry
from runs.library.search import Query
from runs.library.service import Library
from runs.nicknames import Nicknames
from runs.owners import Owners
from runs.visitors import Visitor
from runs.web.join_codes import JoinCodes

#: Maximum number of runs listed.
MAX_RESULTS = 500
#: Seconds for which the library's results are cached for all visitors.
_FRESH = 2.0
_COLUMNS = ("who", "run", "instance", "cities", "algorithm", "length", "gap_percent", "seconds", "state")


class Result(NamedTuple):
    """A run and a description of its owner.

    Attributes
    ----------
    owner_label : str
    own : bool
        Whether the viewer owns the run.
    nickname_number : int
        For the host, the number of a visitor who has a nickname; else 0.
    run : Entry
    """

    owner_label: str
    own: bool
    nickname_number: int
    run: Entry


class Results:
    """Lists all visitors' runs. Call its methods in a thread, as they read files.

    Parameters
    ----------
    library : Library
    owners : Owners
    """

    def __init__(self, library: Library, owners: Owners) -> None:
        self._library, self._owners, self._lock = library, owners, threading.Lock()
        self._found: tuple[Entry, ...] = ()
        self._until = 0.0

    def list_runs(self, codes: JoinCodes, viewer: Visitor, nicknames: Nicknames) -> list[Result]:
        """Return the runs that have a tour, by gap, then time; runs without a gap come last."""
        listed = [run for run in self._runs() if run.created >= codes.started_at and run.length is not None]
        return [self._result(run, codes, viewer, nicknames) for run in sorted(listed, key=_rank)[:MAX_RESULTS]]

    def _runs(self) -> tuple[Entry, ...]:
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = self._library.search(Query(kinds=("run",), lanes=True, limit=None)).entries
                self._until = time.monotonic() + _FRESH
            return self._found

    def _result(self, run: Entry, codes: JoinCodes, viewer: Visitor, nicknames: Nicknames) -> Result:
        owner = self._owners.owner(run.key)
        if owner and owner == viewer.id:
            return Result(text("who.own"), True, 0, run)
        if owner not in codes.visitor_numbers:
            return Result(text("who.host"), False, 0, run)
        number = codes.visitor_numbers[owner] if viewer.host else 0
        if name := nicknames.find(owner):
            return Result(name, False, number, run)
        # To others, numbers would reveal which runs belong to the same person.
        return Result(text("who.visitor", number=number) if number else text("who.other"), False, 0, run)


def _rank(run: Entry) -> tuple[float, ...]:
    gap, seconds = run.gap_percent, run.seconds
    worth = (True, run.length) if gap is None else (False, gap)
    return *worth, seconds is None, seconds or 0.0, run.created


def is_reserved(name: str) -> bool:
    """Return whether this name is one of the table's own labels for visitors, in any language."""
    for language in LANGUAGES:
        with use_language(language):
            taken = [text("who.host"), text("who.other"), text("who.own"), text("who.visitor", number="[0-9]+")]
            if re.fullmatch("|".join(taken), name, re.IGNORECASE):
                return True
    return False


def result_to_json(result: Result, base: str) -> JsonObject:
    """Return a result as a JSON row; the page's script must escape its strings."""
    run = result.run
    seconds = numbers.NONE if run.seconds is None else numbers.format_seconds(run.seconds)
    return {
        "run": run.id,
        "href": make_address(run, base),
        "who": result.owner_label,
        "own": result.own,
        "named": result.nickname_number,
        "instance": " ".join(run.instances),
        "algorithm": " + ".join(map(algorithm_title, run.algorithms)),
        "length": numbers.format_integer(run.length or 0),
        "gap": facts.format_gap(run.gap_percent, run.proven or run.optimum_proven) or numbers.NONE,
        "time": seconds,
        "state": "" if run.state == "finished" else facts.translate_state(run.state),
    }


def format_csv(results: list[Result]) -> str:
    """Format runs as CSV with RFC 4180 line ends, escaping strings that spreadsheets would take for formulas."""
    rows: list[tuple[Json, ...]] = [_COLUMNS]
    for who, _, _, run in results:
        names = " ".join(run.instances), run.n, " ".join(run.algorithms)
        rows.append((who, run.id, *names, run.length, run.gap_percent, run.seconds, run.state))
    return format_rows(rows)
