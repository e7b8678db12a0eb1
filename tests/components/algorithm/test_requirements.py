"""The note beside Start about long or impossible runs, computed from the form's values."""

import pytest

from components.algorithm import requirements
from components.algorithm.requirements import Note, approximate_time, find_faster, make_note
from components.instances.references import menu_value
from components.shell import facts
from components.watch import launch
from solvers import find
from solvers.algorithms.ants.cpu import check_memory
from solvers.algorithms.held_karp.plan import cached_plan, format_bytes
from solvers.core.devices import Device
from solvers.core.errors import InstanceTooLarge
from solvers.core.machine import Machine
from solvers.core.solver import Job
from solvers.core.stop import Budget, Counter
from solvers.plan import plan_stage
from tests.tables import each_row

CPU = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": "", "threads": 2}
GPU = {"kind": "cuda", "name": "Some GPU", "available": True, "reason": "", "memory": 1 << 36}
HERE = {"devices": [CPU]}


def cities(n: int) -> str:
    return menu_value({"generate": "uniform", "n": n, "seed": 1})


def read_note(run_service, algorithm, n, seconds=10.0, variant="auto", **arguments) -> Note:
    return make_note(run_service, algorithm, cities(n), "auto", HERE, variant, arguments, seconds)


def test_climb_cut_off_by_the_budget_suggests_an_alternative(run_service):
    sentence, style = read_note(run_service, "two-opt", 20_000)
    assert sentence == facts.thin_commas(
        "With 20,000 cities the first climber takes about 73\u202fmin here, more than the time budget of 10\u202fs: "
        "choose Lin-Kernighan with kicks or Ant Colony System, or fewer cities."
    )
    assert style == "note slow"
    assert read_note(run_service, "two-opt", 1_000).sentence == ""
    assert "about 8.5\u202fs here, more" in read_note(run_service, "two-opt", 2_500, seconds=5).sentence
    assert "more than the time budget" not in read_note(run_service, "two-opt", 20_000, seconds=None).sentence
    assert read_note(run_service, "two-opt", 3_000, seconds=None).sentence == "", "a minute without a limit is patience"


def test_form_values_count(run_service):
    assert read_note(run_service, "simulated-annealing", 5_000).sentence
    assert read_note(run_service, "simulated-annealing", 5_000, moves_per_city=50).sentence == ""
    assert read_note(run_service, "simulated-annealing", 5_000, moves_per_city="many").sentence, "the default instead"
    assert read_note(run_service, "ant-system", 4_000, ants=4_000).sentence == ""
    assert read_note(run_service, "ant-system", 4_000, variant="sequential").sentence, "one thread takes twice as long"


def test_algorithm_slower_than_the_budget_is_not_recommended(run_service):
    instance = run_service.instance({"generate": "uniform", "n": 20_000, "seed": 1})
    climbs = find("two-opt")
    stage = plan_stage(climbs, climbs.params(), "auto", instance, Machine([Device("cpu", "Some CPU", threads=2)]))
    names = [each.name for each in find_faster(stage, 10.0)]
    assert names == [
        "lin-kernighan", "ant-colony-system", "greedy", "nearest-neighbour", "farthest-insertion", "nearest-insertion",
        "savings",
    ]  # fmt: skip
    assert [each.name for each in find_faster(stage, 0.5)] == ["lin-kernighan", "nearest-neighbour"]
    assert "choose more time, or fewer cities" in read_note(run_service, "two-opt", 20_000, seconds=0.05).sentence


def test_gpu_times_are_not_estimated(run_service):
    form = "two-opt", cities(20_000), "auto", {"devices": [CPU, GPU]}
    assert make_note(run_service, *form, seconds=10.0) == Note("", "note")


@pytest.mark.parametrize("algorithm", ["ant-system", "max-min-ant-system"])
def test_ants_that_do_not_fit_are_refused_before_the_start(run_service, algorithm):
    sentence, style = read_note(run_service, algorithm, 20_000)
    assert "20\u202f000 cities; with 20\u202f000 ants" in sentence
    assert style == "note refusal"
    refused = launch.launch(run_service, cities(20_000), algorithm, {}, 1, 10.0, "cpu")
    assert refused.note == sentence
    assert not run_service.runs
    solver = find(algorithm)
    job = Job(
        run_service.instance({"generate": "uniform", "n": 20_000, "seed": 1}),
        solver.params(),
        1,
        "cpu",
        Counter(Budget()),
    )
    with pytest.raises(InstanceTooLarge):
        check_memory(job, 20_000, 16 * 20_000**2)
    assert read_note(run_service, algorithm, 10_000).style == "note slow"


def test_more_cities_than_a_matrix_holds_are_refused(run_service):
    assert "at most 20\u202f000" in read_note(run_service, "ant-colony-system", 30_000).sentence
    assert read_note(run_service, "greedy", 30_000) == Note("", "note")


@each_row(
    ("seconds", "expected"),
    [(9.13, "9.1\u202fs"), (15.07, "15\u202fs"), (119, "2\u202fmin"), (4343, "72\u202fmin"), (4.2e5, "4.9\u202fdays")],
)
def test_estimated_time_is_rounded_to_its_magnitude(seconds, expected):
    assert approximate_time(seconds) == expected


def test_anticipated_run_equals_the_run_of_start(run_service):
    values = {"climbers": 7, "variant": "auto"}
    requirements.anticipate(run_service, "two-opt", "berlin52", "auto", values)
    run = launch.launch(run_service, "berlin52", "two-opt", values, 5, 10, "auto").run
    (spec,) = run_service.anticipated
    assert (spec.stages, spec.instance, spec.device) == (
        run_service.runs[run].stages, run_service.runs[run].instance, run_service.runs[run].device,
    )  # fmt: skip


@pytest.mark.parametrize("form", [("two-opt", None, "auto", {}), (None, "berlin52", "auto", {}), ("x", "y", "z", {})])
def test_incomplete_form_anticipates_nothing(run_service, form):
    requirements.anticipate(run_service, *form)


def test_shared_work_may_need_more_memory_than_one_gpu_has(run_service):
    memory = int(0.6 * cached_plan(29, 2).peak_bytes)

    def held_karp_note(cards, gpus):
        card = GPU | {"memory": memory, "compute_capability": "9.0"}
        form = menu_value({"name": "bayg29"}), "auto", {"devices": [CPU, *[card] * cards]}
        return make_note(run_service, "held-karp", *form, "cuda", {"gpus": gpus})

    assert held_karp_note(2, "one").is_refusal
    assert held_karp_note(1, "all").is_refusal, "there is one"
    both = held_karp_note(2, "all")
    assert not both.is_refusal
    assert f"on each of 2 GPUs, which have {format_bytes(memory)}: enough for up to 29 cities" in both.sentence
