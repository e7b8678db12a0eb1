"""The default title of a study."""

from studies.spec.title import make_study_title
from tests.studies.small_study import ENTRIES, INSTANCES, tiny_study


def entries(*labels):
    return [{"label": label, "stages": ENTRIES[label]} for label in labels]


def make_title(**changes):
    spec = tiny_study(**{"title": "", **changes})
    return make_study_title(spec, [reference["name"] for reference in spec.instances])


def test_study_is_named_after_its_contents():
    assert make_title() == "2-opt and random on burma14, gr17; 2 seeds"
    many = {"entries": entries("2-opt", "ants", "nearest"), "seeds": {"count": 10}}
    assert make_title(**many) == "3 algorithms on burma14, gr17; 10 seeds"
    everywhere = [{"name": name} for name in INSTANCES]
    assert make_title(instances=everywhere, entries=entries("2-opt")) == "2-opt on 6 instances; 2 seeds"
    assert make_title(seeds={"count": 1}) == "2-opt and random on burma14, gr17; 1 seed"


def test_one_algorithm_in_several_settings_is_named_so():
    stages = {str(count): [{"algorithm": "two-opt", "params": {"climbers": count}}] for count in (1, 2, 3)}
    sweep = [{"label": label, "stages": each} for label, each in stages.items()]
    assert make_title(entries=sweep) == "3 settings of 2-opt on burma14, gr17; 2 seeds"


def test_own_title_comes_first():
    assert make_title(title="Mine") == "Mine"
