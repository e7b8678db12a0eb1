"""Fuzz the reader of TSPLIB files: ``python -m fuzz [--seconds 60] [--folder FOLDER]``, or ``make fuzz``.

First the fuzzer has to find the defects of `fuzz.planted`, each within a short time; then it is set upon the reader.
What it finds lies in the folder, and so do the files that it goes on from at the next run.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz.planted import PLANTED

_PLANTED_SECONDS = 60


def main() -> int:
    """Run all of it; 0 if the planted defects were found and nothing else was."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzz the reader of TSPLIB files.")
    parser.add_argument("--seconds", type=int, default=60, help="how long (default: %(default)s)")
    folder = Path("test-results/fuzz")
    parser.add_argument("--folder", type=Path, default=folder, help="for what is found (default: %(default)s)")
    given = parser.parse_args()
    for defect in PLANTED:
        with tempfile.TemporaryDirectory() as scratch:
            status, output = _fuzz(_PLANTED_SECONDS, Path(scratch), defect.__name__)
        if status == 0 or "Broken: " not in output:
            print(f"{output}\nThe planted defect {defect.__name__} was not found.", file=sys.stderr)
            return 1
        print(f"found the planted defect {defect.__name__}")
    given.folder.mkdir(parents=True, exist_ok=True)
    status, output = _fuzz(given.seconds, given.folder)
    if status:
        print(f"{output}\nThe reader is broken; the file lies in {given.folder}.", file=sys.stderr)
        return 1
    print(f"nothing else found: {_figures(output)}")
    return 0


def _fuzz(seconds: int, folder: Path, *defect: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "fuzz.harness", str(seconds), str(folder), *defect]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def _figures(output: str) -> str:
    counts = dict(re.findall(r"stat::(\w+):\s+(\d+)", output))
    files, a_second = int(counts["number_of_executed_units"]), int(counts["average_exec_per_sec"])
    return f"{files:,} files, {a_second:,} a second, {int(counts['peak_rss_mb']):,} MB at most"


if __name__ == "__main__":
    sys.exit(main())
