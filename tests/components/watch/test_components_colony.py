"""The page for ant colonies: views, presets, the table of variants, and a form of limited length."""

from dataclasses import asdict

from components.algorithm import presets
from components.algorithm.form import fields
from components.algorithm.variant_table import build_table, group_variants
from components.algorithm.variants import Place, options, unavailable_reason
from components.shell import ids
from components.shell.facts import units
from components.watch.labels import choose_words, part_options
from solvers import SOLVERS, find
from solvers.gpu.limits import H200
from tests.tables import each_row

ANTS = find("ant-system")
CPU = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": ""}
CARD = {"kind": "cuda", "name": "NVIDIA H200", "available": True, "reason": "", "limits": asdict(H200)}
WITH = {"devices": [CPU, CARD]}


def all_components(component):
    return [component, *component._traverse()]


@each_row("solver", SOLVERS)
def test_only_views_with_contents_are_offered(solver):
    colony = solver.family == "ant colony"
    assert units(solver)["colony"] is colony
    assert ("pheromone" in units(solver)["views"]) is colony
    visible = colony or solver.name == "held-karp" or {"population", "tabu"} & {*solver.views}
    assert choose_words(solver).views == ("views" if visible else "views none")
    assert ("restarts" in {part["value"] for part in part_options(solver)}) is (solver.name == "two-opt")


@each_row("preset", presets.list_presets(ANTS))
def test_preset_is_recognised_by_its_parameters(preset):
    values = presets.complete_params(ANTS, preset)
    ANTS.params.from_mapping(values)
    assert presets.find_matching(ANTS, values) == preset.name
    assert presets.find_matching(ANTS, preset.params | {"variant": "sequential"}) == preset.name
    assert presets.find_matching(ANTS, values | {"rho": 0.123}) == presets.CUSTOM


def test_menu_comes_first_and_names_the_source_of_parameters():
    theirs = {"q": 100.0, "beta": 5.0, "iterations": 1000, "rules": "utne-hansen", "least_weight": 0.0001}
    first, *_ = fields(ANTS, theirs, Place())
    [menu] = [each for each in all_components(first) if getattr(each, "id", None) == ids.preset("ant-system", "menu")]
    assert menu.value == "utne-hansen"
    assert [option["value"] for option in menu.options] == ["uchida", "bitner-scaled", "utne-hansen", "custom"]
    assert presets.field(find("greedy"), {}) == []


def test_only_advanced_parameters_are_collapsed():
    *_, fold = fields(ANTS, {}, Place())
    named = [each.id for each in all_components(fold) if isinstance(getattr(each, "id", None), dict)]
    inside = {each["name"] for each in named}
    assert inside == {param.name for param in ANTS.params.schema() if param.advanced}
    assert "iterations" not in inside
    assert fold.className == "more"
    *_, fold = fields(find("two-opt"), {}, Place())
    kinds = {param.name: param.gpu for param in find("two-opt").params.schema() if param.advanced}
    hidden = [each for each in all_components(fold) if getattr(each, "className", None) == "gpu-only"]
    assert len(hidden) == sum(kinds.values()) < len(kinds), "without a GPU those of cores stay"
    assert all(each.className != "more" for each in fields(find("greedy"), {}, Place()))


def test_every_gpu_variant_of_ants_can_be_selected():
    assert [each["value"] for each in options(ANTS, Place(WITH, "auto", "GEO", 5000)) if each.get("disabled")] == []
    off = {row.name for row in ANTS.variants if unavailable_reason(ANTS, row, Place(WITH, "cpu", "GEO", 5000))}
    assert off == {row.name for row in ANTS.variants if row.device == "cuda"}


def test_table_has_a_row_per_variant():
    components = [each for part in build_table(ANTS) for each in all_components(part)]
    texts = {each for each in components if isinstance(each, str)}
    texts |= {str(getattr(each, "children", "")) for each in components}
    for row in ANTS.variants:
        assert {row.name, row.key_idea, row.memory} <= texts, row.name
    assert not any("n = 100" in text for text in texts), "nothing was measured of ants"
    assert {row.name for row in group_variants(ANTS)["Without a GPU"]} == {"cpu", "sequential"}
