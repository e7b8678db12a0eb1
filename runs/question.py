"""A question from the host to the class, with everybody's answers, which survive server restarts."""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from data.sqlite_files import open_store
from runs.visitors import Visitor

_log = logging.getLogger(__name__)
PHASES = ("open", "closed", "revealed")
#: Maximum number of visitors whose answers are counted.
MAX_ANSWERS = 10_000
#: Seconds after which a restarted server drops a question, since it belongs to an earlier class.
_LIFETIME_SECONDS = 86_400.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS question (phase TEXT NOT NULL, asked REAL NOT NULL, contents TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (visitor TEXT PRIMARY KEY, answer INTEGER NOT NULL);
"""


class QuestionClosed(RuntimeError):
    """The question is closed or was replaced by another."""

    def __init__(self) -> None:
        super().__init__("The question is closed: answers no longer count.")


@dataclass(frozen=True)
class Marks:
    """Answers' positions on a run's map at a certain moment.

    Attributes
    ----------
    run : str
    climb, position : int
        As in `runs.lecture.Place`.
    cities : tuple of tuple of int
        For each answer one city, or the two ends of each of its edges in order.
    """

    run: str
    climb: int
    position: int
    cities: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Question:
    """A multiple-choice question.

    Attributes
    ----------
    id : str
        Random id, drawn by the host's page for each question.
    text : str
    answers : tuple of str
    right : int
        Number of the right answer, from 0.
    marks : Marks or None
    source : str
        JSON from which pages in other languages build the text; only they read it.
    """

    id: str
    text: str
    answers: tuple[str, ...]
    right: int
    marks: Marks | None
    source: str


class QuestionView(NamedTuple):
    """The question as seen by one person.

    Attributes
    ----------
    question : Question
    phase : str
        One of `PHASES`.
    own : int or None
        The person's own answer.
    counts : tuple of int or None
        Number of visitors who chose each answer; None for visitors until it is revealed.
    """

    question: Question
    phase: str
    own: int | None
    counts: tuple[int, ...] | None

    def values(self) -> dict[str, Any]:
        """Return the view as sent by the stream; with counts, it includes the right answer."""
        values = asdict(self.question) | {"phase": self.phase, "own": self.own, "counts": self.counts}
        return values if self.counts is not None else values | {"right": None}


@dataclass(frozen=True)
class _AskedQuestion:
    question: Question
    phase: str
    counts: tuple[int, ...]


class ClassQuestion:
    """The question to the class, if any.

    Parameters
    ----------
    path : Path
        The file that stores it.
    on_change : callable
        Called when the view of all visitors has changed.
    on_answer : callable
        Called when an answer has been counted.
    """

    def __init__(self, path: Path, on_change: Callable[[], None], on_answer: Callable[[], None]) -> None:
        self._on_change, self._on_answer, self._lock = on_change, on_answer, threading.Lock()
        self._file, (self._asked, self._answers) = open_store(path, _SCHEMA, _load)

    def ask(self, question: Question) -> None:
        """Ask a question, replacing any earlier one."""
        with self._lock:
            self._answers = {}
            self._asked = _AskedQuestion(question, "open", (0,) * len(question.answers))
            contents = json.dumps(asdict(question))
            self._write(
                ("DELETE FROM answers", ()),
                ("DELETE FROM question", ()),
                ("INSERT INTO question VALUES ('open', ?, ?)", (time.time(), contents)),
            )
        self._on_change()

    def move_on(self, question: str, phase: str) -> None:
        """Close a question, reopen it, or reveal the right answer, after which it stays closed.

        Raises
        ------
        QuestionClosed
            If the answer was revealed, or there is another question by now.
        """
        with self._lock:
            self._asked = replace(self._find(question, {"open", "closed"}), phase=phase)
            self._write(("UPDATE question SET phase = ?", (phase,)))
        self._on_change()

    def drop(self, question: str) -> None:
        """Remove a question and its answers.

        Raises
        ------
        QuestionClosed
            If there is another question by now.
        """
        with self._lock:
            self._find(question, set(PHASES))
            self._asked, self._answers = None, {}
            self._write(("DELETE FROM answers", ()), ("DELETE FROM question", ()))
        self._on_change()

    def answer(self, question: str, visitor: str, answer: int) -> None:
        """Count a visitor's answer, replacing their earlier one.

        Raises
        ------
        QuestionClosed
            Also if `MAX_ANSWERS` visitors have answered already.
        ValueError
            If the question has no such answer.
        """
        with self._lock:
            asked = self._find(question, {"open"})
            if not 0 <= answer < len(asked.question.answers):
                raise ValueError(answer)
            before = self._answers.get(visitor)
            if before is None and len(self._answers) >= MAX_ANSWERS:
                raise QuestionClosed
            self._answers[visitor] = answer
            counts = (count + (k == answer) - (k == before) for k, count in enumerate(asked.counts))
            self._asked = replace(asked, counts=tuple(counts))
            self._write(("INSERT OR REPLACE INTO answers VALUES (?, ?)", (visitor, answer)))
        self._on_answer()

    def view_for(self, viewer: Visitor) -> QuestionView | None:
        """Return the question as seen by this viewer; never blocks, so the event loop may call it."""
        asked = self._asked
        if not asked:
            return None
        counts = asked.counts if viewer.host or asked.phase == "revealed" else None
        return QuestionView(asked.question, asked.phase, self._answers.get(viewer.id), counts)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _find(self, question: str, phases: set[str]) -> _AskedQuestion:
        if not self._asked or self._asked.question.id != question or self._asked.phase not in phases:
            raise QuestionClosed
        return self._asked

    def _write(self, *statements: tuple[str, tuple[Any, ...]]) -> None:
        """Write to the file; if that fails, as on a full disk, the question stays in memory."""
        try:
            with self._file:
                for statement, values in statements:
                    self._file.execute(statement, values)
        except sqlite3.Error as error:
            _log.warning("The question to the class could not be saved: %s", error)


def _load(file: sqlite3.Connection) -> tuple[_AskedQuestion | None, dict[str, int]]:
    row = file.execute("SELECT phase, asked, contents FROM question").fetchone()
    if not row or time.time() - row[1] > _LIFETIME_SECONDS:
        with file:
            file.execute("DELETE FROM answers")
            file.execute("DELETE FROM question")
        return None, {}
    question = parse_question(json.loads(row[2]))
    answers = dict(file.execute("SELECT visitor, answer FROM answers"))
    counts = tuple(sum(answer == k for answer in answers.values()) for k in range(len(question.answers)))
    return _AskedQuestion(question, row[0], counts), answers


def parse_question(values: dict[str, Any]) -> Question:
    """Return the question of decoded JSON with values of the right types."""
    marks = values["marks"]
    if marks is not None:
        marks = Marks(**{**marks, "cities": tuple(map(tuple, marks["cities"]))})
    return Question(**{**values, "answers": tuple(values["answers"]), "marks": marks})
