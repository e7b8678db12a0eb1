"""Leading a class: only the host can lead, to positions in existing runs; viewers receive the newest one."""

import asyncio
import json
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from components.classroom.routes import MAX_BYTES, list_views
from components.shell import facts
from components.shell.paths import CLASS
from runs.lecture import Place
from runs.stream import session
from runs.visitors import Visitor
from runs.web.guard import Guard, GuardConfig
from solvers import SOLVERS
from tests.components.classroom.conftest import HOST, JOIN
from tests.components.classroom.pages import Page, with_pages
from tests.runs.served import BASE, serving

LEAD, STOP = (f"{BASE}{CLASS}{what}" for what in ("lead", "stop"))
INVALID = {"sentence": "The server does not understand this request."}
ANNE, LECTURER = Visitor("anne"), Visitor("lecturer", host=True)


@pytest.fixture
def place(served):
    known = {"page": "watch", "query": "", "run": served.run, "view": "tour"}
    return {"lecture": "abcdefgh1234", **known, "climb": 2, "position": 7, "live": False}


@contextmanager
def lead_to(run_service, place):
    """A lecture at a certain position."""
    run_service.lecture.lead(Place(**place))
    yield
    run_service.lecture.stop()


def test_host_leads_and_stops(browser, run_service, place):
    host = browser(HOST)
    assert host.post(LEAD, json=place).status_code == 200
    assert run_service.lecture.newest.values() == place
    assert host.post(LEAD, json=place | {"view": "pheromone", "position": 0, "live": True}).status_code == 200
    assert (run_service.lecture.newest.view, run_service.lecture.newest.live) == ("pheromone", True)
    assert host.post(STOP).status_code == 200
    assert run_service.lecture.newest is None


@pytest.mark.parametrize("page", ["race", "study", "library", "papers", "learn"])
def test_the_host_leads_from_page_to_page(browser, run_service, place, page):
    visible = place | {"page": page, "query": "id=abc&tag=a%20b", "run": ""}
    assert browser(HOST).post(LEAD, json=visible).status_code == 200
    assert run_service.lecture.newest.values() == visible
    run_service.notify_deletion()  # no run is shown that could be gone
    assert run_service.lecture.newest


def test_nobody_else_leads(browser, run_service, place):
    for code in (JOIN, "no code"):
        assert [browser(code).post(path, json=place).status_code for path in (LEAD, STOP)] == [403, 403]
    assert run_service.lecture.newest is None


def test_unshared_server_has_no_such_routes(tmp_path, monkeypatch, place):
    with serving(tmp_path, monkeypatch) as alone:
        client = TestClient(Guard(alone.server, "127.0.0.1", None, GuardConfig()), base_url="http://127.0.0.1:8050")
        assert [client.post(path, json=place | {"run": alone.run}).status_code for path in (LEAD, STOP)] == [404, 404]


@pytest.mark.parametrize(
    "change",
    [
        {"run": None}, {"run": 5}, {"view": "nothing"}, {"view": ["tour"]}, {"climb": True}, {"climb": 1.0},
        {"climb": -1}, {"position": "7"}, {"position": 2**31}, {"live": 0}, {"live": None}, {"more": 1},
        {"run": ""}, {"page": "race"}, {"page": "docs", "run": ""}, {"page": 5}, {"query": None},
        {"page": "papers", "run": "", "query": "a b"}, {"page": "papers", "run": "", "query": "\\evil"},
        {"page": "papers", "run": "", "query": "q" * 601}, {"lecture": "short"},
        {"lecture": "with a blank in it"}, {"lecture": 5}, {"lecture": "a" * 33},
    ],
)  # fmt: skip
def test_malformed_place_is_refused(browser, run_service, place, change):
    answer = browser(HOST).post(LEAD, json=place | change)
    assert (answer.status_code, answer.json()) == (400, INVALID)
    assert run_service.lecture.newest is None


@pytest.mark.parametrize("missing", ["lecture", "page", "query", "run", "view", "climb", "position", "live"])
def test_incomplete_place_is_refused(browser, place, missing):
    del place[missing]
    assert browser(HOST).post(LEAD, json=place).status_code == 400


def test_body_that_is_too_long_or_not_json_is_refused(browser, run_service, place):
    host = browser(HOST)
    whole = json.dumps(place)
    assert host.post(LEAD, content=whole.ljust(MAX_BYTES)).status_code == 200
    run_service.lecture.stop()
    for body in (whole.ljust(MAX_BYTES + 1), "{", "[]", "5", b"\xff", '{"climb": 1e999}'):
        assert host.post(LEAD, content=body).status_code == 400
    assert run_service.lecture.newest is None


def test_missing_run_is_reported(browser, place):
    answer = browser(HOST).post(LEAD, json=place | {"run": "abcdefghijkl"})
    assert (answer.status_code, answer.json()) == (404, {"sentence": "There is no such run."})


def test_every_view_of_the_page_is_known():
    assert list_views() == {view for solver in SOLVERS for view in facts.label_views(solver)}


def test_new_page_learns_at_once_whether_and_where_the_lecturer_leads(run_service, place):
    async def follow_alone(page):
        assert await page.hears() == {"on": False}

    with_pages(run_service, (ANNE, Page()))(follow_alone)

    async def join_late(page):
        assert await page.hears() == {"on": True, **place}

    with lead_to(run_service, place):
        with_pages(run_service, (ANNE, Page()))(join_late)


def test_pages_get_the_newest_place_and_the_end_of_the_lecture(browser, run_service, place, monkeypatch):
    """Intermediate positions are skipped; the clock between two messages stops until the last one has arrived."""
    now = 1000.0
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: now))
    host = browser(HOST)

    async def scenario(page):
        nonlocal now
        await page.hears(on=False)
        for position in range(5):
            await asyncio.to_thread(host.post, LEAD, json=place | {"position": position})
        assert page.told.empty()
        now += session.LECTURE_EVERY
        run_service.status_changes.publish(run_service.status_changes.state)
        assert (await page.hears(on=True))["position"] == 4
        await asyncio.to_thread(host.post, STOP)
        now += session.LECTURE_EVERY
        run_service.status_changes.publish(run_service.status_changes.state)
        assert await page.hears() == {"on": False}

    with_pages(run_service, (ANNE, Page()))(scenario)


def test_only_the_host_gets_the_number_of_followers(run_service, place):
    follow = [{"op": "follow", "on": on} for on in (True, False)]

    async def scenario(anne, bert, host):
        await host.hears(on=True, following=2)
        bert.say(follow[1])
        await host.hears(following=1)
        anne.say(None)  # who closes the page follows no longer
        await host.hears(following=0)
        assert "following" not in await anne.hears(on=True)

    with lead_to(run_service, place):
        pages = (ANNE, Page(follow[0])), (Visitor("bert"), Page(follow[0])), (LECTURER, Page())
        with_pages(run_service, *pages)(scenario)
    assert run_service.lecture.following == 0


def test_lecture_ends_with_its_run(run_service, place, monkeypatch):
    async def scenario(page):
        await page.hears(on=True)
        run_service.notify_deletion()
        assert run_service.lecture.newest
        monkeypatch.setattr(run_service.home, "path", lambda run: None)
        run_service.notify_deletion()
        assert await page.hears() == {"on": False}

    with lead_to(run_service, place):
        with_pages(run_service, (ANNE, Page()))(scenario)


def test_page_of_an_unshared_server_gets_no_lecture(tmp_path, monkeypatch):
    with serving(tmp_path, monkeypatch) as alone:
        *_, run_service = alone.behind
        page = Page({"op": "follow", "on": True})

        async def scenario(page):
            run_service.notify_deletion()
            await asyncio.sleep(0)

        with_pages(run_service, (LECTURER, page))(scenario)
        assert run_service.lecture is None
        assert page.told.empty()
