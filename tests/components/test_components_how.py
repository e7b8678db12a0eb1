"""The drawer "How it works": each algorithm has all sections, and each step highlights a line."""

import json
import re
from html import escape
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from components.how import content
from components.how.routes import add_how_routes
from components.shell import markdown
from components.shell.assets import FOLDER
from solvers import SOLVERS, find
from solvers.core.events import Edges, Field, Moves
from tests.assets.node import evaluate
from tests.solver_runs import KINDS, collect_events, fit_instance, make_spec, small_params
from tests.tables import each_row

NAMES = [solver.name for solver in SOLVERS]
LINES = json.loads((FOLDER / "watch" / "how" / "lines.json").read_text())
_NAMED = re.compile(r"\bline: (?:[^,;}\n]*? \? )?\"([a-z-]+)\"(?: : \"([a-z-]+)\")?")


def source(name: str) -> str:
    return (markdown.DOCS / "algorithms" / f"{name}.md").read_text("utf-8")


def section(name: str, title: str) -> str:
    return re.split(r"^## ", source(name).split(f"\n## {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.fixture
def client():
    server = FastAPI()
    add_how_routes(server, "/below/")
    return TestClient(server)


@each_row("name", NAMES)
def test_every_algorithm_has_all_sections_in_order(name):
    titles = re.findall(r"^## (.*)$", source(name), re.MULTILINE)
    assert titles[: len(content.SECTIONS)] == list(content.SECTIONS)
    assert titles[-1] == content.SOURCES
    assert [each["title"] for each in content.page(name, "/")["sections"]] == [
        *content.SECTIONS, content.PARAMETERS, content.SOURCES,
    ]  # fmt: skip


@each_row("name", NAMES)
def test_idea_and_its_sentences_are_short(name):
    idea = section(name, "Idea").strip().split("\n\n")[0]
    words, sentences = len(idea.split()), len(re.findall(r"[.!?](?:\s|$)", idea))
    assert words <= 110
    assert words <= 25 * sentences


@each_row("name", NAMES)
def test_every_algorithm_has_a_formula_and_pseudo_code(name):
    assert section(name, "Formulas").count("$$") >= 2
    assert section(name, "Formulas").count("$$") % 2 == 0
    labels = markdown.list_labels(section(name, "Pseudo-code"))
    assert len(labels) >= 3
    assert len(set(labels)) == len(labels)
    assert markdown.list_labels(source(name)) == labels, "no pseudo-code elsewhere, whose labels would be lit too"


@each_row("language", ["", "de/"])
@each_row("name", NAMES)
def test_pseudo_code_lines_are_indented_by_level(name, language):
    written = (markdown.DOCS / f"{language}algorithms" / f"{name}.md").read_text("utf-8")
    code = re.search(r"```pseudo\n(.*?)```", written, re.DOTALL)[1]
    columns = [len(line) - len(re.sub(r"^[\w-]+: *", "", line)) for line in code.splitlines()]
    assert columns[0] == min(columns)
    assert {(column - columns[0]) % 4 for column in columns} == {0}, columns


@each_row("name", NAMES)
def test_gpu_variants_are_described(name):
    answer = re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^- (.*?):", section(name, "On a GPU"), re.MULTILINE)))
    assert {each.name for each in find(name).variants if each.device == "cuda"} <= set(answer)
    assert set(answer) <= {each.name for each in find(name).variants}


@each_row("name", NAMES)
def test_parameters_match_the_declarations(name):
    html = content.page(name, "/")["sections"][len(content.SECTIONS)]["html"]
    params = find(name).params.schema()
    assert html.count("<dt>") == len(params)
    assert all(escape(param.help) in html for param in params)


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_step_highlights_a_line(name):
    solver = find(name)
    if solver.family == "reference":
        pytest.skip("a package shows no steps, only tours")
    instance = fit_instance(solver, KINDS["fractions"]())
    walks: set[tuple[str, str]] = set()
    for event in collect_events(instance, make_spec(name, **small_params(solver))):
        if isinstance(event, Moves):
            walks |= {("moves", kind) for kind in ("first", "last")}
            walks |= {("moves", "longer" if delta > 0 else "shorter") for delta in np.asarray(event.delta)}
        elif isinstance(event, Edges):
            walks |= {("edges", kind) for kind in ("first", "step", "last")}
        elif isinstance(event, Field):
            walks.add(("iteration", "step"))
    labels = markdown.list_labels(source(name))
    assert walks
    assert {LINES[name][walk][kind] for walk, kind in walks} <= set(labels)


def test_all_lines_exist_in_their_pages():
    assert set(LINES) == set(NAMES)
    for name, walks in LINES.items():
        assert {label for kinds in walks.values() for label in kinds.values()} <= set(
            markdown.list_labels(source(name))
        )


def test_explanations_name_existing_lines():
    known = {label for name in NAMES for label in markdown.list_labels(source(name))}
    named = {}
    for path in sorted((FOLDER / "watch" / "explain").rglob("*.js")):
        for found in _NAMED.finditer(path.read_text("utf-8")):
            named.update(dict.fromkeys(filter(None, found.groups()), path.name))
    assert {label: file for label, file in named.items() if label not in known} == {}


def test_diagrams_match_the_pages():
    names = "({ SCENES }) => Object.fromEntries(Object.entries(SCENES).map(([name, all]) => [name, Object.keys(all)]))"
    scenes = evaluate("assets/how/scenes.js", names)
    assert set(scenes) <= set(NAMES)
    for name in NAMES:
        visible = section(name, "Idea") + section(name, "On a GPU")
        items = re.findall(r"^- (?:\*\*(.+?)\*\*|`(.+?)`)", visible, re.MULTILINE)
        assert scenes.get(name, []) == [strong or code for strong, code in items]


def test_pages_and_documents_are_served(client):
    assert [each["name"] for each in client.get("/below/how").json()] == NAMES
    page = client.get("/below/how/algorithms/two-opt").json()
    assert page["title"] == find("two-opt").title
    assert (
        client.get("/below/how/algorithms/max-min-ant-system").text.count('data-doc=\\"algorithms/ant-system.md') >= 2
    )
    assert client.get("/below/how/documents/algorithms/given.md").json()["title"] == "Your tour"
    assert client.get("/below/how/documents/../README.md").status_code == 404
    whole = client.get("/below/docs/gpu.md")
    assert "<!DOCTYPE html>" in whole.text
    assert whole.headers["content-type"].startswith("text/html")
    assert client.get("/below/docs/pictures/watch-light.png").headers["content-type"] == "image/png"
    assert client.get("/below/docs/nothing.md").status_code == 404
    assert client.get("/below/docs/%2e%2e/LICENSE").status_code == 404


def test_the_list_of_documents_is_at_their_folder(client):
    listed = client.get("/below/docs/").text
    assert listed == client.get("/below/docs/index.md").text
    assert listed == client.get("/below/docs").text
    for path in markdown.DOCS.rglob("*.md"):
        name = path.relative_to(markdown.DOCS).as_posix()
        assert name == "index.md" or name.startswith(("lessons/", "de/")) or f'href="/below/docs/{name}"' in listed, (
            name
        )
    assert (
        '<a href="/below/">TourScope</a><a href="/below/docs/">All documents</a>'
        in client.get("/below/docs/gpu.md").text
    )


def test_program_markers_are_hidden():
    assert "begin of the headline figures" in (markdown.DOCS / "gpu.md").read_text("utf-8")
    assert "begin of the headline figures" not in markdown.document("gpu.md").html


def test_every_document_link_works(client):
    for path in sorted(markdown.DOCS.rglob("*.md")):
        name = path.relative_to(markdown.DOCS).as_posix()
        for doc in re.findall(r'data-doc="([^"]+)"', markdown.document(name).html):
            assert (markdown.DOCS / doc).is_file(), f"{name}: {doc}"


def test_katex_is_shipped_whole():
    vendor = FOLDER / "vendor"
    fonts = re.findall(r"url\(([^)]+)\)", (vendor / "katex.min.css").read_text())
    assert fonts
    assert all((vendor / font).is_file() and Path(font).suffix == ".woff2" for font in fonts)
    assert {path.name for path in (vendor / "katex-fonts").iterdir()} == {Path(font).name for font in fonts}
    assert (vendor / "katex-LICENSE.txt").is_file()
