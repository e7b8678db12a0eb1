"""Processor seconds of each part of `make test`, held against `budget.json`; also a plugin of pytest that counts tests.

``python -m tests.processor_seconds PART COMMAND...`` runs a part and keeps the seconds of all its processes. Without
arguments it compares all parts with the budget; ``--write`` makes them the budget. Machines differ in speed, and in
what else they do: the median file of tests tells how much slower this one is, which a single slow test does not change.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUDGET = Path(__file__).with_name("budget.json")
FOLDER = ROOT / "test-results" / "seconds"
#: What all parts may take, in shares of the budget, and from how many seconds on a file tells how fast the machine is.
LIMIT, FILE_SECONDS = 1.15, 0.5
#: Of ``linux/prctl.h``: processes whose parents have ended become children of this one.
_PR_SET_CHILD_SUBREAPER = 36
_tests: Counter[str] = Counter()


def count(part: str, command: list[str]) -> int:
    """Run a part, store the processor seconds of its processes, and return its exit status."""
    folder = FOLDER / part
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    plugin = f"{os.environ.get('PYTEST_ADDOPTS', '')} -p tests.processor_seconds"
    environment = {**os.environ, "PYTEST_ADDOPTS": plugin, "TOURSCOPE_SECONDS": str(folder)}
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, env=environment, cwd=ROOT)
    while (ended := os.wait())[0] != process.pid:  # others are of servers and browsers that did not wait for them
        continue
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    (folder / "part.json").write_text(json.dumps(_seconds(resource.RUSAGE_CHILDREN)))
    return os.waitstatus_to_exitcode(ended[1])


def compare(budget: dict, parts: dict[str, float], tests: Counter[str]) -> tuple[bool, str]:
    """Whether all parts together are within the budget, and a table of the ten most expensive tests if not.

    Parameters
    ----------
    budget : dict
        ``parts`` and ``files``: processor seconds by name.
    parts, tests : dict
        Processor seconds of each part, and of each test by its id.
    """
    files = _by_file(tests)
    speed = median([files[name] / seconds for name, seconds in budget["files"].items() if files[name]] or [1.0])
    allowed = budget["parts"]
    lines = [f"{name:8} {seconds:7.0f} s, budget {allowed.get(name, 0):.0f} s" for name, seconds in parts.items()]
    share = sum(parts.values()) / speed / sum(allowed.values())
    lines.append(f"Processor seconds, of a machine {speed:.2f} times as slow as that of the budget: {share:.0%} of it.")
    if share > LIMIT:
        lines.append(f"More than {LIMIT:.0%}. The most expensive tests:")
        lines += [f"{seconds:7.1f} s  {name}" for name, seconds in tests.most_common(10)]
    return share <= LIMIT, "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Run a part, compare all of them, or write the budget."""
    if arguments and arguments[0] != "--write":
        return count(arguments[0], arguments[1:])
    parts = {path.parent.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*/part.json"))}
    tests: Counter[str] = Counter()
    for path in FOLDER.glob("*/tests-*.json"):
        tests.update(json.loads(path.read_text()))
    if arguments:
        files = {name: round(seconds, 2) for name, seconds in _by_file(tests).items() if seconds >= FILE_SECONDS}
        written = {
            "parts": {name: round(seconds) for name, seconds in parts.items()},
            "files": dict(sorted(files.items())),
        }
        BUDGET.write_text(json.dumps(written, indent=2) + "\n")
        return 0
    saved, table = compare(json.loads(BUDGET.read_text()), parts, tests)
    print(table)
    return not saved


def _by_file(tests: Counter[str]) -> Counter[str]:
    files: Counter[str] = Counter()
    for name, seconds in tests.items():
        files[name.partition("::")[0]] += seconds
    return files


def _seconds(*whose: int) -> float:
    used = [resource.getrusage(who) for who in whose]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count a test, with its fixtures and the processes that ended with it."""
    before = _seconds(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    try:
        return (yield)
    finally:
        _tests[item.nodeid] += _seconds(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) - before


def pytest_sessionfinish() -> None:
    """Store the counts of this process."""
    if _tests and (folder := os.environ.get("TOURSCOPE_SECONDS")):
        Path(folder, f"tests-{os.getpid()}.json").write_text(json.dumps(_tests))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
