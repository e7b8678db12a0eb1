"""A standalone run: its packed contents, its file, and the sites that may frame it."""

import asyncio
import base64
import hashlib
import json
import re
import sqlite3
import sys
import zlib

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from commands.main import main
from components.embed import __main__ as program
from components.embed.document import PageRecorder, build_document
from components.embed.script import build_player, build_sheet
from runs.embedding.parts import pack
from runs.embedding.run import order_evenly, pack_run
from runs.store.climb import build_climb_frame
from runs.store.reader import RunReader
from runs.web.framing import Framing, is_origin, make_framed_pattern
from runs.web.guard import Guard, GuardConfig
from runs.web.join_codes import JoinCodes
from runs.web.options import parse_options
from solvers.worker.frames import Frame, decode, encode
from tests.assets.node import evaluate
from tests.runs.served import BASE, serving
from tests.saved.releases import RELEASES, unpack
from tests.tables import each_row

MODULES = ("assets/common/frames.js", "assets/embed/planes.js")
UNPACK = (
    "({ frames, restoreFrames }, buffer) => "
    "frames.split(restoreFrames(buffer)).map(({ kind, arrays }) => [kind, arrays])"
)
SITE = "https://www.example.org"
FRAMED = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}


@pytest.fixture(scope="module")
def two_opt(tmp_path_factory):
    """A run file whose climbs consist of moves."""
    return unpack(RELEASES[0], "runs/two-opt-cpu.tourscope", tmp_path_factory.mktemp("run") / "run.tourscope")


@pytest.fixture(scope="module")
def ants(tmp_path_factory):
    """A run file with pheromone."""
    return unpack(RELEASES[0], "runs/max-min-none.tourscope", tmp_path_factory.mktemp("run") / "run.tourscope")


def read_part(run, name: str) -> bytes:
    at, size = run.parts.places[name]
    return zlib.decompress(run.parts.block()[at : at + size])


def embedded_data(html: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])


def test_page_reads_packed_arrays_unchanged():
    arrays = {
        "i": np.array([[1, -2], [70_000, 4]], np.int32), "at": np.array([0.5, -1e300]), "none": np.zeros(0, np.int64),
        "heat": np.arange(5, dtype=np.uint8), "orders": np.array([1, 40_000], np.uint16),
    }  # fmt: skip
    frames = [Frame("one", {"name": "x"}, arrays), Frame("two", {}, {"trail": np.array([0.25], np.float32)})]
    read = evaluate(MODULES, UNPACK, zlib.decompress(pack(frames)))
    assert read == [
        [each.kind, {name: array.ravel().tolist() for name, array in each.arrays.items()}] for each in frames
    ]


def test_climb_is_complete_with_its_first_tour(two_opt):
    run = pack_run(two_opt)
    with RunReader(two_opt) as reader:
        assert run.values["held"] == reader.count_recorded_climbs() == len(reader.recorded_climbers())
        whole = decode(build_climb_frame(0, reader.climb(0)))
    [[kind, arrays]] = evaluate(MODULES, UNPACK, read_part(run, "climbs/0"))
    assert kind == "climb"
    assert arrays["i"] == whole.arrays["i"].tolist()
    assert arrays["delta"] == whole.arrays["delta"].tolist()
    assert arrays["tours"] == whole.arrays["tours"][0].tolist()


def test_best_climb_comes_first_if_space_is_short(two_opt):
    run = pack_run(two_opt, max_bytes=1)
    with RunReader(two_opt) as reader:
        best = decode(reader.last("tour")).values["climber"]
    assert [name for name in run.parts.places if name.startswith("climbs/")] == [f"climbs/{best}"]
    assert run.values["climbers"] > run.values["held"] == 1


def test_pheromone_pictures_are_included(ants):
    run = pack_run(ants)
    first = run.values["fields"][0]
    [[kind, arrays]] = evaluate(MODULES, UNPACK, read_part(run, f"fields/{first}"))
    assert kind == "field"
    assert len(arrays["edges"]) == 2 * len(arrays["trail"]) > 0


@each_row("count", [0, 1, 2, 7, 100])
def test_selection_is_evenly_spread_at_any_cut(count):
    wanted = list(range(10, 10 + count))
    order = list(order_evenly(wanted, [13, 5]))
    assert sorted(order) == wanted
    if count == 100:
        assert order[:3] == [13, 10, 109]
        assert max(np.diff(sorted(order[:20]))) < 15


def test_file_may_run_only_its_own_script_and_load_nothing(two_opt):
    html = build_document(two_opt)
    [script] = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest}';" in policy
    assert "unsafe" not in policy
    assert not re.search(
        r"\beval\(|new Function|\bfetch\(|WebSocket|XMLHttpRequest|await import\(|import\.meta", script
    )
    assert {*re.findall(r"https?://[\w./]+", html)} == {"http://www.w3.org/2000/svg"}


def test_untrusted_names_stay_text(two_opt, tmp_path):
    name = "</script><script>alert(1)</script><!--"
    path = tmp_path / "run.tourscope"
    path.write_bytes(two_opt.read_bytes())
    connection = sqlite3.connect(path)
    frame = decode(connection.execute("SELECT instance FROM run").fetchone()[0])
    changed = encode("instance", {**frame.values, "name": name}, frame.arrays)
    spec = json.loads(connection.execute("SELECT spec FROM run").fetchone()[0])
    spec["stages"][-1]["algorithm"] = name
    connection.execute("UPDATE run SET instance = ?, spec = ?", (changed, json.dumps(spec)))
    connection.commit()
    connection.close()
    html = build_document(path)
    assert html.count("<script") == html.count("</script>") == 2
    assert "alert(1)</" not in html
    assert embedded_data(html)["embedded"]["run"]["spec"]["stages"][-1]["algorithm"] == name


def test_sheet_and_script_stay_within_the_runs_element():
    assert not re.search(r":root\b|\bhtml\b", build_sheet())
    assert build_player().count("const common_host_root_js = { root: () => root };") == 1
    assert "embed_source_js = (()" not in build_player(), "a module that stands for another is there once, by its name"


def test_command_line_writes_the_run_as_a_page(tmp_path, capsys):
    file = tmp_path / "run.html"
    values = ["run", "burma14", "greedy", "--html", str(file)]
    assert main(values, record=PageRecorder) == 0
    text = embedded_data(file.read_text())["embedded"]
    assert text["run"]["state"] == "finished"
    assert "climbs/0" in text["parts"]
    capsys.readouterr()


def test_saved_run_becomes_a_page(two_opt, tmp_path, monkeypatch, capsys):
    file = tmp_path / "run.html"
    monkeypatch.setattr(sys, "argv", ["embed", str(two_opt), str(file)])
    assert program.main() == 0
    assert embedded_data(file.read_text())["embedded"]["run"]["held"] > 0
    damaged = tmp_path / "damaged.tourscope"
    damaged.write_bytes(b"SQLite format 3\0 and no more")
    monkeypatch.setattr(sys, "argv", ["embed", str(damaged), str(tmp_path / "none.html")])
    assert program.main() == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "none.html").exists()


def guard_client(origins: tuple[str, ...], code: str = "") -> TestClient:
    async def page(_request) -> HTMLResponse:
        return HTMLResponse("x")

    paths = ("/runs/abcdefghijkl/embed", "/runs/abcdefghijkl/run.html", "/runs/abcdefghijkl/embed/x", "/")
    codes = JoinCodes(code, "the host's", b"key") if code else None
    config = GuardConfig(framing=Framing(origins, make_framed_pattern("/")))
    guard = Guard(Starlette(routes=[Route(path, page) for path in paths]), "127.0.0.1", codes, config)
    return TestClient(guard, base_url="http://127.0.0.1:8050")


def test_framing_is_refused_unless_the_host_allows_it():
    answer = guard_client(()).get("/runs/abcdefghijkl/embed", headers=FRAMED)
    assert answer.status_code == 403
    assert answer.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_allowed_sites_may_frame_only_runs():
    client = guard_client((SITE, "http://localhost:9000"), code="secret")
    answer = client.get("/runs/abcdefghijkl/embed", headers=FRAMED)
    assert answer.status_code == 200, "without the join code, which the frame of another site cannot have"
    assert answer.headers["content-security-policy"] == f"frame-ancestors 'self' {SITE} http://localhost:9000"
    assert "x-frame-options" not in answer.headers
    for path in ("/runs/abcdefghijkl/run.html", "/runs/abcdefghijkl/embed/x", "/"):
        other = client.get(path, headers=FRAMED)
        assert other.status_code == 403
        assert other.headers["x-frame-options"] == "DENY"
    script = {**FRAMED, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
    assert client.get("/runs/abcdefghijkl/embed", headers=script).status_code == 403
    assert client.post("/runs/abcdefghijkl/embed", headers=FRAMED).status_code == 403


@each_row("site", ["https://a.example; script-src *", "*", "https://", "example.org", "https://x/y", "'self'"])
def test_invalid_origin_is_refused_at_startup(site, monkeypatch, capsys):
    assert is_origin(SITE)
    monkeypatch.setattr(sys, "argv", ["app.py", "--embed", site])
    with pytest.raises(SystemExit):
        parse_options()
    assert "is not the origin of a site" in capsys.readouterr().err


@pytest.mark.slow
def test_server_serves_the_page_of_a_run(tmp_path, monkeypatch):
    with serving(tmp_path, monkeypatch) as served:
        answer = asyncio.run(served.ask("GET", f"{BASE}runs/{served.run}/run.html"))
        missing = asyncio.run(served.ask("GET", f"{BASE}runs/aaaaaaaaaaaa/embed"))
    assert answer.status == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="berlin52-two-opt.html"'
    assert embedded_data(answer.body.decode())["embedded"]["run"]["id"] == served.run
    assert missing.status == 404
