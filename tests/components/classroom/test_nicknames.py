"""Nicknames: unique, without markup, and shown to everybody until the host removes them."""

import pytest

from components.classroom.results import is_reserved
from components.shell.paths import CLASS
from runs import nicknames
from runs.nicknames import NameRefused, Nicknames, clean_name
from runs.visitors import Visitor
from runs.web.guard import hash_scripts
from tests.components.classroom.conftest import HOST, JOIN
from tests.components.classroom.pages import Page, with_pages
from tests.runs.made_up_runs import new_id, write_run
from tests.runs.served import BASE
from tests.tables import each_row

NAME, UNNAME, ROWS, PAGE = (f"{BASE}{CLASS}{what}" for what in ("name", "unname", "runs/rows", "runs"))
ANNE, BERT = Visitor("anne"), Visitor("bert")


@pytest.fixture
def names():
    return Nicknames(lambda: None)


def is_never_reserved(_: str) -> bool:
    return False


@each_row(
    ("typed", "name"),
    [
        ("  Anne \t of\nGreen  ", "Anne of Green"), ("<b>Anne</b>", "bAnne/b"), ("An\u200bne\u202e\x00", "Anne"),
        ("O'Neill", "O'Neill"), ("\u0041\u030a", "\u00c5"), ("\ud800Anne", "Anne"), ("<>", ""),
        ("\U0001f600", "\U0001f600"),
    ],
)  # fmt: skip
def test_name_has_no_markup_or_hidden_characters(typed, name):
    assert clean_name(typed) == name


def test_names_are_unique_but_can_be_changed(names):
    assert names.choose(ANNE, "Anne", is_never_reserved) == "Anne"
    for taken in ("Anne", "anne ", "\uff21nne"):
        with pytest.raises(NameRefused, match="Somebody else"):
            names.choose(BERT, taken, is_never_reserved)
    assert names.choose(ANNE, "ANNE", is_never_reserved) == "ANNE"
    assert names.choose(ANNE, "Zoe", is_never_reserved) == "Zoe"
    assert names.choose(BERT, "Anne", is_never_reserved) == "Anne"
    assert names.choose(ANNE, " ", is_never_reserved) == names.find(ANNE.id) == ""


def test_a_name_has_at_most_twenty_characters(names):
    assert names.choose(ANNE, "a" * 20, is_never_reserved)
    with pytest.raises(NameRefused, match="at most 20"):
        names.choose(ANNE, "a" * 21, is_never_reserved)
    assert names.find(ANNE.id) == "a" * 20


def test_name_removed_by_the_host_cannot_be_chosen_again(names):
    names.choose(ANNE, "Rude", is_never_reserved)
    names.remove(ANNE.id)
    assert names.find(ANNE.id) == ""
    for owner in (ANNE, BERT):
        with pytest.raises(NameRefused, match="host has removed"):
            names.choose(owner, "RUDE", is_never_reserved)


def test_names_are_limited(names, monkeypatch):
    monkeypatch.setattr(nicknames, "MAX_NAMES", 1)
    names.choose(ANNE, "Anne", is_never_reserved)
    with pytest.raises(NameRefused):
        names.choose(BERT, "Bert", is_never_reserved)
    assert names.choose(ANNE, "Zoe", is_never_reserved) == "Zoe"


@each_row("name", ["Host", "gastgeber", "You", "Ich", "Another visitor", "Visitor 3", "besucher 12"])
def test_names_used_by_the_table_are_reserved(name):
    assert is_reserved(name)
    assert not is_reserved(f"{name} x")


def test_names_appear_in_the_table_for_everybody_and_the_host_removes_them(browser, codes, run_service):
    anne, bert, host = browser(JOIN), browser(JOIN), browser(HOST)
    run = write_run(run_service.home.new_path(new_id())).stem
    run_service.owners.claim([f"run:{run}"], codes.visitor(dict(anne.cookies)).id)

    def owner_names(client):
        [found] = [row for row in client.get(ROWS).json()["rows"] if row["run"] == run]
        return found["who"], found["named"]

    assert [owner_names(client) for client in (anne, bert, host)] == [
        ("You", 0),
        ("Another visitor", 0),
        ("Visitor 1", 0),
    ]
    assert anne.post(NAME, json={"name": " Anne<script> "}).json() == {"name": "Annescript"}
    assert [owner_names(client) for client in (anne, bert, host)] == [("You", 0), ("Annescript", 0), ("Annescript", 1)]
    page = anne.get(PAGE).text
    assert 'value="Annescript"' in page
    assert hash_scripts(page) == []
    assert "class-name" not in host.get(PAGE).text
    assert bert.post(UNNAME, json={"visitor": 1}).status_code == 403
    assert host.post(UNNAME, json={"visitor": 99}).status_code == 200
    assert owner_names(bert) == ("Annescript", 0)
    assert host.post(UNNAME, json={"visitor": 1}).status_code == 200
    assert owner_names(bert) == ("Another visitor", 0)


def test_impossible_names_are_refused_with_a_message(browser, run_service):
    anne, host = browser(JOIN), browser(HOST)
    for name, sentence in (("Host", "Somebody else has"), ("a" * 21, "at most 20")):
        refused = anne.post(NAME, json={"name": name})
        assert refused.status_code == 400
        assert sentence in refused.json()["sentence"]
    for body in ({"name": 5}, {"name": "a" * 201}, {}, {"name": "a", "more": 1}):
        assert anne.post(NAME, json=body).status_code == 400
    assert host.post(NAME, json={"name": "Anne"}).status_code == 403
    assert browser("no code").post(NAME, json={"name": "Anne"}).status_code == 403


def test_visitor_learns_that_their_name_was_removed(run_service):
    run_service.lecture.nicknames.choose(ANNE, "Anne", is_never_reserved)

    async def scenario(anne, bert):
        await anne.hears(name="Anne", removed=False, host=False)
        await bert.hears(name="")
        run_service.lecture.nicknames.remove(ANNE.id)
        await anne.hears(name="", removed=True)
        assert bert.told.empty()
        run_service.lecture.nicknames.choose(ANNE, "Zoe", is_never_reserved)
        assert not run_service.lecture.nicknames.was_removed(ANNE.id)

    with_pages(run_service, (ANNE, Page(kind="class")), (BERT, Page(kind="class")))(scenario)
