"""Permissions on a shared server: owners, the signed cookie, the host, quotas and free disk space."""

import secrets
from dataclasses import replace
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from runs import limits
from runs.limits import Limits, StorageFull
from runs.owners import HostOnly, NotOwner, Owners
from runs.store.home import Home
from runs.visitors import HOST, NO_VISITOR, Visitor, act_as, current_visitor
from runs.web.guard import Guard, GuardConfig
from runs.web.join_codes import JOIN_COOKIE, VISITOR_COOKIE, make_join_codes
from runs.web.rates import Rate
from tests.runs.library.library_place import Place

ANNE, BERT = Visitor("anne"), Visitor("bert")


@pytest.fixture
def owners(tmp_path):
    owners = Owners(tmp_path / "owners.sqlite", True)
    owners.claim(["run:a", "race:r"], "anne")
    yield owners
    owners.close()


@pytest.mark.parametrize(("who", "may"), [(ANNE, True), (BERT, False), (NO_VISITOR, False), (HOST, True)])
def test_only_owner_and_host_may_change_an_entry(owners, who, may):
    with act_as(who):
        assert (owners.may_change("run:a"), owners.may_change("race:r")) == (may, may)
        assert owners.may_change("run:before-it-was-shared") == who.host
    if not may:
        with act_as(who), pytest.raises(NotOwner, match="another visitor's"):
            owners.require("run:a")


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path, shared=True)
    yield place
    place.close()


def test_visitors_cannot_change_each_others_entries(place):
    race, study, library = place.race(place.run()), place.study(), place.library
    keys = [f"race:{race}", f"study:{study}"]
    place.run_service.owners.claim(keys, "anne")
    with act_as(ANNE):
        token = library.delete(keys[:1]).token
    changes = [
        lambda: library.undo(token),
        lambda: place.studies.cancel(study),
        lambda: place.studies.resume(study),
        lambda: library.rename(keys[1], "mine"),
        lambda: library.tag(keys[1:], add=["mine"]),
        lambda: library.delete(keys[1:]),
    ]
    with act_as(BERT):
        for change in changes:
            with pytest.raises(NotOwner):
                change()
    with act_as(ANNE):
        library.undo(token)
    with act_as(BERT), pytest.raises(NotOwner):
        place.races.command(race, "cancel")


def test_only_the_host_empties_the_trash(place):
    with act_as(ANNE), pytest.raises(HostOnly):
        place.library.empty_trash()
    with act_as(HOST):
        place.library.empty_trash()


def test_owners_survive_a_restart_and_disappear_with_their_entries(owners, tmp_path):
    owners.drop(["race:r"])
    owners.close()
    again = Owners(tmp_path / "owners.sqlite", True)
    with act_as(ANNE):
        assert (again.may_change("run:a"), again.may_change("race:r")) == (True, False)
    assert again.list_keys("anne") == ["run:a"]
    again.close()


def test_damaged_file_is_moved_aside_and_the_host_owns_everything(tmp_path):
    (tmp_path / "owners.sqlite").write_bytes(b"no database" * 99)
    owners = Owners(tmp_path / "owners.sqlite", True)
    owners.claim(["run:new"], "anne")
    with act_as(ANNE):
        assert owners.may_change("run:new")
    owners.close()
    assert len(list(tmp_path.glob("owners.damaged-*.sqlite"))) == 1


def test_unshared_server_permits_everything_and_stores_nothing(tmp_path):
    owners = Owners(tmp_path / "owners.sqlite", False)
    owners.claim(["run:a"], "anne")
    assert owners.may_change("run:a")
    owners.require_host()
    assert not any(tmp_path.iterdir())


async def describe_visitor(_):
    return JSONResponse(current_visitor()._asdict())


def browser(codes, rates=None, url="http://127.0.0.1:8050"):
    app = Starlette(routes=[Route("/", describe_visitor, methods=["GET", "POST"])])
    return TestClient(Guard(app, "127.0.0.1", codes, GuardConfig(rates=rates or {})), base_url=url)


@pytest.fixture
def codes(tmp_path):
    return make_join_codes(tmp_path, True)


PAGE = {"accept": "text/html"}


def test_visitor_is_recognised_after_a_restart(codes, tmp_path):
    client = browser(codes)
    client.get("/", params={"join": codes.join})
    known = client.get("/", headers=PAGE).json()
    assert len(known["id"]) == 16
    assert not known["host"]
    later = make_join_codes(tmp_path, True)
    again = browser(later)
    again.cookies.set(VISITOR_COOKIE, client.cookies[VISITOR_COOKIE])
    again.get("/", params={"join": later.join})
    assert again.get("/", headers=PAGE).json() == known


def test_cookie_is_hidden_from_scripts_and_other_sites(codes):
    answer = browser(codes, url="https://127.0.0.1").get("/", params={"join": codes.join})
    cookie = next(each for each in answer.headers.get_list("set-cookie") if VISITOR_COOKIE in each)
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Secure", "Max-Age=15552000"))


def test_browser_without_its_cookie_gets_another_with_the_next_page(codes):
    client = browser(codes)
    client.get("/", params={"join": codes.join})
    del client.cookies[VISITOR_COOKIE]
    assert client.get("/").json()["id"] == ""  # no page
    assert client.get("/", headers=PAGE).json()["id"] == client.get("/").json()["id"] != ""


def test_forged_cookie_belongs_to_nobody(codes):
    client = browser(codes)
    client.cookies.set(JOIN_COOKIE, codes.join)
    stranger = replace(codes, key=secrets.token_bytes(32)).cookie(Visitor("a" * 16), False)
    for value in (stranger.partition("=")[2].partition(";")[0], "a" * 16, f"{'a' * 16}.{'0' * 64}", "x", ""):
        client.cookies.set(VISITOR_COOKIE, value)
        assert client.post("/").json() == {"id": "", "host": False}


def test_host_code_makes_a_joined_visitor_the_host(codes):
    client = browser(codes)
    client.get("/", params={"join": codes.join})
    assert not client.get("/").json()["host"]
    client.get("/", params={"join": codes.host})
    assert client.get("/").json()["host"]


def test_loopback_alone_does_not_make_a_host(codes):
    assert browser(codes).get("/").status_code == 403


def test_unshared_server_may_require_a_code(tmp_path):
    own = make_join_codes(tmp_path, False)
    client = browser(own)
    assert client.get("/").status_code == 403
    answer = client.get("/", params={"join": own.join})
    assert VISITOR_COOKIE not in answer.headers["set-cookie"]
    assert client.get("/").json() == {"id": "", "host": True}
    assert client.get("/", headers={"host": "10.0.0.1"}).status_code == 400
    assert not any(tmp_path.iterdir())


def test_rates_count_visitors_and_new_visitors_by_address(codes):
    codes = replace(codes, newcomer_rate=Rate(2, 1))
    rates = {"/": Rate(1, 1)}
    answers = []
    for _ in range(4):
        client = browser(codes, rates)
        client.get("/", params={"join": codes.join})
        answers.append((client.post("/").status_code, client.post("/").status_code))
    assert answers == [(200, 429), (200, 429), (200, 429), (429, 429)]  # the last two share their address


def test_visitor_has_a_quota(tmp_path, monkeypatch):
    home = Home(tmp_path)
    home.new_path("a" * 12).write_bytes(b"x" * 100)
    owned = ["run:" + "a" * 12, "race:" + "r" * 12, "run:" + "g" * 12]  # a race's file is small; the last is gone
    Limits(runs=2, bytes=101).check(home, owned)
    with pytest.raises(StorageFull, match="1 runs here"):
        Limits(runs=1).check(home, owned)
    with pytest.raises(StorageFull, match="delete some"):
        Limits(bytes=100).check(home, owned)
    monkeypatch.setattr(limits.shutil, "disk_usage", lambda _: SimpleNamespace(free=499_999_999))
    with pytest.raises(StorageFull, match="only 499 MB left"):
        Limits(free=500_000_000).check(home, ())
    home.close()
