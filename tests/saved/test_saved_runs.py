"""Run files of every release open, in a data folder or imported, with the same contents as then."""

import pytest

from tests.saved import cases, house
from tests.saved.answers import collect_answers, is_as_good, without_proofs
from tests.saved.releases import OLDEST, RELEASES, SPECS, read_answers, release_files, unpack
from tests.saved.told import normal
from tests.shortened import shorten

pytestmark = pytest.mark.slow

RUNS = release_files("runs")


def one_of_each(runs, releases=RELEASES):
    """The first run of each algorithm in some releases; the others are `long`."""
    first = {}
    for release, name in runs:
        algorithm = read_answers(release, "runs", f"{name}.json")["means"]["stages"][-1]["algorithm"]
        if release in releases:
            first.setdefault((release, algorithm), (release, name))
    return shorten(runs, [*first.values()].__contains__)


#: What comes of a start, and has its moment.
OF_THE_START = {"interrupted": ("log", "state")}


def copy_run_file(release, name, folder, run):
    """A run file, with SQLite's log."""
    if name == "interrupted":
        unpack(release, f"runs/{name}.tourscope-wal", folder / f"{run}.tourscope-wal")
    return unpack(release, f"runs/{name}.tourscope", folder / f"{run}.tourscope")


def expected_answers(then, path):
    """A release's answers about a run, as expected now for a run imported from a file at that path.

    Summaries have come to say whether a run was brought as a file (``adopted``): what such a file claims to have proven
    nobody here has seen proven, so an imported run has no proof in its summary, its result and its events.
    """
    answer = {**then, "summary": {**then["summary"], "adopted": path is not None}}
    if isinstance(tour := then["best.tour"], str):  # readers of others take no name with blanks
        head, *rest = tour.splitlines(keepends=True)
        answer["best.tour"] = "".join([head[:6], head[6:].replace(" ", "-"), *rest])
    if path is not None:
        answer["log"] = {**then["log"], **without_proofs(house.frames_of_file(path))}
        for part in ("summary", "result"):
            if "proven" in answer[part]:
                answer[part] = {**answer[part], "proven": False}
    return answer


def assert_as_then(release, name, client, run, path=None):
    then = expected_answers(read_answers(release, "runs", f"{name}.json"), path)
    instance = None if path is None else house.instance_frame(path)
    now = collect_answers(client, run, "gif" in then["climbs"].get("0", {}), instance)
    if name in OF_THE_START:
        outer, inner = OF_THE_START[name]
        now[outer].pop(inner)
    for climber, entry in now["climbs"].items():
        if "gif" in entry:
            assert is_as_good(entry.pop("gif"), then["climbs"][climber].pop("gif"))
    assert normal(now) == normal({key: then[key] for key in now}, SPECS[release])
    assert normal(house.meaning(now["opened_with"])) == normal(then["means"], SPECS[release])


@pytest.fixture(scope="module")
def old_folder(tmp_path_factory):
    """All run files in one data folder, as stored by an older server."""
    home = tmp_path_factory.mktemp("lying")
    (home / "runs").mkdir()
    for release, name in RUNS:
        copy_run_file(release, name, home / "runs", read_answers(release, "runs", f"{name}.json")["id"])
    with house.opened(home) as opened:
        yield opened.client


@pytest.fixture(scope="module")
def import_folder(tmp_path_factory):
    """An empty data folder, and a function that imports a run file into it."""
    home = tmp_path_factory.mktemp("imported")
    with house.opened(home) as opened:
        yield opened.client, home


@pytest.mark.parametrize(("release", "name"), one_of_each(RUNS))
def test_run_in_the_folder_keeps_its_answers(old_folder, release, name):
    run = read_answers(release, "runs", f"{name}.json")["id"]
    assert_as_then(release, name, old_folder, run)


@pytest.mark.parametrize(
    ("release", "name"),
    one_of_each([each for each in RUNS if each[1] != "interrupted"], [OLDEST]),
)
def test_imported_run_keeps_its_answers(import_folder, tmp_path, release, name):
    client, home = import_folder
    run = read_answers(release, "runs", f"{name}.json")["id"]
    path = copy_run_file(release, name, tmp_path, "upload")
    house.adopted(path, home / "runs" / f"{run}.tourscope", run)
    assert_as_then(release, name, client, run, path)


@pytest.mark.parametrize(
    ("release", "name"),
    shorten(
        [each for each in RUNS if each[1] in cases.UPLOADED],
        (OLDEST, cases.UPLOADED[0]).__eq__,
    ),
)
def test_upload_and_download_keep_the_runs_answers(tmp_path, release, name):
    path = copy_run_file(release, name, tmp_path, "upload")
    with house.opened(tmp_path / "home") as opened:
        run = opened.client.post("/runs", content=path.read_bytes()).json()["id"]
        assert_as_then(release, name, opened.client, run, path)
        (tmp_path / "saved").write_bytes(opened.client.get(f"/runs/{run}/run.tourscope").content)
        house.adopted(tmp_path / "saved", tmp_path / "home" / "runs" / "AAAAAAAAAAAA.tourscope", "AAAAAAAAAAAA")
        assert_as_then(release, name, opened.client, "AAAAAAAAAAAA", path)


#: Algorithms since the last release with a folder here; the next one has runs of them.
LATER = {
    "lin-kernighan", "genetic-algorithm", "tabu-search", "particle-swarm", "artificial-bee-colony", "branch-and-cut",
    "farthest-insertion", "nearest-insertion", "cheapest-insertion", "savings", "christofides",
    "space-filling-curve",
    "fast-tsp", "elkai", "or-tools", "pyvrp",
}  # fmt: skip


def test_every_algorithm_has_saved_runs():
    specs = [read_answers(release, "runs", f"{name}.json")["means"] for release, name in RUNS]
    then = {stage["algorithm"] for spec in specs for stage in spec["stages"]}
    assert then == set(house.algorithms()) - LATER
