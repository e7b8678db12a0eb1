"""The page for exact solutions: a view of layers, its own terms, and the requirements of a run."""

import pytest

from components.algorithm.form import choose_hints, fields
from components.algorithm.requirements import make_note
from components.algorithm.variants import Place, count_unavailable, options
from components.shell import facts
from components.watch.labels import choose_words, part_options, view_options
from solvers import SOLVERS, find
from tests.tables import each_row

HELD_KARP = find("held-karp")
CPU = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": "", "memory": 7}
NO_GPU = {"kind": "cuda", "name": "CUDA", "available": False, "reason": "No CUDA device: none was found.", "memory": 0}
NO_MPI = {"kind": "mpi", "name": "MPI", "available": False, "reason": "MPI needs the package mpi4py.", "memory": 0}
MPI = {"kind": "mpi", "name": "MPI", "available": True, "reason": "", "memory": 0}
HERE = {"devices": [CPU, NO_GPU, NO_MPI]}
WITH_MPI = {"devices": [CPU, NO_GPU, MPI]}


@pytest.fixture(autouse=True)
def fixed_memory(monkeypatch):
    """Free memory of this machine, and the part that processes can share; devices were reported earlier."""
    found = {"all": 20_000_000_000, "shared": 64_000_000}
    monkeypatch.setattr("solvers.core.machine.available_bytes", lambda: found["all"])
    monkeypatch.setattr("solvers.core.machine.shared_bytes", lambda: found["shared"])
    return found


def test_layers_are_viewed_and_counted_by_their_outer_cities():
    assert [option["value"] for option in view_options(HELD_KARP)] == ["tour", "layers"]
    units = facts.units(HELD_KARP)
    assert (units["exact"], units["first"], units["views"]) == (True, 0, ["tour", "layers"])
    sentence = choose_words(HELD_KARP)
    assert (sentence.climb, sentence.step, sentence.views) == ("Layer", "Edge", "views")
    assert [option["label"] for option in sentence.axes] == ["This layer", "Layers", "Transitions", "Seconds"]
    assert sentence.rate == "transitions"
    assert "outer cities" in sentence.note
    assert [part["value"] for part in part_options(HELD_KARP)] == ["table"]


@each_row("solver", [each for each in SOLVERS if each.family != "exact"])
def test_no_other_algorithm_has_layers(solver):
    assert "layers" not in facts.label_views(solver)
    assert facts.units(solver)["first"] == 1
    assert not facts.units(solver)["exact"]


def test_canvas_promises_a_proof(run_service):
    assert "prove" in choose_hints(run_service, "burma14", "held-karp")["none"]


def test_required_and_available_memory(run_service):
    sentence, style = make_note(run_service, "held-karp", "burma14", "auto", HERE)
    assert "14 cities" in sentence
    assert "20 GB" in sentence
    assert style == "note"


def test_free_memory_is_measured_each_time(run_service, fixed_memory):
    assert "20 GB" in make_note(run_service, "held-karp", "burma14", "auto", HERE).sentence
    fixed_memory["all"] = 3_000_000_000
    assert "3 GB" in make_note(run_service, "held-karp", "burma14", "auto", HERE).sentence
    fixed_memory["all"] = 1
    assert make_note(run_service, "held-karp", "burma14", "auto", HERE).style == "note refusal"


def test_selected_variant_decides_and_processes_share_memory(run_service):
    phrase = {
        name: make_note(run_service, "held-karp", "gr21", "auto", WITH_MPI, name).sentence
        for name in ("sequential", "mpi")
    }
    assert "20 GB" in phrase["sequential"]
    assert "64 MB" in phrase["mpi"]
    sentence, style = make_note(run_service, "held-karp", "bays29", "auto", WITH_MPI, "mpi")
    assert "64 MB are available" in sentence
    assert style == "note refusal"
    assert make_note(run_service, "held-karp", "bays29", "auto", WITH_MPI, "cpu").style == "note"
    assert make_note(run_service, "held-karp", "bays29", "auto", HERE, "mpi") == (NO_MPI["reason"], "note refusal")


@pytest.mark.parametrize("variant", ["auto", "strip", None, ["mpi"]])
def test_unknown_variant_is_ignored(run_service, variant):
    assert make_note(run_service, "held-karp", "burma14", "auto", HERE, variant) == make_note(
        run_service, "held-karp", "burma14", "auto", HERE
    )


@pytest.mark.parametrize(
    ("algorithm", "instance", "status"),
    [("two-opt", "burma14", HERE), ("held-karp", "burma14", {"devices": None}), ("held-karp", "nowhere", HERE),
     ("nothing", "burma14", HERE)],
)  # fmt: skip
def test_algorithm_without_requirements_has_no_note(run_service, algorithm, instance, status):
    assert make_note(run_service, algorithm, instance, "auto", status) == ("", "note")


@pytest.mark.parametrize(("instance", "memory"), [("pr1002", 20_000_000_000), ("gr21", 1_000_000)])
def test_run_beyond_the_memory_is_refused_before_the_start(run_service, instance, memory, fixed_memory):
    fixed_memory["all"] = memory
    n = run_service.instance({"name": instance}).n
    off = {
        each["value"]: each["title"]
        for each in options(HELD_KARP, Place(WITH_MPI, "auto", "GEO", n))
        if each.get("disabled")
    }
    assert off.keys() == {row.name for row in HELD_KARP.variants}
    sentence, style = make_note(run_service, "held-karp", instance, "auto", WITH_MPI)
    assert sentence == facts.thin_commas(off["cpu"])
    assert facts.format_city_count(n) in sentence
    assert style == "note refusal"


def test_run_that_only_fits_the_gpu_runs_there(run_service, fixed_memory):
    fixed_memory["all"] = 20_000_000_000
    card = {"kind": "cuda", "name": "A card", "available": True, "reason": "", "memory": 140_000_000_000}
    status = {**HERE, "devices": [*HERE["devices"], card]}
    ways = {each["value"]: each.get("disabled") for each in options(HELD_KARP, Place(status, "auto", "EUC_2D", 34))}
    assert (ways["cpu"], ways["cuda"]) == (True, False)


def test_proof_is_shown_in_the_menu_of_recent_runs():
    run = {"created": 1.7e9, "state": "finished", "length": 3323, "gap_percent": None, "proven": True}
    assert facts.describe_recent(run).endswith("proven optimal")
    assert "proven" not in facts.describe_recent(run | {"proven": False})


def test_refusal_of_all_variants_is_stated_once(run_service):
    place = Place(HERE, "auto", "EUC_2D", 20_000)
    assert count_unavailable(HELD_KARP, place, has_reason=False) == "None of 8 variants can run here."
    assert "20\u202f000 cities" in count_unavailable(HELD_KARP, place)
    assert count_unavailable(HELD_KARP, place).startswith("8 of 8 variants cannot run here. Held-Karp keeps")
    (variant,) = (each for each in fields(HELD_KARP, {}, place) if getattr(each, "data-algorithm", ""))
    assert count_unavailable(HELD_KARP, place, has_reason=False) in str(variant)
