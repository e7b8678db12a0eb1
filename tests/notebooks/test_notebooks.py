"""The notebooks run from their first cell to their last, and JupyterLab draws a run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.clock import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
VIEW = "application/vnd.jupyter.widget-view+json"
#: A cell that draws a run.
CELL = 'import tourscope as ts\nts.view(ts.run("burma14", ts.TwoOpt(climbers=3), seed=1))'

pytestmark = pytest.mark.timeout(1200)


def test_notebooks_are_stored_without_output():
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        cells = [cell for cell in book.cells if cell.cell_type == "code"]
        assert all(not cell.outputs and cell.execution_count is None for cell in cells), path.name


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path):
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=PATIENCE, resources={"metadata": {"path": str(ROOT)}}).execute()
    visible = [output for cell in book.cells for output in cell.get("outputs", []) if VIEW in output.get("data", {})]
    assert visible


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab whose folder contains one notebook."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, tmp_path / "run.ipynb")
    settings = [f"--ServerApp.{name}" for name in ("ip=127.0.0.1", "port=0", "token=", "open_browser=False")]
    places = {name: str(tmp_path / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    quiet = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    line = [sys.executable, "-m", "jupyterlab", "--allow-root", quiet, *settings]
    log = tmp_path / "log"  # a pipe that nobody reads would stop the server when it is full
    with (
        log.open("w") as errors,
        subprocess.Popen(line, cwd=tmp_path, env={**os.environ, **places, "PYTHONPATH": path}, stderr=errors) as server,
    ):
        try:
            wait_until(lambda: server.poll() is not None or address(log), PATIENCE)
            assert server.poll() is None, (
                f"JupyterLab, which `make test-all` installs, has not started: {log.read_text()}"
            )
            yield address(log)
        finally:
            server.terminate()


def address(log: Path) -> str:
    """The address printed by JupyterLab; empty until then."""
    found = re.search(r"http://127\.0\.0\.1:[1-9]\d*/", log.read_text())
    return found[0] if found else ""


@pytest.mark.long
def test_jupyterlab_draws_a_run(lab):
    from playwright.sync_api import expect, sync_playwright

    from tests.browser.chromium import ARGUMENTS, executable

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{lab}lab/tree/run.ipynb")
        idle = page.get_by_role("button", name="| Idle")  # in the status bar, when the kernel has answered
        expect(idle).to_be_visible(timeout=1000 * PATIENCE)
        page.locator(".jp-CodeCell .cm-content").click(timeout=1000 * PATIENCE)
        page.keyboard.press("Shift+Enter")  # a kernel of the notebook, then the program and its workers start
        expect(page.locator("#hud-where")).to_have_text(re.compile("climber 1 of 3"), timeout=3000 * PATIENCE)
        page.locator("#player-end").click()
        expect(page.locator("#explain")).to_have_text(re.compile("optimum"))
        assert page.locator("#tour").evaluate("it => it.width > 200 && it.height > 200")
        assert wrong == []
        browser.close()


def test_notebook_calls_exist():
    import tourscope as ts

    for path in NOTEBOOKS:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        source = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
        compile(source, path.name, "exec")
        for name in re.findall(r"\bts\.(\w+)", source):
            assert hasattr(ts, name), f"{path.name}: ts.{name}"
