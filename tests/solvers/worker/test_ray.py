"""Workers on Ray, as far as no cluster is needed: options, nodes, a program's host, and its local process."""

import argparse
import contextlib
import io
import shutil

import pytest

from solvers.worker.process import ROOT, WorkerProcess
from solvers.worker.ray import options, worker_actor
from solvers.worker.ray.nodes import parse_nodes
from solvers.worker.ray.options import ClusterRefused
from solvers.worker.ray.process import RayProcess
from tests.tables import each_row


def parse_address(*words):
    parser = argparse.ArgumentParser()
    options.add_options(parser)
    return options.find_cluster_address(parser.parse_args(words))


def test_workers_are_local_unless_a_cluster_is_requested(monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert parse_address() == parse_address("--engine", "process") == ""
    assert parse_address("--engine", "ray") == "auto"
    assert parse_address("--engine", "ray", "--ray-address", "ada:6379") == "ada:6379"
    monkeypatch.setenv("RAY_ADDRESS", "bob:6379")
    assert parse_address("--engine", "ray") == "bob:6379"


@each_row("words", [("--ray-address", "ada:6379"), ("--engine", "ray", "--ray-address", "ray://ada:1")])
def test_impossible_address_is_refused(words):
    with pytest.raises(ClusterRefused, match="--ray-address"):
        parse_address(*words)


def test_reachable_cluster_must_require_a_token(monkeypatch):
    monkeypatch.delenv(options.MODE, raising=False)
    for address in ("127.0.0.1:6379", "localhost:6379", "[::1]:6379"):
        options.check_open(address)
    for address in ("10.0.0.5:6379", "ada.example.org:6379", "0.0.0.0:6379"):
        with pytest.raises(ClusterRefused, match="RAY_AUTH_MODE=token"):
            options.check_open(address)
    monkeypatch.setenv(options.MODE, "disabled")
    with pytest.raises(ClusterRefused, match="can run any code"):
        options.check_open("10.0.0.5:6379")
    monkeypatch.setenv(options.MODE, "token")
    options.check_open("10.0.0.5:6379")


@each_row(
    ("content", "is_refused"),
    [(b"", False), (b"0a1b\n", False), (b"\xff\x00", True), (b"x" * 5000, True), ("ü".encode(), True)]
)  # fmt: skip
def test_f43_token_that_aborts_ray_is_refused(tmp_path, monkeypatch, content, is_refused):
    (tmp_path / "token").write_bytes(content)
    monkeypatch.delenv("RAY_AUTH_TOKEN", raising=False)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    with (
        pytest.raises(ClusterRefused, match=r"ASCII characters\.")
        if is_refused
        else contextlib.nullcontext() as refusal
    ):
        options.check_token()
    assert not is_refused or "xx" not in str(refusal.value)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path))
    options.check_token()  # a folder: Ray says so
    monkeypatch.setenv("RAY_AUTH_TOKEN", "ä")
    with pytest.raises(ClusterRefused, match="RAY_AUTH_TOKEN"):
        options.check_token()


def node(name, alive=True, id="", **resources):
    return {
        "NodeID": id or name,
        "NodeName": name,
        "Alive": alive,
        "NodeManagerAddress": "10.0.0.5",
        "Resources": resources,
    }


def test_nodes_can_have_workers_and_have_unique_names():
    answer = [node("head"), node("b", CPU=4.0, GPU=2.0), node("a", CPU=1.0), node("a", id="z", CPU=8.0)]
    answer += [node("b", alive=False, id="before"), node("gone", alive=False)]
    found = parse_nodes(answer)
    assert [(each.name, each.alive, each.cores, each.gpus) for each in found] == [
        ("a", True, 1, 0), ("a (2)", True, 8, 0), ("b", True, 4, 2), ("gone", False, 0, 0),
    ]  # fmt: skip


def test_program_must_be_identical_to_the_last_byte(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_actor, "FOLDERS", ("solvers/worker",))
    expected = worker_actor.fingerprint(ROOT)
    assert worker_actor.find_program(str(ROOT), expected) == (ROOT, "")
    copy = tmp_path / "solvers" / "worker"
    shutil.copytree(ROOT / "solvers" / "worker", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(worker_actor.importlib.util, "find_spec", lambda name: None)
    assert worker_actor.find_program(str(tmp_path), expected) == (tmp_path, "")
    (copy / "frames.py").write_text((copy / "frames.py").read_text() + "\n")
    place, refusal = worker_actor.find_program(str(tmp_path), expected)
    assert place is None
    assert "another version" in refusal
    place, refusal = worker_actor.find_program(str(tmp_path / "nowhere"), expected)
    assert place is None
    assert "lacks TourScope" in refusal


class RayError(Exception):
    """Replaces Ray's error for an actor that does not respond."""


class FakeRay:
    """The parts of Ray that a process needs: an actor is a `WorkerActor` in its own threads, references are thunks."""

    class exceptions:
        RayError = RayError

    def __init__(self):
        self.actors = []

    def launch(self, dead=False):
        actor = FakeActor(dead)
        self.actors.append(actor)
        return actor, actor.begin.remote(
            str(ROOT), worker_actor.fingerprint(ROOT), "tests.solvers.worker.echo", {}, "id-1"
        )

    @staticmethod
    def get(reference, timeout=None):
        return reference()

    @staticmethod
    def wait(references, timeout=None):
        return references, []

    @staticmethod
    def kill(actor, no_restart=True):
        actor.die()


class FakeActor:
    def __init__(self, dead):
        self.host, self.dead = worker_actor.WorkerActor(), dead

    def die(self):
        self.dead = True
        if self.host._process:
            self.host._process.kill()

    def __getattr__(self, name):
        return FakeMethod(self, name)


class FakeMethod:
    def __init__(self, actor, name):
        self._actor, self._name = actor, name

    def remote(self, *arguments):
        if self._name in ("output", "errors"):
            return self._stream()
        done = not self._actor.dead and self._name != "ended"
        answer = getattr(self._actor.host, self._name)(*arguments) if done else None

        def got():
            if not done and self._actor.dead:
                raise RayError(self._name)
            return answer if done else self._actor.host.ended()

        return got

    def _stream(self):
        if self._actor.dead:
            raise RayError(self._name)
        for piece in getattr(self._actor.host, self._name)():
            yield lambda piece=piece: piece
        if self._actor.dead:
            raise RayError(self._name)


@pytest.fixture
def ray():
    result = FakeRay()
    yield result
    for actor in result.actors:
        actor.die()


def send_echo(process, text):
    process.send(text)
    return process._output.read(len(text))


def test_program_on_a_node_behaves_like_a_local_one(ray):
    process = RayProcess(ray, ray.launch, lambda node: "ada")
    worker = WorkerProcess(process)
    assert send_echo(worker, b"x" * 200_000) == b"x" * 200_000
    assert (process.node, process.poll(), worker.loss_reason) == ("id-1", None, "")
    assert process.pid == ray.actors[0].host._process.pid
    worker.send(b"end 3\n")
    assert worker._output.read() == b""
    assert worker.wait() == 3
    assert worker.error_tail() == "ending"
    assert (worker.loss_reason, ray.actors[0].dead) == ("", True), "its place is free"


def test_error_lines_are_yielded_however_ray_requests_them(ray):
    actor, _ = ray.launch()
    actor.host._process.stderr.close()
    actor.host._process.stderr = io.BytesIO(b"first\nsecond\n")
    answer = actor.host.errors()
    assert (next(answer), answer.send("a value")) == (b"first\n", b"second\n")


def test_killed_worker_is_not_lost(ray):
    process = RayProcess(ray, ray.launch, lambda node: "ada")
    worker = WorkerProcess(process)
    assert send_echo(worker, b"here") == b"here"
    worker.kill()
    assert worker._output.read() == b""
    assert (worker.wait(), worker.loss_reason, worker.alive()) == (-9, "", False)


def test_worker_with_an_unresponsive_actor_is_lost_with_its_node(ray):
    process = RayProcess(ray, ray.launch, lambda node: {"id-1": "ada"}[node])
    worker = WorkerProcess(process)
    assert send_echo(worker, b"here") == b"here"
    ray.actors[0].die()
    assert worker._output.read() == b""
    assert (worker.wait(), worker.loss_reason) == (-9, "The node ada was lost.")
    assert len(ray.actors) == 1


def test_unstarted_worker_is_relaunched_with_its_input(ray):
    launches = iter([True, True, False])
    process = RayProcess(ray, lambda: ray.launch(next(launches)), lambda node: "ada")
    process.stdin.write(b"first ")
    worker = WorkerProcess(process)
    worker.send(b"second")
    assert worker._output.read(12) == b"first second"
    assert (worker.loss_reason, len(ray.actors)) == ("", 3)
    worker.kill()


def test_worker_that_never_starts_is_given_up(ray):
    process = RayProcess(ray, lambda: ray.launch(dead=True), lambda node: "ada")
    worker = WorkerProcess(process)
    assert worker._output.read() == b""
    assert worker.loss_reason == "A node of the cluster was lost."
    assert worker.wait() == -9


def test_node_with_another_version_says_so(ray, monkeypatch):
    monkeypatch.setattr(worker_actor, "find_program", lambda *_: (None, "The node ada lacks TourScope."))
    process = RayProcess(ray, ray.launch, lambda node: "ada")
    worker = WorkerProcess(process)
    assert worker._output.read() == b""
    assert worker.wait() == 1
    assert (worker.refusal, worker.loss_reason) == ("The node ada lacks TourScope.", "")
