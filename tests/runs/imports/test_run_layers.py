"""Run files of an exact solution: imported without their proof, checked number by number, and summarised."""

import json

import numpy as np
import pytest

from data.collection import resolve
from data.distances import distance_matrix
from data.tsplib import instances
from runs.imports import run as imports_run
from runs.imports.frame_checks import check_frame
from runs.store.climb import list_piece_keys
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from runs.store.summary import build_result, find_solver, make_recent_row, summarise
from solvers.core.events import Finished, Front, Layers
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode, encode_event_frame, encode_instance_frame
from tests import naive
from tests.tables import each_row

N = 14
SPEC = {
    "v": 1,
    "instance": {"name": "burma14"},
    "stages": [{"algorithm": "held-karp", "params": {"variant": "sequential"}}],
}


@pytest.fixture(scope="module")
def events():
    """The events of a run, with the proof in a separate row."""
    return list(run(prepare(RunSpec.from_json(SPEC)), resolve.load("burma14")))


def write_file(path, events, state="finished", spec=SPEC, instance=None):
    instance = instance or resolve.load("burma14")
    writer = RunWriter.create(path, "abcdefghijkl", 5.0, json.dumps(spec), encode_instance_frame(instance))
    for event in events:
        raw = encode_event_frame(event, 2.0)
        writer.append([Entry(2.0, type(event).__name__.lower(), raw, list_piece_keys(decode(raw)))])
    writer.append([Entry(3.0, "state", encode("state", {"state": state, "reason": "", "at": 3.0}, {}))], (state, ""))
    writer.finish()
    return path


def import_file(path):
    target = path.with_name(f"{path.name}-taken")
    imports_run.import_run(path, target, "ABCDEFGHIJKL")
    return RunReader(target)


def test_run_is_imported_with_layers_and_without_proof(events, tmp_path):
    path = write_file(tmp_path / "run", events)
    with RunReader(path) as old, import_file(path) as new:
        assert [row[0] for row in new.log(0, 10**9)] == [row[0] for row in old.log(0, 10**9)]
        for kind in ("layers", "front"):
            for ours, theirs in zip(
                map(decode, new.read_frames(kind)), map(decode, old.read_frames(kind)), strict=True
            ):
                assert ours.values == {**theirs.values, **dict.fromkeys({"proven"} & theirs.values.keys(), False)}
                assert all(np.array_equal(ours.arrays[name], array) for name, array in theirs.arrays.items())
        assert new.count_recorded_climbs() == len(decode(new.last("layers")).arrays["subsets"])
        for reader, proven in ((old, True), (new, False)):
            assert summarise(reader)["proven"] is proven
            assert make_recent_row(summarise(reader))["proven"] is proven
            assert build_result(reader)["proven"] is proven


def test_cancelled_run_is_not_proven(events, tmp_path):
    cut = [
        event for event in events if not isinstance(event, Finished) and not (isinstance(event, Front) and event.proven)
    ]
    path = write_file(tmp_path / "run", cut, "cancelled")
    with RunReader(path) as reader:
        assert summarise(reader)["proven"] is False
    with import_file(path) as reader:
        assert summarise(reader)["length"] == 3323
        assert summarise(reader)["proven"] is False
        assert build_result(reader)["proven"] is False


def test_known_errors_are_not_believed(events, tmp_path):
    worst = max((event for event in events if type(event).__name__ == "Tour"), key=lambda tour: tour.length)
    lying = [event for event in events if type(event).__name__ not in ("Tour", "Finished")] + [worst]
    with RunReader(
        write_file(tmp_path / "run", lying)
    ) as reader:  # as one that was taken in before proofs were dropped
        assert summarise(reader)["length"] == worst.length > 3323
        assert summarise(reader)["proven"] is False


@each_row("names", [["two-opt"], ["held-karp", "two-opt"], ["gone"]])
def test_a_run_of_another_algorithm_proves_nothing(names, events, tmp_path):
    spec = SPEC | {"stages": [{"algorithm": name, "params": {}} for name in names]}
    with RunReader(write_file(tmp_path / "run", events, spec=spec)) as reader:
        assert summarise(reader)["length"] == 3323
        assert summarise(reader)["proven"] is False
    for kind in (Layers, Front):
        answer = [event for event in events if isinstance(event, kind)]
        with pytest.raises(ValueError, match=f"an event of kind '{kind.__name__.lower()}' is invalid"):
            import_file(write_file(tmp_path / kind.__name__, answer, spec=spec))


def test_exact_final_stage_proves_its_tour(events, tmp_path):
    stages = [{"algorithm": "greedy", "params": {}}, *SPEC["stages"]]
    with RunReader(write_file(tmp_path / "run", events, spec=SPEC | {"stages": stages})) as reader:
        assert summarise(reader)["proven"] is True


def long_distances():
    """Nine cities so far apart that no tour's length fits into 4 bytes."""
    weights = np.random.default_rng(9).integers(2**30, 2**31, (9, 9))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    weights[0, 1] = weights[1, 0] = 2**31 - 1
    rows = "\n".join(" ".join(map(str, row)) for row in weights.tolist())
    kind = "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX"
    text = f"NAME: heavy\nTYPE: TSP\nDIMENSION: 9\n{kind}\nEDGE_WEIGHT_SECTION\n{rows}\nEOF\n"
    return instances.read(text.encode(), "uploaded")


def test_states_of_eight_bytes_are_imported(tmp_path):
    answer = list(run(prepare(RunSpec.from_json(SPEC)), long_distances()))
    path = write_file(tmp_path / "run", answer, instance=long_distances())
    with RunReader(path) as reader:
        assert summarise(reader)["proven"] is True
    with import_file(path) as reader:
        assert decode(reader.last("layers")).values["item"] == 8
        found = summarise(reader)
        assert found["length"] == naive.held_karp(distance_matrix(long_distances()).tolist()) > 2**32


def test_layers_of_all_cities_are_imported(tmp_path):
    spec = SPEC | {"stages": [{"algorithm": "held-karp", "params": {"variant": "qin-han-sequential"}}]}
    answer = list(run(prepare(RunSpec.from_json(spec)), resolve.load("burma14")))
    path = write_file(tmp_path / "run", answer, spec=spec)
    with RunReader(path) as reader:
        assert summarise(reader)["proven"] is True
    with import_file(path) as reader:
        frame = decode(reader.last("layers"))
        assert (frame.values["inner"], frame.values["outer"], len(frame.arrays["states"])) == (0, N - 1, N)
        assert decode(reader.last("front")).arrays["layer"].tolist() == [N - 1]
        assert summarise(reader)["length"] == 3323


def test_layers_are_counted_from_zero():
    assert [find_solver(name).counted_from for name in ("held-karp", "two-opt", "gone")] == [0, 1, 1]


def layers(**changed):
    each, cities = np.arange(1, 5), np.array([10, N, 20])
    event = Layers(7, 6, 2, 10**9, each, 2 * each, 3 * each, 4 * each, cities, cities * 1e3, cities * 1e2)
    return alter_frame(event, changed)


def front(**changed):
    event = Front(np.array([1, 1, 2]), *(np.array([10, 20, 30]) for _ in range(3)), np.array([0.1, 0.1, 0.3]), False)
    return alter_frame(event, changed)


def alter_frame(event, changed):
    """The frame of an event with some values or arrays replaced."""
    frame = decode(encode_event_frame(event, 1.0))
    arrays = {name: np.asarray(changed.get(name, array), getattr(changed.get(name), "dtype", array.dtype))
              for name, array in frame.arrays.items()}  # fmt: skip
    values = {name: changed.get(name, value) for name, value in frame.values.items()}
    return decode(encode(frame.kind, values, arrays))


def test_possible_values_pass():
    assert decode(check_frame(layers(), "layers", N, exact=True)).arrays.keys() == layers().arrays.keys()
    assert decode(check_frame(front(), "front", N, exact=True)).arrays.keys() == front().arrays.keys()
    nothing = dict.fromkeys(front().arrays, np.zeros(0, np.int64)) | {"elapsed": np.zeros(0)}
    assert check_frame(front(**nothing, proven=True), "front", 3, exact=True)


WRONG_LAYERS = [
    {"inner": 8}, {"inner": 0, "outer": 13}, {"outer": 5, "inner": 8}, {"outer": -6}, {"inner": True}, {"inner": 7.0},
    {"item": 3}, {"item": "2"}, {"memory": -1}, {"memory": 1 << 60}, {"memory": None}, {"subsets": [1, 2, 3]},
    {"subsets": [0, 1, 2, 3]}, {"states": [1, 0, 3, 4]}, {"transitions": [1, 2, 3, 0]}, {"bytes": [0, 1, 2, 3]},
    {"states": [1, 2, 3, -4]}, {"bytes": [1, 2, 3, 1 << 60]}, {"bytes": np.zeros(4)},
    {"cities": [10, 12, 20]}, {"cities": [14, 10, 20]}, {"cities": [10, 14, 10**6]}, {"cities": [-1, 14, 20]},
    {"cities_transitions": [1.0, np.nan, 3.0]}, {"cities_bytes": [1.0, np.inf, 3.0]}, {"cities_bytes": [1.0, -1, 3.0]},
    {"cities_bytes": [1.0, 2.0]}, {"cities_bytes": [1.0, 2.0, 1e300]}, {"transitions": np.ones((4, 1), np.int64)},
]  # fmt: skip
WRONG_FRONTS = [
    {"layer": [1, 2, 1]}, {"layer": [-1, 1, 2]}, {"layer": [1, 2, 14]}, {"subsets": [10, 9, 30]},
    {"states": [-1, 2, 3]}, {"transitions": [1, 2, 1 << 60]}, {"elapsed": [0.1, np.nan, 0.3]},
    {"elapsed": [0.3, 0.2, 0.1]}, {"layer": [1, 2]}, {"elapsed": np.arange(3)}, {"proven": 1}, {"proven": None},
]  # fmt: skip


@each_row("changed", WRONG_LAYERS)
def test_impossible_layers_are_refused(changed):
    with pytest.raises(ValueError, match=r".+"):
        check_frame(layers(**changed), "layers", N, exact=True)


@each_row("changed", WRONG_FRONTS)
def test_impossible_front_is_refused(changed):
    with pytest.raises(ValueError, match=r".+"):
        check_frame(front(**changed), "front", N, exact=True)


def test_layers_of_another_number_of_cities_are_refused():
    with pytest.raises(ValueError, match="cities of the layers"):
        check_frame(layers(), "layers", N + 1, exact=True)
