"""The spec of a study: strict JSON, the order of its runs, one entry with a varied parameter."""

import pytest

from data.errors import InvalidInstance
from solvers.core.errors import DeviceUnavailable, InvalidParams
from solvers.spec import Stage
from studies.pool.dispatch import Claim, build_claims
from studies.spec.expand import parse_value, vary
from studies.spec.matrix import list_cells, list_units, make_run_spec, prepare_entries
from studies.spec.spec import Entry, StudySpec
from tests.studies.small_study import INSTANCES, spec_json, tiny_study
from tests.tables import each_row


def test_spec_equals_its_json():
    value = spec_json()
    assert StudySpec.from_json(value).to_json() == {
        **value,
        "entries": [
            {"label": entry["label"], "stages": [{"params": {}, **stage} for stage in entry["stages"]]}
            for entry in value["entries"]
        ],
    }


def test_omitted_fields_have_defaults():
    value = spec_json()
    spec = StudySpec.from_json({name: value[name] for name in ("v", "instances", "entries")})
    assert (spec.seeds.first, spec.seeds.count, spec.device, spec.threads, spec.title) == (1, 10, "auto", 1, "")


def changed_json(**changes):
    return spec_json(**changes)


ENTRY = {"label": "a", "stages": [{"algorithm": "two-opt"}]}
FAULTS = {
    "no object": [],
    "a newer version": changed_json(v=3),
    "no such version": changed_json(v=0),
    "a version that is true": changed_json(v=True),
    "no version": {name: part for name, part in spec_json().items() if name != "v"},
    "a field that is none": changed_json(climbers=3),
    "no instances": changed_json(instances=[]),
    "instances that are no list": changed_json(instances={"name": "berlin52"}),
    "too many instances": changed_json(instances=[{"generate": "uniform", "n": 9, "seed": k} for k in range(201)]),
    "an instance twice": changed_json(instances=[{"name": "berlin52"}, {"name": "berlin52"}]),
    "no entries": changed_json(entries=[]),
    "an entry without a label": changed_json(entries=[{"stages": ENTRY["stages"]}]),
    "an entry with more": changed_json(entries=[{**ENTRY, "colour": "red"}]),
    "two entries of one label": changed_json(entries=[ENTRY, ENTRY]),
    "an empty label": changed_json(entries=[{**ENTRY, "label": " "}]),
    "a label of two lines": changed_json(entries=[{**ENTRY, "label": "a\nb"}]),
    "a label that turns the writing": changed_json(entries=[{**ENTRY, "label": "a\u202eb"}]),
    "a long label": changed_json(entries=[{**ENTRY, "label": "a" * 81}]),
    "no stages": changed_json(entries=[{**ENTRY, "stages": []}]),
    "nine stages": changed_json(entries=[{**ENTRY, "stages": ENTRY["stages"] * 9}]),
    "no seeds": changed_json(seeds={"count": 0}),
    "too many seeds": changed_json(seeds={"count": 1001}),
    "a seed that is true": changed_json(seeds={"first": True}),
    "seeds past the last": changed_json(seeds={"first": 2**53 - 3, "count": 4}),
    "seeds that are a list": changed_json(seeds=[1, 2]),
    "a budget without end": changed_json(budget={"seconds": float("inf")}),
    "a budget that is none": changed_json(budget={"hours": 1}),
    "a device that is none": changed_json(device="tpu"),
    "no threads": changed_json(threads=0),
    "a thread and a half": changed_json(threads=1.5),
    "a title that is none": changed_json(title=7),
    "too many runs": changed_json(
        instances=[{"generate": "uniform", "n": 9, "seed": k} for k in range(101)],
        seeds={"count": 1000},
        entries=[ENTRY],
    ),
}


@each_row("value", FAULTS.values())
def test_fault_gives_one_sentence(value):
    with pytest.raises(InvalidParams) as refused:
        StudySpec.from_json(value)
    assert str(refused.value).count("\n") == 0
    assert len(str(refused.value)) < 400


def test_instance_is_referenced_as_in_a_run():
    with pytest.raises(InvalidInstance):
        StudySpec.from_json(changed_json(instances=[{"path": "/etc/passwd"}]))


def test_title_is_not_part_of_the_runs():
    assert tiny_study().same_runs(tiny_study(title="another"))
    assert not tiny_study().same_runs(tiny_study(budget={"iterations": 11}))


def test_early_runs_cover_the_whole_matrix():
    spec = StudySpec.from_json(spec_json(seeds={"first": 7, "count": 3}))
    order = list_cells(spec)
    assert [cell.number for cell in order] == list(range(90))
    assert {(cell.instance, cell.entry) for cell in order[:30]} == {(i, e) for i in range(6) for e in range(5)}
    assert {cell.seed for cell in order[:30]} == {7}
    assert len({(cell.instance, cell.entry, cell.seed) for cell in order}) == 90
    run = make_run_spec(spec, order[31])
    assert (run.instance["name"], run.stages[0].algorithm, run.seed) == (INSTANCES[0], "ant-system", 8)


def test_algorithms_and_parameters_are_checked_before_anything_runs():
    with pytest.raises(InvalidParams, match="algorithm"):
        prepare_entries(tiny_study(entries=[{"label": "a", "stages": [{"algorithm": "two-optt"}]}]))
    with pytest.raises(InvalidParams, match="climbers"):
        prepare_entries(
            tiny_study(entries=[{"label": "a", "stages": [{"algorithm": "two-opt", "params": {"climbers": 0}}]}])
        )
    with pytest.raises(DeviceUnavailable):
        prepare_entries(tiny_study(entries=[{"label": "a", "stages": [{"algorithm": "greedy"}]}], device="cuda"))


def compute_claims(gpus, device="auto", **stages):
    entries = [{"label": name, "stages": [stage]} for name, stage in stages.items()]
    spec = tiny_study(entries=entries, threads=2, device=device)
    return build_claims(prepare_entries(spec), spec.threads, 8, gpus)


def test_run_claims_its_threads_or_processes():
    stages = {
        "threads": {"algorithm": "two-opt", "params": {"variant": "cpu"}},
        "ranks": {"algorithm": "held-karp", "params": {"variant": "mpi", "ranks": 5}},
        "as many as cores": {"algorithm": "held-karp", "params": {"variant": "mpi"}},
    }
    assert (
        compute_claims(0, **stages)
        == compute_claims(1, **stages)
        == (Claim(False, 2), Claim(False, 5), Claim(False, 8))
    )


def test_run_claims_a_gpu_if_it_may_use_one():
    auto, strip = {"algorithm": "two-opt"}, {"algorithm": "two-opt", "params": {"variant": "strip"}}
    assert [claim.gpu for claim in compute_claims(1, a=auto, b=strip, c={"algorithm": "greedy"})] == [True, True, False]
    assert [claim.gpu for claim in compute_claims(1, device="cpu", a=auto)] == [False]
    assert [claim.gpu for claim in compute_claims(0, a=auto)] == [False]
    for needed in ({"b": strip}, {"a": auto, "device": "cuda"}):
        with pytest.raises(DeviceUnavailable, match="CUDA"):
            compute_claims(0, **needed)


def test_units_are_those_of_all_stages_or_empty():
    spec = StudySpec.from_json(spec_json())
    answer = dict(zip([entry.label for entry in spec.entries], list_units(prepare_entries(spec)), strict=True))
    assert answer["2-opt"] == {"algorithm": "two-opt", "iterations": "climber", "evaluations": "move"}
    assert answer["nearest, 2-opt"] == {"algorithm": "nearest-neighbour/two-opt", "iterations": "", "evaluations": ""}


def test_one_algorithm_over_a_parameter():
    both = (Entry("a", (Stage("ant-system", {"ants": 5}),)), Entry("g", (Stage("greedy"),)))
    many = vary(both, "beta", [1, 2.5])
    assert [entry.label for entry in many] == ["a beta=1", "a beta=2.5", "g"]
    assert many[1].stages == (Stage("ant-system", {"ants": 5, "beta": 2.5}),)
    assert [entry.label for entry in vary(both, "ants", [7])] == ["a ants=7", "g"]
    with pytest.raises(InvalidParams, match="cooling"):
        vary(both, "cooling", [1])


@each_row(("text", "value"), [("3", 3), ("2.5", 2.5), ("true", True), ("cpu", "cpu"), ("1_0", "1_0")])
def test_values_are_parsed_as_json_or_words(text, value):
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)
