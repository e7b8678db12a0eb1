"""The command line for exact solutions: requirements before the start, and the proof at the end."""

import json
from dataclasses import replace

import numpy as np
import pytest

from commands import main as cli_main
from commands.main import main
from data.collection.resolve import load
from data.distances import distance_matrix
from solvers import find, result
from solvers.algorithms.held_karp.division import Division
from solvers.algorithms.held_karp.plan import plan_for
from solvers.core import machine
from solvers.core.devices import Device
from solvers.core.events import Front
from solvers.core.machine import Machine
from solvers.gpu.limits import H200
from solvers.plan import plan, plan_stage, prepare
from tests.solver_runs import make_spec
from tests.tables import each_row

HELD_KARP = find("held-karp")


def test_requirements_precede_the_start_and_the_proof_follows(capsys):
    assert main(["run", "burma14", "held-karp"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("14 cities need ")
    assert out.startswith("burma14, 14 cities: length 3,323 km (proven optimal)\n")


def test_json_is_the_only_output_and_states_the_proof(capsys):
    assert main(["run", "burma14", "held-karp", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out)["proven"] is True
    assert main(["run", "burma14", "greedy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proven"] is False


def test_cut_off_run_is_not_proven(capsys, monkeypatch):
    whole = cli_main.execute
    unproven = [Front(*(np.zeros(1, np.int64) for _ in range(4)), np.zeros(1), False)]

    def cut(*arguments, **named):
        return (unproven[0] if isinstance(event, Front) else event for event in whole(*arguments, **named))

    monkeypatch.setattr(cli_main, "execute", cut)
    assert main(["run", "burma14", "held-karp"]) == 0
    assert f"length 3,323 km ({result.NOT_PROVEN}; 0.00 % above" in capsys.readouterr().out


def test_too_many_cities_are_refused_in_one_sentence(capsys):
    assert main(["run", "pr1002", "held-karp"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "1,002 cities" in err
    assert "algorithm" in err


def needs(solver, device, instance, place=None, **params):
    return plan_stage(solver, solver.params(**params), device, load(instance), place or Machine()).needs()


@each_row("device", ["auto", "cpu"])
def test_only_algorithms_with_requirements_print_them(device):
    assert needs(HELD_KARP, device, "burma14").endswith(".")
    assert needs(find("greedy"), device, "burma14") == ""


def test_gpu_is_the_default_if_available():
    two_opt, gpu = find("two-opt"), Machine([Device("cuda", "Some card", limits=H200)])
    assert needs(two_opt, "auto", "kroA100", gpu) == ""
    talker = type("Talker", (type(two_opt),), {"needs": lambda self, instance, device, memory: f"needs {device}"})()
    assert needs(talker, "auto", "kroA100", gpu) == "needs cuda"
    assert needs(talker, "cpu", "kroA100", gpu) == "needs cpu"


@each_row(
    ("memories", "end"),
    [([10**9] * 2, ", which have 1 GB: enough for up to 29 cities."),
     ([10**9, 5 * 10**7], ", which have 50 MB: enough for up to 24 cities.")],
)  # fmt: skip
def test_each_of_several_gpus_needs_its_own_memory(memories, end):
    gpus = Machine([Device("cuda", "Card", memory=memory) for memory in memories])
    sentence = needs(HELD_KARP, "auto", "gr24", gpus, variant="cuda", gpus="all")
    plan = plan_for(distance_matrix(load("gr24")))
    share = Division(plan, 2)
    words = max(share.sets(plan.layers - 1, part) for part in range(2)) / plan.sets(plan.layers - 1)
    needed = float(sentence.split(" MB ")[0].split()[-1])
    assert sentence.startswith("24 cities need ")
    assert sentence.endswith(f" of memory on each of 2 GPUs{end}")
    assert needed == pytest.approx(words * plan.peak_bytes / 1e6, rel=0.05), "of its own part"


@each_row(
    ("variant", "free", "shared", "left"),
    [("cpu", 900, 50, 900), ("mpi", 900, 50, 50), ("mpi", 40, 50, 40), ("mpi", 900, 0, 900), ("mpi", 0, 50, 50),
     ("mpi", 0, 0, 0)],
)  # fmt: skip
def test_processes_share_memory(variant, free, shared, left, monkeypatch):
    monkeypatch.setattr(machine, "available_bytes", lambda: free)
    monkeypatch.setattr(machine, "shared_bytes", lambda: shared)
    row = next(row for row in HELD_KARP.variants if row.name == variant)
    assert Machine().memory_sizes(row) == [left]


def claim(algorithm, instance="gr24", devices=(), device="auto", **params):
    spec = make_spec(algorithm, **params)
    return plan(prepare(replace(spec, device=device)), load(instance), Machine.from_report(devices)).claim()


def test_memory_of_held_karp_is_known_in_advance():
    needed = plan_for(distance_matrix(load("gr24"))).peak_bytes
    card = {"kind": "cuda", "available": True, "memory": 2 * needed}
    assert claim("held-karp") == claim("held-karp", devices=[card | {"available": False}]) == ("cpu", needed)
    assert claim("held-karp", devices=[card]) == ("cuda", needed)
    assert claim("held-karp", devices=[card], device="cpu") == ("cpu", needed)
    assert claim("held-karp", devices=[card | {"memory": needed - 1}]) == ("cpu", needed), "as the run itself decides"
    assert claim("held-karp", devices=[card, card], variant="cuda", gpus="all") == ("cuda", needed // 2)
    assert claim("held-karp", variant="qin-han-sequential").bytes > needed
    assert claim("held-karp", instance="pr1002").bytes == claim("two-opt").bytes == 0
