"""The output of commands and studies without its varying parts, and a table of every parameter."""

import base64
import csv
import hashlib
import io
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from tests.saved import house
from tests.saved.answers import digest

#: What a result has that is of one moment or one machine.
TIMES = (
    "seconds", "evaluations_per_second", "compile_seconds", "versions", "device", "seconds_to_best", "threads", "took",
    "bytes", "created", "measured",
)  # fmt: skip


def without_times(value: Any) -> Any:
    """A JSON value without the parts that vary between calls."""
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def find_facts(text: str) -> list[str]:
    """The numbers and the names with digits in a text, which do not depend on its wording."""
    return re.findall(r"[A-Za-z_]*\d[\w.,]*\w|\d", text)


def entry_facts(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of the library, without times, sentences, names of algorithms and races, and later additions."""
    left_out = ("titles", "race_title", "seed", "requested", "deletion_refusal")
    stored = {name: value for name, value in without_times(entry).items() if name not in left_out}
    return {**stored, "deletable": not entry["deletion_refusal"]}


def study_id(path: Path) -> str:
    """The id of a study file, used by a release's links and labels."""
    return base64.urlsafe_b64encode(hashlib.sha256(os.fsencode(path.resolve())).digest()[:9]).decode()


#: Fields of results and of studies' files that have come since the releases whose answers lie here.
_ADDED = {"finding", "shared_edges", "unit", "warnings"}


def normal(value: Any, version: int = house.VERSION) -> Any:
    """A JSON value with all parameters of each algorithm in it, so that names and defaults of two releases compare.

    What is told in addition today is left out. `version` is that of specs of the release that told it; a spec in it
    says its own.
    """
    if isinstance(value, list):
        return [normal(each, version) for each in value]
    if not isinstance(value, dict):
        return value
    version = value["v"] if {"v", "seed"} <= value.keys() or {"v", "seeds"} <= value.keys() else version
    found = {name: normal(each, version) for name, each in value.items() if name not in {"v", *_ADDED}}
    if "algorithm" in found and isinstance(found.get("params"), dict):
        found["params"] = house.complete(found["algorithm"], found["params"], version)
    return found


def study_answers(path: Path) -> dict[str, Any]:
    """The contents of a study file: as JSON by the command line, and in every export."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {kind: folder / kind for kind in ("csv", "latex", "iohprofiler")}
        exports = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
        status, printed = house.program(["solvers", "study", str(path), "--show", "--json", *exports])
        answer = json.loads(printed)
        answer["cautions"] = [find_facts(sentence) for sentence in answer["cautions"]]
        rows = list(csv.DictReader(io.StringIO(files["csv"].read_text(encoding="utf-8"))))
        for row in rows:
            row["stages"] = json.loads(row["stages"])
        gaps, _, _verdicts = files["latex"].read_text(encoding="utf-8").partition(r"\end{table}")
        table = find_facts(gaps)
        data = sorted(file for file in files["iohprofiler"].rglob("*") if file.is_file())
        visible = {file.relative_to(files["iohprofiler"]).as_posix(): _data(file) for file in data}
    return {"status": status, "told": answer, "runs": rows, "table": table, "iohprofiler": visible}


def _data(file: Path) -> str:
    """A hash of an IOHprofiler file, without its sentences."""
    if file.suffix != ".json":
        return digest(file.read_bytes())
    value = json.loads(file.read_text())
    value["algorithm"].pop("info")
    return digest(value)


def own_result(name: str, words: list[str]) -> dict[str, Any]:
    """The result of a user's own solver on the command line."""
    status, printed = house.program(["solvers", "run", *words, "--solver", f"tests.saved.own_solver:{name}", "--json"])
    assert status == 0, words
    return without_times(json.loads(printed))


def parameter_cases() -> list[dict[str, Any]]:
    """For each parameter of each algorithm some values, each with the spec that it makes."""
    found = []
    for declared in house.declared():
        for value in _values(declared):
            params = {declared["name"]: value}
            spec = {
                "v": house.VERSION,
                "instance": {"name": "gr17"},
                "stages": [{"algorithm": declared["algorithm"], "params": params}],
            }
            found.append({"algorithm": declared["algorithm"], "name": declared["name"], "value": value,
                          "means": house.meaning(spec)["stages"][0]["params"]})  # fmt: skip
    for algorithm, preset in house.presets():
        words = ["run", "gr17", algorithm, "--preset", preset]
        means = house.meaning(house.option_spec(words)["spec"])["stages"][0]["params"]
        found.append({"algorithm": algorithm, "preset": preset, "means": means})
    return found


def _values(declared: dict[str, Any]) -> list[Any]:
    if declared["kind"] == "choice":
        return declared["choices"]
    if declared["kind"] == "bool":
        return [True, False]
    if declared["kind"] == "tour":
        return [[2, 0, 1]]
    middle = declared["low"] + (declared["high"] - declared["low"]) / 3
    kind = int if declared["kind"] == "int" else float
    return [kind(declared["low"]), kind(middle), kind(declared["high"])]
