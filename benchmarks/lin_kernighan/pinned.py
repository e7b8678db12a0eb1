"""Runs cases of a benchmark side by side, each in a process with two reserved cores."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.ants.tables import Entry
from benchmarks.core_pairs import choose_pairs, run_on_pairs


@dataclass(frozen=True, slots=True)
class Case:
    """A measurement that one process makes.

    Attributes
    ----------
    part, instance : str
    seconds : float
        Seconds of each run.
    repeats, runs : int
        Number of seeds, and runs per seed.
    """

    part: str
    instance: str
    seconds: float
    repeats: int
    runs: int


def measure_pinned(
    cases: Sequence[Case], pairs: int, options: Sequence[str], output: Path | None
) -> dict[str, list[Entry]]:
    """Measure cases, the longest first, as many at a time as there are pairs of cores.

    Parameters
    ----------
    cases : sequence of Case
    pairs : int
        Number of pairs, from the last cores on which this process may run.
    options : sequence of str
        Options of the benchmark for all cases.
    output : Path or None
        Result file. Beside it, a file with the suffix ``.parts`` gets a line per case as soon as it is measured.

    Returns
    -------
    dict of str to list
        The entries of each part, in the order of `cases`.

    Raises
    ------
    SystemExit
        If there are fewer cores.
    """
    chosen = choose_pairs(sorted(os.sched_getaffinity(0)), pairs)
    order = sorted(range(len(cases)), key=lambda at: -cases[at].seconds * cases[at].repeats * cases[at].runs)
    measure = partial(_measure_case, options=options, output=output)
    results = dict(zip(order, run_on_pairs(chosen, measure, [cases[at] for at in order]), strict=True))
    entries: dict[str, list[Entry]] = {case.part: [] for case in cases}
    for at, case in enumerate(cases):
        entries[case.part] += results[at]
    return entries


def _measure_case(case: Case, pair: Sequence[int], options: Sequence[str], output: Path | None) -> list[Entry]:
    """Measure a case on a pair of cores, print its entries, and return them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "case.json"
        command = [
            sys.executable, "-m", "benchmarks", "lin-kernighan", *options, "--repeats", str(case.repeats),
            "--part", case.part, "--only", case.instance, "--seconds", str(case.seconds), "--json", str(file),
        ]  # fmt: skip
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, pair)  # set for this thread, from which the process inherits it
        try:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        finally:
            os.sched_setaffinity(0, before)
        if process.wait():
            raise SystemExit(f"{case.part} {case.instance} {case.seconds:g} s failed")
        entries = list(json.loads(file.read_text())[case.part])
    for entry in entries:
        line = json.dumps({"part": case.part, "cores": pair, **entry})
        print(line, flush=True)
        if output:
            with output.with_name(f"{output.name}.parts").open("a") as lines:
                lines.write(line + "\n")
    return entries
