"""The variants of 2-opt on the page: their choice on each device, their descriptions, and the table of all."""

import json
from dataclasses import asdict

from dash import html

from components.algorithm import variant_table
from components.algorithm.form import fields, form_style
from components.algorithm.variants import (
    Place,
    cite_source,
    describe_variants,
    find_place,
    make_machine,
    options,
    update_field,
)
from solvers import find
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS
from solvers.gpu.limits import H200, Limits
from tests.tables import each_row

TWO_OPT = find("two-opt")
CPU = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": ""}
NO_GPU = {"kind": "cuda", "name": "CUDA", "available": False, "reason": "No CUDA device: none was found."}
GPU = {"kind": "cuda", "name": "NVIDIA H200", "available": True, "reason": "", "limits": asdict(H200)}
#: The resources of a GPU with 99 KB of shared memory a block, as of compute capability 8.6.
SMALL = Limits(28, 1536, 16, 65_536, 102_400, 101_376)
WITH, WITHOUT = {"devices": [CPU, GPU]}, {"devices": [CPU, NO_GPU]}


def disabled_variants(place: Place) -> dict[str, str]:
    """The variants that cannot be chosen, and why."""
    return {each["value"]: each["title"] for each in options(TWO_OPT, place) if each.get("disabled")}


def test_every_variant_is_in_the_menu_once():
    assert [each["value"] for each in options(TWO_OPT, Place())] == list(TWO_OPT.params.schema()[1].choices)


def test_gpu_variants_are_disabled_with_a_reason_without_a_gpu():
    off = disabled_variants(Place(WITHOUT, "auto", "EUC_2D", 52))
    assert set(off) == {row.name for row in CUDA_VARIANTS}
    assert set(off.values()) == {NO_GPU["reason"]}


@each_row(
    ("place", "off"),
    [
        (Place(WITH, "auto", "EUC_2D", 52), set()),
        (Place(WITH, "auto", "EUC_2D", 1002), {"matr_s", "hundred-cities"}),
        (Place(WITH, "auto", "EUC_2D", 18_512), {"matr_s", "hundred-cities", "array"}),
        (Place(WITH, "auto", "GEO", 48), {"strip", "multi-move", "calc", "intra", "tile", "tuned"}),
        (Place(WITH, "auto", "EUC_2D", 14), {"strip", "multi-move"}),
        (Place(WITH, "cpu", "EUC_2D", 52), {row.name for row in CUDA_VARIANTS}),
        (Place(WITH, "cuda", "EUC_2D", 52), {"cpu", "sequential"}),
    ],
)
def test_with_a_gpu_the_instance_and_the_device_decide(place, off):
    reasons = disabled_variants(place)
    assert set(reasons) == off
    assert all(describe_variants(TWO_OPT, place)[name] == reason != "" for name, reason in reasons.items())


def test_smaller_gpu_holds_smaller_matrices():
    small = {"devices": [CPU, GPU | {"limits": asdict(SMALL)}]}
    reasons = disabled_variants(Place(small, "auto", "EUC_2D", 200))
    assert reasons["matr_s"] == (
        "matr_s takes at most 159 cities on this device: its matrix takes 4 n² bytes, and a block may have 99 KB of "
        "shared memory."
    )
    assert "matr_s" not in disabled_variants(Place(WITH, "auto", "EUC_2D", 200))


@each_row("limits", [None, {}, "227", {**asdict(H200), "shared_per_block": "227"}, asdict(Limits())])
def test_gpu_of_unknown_size_has_the_sizes_of_every_gpu(limits):
    unsaid = {"devices": [CPU, GPU | {"limits": limits}]}
    assert make_machine(unsaid).limits.shared_per_block == 48 << 10
    assert make_machine(WITH).limits == H200
    assert make_machine(None).limits == make_machine(WITHOUT).limits


def test_place_matches_the_form(run_service):
    assert find_place(run_service, WITH, "cpu", "kroA100") == Place(WITH, "cpu", "EUC_2D", 100)
    for device in (None, ["cpu"], {}):
        assert find_place(run_service, WITH, device, "nowhere") == Place(WITH, "auto", "", 0)


def test_only_algorithms_with_variants_have_the_field():
    assert update_field("greedy", Place(WITH)) is None
    assert update_field("nothing", Place(WITH)) is None
    assert set(update_field("two-opt", Place(WITH))["words"]) == set(TWO_OPT.params.schema()[1].choices)


def test_gpu_parameters_are_marked_for_the_style_sheet():
    marked = [field for field in fields(TWO_OPT, {}, Place(WITH)) if field.className == "gpu-only"]
    assert len(marked) == 2  # and a fold of one that is advanced
    assert [(bool(make_machine(each).gpus), form_style(each)) for each in (WITH, WITHOUT, None)] == [
        (True, "form"), (False, "form no-gpu"), (False, "form no-gpu"),
    ]  # fmt: skip


def texts(component) -> list[str]:
    everything = [component, *component._traverse()]
    return [each if isinstance(each, str) else str(getattr(each, "children", "")) for each in everything]


def test_dialog_describes_every_variant():
    sentence = texts(html.Div(variant_table.build_table(TWO_OPT)))
    for row in CUDA_VARIANTS:
        assert {row.name, row.key_idea, row.memory} <= set(sentence), row.name
        assert cite_source(row)[0] in sentence
    assert all(whose == "This program" or whose.endswith(")") for whose, _ in map(cite_source, CUDA_VARIANTS))


def cities_at_most(status) -> dict[str, list[str]]:
    """The texts of the cells with the maximum number of cities, by variant."""
    _, scroll = variant_table.build_table(TWO_OPT, status)
    rows = [row for body in scroll.children.children[1:] for row in body.children if len(row.children) > 4]
    return {row.children[0].children: [each for each in texts(row.children[4]) if each] for row in rows}


def test_table_gives_the_limits_of_this_gpu_with_reasons():
    small = {"devices": [CPU, GPU | {"name": "Small GPU", "limits": asdict(SMALL)}]}
    for status, most, sentence in (
        (WITH, "241", "Limits for this NVIDIA H200, whose blocks have 227 KB of shared memory."),
        (small, "159", "Limits for this Small GPU, whose blocks have 99 KB of shared memory."),
        (WITHOUT, "110", "a GPU whose blocks have 48 KB of shared memory, which every GPU has."),
    ):
        note, _ = variant_table.build_table(TWO_OPT, status)
        assert sentence in note.children
        cell, shared = cities_at_most(status)["matr_s"], make_machine(status).limits.shared_kib
        assert most in cell
        assert f"Its matrix takes 4 n² bytes, and a block may have {shared} KB of shared memory." in cell
    assert cities_at_most(WITH)["cpu"] == ["[]"]


def test_algorithm_without_such_limits_mentions_none():
    note, _ = variant_table.build_table(find("held-karp"), WITH)
    assert "Limits" not in note.children


def test_figures_are_medians_and_empty_without_data(tmp_path, monkeypatch):
    measured = [
        {"name": "strip", "n": 100, "moves_per_second": [3e11, 1e11, 2e11]},
        {"name": "matr_s", "n": 1000, "refused": "too large"},
    ]
    path = tmp_path / "figures.json"
    path.write_text(json.dumps({"throughput": measured}))
    assert variant_table.read_figures(path) == {("strip", 100): 200.0}
    assert variant_table.read_figures(tmp_path / "none.json") == {}
    monkeypatch.setattr(variant_table, "read_figures", lambda path: {("strip", 100): 200.0, ("tile", 100): 5.0})
    sentence = texts(html.Div(variant_table.build_table(TWO_OPT)))
    assert {"200", "5", "n = 100"} <= set(sentence)
    monkeypatch.setattr(variant_table, "read_figures", lambda path: {("matr_s, two rows", 100): 7.0})
    sentence = texts(html.Div(variant_table.build_table(TWO_OPT)))
    assert {"matr_s, two rows", "7"} <= set(sentence)
    assert "calc, two rows" not in sentence


def test_mpi_processes_are_disabled_without_mpi():
    ants, why = find("ant-colony-system"), "MPI needs the package mpi4py."
    for available in (True, False):
        mpi = {"kind": "mpi", "name": "MPI", "available": available, "reason": "" if available else why}
        place = Place({"devices": [CPU, GPU, mpi]}, "auto", "EUC_2D", 52)
        answer = {each["value"]: each["title"] for each in options(ants, place) if each.get("disabled")}
        assert answer == ({} if available else {"mpi": why, "qin-han-mpi": why})
        assert describe_variants(ants, place)["mpi"] == (why if not available else find_key_idea(ants, "mpi"))


def find_key_idea(solver, name: str) -> str:
    return next(row.key_idea for row in solver.variants if row.name == name)
