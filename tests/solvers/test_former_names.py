"""Former names and choices of parameters: accepted everywhere, written and listed nowhere."""

import pytest

from commands.arguments import parse_command
from commands.main import main
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.run import prepare
from solvers.spec import RunSpec
from studies.cli.arguments import parse_command as read_study
from tests.tables import each_row

#: An algorithm, a parameter with its choice as an older release had them, and as they are now.
FORMER = [
    ("two-opt", "devices", "all", "gpus", "all"),
    ("simulated-annealing", "final", 0.2, "final_temperature_ratio", 0.2),
    ("simulated-annealing", "far", 0.5, "far_move_rate", 0.5),
    ("simulated-annealing", "steps", 30, "moves_per_city", 30),
]
cases = pytest.mark.parametrize(("algorithm", "old", "former", "new", "value"), FORMER)


def make_spec(algorithm, **params):
    return RunSpec.from_json(
        {"v": 1, "instance": {"name": "gr17"}, "stages": [{"algorithm": algorithm, "params": params}]}
    )


@cases
def test_spec_and_link_are_read_and_rewritten(algorithm, old, former, new, value):
    for spec in (
        make_spec(algorithm, **{old: former}),
        RunSpec.from_query(f"?v=1&instance=gr17&algorithm={algorithm}&{old}={former}"),
    ):
        assert spec.to_json()["stages"][0]["params"] == {new: value}
        assert f"{new}={value}" in spec.to_query()
        assert getattr(prepare(spec).stages[0][1], new) == value


@cases
def test_option_is_accepted_but_not_listed(capsys, algorithm, old, former, new, value):
    flag = f"--{old.replace('_', '-')}"
    command = parse_command(["run", "gr17", algorithm, flag, str(former)])
    assert command.spec.stages[0].params == {new: value}
    assert main(["list"]) == 0
    listed = capsys.readouterr().out.split(f"\n{algorithm} ")[-1]
    assert f"    --{new.replace('_', '-')} " in listed
    assert old == new or f"    {flag} " not in listed.partition("\n\n")[0]
    assert main(["run", "gr17", algorithm, "--nonsense", "1"]) == 2
    offered = capsys.readouterr().err.partition("options are")[2].rstrip(".\n").replace(",", "").split()
    assert f"--{new.replace('_', '-')}" in offered
    assert old == new or flag not in offered


@cases
def test_studies_accept_them_and_find_the_same_file(tmp_path, monkeypatch, algorithm, old, former, new, value):
    monkeypatch.chdir(tmp_path)
    asked = [
        read_study(["study", "--instances", "gr17", "--algorithms", f"mine={algorithm}:{name}={each}"])
        for name, each in ((old, former), (new, value))
    ]
    assert asked[0].spec == asked[1].spec
    assert asked[0].path == asked[1].path
    assert asked[0].spec.entries[0].stages[0].params == {new: value}


def test_study_over_a_former_name_is_over_the_current_one():
    command = read_study(
        ["study", "--instances", "gr17", "--algorithms", "simulated-annealing:steps=5", "--over", "steps=10,20"]
    )
    assert [entry.stages[0].params for entry in command.spec.entries] == [
        {"moves_per_city": 10},
        {"moves_per_city": 20},
    ]


def test_both_names_at_once_are_refused():
    with pytest.raises(InvalidParams, match='Unknown parameter "steps"'):
        prepare(make_spec("simulated-annealing", steps=5, moves_per_city=6))


@each_row("solver", SOLVERS)
def test_no_name_means_two_parameters(solver):
    names = [name for declared in solver.params.schema() for name in (declared.name, *declared.former)]
    assert len(names) == len(set(names))
    for declared in solver.params.schema():
        means = [declared.current(former) for former in declared.former_choices]
        assert all(solver.params.from_mapping(values) for values in means)
        assert not set(declared.former_choices) & set(declared.choices)


#: An algorithm, its local search of older releases, whether specs of version 1 alone have it, and what it is now.
LOCAL_SEARCH = [
    ("ant-colony-system", {"two_opt": "last"}, False, {"local_search": "2-opt+or-opt", "local_search_when": "last"}),
    ("ant-colony-system", {"two_opt": "none"}, False, {"local_search": "none"}),
    ("ant-colony-system", {"local_search": "every"}, False,
     {"local_search": "2-opt+or-opt", "local_search_when": "every"}),
    ("max-min-ant-system", {"local_search": "last"}, False,
     {"local_search": "2-opt+or-opt", "local_search_when": "last"}),
    ("max-min-ant-system", {"local_search": "2-opt"}, True,
     {"local_search": "2-opt+or-opt", "local_search_when": "every"}),
]  # fmt: skip


@each_row(("algorithm", "old", "in_version_1", "now"), LOCAL_SEARCH)
def test_local_search_of_older_releases_is_2_opt_with_or_opt(algorithm, old, in_version_1, now):
    ((name, value),) = old.items()
    link = RunSpec.from_query(f"?v=1&instance=gr17&algorithm={algorithm}&{name}={value}")
    assert make_spec(algorithm, **old).stages[0].params == link.stages[0].params == now
    flag = f"--{name.replace('_', '-')}"
    command = parse_command(["run", "gr17", algorithm, flag, value])
    assert command.spec.stages[0].params == (old if in_version_1 else now)
    study = read_study(["study", "--instances", "gr17", "--algorithms", f"{algorithm}:{name}={value}"])
    assert study.spec.entries[0].stages[0].params == (old if in_version_1 else now)


def test_first_names_are_restored():
    params = find("ant-colony-system").params
    now = {"rho": 0.5, "local_search": "2-opt+or-opt", "local_search_when": "every"}
    assert params.first_named(now) == {"rho": 0.5, "two_opt": "every"}
    assert params.renamed(params.first_named(now)) == now


def test_pure_2_opt_has_a_different_file_than_the_former_2_opt():
    asked = [
        read_study(["study", "--instances", "gr17", "--algorithms", f"mine=max-min-ant-system:local-search={value}"])
        for value in ("2-opt", "every", "2-opt+or-opt:local_search_when=every")
    ]
    first, second, third = (command.path for command in asked)
    assert first != second == third


def test_engine_of_older_releases_is_accepted_but_not_listed(capsys):
    now = parse_command(["run", "gr17", "ant-colony-system", "--mpi"])
    assert parse_command(["run", "gr17", "ant-colony-system", "--engine", "mpi"]).spec == now.spec
    assert now.spec.stages[0].params == {"variant": "mpi"}
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    output = capsys.readouterr().out
    assert "--mpi" in output
    assert "--engine" not in output
