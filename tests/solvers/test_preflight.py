"""What the command line says of an exact solution: what it needs before it starts, and whether it is proven."""

import json
from dataclasses import replace

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers import find, preflight, result
from solvers.cli import main as cli_main
from solvers.cli.main import main
from solvers.devices import Device
from solvers.events import Front
from solvers.held_karp.division import Division
from solvers.held_karp.plan import plan_for
from solvers.preflight import claim_of
from solvers.run import prepare
from tests.solver_runs import spec_of

HELD_KARP = find("held-karp")


def test_what_it_needs_is_told_before_the_start_and_the_proof_after(capsys):
    assert main(["run", "burma14", "held-karp"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("14 cities need ")
    assert out.startswith("burma14, 14 cities: length 3,323 km (proven optimal)\n")


def test_json_is_alone_and_says_that_it_is_proven(capsys):
    assert main(["run", "burma14", "held-karp", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out)["proven"] is True
    assert main(["run", "burma14", "greedy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proven"] is False


def test_what_was_cut_is_not_proven(capsys, monkeypatch):
    whole = cli_main.run
    unproven = [Front(*(np.zeros(1, np.int64) for _ in range(4)), np.zeros(1), False)]

    def cut(*given, **named):
        return (unproven[0] if isinstance(event, Front) else event for event in whole(*given, **named))

    monkeypatch.setattr(cli_main, "run", cut)
    assert main(["run", "burma14", "held-karp"]) == 0
    assert f"length 3,323 km ({result.NOT_PROVEN}; 0.00 % above" in capsys.readouterr().out


def test_too_many_cities_are_refused_in_one_sentence(capsys):
    assert main(["run", "pr1002", "held-karp"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "1,002 cities" in err
    assert "algorithm" in err


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_only_who_has_something_to_say_says_it(device):
    params = HELD_KARP.params.from_mapping({})
    assert preflight.requirements(HELD_KARP, params, device, load("burma14")).endswith(".")
    greedy = find("greedy")
    assert preflight.requirements(greedy, greedy.params.from_mapping({}), device, load("burma14")) == ""


def test_a_card_is_what_a_run_takes_by_itself_where_there_is_one(monkeypatch):
    monkeypatch.setattr(preflight, "cuda_devices", lambda: [Device("cuda", "Some card")])
    two_opt = find("two-opt")
    assert preflight.requirements(two_opt, two_opt.params.from_mapping({}), "auto", load("kroA100")) == ""
    talker = type("Talker", (type(two_opt),), {"needs": lambda self, instance, device, memory: f"needs {device}"})()
    assert preflight.requirements(talker, talker.params.from_mapping({}), "auto", load("kroA100")) == "needs cuda"
    assert preflight.requirements(talker, talker.params.from_mapping({}), "cpu", load("kroA100")) == "needs cpu"


@pytest.mark.parametrize(
    ("memories", "end"),
    [([10**9] * 2, ", which have 1 GB: enough for up to 29 cities."),
     ([10**9, 5 * 10**7], ", which have 50 MB: enough for up to 24 cities."),
     ([10**6] * 2, ", which have 1 MB: take at most 19.")],
)  # fmt: skip
def test_each_of_several_gpus_needs_its_own_memory(memories, end, monkeypatch):
    cards = [Device("cuda", "Card", memory=memory) for memory in memories]
    monkeypatch.setattr(preflight, "cuda_devices", lambda: cards)
    given = {"variant": "cuda", "gpus": "all"}
    said = preflight.requirements(HELD_KARP, HELD_KARP.params.from_mapping(given), "auto", load("gr24"))
    plan = plan_for(distance_matrix(load("gr24")))
    share = Division(plan, 2)
    words = max(share.sets(plan.layers - 1, part) for part in range(2)) / plan.sets(plan.layers - 1)
    needed = float(said.split(" MB ")[0].split()[-1])
    assert said.startswith("24 cities need ")
    assert said.endswith(f" of memory on each of 2 GPUs{end}")
    assert needed == pytest.approx(words * plan.most_bytes / 1e6, rel=0.05), "of its own part"


@pytest.mark.parametrize(
    ("variant", "free", "shared", "left"),
    [("cpu", 900, 50, 900), ("mpi", 900, 50, 50), ("mpi", 40, 50, 40), ("mpi", 900, 0, 900), ("mpi", 0, 50, 50),
     ("mpi", 0, 0, 0)],
)  # fmt: skip
def test_processes_have_what_they_can_share(variant, free, shared, left, monkeypatch):
    monkeypatch.setattr(preflight, "available_bytes", lambda: free)
    monkeypatch.setattr(preflight, "shared_bytes", lambda: shared)
    row = next(row for row in HELD_KARP.variants if row.name == variant)
    assert preflight.memory_now(row) == left


def claim(algorithm, instance="gr24", devices=(), device="auto", **params):
    spec = spec_of(algorithm, **params)
    return claim_of(prepare(replace(spec, device=device)), load(instance), devices)


def test_what_held_karp_takes_of_which_memory_is_known_before():
    needed = plan_for(distance_matrix(load("gr24"))).most_bytes
    card = {"kind": "cuda", "available": True, "memory": 2 * needed}
    assert claim("held-karp") == claim("held-karp", devices=[card | {"available": False}]) == ("cpu", needed)
    assert claim("held-karp", devices=[card]) == ("cuda", needed)
    assert claim("held-karp", devices=[card], device="cpu") == ("cpu", needed)
    assert claim("held-karp", devices=[card | {"memory": needed - 1}]) == ("cpu", needed), "as the run itself decides"
    assert claim("held-karp", devices=[card, card], variant="cuda", gpus="all") == ("cuda", needed // 2)
    assert claim("held-karp", variant="qin-han-sequential").bytes > needed
    assert claim("held-karp", instance="pr1002").bytes == claim("two-opt").bytes == 0
