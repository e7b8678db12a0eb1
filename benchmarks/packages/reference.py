"""Checks the promises of other projects' solvers: time limits, seeds, numbers, sizes.

Requires ``pip install commiv elkai fast-tsp ortools python-tsp pyvrp``. ``--only`` selects packages and ``--ask``
questions; other results in the file are kept. ``--markdown`` prints ``docs/reference-solvers.md`` from a file.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.machine import describe_machine
from benchmarks.packages.contracts import PACKAGES
from benchmarks.saving import save

ROOT = Path(__file__).resolve().parents[2]
#: Seconds after which a call counts as endless.
PATIENCE = 100
#: Cities and time limit of each repeated call, and of calls made only once.
TIMED = ((10, 1), (100, 1), (1000, 1), (3000, 1), (1000, 0.05))
ONCE = ((6000, 1),)
POWERS = (4, 5, 6, 7, 8, 9, 12, 15, 18)
ASKED = (
    *(f"time {n} {seconds}" for n, seconds in ONCE),
    *(
        "seed 200",
        "seed 1000",
        "fractions",
        *(f"largest {power}" for power in POWERS),
        "directed",
        "few 1",
        "few 2",
        "few 3",
    ),
    *("equal 0", "equal 7", "duplicates", "negative"),
)
#: Packages that use the seed of `random`, and those without a seed.
_NO_SEED = ("OR-Tools", "fast-tsp")

Answers = dict[str, Any]


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--only", choices=PACKAGES, action="append", help="measure this package; repeatable")
    parser.add_argument("--ask", choices=ASKED, action="append", help="ask this question; repeatable")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="measure nothing, print the page of such results")


def main(
    repeats: int, output: Path | None, only: list[str] | None, ask: list[str] | None, markdown: Path | None
) -> int:
    """Ask every package every question, and write the answers to `output`."""
    if markdown:
        print(format_page(json.loads(markdown.read_text("utf-8"))), end="")
        return 0
    results = json.loads(output.read_text("utf-8")) if output and output.exists() else {"packages": {}}
    for name in only or PACKAGES:
        answers: Answers = results["packages"].get(name, {}).get("answers", {}) if ask else {}
        answers |= {question: ask_package(name, question) for question in ask or ASKED}
        for n, limit in () if ask else TIMED:
            answers[f"time {n} {limit}"] = [ask_package(name, f"time {n} {limit}") for _ in range(repeats)]
        distribution = PACKAGES[name][0]
        measured = {"version": f"{distribution} {version(distribution)}", **_describe_machine(), "answers": answers}
        results["packages"][name] = measured
        print(name, json.dumps(answers), flush=True)
        results["packages"] = {each: results["packages"][each] for each in PACKAGES if each in results["packages"]}
        save(results, output, depth=4)
    return 0


def ask_package(name: str, question: str) -> Answers:
    """Return the answer of a package to a question, from a separate process."""
    command = [sys.executable, "-m", "benchmarks.packages.contracts", name, *question.split()]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {PATIENCE} s"}
    last = done.stdout.strip().rpartition("\n")[2]
    return json.loads(last) if last.startswith("{") else {"error": "its process ended"}


def _describe_machine() -> Answers:
    about = describe_machine()
    return {key: about[key] for key in ("cpu", "threads", "system", "load_1_minute", "date", "commit")}


_HEAD = """# How reference solvers behave

This page shows how third-party packages handle a time limit, a seed and unusual distances: {versions}. \
`python -m benchmarks reference` measured every cell, on {where}; raw answers are in \
`benchmarks/results/reference_solvers.json`. TourScope does not offer python-tsp (its 2-opt) or commiv, \
which has no time limit.

**right** means the shortest tour of a small instance, **worse** a longer tour without an error, **refused** an error.

"""
_TAIL = """
## What TourScope does

TourScope passes whole distances unchanged; if they are too large, it divides them all and says by how much. It \
shuffles the cities by the seed, because the order in some files is already a good tour. It measures every tour \
again, ends a package that ignores its limit, and solves one or two cities itself. Before a run, it refuses directed \
distances for fast-tsp, negative ones for all but LKH, and too many cities.

## Time limits and comparisons

Cancel and the run's time limit kill the package's process, whose call then returns no tour; a pause does not stop its \
clock. For a fair comparison at equal run time, as in a study, make one call with the run's whole time limit.
"""


def format_page(results: Answers) -> str:
    """Format a page of results in Markdown."""
    packages = results["packages"]
    names = list(packages)
    machines = {
        f"{package['threads']} threads of an {package['cpu']}, {package['date']}" for package in packages.values()
    }
    head = _HEAD.format(
        versions=", ".join(packages[name]["version"] for name in names), where="; ".join(sorted(machines))
    )
    lines = [f"|property|{'|'.join(names)}|", "|---" * (1 + len(names)) + "|"]
    for title, cell in ROWS.items():
        lines.append(f"|{title}|{'|'.join(cell(name, packages[name]['answers']) for name in names)}|")
    return head + "\n".join(lines) + "\n" + _TAIL


def _make_seconds_cell(question: str) -> Callable[[str, Answers], str]:
    def format_cell(name: str, answers: Answers) -> str:
        tries = answers[question] if isinstance(answers[question], list) else [answers[question]]
        faults = [answer["error"] for answer in tries if "error" in answer]
        return faults[0] if faults else f"{median(answer['seconds'] for answer in tries):.2g} s"

    return format_cell


def _format_memory(name: str, answers: Answers) -> str:
    medians = [median(answer.get("mb", 0) for answer in answers[f"time {n} 1"]) for n in (1000, 3000)]
    return " / ".join(f"{mb:,.0f}" for mb in medians) + " MB"


def _format_cores(name: str, answers: Answers) -> str:
    tries = [answer for answer in answers["time 1000 1"] if answer.get("seconds")]
    return f"{median(answer['processor'] / answer['seconds'] for answer in tries):.1f}" if tries else "?"


def _format_size(name: str, answers: Answers) -> str:
    tried = {n: answers[f"time {n} 1"] for n, limit in (*TIMED, *ONCE) if limit == 1}
    good = [n for n, found in tried.items() if "error" not in json.dumps(found)]
    return f"{max(good):,}" if good else "none"


def _describe_repeats(name: str, answers: Answers) -> str:
    found = [answers[f"seed {n}"] for n in (200, 1000)]
    words = " / ".join("error" if "error" in each else "the same" if each["same"] else "different" for each in found)
    return words + (", takes no seed" if name in _NO_SEED else "")


def _format_fractions(name: str, answers: Answers) -> str:
    return answers["fractions"].get("fractions", "refused")


def _format_largest(name: str, answers: Answers) -> str:
    right = 0
    for power in POWERS:
        answer = answers[f"largest {power}"]
        if answer.get("tour") != "optimal":
            return f"10^{right}, then {_format_answer(answer)}"
        right = power
    return f"10^{right}"


def _format_outcome(*questions: str) -> Callable[[str, Answers], str]:
    return lambda name, answers: ", ".join(dict.fromkeys(_format_answer(answers[question]) for question in questions))


def _format_answer(answer: Answers) -> str:
    if "error" in answer:
        return answer["error"] if answer["error"].startswith(("its", "no answer")) else "refused"
    return {"optimal": "right", "worse": "worse", "no tour": "no tour"}[answer["tour"]]


#: A row of the page for each property; computes a cell from a package's name and answers.
ROWS: dict[str, Callable[[str, Answers], str]] = {
    **{
        f"time taken: limit {limit:g} s, {n:,} cities": _make_seconds_cell(f"time {n} {limit}")
        for n, limit in (*TIMED, *ONCE)
    },
    "largest of these sizes with an answer": _format_size,
    "memory at 1,000 / 3,000 cities": _format_memory,
    "cores used": _format_cores,
    "tours of three calls with one seed, 200 / 1,000 cities": _describe_repeats,
    "fractional distances": _format_fractions,
    "largest distance": _format_largest,
    "directed distances": _format_outcome("directed"),
    "one city": _format_outcome("few 1"),
    "two cities": _format_outcome("few 2"),
    "three cities": _format_outcome("few 3"),
    "all distances 0, or 7": _format_outcome("equal 0", "equal 7"),
    "cities at the same place": _format_outcome("duplicates"),
    "negative distances": _format_outcome("negative"),
}
