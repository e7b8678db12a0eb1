"""Races: lanes take turns and have their own clocks, and a race file is imported unchanged or not at all."""

import io
import json
import threading
import time
import zipfile
from itertools import pairwise

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from runs.races import scheduler, unpack
from runs.races.errors import NoSuchRace
from runs.races.file import MANIFEST
from runs.races.routes import add_race_routes
from runs.races.scheduler import RaceScheduler
from runs.races.service import RaceService
from runs.races.spec import RaceSpec
from runs.service import ActiveRun, RunIsLane, RunService
from runs.store.reader import RunReader
from runs.web.routes import add_routes
from solvers.core.errors import DeviceUnavailable
from solvers.worker.frames import decode
from tests.clock import PATIENCE
from tests.runs.scripted import ScriptedEngine

pytestmark = pytest.mark.slow

TWO_OPT = {"stages": [{"algorithm": "two-opt", "params": {"climbers": 1_000_000}}]}
THEN = {"stages": [{"algorithm": "nearest-neighbour"}, *TWO_OPT["stages"]]}
GREEDY = {"stages": [{"algorithm": "greedy"}]}


def make_spec(*lanes, seconds=0.8, instance="kroA200"):
    race = {"v": 1, "instance": {"name": instance}, "lanes": list(lanes), "budget": {"seconds": seconds}}
    return RaceSpec.from_json(race)


class Machine:
    """Runs that each take this many seconds on their own clocks, which stop outside their turns."""

    def __init__(self, **seconds):
        self.left, self.done = dict(seconds), dict.fromkeys(seconds, 0.0)
        self.since, self.order, self.together, self.spread = {}, [], 0, 0.0
        self.lock = threading.Lock()
        self.now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        with self.lock:
            self.now += seconds
            self._count()
            going = [done for run, done in self.done.items() if done < self.left[run]]
            self.spread = max([self.spread, *(max(going) - done for done in going)])

    def send_command(self, run, command):
        with self.lock:
            self._count()
            if command == "resume" and self.left[run] > self.done[run]:
                self.since[run] = self.now
                self.order.append(run)
                self.together = max(self.together, len(self.since))
            elif command in ("pause", "cancel"):
                self.since.pop(run, None)
            if command == "cancel":
                self.left[run] = 0.0

    def _count(self):
        for run, since in list(self.since.items()):
            self.done[run] += self.now - since
            self.since[run] = self.now
            if self.done[run] >= self.left[run]:
                del self.since[run]

    def active_run(self, run):
        with self.lock:
            self._count()
            over = self.done[run] >= self.left[run]
            return None if over else ActiveRun("running" if run in self.since else "paused", True, self.done[run])

    def status(self):
        return {"spare": "ready"}


@pytest.fixture
def start_turns(monkeypatch):
    """Starts turns on a machine's clock; returns the scheduler and an event that is set at their end."""

    def begin(machine):
        over = threading.Event()
        monkeypatch.setattr(scheduler, "time", machine)
        turns = RaceScheduler(machine, list(machine.left), over.set)
        turns.start()
        return turns, over

    return begin


def test_one_lane_runs_at_a_time_and_none_falls_behind(start_turns):
    machine = Machine(a=3.0, b=3.0, c=1.0)
    _, over = start_turns(machine)
    assert over.wait(PATIENCE)
    assert machine.together == 1
    assert len(machine.order) > 3 + 3.0 / scheduler.TURN, "in turns"
    assert machine.spread < 1.2 * scheduler.TURN
    assert all(machine.active_run(run) is None for run in "abc")


def test_race_stops_while_paused_and_continues(start_turns, until):
    machine = Machine(a=1e9, b=1e9)
    turns, over = start_turns(machine)
    until(lambda: len(machine.order) > 3)
    turns.command("pause")
    until(lambda: not machine.since)
    before = dict(machine.done)
    time.sleep(0.15)
    assert turns.paused
    assert machine.done == before
    assert not machine.since
    turns.command("resume")
    until(lambda: machine.done["a"] > before["a"] and machine.done["b"] > before["b"])
    turns.command("cancel")
    assert over.wait(PATIENCE)


def test_cancelled_race_ends_and_pauses_nobody_afterwards(start_turns, until):
    machine = Machine(a=1e9, b=1e9)
    turns, over = start_turns(machine)
    until(lambda: len(machine.order) > 3)
    turns.command("pause")
    turns.command("cancel")
    assert over.wait(PATIENCE)


@pytest.fixture(scope="module")
def races(run_service):
    return RaceService(run_service)


@pytest.fixture(scope="module")
def finished_race(races, until):
    """A finished race: one lane has two stages, another one ends early."""
    race = races.start(make_spec(THEN, GREEDY))
    until(lambda: races.state(race.id) == "over")
    until(lambda: not any(races.run_service.active_run(run) for run in race.runs))
    return race


def test_each_lane_has_its_budget_on_its_own_clock(races, finished_race):
    first, second = (races.run_service.summary(run) for run in finished_race.runs)
    assert (first["state"], first["reason"], second["state"]) == ("finished", "time", "finished")
    with RunReader(races.run_service.path(finished_race.runs[0])) as reader:
        end = decode(reader.last("finished")).values
        answer = [decode(raw).arrays["elapsed"] for raw in reader.all_frames(("progress",))]
    assert end["seconds"] >= 0.8
    assert sum(each.size > 0 and each[0] >= 0.8 for each in answer) <= 1, (
        "it ends with the piece of work that reaches it"
    )


def test_clocks_stop_during_others_turns(races, until, monkeypatch):
    monkeypatch.setattr(scheduler, "TURN", 0.05)  # on a busy machine they take longer
    monkeypatch.setattr(scheduler, "_PAUSE_TIMEOUT", PATIENCE)
    race = races.start(make_spec(TWO_OPT, THEN, seconds=1.0))
    until(lambda: races.state(race.id) == "over")
    spans = []
    for run in race.runs:
        with RunReader(races.run_service.path(run)) as reader:
            moments = [decode(raw).values for raw in reader.all_frames(("state",))]
        spans.append([(each["state"], each["at"]) for each in moments])
    going = []
    for entry in spans:
        going.append([(at, end) for (name, at), (_, end) in pairwise(entry) if name == "running"][1:])
    overlaps = [min(b, d) - max(a, c) for a, b in going[0] for c, d in going[1]]
    assert len(going[0]) > 2
    assert max(overlaps) < 0.05


def test_only_its_race_controls_a_lane_which_sends_no_pictures(races, until):
    ants = {"stages": [{"algorithm": "ant-system", "params": {"iterations": 20}}]}
    race = races.start(make_spec(ants, GREEDY, seconds=60))
    for entry in ("pause", "resume", "step"):
        with pytest.raises(RunIsLane, match="lane of a race"):
            races.run_service.command(race.runs[0], entry)
    until(lambda: races.state(race.id) == "over")
    until(lambda: not any(races.run_service.active_run(run) for run in race.runs))
    races.run_service.command(race.runs[0], "resume")
    with RunReader(races.run_service.path(race.runs[0])) as reader:
        assert list(reader.all_frames(("colony",)))
        assert not list(reader.all_frames(("field", "ants")))


def test_one_race_at_a_time(races, until):
    race = races.start(make_spec(TWO_OPT, TWO_OPT, seconds=60))
    with pytest.raises(DeviceUnavailable, match="Another race"):
        races.start(make_spec(TWO_OPT, TWO_OPT))
    races.command(race.id, "cancel")
    until(lambda: races.state(race.id) == "over")
    until(lambda: all(races.run_service.summary(run)["state"] == "cancelled" for run in race.runs))


def test_finished_run_or_race_delays_nobody_while_its_worker_exits(tmp_path, until):
    run_service = RunService(tmp_path, ScriptedEngine)
    races, handles = RaceService(run_service), run_service.engine.handles
    first = races.start(make_spec(TWO_OPT, TWO_OPT))
    with pytest.raises(DeviceUnavailable, match="Another race"):
        races.start(make_spec(TWO_OPT, TWO_OPT))
    for handle in handles:
        handle.gone.clear()
        handle.finish(10_000, 200)
    until(lambda: all(run_service.channel(run).state[0] == "finished" for run in first.runs))
    assert set(run_service.active_runs()) == set(first.runs)
    assert run_service.status()["runs"] == 0
    second = races.start(make_spec(TWO_OPT, TWO_OPT))
    assert second.machine_was_idle
    races.command(second.id, "cancel")
    until(lambda: all(run_service.channel(run).state[0] == "cancelled" for run in second.runs))
    for handle in handles:
        handle.gone.set()
    until(lambda: not races.active_races() and not run_service.active_runs())
    run_service.close()


def test_race_is_found_again_with_its_lanes_in_order_of_age(races, finished_race):
    assert races.find(finished_race.id) == finished_race
    assert finished_race in races.recent(50)
    for unknown in ("abcdefghijkl", "../../../../etc", ""):
        with pytest.raises(NoSuchRace):
            races.find(unknown)


def test_race_deleted_during_the_listing_is_omitted(races, finished_race):
    gone = races.run_service.home.races / "gone-already.json"
    gone.symlink_to("nowhere")
    assert finished_race in races.recent(50)
    gone.unlink()


@pytest.fixture(scope="module")
def visitor(races):
    app = FastAPI()
    add_routes(app, races.run_service, "/")
    styles = lambda lanes, _dark: [(f"lane {k}", "#0072b2") for k in range(len(lanes))]  # noqa: E731
    add_race_routes(app, races, "/", styles, "components.race.ending:describe_result")
    return TestClient(app, base_url="http://127.0.0.1/")


def stored_names(run_service):
    return sorted(path.name for path in run_service.home.folder.rglob("*") if path.is_file())


def test_race_file_round_trip(races, finished_race, visitor):
    saved = visitor.get(f"/races/{finished_race.id}/race.tourrace")
    assert 'filename="kroA200-race.tourrace"' in saved.headers["content-disposition"]
    again = races.find(visitor.post("/races", content=saved.content).json()["id"])
    assert again.spec == finished_race.spec
    assert not set(again.runs) & set(finished_race.runs)
    for old, new in zip(finished_race.runs, again.runs, strict=True):
        fields = ("spec", "state", "length", "gap_percent", "recorded")
        before, after = races.run_service.summary(old), races.run_service.summary(new)
        assert {name: before[name] for name in fields} == {name: after[name] for name in fields}
    assert list(races.run_service.home.incoming.iterdir()) == []


def repack(raw, change):
    """A race file with some members changed, by name."""
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    change(members)
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return result.getvalue()


def with_manifest(**fields):
    def change(members):
        members[MANIFEST] = json.dumps({**json.loads(members[MANIFEST]), **fields}).encode()

    return change


def with_seed(members):
    manifest = json.loads(members[MANIFEST])
    manifest["spec"]["seed"] = 99
    members[MANIFEST] = json.dumps(manifest).encode()


HARM = {
    "a path": lambda members: members.update({"../../evil": b"x"}),
    "another member": lambda members: members.update({"note.txt": b"x"}),
    "a lane too few": lambda members: members.pop("lane-2.tourscope"),
    "a lane too many": lambda members: members.update({"lane-3.tourscope": members["lane-1.tourscope"]}),
    "a lane that is none": lambda members: members.update({"lane-2.tourscope": b"no run"}),
    "no manifest": lambda members: members.pop(MANIFEST),
    "a manifest that is none": lambda members: members.update({MANIFEST: b"{"}),
    "a deep manifest": lambda members: members.update({MANIFEST: b"[" * 200_000}),
    "a long manifest": lambda members: members.update({MANIFEST: b" " * (2 << 20)}),
    "another format": with_manifest(format=2),
    "another spec": with_manifest(spec={"v": 1, "lanes": [1, 2]}),
    "another seed": with_seed,
    "lanes exchanged": lambda members: members.update(
        {"lane-1.tourscope": members["lane-2.tourscope"], "lane-2.tourscope": members["lane-1.tourscope"]}
    ),
}


def check_refused(races, finished_race, visitor, harm):
    raw = visitor.get(f"/races/{finished_race.id}/race.tourrace").content
    before = stored_names(races.run_service)
    answer = visitor.post("/races", content=repack(raw, HARM[harm]))
    assert answer.status_code == 400, answer.text
    assert answer.json()["sentence"].endswith(".")
    assert stored_names(races.run_service) == before


@pytest.mark.parametrize("harm", HARM)
def test_damaged_race_file_is_refused_in_one_sentence_and_not_stored(races, finished_race, visitor, harm, read_here):
    check_refused(races, finished_race, visitor, harm)


#: Refused by the child that unpacks, and by the one that reads a lane; the others take long by them.
BY_CHILDREN = ("a deep manifest", "a lane that is none")


@pytest.mark.parametrize(
    "harm", [harm if harm in BY_CHILDREN else pytest.param(harm, marks=pytest.mark.long) for harm in HARM]
)
def test_damaged_race_file_is_refused_by_child_processes(races, finished_race, visitor, harm):
    check_refused(races, finished_race, visitor, harm)


@pytest.mark.parametrize("most", [20, pytest.param(None, marks=pytest.mark.long)], ids=["little", "real"])
def test_bomb_is_refused_before_it_fills_the_disk(races, visitor, monkeypatch, request, most):
    """With a small limit this process unpacks the file; with the real limit a child process does, which takes long."""
    if most:
        request.getfixturevalue("read_here")
        monkeypatch.setattr(unpack, "MAX_BYTES", most << 20)
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr(MANIFEST, "{}")
        with packed.open("lane-1.tourscope", "w", force_zip64=True) as member:
            for _ in range(most + 1 if most else 300):
                member.write(bytes(1 << 20))
    before = stored_names(races.run_service)
    answer = visitor.post("/races", content=result.getvalue())
    assert answer.status_code == 400
    assert "once unpacked" in answer.json()["sentence"]
    assert stored_names(races.run_service) == before


def test_the_animation_shows_all_lanes(races, finished_race, visitor):
    from PIL import Image

    from runs.races.gif import read_history

    for run in finished_race.runs:  # a lane is over when its run is, not when it last told of its progress
        with races.run_service.open_reader(run) as reader:
            assert read_history(reader, "", "").seconds == decode(reader.last("finished")).values["seconds"]

    answer = visitor.get(f"/races/{finished_race.id}/race.gif")
    picture = Image.open(io.BytesIO(answer.content))
    assert picture.format == "GIF"
    assert picture.n_frames > 5
    assert picture.width > 1.5 * picture.height


def test_race_can_be_queried(finished_race, visitor):
    answer = visitor.get(f"/races/{finished_race.id}").json()
    assert (answer["spec"], answer["runs"], answer["state"]) == (
        finished_race.spec.to_json(),
        list(finished_race.runs),
        "over",
    )
    assert visitor.get("/races/abcdefghijkl").status_code == 404
