"""Custom panels: the documentation's example works."""

import re
import sys
from pathlib import Path

import dash
import fastapi
import pytest

from components.shell import ids
from components.watch import page, panels
from components.watch.document import set_document
from tests.tables import each_row

DOCS = Path(__file__).resolve().parents[3] / "docs" / "panels.md"
PROGRESS = {"run": "abc", "best": 7542, "gap": 0.0, "seconds": 1.5}


@pytest.fixture
def pace(tmp_path, monkeypatch):
    [code] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert len(code.splitlines()) <= 22
    (tmp_path / "pace.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    yield panels.load(["pace"])
    del sys.modules["pace"]


def test_documented_panel_is_on_the_page_and_follows_the_run(pace, run_service):
    app = dash.Dash("tourscope", server=fastapi.FastAPI(), url_base_pathname="/", assets_folder="assets")
    set_document(app)
    page.build(app, run_service, pace)
    visible = {each.id for each in app.layout()._traverse() if isinstance(getattr(each, "id", None), str)}
    assert {"pace-text", "pace-last", ids.PROGRESS, ids.ROWS, ids.PICTURE} <= visible
    [callback] = [each for each in app._callback_list if "pace-text" in each["output"]]
    assert [each["id"] for each in callback["inputs"]] == [ids.PROGRESS]
    show = app.callback_map[callback["output"]]["callback"].__wrapped__
    assert show(None, None) == ("No tour yet.", None)
    sentence, last = show(PROGRESS, None)
    assert sentence == "0.00 % above the optimum since 1.5 s."
    assert show({**PROGRESS, "seconds": 9.0}, last) == (sentence, last)


@each_row(("text", "error"), [("", TypeError), ("def layout(): ...", TypeError), (None, ImportError)])
def test_invalid_panel_is_refused_by_name(text, error, tmp_path, monkeypatch):
    if text is not None:
        (tmp_path / "no_panel.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(error, match="no_panel"):
        panels.load(["no_panel"])
    sys.modules.pop("no_panel", None)
