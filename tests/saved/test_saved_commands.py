"""Saved command lines, with every parameter of every algorithm, keep their meaning."""

import json
from collections import Counter, defaultdict
from urllib.parse import urlencode

import pytest

from tests.saved import cases, house
from tests.saved.releases import OLDEST, SPECS, release_cases
from tests.saved.told import find_facts, normal, own_result, without_times
from tests.shortened import shorten
from tests.tables import each_row

pytestmark = pytest.mark.slow


def case_id(case):
    """The id of a test, from its row."""
    if isinstance(case, tuple):
        return case[0]
    return " ".join(case["words"])[:80] if isinstance(case, dict) else None


def split_words(value):
    return json.dumps(value) if isinstance(value, bool | int | float) else str(value)


@each_row(("release", "row"), release_cases("commands.json", "read"))
def test_command_line_requests_the_same_run(release, row):
    now = house.option_spec(row["words"])
    assert normal(now["spec"]) == normal(row["spec"], SPECS[release])
    assert (now["climbers"], now["seeds"]) == (row["climbers"], row["seeds"])


@each_row(("release", "row"), release_cases("commands.json", "read studies"))
def test_command_line_requests_the_same_study_and_finds_its_file(release, row):
    now = house.study_option_spec(row["words"])
    assert normal(now["spec"]) == normal(row["spec"], SPECS[release])
    assert (now["file"], now["exports"]) == (row["file"], row["exports"])


#: Limits that are higher since: the number of cities with random directed distances, and of other random cities.
RAISED = Counter({"1,500": 1, "1,000,000": 1})


@pytest.mark.parametrize(("release", "row"), release_cases("commands.json", "run"), ids=case_id)
def test_command_gives_the_same_result(release, row):
    status, printed = house.program([*row["words"], "--json"])
    assert status == 0
    assert normal(without_times(json.loads(printed))) == normal(row["told"], SPECS[release])


@each_row(("release", "row"), release_cases("commands.json", "refused"))
def test_a_wrong_command_is_refused(tmp_path, monkeypatch, release, row):
    monkeypatch.chdir(tmp_path)
    assert house.program(row["words"])[0] == row["status"]


@each_row(("release", "row"), release_cases("commands.json", "facts"))
def test_data_command_reports_the_same_facts(tmp_path, monkeypatch, release, row):
    monkeypatch.setenv("TOURSCOPE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dozen.tsp").write_bytes(cases.UPLOAD)
    status, printed = house.program(["dozen.tsp" if word == "UPLOAD" else word for word in row["words"]])
    assert status == 0
    assert not Counter(row["facts"]) - Counter(find_facts(printed)) - RAISED


@pytest.mark.parametrize(
    ("release", "row"), shorten(release_cases("commands.json", "own"), lambda case: case[0] == OLDEST), ids=case_id
)
def test_own_solver_still_works(tmp_path, release, row):
    name, then = row
    picture = tmp_path / "climb.gif"
    words = [*cases.OWN[name], "--gif", str(picture), "--tour", str(tmp_path / "best.tour")]
    assert normal(own_result(name, words)) == normal(then, SPECS[release])
    assert picture.read_bytes()[:4] == b"GIF8"
    assert str(then["length"]) in (tmp_path / "best.tour").read_text()


def test_a_solver_of_ones_own_is_listed():
    for name, words in cases.OWN.items():
        status, printed = house.program(["solvers", "list", "--json", "--solver", f"tests.saved.own_solver:{name}"])
        assert status == 0
        assert words[1] in [entry["name"] for entry in json.loads(printed)]


#: Options whose value means something else today; a command line has no version. It was 2-opt and Or-opt.
RENAMED = {("max-min-ant-system", "local_search", "2-opt")}
#: Presets that run more of what their papers did than they had: a command line has no version.
CORRECTED = {
    ("ant-system", "uchida"): {
        "selection": "hybrid", "trials_at_once": "one", "deposit": "rows", "variant": "block",
    },
    ("ant-system", "utne-hansen"): {"rules": "utne-hansen", "least_weight": 0.0001},
}  # fmt: skip


def rows_by_algorithm():
    """The rows of all parameters and presets by release and algorithm, as hundreds of them take milliseconds each."""
    found = defaultdict(list)
    for release, row in release_cases("parameters.json"):
        found[release, row["algorithm"]].append(row)
    return [pytest.param(release, rows, id=f"{release}-{name}") for (release, name), rows in found.items()]


@pytest.mark.parametrize(("release", "rows"), rows_by_algorithm())
def test_parameter_keeps_its_meaning(release, rows):
    """In a spec, in a link and as an option."""
    for row in rows:
        check_meaning(release, row)


def check_meaning(release, row):
    algorithm = row["algorithm"]
    then = house.complete(algorithm, row["means"], SPECS[release])
    if "preset" in row:
        then |= CORRECTED.get((algorithm, row["preset"]), {})
        asked = house.option_spec(["run", "gr17", algorithm, "--preset", row["preset"]])["spec"]
        assert house.meaning(asked)["stages"][0]["params"] == then, row
        return
    name, value = row["name"], row["value"]
    spec = {
        "v": SPECS[release],
        "instance": {"name": "gr17"},
        "stages": [{"algorithm": algorithm, "params": {name: value}}],
    }
    assert house.meaning(spec)["stages"][0]["params"] == then, row
    if isinstance(value, list):  # a tour, for which neither has room
        return
    query = {"v": SPECS[release], "instance": "gr17", "algorithm": algorithm, name: split_words(value)}
    link = house.spec_of_link(f"?{urlencode(query)}")
    assert house.meaning(link)["stages"][0]["params"] == then, row
    if (algorithm, name, value) in RENAMED:
        return
    words = ["run", "gr17", algorithm, f"--{name.replace('_', '-')}", split_words(value)]
    assert house.meaning(house.option_spec(words)["spec"])["stages"][0]["params"] == then, row
