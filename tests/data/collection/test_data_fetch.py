"""Downloads from a local server: the stored file, or one sentence if nothing was stored."""

import gzip
import http.server
import sys
import threading
from dataclasses import replace
from typing import ClassVar

import pytest

from data.__main__ import main
from data.collection import fetch as fetching
from data.collection.optima import known_optima
from data.collection.resolve import instance_list, load
from data.generators import uniform
from data.tsplib.instances import write

# Stands in for one of TSPLIB's: its numbers are made known under a name that can be fetched.
STAND_IN = replace(uniform(30, 7), name="pr2392", comment="a stand-in")


class QuietServer(http.server.ThreadingHTTPServer):
    """Does not report clients that close the connection once they have read enough."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Server(http.server.BaseHTTPRequestHandler):
    """Serves `body` at the one valid address."""

    body = b""
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        self.asked.append(self.path)
        found = self.path == "/tsp/pr2392.tsp.gz"
        self.send_response(200 if found else 404)
        self.end_headers()
        if found:
            self.wfile.write(self.body)

    def log_message(self, *arguments):
        """Write nothing to the tests' output."""


@pytest.fixture(scope="module")
def address():
    with QuietServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/tsp"
        server.shutdown()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_DATA", str(tmp_path / "mine"))
    monkeypatch.setitem(known_optima(), "pr2392", {**known_optima()["pr2392"], "n": 30, "sha256": STAND_IN.sha256})
    monkeypatch.setattr(Server, "body", gzip.compress(write(STAND_IN).encode()))
    monkeypatch.setattr(Server, "asked", [])
    return tmp_path / "mine"


def read_refusal(capsys, *arguments) -> str:
    assert main(["fetch", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_fetched_instance_is_listed(address, folder, capsys):
    assert main(["fetch", "pr2392", "--from", address]) == 0
    assert str(folder / "pr2392.tsp") in capsys.readouterr().out
    card = next(card for card in instance_list() if card.source == "folder")
    assert (card.name, card.n, card.optimum, card.comment) == ("pr2392", 30, 378032, "TSPLIB 95: a stand-in")
    assert load("pr2392").sha256 == STAND_IN.sha256
    assert [path.name for path in folder.iterdir()] == ["pr2392.tsp"]
    assert "exists already" in read_refusal(capsys, "pr2392", "--from", address)
    assert len(Server.asked) == 1


def test_another_folder_can_be_named(address, tmp_path, capsys):
    assert main(["fetch", "pr2392", "--from", f"{address}/", "--to", str(tmp_path / "there")]) == 0
    assert "TOURSCOPE_DATA" in capsys.readouterr().out
    assert (tmp_path / "there" / "pr2392.tsp").is_file()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (gzip.compress(write(uniform(30, 8)).encode()), "differs from TSPLIB's"),
        (b"<html>not here</html>", "is invalid"),
        (gzip.compress(write(STAND_IN).encode())[:-20], "is invalid"),
        (gzip.compress(bytes(17_000_000), 1), "larger than 16 MB"),
        (bytes(17_000_000), "larger than 16 MB"),
        (b"", "is empty"),
    ],
    ids=["another", "a page", "cut", "bomb", "large", "empty"],
)
def test_different_file_is_discarded(body, words, address, folder, capsys, monkeypatch):
    monkeypatch.setattr(Server, "body", body)
    assert words in read_refusal(capsys, "pr2392", "--from", address)
    assert not folder.exists()


def test_missing_network_is_reported_in_one_sentence(address, folder, capsys, monkeypatch):
    assert "cannot be reached" in read_refusal(capsys, "pr2392", "--from", "http://127.0.0.1:9/tsp")
    assert "status 404" in read_refusal(capsys, "d18512", "--from", address)
    assert "http://" in read_refusal(capsys, "pr2392", "--from", "file:///etc")
    monkeypatch.setattr(fetching, "_MAX_SECONDS", 0.0)
    assert "not done after" in read_refusal(capsys, "pr2392", "--from", address)
    assert not folder.exists()


def test_only_known_names_are_requested(address, capsys):
    output = read_refusal(capsys, "../../pr2392", "--from", address)
    assert all(name in output for name in ("gr96", "usa13509", "d18512"))
    assert "bundled" in read_refusal(capsys, "berlin52", "--from", address)
    assert Server.asked == []


def test_read_only_folder_is_reported(address, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert "--to" in read_refusal(capsys, "pr2392", "--from", address, "--to", str(tmp_path / "file"))
