"""The race page: its layout, its form callbacks, and the colours of the algorithms."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import dash
import fastapi
import numpy as np
import pytest
from dash import no_update

from components.algorithm import setup as algorithm_setup
from components.algorithm import several, start_tour
from components.instances.picker import instance_options
from components.race import address, lane_dialog, setup
from components.race import ids as race_ids_module
from components.race import lanes as race_lanes_module
from components.race import page as race_page_module
from components.race import recent as race_recent_module
from components.shell import ids, palette
from components.shell.bundle import build_sheet
from data.collection import resolve
from runs.language import use_language
from runs.races.comparison import Comparison, NotComparable
from runs.races.errors import NoSuchRace
from runs.races.service import COMMANDS, Race
from runs.races.spec import RaceSpec
from solvers import SOLVERS
from solvers.core.errors import DeviceUnavailable
from tests.components.dangling import assert_ids, find_ids, ids_of_module
from tests.tables import each_row

ASSETS = Path(__file__).resolve().parents[3] / "assets"
LANES = race_lanes_module.DEFAULT
SETUP = ("kroA200", LANES, 5.0, 1)
KNOWN = "abcdefghijkl"
#: What the two pages share.
SHARED = {ids.PAGE, ids.URL, ids.THEME, ids.STATUS, ids.PERMALINK, ids.VARIANTS_HERE, ids.ALGORITHM, ids.FORM}


class FakeRaces:
    """Replaces `runs.races.service.RaceService`, without runs."""

    def __init__(self, run_service):
        self.run_service, self.kept, self.told = run_service, {}, []

    def may_change(self, race):
        return True

    def start(self, spec, owner):
        if self.kept:
            raise DeviceUnavailable("Another race is on: open it under Recent races and cancel it, or wait.")
        runs = tuple(self.run_service.begin(run) for run in spec.runs())
        self.kept[KNOWN] = Race(KNOWN, 1.7e9, spec, runs)
        return self.kept[KNOWN]

    def find(self, race):
        if race not in self.kept:
            raise NoSuchRace
        return self.kept[race]

    def command(self, race, command):
        self.find(race)
        self.told.append(command)

    def state(self, race):
        return "paused" if self.told[-1:] == ["pause"] else "running"

    def recent(self, limit):
        return list(self.kept.values())[:limit]


@pytest.fixture
def races(run_service):
    return FakeRaces(run_service)


@pytest.fixture
def app(races):
    application = dash.Dash(
        "races", server=fastapi.FastAPI(), url_base_pathname="/below/race/", assets_folder=str(ASSETS)
    )
    race_page_module.build(application, races, "/below/")
    return application


def test_every_id_is_on_the_page_once_and_found_by_callbacks(app, run_service):
    assert_ids(race_page_module.layout(run_service.status(), "/"), ids_of_module(race_ids_module) | SHARED, app)


def test_button_ids_are_strings_as_the_callback_guard_requires():
    for card in race_lanes_module.cards(LANES):
        for each in find_ids(card):
            assert all(isinstance(value, str) for value in each.values())


def test_lane_buttons_are_in_the_language_of_the_page():
    with use_language("de"):
        titles = re.findall(r"title='([^']*)'", str(race_lanes_module.cards(race_lanes_module.DEFAULT)))
    assert "Bahn A duplizieren, 2-opt" in titles
    assert not [title for title in titles if "lane" in title]


def test_start_races_the_lanes_and_writes_the_address(races):
    launched = setup.launch(races, *SETUP)
    assert launched.note == ""
    assert launched.race["race"] == KNOWN
    assert [view["letter"] for view in launched.race["lanes"]] == list("ABCD")
    assert len(set(launched.race["runs"])) == 4
    assert RaceSpec.from_query(launched.search) == races.find(KNOWN).spec


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, "nowhere"), (1, LANES[:1]), (1, None), (1, [{"stages": "x"}] * 2), (2, -1), (2, "soon"), (3, -1), (3, None)],
)
def test_impossible_race_gives_one_sentence(races, place, value):
    values = [*SETUP]
    values[place] = value
    launched = setup.launch(races, *values)
    assert launched.note.endswith(".")
    assert launched.race is no_update


def test_a_second_race_is_refused(races):
    setup.launch(races, *SETUP)
    assert setup.launch(races, *SETUP).note.startswith("Another race")


@pytest.mark.parametrize(("pressed", "expected"), [(each, algorithm_setup.COMMANDS[each]) for each in setup._COMMANDS])
def test_commands_reach_the_race(races, pressed, expected):
    visible = setup.launch(races, *SETUP).race
    now, note = setup.send_command(races, visible, pressed)
    assert (races.told, note) == ([expected], "")
    assert now == {**visible, "state": "paused" if expected == "pause" else "running"}
    assert expected in COMMANDS


@pytest.mark.parametrize("expected", [None, {}, {"race": 7}, {"race": "zzzzzzzzzzzz"}])
def test_commands_to_no_race_are_harmless(races, expected):
    assert setup.send_command(races, expected, ids.CANCEL)[0] is no_update
    visible = setup.launch(races, *SETUP).race
    assert setup.send_command(races, visible, {"type": ids.CANCEL})[0] is no_update


def test_invalid_position_is_the_last():
    lanes = race_lanes_module.DEFAULT
    assert several.split_at(race_lanes_module.SEVERAL, lanes, {"lane": 1}) == (lanes[:1], lanes[2:])
    for position in (1.0, "1", [1], None, -1, len(lanes)):
        assert several.split_at(race_lanes_module.SEVERAL, lanes, {"lane": position}) == (lanes, [])


def test_address_to_setup_and_back(races):
    search = setup.launch(races, *SETUP).search
    filled = address.BAR.read(races, search, None, instance_options())
    assert (filled["instance"], filled["lanes"], filled["seconds"], filled["seed"]) == SETUP
    assert filled["race"]["race"] == KNOWN
    assert address.BAR.read(races, search, filled["race"], instance_options()) == {}


def test_link_to_another_servers_race_fills_the_setup_with_a_note(races, run_service):
    search = setup.launch(races, *SETUP).search
    filled = address.BAR.read(FakeRaces(run_service), search, None, instance_options())
    assert filled["lanes"] == LANES
    assert "race" not in filled
    assert "not on this server" in filled["note"]


@pytest.mark.parametrize(
    "search",
    ["?race=[", "?race=" + 988 * "[" + 988 * "]", "?id=abcdefghijkl", "?race={}", "?other=1", "?race=null&id=../x"],
)
def test_unusable_links_say_so(races, search):
    assert address.BAR.read(races, search, None, instance_options())["note"].startswith("This link cannot be used: ")


@pytest.mark.parametrize(
    ("search", "instance", "first", "seconds", "seed"),
    [
        ("?instance=berlin52", "berlin52", ["two-opt", "ant-system", "simulated-annealing", "nearest-neighbour"], 5, 1),
        (
            "?algorithms=greedy,random/two-opt&seconds=2&seed=7",
            "kroA200",
            ["greedy", "random"],
            2,
            7,
        ),
    ],
)
def test_short_link_uses_the_setups_defaults(races, search, instance, first, seconds, seed):
    filled = address.BAR.read(races, search, None, instance_options())
    assert (filled["instance"], filled["seconds"], filled["seed"]) == (instance, seconds, seed)
    assert [each["stages"][0]["algorithm"] for each in filled["lanes"]] == first
    assert filled["lanes"][-1]["stages"][-1] == {"algorithm": "two-opt", "params": {"climbers": 10_000_000}}


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("?instance=berlin51", 'Unknown instance "berlin51"; did you mean berlin52?'),
        ("?algorithms=greedy,twoopt", 'Unknown algorithm "twoopt"; did you mean two-opt?'),
        ("?instnace=berlin52", 'Unknown field "instnace"; did you mean instance?'),
        ("?algorithms=greedy", "lanes is"),
    ],
)
def test_malformed_short_link_suggests_a_name(races, search, expected):
    note = address.BAR.read(races, search, None, instance_options())["note"]
    assert note.startswith(f"This link cannot be used: {expected}")


def test_form_shows_and_returns_a_lane():
    form_state = lane_dialog.form_state(LANES, "edit", 3, 5)
    first, _ = start_tour.find_chosen_option(form_state.algorithm, form_state.edited)
    assert (form_state.algorithm, first, form_state.device) == ("two-opt", "nearest-neighbour", "auto")
    params = {"climbers": 10_000_000, "variant": "auto", "exact": True, "gpus": "one"}
    lane = lane_dialog.build_lane(
        form_state.algorithm, params, form_state.device, start_tour.find_stages(first, form_state.edited)
    )
    assert lane == LANES[3]
    assert lane_dialog.apply_form(LANES, form_state.edited, lane) == LANES


def test_lane_of_three_stages_keeps_stages_unknown_to_the_form():
    three = race_lanes_module.lane("nearest-neighbour", "simulated-annealing", "two-opt")
    three["stages"][1]["params"] = {"chains": 2}
    edited = lane_dialog.form_state([three, *LANES[:1]], "edit", 0, 5).edited
    first, options = start_tour.find_chosen_option("two-opt", edited)
    assert first in [option["value"] for option in options]
    assert options[-1]["label"].startswith("Nearest neighbour, then Simulated annealing")
    saved = start_tour.find_stages(first, edited)
    lane = lane_dialog.build_lane("two-opt", {"climbers": 10_000_000}, "auto", saved)
    assert lane == three
    assert start_tour.find_chosen_option("greedy", edited) == (start_tour.NOTHING, options[:-1])
    for edited in (None, 7, {}, {"before": 7}):
        assert start_tour.find_stages(start_tour.AS_IT_WAS, edited) == []


def test_every_form_value_has_a_menu_option():
    assert all(option["value"] for option in start_tour.options(()))
    edited = lane_dialog.form_state(LANES, "edit", 0, 5).edited
    assert start_tour.find_chosen_option("two-opt", edited)[0] == start_tour.NOTHING
    assert start_tour.find_stages(start_tour.NOTHING, None) == []


def test_open_ended_lane_omits_its_number_of_iterations():
    assert LANES[0]["stages"][0]["params"] == {"climbers": 10_000_000}
    assert race_lanes_module.describe_settings(LANES[0]) == ""
    fewer = {"stages": [{"algorithm": "two-opt", "params": {"climbers": 5000}}], "device": "auto"}
    assert "5" in race_lanes_module.describe_settings(fewer)


COMPARED = Comparison(
    runs=("aaaaaaaaaaaa", "bbbbbbbbbbbb"), lanes=tuple(LANES[:2]), instance=resolve.load("berlin52"),
    reference={"name": "berlin52"}, seed=7, seconds=2.5, budget=None, unequal=("seed", "budget"),
)  # fmt: skip


def test_finished_runs_are_shown_by_an_address_that_lists_them(monkeypatch):
    asked = []
    monkeypatch.setattr(address, "prepare_comparison", lambda run_service, runs: asked.append(runs) or COMPARED)
    search = "?runs=aaaaaaaaaaaa,bbbbbbbbbbbb"
    filled = address.BAR.read(FakeRaces(None), search, None, instance_options())
    assert asked == [["aaaaaaaaaaaa", "bbbbbbbbbbbb"]]
    assert (filled["instance"], filled["lanes"], filled["seconds"], filled["seed"]) == ("berlin52", LANES[:2], 2.5, 7)
    assert filled["race"]["state"] == "over"
    assert filled["race"]["compared"].startswith("Different: seeds and budgets.")
    again = address.BAR.read(FakeRaces(None), search, filled["race"], instance_options())
    assert again == {}, "what is shown already is not opened again"
    timed = replace(COMPARED, seconds=5.068, budget=5.0)
    assert address.open_comparison(timed, instance_options())["seconds"] == 5.0, "so much was given, whatever was taken"


def test_incomparable_runs_are_refused_with_a_message(monkeypatch):
    def refuse(run_service, runs):
        raise NotComparable("These runs are of different instances: their cities are not the same.")

    monkeypatch.setattr(address, "prepare_comparison", refuse)
    for search in ("?runs=a,b", "?runs=", "?runs=,,"):
        filled = address.BAR.read(FakeRaces(None), search, None, instance_options())
        assert filled == {"note": "These runs are of different instances: their cities are not the same."}


def test_unequal_conditions_are_stated():
    assert address.describe_differences(()).startswith("All recorded conditions are equal. Other load on the machine")
    assert "seeds, budgets and devices." in address.describe_differences(("seed", "budget", "device"))


def test_clone_comes_after_its_lane_and_a_new_lane_last():
    three = LANES[:3]
    other = race_lanes_module.lane("greedy")
    cloned = lane_dialog.form_state(three, "clone", 0, 5)
    assert cloned.algorithm == "two-opt"
    assert lane_dialog.apply_form(three, cloned.edited, other) == [three[0], other, *three[1:]]
    added = lane_dialog.form_state(three, "add", 0, 5)
    assert lane_dialog.apply_form(three, added.edited, other) == [*three, other]
    assert lane_dialog.form_state(LANES, "clone", 0, 5).edited is no_update, "four lanes are all there are"


@each_row("edited", [None, 7, {}, {"lane": "x"}, {"lane": 99, "insert": True}])
def test_lane_of_unknown_position_comes_last(edited):
    other = race_lanes_module.lane("greedy")
    assert lane_dialog.apply_form(LANES[:2], edited, other) == [*LANES[:2], other]


def test_two_lanes_are_the_minimum():
    assert several.remove_item(race_lanes_module.SEVERAL, LANES, 1) == [LANES[0], *LANES[2:]]
    assert several.remove_item(race_lanes_module.SEVERAL, LANES[:2], 1) == LANES[:2]


@each_row("lanes", [None, 7, [{}], [{"stages": []}], [{"stages": [{"algorithm": "x"}], "device": "cpu"}]])
def test_invalid_lanes_are_reported(lanes):
    assert not race_lanes_module.is_valid(lanes)


def test_lanes_differ_by_letter_colour_and_dash():
    views = race_lanes_module.describe_lanes([LANES[0], LANES[0], LANES[3], LANES[1]])
    assert [view["title"] for view in views] == ["2-opt", "2-opt", "Nearest neighbour, then 2-opt", "Ant System"]
    assert len({(view["colour"], view["dash"]) for view in views}) == 4
    assert views[0]["facts"] == ""


def test_lanes_share_a_unit_or_have_no_such_axis():
    lanes = [*LANES[:2], race_lanes_module.lane("max-min-ant-system"), LANES[3]]
    units = [(view["iteration"], view["evaluation"]) for view in race_lanes_module.describe_lanes(lanes)]
    assert units[0] == ("climber", "move")
    assert units[1] == units[2] == ("iteration", "tour")
    assert units[3] == ("", ""), "its stages count different things"


def test_recent_races_link_to_themselves(races):
    setup.launch(races, *SETUP)
    [entry] = race_recent_module.MENU.links(races, "/race/", KNOWN)
    assert entry.href.startswith("/race/?race=")
    assert entry.href.endswith(f"id={KNOWN}")
    assert "shown" in entry.className
    assert "No races" in race_recent_module.MENU.links(FakeRaces(races.run_service), "/race/")[0].children


def sheet() -> dict[str, tuple[str, str]]:
    """The light and dark colours of the algorithms in the style sheet of a page."""
    text = build_sheet("common")
    found = re.findall(r"--algorithm-([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", text)
    return {name: (light, dark) for name, light, dark in found}


def test_style_sheet_has_the_palettes_colours():
    assert sheet() == {**palette.COLOURS, "other": palette.OTHER}


def test_every_listed_algorithm_has_its_own_colour():
    listed = [solver.name for solver in SOLVERS if solver.listed and solver.family != "reference"]
    assert set(listed) <= set(palette.COLOURS)
    assert len({palette.find_shade(name) for name in listed}) == len(listed)


def test_reference_solvers_are_grey_with_different_dashes():
    names = [solver.name for solver in SOLVERS if solver.family == "reference"]
    assert {palette.find_shade(name) for name in names} == {palette.OTHER[0]}
    assert len(set(palette.choose_dashes(names))) == len(names)


#: From linear RGB to what people without one kind of cone see (G. M. Machado et al., 2009, severity 1).
BLINDNESS = {
    "none": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(colour: str, sight: str) -> np.ndarray:
    """CIE L*a*b* coordinates of a colour."""
    rgb = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(BLINDNESS[sight]) @ linear, 0, 1)
    matrix = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    x, y, z = np.array(matrix) @ seen / np.array([0.95047, 1.0, 1.08883])
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@each_row("dark", [False, True])
@each_row("sight", BLINDNESS)
def test_colours_are_distinguishable(sight, dark):
    near = {
        (one, other): float(
            np.linalg.norm(lab(palette.find_shade(one, dark), sight) - lab(palette.find_shade(other, dark), sight))
        )
        for one, other in combinations(palette.COLOURS, 2)
    }
    assert min(near.values()) > 9, min(near, key=near.get)


@each_row(
    "shown",
    [
        ["two-opt", "ant-system", "simulated-annealing", "nearest-neighbour"],
        ["two-opt", "max-min-ant-system", "nearest-neighbour"],
        ["max-min-ant-system", "max-min-ant-system"],
    ],
)
def test_no_two_colours_in_a_race_or_study_are_similar_in_either_theme(shown):
    chosen = palette.choose_apart(shown)
    assert chosen[0] == shown[0], "the first has its own"
    for dark in (False, True):
        near = [
            float(
                np.linalg.norm(
                    lab(palette.find_shade(one, dark), "none") - lab(palette.find_shade(other, dark), "none")
                )
            )
            for one, other in combinations(chosen, 2)
        ]
        assert min(near) > 30
    crowd = palette.choose_apart(["two-opt"] * 30)
    assert len(crowd) == 30
    assert len(set(crowd)) > 4
