"""A question to the class: only the host asks, each visitor counts once, and nobody sees answers before the reveal."""

import asyncio
import json

import pytest
from starlette.testclient import TestClient

from components.classroom.routes import MAX_QUESTION_BYTES
from components.shell.paths import CLASS
from runs import question as questions
from runs.lecture import Lecture
from runs.visitors import Visitor
from runs.web.guard import Guard, GuardConfig
from tests.components.classroom.conftest import HOST, JOIN
from tests.components.classroom.pages import Page, with_pages
from tests.runs.served import BASE, serving

ASK, MOVE_ON, ANSWER = (f"{BASE}{CLASS}{what}" for what in ("ask", "question", "answer"))
CLOSED = {"sentence": "The question is closed: answers no longer count."}
INVALID = {"sentence": "The server does not understand this request."}
MARKS = {"run": "abcdefghijkl", "climb": 0, "position": 3, "cities": [[1, 2, 3, 4], [5, 6, 7, 8], [9]]}
QUESTION = {
    "id": "abcdefgh1234",
    "text": "Which?",
    "answers": ["A", "B", "C"],
    "right": 1,
    "marks": MARKS,
    "source": "{}",
}
ANNE, BERT, LECTURER = Visitor("anne"), Visitor("bert"), Visitor("lecturer", host=True)


@pytest.fixture
def run_service(run_service):
    yield run_service
    if seen := read_view(run_service):
        run_service.lecture.question.drop(seen.question.id)


def read_view(run_service, who: Visitor = LECTURER):
    return run_service.lecture.question.view_for(who)


def answer(client: TestClient, chosen: int, question: str = QUESTION["id"]) -> int:
    return client.post(ANSWER, json={"id": question, "answer": chosen}).status_code


def move_on(client: TestClient, phase: str):
    return client.post(MOVE_ON, json={"id": QUESTION["id"], "phase": phase})


def test_each_visitor_counts_once_and_a_new_answer_replaces_the_old(browser, run_service):
    host, anne, bert, late = browser(HOST), browser(JOIN), browser(JOIN), browser(JOIN)
    assert host.post(ASK, json=QUESTION).status_code == 200
    assert [answer(anne, 0), answer(bert, 1), answer(anne, 2), answer(anne, 2)] == [200] * 4
    assert read_view(run_service).counts == (0, 1, 1)
    assert answer(late, 1) == 200
    assert move_on(host, "closed").status_code == 200
    refused = anne.post(ANSWER, json={"id": QUESTION["id"], "answer": 1})
    assert (refused.status_code, refused.json()) == (409, CLOSED)
    assert move_on(host, "open").status_code == 200
    assert answer(anne, 1) == 200
    assert read_view(run_service).counts == (0, 3, 0)
    assert move_on(host, "revealed").status_code == 200
    assert [answer(bert, 0), move_on(host, "open").status_code] == [409, 409]
    assert read_view(run_service).counts == (0, 3, 0)
    assert move_on(host, "over").status_code == 200
    assert read_view(run_service) is None
    assert answer(anne, 1) == 409


def test_new_question_starts_without_answers(browser, run_service):
    host, anne = browser(HOST), browser(JOIN)
    host.post(ASK, json=QUESTION)
    answer(anne, 1)
    host.post(ASK, json=QUESTION | {"id": "another-question"})
    assert answer(anne, 1) == 409
    assert move_on(host, "over").status_code == 409  # a page of the host that knows only the earlier one
    assert read_view(run_service).counts == (0, 0, 0)


def test_only_the_host_asks_and_advances_and_only_visitors_answer(browser, run_service):
    host, anne, stranger = browser(HOST), browser(JOIN), browser("no code")
    for client in (anne, stranger):
        assert client.post(ASK, json=QUESTION).status_code == 403
    host.post(ASK, json=QUESTION)
    for client in (anne, stranger):
        assert {move_on(client, phase).status_code for phase in (*questions.PHASES, "over")} == {403}
    assert [answer(host, 1), answer(stranger, 1)] == [403, 403]
    assert read_view(run_service).counts == (0, 0, 0)


def test_unshared_server_has_no_questions(tmp_path, monkeypatch):
    with serving(tmp_path, monkeypatch) as alone:
        client = TestClient(Guard(alone.server, "127.0.0.1", None, GuardConfig()), base_url="http://127.0.0.1:8050")
        paths = (ASK, MOVE_ON, f"{BASE}{CLASS}unname")
        assert [client.post(path, json=QUESTION).status_code for path in paths] == [404] * 3
        assert not (tmp_path / "question.sqlite").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"id": "short"}, {"id": 5}, {"text": " "}, {"text": "q" * 3001}, {"text": None}, {"answers": ["A"]},
        {"answers": ["A"] * 9}, {"answers": ["A", " "]}, {"answers": ["A", 5]}, {"answers": "AB"}, {"right": 3},
        {"right": -1}, {"right": True}, {"right": "1"}, {"more": 1}, {"marks": 5}, {"marks": {}},
        {"marks": MARKS | {"run": "a b"}}, {"marks": MARKS | {"climb": -1}}, {"marks": MARKS | {"position": True}},
        {"marks": MARKS | {"cities": [[1]]}}, {"marks": MARKS | {"cities": [[1], [2], []]}},
        {"marks": MARKS | {"cities": [[1], [2], ["3"]]}}, {"marks": MARKS | {"cities": [[1], [2], [*range(9)]]}},
        {"source": None}, {"source": "s" * 3001},
    ],
)  # fmt: skip
def test_malformed_question_is_refused(browser, run_service, change):
    refused = browser(HOST).post(ASK, json=QUESTION | change)
    assert (refused.status_code, refused.json()) == (400, INVALID)
    assert read_view(run_service) is None


def test_bodies_that_no_page_sends_are_refused(browser, run_service):
    host, anne = browser(HOST), browser(JOIN)
    whole = json.dumps(QUESTION)
    assert host.post(ASK, content=whole.ljust(MAX_QUESTION_BYTES)).status_code == 200
    assert host.post(ASK, content=whole.ljust(MAX_QUESTION_BYTES + 1)).status_code == 400
    for chosen in (3, -1, True, "1", 1.0, None, 10**400):
        body = json.dumps({"id": QUESTION["id"], "answer": chosen})
        assert anne.post(ANSWER, content=body).status_code == 400
    for body in ({"id": QUESTION["id"]}, [], 5, {"id": QUESTION["id"], "phase": "gone"}):
        assert [client.post(path, json=body).status_code for client, path in ((host, MOVE_ON), (anne, ANSWER))] == [
            400, 400,
        ]  # fmt: skip
    assert read_view(run_service).counts == (0, 0, 0)


def test_answers_are_limited_to_those_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "MAX_ANSWERS", 2)
    asked = Lecture(tmp_path / "question.sqlite", lambda: None).question
    asked.ask(questions.parse_question(QUESTION))
    for visitor in ("anne", "bert"):
        asked.answer(QUESTION["id"], visitor, 0)
    with pytest.raises(questions.QuestionClosed):
        asked.answer(QUESTION["id"], "carl", 0)
    asked.answer(QUESTION["id"], "anne", 1)
    assert asked.view_for(LECTURER).counts == (1, 1, 0)
    asked.close()


def test_restarted_server_keeps_the_question_and_answers_for_a_day(tmp_path, monkeypatch):
    path = tmp_path / "question.sqlite"
    before = Lecture(path, lambda: None).question
    before.ask(questions.parse_question(QUESTION))
    before.answer(QUESTION["id"], "anne", 2)
    before.answer(QUESTION["id"], "anne", 1)
    before.answer(QUESTION["id"], "bert", 0)
    before.move_on(QUESTION["id"], "closed")
    views = [before.view_for(who) for who in (ANNE, BERT, LECTURER)]
    before.close()
    again = Lecture(path, lambda: None).question
    assert [again.view_for(who) for who in (ANNE, BERT, LECTURER)] == views
    assert (views[0].own, views[2].counts, views[2].phase) == (1, (1, 1, 0), "closed")
    again.close()
    later = questions.time.time() + 90_000
    monkeypatch.setattr(questions.time, "time", lambda: later)
    last = Lecture(path, lambda: None).question
    assert last.view_for(LECTURER) is None
    last.close()


def test_file_of_another_form_is_moved_aside(tmp_path):
    path = tmp_path / "question.sqlite"
    asked = Lecture(path, lambda: None).question
    asked.ask(questions.parse_question(QUESTION))
    asked._file.execute("UPDATE question SET contents = ?", ("{}",))
    asked._file.commit()
    asked.close()
    again = Lecture(path, lambda: None).question
    assert again.view_for(LECTURER) is None
    again.close()
    assert len(list(tmp_path.glob("question.damaged-*.sqlite"))) == 1


def test_pages_get_the_question_and_only_the_host_gets_answers_before_the_reveal(run_service):
    asked = run_service.lecture.question

    async def scenario(anne, bert, host):
        for page in (anne, bert, host):
            await page.hears(question=None)
        asked.ask(questions.parse_question(QUESTION))
        hidden = {"counts": None, "right": None, "own": None, "phase": "open"}
        for page in (anne, bert):
            told = (await page.hears())["question"]
            assert told == {**QUESTION, **hidden}
        assert (await host.hears(host=True))["question"] == {**QUESTION, **hidden, "counts": [0, 0, 0], "right": 1}
        asked.answer(QUESTION["id"], ANNE.id, 2)
        assert (await host.hears())["question"]["counts"] == [0, 0, 1]
        asked.move_on(QUESTION["id"], "revealed")
        for page, own in ((anne, 2), (bert, None)):
            told = (await page.hears())["question"]
            assert (told["own"], told["counts"], told["right"]) == (own, [0, 0, 1], 1)

    pages = (ANNE, Page(kind="class")), (BERT, Page(kind="class")), (LECTURER, Page(kind="class"))
    with_pages(run_service, *pages)(scenario)


def test_latecomer_gets_the_question_and_their_own_answer(run_service):
    run_service.lecture.question.ask(questions.parse_question(QUESTION))
    run_service.lecture.question.answer(QUESTION["id"], ANNE.id, 2)

    async def scenario(anne, bert, host):
        assert [(await page.hears())["question"]["own"] for page in (anne, bert)] == [2, None]
        assert (await host.hears())["question"]["counts"] == [0, 0, 1]
        await asyncio.sleep(0)
        assert anne.told.empty()

    pages = (ANNE, Page(kind="class")), (BERT, Page(kind="class")), (LECTURER, Page(kind="class"))
    with_pages(run_service, *pages)(scenario)
