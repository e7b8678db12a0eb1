"""Servers that are killed, conflict with each other or have no GPU, and damaged, old or read-only folders."""

import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import psutil
import pytest

from tests.browser.serving import LOG, ROOT, start_server, stop_server
from tests.clock import PATIENCE, is_within_bound, process_seconds, wait_until
from tests.faults.counts import SHARE, count
from tests.faults.figures import is_within, store_samples
from tests.faults.nothing_lost import digests, lost_events
from tests.faults.visits import POSIX, forks, kill, ready, run_path, serving, start_run, summary
from tests.saved.releases import RELEASES, data_folder
from tests.viewer import Viewer, watch

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(3600)]
posix = pytest.mark.skipif(not POSIX, reason="ends processes by signals")

GONE = "The server ended while this run was going."


def is_well(url: str) -> bool:
    try:
        return httpx.get(f"{url}healthz", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def kill_and_restart(home, times: int, with_workers: bool) -> tuple[list[float], list[float]]:
    """Kill a server repeatedly during a run; return the seconds until the next one answers and until its viewers
    know."""
    chance, back, known, answer = random.Random(15), [], [], {}
    home.mkdir()
    server = start_server(home)
    try:
        with ThreadPoolExecutor() as threads:
            for number in range(times):
                if not number:
                    ready(server)
                run = start_run(server.url, instance=("berlin52", "pr1002")[number % 2])
                viewer = Viewer(server.url, run)
                watching = threads.submit(asyncio.run, viewer.follow(is_interrupted))
                wait_until(lambda viewer=viewer: len(viewer.seen.seqs) > 3)
                time.sleep(chance.uniform(0, 0.5))
                workers, before = forks(server), max(viewer.seen.seqs)
                kill(server, *(workers if with_workers else ()))
                assert workers
                assert not psutil.wait_procs(workers, PATIENCE)[1], "a worker outlives its server"
                began = time.monotonic()
                server = start_server(home, server.port)
                assert is_well(server.url)
                back.append(time.monotonic() - began)
                answer[run] = watching.result()
                known.append(time.monotonic() - began)
                assert answer[run].connections > 1
                assert (answer[run].state, answer[run].reason) == ("interrupted", GONE)
                assert before in answer[run].seqs
                assert not lost_events(run_path(server, run), answer[run])
        for run, seen in answer.items():
            assert summary(server, run)["state"] == "interrupted"
            assert not lost_events(run_path(server, run), seen, watch(server.url, run))
        assert not (home / LOG).read_text().count("Traceback")
    finally:
        stop_server(server)
    return back, known


def is_interrupted(seen) -> bool:
    return seen.state == "interrupted"


@posix
def test_f2_killed_server_recovers_its_run(tmp_path):
    back, known = kill_and_restart(tmp_path / "home", count(2, 50), with_workers=False)
    store_samples("F2", "seconds until the next server answers", back)
    store_samples("F2", "seconds until the viewer is told, without a reload", known)
    assert is_within(back, 5)


@posix
def test_f3_a_server_is_killed_together_with_its_workers(tmp_path):
    back, _ = kill_and_restart(tmp_path / "home", count(1, 20), with_workers=True)
    store_samples("F3", "seconds until the next server answers", back)


def start_refusal(home, *options: str, before=()) -> tuple[str, float]:
    """The message of a server that cannot start, and the seconds until then."""
    command, began = [*before, sys.executable, "app.py", "--home", str(home), *options], time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert not done.stdout
    return done.stderr, time.monotonic() - began


@pytest.mark.parametrize("what", ["a file", "below a file", "read-only"])
def test_f6_read_only_folder_is_reported_in_a_sentence(tmp_path, what):
    (file := tmp_path / "file").touch()
    homes = {"a file": file, "below a file": file / "home", "read-only": tmp_path / "home"}
    before = []
    if what == "read-only":
        if not POSIX:
            pytest.skip("the rights of a folder are other ones")
        (tmp_path / "home").mkdir(mode=0o500)
        if os.geteuid() == 0:  # who may write everywhere, unless that is taken away
            if not (setpriv := shutil.which("setpriv")):
                pytest.skip("root may write everywhere, and setpriv is missing")
            before = [setpriv, "--bounding-set=-dac_override,-dac_read_search"]
    answer, _ = start_refusal(homes[what], "--port", "0", before=before)
    assert answer.startswith(f"The data folder {homes[what]} cannot be used (")
    assert "--home" in answer
    assert "Errno" not in answer


def test_f12_occupied_port_is_reported_at_once_without_traces(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer, seconds = zip(*(start_refusal(tmp_path / "home", "--port", port) for _ in range(3)), strict=True)
    assert all(port in each and "--port" in each for each in answer)
    assert not (tmp_path / "home").exists()
    store_samples("F12", "seconds until a server with a taken port has ended", seconds)
    assert is_within([min(seconds)], 2)


def test_f13_second_server_on_a_folder_is_refused_without_harm(tmp_path):
    with serving(tmp_path / "home") as server:
        run = start_run(server.url)
        seen = watch(server.url, run, lambda seen: len(seen.seqs) > 3)
        answer, _ = start_refusal(server.home, "--port", "0")
        assert "--home" in answer
        more = watch(server.url, run, lambda now: len(now.seqs) > len(seen.seqs) and bool(now.heads))
        assert (more.state, more.reason) == ("running", "")
        stop_server(server)
        assert not lost_events(run_path(server, run), seen, more)


def test_f16_without_a_gpu_a_server_starts_and_says_why_there_is_none(tmp_path):
    began = time.monotonic()
    with serving(tmp_path / "home", CUDA_VISIBLE_DEVICES="") as server:
        took, worked = time.monotonic() - began, process_seconds(server.process.pid)
        seen = watch(server.url, "abcdefghijkl", lambda seen: bool(seen.status.get("devices")))
        [card] = [each for each in seen.status["devices"] if each["kind"] == "cuda"]
        assert (card["available"], bool(card["reason"])) == (False, True)
        run = start_run(server.url, instance="berlin52", climbers=5)
        assert watch(server.url, run).state == "finished"
    store_samples("F16", "seconds until a server without a GPU answers", [took])
    store_samples("F16", "seconds of a processor until then", [worked])
    assert is_within_bound(worked, 5)
    assert not SHARE or took <= 5


def entries(server) -> list[tuple[str, str]]:
    """The library's list, once all files are read."""
    answer = {"pending": 1}
    while answer["pending"]:
        answer = httpx.get(f"{server.url}library/entries", params={"lanes": 1, "limit": 500}, timeout=PATIENCE).json()
    return sorted((entry["key"], entry["state"]) for entry in answer["entries"])


@posix
@pytest.mark.parametrize("damage", ["deleted", "garbage", "cut"])
def test_f21_run_indexes_are_rebuilt_from_files(tmp_path, damage):
    home = tmp_path / "home"
    data_folder(RELEASES[-1], home)
    with serving(home) as server:
        run = start_run(server.url, instance="berlin52", climbers=20)
        seen = watch(server.url, run)
        listed = entries(server)
        assert len(listed) > 3
        kill(server)
    [index] = home.glob("catalogue.sqlite")
    for path in home.glob("catalogue.sqlite*"):
        if damage == "deleted" or path != index:
            path.unlink()
    if damage != "deleted":
        size = index.stat().st_size
        index.write_bytes(os.urandom(size) if damage == "garbage" else index.read_bytes()[: size // 2 + 7])
    with serving(home) as server:
        assert entries(server) == listed
        assert not lost_events(run_path(server, run), seen, watch(server.url, run))


@pytest.mark.parametrize("release", RELEASES)
def test_f22_files_of_earlier_releases_are_opened_and_never_rewritten(tmp_path, release):
    home = tmp_path / "home"
    data_folder(release, home)
    wal = list((home / "runs").glob("*-wal"))
    before = digests(home / "runs"), digests(home / "races")
    with serving(home) as server:
        listed = [key.partition(":")[2] for key, _ in entries(server) if key.startswith("run:")]
        assert listed
        for run in listed:
            seen = watch(server.url, run)
            assert seen.seqs, run
            assert not lost_events(run_path(server, run), seen)
            assert httpx.get(f"{server.url}runs/{run}/result.json", timeout=PATIENCE).status_code in (200, 404)
            json.loads(httpx.get(f"{server.url}runs/{run}", timeout=PATIENCE).text)
    assert not wal
    assert (digests(home / "runs"), digests(home / "races")) == before
