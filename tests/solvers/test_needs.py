"""What the command line says of an exact solution: what it needs before it starts, and whether it is proven."""

import json

import numpy as np
import pytest

from data.library import load
from solvers import cli, find, needs, report
from solvers.cli import main
from solvers.events import Front

HELD_KARP = find("held-karp")


def test_what_it_needs_is_told_before_the_start_and_the_proof_after(capsys):
    assert main(["run", "burma14", "held-karp"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("14 cities need ")
    assert out.startswith("burma14, 14 cities: length 3,323 (proven optimal)\n")


def test_json_is_alone_and_says_that_it_is_proven(capsys):
    assert main(["run", "burma14", "held-karp", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out)["proven"] is True
    assert main(["run", "burma14", "greedy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proven"] is False


def test_what_was_cut_is_not_proven(capsys, monkeypatch):
    whole = cli.run
    unproven = [Front(*(np.zeros(1, np.int64) for _ in range(4)), np.zeros(1), False)]

    def cut(*given, **named):
        return (unproven[0] if isinstance(event, Front) else event for event in whole(*given, **named))

    monkeypatch.setattr(cli, "run", cut)
    assert main(["run", "burma14", "held-karp"]) == 0
    assert f"length 3,323 ({report.NOT_PROVEN}; 0.00 % above" in capsys.readouterr().out


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
    assert needs.sentence(HELD_KARP, params, device, load("burma14")).endswith(".")
    greedy = find("greedy")
    assert needs.sentence(greedy, greedy.params.from_mapping({}), device, load("burma14")) == ""
