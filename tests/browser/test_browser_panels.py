"""The panel that `docs/panels.md` adds, on the page of a server that was started with it."""

import re
from pathlib import Path

import pytest
from serving import start_server, stop_server
from watching import BEST, link, opened, said, started, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

DOCS = Path(__file__).resolve().parents[2] / "docs" / "panels.md"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("panels")
    [code] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    (folder / "pace.py").write_text(code)
    running = start_server(home, options=["--panel", "pace"], PYTHONPATH=str(folder))
    yield running
    stop_server(running)


def test_a_panel_of_twenty_lines_follows_the_run(page, server):
    opened(page, link(server, "burma14", climbers=20))
    started(page)
    wait_state(page, "finished")
    assert said(page, "pace-text", r"^0\.00 % above the optimum since [0-9.]+ s\.$")
    page.wait_for_function(BEST, arg=3323)
    assert said(page, "tile-gap", "optimal")
