"""``python -m solvers``: see `solvers.cli.main`, `solvers.check.cli`, and for studies `studies.cli.main`."""

import sys


def main() -> int:
    """Run the command line and return the exit status."""
    if sys.argv[1:2] == ["study"]:
        from studies.cli.main import main as study

        return study(sys.argv[1:])
    if sys.argv[1:2] == ["check"]:
        from solvers.check.cli import main as check

        return check(sys.argv[2:])
    from solvers.cli.main import main as solve

    return solve()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # during the imports
        sys.exit(130)
