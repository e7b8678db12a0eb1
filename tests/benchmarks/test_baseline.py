"""The benchmark of baseline kernels: its ratios, and what it saves."""

import json

from benchmarks import baseline


def test_algorithm_without_evaluations_has_no_ratio(tmp_path, monkeypatch, capsys):
    rates = {"branch-and-cut": {False: 3.0, True: 0.0}, "two-opt": {False: 3.0, True: 4.0}}
    limits = []

    def measure_rate(name, limit, native):
        limits.append(limit)
        return int(9 * rates[name][native]), rates[name][native]

    monkeypatch.setattr(baseline, "measure_rate", measure_rate)
    assert baseline.main(2, tmp_path / "samples.json", [*rates], 1.0) == 0
    samples = json.loads((tmp_path / "samples.json").read_text())["samples"]
    assert samples["branch-and-cut"] == {"package": [3.0, 3.0], "native": [0.0, 0.0]}, "the first run is dropped"
    first, *others = [limits[at : at + 2] for at in range(6, 12, 2)]
    assert (first, others) == ([("seconds", "1.0")] * 2, [[("evaluations", "36")] * 2] * 2), "both compute the same"
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:]] == ["nan", "0.750"]
