"""Lessons: steps with a text and, depending on their kind, answers or an exercise."""

from dataclasses import dataclass

from components.learn.exercise import Exercise

#: Kinds of steps; the heading of a step begins with its kind, capitalised.
KINDS = ("question", "run", "look", "change", "check")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to choose from.

    Attributes
    ----------
    text : str
        Text in Markdown.
    right : bool
    feedback : str
        Response to this answer, in Markdown; may be empty for a question.
    """

    text: str
    right: bool
    feedback: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a lesson.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    title : str
    text : str
        Text in Markdown.
    outcome : str
        Outcome of a run or a change, in Markdown, shown on request; may be empty.
    answers : tuple of Answer
        Answers of a question or a check, else empty.
    exercise : Exercise or None
        Exercise, required for a run and optional for a change.
    marked : tuple of str
        Parts of the page to mark (`components.learn.reading`).
    line : int
        Line of the heading in the file.
    """

    kind: str
    title: str
    text: str
    outcome: str
    answers: tuple[Answer, ...]
    exercise: Exercise | None
    marked: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    id : str
        File name without the suffix.
    title : str
    minutes : int
        Approximate duration in minutes.
    afterwards : str
        Skill that the reader gains.
    algorithms : tuple of str
        Names of the algorithms covered, at least one.
    steps : tuple of Step
        Steps, beginning with a question and ending with a check.
    language : str
        Language of the lesson; empty if unknown.
    """

    id: str
    title: str
    minutes: int
    afterwards: str
    algorithms: tuple[str, ...]
    steps: tuple[Step, ...]
    language: str = ""

    def pages(self) -> list[str]:
        """Return each step's page, ``watch`` or ``race``: that of the last run so far, or else of the next run."""
        own = [step.exercise.page if step.exercise and step.exercise.page != "study" else "" for step in self.steps]
        page = next(filter(None, own))
        return [page := each or page for each in own]
