"""Our lessons: each is valid, and its runs on this machine's cores give the numbers in its text."""

import re

import pytest

from components.learn.collection import FOLDER, ORDER, Lessons
from tests.components.learn.claims import CLAIMS
from tests.shortened import shorten

#: Digits that claim nothing: names of algorithms and instances, and what a heading of a block holds.
NAMES = re.compile(r"\d-opt|kroA\d+|berlin52|gr\d+")
#: Lessons whose runs take seconds.
LONG_RUNS = ("climbers-and-accuracy", "cooling", "stagnation", "honest-race", "two-opt-stuck", "pheromone")
_NUMBER = re.compile(r"\d")


def lesson_text(name: str) -> str:
    """The visible text of a lesson: without header, runs and Markdown marks, with single spaces."""
    written = (FOLDER / f"{name}.md").read_text("utf-8").partition("\n## ")[2]
    return " ".join(re.sub(r"```run\n.*?```", " ", written, flags=re.DOTALL).split())


def test_folder_has_the_listed_lessons_without_faults(tmp_path):
    assert {path.stem for path in FOLDER.glob("*.md")} == set(ORDER)
    assert [lesson.id for lesson in Lessons(tmp_path).bundled_lessons()] == list(ORDER)
    assert set(CLAIMS) == set(ORDER)


@pytest.mark.slow
@pytest.mark.parametrize("name", shorten(ORDER, lambda name: name not in LONG_RUNS))
def test_every_number_in_a_lesson_is_true(name):
    text = lesson_text(name)
    phrases = CLAIMS[name]()
    missing = [phrase for phrase in phrases if phrase not in text]
    assert not missing, missing
    for phrase in sorted(phrases, key=len, reverse=True):
        text = text.replace(phrase, "\N{FULL BLOCK}")
    left = NAMES.sub("", text)
    unproven = [left[max(0, at.start() - 40) : at.start() + 20] for at in _NUMBER.finditer(left)]
    assert not unproven, unproven
