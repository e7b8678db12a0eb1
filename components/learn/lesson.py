"""The lesson: steps, each with a text and, depending on its kind, answers to choose from or an exercise to run."""

from dataclasses import dataclass

from components.learn.exercise import Exercise

#: The kinds of steps; a step's heading begins with its kind, with a capital.
KINDS = ("question", "run", "look", "change", "check")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to choose.

    Attributes
    ----------
    text : str
        In Markdown.
    right : bool
    feedback : str
        What is said to somebody who chose it, in Markdown; may be empty after a question.
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
        In Markdown.
    outcome : str
        What a run or a change brings about, in Markdown: shown to a reader who asks for it; may be empty.
    answers : tuple of Answer
        Of a question and of a check, else empty.
    exercise : Exercise or None
        Of a run always, of a change sometimes.
    marked : tuple of str
        Parts of the page that are marked (`components.learn.marks`).
    line : int
        The line of its heading in the file.
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
        The name of its file, without the ending.
    title : str
    minutes : int
        About how long it takes.
    afterwards : str
        What one can do then.
    algorithms : tuple of str
        Names of the algorithms that it is about; at least one.
    steps : tuple of Step
        The first is a question, the last a check.
    language : str
        That in which it is written; empty where that is not known.
    """

    id: str
    title: str
    minutes: int
    afterwards: str
    algorithms: tuple[str, ...]
    steps: tuple[Step, ...]
    language: str = ""

    def pages(self) -> list[str]:
        """The page, ``watch`` or ``race``, on which each step is shown: that of the last run, at first of the next."""
        own = [step.exercise.page if step.exercise and step.exercise.page != "study" else "" for step in self.steps]
        page = next(filter(None, own))
        return [page := each or page for each in own]
