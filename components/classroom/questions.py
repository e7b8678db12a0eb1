"""Parses requests about questions and nicknames; functions return None for JSON that no page sends."""

import re
from typing import Any

from runs.question import PHASES, Question, parse_question

#: Maximum length of a question and of an answer, and maximum number of cities that mark an answer on the map.
_TEXT, _ANSWER, _CITIES = 3000, 600, 8
#: Minimum and maximum number of answers.
_ANSWERS = (2, 8)
#: Maximum length of a nickname as typed, before it is cleaned.
_TYPED = 200
_MAX_NUMBER = 2**31 - 1
_ID = re.compile("[A-Za-z0-9_-]{8,32}")


def parse_new_question(values: Any) -> Question | None:
    """Return the question that the host asks."""
    if not _has(values, id=str, text=str, answers=list, right=int, marks=(dict, type(None)), source=str):
        return None
    answers, marks = values["answers"], values["marks"]
    if not (_ID.fullmatch(values["id"]) and _is_text(values["text"], _TEXT) and len(values["source"]) <= _TEXT):
        return None
    if not (_ANSWERS[0] <= len(answers) <= _ANSWERS[1] and all(_is_text(answer, _ANSWER) for answer in answers)):
        return None
    if not 0 <= values["right"] < len(answers) or (marks is not None and not _are_marks(marks, len(answers))):
        return None
    return parse_question(values)


def parse_phase(values: Any) -> tuple[str, str] | None:
    """Return a question's id and its next phase; ``over`` removes it."""
    valid = _has(values, id=str, phase=str) and values["phase"] in (*PHASES, "over")
    return (values["id"], values["phase"]) if valid else None


def parse_answer(values: Any) -> tuple[str, int] | None:
    """Return a question's id and a visitor's answer."""
    return (values["id"], values["answer"]) if _has(values, id=str, answer=int) else None


def parse_nickname(values: Any) -> str | None:
    """Return a visitor's nickname as typed."""
    return values["name"] if _has(values, name=str) and len(values["name"]) <= _TYPED else None


def parse_visitor_number(values: Any) -> int | None:
    """Return a visitor's number."""
    return values["visitor"] if _has(values, visitor=int) else None


def _has(values: Any, **kinds: type | tuple[type, ...]) -> bool:
    """Return whether this is an object with exactly these values; booleans do not count as numbers."""
    return (
        isinstance(values, dict)
        and set(values) == set(kinds)
        and all(isinstance(values[name], kind) and not isinstance(values[name], bool) for name, kind in kinds.items())
    )


def _is_text(text: Any, most: int) -> bool:
    return isinstance(text, str) and bool(text.strip()) and len(text) <= most


def _are_marks(marks: dict[str, Any], answers: int) -> bool:
    if not (_has(marks, run=str, climb=int, position=int, cities=list) and _ID.fullmatch(marks["run"])):
        return False
    groups = marks["cities"]
    if len(groups) != answers or not all(isinstance(group, list) and 1 <= len(group) <= _CITIES for group in groups):
        return False
    numbers = [marks["climb"], marks["position"], *(city for group in groups for city in group)]
    return all(type(number) is int and 0 <= number <= _MAX_NUMBER for number in numbers)
