"""The address bar fills the form, opens runs, and comes back unchanged."""

import pytest

from components.instances.picker import instance_options
from components.shell.address import VIEW
from components.watch.address import BAR
from components.watch.launch import build_spec, launch, make_address
from solvers import SOLVERS
from solvers.spec import RunSpec

FORM = ("kroA100", "two-opt", {"climbers": 20, "variant": "sequential"}, 7, 5.0, "cpu", 2)
CITIES = {"cities": [[0, 0], [3, 0], [3, 4], [0, 4]]}


@pytest.fixture
def options():
    return instance_options()


def shown_values(filled):
    names = ("instance", "algorithm", "seed", "seconds", "device", "threads")
    instance, algorithm, *rest = (filled[name] for name in names)
    return instance, algorithm, filled["permalink"]["params"], *rest


def test_form_to_address_and_back(run_service, options):
    filled = BAR.read(run_service, make_address(build_spec(*FORM)), None, options)
    assert shown_values(filled) == FORM
    assert filled["note"] == ""
    assert "run" not in filled


def test_missing_limit_is_preserved(run_service, options):
    filled = BAR.read(run_service, make_address(build_spec("berlin52", "greedy", {}, 1, None, "auto")), None, options)
    assert filled["seconds"] is None


def test_unlisted_instance_joins_the_menu(run_service, options):
    spec = RunSpec.from_json({"v": 1, "instance": CITIES, "stages": [{"algorithm": "greedy"}]})
    filled = BAR.read(run_service, make_address(spec), None, options)
    [joined] = [option for option in filled["options"] if option not in options]
    assert joined["value"] == filled["instance"]
    assert build_spec(filled["instance"], "greedy", {}, 1, None, "auto").instance == CITIES


@pytest.mark.parametrize("search", ["", "?", None, 5])
def test_empty_address_changes_nothing(run_service, options, search):
    assert BAR.read(run_service, search, None, options) == {}


def test_known_run_opens_with_its_form(run_service, options):
    run = launch(run_service, *FORM).run
    filled = BAR.read(run_service, f"?run={run}", None, options)
    assert filled["run"] == {"run": run}
    assert shown_values(filled) == FORM


def test_shown_run_changes_nothing(run_service, options):
    launched = launch(run_service, *FORM)
    assert BAR.read(run_service, launched.search, {"run": launched.run}, options) == {}


def test_unknown_run_fills_the_form_and_says_so(run_service, options):
    filled = BAR.read(run_service, make_address(build_spec(*FORM), "zzzzzzzzzzzz"), None, options)
    assert shown_values(filled) == FORM
    assert "run" not in filled
    assert "not on this server" in filled["note"]


@pytest.mark.parametrize(
    "search",
    [
        "?instance=berlin51",
        "?instnace=berlin52",
        "?instance=berlin52&algorithm=nothing",
        "?instance=nowhere&algorithm=greedy",
        "?instance=berlin52&algorithm=two-opt&climbers=0",
        "?instance=berlin52&algorithm=two-opt&walkers=5",
        "?instance=berlin52&algorithm=two-opt&seed=-1",
        "?instance=berlin52&algorithm=two-opt&device=abacus",
        "?instance=berlin52&algorithm=two-opt&budget.seconds=-3",
        "?v=99&instance=berlin52&algorithm=two-opt",
        "?instance={}&algorithm=greedy",
        "?run=nothing",
        "?" + "&".join(f"x{k}=1" for k in range(100)),
        "?instance=berlin52&algorithm=two-opt&seed=" + "[" * 5000,
        "?instance=berlin52&algorithm=two-opt&budget.iterations=1e999",
        "?instance=berlin52&algorithm=two-opt&budget.iterations=NaN",
        *(f"?v=1&instance=berlin52&algorithm=two-opt&{name}=" + 400 * "1" for name in ("climbers", "seed")),
        "?v=1&instance=berlin52&algorithm=two-opt&budget.seconds=" + 400 * "1",
    ],
)
def test_bad_address_gives_one_sentence(run_service, options, search):
    filled = BAR.read(run_service, search, None, options)
    assert filled.keys() == {"note"}
    assert filled["note"].startswith("This link cannot be used: ")
    assert "\n" not in filled["note"]
    assert len(filled["note"]) < 500


def test_settings_outside_the_form_are_reported(run_service, options):
    search = "?instance=berlin52&algorithm=two-opt&budget.target=7600"
    assert "(target)" in BAR.read(run_service, search, None, options)["note"]


def test_link_of_an_older_release_fills_the_form(run_service, options):
    filled = BAR.read(
        run_service, "?v=1&instance=berlin52&algorithm=max-min-ant-system&local_search=2-opt", None, options
    )
    assert filled["permalink"] == {
        "algorithm": "max-min-ant-system",
        "params": {"local_search": "2-opt+or-opt", "local_search_when": "every"},
    }
    filled = BAR.read(run_service, "?v=1&instance=berlin52&algorithm=simulated-annealing&steps=9", None, options)
    assert filled["permalink"] == {"algorithm": "simulated-annealing", "params": {"moves_per_city": 9}}


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("?instance=kroA200", ("kroA200", "two-opt", 1, 10.0)),
        ("?v=1&instance=kroA200", ("kroA200", "two-opt", 1, 10.0)),
        ("?algorithm=ant-system", ("berlin52", "ant-system", 1, 10.0)),
        ("?instance=kroA200&seed=7&seconds=2", ("kroA200", "two-opt", 7, 2.0)),
        ("?instance=kroA200&budget.seconds=3", ("kroA200", "two-opt", 1, 3.0)),
        ("?instance=kroA200&algorithm=ant-system", ("kroA200", "ant-system", 1, None)),  # as in earlier releases
    ],
)
def test_short_link_uses_the_forms_defaults(run_service, options, search, expected):
    filled = BAR.read(run_service, search, None, options)
    assert (filled["instance"], filled["algorithm"], filled["seed"], filled["seconds"]) == expected
    assert filled["note"] == ""


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("?instance=berlin51", 'Unknown instance "berlin51"; did you mean berlin52?'),
        ("?instnace=berlin52", 'Unknown field "instnace"; did you mean instance?'),
        ("?algorithm=twoopt", 'Unknown algorithm "twoopt"; did you mean two-opt?'),
        ("?instance=berlin52&climbesr=7", 'Unknown field "climbesr"; did you mean climbers?'),
        ("?instance=berlin52&algorithm=two-opt&climbesr=7", 'Unknown parameter "climbesr"; did you mean climbers?'),
    ],
)
def test_unknown_name_in_a_link_gets_a_suggestion(run_service, options, search, expected):
    assert BAR.read(run_service, search, None, options)["note"].startswith(f"This link cannot be used: {expected}")


def test_server_ignores_view_fields_of_an_address(run_service, options):
    search = "?instance=kroA100&theme=dark&algorithm=greedy&present&scale=1.5&climb=3&move=4&at=2&guide"
    assert BAR.read(run_service, search, None, options) == BAR.read(
        run_service, "?instance=kroA100&algorithm=greedy", None, options
    )
    assert BAR.read(run_service, "?present&theme=dark", None, options) == {}
    unknown = BAR.read(run_service, "?run=nosuchrun123&climb=3&move=4", None, options)
    assert unknown == BAR.read(run_service, "?run=nosuchrun123", None, options)


def test_no_parameter_is_named_like_a_view_field():
    names = {name for solver in SOLVERS for each in solver.params.schema() for name in (each.name, *each.former)}
    assert not names & set(VIEW)
