"""Pictures of a colony's trails: stored for scrubbing, not logged, sent newest first, and validated."""

import asyncio
import contextlib
import json
import time

import httpx
import numpy as np
import pytest
import websockets

from data.collection import resolve
from runs.imports import run as imports_run
from runs.imports.frame_checks import check_frame
from runs.store.pheromone import ColonyPicture, Pairing, picture_iteration
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from runs.stream.channel import Channel
from solvers.core.events import Ants, Colony, Field, Individuals, Phases, Population, Shortened, Tabu, Tour
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode, event_frame, instance_frame, split
from tests.clock import PATIENCE
from tests.sqlite_files import change

N, RUN = 14, "abcdefghijkl"
SPEC = {"v": 1, "instance": {"name": "burma14"}, "stages": [{"algorithm": "ant-system", "params": {"iterations": 9}}]}


def field(iteration: int) -> Field:
    edges = np.array([[0, 1], [2, 13]], np.int32)
    heat = np.full((N, N), iteration, np.uint8)
    return Field(iteration, 0.5, 2.0, heat, np.arange(N, dtype=np.int32), edges, np.array([2, 1], np.float32))


def ants(iteration: int) -> Ants:
    return Ants(iteration, np.array([3400, 3323 + iteration]))


def colony(*iterations: int) -> Colony:
    k = len(iterations)
    numbers, mean = np.array(iterations), np.full(k, 2.5)
    return Colony(numbers, numbers, mean, numbers + 9, mean, mean, np.ones((k, 3), np.int64))


def population(*iterations: int) -> Population:
    k = len(iterations)
    numbers, mean = np.array(iterations), np.full(k, 3400.5)
    return Population(numbers, numbers + 3323, mean, numbers + 3500, np.full(k, 20), np.full(k, 0.5))


def individuals(iteration: int) -> Individuals:
    return Individuals(iteration, 9, np.array([3323, 3400]))


def tabu() -> Tabu:
    """The optimal tour of burma14, with one edge of each kind."""
    edge = np.array([[0, 5]], np.int32)
    return Tabu(0, 7, 3323, resolve.load("burma14").optimal_tour, edge, edge)


def phases(*iterations: int) -> Phases:
    return Phases(np.array(iterations), *(np.full(len(iterations), 0.5) for _ in range(4)))


def make_gains(*iterations: int, best: bool = False) -> Shortened:
    k = len(iterations)
    return Shortened(np.array(iterations), np.full(k, 3400.5), np.full(k, 3323.0), np.full(k, np.nan), best)


def optimal() -> Tour:
    """The optimal tour; without it, no length of a file is trusted."""
    return Tour(resolve.load("burma14").optimal_tour, 3323, 0)


def entry(event) -> Entry:
    raw = event_frame(event, 2.0)
    return Entry(2.0, type(event).__name__.lower(), raw, (), picture_iteration(decode(raw)))


EVENTS = [field(0), colony(1), ants(1), field(1), phases(1), colony(2, 3, 4), ants(4), field(4)]


def write_file(path, more=()):
    writer = RunWriter.create(path, RUN, 5.0, json.dumps(SPEC), instance_frame(resolve.load("burma14")))
    writer.append([entry(event) for event in (*EVENTS, *more)])
    state = encode("state", {"state": "finished", "reason": "completed", "at": 3.0}, {})
    writer.append([Entry(3.0, "state", state)], ("finished", "completed"))
    writer.finish()
    return path


@pytest.fixture
def path(tmp_path):
    return write_file(tmp_path / f"{RUN}.tourscope")


def iterations(raw: bytes) -> list[tuple[str, int]]:
    return [(frame.kind, frame.values["iteration"]) for frame in map(decode, split(raw))]


def test_log_has_numbers_without_pictures(path):
    with RunReader(path) as reader:
        kinds = [decode(raw).kind for _, _, raw in reader.log(0, 10**9)]
        assert kinds == ["colony", "phases", "colony", "state"]
        assert reader.last_seq() == 9
        assert reader.field_iterations(0, 9) == [0, 1, 4]
        assert reader.field_iterations(1, 7) == [1]


def test_picture_of_an_iteration_is_the_last_at_or_before_it(path):
    with RunReader(path) as reader:
        assert iterations(reader.pictures_at(0)) == [("field", 0)]
        assert iterations(reader.pictures_at(3)) == [("field", 1), ("ants", 1)]
        assert iterations(reader.pictures_at(10**9)) == [("field", 4), ("ants", 4)]
        assert reader.pictures_at(-1) == b""


def test_file_of_the_first_release_is_readable_without_pictures(path):
    change(path, "DROP TABLE pictures; DELETE FROM events WHERE kind IN ('field', 'ants')")
    with RunReader(path) as reader:
        assert (reader.field_iterations(0, 99), reader.pictures_at(4)) == ([], b"")
        assert [row[0] for row in reader.log(0, 10**9)] == [2, 5, 6, 9]


def test_reading_the_log_uses_the_index_of_every_release(path):
    with RunReader(path) as reader:
        asked = []
        reader._connection.set_trace_callback(asked.append)
        reader.log(2, 10)
        plan = str(reader._connection.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall())
    assert "USING INDEX log" in plan


def test_pictures_are_imported(tmp_path):
    path = write_file(tmp_path / "old", [optimal()])
    imports_run.import_run(path, tmp_path / "new", "ABCDEFGHIJKL")
    with RunReader(path) as old, RunReader(tmp_path / "new") as new:
        assert new.field_iterations(0, 99) == old.field_iterations(0, 99)
        assert iterations(new.pictures_at(4)) == iterations(old.pictures_at(4))
        theirs, ours = (decode(next(split(reader.pictures_at(4)))) for reader in (old, new))
        for name, array in theirs.arrays.items():
            np.testing.assert_array_equal(ours.arrays[name], array)


def test_gain_of_2_opt_is_logged_and_imported(tmp_path):
    answer = [optimal(), make_gains(1, 2), make_gains(3, 4), make_gains(4, best=True)]
    imports_run.import_run(write_file(tmp_path / "old", answer), tmp_path / "new", "ABCDEFGHIJKL")
    with RunReader(tmp_path / "new") as new:
        frames = [decode(raw) for _, _, raw in new.log(0, 10**9)]
    found = [frame for frame in frames if frame.kind == "shortened"]
    assert [(frame.arrays["iteration"].tolist(), frame.values["best"]) for frame in found] == [
        ([1, 2], False), ([3, 4], False), ([4], True),
    ]  # fmt: skip
    assert found[0].arrays["before"].tolist() == [3400.5, 3400.5]
    assert np.isnan(found[2].arrays["milliseconds"]).all()


def change_frame(event, **changes) -> bytes:
    frame = decode(event_frame(event, 2.0))
    values, arrays = dict(frame.values), dict(frame.arrays)
    for name, value in changes.items():
        if name in arrays:
            arrays[name] = np.asarray(value)
        else:
            values[name] = value
    return encode(frame.kind, values, arrays)


DAMAGES = {
    "blocks not square": (field(1), {"heat": np.zeros((4, 5), np.uint8)}),
    "more blocks than cities": (field(1), {"heat": np.zeros((15, 15), np.uint8)}),
    "no blocks": (field(1), {"heat": np.zeros((0, 0), np.uint8)}),
    "heat of another type": (field(1), {"heat": np.zeros((4, 4), np.int32)}),
    "order no tour": (field(1), {"order": np.zeros(N, np.int32)}),
    "edge to no city": (field(1), {"edges": np.array([[0, 14], [2, 3]], np.int32)}),
    "edge below the first city": (field(1), {"edges": np.array([[-1, 1], [2, 3]], np.int32)}),
    "edge to itself": (field(1), {"edges": np.array([[1, 1], [2, 3]], np.int32)}),
    "fewer trails than edges": (field(1), {"trail": np.ones(1, np.float32)}),
    "trails not in order": (field(1), {"trail": np.array([1, 2], np.float32)}),
    "trail below nothing": (field(1), {"trail": np.array([1, -2], np.float32)}),
    "trail no number": (field(1), {"trail": np.array([np.nan, 1], np.float32)}),
    "no range": (field(1), {"low": 3.0}),
    "low is nothing": (field(1), {"low": 0.0}),
    "high is text": (field(1), {"high": "9"}),
    "iteration below nothing": (field(1), {"iteration": -1}),
    "iteration out of bounds": (field(1), {"iteration": 1 << 60}),
    "iteration half": (field(1), {"iteration": 1.5}),
    "ants before the first iteration": (ants(1), {"iteration": 0}),
    "no ants": (ants(1), {"lengths": np.zeros(0, np.int64)}),
    "length below nothing": (ants(1), {"lengths": np.array([-1])}),
    "best above worst": (colony(1), {"best": np.array([99])}),
    "entropy below nothing": (colony(1), {"entropy": np.array([-0.1])}),
    "entropy no number": (colony(1), {"entropy": np.array([np.inf])}),
    "columns of other lengths": (colony(1), {"mean": np.ones(2)}),
    "too many trials": (colony(1), {"trials": np.ones((1, 66), np.int64)}),
    "colony before the first iteration": (colony(1), {"iteration": np.array([0])}),
    "time runs back": (phases(1), {"update": np.array([-1.0])}),
    "population best above worst": (population(1), {"best": np.array([4000])}),
    "population shares more than all": (population(1), {"shared": np.array([1.5])}),
    "population of more edges than there are": (population(1), {"edges": np.array([92])}),
    "population before the first iteration": (population(1), {"iteration": np.array([0])}),
    "tabu edge of an unknown city": (tabu(), {"removed": np.array([[0, 14]], np.int32)}),
    "tabu edge the wrong way round": (tabu(), {"added": np.array([[5, 0]], np.int32)}),
    "tabu search of a tour that visits a city twice": (tabu(), {"order": np.zeros(14, np.int32)}),
    "tabu search before its first step": (tabu(), {"step": -1}),
    "no individuals": (individuals(1), {"lengths": np.zeros(0, np.int64)}),
    "more lengths than individuals": (individuals(1), {"size": 1}),
    "individuals not in order": (individuals(1), {"lengths": np.array([3400, 3323])}),
    "individual of no length": (individuals(1), {"lengths": np.array([-1, 3323])}),
    "individuals before the first iteration": (individuals(1), {"iteration": 0}),
    "2-opt takes less than no time": (make_gains(1), {"milliseconds": np.array([-1.0])}),
    "2-opt takes for ever": (make_gains(1), {"milliseconds": np.array([np.inf])}),
    "2-opt makes longer": (make_gains(1), {"after": np.array([3401.0])}),
    "2-opt of no known length": (make_gains(1), {"before": np.array([np.nan])}),
    "2-opt before the first iteration": (make_gains(1), {"iteration": np.array([0])}),
    "2-opt of some tour": (make_gains(1), {"best": 1}),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_picture_is_refused(damage):
    event, changes = DAMAGES[damage]
    kind = type(event).__name__.lower()
    assert decode(check_frame(decode(event_frame(event, 2.0)), kind, N)).kind == kind
    with pytest.raises(ValueError, match=r"."):
        check_frame(decode(change_frame(event, **changes)), kind, N)


def complete_pictures(*events) -> list[ColonyPicture]:
    """The pictures completed by events."""
    pairing, raws = Pairing(), [event_frame(event, 2.0) for event in events]
    return [picture for raw in raws if (picture := pairing.follow(decode(raw), raw))]


def test_late_field_is_paired_with_the_ants_of_its_iteration():
    found = complete_pictures(field(0), ants(1), ants(2), field(1), ants(3), field(2), field(3), colony(4), field(4))
    answer = [[at for raw in picture.frames() for at in iterations(raw)] for picture in found]
    assert answer == [
        [("field", 0)],
        *([("field", k), ("ants", k)] for k in (1, 2, 3)),
        [("field", 4), ("ants", 3)],
    ]


def test_colony_step_is_a_picture(run_service, until):
    stage = {"algorithm": "ant-system", "params": {"iterations": 100_000, "ants": 2, "variant": "sequential"}}
    run = run_service.start(RunSpec.from_json(SPEC | {"instance": {"name": "pr1002"}, "stages": [stage]}))
    channel = run_service.channel(run)
    until(lambda: channel.picture is not None)
    run_service.command(run, "pause")
    until(lambda: channel.state[0] == "paused")

    def pictured():
        with run_service.open_reader(run) as reader:
            return reader.field_iterations(0, 10**9)

    before = pictured()
    for steps in (1, 2):
        run_service.command(run, "step")
        until(lambda steps=steps: len(pictured()) == len(before) + steps)
        time.sleep(0.2)
        assert pictured()[: len(before)] == before
        assert len(pictured()) == len(before) + steps
    run_service.command(run, "cancel")
    until(lambda: run_service.active_run(run) is None)


@pytest.fixture
def stored_run(run_service):
    path = run_service.home.new_path(RUN)
    if not path.exists():
        write_file(path)
    return RUN


def test_a_picture_is_fetched_by_its_iteration(address, stored_run):
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client:
        assert iterations(client.get(f"/runs/{stored_run}/fields/3").content) == [("field", 1), ("ants", 1)]
        for iteration in ("x", "-1", "1.5", "9" * 16, "..%2f1"):
            assert client.get(f"/runs/{stored_run}/fields/{iteration}").status_code == 404, iteration
        assert client.get("/runs/lkjihgfedcba/fields/1").status_code == 404


async def messages(address, run, *answer, until, patience=PATIENCE):
    """Values and frames of the messages up to the first one that satisfies `until`, or until a pause of this length."""
    found = []
    async with websockets.connect(f"ws://{address}/stream", max_size=None) as stream:
        for each in answer:
            await stream.send(json.dumps({"run": run, **each}))
        with contextlib.suppress(TimeoutError):
            while not (found and until(found[-1])):
                silence = patience if found else PATIENCE
                first, *rest = [decode(part) for part in split(await asyncio.wait_for(stream.recv(), silence))]
                if first.kind == "message":
                    await stream.send(json.dumps({"op": "ack", "message": first.values["message"]}))
                    found.append((first.values, rest))
    return found


def test_log_message_lists_iterations_with_fields(address, stored_run):
    found = asyncio.run(
        messages(address, stored_run, {"op": "open", "after": 0}, until=lambda m: m[0]["what"] == "log")
    )
    values, frames = found[-1]
    assert values["fields"] == [0, 1, 4]
    assert {frame.kind for frame in frames} == {"colony", "phases", "state"}


def test_newest_picture_is_pushed_on_request(address, run_service, stored_run, monkeypatch):
    channel = Channel(("running", ""), 9)
    channel.publish(channel.state, picture=complete_pictures(*EVENTS)[-1])
    monkeypatch.setattr(run_service, "channel", lambda run: channel)
    watching = {"op": "open", "after": 9}, {"op": "field", "on": True}
    found = asyncio.run(messages(address, stored_run, *watching, until=lambda m: m[0]["what"] == "field"))
    values, frames = found[-1]
    assert values["what"] == "field"
    assert [(frame.kind, frame.values["iteration"]) for frame in frames] == [("field", 4), ("ants", 4)]
    silent = asyncio.run(
        messages(address, stored_run, watching[0], until=lambda m: m[0]["what"] == "field", patience=2)
    )
    assert [values["what"] for values, _ in silent] == ["instance", "log"]
