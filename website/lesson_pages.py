"""Lessons as pages to read: questions and explanations, with folded answers."""

from textwrap import indent

from components.learn.collection import FOLDER, ORDER
from components.learn.lesson import Lesson, Step
from components.learn.reading import parse_lesson
from solvers import find

_ASKS = ("question", "check")


def load_lessons() -> list[Lesson]:
    """The lessons in order."""
    return [parse_lesson(name, (FOLDER / f"{name}.md").read_text("utf-8")) for name in ORDER]


def format_lesson(lesson: Lesson) -> str:
    """Format a lesson in Markdown for the site."""
    about = ", ".join(find(name).title for name in lesson.algorithms)
    head = (
        f"# {lesson.title}\n\n*About {lesson.minutes} minutes, with {about}.* {lesson.afterwards}\n\n"
        "This is a lesson of **Learn**: there, a press of a button runs what is said here, beside the text."
    )
    return "\n\n".join([head, *map(_format_step, lesson.steps)]) + "\n"


def _format_step(step: Step) -> str:
    parts = [f"## {step.title}", step.text]
    if step.exercise:
        page = "" if step.exercise.page == "watch" else f"{step.exercise.page}/"
        parts.append(f"```\nhttp://127.0.0.1:8050/{page}{step.exercise.query}\n```")
    if step.outcome:
        parts.append(_fold("What comes out", step.outcome))
    if step.kind in _ASKS:
        parts.append("\n".join(f"- {answer.text}" for answer in step.answers))
        parts.append(_fold("The answer", _format_solution(step)))
    return "\n\n".join(filter(None, parts))


def _format_solution(step: Step) -> str:
    right = next(answer for answer in step.answers if answer.right)
    return f"{right.text}\n\n{right.feedback}".strip()


def _fold(title: str, text: str) -> str:
    return f'??? note "{title}"\n\n{indent(text, "    ")}'
