"""``python -m benchmarks NAME [--repeats N] [--json FILE] [--markdown FILE ...]``, with further options for each."""

import argparse
import importlib
import json
import sys
from pathlib import Path

from data.command_line import name_command

#: Benchmarks by name, with the module whose `main` runs them.
BENCHMARKS = {
    "two-opt-cpu": "benchmarks.two_opt.cpu",
    "page": "benchmarks.pages.watch",
    "first-tour": "benchmarks.pages.first_tour",
    "race": "benchmarks.pages.race",
    "study-page": "benchmarks.pages.study",
    "world": "benchmarks.pages.world",
    "endings": "benchmarks.pages.endings",
    "two-opt-gpu": "benchmarks.two_opt.gpu",
    "ant-system": "benchmarks.ants.ant_system.main",
    "acs": "benchmarks.ants.acs.main",
    "held-karp": "benchmarks.held_karp.main",
    "annealing": "benchmarks.annealing",
    "lin-kernighan": "benchmarks.lin_kernighan.cores",
    "lin-kernighan-gpu": "benchmarks.lin_kernighan.gpu",
    "lin-kernighan-sides": "benchmarks.lin_kernighan.sides",
    "bound": "benchmarks.bound",
    "proofs": "benchmarks.proofs",
    "directed": "benchmarks.directed",
    "paths": "benchmarks.paths",
    "ray": "benchmarks.cluster.main",
    "reference": "benchmarks.packages.reference",
    "dialects": "benchmarks.packages.dialects",
    "first-run": "benchmarks.first_run",
    "baseline": "benchmarks.baseline",
    "two-cores": "benchmarks.two_cores",
    "several-gpus": "benchmarks.several_gpus",
    "rest": "benchmarks.rest",
    "run-cost": "benchmarks.run_cost",
    "recommendation": "benchmarks.recommendation",
    "against": "benchmarks.against",
}


def main() -> int:
    """Run a benchmark."""
    parser = argparse.ArgumentParser(prog=name_command("benchmarks"), description=__doc__)
    parser.add_argument("name", choices=BENCHMARKS)
    parser.add_argument("--repeats", type=int, default=5, help="how often each figure is measured (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw samples there")
    # Only the named benchmark is imported, since others may need missing packages.
    module = importlib.import_module(BENCHMARKS[sys.argv[1]]) if sys.argv[1:2] and sys.argv[1] in BENCHMARKS else None
    if module and hasattr(module, "format_tables"):
        shown = "measure nothing, print the tables of the results in these files"
        parser.add_argument("--markdown", type=Path, nargs="+", metavar="FILE", help=shown)
    if module and hasattr(module, "add_options"):
        module.add_options(parser)
    options = vars(parser.parse_args())
    module = module or importlib.import_module(BENCHMARKS[options["name"]])
    del options["name"]
    if files := options.pop("markdown", None):
        print(
            module.format_tables(
                {part: found for file in files for part, found in json.loads(file.read_text()).items()}
            )
        )
        return 0
    return module.main(options.pop("repeats"), options.pop("json"), **options)


if __name__ == "__main__":
    sys.exit(main())
