"""Parses lesson files (format: ``docs/lessons.md``), naming the line of errors."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from components.learn.exercise import Exercise, InvalidExercise, parse_exercise
from components.learn.lesson import KINDS, Answer, Lesson, Step
from components.shell.texts import learn as text
from data.suggest import describe_unknown
from solvers import SOLVERS, find

#: Parts of each page that a step may mark, besides the parameters of the algorithm on Watch.
PARTS = {
    "watch": ("instance", "algorithm", "seed", "seconds", "device", "start", "length", "gap", "bound", "tour",
              "optimal", "views", "player", "tiles", "axis", "chart", "table"),
    "race": ("instance", "lanes", "seed", "seconds", "start", "tours", "player", "axes", "chart", "table"),
}  # fmt: skip


def allowed_marks(page: str, exercises: Iterable[Exercise | None]) -> Collection[str]:
    """Return the elements that a step may mark on a page, by name.

    Parameters
    ----------
    page : str
        ``watch`` or ``race``.
    exercises : iterable of Exercise or None
        Exercises of the lesson; the parameters of their algorithms can be marked.
    """
    runs = [exercise for exercise in exercises if exercise and exercise.page == "watch"] if page == "watch" else []
    params = [param.name for run in runs for name in run.algorithms for param in find(name).params.schema()]
    return (*PARTS[page], *params)


#: Maximum number of characters of a file, steps of a lesson, and answers of a step.
MAX_TEXT, MAX_STEPS, MAX_ANSWERS = 65_536, 24, 8
_FIELDS = ("minutes", "algorithms", "afterwards")
#: Version of the format; a file gives its own in a field `version`, and has the first by default.
VERSION = 1
_FIELD = re.compile(r"([a-z]+):\s*(.*)")
_ANSWER = re.compile(r"- \[([ xX])\] (.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*(\S*)")


class InvalidLesson(ValueError):
    """The file is not a valid lesson; the message starts with the line number."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(text("fault.line", line=str(line), what=sentence))


#: A line with its number.
Line = tuple[int, str]


@dataclass(slots=True)
class _Body:
    """The lines below a step's heading, by kind."""

    text: list[str] = field(default_factory=list)
    answers: list[tuple[int, bool, list[str]]] = field(default_factory=list)
    runs: list[tuple[int, str]] = field(default_factory=list)


def parse_lesson(name: str, source: str) -> Lesson:
    """Return the lesson in a file's text.

    Parameters
    ----------
    name : str
        Name of the lesson in addresses.
    source : str

    Raises
    ------
    InvalidLesson
        For the first fault.
    """
    if len(source) > MAX_TEXT:
        raise InvalidLesson(1, text("fault.long", most=MAX_TEXT))
    lines = list(enumerate(source.splitlines(), 1))
    first, *rest = [*_split_sections(lines)]
    title, fields = _parse_head(first)
    _check_version(*fields.pop("version", (1, "1")))
    if not rest:
        raise InvalidLesson(len(lines) or 1, text("fault.no-steps"))
    if len(rest) > MAX_STEPS:
        raise InvalidLesson(rest[MAX_STEPS][0][0], text("fault.steps", most=MAX_STEPS))
    minutes, algorithms = _parse_minutes(*fields["minutes"]), _parse_algorithms(*fields["algorithms"])
    steps = tuple(_parse_step(section) for section in rest)
    lesson = Lesson(name, title, minutes, fields["afterwards"][1], algorithms, steps)
    _check_order(steps)
    _check_marks(lesson)
    return lesson


def _split_sections(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines above the first second-level heading, then each heading with its text."""
    section: list[Line] = []
    fence = ""
    for number, line in lines:
        fence = _find_open_fence(fence, line)
        if not fence and line.startswith("## "):
            yield section
            section = []
        section.append((number, line))
    yield section


def _find_open_fence(fence: str, line: str) -> str:
    """Return the code fence open after `line`; empty outside of fences."""
    match = _FENCE.match(line)
    if not fence:
        return match[1] if match else ""
    closes = match and match[1].startswith(fence) and line.strip() == match[1]
    return "" if closes else fence


def _parse_head(section: Sequence[Line]) -> tuple[str, dict[str, Line]]:
    """Return the title, and the fields below it with their lines."""
    source = [(number, line.strip()) for number, line in section if line.strip()]
    if not source or not source[0][1].startswith("# "):
        raise InvalidLesson(1, text("fault.title"))
    fields: dict[str, Line] = {}
    for number, line in source[1:]:
        match = _FIELD.fullmatch(line)
        if not match or match[1] not in (*_FIELDS, "version"):
            raise InvalidLesson(number, text("fault.field", fields=", ".join(_FIELDS)))
        fields[match[1]] = (number, match[2])
    for name in _FIELDS:
        if not fields.get(name, (0, ""))[1]:
            raise InvalidLesson(source[0][0], text("fault.no-field", field=name))
    return source[0][1].removeprefix("# ").strip(), fields


def _check_version(line: int, value: str) -> None:
    if not re.fullmatch(r"[1-9]\d{0,8}", value):
        raise InvalidLesson(line, text("fault.version", known=str(VERSION)))
    if int(value) > VERSION:
        raise InvalidLesson(line, text("fault.newer", version=value, known=str(VERSION)))


def _parse_minutes(line: int, value: str) -> int:
    if not re.fullmatch(r"[1-9]\d?", value):
        raise InvalidLesson(line, text("fault.minutes"))
    return int(value)


def _parse_algorithms(line: int, value: str) -> tuple[str, ...]:
    names = [name.strip() for name in value.split(",")]
    algorithms = [solver.name for solver in SOLVERS if solver.listed]
    for name in names:
        if name not in algorithms:
            raise InvalidLesson(line, describe_unknown("algorithm", name, algorithms))
    return tuple(names)


def _parse_step(section: Sequence[Line]) -> Step:
    line, heading = section[0]
    word, _, title = heading.removeprefix("## ").partition(":")
    kind = word.strip().lower()
    if kind not in KINDS or not title.strip():
        raise InvalidLesson(line, text("fault.kind", kinds=", ".join(map(str.capitalize, KINDS))))
    marked, below = _parse_marks(section[1:])
    body = _parse_body(below)
    answers = tuple(_parse_answer(*answer) for answer in body.answers)
    _check_answers(kind, answers, line)
    exercise = _parse_exercises(kind, body.runs, line)
    sentence, outcome = _split_outcome(kind, body.text)
    return Step(kind, title.strip(), sentence, outcome, answers, exercise, marked, line)


def _split_outcome(kind: str, lines: Sequence[str]) -> tuple[str, str]:
    """Split a step's text from the outcome of its run or change, which follows a line of hyphens."""
    rule = lines.index("---") if kind in ("run", "change") and "---" in lines else len(lines)
    return "\n".join(lines[:rule]).strip(), "\n".join(lines[rule + 1 :]).strip()


def _parse_marks(below: Sequence[Line]) -> tuple[tuple[str, ...], Sequence[Line]]:
    """Return the contents of ``mark: ...`` in the first line below a heading, and the other lines."""
    if not below or not below[0][1].startswith("mark:"):
        return (), below
    names = below[0][1].removeprefix("mark:").split(",")
    return tuple(name.strip() for name in names if name.strip()), below[1:]


def _parse_body(lines: Sequence[Line]) -> _Body:
    body, fence, in_answer = _Body(), "", False
    run: tuple[int, list[str]] | None = None
    for number, line in lines:
        before, fence = fence, _find_open_fence(fence, line)
        if not before and fence and _FENCE.match(line)[2] == "run":  # type: ignore[index]
            run, in_answer = (number, []), False
        elif run is not None:
            if fence:
                run[1].append(line)
            else:
                body.runs.append((run[0], "\n".join(run[1])))
                run = None
        elif not before and (match := _ANSWER.match(line)):
            body.answers.append((number, match[1] != " ", [match[2]]))
            in_answer = True
        elif in_answer and line.startswith("  "):
            body.answers[-1][2].append(line.strip())
        else:
            in_answer = in_answer and not line.strip()
            body.text.append(line)
    if run is not None:
        raise InvalidLesson(run[0], text("fault.open-run"))
    return body


def _parse_answer(line: int, right: bool, source: Sequence[str]) -> Answer:
    lines = [line for line in source if not line.startswith(">")]
    feedback = [line.removeprefix(">").strip() for line in source if line.startswith(">")]
    if not "".join(lines).strip():
        raise InvalidLesson(line, text("fault.empty-answer"))
    return Answer(" ".join(lines), right, "\n".join(feedback))


def _check_answers(kind: str, answers: Sequence[Answer], line: int) -> None:
    has_answers = kind in ("question", "check")
    if not has_answers and answers:
        raise InvalidLesson(line, text("fault.no-question"))
    if not has_answers:
        return
    if not 2 <= len(answers) <= MAX_ANSWERS:
        raise InvalidLesson(line, text("fault.answers", most=MAX_ANSWERS))
    if sum(answer.right for answer in answers) != 1:
        raise InvalidLesson(line, text("fault.one-right"))
    if kind == "check" and not all(answer.feedback for answer in answers):
        raise InvalidLesson(line, text("fault.feedback"))


def _parse_exercises(kind: str, runs: Sequence[tuple[int, str]], line: int) -> Exercise | None:
    if kind not in ("run", "change") and runs:
        raise InvalidLesson(runs[0][0], text("fault.run-here"))
    if len(runs) > 1 or (kind == "run" and not runs):
        raise InvalidLesson(line, text("fault.one-run"))
    if not runs:
        return None
    try:
        return parse_exercise(runs[0][1])
    except InvalidExercise as refusal:
        raise InvalidLesson(runs[0][0], str(refusal)) from None


def _check_order(steps: Sequence[Step]) -> None:
    if steps[0].kind != "question":
        raise InvalidLesson(steps[0].line, text("fault.first"))
    if steps[-1].kind != "check":
        raise InvalidLesson(steps[-1].line, text("fault.last"))
    if not any(step.exercise and step.exercise.page != "study" for step in steps):
        raise InvalidLesson(steps[0].line, text("fault.no-run"))


def _check_marks(lesson: Lesson) -> None:
    for step, page in zip(lesson.steps, lesson.pages(), strict=True):
        allowed = allowed_marks(page, [step.exercise for step in lesson.steps])
        for name in step.marked:
            if name not in allowed:
                raise InvalidLesson(step.line + 1, describe_unknown("part", name, allowed))
