"""Proofs of Held-Karp in earlier releases on instances with negative distances are not trusted."""

import json
from dataclasses import replace

import numpy as np

from data.collection.proofs import attach_proof, save_proof
from runs.embedding.run import _LOG_KINDS
from runs.store.home import PROOFS
from runs.store.proof import save_run_proof
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from runs.store.summary import summarise
from solvers.core.events import Finished
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.worker.frames import decode, decode_instance, encode_event_frame, encode_instance_frame
from tests.matrices import from_weights
from tests.tables import each_row

WEIGHTS = np.array([[0, -5, 9, 2], [-5, 0, 1, 7], [9, 1, 0, -8], [2, 7, -8, 0]], np.int32)
SHORTEST = np.array([0, 1, 2, 3], np.int32)
SPEC = {"v": 1, "instance": {"name": "mine"}, "stages": [{"algorithm": "held-karp", "params": {"variant": "cpu"}}]}


def instance_with(shift: int = 0):
    weights = WEIGHTS + np.int32(shift)
    return from_weights(weights, "mine")


def run_file(folder, instance, versions=None):
    """A run of Held-Karp in a data folder, from an earlier release that recorded no version."""
    (folder / "runs").mkdir()
    path = folder / "runs" / "abcdefghijkl.tourscope"
    writer = RunWriter.create(path, "abcdefghijkl", 5.0, json.dumps(SPEC), encode_instance_frame(instance))
    for event in run(prepare(RunSpec.from_json(SPEC)), instance):
        answer = replace(event, versions=versions) if versions is not None and isinstance(event, Finished) else event
        writer.append([Entry(2.0, type(answer).__name__.lower(), encode_event_frame(answer, 2.0))])
    writer.finish()
    return path


def read_fronts(reader):
    """Whether the last front is proven, for each way of reading it."""
    answer = [frame for _, _, frame in reader.log(0, 10**9)], reader.read_frames("front"), reader.all_frames(_LOG_KINDS)
    read = [[frame for raw in frames if (frame := decode(raw)).kind == "front"][-1] for frames in answer]
    return [frame.values["proven"] for frame in (*read, decode(reader.last("front")))]


@each_row(("shift", "versions", "proven"), [(0, None, True), (0, {}, False), (9, {}, True)])
def test_run_of_an_earlier_release_proves_nothing_with_negative_distances(tmp_path, shift, versions, proven):
    instance = instance_with(shift)
    with RunReader(run_file(tmp_path, instance, versions)) as reader:
        assert read_fronts(reader) == [proven] * 4
        assert summarise(reader)["proven"] is proven
        assert save_run_proof(reader, tmp_path / PROOFS) == (4 if proven else None)
        assert decode_instance(decode(reader.instance())).proven is proven
        assert summarise(reader)["gap_percent"] == (0 if proven else None)


def test_stored_optimum_is_read_again_with_negative_distances(tmp_path):
    wrong = replace(instance_with(), optimum=-3, proven=True, optimal_tour=np.array([0, 2, 1, 3], np.int32))
    with RunReader(run_file(tmp_path, wrong)) as reader:
        answer = decode_instance(decode(reader.instance()))
        assert (answer.optimum, answer.proven, answer.optimal_tour) == (None, False, None)
        save_proof(tmp_path / PROOFS, instance_with(), SHORTEST, "abcdefghijkl")
        answer = decode_instance(decode(reader.instance()))
        assert (answer.optimum, answer.proven) == (-10, True)


def test_stored_proof_counts_without_negative_distances(tmp_path):
    for shift in (0, 9):
        instance = instance_with(shift)
        save_proof(tmp_path, instance, SHORTEST, "abcdefghijkl")
        assert attach_proof(instance, tmp_path).proven
        path = tmp_path / f"{instance.sha256}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 1}))
        assert attach_proof(instance, tmp_path).proven == (shift > 0)
