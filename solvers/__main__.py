"""``python -m solvers``: see `solvers.cli`, and for studies of many algorithms `studies.cli`."""

import sys

if __name__ == "__main__":
    if sys.argv[1:2] == ["study"]:
        from studies.arguments import is_study
        from studies.cli import main as study

        if is_study(sys.argv[1:]):
            sys.exit(study(sys.argv[1:]))
    from solvers.cli import main

    sys.exit(main())
