"""The assets that browsers load: modules by their imports, style sheets by their folders, in a path with the release's
hash."""

import re

import fastapi
import pytest
from starlette.testclient import TestClient

from components.embed import script
from components.shell import assets, bundle
from components.site import build
from runs.store.run_file import STATES
from tests.tables import each_row

PAGES = tuple(assets.PAGES)
#: Folders that pages share, and that of their texts.
SHARED = ("common", "instances", "texts")
MODULES = sorted(
    path.relative_to(assets.FOLDER).as_posix()
    for path in assets.FOLDER.rglob("*.js")
    if not {"early", "vendor"} & set(path.parts)
)


@each_row("page", PAGES)
def test_page_loads_only_its_own_and_shared_modules(page):
    loaded = bundle.list_modules(f"{page}/main.js")
    assert loaded[-1] == f"{page}/main.js"
    assert len(set(loaded)) == len(loaded)
    assert {module.split("/")[0] for module in loaded} <= {page, *SHARED}


def test_every_module_is_loaded_by_a_page():
    loaded = {module for page in PAGES for module in bundle.list_modules(f"{page}/main.js")}
    loaded |= script.list_modules() | build.modules()
    assert {module for module in loaded if module.endswith(".js")} == set(MODULES)


def test_sheets_name_existing_run_states():
    sheets = "".join(path.read_text() for path in assets.FOLDER.rglob("*.css"))
    named = set(re.findall(r'data-run-state="(\w+)"', sheets))
    assert "paused" in named
    assert named <= {*STATES, "compiling", "none"}


def test_no_module_imports_itself_indirectly():
    """In a cycle, a module would precede another one that it imports."""
    needed = {module: set(bundle.list_modules(module)) for module in MODULES}
    for module, others in needed.items():
        assert not [other for other in others - {module} if module in needed.get(other, ())], module


def test_only_the_logo_lies_outside_the_folders():
    assert [path.name for path in assets.FOLDER.iterdir() if path.is_file()] == ["mark.svg"]


@pytest.fixture(scope="module")
def served():
    app = fastapi.FastAPI()
    assets.add_route(app, "/below/")
    return TestClient(app)


def test_file_of_this_release_is_cached_forever(served):
    answer = served.get(f"{assets.address('/below/')}/common/format.js")
    assert answer.text == (assets.FOLDER / "common" / "format.js").read_text()
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@each_row("page", PAGES)
def test_a_page_has_one_script_and_one_sheet(served, page):
    script, sheet = (served.get(f"{assets.address('/below/')}/pages/{page}.{kind}") for kind in ("js", "css"))
    assert script.text == bundle.build_script(f"{page}/main.js")
    assert sheet.text == bundle.build_sheet(*assets.PAGES[page])
    assert [each.headers["content-type"].partition(";")[0] for each in (script, sheet)] == [
        "text/javascript",
        "text/css",
    ]
    assert {each.headers["cache-control"] for each in (script, sheet)} == {"public, max-age=31536000, immutable"}


@each_row(
    "address",
    [
        "/below/assets/0123456789abcdef/pages/watch.js",
        "{}/pages/nothing.js",
        "{}/pages/watch.py",
        "{}/pages/watch",
        "/below/assets/0123456789abcdef/common/format.js",
        "{}/common/nothing.js",
        "{}/common",
        "{}/../app.py",
        "{}/%2e%2e/app.py",
        "{}//etc/passwd",
    ],
)
def test_nothing_else_is_served(served, address):
    assert served.get(address.format(assets.address("/below/"))).status_code == 404
