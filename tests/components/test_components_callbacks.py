"""The callbacks validate values, call the run service, and report refusals in one sentence."""

import asyncio
import inspect
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from dash import Output, no_update

from components.algorithm import devices
from components.instances.picker import describe_choice, describe_cities
from components.instances.references import menu_value, parse_reference
from components.shell import header, ids
from components.shell.header import bar
from components.shell.numbers import THIN, format_integer
from components.watch import numbers, recent
from components.watch.address import fill_settings
from components.watch.labels import choose_words
from components.watch.launch import LaunchResult, launch, send_command
from components.watch.numbers import find_shown_solver
from solvers import SOLVERS, find
from solvers.core.devices import Device
from solvers.core.errors import RunFailed
from tests.tables import each_row

FORM = {"instance": "berlin52", "algorithm": "two-opt", "params": {}, "seed": 1, "seconds": 10, "device": "auto"}
FORM["threads"] = None


def start(run_service, **changed):
    return launch(run_service, *(FORM | changed).values())


def test_start_opens_the_run_and_writes_its_address(run_service):
    launched = start(run_service)
    assert launched.run in run_service.runs
    assert launched.search.endswith(f"&run={launched.run}")
    assert "instance=berlin52" in launched.search
    assert launched.note == ""


@pytest.mark.parametrize(
    "changed",
    [
        {"instance": None},
        {"instance": 5},
        {"instance": "nowhere"},
        {"instance": "{"},
        {"instance": "{" + '"a":{' * 3000},
        {"instance": '{"sha256":"0"}'},
        {"algorithm": "nothing"},
        {"algorithm": None},
        {"algorithm": ["two-opt"]},
        {"params": {"climbers": 0}},
        {"params": {"climbers": None}},
        {"params": {"climbers": 2.5}},
        {"params": {"climbers": "many"}},
        {"params": {"variant": "abacus"}},
        {"params": {"variant": None}},
        {"params": {"nothing": 1}},
        {"seed": None},
        {"seed": -1},
        {"seed": 1.5},
        {"seed": 2**60},
        {"seconds": 0},
        {"seconds": -5},
        {"seconds": 1e9},
        {"seconds": "long"},
        {"device": "abacus"},
        {"device": None},
        {"algorithm": "greedy", "device": "cuda"},
    ],
    ids=str,
)
def test_impossible_run_gives_one_sentence(run_service, changed):
    launched = start(run_service, **changed)
    assert launched._replace(note="", wrong=None) == LaunchResult()
    assert launched.note
    assert "\n" not in launched.note
    assert run_service.runs == {}


@pytest.mark.parametrize(
    ("changed", "sentence", "wrong"),
    [
        ({"seed": -1}, f"Seed: enter a whole number from 0 to {format_integer(2**53 - 1)}.", ids.SEED),
        (
            {"seconds": 0},
            f"Time budget: enter a number, more than 0 and at most {format_integer(86_400)}.",
            ids.SECONDS,
        ),
        ({"device": None}, "Device: choose one of auto, cpu, cuda.", ids.DEVICE),
        ({"threads": 1.5}, "Threads: enter a whole number from 1 to 1\u202f024, or 0 for all cores.", ids.THREADS),
    ],
    ids=str,
)
def test_refused_field_is_named_by_its_label(run_service, changed, sentence, wrong):
    assert start(run_service, **changed) == LaunchResult(note=sentence, wrong=wrong)


def test_refused_parameter_is_marked_by_its_browser_id(run_service):
    launched = start(run_service, params={"climbers": None})
    assert launched.note.startswith("Climbers: enter a whole number from 1 to ")
    assert launched.wrong == '{"name":"climbers","type":"parameter"}'


def test_empty_threads_mean_all_cores_and_an_address_fills_them_in(run_service):
    specs = [run_service.runs[start(run_service, threads=count).run] for count in (None, 3)]
    assert [spec.threads for spec in specs] == [0, 3]
    assert [fill_settings(spec)["threads"] for spec in specs] == [None, 3]


def test_empty_time_budget_means_no_limit(run_service):
    run = start(run_service, seconds=None).run
    assert run_service.runs[run].budget.seconds is None


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [(ids.PAUSE, "pause"), (ids.RESUME, "resume"), (ids.STEP, "step"), (ids.CANCEL, "cancel")],
)
def test_commands_reach_the_run(run_service, pressed, expected):
    visible = {"run": start(run_service).run}
    assert send_command(run_service, visible, pressed) == ""
    assert run_service.commands == [(visible["run"], expected)]


@pytest.mark.parametrize("expected", [None, {}, {"run": 5}, "run", {"run": "gone"}])
def test_commands_to_no_run_are_harmless(run_service, expected):
    send_command(run_service, expected, ids.CANCEL)
    send_command(run_service, {"run": start(run_service).run}, {"type": ids.CANCEL})
    assert run_service.commands == []


def test_imported_run_file_is_opened(run_service):
    run = start(run_service).run
    assert recent.MENU.upload_address(run_service, {"run": run}).endswith(f"&run={run}")


@pytest.mark.parametrize("adopted", [None, {}, {"run": 5}, {"run": "gone"}])
def test_refused_run_file_is_not_opened(run_service, adopted):
    assert recent.MENU.upload_address(run_service, adopted) is no_update


def test_run_that_cannot_be_stored_gives_one_sentence(run_service, monkeypatch):
    def full(spec, owner):
        raise RunFailed("The run could not be started; is the disk or the memory full?")

    monkeypatch.setattr(run_service, "start", full)
    assert start(run_service) == LaunchResult(note="The run could not be started; is the disk or the memory full?")


def test_callbacks_of_the_run_service_leave_the_event_loop_free(app):
    """All except those that only compute a few words."""
    quick = {"devices", "dice", "update_devices", "compare"}
    server = {key: found["callback"] for key, found in app.callback_map.items() if "callback" in found}
    assert server
    for callback in server.values():
        function = inspect.unwrap(callback)
        assert inspect.iscoroutinefunction(function) != (function.__name__ in quick), function.__name__


def test_recent_runs_link_to_themselves(run_service):
    run = start(run_service).run
    [link] = recent.MENU.links(run_service, "/below/")
    assert link.href.startswith("/below/?")
    assert link.href.endswith(f"run={run}")
    assert link.children[1].children == "1\u202f000 climbers · seed 1"
    assert "shown" not in link.className
    [marked] = recent.MENU.links(run_service, "/below/", run)
    assert marked.className.endswith(" shown")


def test_missing_recent_runs_are_stated(run_service):
    assert "No runs yet" in str(recent.MENU.links(run_service, "/"))


def test_choice_is_described(run_service):
    assert "52 locations in Berlin" in describe_choice(run_service, "berlin52")
    assert "nowhere" in describe_choice(run_service, "nowhere")


def test_places_come_from_the_comment(run_service):
    assert describe_cities(run_service.instance({"generate": "uniform", "n": 40, "seed": 1})) == "40 random cities"


@each_row("reference", [{"name": "a280"}, {"sha256": "0" * 64}, {"generate": "uniform", "n": 9, "seed": 2}])
def test_menu_values_represent_references(reference):
    assert parse_reference(menu_value(reference)) == reference


def test_missing_devices_are_disabled_with_a_reason(run_service):
    options, reason = devices.device_choice("two-opt", run_service.status())
    disabled = {option["value"]: option["disabled"] for option in options}
    assert disabled["auto"] is False
    assert disabled["cpu"] is False
    assert disabled["cuda"] is True
    assert reason


def test_unknown_algorithm_has_the_devices_of_the_first(run_service):
    assert devices.device_choice("nothing", run_service.status()) == devices.device_choice(
        SOLVERS[0].name, run_service.status()
    )


def test_chip_waits_for_the_spare_worker(run_service):
    assert devices.chip_text({"devices": None, "spare": "starting"}) == "detecting GPUs"
    assert devices.chip_text(run_service.status()) == "Some CPU"


def test_chip_names_several_gpus_each_with_its_memory(run_service):
    gpus = [asdict(Device("cuda", "NVIDIA H200", memory=each * 10**9)) for each in (151, 80)]
    status = {**run_service.status(), "devices": [*run_service.status()["devices"], gpus[0]]}
    assert devices.chip_text(status) == "NVIDIA H200"
    status["devices"].append(gpus[1])
    broken = asdict(Device("cuda", "NVIDIA H200", available=False, reason="gone"))
    assert devices.chip_text({**status, "devices": [broken, *status["devices"]]}) == "2 × NVIDIA H200"
    _, name = header.chip(status)
    assert name.title.splitlines() == [f"GPU 0: NVIDIA H200, 151{THIN}GB", f"GPU 1: NVIDIA H200, 80.0{THIN}GB"]


def test_chip_counts_cluster_nodes_and_opens_their_list(run_service):
    status = {**run_service.status(), "nodes": [{"alive": True}, {"alive": True}, {"alive": False}]}
    assert devices.chip_text(status) == "2 nodes: Some CPU"
    assert devices.chip_text({**status, "nodes": [{"alive": True}, 7, {}]}) == "1 node: Some CPU"
    found = {
        each.id: type(each).__name__ for each in bar(status, "/", "watch", None)._traverse() if hasattr(each, "id")
    }
    assert (found["nodes"], found["device-chip"], found["nodes-list"]) == ("Details", "Summary", "Div")
    alone = {
        each.id: type(each).__name__
        for each in bar(run_service.status(), "/", "watch", None)._traverse()
        if hasattr(each, "id")
    }
    assert alone["device-chip"] == "Div"
    assert "nodes" not in alone


def test_words_follow_the_shown_run(run_service):
    visible = {"run": start(run_service, algorithm="greedy").run}
    assert find_shown_solver(run_service, visible, "two-opt").name == "greedy"
    assert find_shown_solver(run_service, None, "two-opt").name == "two-opt"
    assert find_shown_solver(run_service, None, "nothing") is SOLVERS[0]


def test_axes_use_the_algorithms_units():
    words = choose_words(find("two-opt"))
    assert [option["label"] for option in words.axes] == ["This climb", "Climbers", "Moves tried", "Seconds"]
    assert (words.climb, words.step, words.legend) == ("Climb", "Move", "legend")
    for name, walk in (("simulated-annealing", "chain"), ("tabu-search", "search"), ("lin-kernighan", "round")):
        words = choose_words(find(name))
        assert words.axes[0]["label"] == f"This {walk}"
        assert words.climb == walk.capitalize()
        assert f"one {walk};" in words.note
        assert "climb" not in words.note


class Callbacks:
    """A module's registered callbacks, by the ids and properties of their outputs."""

    def __init__(self):
        self.made = {}

    def callback(self, *arguments, **_):
        outputs = tuple((each.component_id, each.component_property) for each in arguments if isinstance(each, Output))
        return lambda work: self.made.setdefault(outputs, work)

    def clientside_callback(self, *_, **__):
        """The behaviour of scripts is tested elsewhere."""


def test_each_word_has_its_own_output(run_service):
    page, words = Callbacks(), choose_words(find("two-opt"))
    numbers.register(page, run_service)
    ((outputs, update),) = page.made.items()
    visible = dict(zip(outputs, asyncio.run(update(None, "two-opt", "table")), strict=True))
    answer = {"climb": ids.CLIMB_NAME, "step": ids.MOVE_NAME, "rate": ids.TILE_RATE_LABEL, "note": ids.CLIMBERS_NOTE}
    assert {name: visible[place, "children"] for name, place in answer.items()} == {
        name: getattr(words, name) for name in answer
    }


def test_threaded_callback_is_awaited():
    texts = {path: path.read_text() for path in Path(inspect.getfile(recent)).parents[1].rglob("*.py")}
    assert sum("await run_in_thread(" in text for text in texts.values()) > 5
    for path, text in texts.items():
        calls = re.findall(r"(\w+) (?:asyncio\.to_thread|run_in_thread|CONTROLS\.run)\(", text)
        assert {*calls} <= {"await"}, path.name


def test_constructions_have_their_own_words():
    words = choose_words(find("greedy"))
    assert words.step == "Edge"
    assert words.legend == "legend building"
    assert "climb" not in words.note


def test_places_fall_back_to_cities(run_service):
    assert describe_cities(run_service.instance({"cities": [[0, 0], [0, 9], [9, 9]]})) == "3 cities"
