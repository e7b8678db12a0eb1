"""The benchmark of baseline kernels: its ratios, and what it saves."""

import json

from benchmarks import baseline


def test_algorithm_without_evaluations_has_no_ratio(tmp_path, monkeypatch, capsys):
    rates = {"branch-and-cut": {False: 3.0, True: 0.0}, "two-opt": {False: 3.0, True: 4.0}}
    monkeypatch.setattr(baseline, "measure_rate", lambda name, seconds, native: rates[name][native])
    assert baseline.main(2, tmp_path / "samples.json", [*rates], 1.0) == 0
    samples = json.loads((tmp_path / "samples.json").read_text())["samples"]
    assert samples["branch-and-cut"] == {"package": [3.0, 3.0], "native": [0.0, 0.0]}, "the first run is dropped"
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:]] == ["nan", "0.750"]
