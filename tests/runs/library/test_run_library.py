"""The library: search, names and tags; and its cache, rebuilt after any damage."""

import json
import logging
import time

import pytest

from runs.library import scanner
from runs.library.entry import UNREADABLE
from runs.library.search import Query
from runs.library.service import BadName, Library, NoSuchEntry, make_title
from tests.clock import is_within_bound, wait_until
from tests.runs.library.library_place import Place
from tests.runs.made_up_runs import CREATED, new_id, write_run, write_runs
from tests.sqlite_files import change


def test_entry_of_a_run(place):
    run = place.run(instance="burma14", algorithm="greedy", length=3400, seconds=2.5)
    [entry] = place.library.search().entries
    assert (entry.key, entry.kind, entry.id, entry.state) == (f"run:{run}", "run", run, "finished")
    assert (entry.instances, entry.n, entry.algorithms, entry.uses) == (("burma14",), 14, ("greedy",), ("greedy",))
    assert (entry.length, round(entry.gap_percent, 2), entry.seconds) == (3400, 2.32, 2.5)
    assert (entry.runs, entry.total, entry.race, entry.deletion_refusal, entry.name, entry.tags) == (
        1,
        1,
        None,
        "",
        "",
        (),
    )
    assert entry.bytes == place.run_service.path(run).stat().st_size
    assert make_title(entry) == "Greedy edges on burma14"
    assert place.library.get(entry.key) == entry


def test_known_optimum_differs_from_a_proof(place):
    run = place.run(length=7542)
    race = place.race(run, place.run(length=7600))
    for key in (f"run:{run}", f"race:{race}"):
        entry = place.library.get(key)
        assert (entry.gap_percent, entry.proven, entry.optimum_proven) == (0.0, False, True)


def test_race_shows_its_best_lane_and_contains_all(place):
    lanes = place.run(length=8000, seconds=1.0), place.run(length=7600, algorithm="greedy", seconds=3.0)
    race = place.race(*lanes)
    [entry] = place.library.search().entries
    assert (entry.key, entry.state, entry.length, entry.seconds) == (f"race:{race}", "finished", 7600, 3.0)
    assert (entry.runs, entry.n, entry.instances, entry.algorithms) == (2, 52, ("berlin52",), ("two-opt", "greedy"))
    assert entry.bytes > sum(place.run_service.path(lane).stat().st_size for lane in lanes)
    assert len(place.found(lanes=True)) == 3
    assert place.library.get(f"run:{lanes[0]}").race == race


@pytest.mark.parametrize(
    ("lanes", "state"),
    [
        (("finished", "finished"), "finished"),
        (("finished", "cancelled"), "cancelled"),
        (("interrupted", "cancelled"), "interrupted"),
        (("failed", "interrupted"), "failed"),
    ],
)
def test_finished_race_has_the_state_of_its_lanes(place, lanes, state):
    race = place.race(*(place.run(state=each) for each in lanes))
    assert place.library.get(f"race:{race}").state == state
    assert place.found(states=[state]) == [f"race:{race}"]


def test_lane_names_its_race(place):
    lanes = [place.run(), place.run(algorithm="greedy")]
    race = place.race(*lanes)
    called = [place.library.get(f"run:{lane}").race_title for lane in lanes]
    assert called == ["2-opt, Greedy edges on berlin52"] * 2
    place.library.rename(f"race:{race}", "The final")
    assert [place.library.get(f"run:{lane}").race_title for lane in lanes] == ["The final"] * 2
    assert place.library.get(f"race:{race}").race_title == place.library.get(f"run:{place.run()}").race_title == ""


def test_races_are_named_after_their_lanes(place):
    """By all lanes, with the settings in which lanes of the same algorithm differ."""
    four = place.race(place.run(), place.run(), algorithms=("two-opt", "greedy", "ant-system", "held-karp"))
    assert make_title(place.library.get(f"race:{four}")) == "2-opt, Greedy edges, Ant System, Held-Karp on berlin52"
    ants = [
        {"stages": [{"algorithm": "ant-system", "params": {"ants": 20, "beta": 3.0}}]},
        {"stages": [{"algorithm": "ant-system", "params": {"ants": 50, "beta": 3.0}}], "device": "cpu"},
        {"stages": [{"algorithm": "greedy"}]},
    ]
    output = make_title(place.library.get(f"race:{place.race(place.run(), place.run(), place.run(), lanes=ants)}"))
    assert output == "Ant System (ants 20, auto), Ant System (ants 50, cpu), Greedy edges on berlin52"


def test_untitled_study_is_named_after_its_contents(place):
    study = place.study(title="")
    entry = place.library.get(f"study:{study}")
    assert entry.name == ""
    assert make_title(entry) == "5 algorithms on uniform-50-0; 2 seeds"


def test_study_has_its_title(place):
    study = place.study(title="Which one?")
    [entry] = place.library.search().entries
    assert (entry.key, entry.state, entry.name, entry.runs, entry.total) == (
        f"study:{study}", "finished", "Which one?", 10, 10,
    )  # fmt: skip
    assert (len(entry.algorithms), entry.n, entry.length) == (5, 50, None)


@pytest.fixture
def three_runs(place):
    """Three runs and a study; the second is the newest."""
    runs = [
        place.run(instance="burma14", length=3400, created=CREATED, seconds=3.0),
        place.run(instance="berlin52", length=7600, created=CREATED + 2, seconds=1.0, algorithm="greedy"),
        place.run(instance="berlin52", length=9000, created=CREATED + 1, seconds=2.0, state="cancelled"),
    ]
    place.study()
    return [f"run:{run}" for run in runs]


def test_words_are_found_anywhere_in_any_case(place, three_runs):
    place.library.rename(three_runs[2], "Straße nach Süden")
    place.library.tag([three_runs[0]], add=["Thesis"])
    assert place.found(text="BERLIN52 2-OPT") == [three_runs[2]]
    assert place.found(text="strasse") == [three_runs[2]]
    assert place.found(text="thesis") == [three_runs[0]]
    assert place.found(text=three_runs[1][4:]) == [three_runs[1]]
    assert place.found(text="nothing such") == []


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"kinds": ["run"], "order": "created"}, [1, 2, 0]),
        ({"kinds": ["run"], "order": "created", "descending": False}, [0, 2, 1]),
        ({"kinds": ["run"], "order": "gap", "descending": False}, [1, 0, 2]),
        ({"order": "length", "kinds": ["run"]}, [2, 1, 0]),
        ({"order": "seconds", "kinds": ["run"]}, [0, 2, 1]),
        ({"order": "name", "descending": False, "kinds": ["run"]}, [2, 0, 1]),
        ({"algorithms": ["greedy"], "kinds": ["run"]}, [1]),
        ({"instances": ["burma14", "gr17"]}, [0]),
        ({"states": ["cancelled"]}, [2]),
        ({"tags": ["ONE"]}, [0]),
        ({"kinds": ["run"], "offset": 1, "limit": 1}, [2]),
        ({"kinds": ["run"], "limit": None}, [1, 2, 0]),
    ],
)
def test_filters_and_orders(place, three_runs, asked, wanted):
    place.library.tag([three_runs[0]], add=["one"])
    assert place.found(**asked) == [three_runs[k] for k in wanted]


def test_entries_without_a_value_come_last_in_both_orders(place, three_runs):
    for descending in (True, False):
        assert place.found(order="gap", descending=descending)[-1].startswith("study:")
    with pytest.raises(ValueError, match="not one of"):
        place.library.search(Query(order="colour"))


def test_facets_count_all_text_matches(place, three_runs):
    place.library.tag(three_runs[:2], add=["one"])
    page = place.library.search(Query(text="berlin52", states=["cancelled"]))
    assert page.total == 1
    assert page.facets["state"] == {"finished": 1, "cancelled": 1}
    assert page.facets["instance"] == {"berlin52": 2}
    assert page.facets["tag"] == {"one": 1}
    assert place.library.search().facets["kind"] == {"run": 3, "study": 1}


def test_a_damaged_run_is_listed_and_can_be_deleted(place, caplog):
    run = new_id()
    place.run_service.home.new_path(run).write_bytes(b"SQLite format 3\0" + bytes(3000))
    sound = place.run()
    with caplog.at_level(logging.ERROR):
        [entry] = place.library.search(Query(states=[UNREADABLE])).entries
        assert [row["id"] for row in place.run_service.recent()] == [sound]
    assert (entry.id, entry.n, entry.deletion_refusal) == (run, 0, "")
    assert place.library.delete([entry.key]).keys == (entry.key,)
    assert place.found() == [f"run:{sound}"]


def test_name_survives_a_restart(place):
    key = f"run:{place.run()}"
    assert make_title(place.library.rename(key, "  The\u00a0best ")) == "The best"
    place.library.tag([key], add=["a", "B"])
    again = Library(place.home, place.run_service, place.races, place.studies)
    assert (again.get(key).name, again.get(key).tags) == ("The best", ("a", "B"))
    again.close()
    assert place.library.rename(key, "").name == ""


@pytest.mark.parametrize("name", ["a" * 121, "a\nb", "a\x1b[2J", "\u202egnp", "\ud800", None, 5])
def test_invalid_name_is_refused(place, name):
    key = f"run:{place.run()}"
    with pytest.raises(BadName) as refused:
        place.library.rename(key, name)
    assert "\n" not in str(refused.value)
    assert place.library.get(key).name == ""


@pytest.mark.parametrize("key", ["run:abcdefghijkl", "run:../../etc/passwd", "", "study:x", "race:", "other:x", "run"])
def test_missing_entries_are_unchanged(place, key):
    with pytest.raises(NoSuchEntry):
        place.library.get(key)
    with pytest.raises(NoSuchEntry):
        place.library.rename(key, "x")
    with pytest.raises(NoSuchEntry):
        place.library.tag([key], add=["x"])
    assert place.library.delete([key]) == ("", (), {key: "There is no such entry in the library."})


def test_tags_ignore_case_and_keep_their_first_spelling(place):
    first, second = f"run:{place.run()}", f"run:{place.run()}"
    place.library.tag([first], add=["Thesis", "thesis", "x"])
    place.library.tag([first, second], add=["THESIS"])
    assert [place.library.get(key).tags for key in (first, second)] == [("Thesis", "x"), ("Thesis",)]
    place.library.tag([first, second], remove=["tHESIS"])
    assert [place.library.get(key).tags for key in (first, second)] == [("x",), ()]


@pytest.mark.parametrize("tag", ["", " ", "a,b", "a" * 33, "a\tb", "\u2028"])
def test_invalid_tag_is_refused_for_all(place, tag):
    keys = [f"run:{place.run()}" for _ in range(2)]
    with pytest.raises(BadName):
        place.library.tag(keys, add=["good", tag])
    assert [place.library.get(key).tags for key in keys] == [(), ()]


def test_at_most_twenty_tags(place):
    key = f"run:{place.run()}"
    place.library.tag([key], add=[str(k) for k in range(20)])
    with pytest.raises(BadName, match="at most 20"):
        place.library.tag([key], add=["one more"])
    assert len(place.library.get(key).tags) == 20


@pytest.mark.parametrize("text", ["", "{", "[]", '{"v": 2, "labels": {}}', '{"v": 1, "labels": [5]}', "[" * 100_000])
def test_damaged_labels_are_moved_aside(place, caplog, text):
    (place.home / "labels.json").write_text(text)
    again = Library(place.home, place.run_service, place.races, place.studies)
    again.close()
    [aside] = place.home.glob("labels.damaged-*.json")
    assert aside.read_text() == text
    assert "damaged" in caplog.text


def test_readable_damaged_labels_are_kept(place):
    key = f"run:{place.run()}"
    labels = {key: {"name": "Mine", "tags": ["a"]}, "run:other": {"name": "a\u202eb", "tags": []}}
    (place.home / "labels.json").write_text(json.dumps({"v": 1, "labels": labels}))
    again = Library(place.home, place.run_service, place.races, place.studies)
    assert again.get(key).name == "Mine"
    again.close()


def fail_if_read(*_):
    raise AssertionError("nothing was to be read")


def test_unchanged_files_are_not_read_again(place, monkeypatch):
    first, second = place.run(length=8000), place.run(length=8001)
    assert len(place.found()) == 2
    place.library.close()
    with monkeypatch.context() as patched:
        patched.setattr(scanner, "read_facts", fail_if_read)
        place.library = Library(place.home, place.run_service, place.races, place.studies)
        assert [entry.length for entry in place.library.search(Query(order="length")).entries] == [8001, 8000]
    place.run_service.path(first).unlink()
    write_run(place.run_service.home.new_path(first), length=7999)
    assert place.library.get(f"run:{first}").length == 7999
    place.run_service.path(second).unlink()
    assert place.found() == [f"run:{first}"]


@pytest.mark.parametrize("damage", ["text", "foreign", "old", "row", "folder", "cut"])
def test_damaged_or_foreign_cache_is_recreated(place, damage):
    run = place.run(length=8000)
    assert len(place.found()) == 1
    place.library.close()
    path = place.home / "catalogue.sqlite"
    raw = path.read_bytes()
    path.unlink()
    if damage == "text":
        path.write_text("no database")
    elif damage == "foreign":
        change(path, "CREATE TABLE files (other)")
    elif damage == "folder":
        path.mkdir()
    else:
        path.write_bytes(raw[: 4096 + 100] if damage == "cut" else raw)
    if damage in ("old", "row"):
        statement = "PRAGMA user_version = 0" if damage == "old" else """UPDATE files SET facts = '["x"]'"""
        change(path, statement)
    place.library = Library(place.home, place.run_service, place.races, place.studies)
    [entry] = place.library.search().entries
    assert (entry.id, entry.length) == (run, 8000)


@pytest.mark.long
@pytest.mark.slow
def test_three_thousand_runs_are_searched_in_15_ms(tmp_path):
    write_runs(tmp_path / "home" / "runs", 3000)
    place = Place(tmp_path / "home")
    wait_until(lambda: place.library.search().total == 3000)
    for asked in ({}, {"text": "berlin52 ant"}, {"order": "gap"}, {"algorithms": ["greedy"], "order": "name"}):
        times = []
        for _ in range(7):
            began = time.thread_time()
            page = place.library.search(Query(**asked))
            times.append(time.thread_time() - began)
        assert page.total
        assert is_within_bound(min(times), 0.015)  # 0.004 s
    place.close()
