"""``python -m benchmarks NAME [--repeats N] [--json FILE]``."""

import argparse
import importlib
import sys
from pathlib import Path

#: What can be measured, and the module whose `main` does it.
BENCHMARKS = {
    "two-opt-cpu": "benchmarks.two_opt_cpu",
    "page": "benchmarks.page",
    "two-opt-gpu": "benchmarks.two_opt_gpu",
}


def main() -> int:
    """Run one benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=BENCHMARKS)
    parser.add_argument("--repeats", type=int, default=5, help="how often each figure is measured (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw samples there")
    given = parser.parse_args()
    return importlib.import_module(BENCHMARKS[given.name]).main(given.repeats, given.json)


if __name__ == "__main__":
    sys.exit(main())
