"""The format of lessons: a lesson has exactly its file's contents, and each fault gives a sentence with its line."""

from pathlib import Path

import pytest

from components.learn import reading
from components.learn.collection import ORDER, Faulty, Lessons, NoSuchLesson, RefusedLesson
from components.learn.lesson import Lesson
from components.learn.reading import MAX_TEXT, InvalidLesson, parse_lesson
from tests.tables import each_row

RUN = "```run\n?v=2&instance=berlin52&algorithm=two-opt&climbers=10&seed=3&device=cpu&budget.seconds=10\n```"
WHOLE = f"""# A title
minutes: 5
algorithms: two-opt, ant-system
afterwards: You can do it.

## Question: What?
Text, and
more.

- [ ] no
- [x] yes
  and on
  > Feedback of
  > two lines

## Run: This
{RUN}
Press it.

## Look: There
mark: table, climbers
```
## Run: within a fence this is no heading
- [x] nor is this an answer
---
```

## Change: That
Do it.

---

It came out.

## Check: Well?
- [x] one
  > Yes.
- [ ] two
  > No.
"""


def find_line(text: str, after: str = "") -> int:
    """The number of the first line with this text after another line."""
    at = WHOLE.index(text, WHOLE.index(after))
    return WHOLE.count("\n", 0, at) + 1


def read_refusal(written: str) -> str:
    with pytest.raises(InvalidLesson) as answer:
        parse_lesson("mine", written)
    return str(answer.value)


def test_file_is_parsed_correctly():
    lesson = parse_lesson("mine", WHOLE)
    assert (lesson.id, lesson.title, lesson.minutes) == ("mine", "A title", 5)
    assert lesson.algorithms == ("two-opt", "ant-system")
    assert lesson.afterwards == "You can do it."
    assert [step.kind for step in lesson.steps] == ["question", "run", "look", "change", "check"]
    question, run, look, change, check = lesson.steps
    assert question.text == "Text, and\nmore."
    assert [(answer.text, answer.right, answer.feedback) for answer in question.answers] == [
        ("no", False, ""),
        ("yes and on", True, "Feedback of\ntwo lines"),
    ]
    assert run.exercise.page == "watch"
    assert run.exercise.spec.seed == 3
    assert run.text == "Press it."
    assert look.marked == ("table", "climbers")
    assert "no heading" in look.text
    assert "nor is this an answer" in look.text
    assert (change.text, change.outcome) == ("Do it.", "It came out.")
    assert [answer.feedback for answer in check.answers] == ["Yes.", "No."]
    assert lesson.pages() == ["watch"] * 5


@each_row(
    ("was", "becomes", "line", "says"),
    [
        ("# A title", "A title", 1, "title"),
        ("minutes: 5", "minutes: soon", 2, "1 to 99"),
        ("minutes: 5\n", "", 1, "minutes"),
        ("minutes: 5", "minutes: 5\nversion: 2", 3, "from a newer release"),
        ("minutes: 5", "minutes: 5\nversion: new", 3, "whole number"),
        ("afterwards:", "thereafter:", 4, "afterwards"),
        ("two-opt, ant-system", "two-opt, ants", 3, "ants"),
        ("## Look: There", "## Show: There", find_line("## Look"), "Question, Run, Look"),
        ("## Look: There", "## Look", find_line("## Look"), "a title"),
        ("mark: table, climbers", "mark: tabel", find_line("mark:"), "table"),
        ("algorithm=two-opt", "algorithm=twoopt", find_line("```run"), "two-opt"),
        ("berlin52", "berlin53", find_line("```run"), "berlin52"),
        ("budget.seconds=10", "budget.iterations=10", find_line("```run"), "seconds"),
        ("?v=2&instance", "?v=2&place", find_line("```run"), "instance"),
        ("climbers=10", "climbers=0", find_line("```run"), "climbers"),
        (RUN, "", find_line("## Run"), "exactly one"),
        ("Press it.", RUN, find_line("## Run"), "exactly one"),
        ("Do it.", "```run", find_line("Do it."), "never closed"),
        ("- [x] yes", "- [ ] yes", find_line("## Question"), "Exactly one"),
        ("- [ ] no\n", "", find_line("## Question"), "2 to 8"),
        ("  > No.\n", "", find_line("## Check"), "feedback"),
        ("- [ ] two", "- [ ] ", find_line("- [ ] two"), "no text"),
        ("It came out.", "- [ ] what", find_line("## Change"), "Only a Question"),
        ("## Question: What?", "## Check: What?", find_line("## Question"), "feedback"),
    ],
)
def test_fault_is_reported_with_its_line(was, becomes, line, says):
    assert was in WHOLE
    sentence = read_refusal(WHOLE.replace(was, becomes, 1))
    assert sentence.startswith(f"Line {line}: ")
    assert says in sentence


def test_file_may_give_its_version():
    assert parse_lesson("mine", WHOLE.replace("minutes: 5", "version: 1\nminutes: 5")) == parse_lesson(
        "mine", WHOLE.replace("minutes: 5", "minutes: 5\n")
    )


def test_order_of_steps_is_enforced():
    head, question, run, *middle, check = WHOLE.split("\n## ")
    assert "first step" in read_refusal("\n## ".join([head, run, question, check]))
    assert "last step" in read_refusal("\n## ".join([head, question, run, *middle]))
    assert "a run or a race" in read_refusal("\n## ".join([head, question, check]))
    assert "no steps" in read_refusal(head)
    assert "at most 24" in read_refusal("\n## ".join([head, question, *[run] * 24, check]))
    assert "characters" in read_refusal(WHOLE + "x" * MAX_TEXT)


def test_exercise_can_be_json_and_may_be_a_race_or_a_study():
    run = '{"v": 2, "instance": {"name": "berlin52"}, "stages": [{"algorithm": "greedy"}], "budget": {"seconds": 1}}'
    race = run.replace('"stages": [{"algorithm": "greedy"}]', '"lanes": [{"stages": [{"algorithm": "greedy"}]}, LANE]')
    race = race.replace("LANE", '{"stages": [{"algorithm": "random"}]}')
    study = (
        '{"v": 2, "instances": [{"name": "berlin52"}], '
        '"entries": [{"label": "a", "stages": [{"algorithm": "greedy"}]}], "budget": {"seconds": 1}}'
    )
    unmarked = WHOLE.replace("mark: table, climbers\n", "")
    steps = f"## Run: a race\n```run\n{race}\n```\n\n## Run: a study\n```run\n{study}\n```\n\n## Check: Well?"
    lesson = parse_lesson("mine", unmarked.replace(RUN, f"```run\n{run}\n```").replace("## Check: Well?", steps))
    found = [step.exercise.page for step in lesson.steps if step.exercise]
    assert found == ["watch", "race", "study"]
    assert lesson.pages() == ["watch"] * 4 + ["race"] * 3
    queries = [step.exercise.query.partition("=")[0] for step in lesson.steps if step.exercise]
    assert queries == ["?v", "?race", "?study"]


def test_watch_form_accepts_one_algorithm_of_its_menu():
    two = RUN.replace("algorithm=two-opt&climbers=10", 'stages=[{"algorithm":"greedy"},{"algorithm":"two-opt"}]')
    assert "one algorithm" in read_refusal(WHOLE.replace(RUN, two))


def test_only_parts_of_a_steps_page_can_be_marked():
    exercises = [step.exercise for step in parse_lesson("mine", WHOLE).steps]
    assert "climbers" in reading.allowed_marks("watch", exercises)
    assert "lanes" not in reading.allowed_marks("watch", exercises)
    assert "climbers" not in reading.allowed_marks("race", exercises)


def test_own_lessons_are_listed_with_their_faults(tmp_path):
    folder = tmp_path / "lessons"
    lessons = Lessons(folder)
    assert lessons.own_lessons() == []
    folder.mkdir()
    (folder / "good.md").write_text(WHOLE)
    (folder / "bad.md").write_text(WHOLE.replace("## Look", "## Show"))
    (folder / "No Name.md").write_text(WHOLE)
    (folder / f"{ORDER[0]}.md").write_text(WHOLE)
    (folder / "latin.md").write_bytes(WHOLE.replace("A title", "Ein Gruß").encode("latin-1"))
    (folder / "large.md").write_bytes(b"# x\n" * 2**20)
    (folder / "notes.txt").write_text("no lesson")
    (folder / "folder.md").mkdir()
    own = {each.id if isinstance(each, Lesson) else each.file: each for each in lessons.own_lessons()}
    assert set(own) == {"good", "bad.md", "No Name.md", f"{ORDER[0]}.md", "latin.md", "large.md"}
    faults = {name: each.sentence for name, each in own.items() if isinstance(each, Faulty)}
    assert faults["bad.md"].startswith(f"Line {find_line('## Look')}: ")
    assert faults["latin.md"].startswith("Line 1: ")
    assert "letters" in faults["No Name.md"]
    assert "rename" in faults[f"{ORDER[0]}.md"]
    assert "characters" in faults["large.md"]
    assert lessons.find("good").title == "A title"
    with pytest.raises(NoSuchLesson):
        lessons.find("bad")


def test_first_of_two_faults_is_reported():
    assert read_refusal(WHOLE.replace("minutes: 5", "minutes: soon").replace("## Look", "## Show")).startswith(
        "Line 2: "
    )


def test_dropped_file_becomes_or_replaces_a_lesson_or_is_refused(tmp_path):
    lessons = Lessons(tmp_path / "lessons")
    assert lessons.save("My Lesson_2.md", WHOLE.encode()) == "my-lesson-2"
    assert lessons.save("my-lesson-2.md", WHOLE.replace("A title", "Another one").encode()) == "my-lesson-2"
    assert [each.title for each in lessons.own_lessons()] == ["Another one"]
    faults = {
        "faulty.md": (WHOLE.replace("## Look", "## Show").encode(), f"Line {find_line('## Look')}: "),
        f"{ORDER[0]}.md": (WHOLE.encode(), "rename"),
        "...md": (WHOLE.encode(), "letters"),
        "latin.md": (WHOLE.replace("A title", "Ein Gruß").encode("latin-1"), "UTF-8"),
        "large.md": (b"# x\n" * 2**20, "characters"),
    }
    for name, (content, says) in faults.items():
        with pytest.raises(RefusedLesson, match=says):
            lessons.save(name, content)
    assert len([*lessons.own_folder.iterdir()]) == 1


def test_changed_file_is_read_again(tmp_path):
    path = tmp_path / "good.md"
    path.write_text(WHOLE)
    lessons = Lessons(tmp_path)
    assert lessons.find("good").title == "A title"
    path.write_text(WHOLE.replace("A title", "Another one"))
    assert lessons.find("good").title == "Another one"


def test_bundled_lessons_follow_each_other(tmp_path):
    lessons = Lessons(tmp_path)
    assert lessons.find_next(ORDER[0]).id == ORDER[1]
    assert lessons.find_next(ORDER[-1]) is None
    assert lessons.find_next("another") is None


def test_example_in_the_documents_is_a_lesson():
    document = (Path(__file__).resolve().parents[3] / "docs" / "lessons.md").read_text("utf-8")
    example = document.partition("````\n")[2].partition("````\n")[0]
    assert parse_lesson("example", example).title == "Does the start matter?"
