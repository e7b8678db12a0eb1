"""Forged lengths and proofs: tours in an uploaded run file are measured again, and no proof is trusted."""

import itertools
import json

import numpy as np
import pytest

from data.collection import resolve
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from data.instance import Instance
from runs.imports import run as child
from runs.imports.lengths import LengthChecker, tour_lengths
from runs.store.climb import list_piece_keys
from runs.store.pheromone import find_iteration
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from runs.store.summary import build_result, summarise
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode, encode_event_frame, encode_instance_frame
from tests import naive
from tests.shortened import shorten
from tests.sqlite_files import change
from tests.tables import each_row

pytestmark = pytest.mark.slow

RUN = "ABCDEFGHIJKL"
ALGORITHMS = {
    "two-opt": {"climbers": 30, "variant": "sequential"}, "simulated-annealing": {"chains": 2}, "greedy": {},
    "lin-kernighan": {"rounds": 5}, "branch-and-cut": {},
    "nearest-neighbour": {}, "random": {"samples": 20}, "held-karp": {"variant": "sequential"},
    "tabu-search": {"searches": 2}, "particle-swarm": {"iterations": 20}, "artificial-bee-colony": {"iterations": 20},
    "ant-system": {"iterations": 20}, "max-min-ant-system": {"iterations": 20}, "ant-colony-system": {"iterations": 20},
    "genetic-algorithm": {"population": 20, "generations": 20, "initial": "random"},
}  # fmt: skip
#: Those of which every run of the tests breaks off; the others do so where there is time.
BREAKING = ("two-opt", "held-karp", "ant-system")
FORGED = (1, -5, *[pytest.param(length, marks=pytest.mark.long) for length in (0, 10**18)], 10**10)


def make_spec(algorithm, instance="ulysses16", before=()):
    stages = [{"algorithm": name, "params": {}} for name in before]
    stages.append({"algorithm": algorithm, "params": ALGORITHMS[algorithm]})
    return RunSpec.from_json(
        {"v": 1, "instance": {"name": instance}, "stages": stages, "budget": {"evaluations": 10**7}}
    )


@pytest.fixture(scope="module")
def recorded_frames():
    """The frames of a run of an algorithm, recorded once."""
    stored = {}

    def frames(algorithm, instance="ulysses16", before=()):
        key = (algorithm, instance, tuple(before))
        if key not in stored:
            spec = make_spec(algorithm, instance, before)
            stored[key] = [decode(encode_event_frame(each, 2.0)) for each in run(prepare(spec), resolve.load(instance))]
        return stored[key]

    return frames


def run_file(path, frames, algorithm, instance="ulysses16", before=(), state="finished"):
    """A run file with these frames, written by the collector."""
    spec = json.dumps(make_spec(algorithm, instance, before).to_json())
    writer = RunWriter.create(path, "abcdefghijkl", 5.0, spec, encode_instance_frame(resolve.load(instance)))
    for frame in frames:
        raw = encode(frame.kind, frame.values, frame.arrays)
        writer.append([Entry(2.0, frame.kind, raw, list_piece_keys(frame), find_iteration(frame))])
    writer.append([Entry(3.0, "state", encode("state", {"state": state, "reason": "", "at": 3.0}, {}))], (state, ""))
    writer.finish()
    return path


def import_upload(path):
    target = path.with_name(f"{path.name}-taken")
    target.unlink(missing_ok=True)
    child.import_run(path, target, RUN)
    return target


def forge_frames(frames, kind, change):
    """The frames after a change to the values and arrays of one kind; `change` returns whether it changed anything."""
    created_items, count = [], 0
    for frame in frames:
        if frame.kind == kind:
            values, arrays = dict(frame.values), {name: array.copy() for name, array in frame.arrays.items()}
            count += bool(change(values, arrays))
            frame = decode(encode(kind, values, arrays))
        created_items.append(frame)
    assert count, f"there was nothing of {kind} to forge"
    return created_items


def least_shown(path):
    """The smallest length in a run file."""
    names = {"progress": ("best", "current", "mean"), "rows": ("length",), "colony": ("best", "mean", "worst"),
             "ants": ("lengths",), "shortened": ("before", "after"), "moves": ("length",),
             "population": ("best", "mean", "worst"), "individuals": ("lengths",)}  # fmt: skip
    least = []
    with RunReader(path) as reader:
        for kind, arrays in names.items():
            for raw in reader.all_frames((kind,)):
                frame = decode(raw)
                least += [frame.arrays[name].min() for name in arrays if frame.arrays[name].size]
        for raw in reader.all_frames(("tour", "finished")):
            least.append(decode(raw).values["length"])
    return min(least)


@pytest.mark.parametrize(
    ("algorithm", "before"),
    shorten(itertools.product(ALGORITHMS, [(), ("greedy",)]), lambda case: not case[1] or case[0] in BREAKING),
)
def test_events_of_an_algorithm_are_imported_unchanged(recorded_frames, tmp_path, algorithm, before):
    frames = recorded_frames(algorithm, before=before)
    path = import_upload(run_file(tmp_path / "run", frames, algorithm, before=before))
    with RunReader(path) as reader:
        stored = [decode(raw) for raw in reader.all_frames(tuple({frame.kind for frame in frames}))]
    assert [frame.kind for frame in stored] == [frame.kind for frame in frames]
    for ours, theirs in zip(stored, frames, strict=True):
        assert {**ours.values, "proven": None} == {**theirs.values, "proven": None}
        assert all(np.array_equal(ours.arrays[name], array, equal_nan=True) for name, array in theirs.arrays.items())


@pytest.mark.parametrize("first", [(2, 5), pytest.param((1, 2, 3, 4, 5, 8), marks=pytest.mark.long)], ids=len)
@pytest.mark.parametrize("algorithm", shorten(ALGORITHMS, BREAKING.__contains__))
def test_events_before_an_interruption_are_imported(recorded_frames, tmp_path, algorithm, first):
    """However far the run got; nothing shorter than its tours is shown."""
    frames = [frame for frame in recorded_frames(algorithm) if frame.kind != "finished"]
    for count in sorted({*first, len(frames) // 2, len(frames) - 1, len(frames)}):
        path = import_upload(run_file(tmp_path / f"run{count}", frames[:count], algorithm, state="interrupted"))
        with RunReader(path) as reader:
            assert summarise(reader)["state"] == "interrupted"
        assert import_upload(path).is_file()  # and again, as it is now


@pytest.mark.parametrize("length", FORGED)
@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [
        *((algorithm, kind) for algorithm in ("two-opt", "held-karp", "ant-system") for kind in ("tour", "finished")),
        ("tabu-search", "tabu"),
    ],
)
def test_tour_with_a_wrong_length_is_refused(recorded_frames, tmp_path, algorithm, kind, length):
    def change(values, arrays):
        values["length"] = length
        return True

    with pytest.raises(ValueError, match=r"^a tour of length \d,\d{3} has the stored length -?[\d,]+\.$"):
        import_upload(run_file(tmp_path / "run", forge_frames(recorded_frames(algorithm), kind, change), algorithm))


TOLD = {
    ("two-opt", "progress"): ("best", "current", "mean"), ("two-opt", "rows"): ("length",),
    ("simulated-annealing", "progress"): ("best", "current"), ("ant-system", "colony"): ("best", "mean"),
    ("genetic-algorithm", "population"): ("best", "mean"),
    ("greedy", "rows"): ("length",), ("held-karp", "rows"): ("length",), ("held-karp", "progress"): ("best",),
}  # fmt: skip
EACH = [(*key, name) for key, names in TOLD.items() for name in names]


@pytest.mark.parametrize("length", [1, 6858, 10**15])
@pytest.mark.parametrize(("algorithm", "kind", "name"), EACH)
def test_impossible_lengths_are_refused(recorded_frames, tmp_path, algorithm, kind, name, length):
    """6,858 is one less than the optimum of the instance, which all of them find."""

    def change(_, arrays):
        arrays[name][-1:] = length
        if name in ("best", "mean") and kind in ("colony", "population"):
            arrays["worst"][-1:] = max(length, arrays["worst"].max(initial=0))
        return arrays[name].size

    with pytest.raises(ValueError, match=r"below that of its shortest tour|exceeds that of any tour"):
        import_upload(run_file(tmp_path / "run", forge_frames(recorded_frames(algorithm), kind, change), algorithm))


@each_row(("algorithm", "kind", "name"), EACH)
def test_impossible_lengths_of_an_unfinished_run_are_dropped(recorded_frames, tmp_path, algorithm, kind, name):
    def change(_, arrays):
        arrays[name][-1:] = 1
        return arrays[name].size

    frames = [frame for frame in forge_frames(recorded_frames(algorithm), kind, change) if frame.kind != "finished"]
    path = import_upload(run_file(tmp_path / "run", frames, algorithm, state="cancelled"))
    shortest = min(frame.values["length"] for frame in frames if frame.kind == "tour")
    assert least_shown(path) >= shortest >= 6859
    with RunReader(path) as reader:
        assert summarise(reader)["length"] == shortest


def test_no_length_is_shown_without_a_tour(recorded_frames, tmp_path):
    frames = [frame for frame in recorded_frames("two-opt") if frame.kind in ("started", "progress", "rows")]
    path = import_upload(run_file(tmp_path / "run", frames, "two-opt", state="failed"))
    with RunReader(path) as reader:
        assert summarise(reader)["length"] is None
        assert all(not decode(raw).arrays["best"].size for raw in reader.read_frames("progress"))
        assert not list(reader.read_frames("rows"))


def shift_start(_, arrays):
    arrays["length"] -= 6000
    return arrays["length"].size


def shift_last_move(_, arrays):
    arrays["delta"][-1:] -= 6000
    return arrays["delta"].size


def up_and_down(_, arrays):
    """The sums are right, but an intermediate length is wrong."""
    if arrays["count"].size and arrays["count"].max() >= 2:
        first = int(np.cumsum(arrays["count"])[arrays["count"].argmax()] - arrays["count"].max())
        arrays["delta"][first] -= 60_000
        arrays["delta"][first + 1] += 60_000
        return True
    return False


def no_beginning(_, arrays):
    arrays["first"][:1] = 7
    arrays["tour"][:1] = -1
    return arrays["first"].size


@each_row("change", [shift_start, shift_last_move, up_and_down, no_beginning])
@each_row("ended", [True, False])
@each_row("algorithm", ["two-opt", "simulated-annealing"])
def test_climb_with_wrong_lengths_is_refused(recorded_frames, tmp_path, algorithm, change, ended):
    frames = [
        frame
        for frame in forge_frames(recorded_frames(algorithm), "moves", change)
        if ended or frame.kind != "finished"
    ]
    with pytest.raises(ValueError, match=r"(of a tour in a climb|add up|in length by a move|no beginning)"):
        import_upload(run_file(tmp_path / "run", frames, algorithm, state="finished" if ended else "failed"))


def short_edge(_, arrays):
    arrays["delta"][3] -= 1
    return True


def edges_of_no_tour(_, arrays):
    """Each city has two edges and each edge its length, but the edges form two subtours."""
    order = arrays["edges"][:, 0].copy()
    half = order.size // 2
    rounds = (order[:half], order[half:])
    arrays["edges"][:] = np.concatenate([np.stack((each, np.roll(each, -1)), axis=1) for each in rounds])
    a, b = arrays["edges"].T
    arrays["delta"][:] = distance_matrix(resolve.load("ulysses16"))[a, b]
    return True


@each_row("change", [short_edge, edges_of_no_tour])
@each_row("algorithm", ["nearest-neighbour", "ant-system"])
def test_construction_with_wrong_edges_is_refused(recorded_frames, tmp_path, algorithm, change):
    with pytest.raises(ValueError, match=r"^(the length of an edge|the edges of a construction do not)"):
        import_upload(run_file(tmp_path / "run", forge_frames(recorded_frames(algorithm), "edges", change), algorithm))


def test_negative_gap_is_not_shown(recorded_frames, tmp_path):
    """No change to any length in any event of a run has this effect."""
    for frame, name in itertools.product(recorded_frames("two-opt"), ("best", "current", "length", "delta")):
        for at in range(min(frame.arrays[name].size, 3)) if name in frame.arrays else ():
            arrays = {each: array.copy() for each, array in frame.arrays.items()}
            arrays[name][at] -= 20_000
            other = decode(encode(frame.kind, frame.values, arrays))
            frames = [other if each is frame else each for each in recorded_frames("two-opt")]
            with pytest.raises(ValueError, match=r".+"):
                import_upload(run_file(tmp_path / "run", frames, "two-opt"))
            (tmp_path / "run").unlink()


@each_row("n", [1, 2, 3, 4, 9])
@each_row("kind", ["EUC_2D", "CEIL_2D", "ATT", "GEO", "EXPLICIT"])
def test_tours_are_measured_exactly_and_none_exceeds_the_bound(n, kind):
    rng = np.random.default_rng(n)
    if kind == "EXPLICIT":
        weights = rng.integers(-50, 2**31 - 1, (n, n)).astype(np.int32)
        weights = np.triu(weights, 1) + np.triu(weights, 1).T
        instance = Instance("x", kind, n, None, weights, None)
    else:
        span = (90, 180) if kind == "GEO" else (10**6, 10**6)
        instance = Instance("x", kind, n, rng.uniform(-1, 1, (n, 2)) * span, None, None)
    tours = np.array([rng.permutation(n) for _ in range(200)], np.int32)
    exact = [tour_length(instance, tour) for tour in tours]
    assert tour_lengths(instance, tours).tolist() == exact
    assert exact == [naive.naive_length(distance_matrix(instance).tolist(), tour.tolist()) for tour in tours]
    progress = decode(encode("progress", {}, {name: np.array(exact) for name in ("best", "current", "mean")}))
    LengthChecker(instance).record_lengths(progress)


def test_only_the_proof_is_not_believed(recorded_frames, tmp_path):
    path = run_file(tmp_path / "run", recorded_frames("held-karp"), "held-karp")
    with RunReader(path) as ours, RunReader(import_upload(path)) as theirs:
        own, brought = summarise(ours), summarise(theirs)
        assert (own["proven"], own["adopted"]) == (True, False)
        assert (brought["proven"], brought["adopted"]) == (False, True)
        changed = {"id", "proven", "adopted"}
        assert {name: own[name] for name in own.keys() - changed} == {
            name: brought[name] for name in own.keys() - changed
        }
        assert brought["instance"] == {"name": "ulysses16", "n": 16, "optimum": 6859, "proven": True}
        assert (brought["length"], brought["gap_percent"]) == (6859, 0.0)
        assert (build_result(ours)["proven"], build_result(theirs)["proven"]) == (True, False)
        assert not any(decode(raw).values["proven"] for raw in theirs.read_frames("front"))


def test_a_forged_front_proves_nothing(recorded_frames, tmp_path):
    """The optimum of the instance is unknown: only the file claims that its worst tour is the shortest."""
    tours = [frame for frame in recorded_frames("held-karp") if frame.kind == "tour"]
    front = [frame for frame in recorded_frames("held-karp") if frame.kind == "front"][-1:]
    assert front[0].values["proven"]
    unknown = uniform(16, 5)
    order = tours[0].arrays["order"]
    tour = decode(encode("tour", {**tours[0].values, "length": tour_length(unknown, order)}, {"order": order}))
    spec = json.dumps(make_spec("held-karp").to_json())
    writer = RunWriter.create(tmp_path / "run", "abcdefghijkl", 5.0, spec, encode_instance_frame(unknown))
    entries = [Entry(2.0, each.kind, encode(each.kind, each.values, each.arrays)) for each in (tour, *front)]
    writer.append(entries, ("finished", ""))
    writer.finish()
    with RunReader(tmp_path / "run") as reader:
        assert summarise(reader)["proven"] is True  # as a run that was done here
    with RunReader(import_upload(tmp_path / "run")) as reader:
        found = summarise(reader)
        assert (found["instance"]["optimum"], found["proven"], found["adopted"]) == (None, False, True)


def test_run_file_without_the_mark_counts_as_local(recorded_frames, tmp_path):

    path = run_file(tmp_path / "run", recorded_frames("held-karp"), "held-karp")
    change(path, "ALTER TABLE run DROP COLUMN adopted")
    with RunReader(path) as reader:
        assert (summarise(reader)["proven"], summarise(reader)["adopted"]) == (True, False)
    with RunReader(import_upload(path)) as reader:
        assert (summarise(reader)["proven"], summarise(reader)["adopted"]) == (False, True)
