"""A reader of IOHprofiler's format, written from its description only; it shares no code with the writer.

After https://iohprofiler.github.io/IOHanalyzer/data/ (the raw data and which lines must be there), and from what
IOHexperimenter writes and IOHanalyzer reads as JSON (the meta data).
"""

import json
import math
import re
from itertools import pairwise
from pathlib import Path


class BadFormat(AssertionError):
    """Content forbidden by the description."""


def want(holds: bool, what: str) -> None:
    if not holds:
        raise BadFormat(what)


def parse_runs(path: Path, attributes: list[str]) -> list[list[tuple[int, float]]]:
    """The runs of a raw data file: a separation line, then lines of a run, one space between their columns."""
    runs: list[list[tuple[int, float]]] = []
    for line in path.read_text(encoding="ascii").splitlines():
        words = line.split(" ")
        want(len(words) == len(attributes), f"{path.name}: {line!r} has not a column for each attribute")
        if not re.search(r"\d", words[0]):  # this is how IOHanalyzer tells a separation line
            want(words == attributes, f"{path.name}: {line!r} does not name the attributes")
            runs.append([])
            continue
        want(bool(runs), f"{path.name} does not begin with a separation line")
        want(words[0].isdecimal(), f"{path.name}: {words[0]!r} is not a count of evaluations")
        runs[-1].append((int(words[0]), float(words[1])))
    return runs


def check_run(run: list[tuple[int, float]], meta: dict, where: str) -> None:
    """One run: evaluations increase from 1 on, lines are improvements of y, and the last is at the last evaluation.

    The last line may be of any y: IOHexperimenter writes the current one there.
    """
    want(bool(run), f"{where}: a run without a line")
    evaluations, values = [line[0] for line in run], [line[1] for line in run]
    want(evaluations[0] >= 1, f"{where}: evaluations count from 1")
    want(all(a < b for a, b in pairwise(evaluations)), f"{where}: evaluations do not rise")
    improving = all(a > b for a, b in pairwise(values[:-1]))
    want(improving, f"{where}: a line before the last does not improve y, minimised")
    want(evaluations[-1] == meta["evals"], f"{where}: the block does not end with the last evaluation")
    best = meta["best"]
    want(math.isclose(best["y"], min(values), abs_tol=1e-9), f"{where}: another best y than in the raw data")
    want(best["evals"] == evaluations[values.index(min(values))], f"{where}: the best is of another evaluation")


def check(root: Path) -> dict[tuple[str, str, int], list[tuple[dict, list[tuple[int, float]]]]]:
    """Check a folder of data; its runs by algorithm, function and dimension.

    Raises
    ------
    BadFormat
    """
    found = {}
    for path in sorted(root.rglob("*.json")):
        meta = json.loads(path.read_text())
        name = re.fullmatch(r"IOHprofiler_f(\d+)_([^/]+)\.json", path.name)
        want(name is not None, f"{path.name} is not named as meta data are")
        needed = {"version", "suite", "function_id", "function_name", "maximization", "algorithm", "attributes"}
        want(needed | {"scenarios"} <= set(meta), f"{path.name} lacks {needed - set(meta)}")
        want(re.fullmatch(r"\d+\.\d+\.\d+", meta["version"]) is not None, "the version is not one of three numbers")
        want(tuple(map(int, meta["version"].split("."))) >= (0, 3, 3), "a version that is read in another way")
        want(meta["function_id"] == int(name[1]) and meta["function_name"] == name[2], "the function is another's")
        want(0 < meta["function_id"] < 2**16, "a function's number has 16 bits")
        want(meta["maximization"] is False, "tour lengths are minimised")
        want(set(meta["algorithm"]) == {"name", "info"}, "an algorithm has a name and an info")
        want(meta["attributes"][:2] == ["evaluations", "raw_y"], "the first columns are evaluations and raw_y")
        for scenario in meta["scenarios"]:
            key = (meta["algorithm"]["name"], meta["function_name"], scenario["dimension"])
            want(key not in found, f"{key} is there twice")
            found[key] = check_scenario(path.parent, meta, scenario)
    want(bool(found), "there is no meta data")
    return found


def check_scenario(folder: Path, meta: dict, scenario: dict) -> list[tuple[dict, list[tuple[int, float]]]]:
    """The runs of a dimension."""
    pattern = rf"data_f{meta['function_id']}_[^/]+/IOHprofiler_f{meta['function_id']}_DIM{scenario['dimension']}\.dat"
    want(re.fullmatch(pattern, scenario["path"]) is not None, f"{scenario['path']} is not named as raw data are")
    runs = parse_runs(folder / scenario["path"], meta["attributes"])
    want(len(runs) == len(scenario["runs"]), f"{scenario['path']}: not a block for each run")
    for run, entry in zip(runs, scenario["runs"], strict=True):
        want({"instance", "evals", "best"} <= set(entry), "a run lacks what it must have")
        want({"evals", "y", "x"} == set(entry["best"]), "a best point has evals, y and x")
        want(len(entry["best"]["x"]) == scenario["dimension"], "x is not of the dimension")
        want(set(meta.get("run_attributes", [])) <= set(entry), "a run lacks an attribute that is announced")
        check_run(run, entry, scenario["path"])
    return list(zip(scenario["runs"], runs, strict=True))
