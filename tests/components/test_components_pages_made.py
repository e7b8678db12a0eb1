"""Pages, their routes and services are built on demand: at its start, a server builds only the first page."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

#: Asks a new server for the race page's layout, and tells which pages' modules are there before and after it.
PROGRAM = """
import json, os, pathlib, sys
from components.document.services import create
from starlette.testclient import TestClient
from components.shell.paths import PAGES
from runs.web.guard import hash_scripts

LATE = ("components.how.routes", "components.library.routes", "components.classroom.routes", "runs.library.service",
        "components.papers.routes", "papers.catalogue", "runs.paper_jobs.service", "runs.races.routes",
        "runs.races.service", "runs.study_jobs.service", "studies.file.reader", "components.embed.routes")

def there():
    return [name for name in PAGES if f"components.{name}.page" in sys.modules]

def late():
    return [name for name in LATE if name in sys.modules]

pages, behind = create(pathlib.Path(sys.argv[1]), "/")
client, told, before = TestClient(pages[0].server, follow_redirects=False), [there()], late()
for path in ("/", "/race/_dash-layout", "/race/", "/learn"):
    answer = client.get(path)
    told.append([answer.status_code, "item-add" in answer.text, there()])
routes = len(pages[0].server.routes)
for page in pages:
    page.make()
allowed = {(*page.csp_hashes(), *hash_scripts(page.index_string)) for page in pages}
added = len(pages[0].server.routes) - routes
asked = []
for path in ("/how", "/library/entries", "/papers/jobs", "/learn/lessons/none", "/races/none", "/docs/", "/class/",
             "/presets/none", "/library/thumbnails?key=race:none"):
    answer = client.get(path)
    asked.append([path, answer.status_code, answer.headers["content-type"].partition(";")[0]])
from components.papers.entry import paper_to_json
for name in ("utne-hansen", "oneil-burtscher", "uchida", "qin-han", "bitner"):
    paper_to_json(behind[0](), name)
computing = [name for name in sys.modules if name.split(".")[0] in ("numba", "benchmarks") or "papers.recipes" in name]
counts = {"policies": len(allowed), "added": added}
print(json.dumps({"computing": computing, "told": told, "before": before, "asked": asked, **counts}))
for each in behind:
    each.close()
"""


def test_other_pages_are_built_on_the_first_request(tmp_path):
    """Their modules are a sixth of the server's imports before it can answer."""
    run = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert answer["computing"] == [], "other processes measure"
    assert answer["told"] == [
        ["watch"],
        [200, False, ["watch"]],
        [200, True, ["watch", "race"]],
        [200, False, ["watch", "race"]],
        [307, False, ["watch", "race", "learn"]],
    ]
    assert answer["added"] == 0, "a route that a page adds comes after the one that answers all unknown addresses"
    assert answer["policies"] == 1, "the server allows the inline scripts of the first page alone"
    assert answer["before"] == [], "what nobody has asked for is not imported"
    found = {path: (status, kind) for path, status, kind in answer["asked"]}
    # a late route goes before the page of its path, which answers every address below it with HTML
    assert found == {
        "/how": (200, "application/json"),
        "/library/entries": (200, "application/json"),
        "/papers/jobs": (200, "application/json"),
        "/learn/lessons/none": (400, "application/json"),
        "/races/none": (404, "application/json"),
        "/docs/": (200, "text/html"),
        "/class/": (404, "application/json"),
        "/presets/none": (404, "application/json"),
        "/library/thumbnails?key=race:none": (200, "application/json"),
    }
