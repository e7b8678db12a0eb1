"""Entry point of ``python -m solvers``: see `commands.main`, `commands.check` and `studies.cli`."""

import sys
from typing import Any


def main() -> int:
    """Run the command line and return the exit status."""
    if sys.argv[1:2] == ["study"]:
        from studies.cli.main import main as study

        return study(sys.argv[1:])
    if sys.argv[1:2] == ["landscape"]:
        from studies.cli.landscape import main as landscape

        return landscape(sys.argv[2:])
    if sys.argv[1:2] == ["check"]:
        from commands.check import main as check

        return check(sys.argv[2:])
    from commands.main import main as solve

    return solve(record=_record)


def _record(*run: Any) -> Any:
    from components.embed.document import PageRecorder

    return PageRecorder(*run)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # the user has interrupted the imports
        sys.exit(130)
