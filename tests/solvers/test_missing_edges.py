"""Graphs with missing edges: the solvers' tours, their messages, and pictures of directed ones."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from commands.main import main
from components.algorithm.requirements import make_note
from components.algorithm.variants import Place, unavailable_reason
from components.instances.picker import describe
from data.collection.resolve import load
from data.distances import tour_length
from data.generators import directed
from data.instance import Instance
from data.missing import describe_missing
from data.tsplib.instances import read
from data.tsplib.normal_form import assemble
from exports.drawing.canvas import make_arrowheads
from exports.drawing.captions import describe_gap
from exports.drawing.image_files import tour_png, tour_svg
from solvers.core.machine import Machine
from solvers.plan import describe_directed_limit, plan, prepare
from solvers.spec import RunSpec, Stage
from studies.errors import InvalidStudy
from studies.file.create import check_instances, resolve_instances
from studies.spec.spec import StudySpec
from tests.matrices import from_weights
from tests.solver_runs import OURS, collect_events, make_spec
from tests.tables import each_row

#: Petersen's graph: three edges a city, and no tour.
PETERSEN = (
    *("1 2", "2 3", "3 4", "4 5", "5 1", "1 6", "2 7", "3 8", "4 9", "5 10"),
    *("6 8", "8 10", "10 7", "7 9", "9 6"),
)
HCP = "NAME: petersen\nTYPE: HCP\nDIMENSION: 10\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n{}\n-1\nEOF\n"


def petersen(*more: str) -> Instance:
    return read(HCP.format("\n".join((*PETERSEN, *more))).encode(), "folder")


@each_row("algorithm", ["held-karp", "two-opt", "simulated-annealing", "greedy", "ant-system"])
def test_no_tour_without_a_missing_edge(algorithm):
    instance = petersen()
    params = {"variant": "sequential"} if algorithm == "held-karp" else {}
    params |= {"two-opt": {"climbers": 5}, "ant-system": {"iterations": 3}}.get(algorithm, {})
    end = collect_events(instance, RunSpec({"name": "p"}, (Stage(algorithm, params),), device="cpu"))[-1]
    used = instance.missing_in(end.length)
    assert used == (1 if algorithm == "held-karp" else max(1, used))
    assert end.length == tour_length(instance, end.order) == 10 - used + used * instance.missing_weight


def test_held_karp_uses_the_fewest_missing_edges_of_directed_graphs():
    rng = np.random.default_rng(5)
    for _ in range(12):
        matrix = rng.integers(1, 50, (7, 7)).astype(np.int32)
        missing = (rng.random((7, 7)) < 0.6) & ~np.eye(7, dtype=bool)
        instance = assemble("g", "EXPLICIT", "inline", weights=matrix, missing=missing)
        end = collect_events(instance, make_spec("held-karp", variant="sequential"))[-1]
        tours = [np.array([0, *rest]) for rest in itertools.permutations(range(1, 7))]
        fewest = min(int(missing[tour, np.roll(tour, -1)].sum()) for tour in tours)
        assert instance.missing_in(end.length) == fewest
        assert end.length == min(tour_length(instance, tour) for tour in tours)


def test_command_line_states_it(tmp_path, capsys):
    path = tmp_path / "petersen.hcp"
    path.write_text(HCP.format("\n".join(PETERSEN)))
    assert main(["run", str(path), "held-karp", "--variant", "sequential"]) == 0
    assert "no tour without missing edges exists, proven; uses 1 missing edge" in capsys.readouterr().out
    assert main(["run", str(path), "nearest-neighbour", "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["missing_edges"] >= 1
    assert outcome["gap_percent"] is None
    assert main(["run", "br17", "christofides"]) == 2
    assert "for a directed instance use" in capsys.readouterr().err


def test_sentences_on_instances_and_tours():
    instance = petersen()
    assert describe_missing(instance.missing, instance.edge_count) == "30 of 45 edges are missing"
    assert "30 of 45 edges are missing" in describe(instance)
    assert "directed" in describe(load("br17"))
    assert describe_gap(2 * instance.missing_weight, instance) == "uses 2 missing edges"
    assert describe_gap(10, instance) == ""


def test_studies_refuse_incomparable_instances():
    with pytest.raises(InvalidStudy, match="missing edges"):
        check_instances([petersen()])
    two = np.array([[0, -1, 2], [-1, 0, 3], [2, 3, 0]], np.int32)
    with pytest.raises(InvalidStudy, match="negative distances"):
        check_instances([from_weights(two, "signs")])
    with pytest.raises(InvalidStudy, match="an optimum of 0"):
        check_instances([replace(from_weights(np.abs(two), "none"), optimum=0)])
    entry = {"label": "climbers", "stages": [{"algorithm": "christofides", "params": {}}]}
    fields = {"v": 1, "instances": [{"name": "br17"}], "entries": [entry], "seeds": {"first": 1, "count": 2}}
    with pytest.raises(InvalidStudy, match=r"climbers cannot run br17: .* use"):
        resolve_instances(StudySpec.from_json(fields), None)
    entry["stages"][0]["algorithm"] = "simulated-annealing"
    assert resolve_instances(StudySpec.from_json(fields), None)[0].name == "br17"


class _Service:
    """Replaces the run service of a form."""

    def instance(self, reference):
        return load(reference["name"])

    def status(self):
        return {"devices": [{"kind": "cpu", "name": "a CPU", "available": True, "reason": ""}]}


def test_the_form_refuses_before_start():
    service = _Service()
    sentence = make_note(service, "christofides", "br17", "auto", service.status())
    assert sentence.is_refusal
    assert "for a directed instance use" in sentence.sentence
    assert not make_note(service, "simulated-annealing", "br17", "auto", service.status()).is_refusal
    assert not make_note(service, "two-opt", "gr17", "auto", service.status()).is_refusal
    stages = (Stage("christofides", {}), Stage("simulated-annealing", {}))
    plans = [plan(prepare(RunSpec({}, each)), load("br17"), Machine(())) for each in (stages, stages[1:])]
    assert "use" in str(plans[0].refusal), "of any stage"
    assert plans[1].refusal is None


@each_row("solver", OURS)
def test_variant_menu_says_which_require_symmetry(solver):
    devices = [{"kind": kind, "name": kind, "available": True, "reason": ""} for kind in ("cpu", "cuda", "mpi")]
    place = Place({"devices": devices}, "auto", "EXPLICIT", 12, directed=True)
    for variant in solver.variants:
        sentence = unavailable_reason(solver, variant, place)
        assert sentence == ("" if variant.directed else describe_directed_limit(solver, variant))


def test_pictures_of_directed_tours_have_arrows():
    instance = directed(12, 1)
    order = np.arange(12)
    there, back = tour_svg(instance, order).decode(), tour_svg(instance, order[::-1]).decode()
    assert there.count("Z") > 5
    assert there != back
    assert (there.count("<path"), tour_svg(load("gr17"), np.arange(17)).count(b"<path")) == (2, 1)
    assert tour_png(instance, order) != tour_png(instance, order[::-1])
    heads = make_arrowheads(np.array([[0.0, 0], [40, 0], [50, 0]]), 10)
    assert heads.tolist() == [[[25, 0], [15, 5], [15, -5]]]
