"""The WebSocket with a real client: the log is complete without repeats, and clients must acknowledge to get more."""

import asyncio
import contextlib
import json
import time

import httpx
import pytest
import websockets

from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from solvers.worker.frames import decode, split
from tests.clock import PATIENCE
from tests.runs.climbs import read_climb

pytestmark = pytest.mark.slow


@pytest.fixture
def finished_run(run_service, make_spec, until):
    run = run_service.start(make_spec(climbers=200))
    until(lambda: run_service.active_run(run) is None)
    return run


@contextlib.asynccontextmanager
async def connect_stream(address):
    async with websockets.connect(f"ws://{address}/stream", max_size=None) as stream:
        yield stream


async def next_frames(stream, timeout=PATIENCE):
    return [decode(part) for part in split(await asyncio.wait_for(stream.recv(), timeout))]


async def say(stream, **answer):
    await stream.send(json.dumps(answer))


async def read_log(address, run, after=0, messages=None):
    """Sequence numbers and frames of a run's log until its end, or of this many messages."""
    seqs, frames = [], []
    async with connect_stream(address) as stream:
        await say(stream, op="open", run=run, after=after)
        while messages is None or messages > 0:
            message, *rest = await next_frames(stream)
            if message.kind != "message":
                continue
            await say(stream, op="ack", message=message.values["message"])
            if message.values["what"] == "log":
                messages = messages and messages - 1
                assert len(message.values["seqs"]) == len(message.values["ats"]) == len(rest)
                seqs += message.values["seqs"]
                frames += rest
                if any(frame.kind == "state" and frame.values["state"] in FINAL for frame in rest):
                    break
    return seqs, frames


def on_disk(run_service, run):
    with RunReader(run_service.path(run)) as reader:
        return [row[0] for row in reader.log(0, 10**9)]


async def test_connection_starts_with_the_status(address):
    async with connect_stream(address) as stream:
        (status,) = await next_frames(stream)
        assert status.kind == "status"
        assert {device["kind"] for device in status.values["devices"]} == {"cpu", "cuda", "mpi"}


def test_log_arrives_completely_during_a_run(run_service, address, make_spec):
    run = run_service.start(make_spec("pr1002", 1_000_000, budget={"seconds": 1.0}))
    seqs, frames = asyncio.run(read_log(address, run))
    assert seqs == on_disk(run_service, run)
    # A worker that is slow to take the run on is said to compile before it says so itself.
    assert list(dict.fromkeys(frame.kind for frame in frames))[:3] == ["state", "compiling", "started"]
    assert not {frame.kind for frame in frames} & {"moves", "edges"}


def test_returning_viewer_misses_nothing_and_gets_nothing_twice(run_service, address, make_spec):
    run = run_service.start(make_spec(climbers=1_000_000, budget={"seconds": 1.2}))
    seqs = []
    for _ in range(3):
        seqs += asyncio.run(read_log(address, run, seqs[-1] if seqs else 0, messages=1))[0]
    seqs += asyncio.run(read_log(address, run, seqs[-1]))[0]
    assert seqs == on_disk(run_service, run)


def test_viewer_of_all_heads_gets_intermediate_ones_in_order(run_service, address, make_spec):
    run = run_service.start(make_spec(climbers=1_000_000))

    async def read_heads(whole, enough):
        found = []
        async with connect_stream(address) as stream:
            await say(stream, op="open", run=run, after=0)
            await say(stream, op="head", run=run, on=True, every=0.2, all=whole)
            while not enough(found):
                message, *rest = await next_frames(stream)
                if message.kind == "message":
                    await say(stream, op="ack", message=message.values["message"])
                    if message.values["what"] == "head":
                        found.append([frame.values["elapsed"] for frame in rest])
        return found

    every = asyncio.run(read_heads(True, lambda found: len(found) > 3 and max(map(len, found)) > 1))
    newest = asyncio.run(read_heads(False, lambda found: len(found) > 3))
    run_service.command(run, "cancel")
    moments = [at for found in every for at in found]
    assert moments == sorted(moments)
    assert [len(found) for found in newest] == [1] * len(newest)


async def test_instance_is_sent_once_and_heads_are_tours(run_service, address, make_spec):
    run = run_service.start(make_spec("pr1002", 1_000_000))
    began = time.monotonic()

    kinds = []
    async with connect_stream(address) as stream:
        await say(stream, op="open", run=run, after=0)
        while "finished" not in kinds:
            message, *rest = await next_frames(stream)
            kinds += [frame.kind for frame in rest]
            if message.kind == "message":
                await say(stream, op="ack", message=message.values["message"])
                if message.values["what"] == "instance":
                    assert message.values["spec"]["instance"] == {"name": "pr1002"}
                if message.values["what"] == "head":
                    assert sorted(rest[0].arrays["order"]) == list(range(1002))
                    if kinds.count("head") == 15:
                        run_service.command(run, "cancel")
    assert kinds.count("instance") == 1
    assert 15 <= kinds.count("head") <= 30 * (time.monotonic() - began) + 1


async def test_viewer_without_acknowledgements_gets_two_messages(run_service, address, make_spec, until):
    run = run_service.start(make_spec("pr1002", 1_000_000, budget={"seconds": 1.5}))

    numbered = 0
    async with connect_stream(address) as stream:
        await say(stream, op="open", run=run, after=0)
        with contextlib.suppress(TimeoutError):
            while True:
                timeout = PATIENCE if numbered < 2 else 1.5
                numbered += (await next_frames(stream, timeout))[0].kind == "message"
        await asyncio.to_thread(until, lambda: run_service.active_run(run) is None)
        with contextlib.suppress(TimeoutError):
            while True:
                numbered += (await next_frames(stream, 0.5))[0].kind == "message"
    assert numbered == 2
    assert run_service.channel(run).state == ("finished", "time")


async def test_heads_can_be_turned_off(address, run_service, make_spec):
    run = run_service.start(make_spec("pr1002", 1_000_000, budget={"seconds": 0.7}))

    heads = 0
    async with connect_stream(address) as stream:
        await say(stream, op="open", run=run, after=0)
        await say(stream, op="head", run=run, on=False)
        await say(stream, op="open", run="", after=0)  # what is said is done in its order: now they are off
        state = ""
        while state not in FINAL:
            message, *_ = await next_frames(stream)
            heads *= message.kind != "refused"
            if message.kind == "message":
                await say(stream, op="ack", message=message.values["message"])
                heads += message.values["what"] == "head"
                state = message.values["state"]
    assert heads == 0


@pytest.mark.parametrize("run", ["abcdefghijkl", "../../x", ""])
async def test_missing_run_is_refused(address, run):
    async with connect_stream(address) as stream:
        await say(stream, op="open", run=run, after=0)
        while (frame := (await next_frames(stream))[0]).kind != "refused":
            continue
        assert frame.values == {"run": run, "sentence": "There is no such run."}


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "5", '{"op": "open"}', '{"op": "ack", "message": "x"}', '{"op": "ack", "message": 1e999}',
        '{"op": "open", "run": "abcdefghijkl", "after": 1e999}', '{"op": "open", "run": "x", "after": -1}',
        f'{{"op": "open", "run": "x", "after": {10**30}}}', "[" * 100_000, b"\x00\xff",
        '{"op": "open", "run": "\\ud800", "after": 0}',
    ],
    ids=[
        "half", "list", "number", "no run", "no number", "infinite", "infinite after", "before", "far", "deep", "bytes",
        "half a pair",
    ],
)  # fmt: skip
def test_nonsense_closes_the_connection_without_a_log_entry(address, text, caplog):
    async def talk():
        async with connect_stream(address) as stream:
            await stream.send(text)
            while True:
                await next_frames(stream)

    with pytest.raises(websockets.ConnectionClosed) as closed:
        asyncio.run(talk())
    assert closed.value.rcvd.code == 1003
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_downloads_of_a_run(run_service, address, finished_run):
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client:
        assert client.get(f"/runs/{finished_run}").json()["state"] == "finished"
        climb = decode(client.get(f"/runs/{finished_run}/climbs/5").content)
        assert (climb.kind, climb.values["climber"], climb.values["complete"]) == ("climb", 5, True)
        gif = client.get(f"/runs/{finished_run}/climbs/5.gif")
        assert gif.content.startswith(b"GIF89a")
        assert 'filename="berlin52-two-opt-climb-6.gif"' in gif.headers["content-disposition"]
        tour = client.get(f"/runs/{finished_run}/best.tour")
        assert "TOUR_SECTION" in tour.text
        best = client.get(f"/runs/{finished_run}/result.json").json()["length"]
        assert tour.headers["content-disposition"] == f'attachment; filename="berlin52-two-opt-{best}.tour"'
        table = client.get(f"/runs/{finished_run}/climbers.csv").text.splitlines()
        assert table[0] == "climber,length,gap_percent,moves,evaluations,seconds"
        assert [line.split(",")[0] for line in table[1:]] == [str(climber) for climber in range(1, 201)]
        assert client.get(f"/runs/{finished_run}/rows.csv").text.splitlines() == table
        result = client.get(f"/runs/{finished_run}/result.json").json()
        assert (result["instance"], result["n"], result["stop_reason"]) == ("berlin52", 52, "completed")
        saved = client.get(f"/runs/{finished_run}/run.tourscope").content
        visible = decode(client.get("/instance", params={"ref": '{"name": "berlin52"}'}).content)
        assert visible.values["optimum"] == 7542
        again = client.post("/runs", content=saved).json()["id"]
    assert again != finished_run
    assert run_service.summary(again)["recorded"] == 200
    assert read_climb(run_service, again, 5) == read_climb(run_service, finished_run, 5)


def test_missing_things_give_404_and_wrong_ones_400(address, finished_run):
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client:
        climbs = f"runs/{finished_run}/climbs"
        paths = [f"{climbs}/{climber}" for climber in ("999", "-1", "x", "99999999999")]
        for path in ("runs/x", "runs/abcdefghijkl", "runs/..%2f..%2fetc/best.tour", *paths):
            assert client.get(f"/{path}").status_code == 404, path
        for reference in ("", "5", "{}", '{"name": "no such"}', '{"sha256": "x"}', '{"name": 5}'):
            assert client.get("/instance", params={"ref": reference}).status_code == 400, reference


async def test_status_counts_active_runs(run_service, address, make_spec, until):
    until(lambda: run_service.status() == run_service.status() | {"runs": 0, "spare": "ready"})

    async with connect_stream(address) as stream:
        assert (await next_frames(stream))[0].values["runs"] == 0
        run = await asyncio.to_thread(run_service.start, make_spec("pr1002", 1_000_000))
        now = {}
        while (now.get("runs"), now.get("spare")) != (1, "ready"):
            now = (await next_frames(stream))[0].values
        run_service.command(run, "cancel")
        while (now["runs"], now["spare"]) != (0, "ready"):  # for as long as it takes: the end is told by itself
            now = (await next_frames(stream))[0].values
