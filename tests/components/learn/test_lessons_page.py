"""The lessons page and its scripts' data: cards, texts as HTML, addresses, and no HTML from users."""

import json
import re
import sys
from types import SimpleNamespace

import dash
import fastapi
import pytest
from fastapi.testclient import TestClient

from components.learn import ids, page, reading
from components.learn.collection import ORDER, Lessons
from components.learn.page import bundled_lessons, own_lessons
from components.learn.routes import add_learn_routes
from components.learn.view import lesson_to_json, make_step_address
from components.shell.assets import FOLDER
from components.watch import guide
from runs.computing.computations import Computations
from runs.visitors import HOST, Visitor, act_as
from solvers.spec import RunSpec
from solvers.worker.process import spawn
from tests.components.dangling import dangling_ids
from tests.components.learn.test_lessons_format import WHOLE

STATUS = {"devices": None, "spare": False, "runs": []}


class Service:
    """A run service that reports its status."""

    def status(self):
        return STATUS


@pytest.fixture
def lessons(tmp_path):
    return Lessons(tmp_path)


def elements(component) -> list:
    return [component, *component._traverse()]


def cards(layout) -> list:
    return [
        each for each in elements(layout) if getattr(each, "className", "") in ("lesson-card", "lesson-card faulty")
    ]


def test_the_page_has_a_card_for_each_lesson_and_each_fault(lessons):
    (lessons.own_folder / "good.md").write_text(WHOLE)
    (lessons.own_folder / "bad.md").write_text("# Nothing")
    with act_as(HOST):
        found = cards(page.layout(STATUS, lessons, "/below/"))
    assert len(found) == len(ORDER) + 2
    links = [each.href for card in found for each in elements(card) if getattr(each, "className", "") == "lesson-start"]
    assert links[0] == "/below/#lesson=first-minute&step=1"
    assert links[10] == "/below/race/#lesson=honest-race&step=1"
    assert links[11] == "/below/#lesson=good&step=1"
    assert "Line 1: " in str(found[11])


def test_callbacks_name_elements_of_the_layout(lessons):
    app = dash.Dash("learn", server=fastapi.FastAPI(), url_base_pathname="/below/learn/")
    page.build(app, Service(), lessons, "/below/")
    assert dangling_ids(app, app.layout()) == set()
    assert {ids.LIST, ids.SHEET} <= {getattr(each, "id", None) for each in elements(app.layout())}


def test_lesson_is_json_whose_runs_fill_the_form(lessons):
    lesson = lessons.find("two-opt-stuck")
    data = lesson_to_json(lesson, lessons.find_next(lesson.id), "/below/")
    json.dumps(data, allow_nan=False)
    run = data["steps"][1]["run"]
    assert run["path"] == "/below/"
    assert RunSpec.from_query(run["query"]) == lesson.steps[1].exercise.spec
    assert "8\u202f101" in data["steps"][2]["html"]
    assert [step["map"] for step in data["steps"]] == [{"name": "berlin52"}, None, None, None, None]
    assert data["next"]["address"] == make_step_address(lessons.find(ORDER[2]), "/below/")
    assert sum(answer["right"] for answer in data["steps"][0]["answers"]) == 1


def test_untrusted_html_is_text(lessons):
    hostile = "<script>alert(1)</script> <img src=x onerror=alert(1)> [link](javascript:alert(1))"
    written = WHOLE.replace("Press it.", hostile).replace("Yes.", hostile).replace("- [ ] two", f"- [ ] {hostile}")
    (lessons.own_folder / "hostile.md").write_text(written)
    answer = json.dumps(lesson_to_json(lessons.find("hostile"), None, "/"))
    assert answer.count("&lt;script&gt;") == 3
    assert not re.search(r"<script|<img|href=.{0,3}javascript", answer)


def test_route_answers_a_lesson_or_404(lessons):
    app, made = (
        fastapi.FastAPI(),
        Computations(lessons.own_folder, lambda module: spawn([sys.executable, "-m", module])),
    )
    add_learn_routes(app, lessons, SimpleNamespace(computations=made), "/below/")
    client = TestClient(app)
    assert client.get("/below/learn/lessons/first-minute").json()["title"] == "Your first minute"
    for name in ("none", "First-Minute"):
        assert client.get(f"/below/learn/lessons/{name}").status_code == 400
    made.close()


def test_only_the_host_saves_a_file_as_a_lesson(lessons, monkeypatch):
    app = fastapi.FastAPI()
    add_learn_routes(app, lessons, None, "/below/")
    client = TestClient(app)

    def send(host: bool, content: str):
        monkeypatch.setattr("components.learn.routes.current_visitor", lambda: Visitor("abc", host=host))
        return client.post("/below/learn/lessons/Mine.md", content=content)

    assert (send(False, WHOLE).status_code, lessons.own_lessons()) == (403, [])
    refused = send(True, "# Nothing")
    assert (refused.status_code, refused.json()["sentence"][:8]) == (400, "Line 1: ")
    assert send(True, WHOLE).json() == {"id": "mine"}
    assert lessons.find("mine").title == "A title"


def test_scripts_find_each_part_that_a_lesson_can_mark():
    source = (FOLDER / "lesson" / "marks.js").read_text()
    parts = {}
    for name in reading.PARTS:
        block = re.search(rf"^  {name}: \{{\n(.*?)^  \}}", source, re.MULTILINE | re.DOTALL)[1]
        parts[name] = tuple(re.findall(r"^    (\w+):", block, re.MULTILINE))
    assert parts == dict(reading.PARTS)


def test_visitors_see_the_servers_lessons_without_folder_and_faults(tmp_path):
    own = tmp_path / "lessons"
    own.mkdir()
    (own / "draft.md").write_text("nothing yet")
    lessons = Lessons(own)
    with act_as(Visitor("abc", host=False)):
        assert own_lessons(lessons, "/") == []
        assert "class.md" not in str(bundled_lessons(lessons, "/"))
    with act_as(Visitor("abc", host=True)):
        assert "/docs/class.md" in str(bundled_lessons(lessons, "/"))
        assert "/class/" in str(bundled_lessons(lessons, "/")), "the server is shared already"
        assert "--share" not in str(bundled_lessons(lessons, "/"))
        told = str(own_lessons(lessons, "/"))
    with act_as(HOST):
        assert "tourscope --share" in str(bundled_lessons(lessons, "/"))
    assert "draft.md" in told
    assert str(own) in told


def test_every_bundled_lesson_has_a_picture_and_no_picture_lacks_its_lesson():
    assert {path.stem for path in (FOLDER / "learn" / "pictures").iterdir()} == set(ORDER)


def test_guide_of_the_first_minute_leads_to_the_first_lesson(lessons):
    first = make_step_address(lessons.find(ORDER[0]), "")
    assert f"href='{first}'" in str(guide.panel())
