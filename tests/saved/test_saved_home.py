"""A data folder of every release opens: its entries are found, named, tagged, raced, deleted and restored."""

import json
import shutil
import sqlite3
import time
from contextlib import closing

import pytest

from runs.library.search import Query
from tests.saved import house
from tests.saved.answers import animation, is_as_good
from tests.saved.releases import FILES, OLDEST, RELEASES, SPECS, data_folder, read_answers, release_cases
from tests.saved.told import entry_facts, normal, study_id
from tests.shortened import shorten
from tests.tables import each_row

pytestmark = pytest.mark.slow


class User:
    """A user who opens an older release's data folder with this release."""

    def __init__(self, release, home):
        self.release, self.home, self.then = release, home, data_folder(release, home)
        self.renamed = {then: study_id(home / "studies" / name) for name, then in self.then["studies"].items()}
        self._move(home / "labels.json")
        manifest = home / "trash" / self.then["thrown"]["token"] / "manifest.json"
        self._change(manifest, lambda value: value.update(when=time.time()))  # it was deleted just now

    def _move(self, path):
        """A study's id depends on its folder: replace the old one by the current one."""
        text = path.read_text(encoding="utf-8")
        for then, now in self.renamed.items():
            text = text.replace(f"study:{then}", f"study:{now}")
        path.write_text(text, encoding="utf-8")

    def _change(self, path, change):
        value = json.loads(path.read_text())
        change(value)
        path.write_text(json.dumps(value))

    def trust_the_cache(self):
        """Rewrite the older release's cache for the current locations of its files."""
        with closing(sqlite3.connect(self.home / "catalogue.sqlite")) as cache:
            for key, path in cache.execute("SELECT key, path FROM files").fetchall():
                here = self.home / "/".join(path.rsplit("/", 2)[1:])
                stamp = f"{here.stat().st_mtime_ns}:{here.stat().st_size}"
                cache.execute(
                    "UPDATE files SET key = ?, path = ?, stamp = ? WHERE key = ?",
                    (self.here(key), str(here), stamp, key),
                )
            cache.commit()

    def here(self, key):
        kind, _, name = key.partition(":")
        return f"{kind}:{self.renamed.get(name, name)}"

    def entries(self):
        """Every entry as returned by the release, by its current key, with the state "over" as finished."""
        found = {}
        for key, entry in self.then["entries"].items():
            state = "finished" if entry["state"] == "over" else entry["state"]
            found[self.here(key)] = {
                **entry,
                "state": state,
                "key": self.here(key),
                "id": self.here(key).partition(":")[2],
            }
        return found


@pytest.fixture(params=RELEASES)
def user(request, tmp_path):
    return User(request.param, tmp_path / "home")


def list_entries(opened, words=""):
    listed = house.listed(opened, f"?lanes=1&limit=500&q={words}")
    return {entry["key"]: entry_facts(entry) for entry in listed}


def test_every_entry_keeps_its_name_tags_and_facts(user):
    with house.opened(user.home) as opened:
        assert list_entries(opened) == user.entries()
    assert not list(user.home.glob("*damaged*"))


def test_cache_of_the_release_is_read_or_recreated(user):
    user.trust_the_cache()
    with house.opened(user.home) as opened:
        found = opened.library.search(Query(lanes=True, limit=None)).entries
        listed = [json.loads(json.dumps(entry._asdict())) for entry in found]
        assert {entry["key"]: entry_facts(entry) for entry in listed} == user.entries()


def test_library_addresses_find_the_same_entries(user):
    with house.opened(user.home) as opened:
        for search, keys in user.then["found"].items():
            now = [entry["key"] for entry in house.listed(opened, search)]
            assert sorted(now) == sorted(map(user.here, keys)), search
            if "sort=" in search and "size" not in search:
                assert now == [user.here(key) for key in keys], search


def test_deleted_entry_is_restored_and_deleted_for_good(user):
    thrown = user.then["thrown"]
    with house.opened(user.home) as opened:
        [trashed] = opened.library.trash()
        assert (trashed.token, list(trashed.keys)) == (thrown["token"], [thrown["key"]])
        assert trashed.names == ("Thrown away",)
        assert opened.library.undo(thrown["token"]) == (thrown["key"],)
        back = list_entries(opened)[thrown["key"]]
        assert (back["name"], back["tags"], back["state"]) == ("Thrown away", ["good"], "finished")
        race = f"race:{user.then['race']['id']}"
        deleted = opened.library.delete([thrown["key"], race, *(key for key in list_entries(opened) if "study" in key)])
        assert not deleted.refused
        stored = {key for key, entry in user.entries().items() if entry["kind"] == "run" and not entry["race"]}
        assert set(list_entries(opened)) == stored
        assert opened.library.empty_trash() == 1


@pytest.mark.parametrize("user", shorten(RELEASES, OLDEST.__eq__), indirect=True)
def test_race_is_opened_shown_and_saved_again(user):
    then = user.then
    with house.opened(user.home) as opened:
        now = opened.client.get(f"/races/{then['race']['id']}").json()
        assert now.pop("state") == "over"
        assert normal(now) == normal(then["race"], SPECS[user.release])
        assert house.race_meaning(now["spec"]) == house.race_meaning(then["race"]["spec"])
        assert is_as_good(animation(opened.client.get(f"/races/{then['race']['id']}/race.gif").content), then["gif"])
        runs = ",".join(then["race"]["runs"])
        assert is_as_good(animation(opened.client.get(f"/compared.gif?runs={runs}").content), then["compared"])


@pytest.mark.parametrize("release", shorten(RELEASES, OLDEST.__eq__))
def test_a_race_file_is_imported_and_exported(tmp_path, release):
    with house.opened(tmp_path) as opened:
        answer = opened.client.post("/races", content=(FILES / release / "race.tourrace").read_bytes())
        race = opened.client.get(f"/races/{answer.json()['id']}").json()
        then = read_answers(release, "home.json")
        assert normal(race["spec"]) == normal(then["race"]["spec"], SPECS[release])
        lengths = [opened.client.get(f"/runs/{run}").json()["length"] for run in race["runs"]]
        assert lengths == [then["entries"][f"run:{run}"]["length"] for run in then["race"]["runs"]]
        packed = opened.client.get(f"/races/{race['id']}/race.tourrace").content
        assert packed[:2] == b"PK"


def test_names_and_tags_can_be_changed(user):
    run = f"run:{user.then['runs']['greedy']}"
    with house.opened(user.home) as opened:
        opened.library.rename(run, "Another name")
        opened.library.tag([run], ["GOOD", "new"])
    with house.opened(user.home) as opened:
        found = list_entries(opened, "another")
        assert [found[run]["name"], found[run]["tags"]] == ["Another name", ["good", "new"]]
        best = list_entries(opened)[f"run:{user.then['runs']['two-opt-cpu']}"]
        assert (best["name"], best["tags"]) == ("The best one – so far", ["good", "Étude"])


FORMS = {"watch": house.watch_form, "race": house.race_form, "study": house.study_form}


#: Links that earlier releases refused as incomplete: they now get the form's defaults.
COMPLETED = {("watch", "?algorithm=two-opt")}
#: Links that earlier releases refused for a version that this one reads.
OF_A_NEWER_RELEASE = {"?v=2&instance=berlin52&algorithm=two-opt"}


@pytest.mark.parametrize("page", FORMS)
def test_links_fill_the_forms_as_they_did(user, page):
    names = {name.removeprefix("study-").removesuffix(".tourstudy").upper(): then
             for name, then in user.then["studies"].items()}  # fmt: skip
    with house.opened(user.home) as opened:
        for row in read_answers(user.release, "links.json")[page]:
            search, then = row["search"], row["form"]
            for name, study in names.items():
                search = search.replace(f"id={name}", f"id={user.renamed[study]}")
            if page == "study" and then["open"]:
                then["open"] = {"study": user.renamed[names[then["open"]]]}
            now = FORMS[page](opened, search)
            if then["noted"] and (search in OF_A_NEWER_RELEASE or (page, search) in COMPLETED):
                assert (now["noted"], now["instance"], now["algorithm"]) == (False, "berlin52", "two-opt")
                continue
            if page == "watch":
                now = normal(now) if now["algorithm"] else now
                then = normal(then, SPECS[user.release]) if then["algorithm"] else then
                assert now == then, search
                continue
            assert normal(now) == normal(then, SPECS[user.release]), search


@each_row(("release", "row"), release_cases("links.json", "watch"))
def test_link_means_the_same_run(release, row):
    if row["spec"] is None and row["search"] in OF_A_NEWER_RELEASE:
        return
    if row["spec"] is None:
        with pytest.raises((ValueError, RuntimeError)):
            house.meaning(house.spec_of_link(row["search"]))
        return
    now = house.spec_of_link(row["search"])
    assert normal(house.meaning(now)) == normal(row["means"], SPECS[release])
    again = house.link_of_spec(now)
    assert not again or house.meaning(house.spec_of_link(again)) == house.meaning(now)


def test_an_uploaded_instance_is_still_there(user):
    sha256 = read_answers(user.release, "runs", "uploaded.json")["opened_with"]["instance"]["sha256"]
    with house.opened(user.home) as opened:
        assert opened.client.get("/instance", params={"ref": json.dumps({"sha256": sha256})}).status_code == 200
    shutil.rmtree(user.home)
