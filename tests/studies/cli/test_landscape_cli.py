"""``python -m solvers landscape``: its output, its files, its refusals."""

import csv
import json

import numpy as np
import pytest

from data.collection.resolve import load
from data.tsplib.instances import write
from studies.cli.landscape import main
from tests.tables import each_row


def test_local_optima_and_a_walk_of_an_instance(capsys, tmp_path):
    optima, walk = tmp_path / "optima.csv", tmp_path / "walk.csv"
    asked = ["eil51", "--optima", "12", "--steps", "30000", "--csv", str(optima), "--walk-csv", str(walk)]
    assert main([*asked, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    rows = list(csv.DictReader(optima.open()))
    assert [int(row["seed"]) for row in rows] == list(range(1, 13))
    far = [int(row["edges_not_shared"]) for row in rows]
    assert answer["edges_not_shared"] == {"least": min(far), "median": np.median(far), "most": max(far)}
    assert min(int(row["length"]) for row in rows) > 426 == answer["reference_length"]
    lengths = [int(row["length"]) for row in rows]
    assert answer["correlation"] == pytest.approx(np.corrcoef(lengths, far)[0, 1])
    assert answer["reference"] == "optimal tour"
    assert 20 < answer["correlation_length"] < 30, "about half of the cities"
    steps = list(csv.DictReader(walk.open()))
    assert (steps[0]["lag"], float(steps[0]["autocorrelation"]), float(steps[0]["expected"])) == ("0", 1, 1)
    assert main(asked) == 2
    assert "exists already" in capsys.readouterr().err


def test_it_reports_in_sentences(capsys):
    assert main(["uniform:30:1", "--optima", "4"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("uniform-30-1, 30 cities: 4 local optima of 2-opt have 0 to ")
    assert "the shortest of these has not" in output
    assert "random walk of 20,000 moves: correlation length" in output


def test_doubtful_content_of_a_file_is_reported(capsys, tmp_path):
    path = tmp_path / "mine.tsp"
    path.write_text(write(load("burma14")).replace("\nEOF", ""), encoding="ascii")
    assert main([str(path), "--optima", "2"]) == 0
    assert capsys.readouterr().err == "burma14: The file ends without EOF.\n"


@each_row(
    ("arguments", "why"),
    [
        (["nowhere"], "nowhere"),
        (["eil51", "--optima", "0"], "optima is '0'"),
        (["eil51", "--steps", "x"], "steps is 'x'"),
        (["br17", "--optima", "1"], "needs the same distance in both directions"),
    ],
)
def test_unsupported_instance_gives_a_sentence(capsys, arguments, why):
    assert main(arguments) == 2
    output = capsys.readouterr().err
    assert why in output
    assert output.count("\n") == 1
