"""Fuzz the reader of TSPLIB files: ``python -m fuzz [--seconds 60] [--folder FOLDER]``, or ``make fuzz``.

First the fuzzer must find each of the defects in `fuzz.planted` within a short time; then it fuzzes the reader. The
folder receives the files that break it, and the corpus for the next run.
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
    """Fuzz; return 0 if all planted defects were found, and no others."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzz the reader of TSPLIB files.")
    parser.add_argument("--seconds", type=int, default=60, help="duration (default: %(default)s)")
    folder = Path("test-results/fuzz")
    parser.add_argument(
        "--folder",
        type=Path,
        default=folder,
        help="folder for files that break the reader, and the corpus (default: %(default)s)",
    )
    options = parser.parse_args()
    for defect in PLANTED:
        with tempfile.TemporaryDirectory() as scratch:
            status, output = _fuzz(_PLANTED_SECONDS, Path(scratch), defect.__name__)
        if status == 0 or "Broken: " not in output:
            print(f"{output}\nThe planted defect {defect.__name__} was not found.", file=sys.stderr)
            return 1
        print(f"found the planted defect {defect.__name__}")
    options.folder.mkdir(parents=True, exist_ok=True)
    status, output = _fuzz(options.seconds, options.folder)
    if status:
        print(f"{output}\nThe reader is broken; the file is in {options.folder}.", file=sys.stderr)
        return 1
    print(f"nothing else found: {_statistics(output)}")
    return 0


def _fuzz(seconds: int, folder: Path, *defect: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "fuzz.harness", str(seconds), str(folder), *defect]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def _statistics(output: str) -> str:
    counts = dict(re.findall(r"stat::(\w+):\s+(\d+)", output))
    files, per_second = int(counts["number_of_executed_units"]), int(counts["average_exec_per_sec"])
    return f"{files:,} files, {per_second:,} a second, {int(counts['peak_rss_mb']):,} MB at most"


if __name__ == "__main__":
    sys.exit(main())
