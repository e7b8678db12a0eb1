"""The varied parameter of a study, and the page's curve for it."""

import numpy as np

from components.study.distribution import draw_sweep as draw
from solvers.spec import Stage
from studies.spec.expand import vary
from studies.spec.spec import Entry, StudySpec
from studies.stats.sweep import find_sweep
from tests.tables import each_row

ANTS = Entry("ants", (Stage("ant-system", {"beta": 2}),))
CLIMBERS = Entry("2-opt", (Stage("nearest-neighbour", {}), Stage("two-opt", {"climbers": 5})))


def test_sweep_of_one_parameter_is_one_line():
    entries = (*vary([ANTS], "beta", [5, 1, 3]), CLIMBERS)
    assert find_sweep(entries).name == "beta"
    assert find_sweep(entries).lines == (((1.0, 1), (3.0, 2), (5.0, 0)),)


def test_other_differences_make_another_line():
    other = Entry("more ants", (Stage("ant-system", {"beta": 2, "ants": 50}),))
    found = find_sweep(vary([ANTS, other], "beta", [1, 2, 3]))
    assert found.name == "beta"
    assert found.lines == (((1.0, 0), (2.0, 1), (3.0, 2)), ((1.0, 3), (2.0, 4), (3.0, 5)))


@each_row(
    "entries",
    [
        (ANTS, CLIMBERS),
        vary([ANTS], "beta", [1, 2]),  # two values are two entries
        tuple(Entry(name, (Stage("two-opt", {"variant": name}),)) for name in ("a", "b", "c")),  # no numbers
        tuple(Entry(str(k), (Stage("ant-system", {"beta": k, "rho": k / 10}),)) for k in range(1, 5)),  # two at once
    ],
)
def test_studies_without_sweep(entries):
    assert find_sweep(entries) is None


def test_curve_has_quartiles_and_states_the_medians():
    entries = (*vary([ANTS], "beta", [1, 3, 5]), CLIMBERS)
    spec = StudySpec(({"name": "berlin52"},), entries)
    gaps = {
        0: np.array([4.0, 8.0, 6.0]),
        1: np.array([1.0, 2.0, 3.0]),
        2: np.array([np.inf, 5.0, np.inf]),
        3: np.ones(3),
    }
    looks = [{"letter": "ABCD"[k], "title": each.label, "algorithm": each.stages[0].algorithm, "dash": "solid"}
             for k, each in enumerate(entries)]  # fmt: skip
    figure, sentence, title, place = draw(spec, gaps, looks, "1 s", log=False, dark=False)
    assert (title.lower(), place) == ("over weight of distance", "studies-sweep")
    assert "1: 6.00\u202f%, 3: 2.00\u202f%, 5: \u2013 (smallest at 3)" in sentence
    assert "1 other entries" not in sentence
    assert "One other entry appears" in sentence
    assert [trace["name"].split(" ")[0] for trace in figure["data"]] == ["upper", "lower", "median"]
    assert draw(StudySpec(({"name": "berlin52"},), (ANTS, CLIMBERS)), gaps, looks, "", log=True, dark=True)[3].endswith(
        "none"
    )
