"""The layout: each id occurs once, and scripts and callbacks find all their ids."""

import json
import re
from pathlib import Path

import dash
import fastapi
import pytest
from starlette.testclient import TestClient

from components.learn.collection import Lessons
from components.learn.page import layout as learn_layout
from components.library.page import layout as library_layout
from components.papers.page import layout as papers_layout
from components.race.page import layout as race_layout
from components.shell import ids
from components.study.page import layout as study_layout
from components.watch.page import layout
from runs.visitors import Visitor, act_as
from solvers import SOLVERS
from tests.components.dangling import assert_ids, dangling_ids, find_ids, ids_of_module

ROOT = Path(__file__).resolve().parents[3]
ASSETS = ROOT / "assets"
#: Elements that scripts make themselves.
MADE_BY_SCRIPTS = {"video", "keys", "climbers", "how", "draw", "lesson-step", "draw-board", "lecture-link"}


@pytest.fixture
def page(run_service):
    with act_as(Visitor("abc", host=True)):  # of a shared server
        return layout({**run_service.status(), "nodes": []}, "/below/")  # as with workers on a cluster


@pytest.fixture
def page_ids(page, run_service, tmp_path):
    """The ids of every page: scripts and style sheets are of all."""
    status, lessons = run_service.status(), Lessons(tmp_path)
    others = [each(status, "/") for each in (race_layout, study_layout, library_layout, papers_layout)]
    found = {str(each) for part in (page, *others, learn_layout(status, lessons, "/")) for each in find_ids(part)}
    plain = [path for part in ("classroom", "site") for path in (ROOT / "components" / part).glob("*.[hp]*")]
    found |= {each for path in plain for each in re.findall(r'id="([a-z-]+)"', path.read_text())}
    return MADE_BY_SCRIPTS | found


def test_every_id_is_on_the_page_once_and_found_by_callbacks(app, page):
    assert_ids(page, ids_of_module(ids), app)


def test_script_ids_exist(page_ids):
    text = "\n".join(path.read_text() for path in sorted({*ASSETS.rglob("*.js")} - {*(ASSETS / "vendor").iterdir()}))
    wanted = set(re.findall(r"(?:getElementById|byId|setText|range|press|graph)\(\s*\"([a-z-]+)\"", text))
    wanted |= set(re.findall(r"set_?[pP]rops\(\s*\"([a-z-]+)\"", text))
    wanted |= set(re.findall(r'"((?:player|hud|tile|run|legend)-[a-z-]+)"', text))
    wanted |= set(re.findall(r"[`\"'( ,]#([a-z][a-z-]*)[ `\"'),]", text))
    assert wanted
    assert wanted - page_ids == set()


def test_style_sheet_ids_exist(page_ids):
    text = "\n".join(path.read_text() for path in sorted({*ASSETS.rglob("*.css")} - {*(ASSETS / "vendor").iterdir()}))
    rules = re.sub(r"url\(.*?\)|\{[^{}]*\}", "", text)
    assert set(re.findall(r"#([a-z][a-z-]*)", rules)) - page_ids == set()


def test_callback_with_unknown_id_is_found(app, page):
    for values in (
        (dash.Output("gone", "x"), dash.Input(ids.RUN, "data")),
        (dash.Output(ids.RUN, "x"), dash.Input("gone", "data")),
    ):
        found = dash.Dash("other", server=fastapi.FastAPI(), url_base_pathname="/other/")
        found.clientside_callback(dash.ClientsideFunction("a", "b"), *values)
        assert dangling_ids(found, page) == {"gone"}


def test_document_gives_scripts_their_path_before_the_layout(app):
    assert re.search(r'<html [^>]*data-base-path="/below/"', app.index_string)


def test_page_gives_scripts_its_units(page):
    attributes = page.to_plotly_json()["props"]
    units = json.loads(attributes["data-units"])
    assert set(units) == {solver.name for solver in SOLVERS}
    answer = {"title", "iteration", "evaluation", "step", "whole", "colony", "exact", "first", "views"}
    assert all(set(each) == answer for each in units.values())


def test_document_loads_bootstrap_once_and_nothing_external(app):
    assert len(re.findall(r'href="/below/assets/[0-9a-f]{16}/vendor/bootstrap.min.css"', app.index_string)) == 1
    assert "http" not in app.index_string.replace("http-equiv", "")


def test_document_loads_only_what_module_browsers_need(app):
    """Dash's own list begins with a polyfill that is larger than React, and includes its table, which no page uses."""
    loaded = re.findall(
        r'<script src="[^"]*/_dash-component-suites/([^"@]+?)[.@][^"]*"', TestClient(app.server).get("/below/").text
    )
    assert loaded == [
        "dash/deps/react",
        "dash/deps/react-dom",
        "dash/deps/prop-types",
        "dash_bootstrap_components/_components/dash_bootstrap_components",
        "dash/dash-renderer/build/dash_renderer",
        "dash/dcc/dash_core_components",
        "dash/dcc/dash_core_components-shared",
        "dash/html/dash_html_components",
    ]


def test_style_sheets_load_nothing_external():
    for path in {*ASSETS.rglob("*.css")} - {*(ASSETS / "vendor").iterdir()}:
        for address in re.findall(r"url\(\"?([^\")]+)", path.read_text()):
            assert address.startswith("data:") or (path.parent / address).is_file(), (path.name, address)
