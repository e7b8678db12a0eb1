"""A data folder with impossible timestamps: its contents can still be listed, opened and deleted."""

import csv
import io
import json
import shutil
import sqlite3
from contextlib import closing

import orjson
import pytest

from components.library import actions, filters
from components.library.rows import entry_to_json
from components.race import recent
from components.shell import facts
from components.study import recent as study_recent
from components.watch import recent as watch_recent
from data.moments import is_moment
from runs.library.search import ORDERS, Query
from tests.runs.library.library_place import Place, files
from tests.shortened import shorten
from tests.sqlite_files import change

pytestmark = pytest.mark.slow

#: As a run or study file may hold them, and as a JSON file may.
STORED = ["1e300", "-1e300", "9e999", "NULL", "'noon'", "-1", "9223372036854775807", "X'00'"]
WRITTEN = ["1e300", "-1e300", "NaN", "Infinity", "1e999", "1" * 400, '"noon"', "null", "[]", "{}", "true"]


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr("runs.library.scanner.SCAN_TIMEOUT", 20.0)


@pytest.fixture
def home(tmp_path):
    """A data folder that no server uses, with a run, a race of two lanes, a study and a deletion."""
    place = Place(tmp_path / "home")
    place.run()
    place.race(place.run(), place.run())
    place.study()
    place.library.delete([f"run:{place.run()}"])
    place.library.search()
    place.close()
    return place.home


def plant_stored(home, time):
    for path in (home / "runs").glob("*.tourscope"):
        change(path, f"UPDATE run SET created = {time}")
    for path in (home / "studies").glob("*.tourstudy"):
        change(path, f"UPDATE study SET created = {time}")


def plant_written(home, time):
    for path, name in ((next((home / "races").iterdir()), "created"),
                       (next((home / "trash").glob("*/manifest.json")), "when")):  # fmt: skip
        text = json.dumps({**json.loads(path.read_text()), name: "TIME"}).replace('"TIME"', time)
        path.write_text(text)


def plant_cached(home, time):
    """Entries as stored by a release that did not check them."""
    with closing(sqlite3.connect(home / "catalogue.sqlite")) as connection:
        for key, text in connection.execute("SELECT key, facts FROM files").fetchall():
            facts = f"[{time}{text[text.index(',') :]}"
            connection.execute("UPDATE files SET facts = ? WHERE key = ?", (facts, key))
        connection.commit()


def check_all_of_it(home):
    """List and delete everything on all pages, on this server and the next one."""
    for _ in range(2):
        place = Place(home)
        entries = place.library.search(Query(lanes=True)).entries
        assert sorted(entry.kind for entry in entries) == ["race", "run", "run", "run", "study"]
        for order in ORDERS:
            assert len(place.library.search(Query(order=order, lanes=True)).entries) == 5
        assert all(is_moment(entry.created) for entry in entries)
        assert all(entry_to_json(entry, "/")["when"] for entry in entries)
        assert orjson.dumps([entry_to_json(entry, "/") for entry in entries])
        table = list(csv.reader(io.StringIO(actions.format_csv(list(entries)))))
        assert len(table) == 6
        assert len(filters.deletions_to_json(place.library.trash())) == 1
        assert not [entry for entry in entries if entry.state == "unreadable"]
        menus = (watch_recent.MENU.links(place.run_service, "/"), recent.MENU.links(place.races, "/"),
                 study_recent.MENU.links(place.studies, "/"))  # fmt: skip
        assert [[type(each).__name__ for each in menu] for menu in menus] == [["Link"] * 3, ["Link"], ["Link"]]
        assert json.dumps(place.run_service.recent(), allow_nan=False)
        assert json.dumps(place.races.recent(5)[0].to_json(), allow_nan=False)
        place.close()
    place = Place(home)
    deleted = place.library.delete(place.found())
    assert deleted.refused == {}
    assert place.found(lanes=True) == []
    place.library.undo(deleted.token)
    assert len(place.found(lanes=True)) == 5
    place.close()


@pytest.mark.parametrize("time", shorten(STORED, STORED[::4].__contains__))
def test_runs_and_studies_with_invalid_times_are_listed_and_deleted(home, time):
    plant_stored(home, time)
    check_all_of_it(home)


@pytest.mark.parametrize("time", shorten(WRITTEN, WRITTEN[::4].__contains__))
def test_races_and_deletions_with_invalid_times_are_listed_and_deleted(home, time):
    plant_written(home, time)
    check_all_of_it(home)


@pytest.mark.parametrize("time", ["1e300", "-1", '"noon"', "null", "1" * 400])
def test_cached_invalid_times_are_read_again(home, time):
    plant_cached(home, time)
    check_all_of_it(home)


@pytest.mark.parametrize("when", ["NaN", "-1e300", "1e999", "1" * 400, '"long ago"'])
def test_deletion_at_an_unknown_time_is_not_purged_early(home, when):
    plant_written(home, when)
    before = files(home / "trash")
    Place(home).close()
    assert files(home / "trash") == before


RACES = {
    "runs a text": {"runs": "abcdefghijkl"}, "runs numbers": {"runs": [1, 2]}, "runs none": {"runs": None},
    "no runs": {"runs": []}, "runs of lists": {"runs": [["a"], {}]}, "id a list": {"id": []},
    "alone a text": {"alone": "x"},
    "spec a list": {"spec": []}, "spec a number": {"spec": 5}, "lanes none": {"spec": {"v": 1, "lanes": None}},
    "paths": {"runs": ["../../../etc", "abcdefghijkl\n"]},
}  # fmt: skip


@pytest.mark.parametrize("planted", [*RACES, "deep", "no object", "empty"])
def test_malformed_race_harms_no_other(home, planted):
    path = next((home / "races").iterdir())
    other = shutil.copyfile(path, path.with_name("ABCDEFGHIJKL.json"))
    other.write_text(json.dumps({**json.loads(path.read_text()), "id": "ABCDEFGHIJKL"}))
    raw = {"deep": '{"spec":' + "[" * 100_000, "no object": "[]", "empty": "{}"}.get(planted)
    path.write_text(raw or json.dumps({**json.loads(path.read_text()), **RACES[planted]}))
    place = Place(home)
    assert "Link" in [type(each).__name__ for each in recent.MENU.links(place.races, "/")]
    entries = place.library.search(Query(kinds=["race"])).entries
    assert len(entries) == 2
    assert orjson.dumps([entry_to_json(entry, "/") for entry in entries])
    assert place.library.delete([f"race:{path.stem}"]).refused == {}
    assert place.found(kinds=["race"]) == ["race:ABCDEFGHIJKL"]
    place.close()


RUNS = {
    "state a number": "UPDATE run SET state = 5", "state none": "UPDATE run SET state = NULL",
    "no such state": "UPDATE run SET state = 'asleep'", "reason a number": "UPDATE run SET reason = 7",
    "spec deep": "UPDATE run SET spec = replace(hex(zeroblob(50000)), '00', '[')",
    "spec a list": "UPDATE run SET spec = '[]'", "no stages": """UPDATE run SET spec = '{"stages": []}'""",
    "stages of numbers": """UPDATE run SET spec = '{"stages": [5]}'""",
    "an algorithm of lists": """UPDATE run SET spec = '{"stages": [{"algorithm": [], "params": {}}]}'""",
    "no row": "DELETE FROM run", "a length that is text": None, "a length past all numbers": None,
}  # fmt: skip


@pytest.mark.parametrize("planted", RUNS)
def test_malformed_run_harms_no_other(home, planted):
    path = next((home / "runs").iterdir())
    if RUNS[planted]:
        change(path, RUNS[planted])
    else:
        length = b'"length":"abc"' if "text" in planted else b'"length":18446744073709551615'
        with closing(sqlite3.connect(path)) as connection:
            raw = connection.execute("SELECT frame FROM events WHERE kind = 'finished'").fetchone()[0]
            changed = raw.replace(b'"length":9000', length, 1)
            grown = len(changed) - len(raw)
            head = int.from_bytes(raw[4:8], "little") + grown
            pad = -head % 8
            changed = changed[: 8 + head] + b" " * pad + changed[8 + head :]
            changed = (len(changed)).to_bytes(4, "little") + (head + pad).to_bytes(4, "little") + changed[8:]
            connection.execute("UPDATE events SET frame = ? WHERE kind = 'finished'", (changed,))
            connection.commit()
    place = Place(home)
    assert len(watch_recent.MENU.links(place.run_service, "/")) in (2, 3)
    assert recent.MENU.links(place.races, "/")
    entries = place.library.search(Query(lanes=True)).entries
    assert len(entries) == 5
    assert orjson.dumps([entry_to_json(entry, "/") for entry in entries])
    key = f"run:{path.stem}"
    key = next((f"race:{race}" for race in place.library._index.find_races(key)), key)
    assert place.library.delete([key]).refused == {}
    place.close()


def test_invalid_time_has_words():
    assert (
        facts.format_local_time(1e300)
        == facts.format_local_time(float("nan"))
        == facts.format_local_time(None)
        == "at an unknown time"
    )
    assert facts.format_local_time(1_700_000_000.0).endswith("13")  # every time zone is whole quarters of an hour off
