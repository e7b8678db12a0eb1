"""Lessons as JSON for the panel in `assets/lesson/` and the worksheet in `assets/learn/`."""

from html import escape
from urllib.parse import urlencode

from components.learn.exercise import Exercise
from components.learn.lesson import Answer, Lesson, Step
from components.shell.facts import thin_commas
from components.shell.markdown import render
from components.shell.numbers import THIN
from components.shell.paths import PAGES
from components.shell.texts import learn as text
from components.types import JsonObject
from runs.language import current_language
from studies.spec.spec import StudySpec


def lesson_to_json(lesson: Lesson, after: Lesson | None, base_path: str) -> JsonObject:
    """Convert a lesson to JSON, with its texts as HTML.

    Parameters
    ----------
    lesson : Lesson
    after : Lesson or None
        The next lesson, if there is one.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    pages = lesson.pages()
    parts = zip(lesson.steps, pages, _list_maps(lesson), strict=True)
    steps = [_step(step, page, base_path) | {"map": instance} for step, page, instance in parts]
    if lesson.language not in ("", current_language()):
        steps[0]["html"] = f"<p><em>{escape(text('only-english'))}</em></p>{steps[0]['html']}"
    return {
        "id": lesson.id,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "afterwards": lesson.afterwards,
        "steps": steps,
        "all": f"{base_path}{PAGES['learn']}",
        "next": {"title": after.title, "address": make_step_address(after, base_path)} if after else None,
    }


def make_step_address(lesson: Lesson, base_path: str, step: int = 1) -> str:
    """Return the address of a lesson's step, counted from 1."""
    place = urlencode({"lesson": lesson.id, "step": step})
    return f"{base_path}{PAGES[lesson.pages()[step - 1]]}#{place}"


def _list_maps(lesson: Lesson) -> list[JsonObject | None]:
    """Return the instance that each worksheet step shows; each is shown once, the first beside the question."""
    maps: list[JsonObject | None] = [None] * len(lesson.steps)
    for k, step in enumerate(lesson.steps):
        if step.exercise and not isinstance(step.exercise.spec, StudySpec) and step.exercise.spec.instance not in maps:
            maps[k if any(maps) else 0] = step.exercise.spec.instance
    return maps


def _step(step: Step, page: str, base_path: str) -> JsonObject:
    return {
        "kind": step.kind,
        "label": text(f"kind.{step.kind}"),
        "title": step.title,
        "html": _render_html(step.text, base_path),
        "outcome": _render_html(step.outcome, base_path),
        "page": page,
        "path": base_path + PAGES[page],
        "answers": [_answer(answer, base_path) for answer in step.answers],
        "run": _run(step.exercise, base_path) if step.exercise else None,
        "marked": list(step.marked),
    }


def _answer(answer: Answer, base_path: str) -> JsonObject:
    html, feedback = (_render_html(source, base_path) for source in (answer.text, answer.feedback))
    return {"html": html, "right": answer.right, "feedback": feedback}


def _run(exercise: Exercise, base_path: str) -> dict[str, str]:
    return {"page": exercise.page, "path": base_path + PAGES[exercise.page], "query": exercise.query}


def _render_html(source: str, base_path: str) -> str:
    """Render a lesson's text as HTML, with numbers in the page's style."""
    return render(thin_commas(source).replace(" %", f"{THIN}%"), base_path, "lessons").html
