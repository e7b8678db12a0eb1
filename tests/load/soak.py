"""``python -m tests.load.soak [--viewers 100] [--runs 8] [--seconds 600] [--json FILE] [--faults FILE]``.

Measures a server under load, prints its figures and what exceeds the limits, and writes all samples, with those of the
faults if there are any. The exit status is 1 if a limit is exceeded.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.machine import describe_machine
from tests.load.measuring import Settings, exceeded_limits, figures, measure, stored_samples


def main() -> int:
    """Measure once."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.soak", description="Measure a server under load.")
    defaults = Settings()
    parser.add_argument("--viewers", type=int, default=defaults.viewers, help="(default: %(default)s)")
    parser.add_argument("--runs", type=int, default=defaults.runs, help="runs that go on (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=defaults.seconds, help="(default: %(default)s)")
    parser.add_argument(
        "--every", type=float, default=defaults.every, help="least seconds between two heads (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples there")
    parser.add_argument("--faults", type=Path, metavar="FILE", help="samples of the faults, which are added")
    options = parser.parse_args()
    settings = Settings(options.viewers, options.runs, options.seconds, options.every)
    machine = describe_machine()
    with tempfile.TemporaryDirectory() as home:
        measured = measure(Path(home), settings)
    over = exceeded_limits(measured)
    for name, value in figures(measured).items():
        print(f"{name:20} {value:10.3f}")
    print("\n".join(over) or "Everything is within its limits.")
    if options.json:
        lines = options.faults.read_text().splitlines() if options.faults and options.faults.exists() else []
        faults = [json.loads(line) for line in lines]
        whole = {"machine": machine, **stored_samples(measured), "exceeded": over, "faults": faults}
        options.json.write_text(json.dumps(whole) + "\n")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main())
